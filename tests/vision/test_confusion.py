"""What was said for what."""

from __future__ import annotations

import pytest

from vision.confusion import SAID, SHOWN, confusion


@pytest.mark.parametrize(
    ("value", "said", "cell"),
    [
        (5, "3", ("5", "3")),
        (6, "?", ("6", "?")),
        (1, None, ("1", "not found")),
        (None, "2", ("no die", "2")),
        (None, "?", ("no die", "?")),
    ],
    ids=str,
)
def test_each_pair_has_its_cell(value: int | None, said: str | None, cell: tuple[str, str]) -> None:
    """A missed die and a die where none lies have a column and a row of their own."""
    counted = confusion([(value, said)] * 3)
    assert counted.counts == {cell: 3}
    assert counted.row(cell[0])[SAID.index(cell[1])] == 3
    assert sum(map(sum, map(counted.row, SHOWN))) == 3
