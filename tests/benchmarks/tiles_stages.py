"""Where the tile reader's time goes: in the networks' runs, and between them."""

from __future__ import annotations

import time
from collections import defaultdict
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Final

from tests.benchmarks.stages import Call, ClockedSession, Stages
from vision.capture.frame import Frame, Image
from vision.read.networks import FINDER, Model, Network, load_model
from vision.read.tiles import NAME, TilesRecogniser

FINDING: Final = "looks: the finder on the picture made small"
AIMING: Final = "second looks: the finder around doubtful tiles"
READING: Final = "reads: the reader on crops"
BETWEEN: Final = "between: small pictures, places, crops, sets, doubts"
STAGES: Final = (FINDING, AIMING, READING, BETWEEN)
_WINDOW: Final = 96  # pixels: the side of what the finder sees around a doubtful tile


@dataclass(eq=False)
class StagedTiles:
    """The tile reader with a clock on each network."""

    calls: list[Call] = field(default_factory=list)

    def __post_init__(self) -> None:
        model = load_model(NAME)
        networks = {
            file: Network(ClockedSession(network.session, file, self.calls))
            for file, network in model.networks.items()
        }
        self._read = TilesRecogniser(Model(networks, model.card))

    def __call__(self, image: Image) -> tuple[Stages, tuple[str, ...]]:
        """Read a picture; return where the time went, and every tile's reading."""
        self.calls.clear()
        start = time.process_time()
        labels = self._read(Frame(0, datetime.now(UTC), image)).labels
        spent = dict.fromkeys(STAGES, 0.0)
        spent[BETWEEN] = (time.process_time() - start) * 1000
        inputs: dict[str, list[tuple[int, ...]]] = defaultdict(list)
        for call in self.calls:
            stage = _stage(call)
            milliseconds = (call.end - call.start) * 1000
            spent[stage] += milliseconds
            spent[BETWEEN] -= milliseconds
            inputs[stage].append(call.shape)
        return Stages(spent, {stage: tuple(shapes) for stage, shapes in inputs.items()}), labels


def _stage(call: Call) -> str:
    if call.file != FINDER:
        return READING
    return AIMING if call.shape[1:3] == (_WINDOW, _WINDOW) else FINDING
