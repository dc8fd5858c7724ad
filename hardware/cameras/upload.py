"""Photos that a phone or tablet sends through the page."""

from __future__ import annotations

from queue import Empty, Full, Queue
from threading import Lock
from types import TracebackType
from typing import Final, Self

from hardware.camera import CameraParts, Capture
from hardware.errors import CameraError
from scoreboard.message import message

_MOST_WAITING: Final = 3  # decoded photos are large: no more of them are held at once
_WAIT_SECONDS: Final = 1.0


class UploadCamera:
    """Gives each photo that was put into it once, as a photo by itself."""

    name = "upload"
    simulated = False

    def __init__(self, parts: CameraParts, *, wait_seconds: float = _WAIT_SECONDS) -> None:
        self._parts = parts
        self._wait_seconds = wait_seconds
        self._waiting: Queue[Capture] = Queue(_MOST_WAITING)
        self._lock = Lock()
        self._senders: set[str] = set()  # whose photo is being decoded

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Photos still waiting stay, for when the camera is entered again."""

    def put(self, photo: bytes, sender: str) -> None:
        """Take a photo's file; may be called from any thread.

        Photos are decoded one after the other, and one of each sender at a time: nobody waits
        for all that somebody else sends.

        Raises:
            ValueError: `decode` finds no whole picture in it; nothing is taken.
            CameraError: too many photos wait to be read, or one of this sender's.
        """
        with self._lock:
            if sender in self._senders:
                raise _busy()
            self._senders.add(sender)
        try:
            capture = Capture(self._parts.decode(photo), self._parts.clock(), single=True)
        finally:
            with self._lock:
                self._senders.remove(sender)
        try:
            self._waiting.put_nowait(capture)
        except Full as error:
            raise _busy() from error

    def capture(self) -> Capture | None:
        """The next photo; None when none came within a second."""
        try:
            return self._waiting.get(timeout=self._wait_seconds)
        except Empty:
            return None


def _busy() -> CameraError:
    return CameraError(message("The last photos are still being read; try again soon."))


def upload_camera(argument: str, parts: CameraParts) -> UploadCamera:
    """The camera of `--camera upload`.

    Raises:
        CameraError: an argument is given.
    """
    if argument:
        raise CameraError(
            message("The camera is named upload, without {argument}.", argument=argument)
        )
    return UploadCamera(parts)
