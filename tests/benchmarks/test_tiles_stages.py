"""The tile reader taken apart reads what the whole one does, and its time is all told."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from tests.benchmarks.tiles_picture import tiles_picture
from tests.benchmarks.tiles_stages import FINDING, HALVING, READING, SETTLING, STAGES, StagedTiles
from vision.capture.frame import Frame
from vision.read.tiles import TilesRecogniser


@pytest.mark.parametrize("count", [1, 30])
def test_it_reads_what_the_whole_one_reads(count: int) -> None:
    """Who changes the reader and not its parts here is told."""
    image = tiles_picture(count, 3).image
    _, labels = StagedTiles()(image)
    assert labels == TilesRecogniser()(Frame(0, datetime.now(UTC), image)).labels


def test_every_stage_has_its_time() -> None:
    """Each is told, none is below nothing, and the networks name what they were given."""
    stages, labels = StagedTiles()(tiles_picture(10, 3).image)
    assert set(stages.milliseconds) == set(STAGES)
    assert all(spent >= 0 for spent in stages.milliseconds.values())
    assert all(stages.milliseconds[stage] > 0 for stage in (HALVING, FINDING, READING, SETTLING))
    assert (1, 480, 640, 3) in stages.inputs[FINDING]
    assert stages.inputs[READING][0][0] >= len(labels)
