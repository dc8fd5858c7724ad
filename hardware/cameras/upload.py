"""Photos that a phone or tablet sends through the page."""

from __future__ import annotations

from queue import Empty, Full, Queue
from types import TracebackType
from typing import Final, Self

from hardware.camera import CameraParts, Capture
from hardware.errors import CameraError
from scoreboard.phrase import phrase

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

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Photos still waiting stay, for when the camera is entered again."""

    def put(self, photo: bytes) -> None:
        """Take a photo's file; may be called from any thread.

        Raises:
            ValueError: `decode` finds no whole picture in it; nothing is taken.
            CameraError: too many photos wait to be read.
        """
        capture = Capture(self._parts.decode(photo), self._parts.clock(), single=True)
        try:
            self._waiting.put_nowait(capture)
        except Full as error:
            raise CameraError(
                phrase("The last photos are still being read; try again soon.")
            ) from error

    def capture(self) -> Capture | None:
        """The next photo; None when none came within a second."""
        try:
            return self._waiting.get(timeout=self._wait_seconds)
        except Empty:
            return None


def upload_camera(argument: str, parts: CameraParts) -> UploadCamera:
    """The camera of `--camera upload`.

    Raises:
        CameraError: an argument is given.
    """
    if argument:
        raise CameraError(
            phrase("The camera is named upload, without {argument}.", argument=argument)
        )
    return UploadCamera(parts)
