"""Photos sent by a phone or tablet through the page."""

from __future__ import annotations

from dataclasses import dataclass, field
from queue import Empty, SimpleQueue
from threading import Event, Lock
from typing import ClassVar, Self

from hardware.camera import CameraParts, Capture
from hardware.errors import CameraError


@dataclass(eq=False)
class UploadCamera:
    """Gives each uploaded photo once, as a single photo.

    It holds one decoded photo: the next is not decoded before that one has been read.
    """

    parts: CameraParts
    wait_seconds: float = 1.0
    read_seconds: float = 10.0
    name: ClassVar = "upload"
    simulated: ClassVar = False
    # Held from a photo's decoding until it was read
    _free: Lock = field(default_factory=Lock, init=False)
    _waiting: SimpleQueue[tuple[Capture, Event]] = field(default_factory=SimpleQueue, init=False)
    _reading: Event | None = field(default=None, init=False)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        """A waiting photo is kept for the next time the camera is entered."""
        self._end_reading()

    def put(self, photo: bytes) -> None:
        """Take a photo's file, and return once it has been read; may be called from any thread.

        After ten seconds it returns anyway: the photo is read when its time comes. Raises
        ValueError: it is no whole picture; CameraError: another one is not read yet.
        """
        if not self._free.acquire(blocking=False):
            raise CameraError.worded("The last photos are still being read; try again soon.")
        try:
            capture = Capture(self.parts.decode(photo), self.parts.clock(), single=True)
        except BaseException:
            self._free.release()
            raise
        read = Event()
        self._waiting.put((capture, read))
        read.wait(self.read_seconds)

    def capture(self) -> Capture | None:
        self._end_reading()
        try:
            capture, self._reading = self._waiting.get(timeout=self.wait_seconds)
        except Empty:
            return None
        return capture

    def _end_reading(self) -> None:
        """A request for the next photo means that the last one has been read."""
        if self._reading is not None:
            self._reading.set()
            self._reading = None
            self._free.release()
