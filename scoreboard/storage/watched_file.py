"""Notices when a database file was swapped: before each write, and at a start.

SQLite goes on working when its file or write-ahead log is deleted or replaced, and later writes are
lost at the end. So their names are compared with the open files. The last recorded event is noted
in a small file next to the database, so that the next start can check for it.
"""

from __future__ import annotations

import logging
import os
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Final

from scoreboard.errors import StoreError
from scoreboard.message import message
from scoreboard.storage.backups import backup_folder, with_cure

LOG: Final = logging.getLogger(__name__)
NOTE_BYTES: Final = 512  # always as long: written over in place it needs no room on a full disk


class WatchedFile:
    """The open file and its write-ahead log, and their names on the disk."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._log = Path(f"{path}-wal")
        self._file: os.stat_result | None = None
        self._log_file: os.stat_result | None = None
        self._connections: set[int] = set()

    def opening(self) -> None:
        """Before a connection opens: refuse another file than before. Raises StoreError."""
        if self._file is not None:
            self._require_same_file()

    def opened(self, connection: int) -> None:
        self._file = self._file or _stat(self._path)
        if not self._connections:
            self._log_file = _stat(self._log)
        self._connections.add(connection)

    def closed(self, connection: int) -> None:
        """The last connection to close takes the log away with it."""
        self._connections.discard(connection)

    def require_in_place(self) -> None:
        """Check that file and log on disk are the open ones, and not cut. Raises StoreError."""
        if not self._connections:
            return
        self._require_same_file()
        log = _stat(self._log)
        before = self._log_file
        if before is not None and (log is None or not os.path.samestat(log, before)):
            fault = message(
                "The write-ahead log of {name} was deleted or replaced.", name=str(self._path)
            )
            raise StoreError(with_cure(fault, self._path))
        self._log_file = log

    def _require_same_file(self) -> None:
        name, before, now = str(self._path), self._file, _stat(self._path)  # it only grows
        if now is None:
            fault = message("{name} was deleted or moved.", name=name)
        elif before is not None and not os.path.samestat(now, before):
            fault = message("Another file took the place of {name}.", name=name)
        elif before is not None and now.st_size < before.st_size:
            fault = message("{name} was cut short.", name=name)
        else:
            self._file = now
            return
        raise StoreError(with_cure(fault, self._path))


def note_last(database: Path, last: tuple[str, int] | None) -> None:
    """Note the last recorded event and its game; None without games.

    A failure to write the note is only logged: the event itself is on disk.
    """
    note = _note(database)
    try:
        if last is None:
            note.unlink(missing_ok=True)
            return
        text = f"{last[1]} {last[0]}".encode().ljust(NOTE_BYTES - 1) + b"\n"
        descriptor = os.open(note, os.O_WRONLY | os.O_CREAT, 0o600)
        try:
            os.write(descriptor, text)
        finally:
            os.close(descriptor)
    except OSError as error:
        LOG.warning("%s cannot be written: %s", note, error.strerror)


def require_present(database: Path) -> None:
    """Check that the file of stored games is neither gone nor empty. Raises StoreError."""
    found = _stat(database)
    if found is not None and found.st_size > 0:
        return
    candidates = (_note(database), Path(f"{database}-wal"), backup_folder(database))
    signs = [sign for sign in candidates if sign.exists() and sign.stat().st_size > 0]
    if signs:
        fault = message(
            "{name} is gone or empty, though games were kept in it (to begin anew, delete {sign}).",
            name=str(database),
            sign=str(signs[0]),
        )
        raise StoreError(with_cure(fault, database))


def require_last(database: Path) -> None:
    """Check that the last recorded event is in the database; else raises StoreError.

    A file that is no database is left to those who open it.
    """
    last = last_recorded(database)
    if last is not None and not holds(database, last):
        fault = message(
            "{name} lacks what was recorded last: its -wal file is gone, or an older copy lies "
            "there (to go on with what is left, delete {sign}).",
            name=str(database),
            sign=str(_note(database)),
        )
        raise StoreError(with_cure(fault, database))


def last_recorded(database: Path) -> tuple[str, int] | None:
    """The game and event last recorded by the note; None without a readable note."""
    try:
        sequence, _, game_id = _note(database).read_text("utf-8").strip().partition(" ")
        return (game_id, int(sequence)) if game_id else None
    except (OSError, ValueError):  # without a note, and where a power cut left half of one
        return None


def holds(file: Path, last: tuple[str, int]) -> bool:
    """Whether an event is in a database file; other files are not opened."""
    query = "SELECT 1 FROM events WHERE game_id = ? AND sequence = ?"
    if last[1] == 0:  # the game was opened, and nothing happened yet
        query = "SELECT 1 FROM games WHERE game_id = ? AND ? = 0"
    try:
        with closing(sqlite3.connect(file)) as opened:
            return opened.execute(query, last).fetchone() is not None
    except sqlite3.OperationalError:  # no such table: a new database is there
        return False
    except (sqlite3.DatabaseError, UnicodeDecodeError):
        return True


def _note(database: Path) -> Path:
    return database.with_name(f"{database.name}.last")


def _stat(path: Path) -> os.stat_result | None:
    try:
        return path.stat()
    except OSError:
        return None
