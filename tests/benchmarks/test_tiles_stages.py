"""The tile reader in parts reads the same as the whole one, and accounts for all its time."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from tests.benchmarks.tiles_picture import tiles_picture
from tests.benchmarks.tiles_stages import FINDING, HALVING, READING, SETTLING, STAGES, StagedTiles
from vision.capture.frame import Frame
from vision.read.tiles import TilesRecogniser


@pytest.mark.parametrize("count", [1, 30])
def test_it_reads_what_the_whole_one_reads(count: int) -> None:
    """This fails if the reader changes and its parts here don't."""
    image = tiles_picture(count, 3).image
    _, labels = StagedTiles()(image)
    assert labels == TilesRecogniser()(Frame(0, datetime.now(UTC), image)).labels


def test_every_stage_has_its_time() -> None:
    """Each stage has a time of at least zero, and the networks name their inputs."""
    stages, labels = StagedTiles()(tiles_picture(10, 3).image)
    assert set(stages.milliseconds) == set(STAGES)
    assert all(spent >= 0 for spent in stages.milliseconds.values())
    assert all(stages.milliseconds[stage] > 0 for stage in (HALVING, FINDING, READING, SETTLING))
    assert (1, 480, 640, 3) in stages.inputs[FINDING]
    assert stages.inputs[READING][0][0] >= len(labels)
