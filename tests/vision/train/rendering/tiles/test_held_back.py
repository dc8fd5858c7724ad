"""Tables of editions that no training sees."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable

import numpy as np
import pytest

from vision.train.rendering.tiles.edition import JOKER, Edition, Printed, top_of
from vision.train.rendering.tiles.editions import EDITIONS
from vision.train.rendering.tiles.held_back import HELD_BACK, held_back_stage
from vision.train.rendering.tiles.stage import scenery


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
