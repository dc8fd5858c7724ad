"""The pictures for the page: those of numbered proposals, and the latest."""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass
from threading import Lock
from typing import Final

from vision.capture.frame import Frame, Image
from vision.capture.photo import encode_small
from vision.quality.rectify import Outline, narrowed

_LONGEST_SIDE: Final = 1280
_PREVIEW_SIDE: Final = 480
_QUALITY: Final = 80


@dataclass(frozen=True, slots=True)
class Picture:
    """A frame as JPEG, in any size; its pieces are in pixels of `width` and `height`."""

    jpeg: bytes
    width: int
    height: int


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

    def keep(self, frame: Frame, seen: Image) -> None:
        """Keep an observation and its frame under its number; the oldest beyond `most` is dropped.

        The camera may have given `seen` in another size than the pieces' coordinates.
        """
        height, width = frame.image.shape[:2]
        picture = Picture(encode_small(seen, _LONGEST_SIDE, _QUALITY), width, height)
        with self._lock:
            self._kept[frame.sequence] = picture
            self._kept.move_to_end(frame.sequence)
            while len(self._kept) > self._most:
                self._kept.popitem(last=False)

    def show(self, frame: Frame, outline: Outline | None = None) -> None:
        """Set the frame that `latest` and `newest` give, and its tray's outline."""
        with self._lock:
            self._latest = frame, outline

    def picture(self, number: int) -> Picture | None:
        """The kept frame of this number, or None."""
        with self._lock:
            return self._kept.get(number)

    def latest(self) -> Picture | None:
        """A small preview of the newest frame, None before the first."""
        with self._lock:
            latest, preview = self._latest, self._preview
        if latest is None:
            return None
        if preview is None or preview[0] is not latest[0]:
            preview = latest[0], self._encoded(narrowed(*latest).image, _PREVIEW_SIDE)
            with self._lock:
                self._preview = preview
        return preview[1]

    def whole(self) -> tuple[Frame, Outline | None] | None:
        """The newest frame as the camera gave it, and the tray's outline; None before the first."""
        with self._lock:
            return self._latest

    def newest(self) -> Picture | None:
        """The newest frame in the size of the kept ones, None before the first."""
        latest = self.whole()
        return None if latest is None else self._encoded(narrowed(*latest).image, _LONGEST_SIDE)

    def _encoded(self, image: Image, longest_side: int) -> Picture:
        height, width = image.shape[:2]
        return Picture(encode_small(image, longest_side, _QUALITY), width, height)
