"""A reading's time is assigned to stages, and none of it is lost."""

from __future__ import annotations

import pytest

from tests.benchmarks.composing import compose
from tests.benchmarks.stages import (
    AFTER,
    BEFORE,
    BETWEEN_LOOKS,
    CROPPING,
    FIRST_LOOK,
    OTHER_LOOKS,
    READS,
    REREADS,
    STAGES,
    Call,
    StagedReader,
    staged,
)
from vision.read.networks import FINDER, READER


def test_calls_and_gaps_go_to_their_stages() -> None:
    """Two looks, a read and a read again, with a gap before each and one behind."""
    calls = [
        Call(FINDER, (1, 2), 1.0, 3.0),
        Call(FINDER, (3, 4), 3.5, 4.5),
        Call(READER, (5,), 5.5, 8.5),
        Call(READER, (6,), 8.75, 9.0),
    ]
    found = staged(calls, 0.0, 10.0)
    assert found.milliseconds == {
        BEFORE: 1000,
        FIRST_LOOK: 2000,
        BETWEEN_LOOKS: 500,
        OTHER_LOOKS: 1000,
        CROPPING: 1250,
        READS: 3000,
        REREADS: 250,
        AFTER: 1000,
    }
    assert found.inputs == {
        FIRST_LOOK: ((1, 2),),
        OTHER_LOOKS: ((3, 4),),
        READS: ((5,),),
        REREADS: ((6,),),
    }


def test_nothing_found_is_all_looking() -> None:
    """Without a die no time goes to the reader."""
    found = staged([Call(FINDER, (1,), 1.0, 2.0)], 0.0, 2.5).milliseconds
    assert (found[READS], found[REREADS], found[CROPPING], found[AFTER]) == (0, 0, 0, 500)


def test_the_dice_reader_is_looked_into() -> None:
    """On a photo with dice the finder and the reader both run, and take time."""
    stages = StagedReader()(compose([100.0, 140.0], 3).image)
    assert set(stages.milliseconds) == set(STAGES)
    assert all(spent >= 0 for spent in stages.milliseconds.values())
    assert stages.milliseconds[FIRST_LOOK] > 0
    assert stages.inputs[READS][0][0] == pytest.approx(2, abs=2)
