"""The clocks on the tile reader's networks account for all its time."""

from __future__ import annotations

from tests.benchmarks.tiles_picture import tiles_picture
from tests.benchmarks.tiles_stages import BETWEEN, FINDING, READING, STAGES, StagedTiles


def test_every_stage_has_its_time() -> None:
    """Each stage has a time of at least zero, and the networks name their inputs."""
    stages, labels = StagedTiles()(tiles_picture(10, 3).image)
    assert set(stages.milliseconds) == set(STAGES)
    assert all(spent >= 0 for spent in stages.milliseconds.values())
    assert all(stages.milliseconds[stage] > 0 for stage in (FINDING, READING, BETWEEN))
    assert (1, 480, 640, 3) in stages.inputs[FINDING]
    assert stages.inputs[READING][0][0] >= len(labels)
