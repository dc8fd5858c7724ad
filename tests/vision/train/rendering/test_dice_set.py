"""Sets of dice as drawn by chance, and what is painted on them."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.vision.train.rendering.staging import BODY, INK, white_set
from vision.train.rendering.dice_set import any_set, any_shape, dress, lightness
from vision.train.rendering.geometry import LEFT_HANDED, Layout, atlas_place

SEEDS = st.integers(0, 2**32 - 1)
PATTERNS = ("plain", "swirl", "pearl", "halves", "speckle", "wood", "medal", "framed")


@given(SEEDS)
def test_pips_stay_on_their_face_and_apart(seed: int) -> None:
    """No pip reaches beyond the face's edge, and no two of a six overlap."""
    shape = any_shape(np.random.default_rng(seed))
    spots = shape.layout.pips(shape.layout.numbers.index(6) + 1)
    assert max(map(max, spots)) + shape.pip_radius < 0.5
    apart = [np.hypot(a - c, b - d) for a, b in spots for c, d in spots if (a, b) != (c, d)]
    assert min(apart) > 2 * shape.pip_radius * 0.6


@given(SEEDS)
def test_pips_stand_out_from_their_body(seed: int) -> None:
    """Colours differ enough to read the die, or the pips are cut in deeply, or in clear glass."""
    dice = any_set(np.random.default_rng(seed))
    if dice.name.startswith("glass"):
        assert dice.clear > 0.8
        return
    if dice.name.startswith(("unpainted", "faint")):
        assert dice.shape.pip_depth >= 0.02
        return
    for pip in (dice.pip, dice.lone, dice.four):
        assert np.abs(np.subtract(pip, dice.body)).max() > 40 or dice.pattern != "plain"


def test_chance_brings_every_kind() -> None:
    """Red ones of Asian dice, left hands, turned numbers, clear and metal ones all come up."""
    random = np.random.default_rng(0)
    drawn = [any_set(random) for _ in range(400)]
    assert {one.pattern for one in drawn} == set(PATTERNS)
    assert sum("red one" in one.name for one in drawn) > 20
    assert sum(one.clear > 0 for one in drawn) > 20
    assert any(one.metal == 1 for one in drawn)
    assert any(one.ring > 0 for one in drawn)
    layouts = [one.shape.layout for one in drawn]
    assert {layout.numbers for layout in layouts} == {(1, 2, 3, 4, 5, 6), LEFT_HANDED}
    assert {number for layout in layouts for number in layout.turned} == {2, 3, 6}
    assert lightness((255, 255, 255)) == pytest.approx(255)


@pytest.mark.parametrize("numbers", [(1, 2, 3, 4, 5, 6), LEFT_HANDED])
@pytest.mark.parametrize("turned", [frozenset(), frozenset({2, 3, 6})])
def test_a_place_is_painted_with_its_numbers_pips(
    numbers: tuple[int, ...], turned: frozenset[int]
) -> None:
    """The dark share of each face is that of as many pips as the number there."""
    dice = white_set(Layout(numbers, turned))
    paint = dress(dice, 96, np.random.default_rng(0)).paint
    for place in range(1, 7):
        column, row = atlas_place(place)
        face = paint[row * 96 : (row + 1) * 96, column * 96 : (column + 1) * 96]
        dark = (face[..., 0] < 128).mean()
        assert dark == pytest.approx(numbers[place - 1] * np.pi * 0.1**2, rel=0.04)
        turned_face = face.transpose(1, 0, 2)[::-1]
        assert np.abs(face - turned_face.astype(int)).max() < 255


def test_turned_numbers_lie_across_the_other_diagonal() -> None:
    """A turned two is the quarter turn of the usual one; a four looks the same."""
    usual, turned = Layout(), Layout(turned=frozenset({2, 3, 6}))
    assert set(turned.pips(2)) == {(-v, u) for u, v in usual.pips(2)} != set(usual.pips(2))
    assert set(turned.pips(4)) == set(usual.pips(4))


def test_only_bodies_are_clear_and_pips_may_be_metal() -> None:
    """Pips of a translucent die are opaque paint, gold ones shine."""
    dice = replace(white_set(), clear=0.8, pip_metal=0.9)
    material = dress(dice, 96, np.random.default_rng(0))
    ink = material.paint[..., 0] == INK[0]
    assert ink.any()
    assert np.asarray(material.clear)[ink].max() == pytest.approx(0)
    assert np.asarray(material.metal)[ink].min() == pytest.approx(0.9)
    assert np.asarray(material.clear)[material.paint[..., 0] == BODY[0]].min() > 0.79


@pytest.mark.parametrize("pattern", PATTERNS)
@settings(deadline=None, max_examples=4)
@given(seed=SEEDS)
def test_patterns_mix_two_colours(pattern: str, seed: int) -> None:
    """Whatever the pattern, no colour beyond the body's and the second's is painted."""
    dice = replace(white_set(), pattern=pattern, second=(90, 90, 90), pip=BODY, lone=BODY)
    paint = dress(replace(dice, four=BODY), 64, np.random.default_rng(seed)).paint
    assert paint.min() >= 90
    assert paint.max() <= 240
