"""Accuracy is measured if the photographs are there, and never on those kept for the record."""

from __future__ import annotations

import pytest

from tests.benchmarks.accuracy import PHOTOGRAPHS, TILE_PHOTOGRAPHS, accuracies
from vision.capture.frame import Frame
from vision.read.observation import Observation
from vision.train.gate import GATE

needs_photographs = pytest.mark.skipif(
    not PHOTOGRAPHS.is_dir(), reason="the photographs (../shared/data/dice) are not here"
)


class Blind:
    """A reader that sees nothing."""

    name = "blind"

    def __call__(self, frame: Frame, expected: int | None = None) -> Observation:  # noqa: ARG002
        """Read one frame."""
        return Observation(frame.sequence, self.name)


@needs_photographs
def test_the_photographs_of_the_gate_are_not_read() -> None:
    """Each trained source with dev photographs has a row, and no stranger's has one."""
    reads = accuracies({"blind": Blind()}, every=60)
    assert {each.reader for each in reads} == {"blind"}
    assert len(reads) >= 3
    assert not any(each.source in GATE for each in reads)


@needs_photographs
def test_the_tiles_for_the_record_are_not_read() -> None:
    """The one trained source has a row; ronikobrosly's photographs have none."""
    reads = accuracies({"blind": Blind()}, 15, TILE_PHOTOGRAPHS)
    assert [each.source for each in reads] == ["conner-replogle__rummikub-detector"]


@needs_photographs
def test_who_sees_nothing_is_right_about_nothing() -> None:
    """No die right, none false, and the cost is known; some sources show none of the six faces."""
    reads = [each for each in accuracies({"blind": Blind()}, every=60) if each.score.pieces]
    assert reads
    for each in reads:
        assert each.score.right == each.score.false_per_photo == 0
        assert each.milliseconds >= 0
