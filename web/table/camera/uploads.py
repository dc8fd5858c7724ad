"""Uploaded photos: decoded one at a time, the senders by turns.

A decoded photo of 24 megapixels takes 72 MB, decoding it up to 350: two at once are more than a
small machine has. Every reader of uploaded photos takes its turn here first.
"""

from __future__ import annotations

import logging
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import Condition, Lock
from typing import TYPE_CHECKING, Final

from werkzeug.datastructures import FileStorage

from hardware.errors import CameraError
from scoreboard.errors import ScoreboardError
from scoreboard.message import Message, message
from vision.errors import PhotoError

if TYPE_CHECKING:
    from hardware.cameras.upload import UploadCamera

LOG: Final = logging.getLogger(__name__)

MOST_SENDERS: Final = 12  # each of them holds one of the page's threads, of which 16 are spare

EARLIER_WAITS: Final = message(
    "Your earlier picture is still being read: wait for it, then send the next one."
)
TOO_MANY: Final = message("Many pictures are waiting to be read; try again in a minute.")


class PictureRefusedError(ScoreboardError):
    """A picture may not even wait; `message` tells its sender the cure."""


class FairLock:
    """A lock granted in the order of requests."""

    def __init__(self) -> None:
        self._changed = Condition()
        self._queue: deque[object] = deque()

    @contextmanager
    def turn(self) -> Iterator[None]:
        """Wait for earlier requests; hold it meanwhile. Not to be requested while held."""
        mine = object()
        with self._changed:
            self._queue.append(mine)
            self._changed.wait_for(lambda: self._queue[0] is mine)
        try:
            yield
        finally:
            with self._changed:
                self._queue.popleft()
                self._changed.notify_all()


class PictureTurns(FairLock):
    """One large picture at a time; thread-safe.

    A sender is `admitted`, then takes a `turn` for each picture. As none is admitted twice at
    once, a sender of many pictures waits at the end of the queue for each of them.
    """

    def __init__(self, most_senders: int = MOST_SENDERS) -> None:
        super().__init__()
        self._most_senders = most_senders
        self._senders: set[str] = set()
        self._admitting = Lock()

    @contextmanager
    def admitted(self, sender: str) -> Iterator[None]:
        """Let the sender of that address take turns. Raises PictureRefusedError with why."""
        with self._admitting:
            if sender in self._senders:
                raise PictureRefusedError(EARLIER_WAITS)
            if len(self._senders) >= self._most_senders:
                raise PictureRefusedError(TOO_MANY)
            self._senders.add(sender)
        try:
            yield
        finally:
            with self._admitting:
                self._senders.remove(sender)


class Uploads:
    """Players' photos for a camera that waits for them; thread-safe."""

    def __init__(self, camera: UploadCamera, turns: PictureTurns) -> None:
        self._camera = camera
        self._turns = turns

    def take(self, photo: Callable[[], FileStorage | None], sender: str) -> Message | None:
        """Have the camera read a photo, asked for in the sender's turn; gives its fault, if any."""
        try:
            with self._turns.admitted(sender):
                file = photo()
                if not file:
                    return message("Choose a photo first.")
                with self._turns.turn():
                    self._camera.put(file.read())
        except (PhotoError, CameraError, PictureRefusedError) as error:
            LOG.info("a photo was refused (%s): %s", type(error).__name__, error)
            return error.message
        return None
