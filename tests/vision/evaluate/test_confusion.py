"""What was said for what."""

from __future__ import annotations

import pytest

from vision.evaluate.scoring import Pair, confusions


@pytest.mark.parametrize(
    ("pair", "cell"),
    [
        (("5", "3"), ("5", "3")),
        (("6", "?"), ("6", "?")),
        (("1", None), ("1", "not found")),
        ((None, "2"), ("nothing", "2")),
        ((None, "?"), ("nothing", "?")),
    ],
    ids=str,
)
def test_each_pair_has_its_cell(pair: Pair, cell: tuple[str, str]) -> None:
    """A missed die and a die where none lies have a column and a row of their own."""
    (faces,) = confusions([pair] * 3)
    assert faces.counts == {cell: 3}
    assert faces.row(cell[0])[faces.said.index(cell[1])] == 3
    assert sum(map(sum, map(faces.row, faces.shown))) == 3


def test_tiles_are_counted_by_number_and_by_colour() -> None:
    """A joker has no colour; a tile may have the right number in the wrong colour."""
    pairs = [("R6", "R9"), ("O13", "R13"), ("J", "K3"), ("B1", None), (None, "?")]
    numbers, colours = confusions(pairs)
    assert numbers.aspect == "number"
    assert numbers.counts == {
        ("6", "9"): 1,
        ("13", "13"): 1,
        ("J", "3"): 1,
        ("1", "not found"): 1,
        ("nothing", "?"): 1,
    }
    assert colours.aspect == "colour"
    assert colours.counts == {
        ("R", "R"): 1,
        ("O", "R"): 1,
        ("J", "K"): 1,
        ("B", "not found"): 1,
        ("nothing", "?"): 1,
    }
