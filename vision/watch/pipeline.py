"""From frames to proposals: wait for stillness, check the health, rectify, read, propose."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import datetime
from threading import Event, Lock
from typing import Final

import cv2
import numpy as np

from scoreboard.message import message
from scoreboard.table.proposal import Health, Light
from scoreboard.table.requests import HealthChanged, Proposed, TableStatus, TableStatusChanged
from vision.capture.frame import Frame, Image
from vision.capture.photo import encode_small
from vision.quality.tray import Outline, TrayCorners, narrowed, rectify
from vision.read.observation import Observation, Recogniser, read_photo, scaled
from vision.watch.proposals import (
    ProposalTracker,
    agree,
    merge,
    proposal,
    sharp_readings,
    with_sharpness,
)
from vision.watch.stillness import LONGER_SIDE, Stillness, small_grey

_LONGEST_SIDE: Final = 1280
_PREVIEW_SIDE: Final = 480
_QUALITY: Final = 80


@dataclass(frozen=True, slots=True)
class Picture:
    """A frame as JPEG, in any size; its pieces are in pixels of `width` and `height`."""

    jpeg: bytes
    width: int
    height: int

    @classmethod
    def of(cls, image: Image, longest_side: int) -> Picture:
        height, width = image.shape[:2]
        return cls(encode_small(image, longest_side, _QUALITY), width, height)


class Pictures:
    """Keeps the last `most` proposals' frames and the latest frame; thread-safe.

    Kept frames are at most 1280 pixels on their longer side, the preview of the latest at most 480;
    it is encoded only on demand.
    """

    def __init__(self, most: int = 16) -> None:
        self._most = most
        self._lock = Lock()
        self._kept: OrderedDict[int, Picture] = OrderedDict()
        self._latest: tuple[Frame, Outline | None] | None = None
        self._preview: tuple[Frame, Picture] | None = None
        self.asked = False  # for the newest frame, since it was shown

    def keep(self, frame: Frame, seen: Image) -> None:
        """Keep an observation and its frame under its number; the oldest beyond `most` is dropped.

        The camera may have given `seen` in another size than the pieces' coordinates.
        """
        height, width = frame.image.shape[:2]
        picture = replace(Picture.of(seen, _LONGEST_SIDE), width=width, height=height)
        with self._lock:
            self._kept[frame.sequence] = picture
            self._kept.move_to_end(frame.sequence)
            while len(self._kept) > self._most:
                self._kept.popitem(last=False)

    def show(self, frame: Frame, outline: Outline | None = None) -> None:
        """Set the frame that `latest` and `newest` give, and its tray's outline."""
        with self._lock:
            self._latest, self.asked = (frame, outline), False

    def picture(self, number: int) -> Picture | None:
        with self._lock:
            return self._kept.get(number)

    def latest(self) -> Picture | None:
        """A small preview of the newest frame, None before the first."""
        self.asked = True
        with self._lock:
            latest, preview = self._latest, self._preview
        if latest is None:
            return None
        if preview is None or preview[0] is not latest[0]:
            preview = latest[0], Picture.of(narrowed(*latest).image, _PREVIEW_SIDE)
            with self._lock:
                self._preview = preview
        return preview[1]

    def whole(self) -> tuple[Frame, Outline | None] | None:
        """The newest frame as the camera gave it, and the tray's outline; None before the first."""
        self.asked = True
        with self._lock:
            return self._latest

    def newest(self) -> Picture | None:
        """The newest frame in the size of the kept ones, None before the first."""
        latest = self.whole()
        return None if latest is None else Picture.of(narrowed(*latest).image, _LONGEST_SIDE)


Size = tuple[int, int]  # width and height
TableChange = Proposed | TableStatusChanged | HealthChanged
Changes = tuple[TableChange, ...]

# A roll is read in two still and sharp frames, and in up to five as long as those differ or are
# doubtful and there is time
_READINGS: Final = 2
_MOST_READINGS: Final = 5
_REST_PAUSE_SECONDS: Final = 0.2
_WHOLE_SECONDS: Final = 5.0  # a table at rest is seen whole at least that often, for its health
_LEAST_SHARE: Final = 0.25  # of a picture: a smaller part has too few pixels in a small copy
# A longer one would pass for a slow camera, whose dice are read early, and once more
_MOTION_PAUSE_SECONDS: Final = 1 / 15
WAS_THERE: Final = message("Old photo. Take a new one, or tap “Read again”.")


class TablePipeline:
    """Watches one table: frames in, changes out; nothing is proposed while anything moves.

    `within` gives where to look in a picture: a tray's corners, which is then rectified, or a play
    area. `examine` judges the frames as the camera gave them, as HealthWatch does; while its light
    is red nothing is read. `pictures` keeps what the page shows: the frames' numbers must never
    repeat, not even after the camera was lost. One thread calls `feed`; any may call `read_again`.
    """

    def __init__(
        self,
        recogniser: Recogniser,
        pictures: Pictures,
        *,
        within: Callable[[Image], Outline | None] = lambda _: None,
        examine: Callable[..., Health | None] = lambda *_, **__: None,
    ) -> None:
        self._recogniser = recogniser
        self._pictures = pictures
        self._within = within
        self._examine = examine
        self._health: Health | None = None
        self._again = Event()
        self._stillness = Stillness()
        self._tracker = ProposalTracker()
        self._readings: list[Observation] = []
        self._size: Size | None = None  # of the picture that pieces' coordinates refer to
        self._read_size: Size | None = None  # of the picture that was read last
        self._status = TableStatus.NOTHING
        self._photo: Frame | None = None
        self._outline: Outline | None = None  # in the last frame
        self._whole_at: datetime | None = None  # when that was taken

    def feed(self, frame: Frame | None) -> Changes:
        """Process one frame (None if the camera had none) and return the changes it causes.

        A single photo is read at once. Other frames are read only when the table is at rest, and
        only once until something moves or `read_again` is called.
        """
        if self._again.is_set():
            self._again.clear()
            self._tracker = ProposalTracker()
            self._stillness = replace(self._stillness, moved=True)
            self._readings = []
            if frame is None and self._photo is not None:  # the last photo is as good as a new one
                frame = replace(self._photo, known=False)
        if frame is None:
            return ()
        outline = self._within(frame.image)
        self._pictures.show(frame, outline)
        self._photo = frame if frame.single else None
        if frame.single:
            self._stillness, self._status = Stillness(), TableStatus.STILL
            examined = self._examined(frame, at_rest=True)
            return (*examined, *self._read_photo(narrowed(frame, outline)))
        self._outline, self._whole_at = outline, frame.captured_at
        small = frame.small if self._fits_small(outline) else None
        self._stillness = self._after(frame.image if small is None else small, frame.captured_at)
        examined = self._examined(frame, at_rest=self._stillness.at_rest())
        return (*examined, *self._watched(frame, outline))

    @property
    def takes_glances(self) -> bool:
        """Whether a small copy of the next picture may do: the table was read, and nobody looks."""
        return (
            not self._pictures.asked
            and self._photo is None
            and self._status is TableStatus.STILL
            and self._stillness.at_rest()
            and not (self._stillness.moved or self._again.is_set())
            and self._fits_small(self._outline)
        )

    def glance(self, small: Image, at: datetime) -> bool:
        """Whether nothing is new in a small copy of a picture; else the next whole one is due."""
        if (
            self._whole_at is None
            or not 0 <= (at - self._whole_at).total_seconds() < _WHOLE_SECONDS
        ):
            return False
        after = self._after(small, at)
        if after.at_rest() and not after.moved:
            self._stillness = after
            return True
        return False

    @property
    def pause_seconds(self) -> float:
        """How long to wait for the next frame.

        A table at rest that was read is looked at five times a second, one on which something moves
        fifteen times; while it comes to rest and is read no frame is left out.
        """
        if self._photo is not None or self._readings or self._stillness.is_settling():
            return 0.0
        return _REST_PAUSE_SECONDS if self._stillness.at_rest() else _MOTION_PAUSE_SECONDS

    @property
    def at_rest(self) -> bool:
        return self._photo is None and self._stillness.at_rest()

    @property
    def light(self) -> Light:
        """The last judgement of how well the table is seen."""
        return Light.GREEN if self._health is None else self._health.light

    def read_again(self) -> None:
        """Read the dice again although nothing moved, and propose them even if unchanged."""
        self._again.set()

    def lose(self) -> None:
        """Note that the camera is gone: once it is back, the dice on the table may be new.

        The last proposal is remembered, so that the same dice are not proposed twice.
        """
        self._stillness = Stillness()
        self._readings = []
        self._photo = None
        self._status = TableStatus.LOST

    def _read_photo(self, frame: Frame) -> Changes:
        if self._health is not None and self.light is Light.RED:
            unread = message("The photo was not read. {reason}", reason=self._health.reasons[0])
            return (TableStatusChanged(TableStatus.STILL, unread),)
        reading = read_photo(self._recogniser, frame)
        began = TableStatusChanged(TableStatus.READING)
        if reading.detections:
            still = TableStatusChanged(TableStatus.STILL, WAS_THERE if frame.known else None)
            return (began, still, self._propose(reading, frame, frame.image))
        why = reading.hindrance or reading.doubts[0]
        return (began, TableStatusChanged(TableStatus.STILL, why))

    def _watched(self, frame: Frame, outline: Outline | None) -> Changes:
        at_rest = self._stillness.at_rest()
        if not at_rest or self.light is Light.RED or not self._stillness.moved:
            self._readings = []
            return self._changed_to(TableStatus.STILL if at_rest else TableStatus.MOVING)
        began = self._changed_to(TableStatus.READING)
        seen = narrowed(frame, outline)
        reading, frame = self._read(seen)
        self._readings.append(reading)
        if not self._enough():
            return began
        reading, self._readings = merge(sharp_readings(self._readings)), []
        due = self._tracker.due(reading, frame.image)
        self._stillness = self._stillness.read()
        ended = self._changed_to(TableStatus.STILL)
        if reading.hindrance is not None:
            ended = (TableStatusChanged(TableStatus.STILL, reading.hindrance),)
        elif due:
            ended = (*ended, self._propose(reading, frame, seen.image))
        return (*began, *ended)

    def _read(self, frame: Frame) -> tuple[Observation, Frame]:
        """A reading and its frame, scaled to the size of the earlier ones.

        Phones and webcams change their size. Readings of another size have no vote with this one.
        """
        size = frame.image.shape[1::-1]
        reading = with_sharpness(self._recogniser(frame), frame.image)
        if size != self._read_size:
            self._readings, self._read_size = [], size
        if self._size is None or not _are_similar(size, self._size):
            self._size = size
        if size == self._size:
            return reading, frame
        image = cv2.resize(frame.image, self._size, interpolation=cv2.INTER_AREA)
        resized = replace(frame, image=np.asarray(image, np.uint8))
        return scaled(reading, self._size[0] / size[0]), resized

    def _enough(self) -> bool:
        """Whether the dice were read often enough, or time is up."""
        if len(self._readings) >= _MOST_READINGS:
            return True
        sharp = sharp_readings(self._readings)
        if len(sharp) < _READINGS:
            return False
        if not self._stillness.has_time():
            return True
        is_clear = agree(sharp) and not any(each.doubts for each in sharp)
        return self._stillness.has_rested() and is_clear

    def _propose(self, reading: Observation, frame: Frame, seen: Image) -> Proposed:
        self._tracker = ProposalTracker(reading.detections, frame.image)
        self._pictures.keep(frame, seen)
        return Proposed(proposal(reading, frame), known=frame.known)

    def _after(self, image: Image, at: datetime) -> Stillness:
        outline = self._outline
        if isinstance(outline, TrayCorners):  # a whole picture is rectified only to be read
            image = rectify(image, outline, 2 * LONGER_SIDE)
        elif outline is not None:  # motion outside of the area does not touch the dice
            image = outline.cut(image)
        return self._stillness.after(small_grey(image), at)

    @staticmethod
    def _fits_small(outline: Outline | None) -> bool:
        if outline is None:
            return True
        return cv2.contourArea(np.array(outline.around, np.float32)) >= _LEAST_SHARE

    def _examined(self, frame: Frame, *, at_rest: bool) -> Changes:
        before, self._health = self._health, self._examine(frame, at_rest=at_rest)
        return () if self._health == before else (HealthChanged(self._health),)

    def _changed_to(self, status: TableStatus) -> Changes:
        if status is self._status:
            return ()
        self._status = status
        return (TableStatusChanged(status),)


def _are_similar(one: Size, other: Size) -> bool:
    """Whether two sizes have the same proportion, except for a rounded pixel."""
    return abs(one[0] * other[1] - one[1] * other[0]) <= max(*one, *other)
