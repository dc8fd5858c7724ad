"""Where the dice reader's time goes: in its networks, and between their runs."""

from __future__ import annotations

import time
from collections import defaultdict
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any, Final

from vision.capture.frame import Frame, Image
from vision.read.dice import NAME, DiceRecogniser
from vision.read.networks import FINDER, Model, Network, load_model

FIRST_LOOK: Final = "first look: the finder"
OTHER_LOOKS: Final = "other looks: the finder"
READS: Final = "reads: the reader"
REREADS: Final = "re-reads: the reader"
BEFORE: Final = "before the first look: making the picture small"
BETWEEN_LOOKS: Final = "between looks: peaks, making it small again"
CROPPING: Final = "before the reader: peaks, crops"
AFTER: Final = "afterwards: confidence and doubts"
STAGES: Final = (
    BEFORE,
    FIRST_LOOK,
    BETWEEN_LOOKS,
    OTHER_LOOKS,
    CROPPING,
    READS,
    REREADS,
    AFTER,
)


@dataclass(frozen=True, slots=True)
class Call:
    """One run of a network: its name, its input, its begin and end in processor seconds."""

    file: str
    shape: tuple[int, ...]
    start: float
    end: float


@dataclass(eq=False)
class ClockedSession:
    """A session that records when it ran."""

    session: Any
    file: str
    calls: list[Call]

    def get_inputs(self) -> Any:
        """What the session takes."""
        return self.session.get_inputs()

    def run(self, outputs: Any, feed: dict[str, Any]) -> Any:
        """Run it, and record when."""
        start = time.process_time()
        results = self.session.run(outputs, feed)
        (pixels,) = feed.values()
        self.calls.append(Call(self.file, pixels.shape, start, time.process_time()))
        return results


@dataclass(frozen=True, slots=True)
class Stages:
    """One reading: processor milliseconds by stage, and the networks' inputs."""

    milliseconds: dict[str, float]
    inputs: dict[str, tuple[tuple[int, ...], ...]]


@dataclass(eq=False)
class StagedReader:
    """The dice reader with a clock on each network."""

    calls: list[Call] = field(default_factory=list)

    def __post_init__(self) -> None:
        model = load_model(NAME)
        networks = {
            file: Network(ClockedSession(network.session, file, self.calls))
            for file, network in model.networks.items()
        }
        self._read = DiceRecogniser(Model(networks, model.card))

    def __call__(self, image: Image, expected: int | None = None) -> Stages:
        """Read a picture, perhaps with so many dice known, and return where the time went."""
        self.calls.clear()
        frame = Frame(0, datetime.now(UTC), image)
        start = time.process_time()
        self._read(frame, expected)
        return staged(self.calls, start, time.process_time())


def staged(calls: list[Call], start: float, end: float) -> Stages:
    """Assign a reading's calls, and the time between them, to stages."""
    spent: dict[str, float] = dict.fromkeys(STAGES, 0.0)
    inputs: dict[str, list[tuple[int, ...]]] = defaultdict(list)
    at = start
    for call in calls:
        stage = _stage(call, inputs)
        spent[_gap(call, inputs)] += call.start - at
        spent[stage] += call.end - call.start
        inputs[stage].append(call.shape)
        at = call.end
    spent[AFTER] += end - at
    return Stages(
        {stage: seconds * 1000 for stage, seconds in spent.items()},
        {stage: tuple(shapes) for stage, shapes in inputs.items()},
    )


def _stage(call: Call, before: dict[str, list[tuple[int, ...]]]) -> str:
    if call.file == FINDER:
        return OTHER_LOOKS if FIRST_LOOK in before else FIRST_LOOK
    return REREADS if READS in before else READS


def _gap(call: Call, before: dict[str, list[tuple[int, ...]]]) -> str:
    """The stage of the time right before a call."""
    if call.file != FINDER:
        return CROPPING
    return BETWEEN_LOOKS if FIRST_LOOK in before else BEFORE
