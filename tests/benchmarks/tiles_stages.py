"""Where the tile reader's time goes: in its parts, and in the networks' runs."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Final, TypeVar

from scoreboard.games.rummikub.tiles import CLASSIC
from scoreboard.message import message
from tests.benchmarks.stages import Stages
from vision.capture.frame import Image
from vision.capture.image_pyramid import Pyramid
from vision.read.confidence import TILE_WARNINGS, thresholds_of
from vision.read.detection import TILES, Detector
from vision.read.networks import FINDER, READER, Network, load_model
from vision.read.tile_readings import TileReading, read_tiles, read_tiles_closely
from vision.read.tiles import NAME, InferredTiles, inferred

HALVING: Final = "halving the picture"
LOOKING: Final = "looks: making it small, places from the maps"
FINDING: Final = "looks: the finder"
CROPPING: Final = "reads: crops"
READING: Final = "reads: the reader"
CROPPING_CLOSER: Final = "closer reads of doubtful tiles: crops"
READING_CLOSER: Final = "closer reads of doubtful tiles: the reader"
SETTLING: Final = "sets, and settling by the rules"
TELLING: Final = "reports and doubts"
STAGES: Final = (
    HALVING,
    LOOKING,
    FINDING,
    CROPPING,
    READING,
    CROPPING_CLOSER,
    READING_CLOSER,
    SETTLING,
    TELLING,
)

Found = TypeVar("Found")


@dataclass(eq=False)
class _ClockedSession:
    """A session that adds up its processor seconds and records its inputs."""

    session: Any
    spent: float = 0.0
    shapes: list[tuple[int, ...]] = field(default_factory=list)

    def get_inputs(self) -> Any:
        return self.session.get_inputs()

    def run(self, outputs: Any, feed: dict[str, Any]) -> Any:
        start = time.process_time()
        results = self.session.run(outputs, feed)
        self.spent += time.process_time() - start
        self.shapes += [pixels.shape for pixels in feed.values()]
        return results


@dataclass(eq=False)
class _Watch:
    """Processor milliseconds by stage, and the networks' inputs."""

    spent: dict[str, float] = field(default_factory=lambda: dict.fromkeys(STAGES, 0.0))
    inputs: dict[str, tuple[tuple[int, ...], ...]] = field(default_factory=dict)

    def time(self, stage: str, work: Callable[[], Found]) -> Found:
        """Run and time a piece of work."""
        start = time.process_time()
        done = work()
        self.spent[stage] += (time.process_time() - start) * 1000
        return done

    def time_with(
        self, session: _ClockedSession, stages: tuple[str, str], work: Callable[[], Found]
    ) -> Found:
        """Run and time a piece of work; that network's share is a second stage."""
        before, runs = session.spent, len(session.shapes)
        done = self.time(stages[0], work)
        inside = (session.spent - before) * 1000
        self.spent[stages[0]] -= inside
        self.spent[stages[1]] += inside
        self.inputs[stages[1]] = tuple(session.shapes[runs:])
        return done


class StagedTiles:
    """The tile reader in parts; a test proves that it reads the same as the whole one."""

    def __init__(self) -> None:
        model = load_model(NAME)
        networks = {name: _ClockedSession(each.session) for name, each in model.networks.items()}
        self._finder, self._reader = networks[FINDER], networks[READER]
        self._limits = thresholds_of(model.card, message("An old card."))

    def __call__(self, image: Image) -> tuple[Stages, tuple[str, ...]]:
        """Read a picture; return where the time went, and every tile's reading."""
        watch = _Watch()
        readings = self._readings(image, watch)
        table = watch.time(SETTLING, lambda: self._believed(readings))
        labels = watch.time(TELLING, lambda: self._told(image, readings, table))
        return Stages(watch.spent, dict(watch.inputs)), labels

    def _readings(self, image: Image, watch: _Watch) -> list[TileReading]:
        finder, reader, limits = Network(self._finder), Network(self._reader), self._limits
        pyramid = watch.time(HALVING, lambda: Pyramid(image))
        places = watch.time_with(
            self._finder,
            (LOOKING, FINDING),
            lambda: Detector(finder, TILES, limits.candidate).find(pyramid),
        )
        readings = watch.time_with(
            self._reader, (CROPPING, READING), lambda: read_tiles(reader, pyramid, places)
        )
        again = [each for each in readings if limits.reads_again(each)]
        closer = watch.time_with(
            self._reader,
            (CROPPING_CLOSER, READING_CLOSER),
            lambda: read_tiles_closely(reader, pyramid, again),
        )
        better = dict(zip([each.candidate for each in again], closer, strict=True))
        return [better.get(each.candidate, each) for each in readings]

    def _believed(self, readings: list[TileReading]) -> InferredTiles:
        limits = self._limits
        return inferred([each for each in readings if limits.is_piece(each)], limits, CLASSIC)

    def _told(
        self, image: Image, readings: list[TileReading], table: InferredTiles
    ) -> tuple[str, ...]:
        limits = self._limits
        seen = [each.detection(image.shape, limits).label for each in table.readings]
        TILE_WARNINGS.of(image, readings, limits)
        told = zip(seen, table.settled, strict=True)
        return tuple(str(rule.piece) if rule.inferred else label for label, rule in told)
