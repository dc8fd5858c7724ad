"""Editions by chance, those that no training sees, and what is printed on tiles."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from vision.train.rendering.tiles.edition import (
    DESIGNS,
    JOKER,
    OWN,
    Edition,
    Printed,
    any_edition,
    back_of,
    faces,
    joker_ink,
    proportion,
    text_ink,
    top_of,
)
from vision.train.rendering.tiles.editions import EDITIONS
from vision.train.rendering.tiles.held_back import HELD_BACK, held_back_stage
from vision.train.rendering.tiles.stage import scenery

SEEDS = st.integers(0, 2**32 - 1)


@settings(deadline=None, max_examples=25)
@given(seed=SEEDS, number=st.integers(1, 13), colour=st.integers(0, 3))
def test_numerals_stand_in_the_upper_part_within_the_chamfers(
    seed: int, number: int, colour: int
) -> None:
    """Whatever the edition, a number's ink is centred and clear of the edges and the foot."""
    random = np.random.default_rng(seed)
    edition = any_edition(random)
    left, top, right, bottom = top_of(edition, Printed(number, colour), 80, random).ink_box
    assert 0.05 < top < 0.25
    assert bottom < 0.7
    assert left > 0.03
    assert right < 0.97
    assert (left + right) / 2 == pytest.approx(0.5, abs=0.04)


@pytest.mark.parametrize("design", DESIGNS)
@settings(deadline=None, max_examples=8)
@given(seed=SEEDS)
def test_every_joker_is_drawn_and_leaves_plastic_bare(design: str, seed: int) -> None:
    """A design is neither empty nor a blot."""
    ink = joker_ink(design, np.random.default_rng(seed))
    assert 0.02 < ink.mean() < 0.6
    assert ink.max() == pytest.approx(1, abs=0.01)


def test_inks_are_told_apart_on_one_set() -> None:
    """The four colours of a set differ from each other more than its tiles' plastic does."""
    for seed in range(20):
        random = np.random.default_rng(seed)
        inks = np.array(any_edition(random).inks)
        apart = [np.abs(one - other).max() for one in inks for other in inks if one is not other]
        assert min(each for each in apart if each > 0) > 0.12


def test_a_blank_back_has_no_ink() -> None:
    """A back's darkest point is nearly as light as the rest."""
    random = np.random.default_rng(4)
    edition = any_edition(random)
    back = back_of(edition, 80, random).astype(float)
    front = top_of(edition, Printed(8, 0), 80, random).paint
    assert front.shape == back.shape
    assert np.ptp(np.median(back, axis=(0, 1)) - back.reshape(-1, 3).mean(axis=0)) < 8


def test_the_disc_is_dished_and_the_ink_engraved() -> None:
    """The middle of the disc lies lowest; the plastic below it keeps the top's level."""
    random = np.random.default_rng(1)
    edition = replace(any_edition(random), dish=0.37, dish_depth=0.03, word="", engraved=0.0)
    relief = top_of(edition, Printed(1, 0), 100, random).relief
    row, column = np.unravel_index(relief.argmin(), relief.shape)
    assert row / relief.shape[0] == pytest.approx(0.36, abs=0.02)
    assert column / relief.shape[1] == pytest.approx(0.5, abs=0.02)
    assert relief.min() == pytest.approx(-0.03, abs=1e-3)
    assert relief[-20:].max() == relief[-20:].min() == 0


def test_a_text_fills_its_box() -> None:
    """Ink reaches the box's four sides and nothing beyond them."""
    for _, face in faces():
        ink = text_ink(face, "8", (0.2, 0.1, 0.7, 0.6), (100, 140))
        rows, columns = np.nonzero(ink.max(axis=1))[0], np.nonzero(ink.max(axis=0))[0]
        assert (rows[0], rows[-1], columns[0], columns[-1]) == pytest.approx(
            (14, 83, 20, 69), abs=2
        )


def test_two_digits_are_wider_than_one() -> None:
    """A proportion is width over height."""
    assert proportion(OWN, "10") > 1.4 * proportion(OWN, "8") > 0.5


def test_both_jokers_are_printed_from_one_drawing() -> None:
    """A black and a red joker differ in ink only."""
    random = np.random.default_rng(9)
    edition = any_edition(random)
    black, red = (top_of(edition, Printed(JOKER, ink), 90, random) for ink in (0, 1))
    assert black.ink_box == red.ink_box
    assert not np.array_equal(black.paint, red.paint)


def ink_of(edition: Edition, printed: Printed) -> tuple[float, float, float, float]:
    """The box around the ink of one tile."""
    return top_of(edition, printed, 80, np.random.default_rng(2)).ink_box


@pytest.mark.parametrize("name", HELD_BACK)
def test_a_table_holds_no_more_than_a_box_does(name: str) -> None:
    """Two of each tile and two jokers: the reader knows what a box holds."""
    for number in range(4):
        stage = held_back_stage(name, number, np.random.default_rng((3, number)))
        dealt = Counter(
            JOKER if tile.printed.kind == JOKER else tile.printed for tile in stage.tiles
        )
        assert scenery(stage).painted
        assert stage.tiles
        assert max(dealt.values()) <= 2


@pytest.mark.parametrize(
    ("name", "is_its_own"),
    [
        ("xl", lambda edition: ink_of(edition, Printed(8, 0))[3] > 0.57),
        ("mini", lambda edition: not edition.word and edition.shape.thickness >= 0.3),
        ("wooden", lambda edition: edition.grain > 0),
        ("okey", lambda edition: ink_of(edition, Printed(8, 0))[3] > 0.75),
    ],
)
def test_each_edition_is_what_its_name_says(
    name: str, is_its_own: Callable[[Edition], bool]
) -> None:
    """Numerals over most of an XL tile, wood with grain, a heart below an Okey number."""
    for seed in range(5):
        assert is_its_own(EDITIONS[name](np.random.default_rng(seed)))


def test_an_okey_joker_has_no_heart() -> None:
    """A false joker shows its sign alone."""
    edition = EDITIONS["okey"](np.random.default_rng(1))
    assert ink_of(edition, Printed(JOKER, 0))[3] < 0.75
