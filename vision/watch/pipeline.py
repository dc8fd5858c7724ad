"""The way from frames to proposals: stillness, rectifying, reading, consensus, proposing."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from threading import Event
from typing import Final, Protocol

from scoreboard.message import message
from scoreboard.table.proposal import Health, Light
from scoreboard.table.requests import HealthChanged, Proposed, TableStatus, TableStatusChanged
from vision.capture.frame import Frame, Image
from vision.quality.rectify import identity
from vision.read.observation import Observation, Recogniser
from vision.watch.consensus import agree, merge
from vision.watch.pictures import Pictures
from vision.watch.proposals import ProposalTracker, proposal
from vision.watch.stillness import Stillness, StillnessSettings, small_grey

Happening = Proposed | TableStatusChanged | HealthChanged
Happenings = tuple[Happening, ...]


@dataclass(frozen=True, slots=True)
class PipelineSettings:
    """How the table is watched.

    A throw is read in `readings` still frames, and in up to `most_readings` while those
    differ or doubt, as far as the time for it allows.
    """

    stillness: StillnessSettings = field(default_factory=StillnessSettings)
    readings: int = 2
    most_readings: int = 5


DEFAULT_SETTINGS: Final = PipelineSettings()
WAS_THERE: Final = message(
    "This picture was there before the start: send a new one, or tap “Read again”."
)


class FrameExaminer(Protocol):
    """How well the table can be seen, judged on frames as the camera gave them."""

    def __call__(self, frame: Frame, *, at_rest: bool) -> Health | None:
        """The health as of this frame; None as long as nothing was judged."""
        ...


def unexamined(frame: Frame, *, at_rest: bool) -> Health | None:  # noqa: ARG001 -- see FrameExaminer
    """Judge nothing: every frame may be read."""
    return None


class TablePipeline:
    """Watches one table: frames in, happenings out; nothing is proposed while anything moves.

    `examine` judges how well the table can be seen; while its light is red nothing is read.

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
        examine: FrameExaminer = unexamined,
        settings: PipelineSettings = DEFAULT_SETTINGS,
    ) -> None:
        self._recogniser = recogniser
        self._pictures = pictures
        self._rectify = rectify
        self._examine = examine
        self._health: Health | None = None
        self._settings = settings
        self._again = Event()
        self._stillness = Stillness()
        self._proposing = ProposalTracker()
        self._readings: list[Observation] = []
        self._sight = TableStatus.NOTHING
        self._photo: Frame | None = None

    def feed(self, frame: Frame | None) -> Happenings:
        """Take the next frame, None when the camera had none; gives what it shows is new.

        A photo by itself is read at once. Other frames are read only when the table is at
        rest, and only once until something moves or `read_again` is called.
        """
        if self._again.is_set():
            self._again.clear()
            self._forget()
            frame = frame or self._asked_for()
        if frame is None:
            return ()
        straight = Frame(
            frame.sequence,
            frame.captured_at,
            self._rectify(frame.image),
            single=frame.single,
            known=frame.known,
        )
        self._pictures.show(straight)
        if frame.single:
            self._photo = frame
            return self._photographed(straight, frame)
        return self._watched(straight, frame)

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
        self._sight = TableStatus.LOST

    def _asked_for(self) -> Frame | None:
        """The last photo, which is as good as a new one where somebody wants it read."""
        return None if self._photo is None else replace(self._photo, known=False)

    def _forget(self) -> None:
        self._proposing = self._proposing.again()
        self._stillness = self._stillness.again()
        self._readings = []

    def _photographed(self, frame: Frame, raw: Frame) -> Happenings:
        self._stillness = Stillness()
        self._sight = TableStatus.STILL
        examined = self._examined(raw, at_rest=True)
        if self._health is not None and self._health.light is Light.RED:
            unread = message("The photo was not read. {reason}", reason=self._health.reasons[0])
            return (*examined, TableStatusChanged(TableStatus.STILL, unread))
        return (*examined, *self._read_photo(frame))

    def _read_photo(self, frame: Frame) -> Happenings:
        reading = self._recogniser(frame)
        if reading.detections:
            cause = WAS_THERE if frame.known else None
            still = TableStatusChanged(TableStatus.STILL, cause)
            found: Happenings = (still, self._propose(reading, frame))
        else:
            nothing = message("Nothing was found in the photo; take it from nearer, or in light.")
            found = (TableStatusChanged(TableStatus.STILL, reading.hindrance or nothing),)
        return (TableStatusChanged(TableStatus.READING), *found)

    def _watched(self, frame: Frame, raw: Frame) -> Happenings:
        self._photo = None
        still = self._stillness.after(
            small_grey(frame.image), frame.captured_at, self._settings.stillness
        )
        self._stillness = still
        at_rest = still.at_rest(self._settings.stillness)
        examined = self._examined(raw, at_rest=at_rest)
        return (*examined, *self._seen(frame, at_rest=at_rest))

    def _seen(self, frame: Frame, *, at_rest: bool) -> Happenings:
        if not at_rest:
            self._readings = []
            return self._see(TableStatus.MOVING)
        unreadable = self._health is not None and self._health.light is Light.RED
        if unreadable or not self._stillness.moved:
            self._readings = []
            return self._see(TableStatus.STILL)
        return self._read(frame)

    def _read(self, frame: Frame) -> Happenings:
        reading = self._see(TableStatus.READING)
        self._readings.append(self._recogniser(frame))
        return (*reading, *self._concluded(frame)) if self._enough() else reading

    def _concluded(self, frame: Frame) -> Happenings:
        reading, self._readings = merge(self._readings), []
        due = self._proposing.due(reading, frame.image)
        self._stillness = self._stillness.read()
        seen = self._see(TableStatus.STILL)
        if reading.hindrance is not None:
            return (TableStatusChanged(TableStatus.STILL, reading.hindrance),)
        return (*seen, self._propose(reading, frame)) if due else seen

    def _enough(self) -> bool:
        """Whether the dice were read often enough, or time is up."""
        settings, readings = self._settings, self._readings
        if len(readings) >= settings.most_readings:
            return True
        if len(readings) < settings.readings:
            return False
        if not self._stillness.has_time(settings.stillness):
            return True
        rested = self._stillness.has_rested(settings.stillness)
        return rested and agree(readings) and not any(each.doubts for each in readings)

    def _propose(self, reading: Observation, frame: Frame) -> Proposed:
        self._proposing = self._proposing.proposed(reading, frame.image)
        self._pictures.keep(frame)
        return Proposed(proposal(reading, frame), known=frame.known)

    def _examined(self, frame: Frame, *, at_rest: bool) -> Happenings:
        before, self._health = self._health, self._examine(frame, at_rest=at_rest)
        return () if self._health == before else (HealthChanged(self._health),)

    def _see(self, sight: TableStatus) -> Happenings:
        if sight is self._sight:
            return ()
        self._sight = sight
        return (TableStatusChanged(sight),)
