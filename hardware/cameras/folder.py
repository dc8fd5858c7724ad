"""A folder of pictures, replayed in the order of their names."""

from __future__ import annotations

import logging
import os
import stat
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import ClassVar, Final, Self

import numpy as np
from numpy.typing import NDArray

from hardware.camera import CameraParts, Capture
from hardware.errors import CameraError

SUFFIXES: Final = frozenset(
    {".jpg", ".jpeg", ".png", ".webp", ".bmp", ".gif", ".tif", ".tiff", ".heic", ".heif", ".avif"}
)
MOST_BYTES: Final = 25 * 1024 * 1024  # of a picture, as on the page
_LONGEST_WAIT_SECONDS: Final = 0.5
_LOOKING_SHARE: Final = 0.02  # of the time, at most, goes into looking for new pictures
_LOG: Final = logging.getLogger(__name__)

Signature = tuple[str, int, int]  # name, time of change in ns, size: a changed picture is a new one


@dataclass(eq=False)
class FolderCamera:
    """Shows each picture of a folder once, one every `interval_seconds`, then waits for new ones.

    Each picture is a single photo. Broken pictures are skipped with a line in the log, and tried
    again when they change: they may still be arriving. A picture that was removed and comes back is
    new; pictures of a folder that was unreadable for a while are not. Only ordinary files of 25 MB
    at most are opened. A table calls `begin_with_newest`, so that a restart does not show the whole
    evening again.
    """

    folder: Path
    parts: CameraParts
    interval_seconds: float = 3.0
    monotonic: Callable[[], float] = time.monotonic
    sleep: Callable[[float], None] = time.sleep
    simulated: ClassVar = False
    _next_at: float = field(default=0.0, init=False)
    _shown: frozenset[Signature] = field(default=frozenset(), init=False)
    _listed: list[Signature] = field(default_factory=list, init=False)
    _changed_at: int = field(default=-1, init=False)  # the folder's own time of change in ns
    _look_at: float = field(default=0.0, init=False)
    _leaves_old_out: bool = field(default=False, init=False)
    _newest_is_known: bool = field(default=False, init=False)
    _known: Signature | None = field(default=None, init=False)

    @property
    def name(self) -> str:
        return f"folder:{self.folder}"

    def begin_with_newest(self, *, known: bool) -> None:
        """Skip all pictures present at the first look except the newest.

        `known`: even that one may have been shown before the start, and is marked so. Call it
        before entering the camera.
        """
        self._leaves_old_out, self._newest_is_known = True, known

    def __enter__(self) -> Self:
        self._listing()
        self._next_at = self.monotonic()
        return self

    def __exit__(self, *_: object) -> None:
        """Pictures already shown are remembered for the next time the camera is entered."""

    def capture(self) -> Capture | None:
        """The next picture by name, None while none is due. Raises CameraError: all are gone."""
        listing = self._listing()
        rest_seconds = self._next_at - self.monotonic()
        if rest_seconds > 0:
            self.sleep(min(rest_seconds, _LONGEST_WAIT_SECONDS))
        if rest_seconds > _LONGEST_WAIT_SECONDS:
            return None
        new = next((each for each in listing if each not in self._shown), None)
        if new is None:
            self.sleep(_LONGEST_WAIT_SECONDS)
            return None
        self._shown |= {new}
        image = self._decoded(self.folder / new[0])
        if image is None:
            return None
        self._next_at = self.monotonic() + self.interval_seconds
        return Capture(image, self.parts.clock(), single=True, known=new == self._known)

    def _decoded(self, path: Path) -> NDArray[np.uint8] | None:
        try:
            return self.parts.decode(_content(path))
        except FileNotFoundError:
            _LOG.info("%s was taken away before it was read", path.name)
        except (OSError, ValueError) as error:
            _LOG.warning("%s is skipped: %s", path.name, error)
        return None

    def _listing(self) -> list[Signature]:
        """The pictures present, listed anew when the folder changed or after a while.

        A changed picture doesn't change the folder's own time, so checking that alone won't do.
        """
        try:
            changed_at = self.folder.stat().st_mtime_ns
            if changed_at != self._changed_at or self.monotonic() >= self._look_at:
                begun = self.monotonic()
                self._listed = sorted(_signatures(self.folder))
                self._shown &= frozenset(self._listed)
                if self._leaves_old_out:
                    self._leaves_old_out = False
                    newest = max(self._listed, key=lambda each: each[1], default=None)
                    self._shown = frozenset(self._listed) - {newest}
                    self._known = newest if self._newest_is_known else None
                now = self.monotonic()
                self._look_at = now + (now - begun) / _LOOKING_SHARE
                self._changed_at = changed_at
        except OSError as error:
            self._changed_at = -1
            raise CameraError.worded(
                "The folder {folder} cannot be read ({reason}); bring it back.",
                folder=str(self.folder),
                reason=error.strerror or "?",
            ) from error
        if not self._listed:
            raise CameraError.worded(
                "The folder {folder} holds no pictures; put some into it.", folder=str(self.folder)
            )
        return self._listed


def _signatures(folder: Path) -> Iterator[Signature]:
    with os.scandir(folder) as entries:
        for entry in entries:
            if Path(entry.name).suffix.lower() in SUFFIXES and not entry.name.startswith("."):
                with suppress(OSError):  # removed meanwhile, or a circular link: no picture
                    status = entry.stat()
                    yield entry.name, status.st_mtime_ns, status.st_size


def _content(path: Path) -> bytes:
    """The bytes of a file. Raises OSError; ValueError: it is no ordinary file, or too large."""
    # Opened without waiting for the other end of a pipe
    with open(path, "rb", opener=lambda name, flags: os.open(name, flags | os.O_NONBLOCK)) as file:
        if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
            raise ValueError("it is no ordinary file")
        content = file.read(MOST_BYTES + 1)
    if len(content) > MOST_BYTES:
        raise ValueError(f"it has more than {MOST_BYTES // 2**20} MB")
    return content


def folder_camera(argument: str, parts: CameraParts) -> FolderCamera:
    """The camera of `--camera folder:PATH`. Raises CameraError: no path is given."""
    if not argument:
        raise CameraError.worded("Name the folder with the pictures, as in folder:photos.")
    return FolderCamera(Path(argument).expanduser(), parts)
