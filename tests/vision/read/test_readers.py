"""Which reader reads a frame, and what it is told."""

from __future__ import annotations

from datetime import UTC, datetime

import numpy as np

from vision.capture.frame import Frame
from vision.read.observation import Observation
from vision.read.readers import ReaderSelector

FRAME = Frame(0, datetime.now(UTC), np.zeros((8, 8, 3), np.uint8))


class Noting:
    """A recogniser that notes what it was told to expect."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.expected: list[int | None] = []

    def __call__(self, frame: Frame, expected: int | None = None) -> Observation:
        self.expected.append(expected)
        return Observation(frame.sequence, self.name)


def test_each_frame_is_read_with_what_is_wanted_and_expected_then() -> None:
    """The table changes both while it is watched; who is told a number by hand uses that."""
    wanted, expected = ["dice"], [5]
    readers = {name: Noting(name) for name in ("dice", "tiles")}
    selector = ReaderSelector(lambda: wanted[-1], readers.__getitem__, lambda: expected[-1])
    selector(FRAME)
    wanted.append("tiles")
    expected.append(2)
    assert selector(FRAME).recogniser == selector.name == "tiles"
    selector(FRAME, 3)
    assert readers["dice"].expected == [5]
    assert readers["tiles"].expected == [2, 3]
