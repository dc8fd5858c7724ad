"""An evening at a table that a pipeline watches: what its camera sees, and what is proposed."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta

import cv2
import numpy as np

from scoreboard.table.proposal import Health, Proposal
from scoreboard.table.requests import HealthChanged, Proposed, TableStatus, TableStatusChanged
from tests.vision.fake_table import KnowingRecogniser, Table, die
from vision.capture.frame import Frame, Image
from vision.quality.tray import Outline
from vision.read.observation import Recogniser
from vision.watch.pipeline import Changes, Pictures, TablePipeline

START = datetime(2026, 11, 21, 20, tzinfo=UTC)
Places = tuple[tuple[int, int], ...]
FIVE: Places = ((60, 60), (160, 60), (260, 60), (360, 60), (460, 60))


@dataclass
class Evening:
    """A table, a camera of ten frames a second unless told, and a pipeline that watches it."""

    table: Table = field(default_factory=Table)
    recogniser: KnowingRecogniser = field(default_factory=KnowingRecogniser)
    pictures: Pictures = field(default_factory=Pictures)
    sights: list[TableStatus] = field(default_factory=list)
    lights: list[Health | None] = field(default_factory=list)
    frames: int = 0
    seconds_a_frame: float = 0.1
    sway_pixels: float = 0.0
    within: Outline | None = None
    examine: Callable[..., Health | None] = lambda *_, **__: None

    def __post_init__(self) -> None:
        self.read_by(self.recogniser)

    def read_by(self, recogniser: Recogniser) -> None:
        self.pipeline = TablePipeline(
            recogniser, self.pictures, within=lambda _: self.within, examine=self.examine
        )

    def feed(self, image: Image | None, *, single: bool = False) -> list[Proposal]:
        """Feed one picture, in its time after the last; gives what was proposed."""
        at = START + self.frames * timedelta(seconds=self.seconds_a_frame)
        self.frames += 1
        if image is not None and self.sway_pixels:
            image = self.swayed(image)
        frame = None if image is None else Frame(self.frames, at, image, single=single)
        return self.note(self.pipeline.feed(frame))

    def swayed(self, image: Image) -> Image:
        """The picture as a camera on a shaky arm takes it."""
        across, down = self.table.rng.uniform(-self.sway_pixels, self.sway_pixels, 2)
        matrix = np.array([[1, 0, across], [0, 1, down]], np.float32)
        moved = cv2.warpAffine(image, matrix, (640, 480), borderMode=cv2.BORDER_REFLECT)
        return moved.astype(np.uint8)

    def note(self, changes: Changes) -> list[Proposal]:
        """Remember statuses and lights; return the proposals."""
        self.lights += [each.health for each in changes if isinstance(each, HealthChanged)]
        self.sights += [each.status for each in changes if isinstance(each, TableStatusChanged)]
        return [each.proposal for each in changes if isinstance(each, Proposed)]

    def watch(self, pictures: Iterable[Image]) -> list[Proposal]:
        return [made for picture in pictures for made in self.feed(picture)]

    def bare(self, frames: int = 20, gain: float = 1.0) -> list[Proposal]:
        """Feed pictures of a table at rest; what is read there is told otherwise."""
        return self.watch(self.table.picture(gain=gain) for _ in range(frames))

    def rest(self, places: Places, faces: str, frames: int = 15, shown: str = "") -> list[Proposal]:
        """Let dice with these faces lie at these places, or `shown` ones be read as these."""
        self.lay(places, faces)
        return self.watch(self.table.picture(places, shown or faces) for _ in range(frames))

    def lay(self, places: Places, faces: str) -> None:
        """Tell the recogniser what it will read."""
        self.recogniser.dice = tuple(
            die(face, left, top) for face, (left, top) in zip(faces, places, strict=True)
        )

    def hand(self, places: Places, frames: int = 8) -> list[Proposal]:
        """Let a hand move over the table; the recogniser would read nonsense."""
        self.recogniser.dice = (die("1", 5, 5),)
        reaches = [80 + 30 * frame for frame in range(frames)]
        return self.watch(self.table.picture(places, hand=reach) for reach in reaches)


def moved(places: Places, by: int, which: slice) -> Places:
    """The places, some of them farther down."""
    return tuple(
        (left, top + by) if place in places[which] else place
        for place in places
        for left, top in [place]
    )
