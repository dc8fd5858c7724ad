"""The rendered clips: exactly the proposals of their truth, each within half a second of rest."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import pytest

from scoreboard.table.proposal import Proposal
from scoreboard.table.requests import Proposed
from vision.capture.photo import Clip
from vision.quality.health import HealthWatch
from vision.read.observation import Recogniser
from vision.read.readers import RECOGNISERS
from vision.watch.pipeline import Pictures, TablePipeline

CLIPS: Final = Path(__file__).parent / "clips"
TRUTH: Final[dict[str, Any]] = json.loads((CLIPS / "truth.json").read_text(encoding="utf-8"))
KINDS: Final = {"throw", "pass over", "take", "nudge", "cut", "light", "shake", "withdraw"}


@dataclass(frozen=True, slots=True)
class DueGame:
    """A proposal that a clip must give: between these frames, with this roll."""

    roll: str
    first: int
    last: float


def due(name: str, every: int) -> list[DueGame]:
    """What is due of a clip of which only every so many frames are taken."""
    told = TRUTH[name]
    half_a_second = told["frames_per_second"] / 2
    return [
        DueGame(event["roll"], event["rest"], -(-event["rest"] // every) * every + half_a_second)
        for event in told["events"]
        if event["proposed"]
    ]


def proposed(name: str, every: int, recogniser: Recogniser) -> list[Proposal]:
    """What the table proposes while the clip is played to it."""
    pipeline = TablePipeline(recogniser, Pictures(), examine=HealthWatch())
    with Clip(next(CLIPS.glob(f"{name}.*"))) as clip:
        frames = (frame for frame in clip.frames() if frame.sequence % every == 0)
        happened = [each for frame in frames for each in pipeline.feed(frame)]
    return [each.proposal for each in happened if isinstance(each, Proposed)]


@pytest.fixture(scope="module")
def recogniser() -> Recogniser:
    """The dice reader as the table uses it, with the shipped weights."""
    return RECOGNISERS["dice"]()


@pytest.mark.parametrize("every", [1, 3])
@pytest.mark.parametrize("name", TRUTH)
def test_a_clip_gives_exactly_the_proposals_of_its_truth(
    name: str, every: int, recogniser: Recogniser
) -> None:
    """At fifteen and at five frames a second: each throw once, in time, right."""
    made, wanted = proposed(name, every, recogniser), due(name, every)
    assert [str(each.roll) for each in made] == [each.roll for each in wanted]
    for proposal, one in zip(made, wanted, strict=True):
        assert one.first < proposal.frame <= one.last


def test_the_clips_show_all_that_can_happen() -> None:
    """No act of the script is left without a clip that tells what is to be proposed."""
    events = [event for told in TRUTH.values() for event in told["events"]]
    assert {event["kind"] for event in events} == KINDS
    assert sum(path.stat().st_size for path in CLIPS.iterdir() if path.is_file()) < 2_500_000


@pytest.mark.parametrize("name", TRUTH)
def test_a_clip_is_as_long_as_its_truth(name: str) -> None:
    """Frames are counted from 0 to the last."""
    with Clip(next(CLIPS.glob(f"{name}.*"))) as clip:
        assert clip.length == TRUTH[name]["frames"]
        assert clip.frames_per_second == TRUTH[name]["frames_per_second"]
        assert [frame.sequence for frame in clip.frames()] == list(range(clip.length))
