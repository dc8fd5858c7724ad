"""The file in which a table remembers its event: whole, or as it was before."""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path
from typing import Final

from scoreboard.errors import StoreError
from scoreboard.message import message
from scoreboard.tournament.client.attendance import Attendance
from scoreboard.tournament.protocol.documents import WireError, text_of, value_from_text

OWNER_ONLY: Final = 0o600  # the ticket is a secret


class AttendanceFile:
    """One file; what `write` returned from is on disk."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def read(self) -> Attendance | None:
        """What was written last; None where the table takes part in no event.

        Raises:
            StoreError: the file is damaged or cannot be read.
        """
        try:
            return value_from_text(Attendance, self.path.read_bytes())
        except FileNotFoundError:
            return None
        except (OSError, WireError) as error:
            raise StoreError(
                message(
                    "What this table knows of its event cannot be read: move {file} away and join "
                    "again.",
                    file=str(self.path),
                )
            ) from error

    def write(self, attendance: Attendance) -> None:
        """Keep it; a power cut leaves the old one or the new one.

        Raises:
            StoreError: the disk is full, or the folder cannot be written.
        """
        fresh = self.path.with_name(f"{self.path.name}.new")
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            _write_through(fresh, text_of(attendance).encode())
            fresh.replace(self.path)
            _write_folder_through(self.path.parent)
        except OSError as error:
            raise self._unwritable(error) from error

    def forget(self) -> None:
        """Remember no event any more. Raises StoreError."""
        try:
            with suppress(FileNotFoundError):
                self.path.unlink()
                _write_folder_through(self.path.parent)
        except OSError as error:
            raise self._unwritable(error) from error

    def _unwritable(self, error: OSError) -> StoreError:
        return StoreError(
            message(
                "What belongs to the event cannot be kept in {folder} ({fault}): make room there.",
                folder=str(self.path.parent),
                fault=error.strerror or str(error),
            )
        )


def _write_through(path: Path, content: bytes) -> None:
    handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, OWNER_ONLY)
    with os.fdopen(handle, "wb") as file:
        file.write(content)
        file.flush()
        os.fsync(file.fileno())


def _write_folder_through(folder: Path) -> None:
    """A renamed file is there after a power cut only when its folder was written too."""
    handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
