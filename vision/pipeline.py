"""The way from frames to proposals: stillness, rectifying, reading, consensus, proposing."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from threading import Event
from typing import Final

from scoreboard.phrase import phrase
from scoreboard.table.messages import Proposed, SightChanged, TableSight
from vision.consensus import agree, merge
from vision.frame import Frame, Image
from vision.observation import Observation
from vision.pictures import Pictures
from vision.proposing import Proposing, proposal
from vision.recogniser import Recogniser
from vision.rectify import identity
from vision.stillness import Stillness, StillnessSettings, small_grey

Happening = Proposed | SightChanged
Happenings = tuple[Happening, ...]


@dataclass(frozen=True, slots=True)
class PipelineSettings:
    """How the table is watched.

    A throw is read in `readings` still frames, and in up to `most_readings` while those
    differ; a throw has at most `most_dice` dice.
    """

    stillness: StillnessSettings = field(default_factory=StillnessSettings)
    readings: int = 2
    most_readings: int = 3
    most_dice: int = 5


DEFAULT_SETTINGS: Final = PipelineSettings()


class TablePipeline:
    """Watches one table: frames in, happenings out; nothing is proposed while anything moves.

    `feed` is called by one thread, for every frame in turn; `read_again` by any thread.
    `pictures` keeps what the page shows; frames' numbers must never repeat in it, also not
    after the camera was lost.
    """

    def __init__(
        self,
        recogniser: Recogniser,
        pictures: Pictures,
        *,
        rectify: Callable[[Image], Image] = identity,
        settings: PipelineSettings = DEFAULT_SETTINGS,
    ) -> None:
        self._recogniser = recogniser
        self._pictures = pictures
        self._rectify = rectify
        self._settings = settings
        self._again = Event()
        self._stillness = Stillness()
        self._proposing = Proposing(most_dice=settings.most_dice)
        self._readings: list[Observation] = []
        self._sight = TableSight.NOTHING
        self._photo: Frame | None = None

    def feed(self, frame: Frame | None) -> Happenings:
        """Take the next frame, None when the camera had none; gives what it shows is new.

        A photo by itself is read at once. Other frames are read only when the table is at
        rest, and only once until something moves or `read_again` is called.
        """
        if self._again.is_set():
            self._again.clear()
            self._forget()
            frame = frame or self._photo
        if frame is None:
            return ()
        frame = Frame(
            frame.sequence, frame.captured_at, self._rectify(frame.image), single=frame.single
        )
        self._pictures.show(frame)
        return self._photographed(frame) if frame.single else self._watched(frame)

    def read_again(self) -> None:
        """Read the dice anew although nothing moved, and propose them even if unchanged."""
        self._again.set()

    def lose(self) -> None:
        """The camera has gone: when it is back, what lies there may be new.

        What was proposed is remembered, so that the same dice are not proposed twice.
        """
        self._stillness = Stillness()
        self._readings = []
        self._photo = None
        self._sight = TableSight.LOST

    def _forget(self) -> None:
        self._proposing = self._proposing.again()
        self._stillness = Stillness()
        self._readings = []

    def _photographed(self, frame: Frame) -> Happenings:
        self._photo = frame
        self._stillness = Stillness()
        reading = self._recogniser(frame)
        self._sight = TableSight.STILL
        if reading.detections:
            found: Happenings = (SightChanged(TableSight.STILL), self._propose(reading, frame))
        else:
            nothing = phrase("No dice were found in the photo; take it from nearer, or in light.")
            found = (SightChanged(TableSight.STILL, nothing),)
        return (SightChanged(TableSight.READING), *found)

    def _watched(self, frame: Frame) -> Happenings:
        self._photo = None
        still = self._stillness.after(
            small_grey(frame.image), frame.captured_at, self._settings.stillness
        )
        self._stillness = still
        if not still.at_rest(self._settings.stillness):
            self._readings = []
            return self._see(TableSight.MOVING)
        if not still.moved:
            return self._see(TableSight.STILL)
        if self._sight is not TableSight.READING:
            return self._see(TableSight.READING)
        return self._read(frame)

    def _read(self, frame: Frame) -> Happenings:
        self._readings.append(self._recogniser(frame))
        if not self._enough():
            return ()
        reading, self._readings = merge(self._readings), []
        self._stillness = self._stillness.read()
        seen = self._see(TableSight.STILL)
        return (*seen, self._propose(reading, frame)) if self._proposing.due(reading) else seen

    def _enough(self) -> bool:
        if len(self._readings) >= self._settings.most_readings:
            return True
        return len(self._readings) >= self._settings.readings and agree(self._readings)

    def _propose(self, reading: Observation, frame: Frame) -> Proposed:
        self._proposing = self._proposing.proposed(reading)
        self._pictures.keep(frame)
        return Proposed(proposal(reading, frame))

    def _see(self, sight: TableSight) -> Happenings:
        if sight is self._sight:
            return ()
        self._sight = sight
        return (SightChanged(sight),)
