"""Copies of a database file: the newest five next to it, one on request, and restoring."""

from __future__ import annotations

import os
import re
import shlex
import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from datetime import datetime
from itertools import count
from pathlib import Path
from threading import Lock
from typing import Final

from scoreboard.errors import SchemaError, StoreError
from scoreboard.message import Message, message
from scoreboard.storage.schema import VERSION

APPLICATION_ID: Final = 0x7AB1E5C0  # marks the file as ours, for `file` too
MOST_BACKUPS: Final = 5
SIDES: Final = ("-wal", "-shm")  # what SQLite keeps next to a file in use
_MAKING: Final = Lock()
# Of other names in the folder, a person's own copies, nothing is read and nothing deleted.
_NAME: Final = re.compile(r"\d{6}-\d{4}-\d\d-\d\d\.sqlite3")
_BROKEN_OFF: Final = re.compile(_NAME.pattern + r"\.new(-wal|-shm|-journal)?")


def backup_folder(database: Path) -> Path:
    """The folder of a database file's backups."""
    return database.with_name(f"{database.name}.backups")


def schema_copy(database: Path, version: int) -> Path:
    """The copy of a database file of an older version, made before its migration."""
    return database.with_name(f"{database.stem}-schema-{version}{database.suffix}")


def backups_of(database: Path) -> tuple[Path, ...]:
    """The automatic backups of a database file, oldest first."""
    return _named(_NAME, database)


def restoring(database: Path) -> str | None:
    """The command that restores the newest backup; None without one."""
    kept = backups_of(database)
    return restore_command(kept[-1], database) if kept else None


def restore_command(copy: Path, database: Path) -> str:
    """The shell command that replaces a database file by a copy."""
    return shlex.join(["tablescore", "restore", str(copy), "--database", f"sqlite:///{database}"])


def with_cure(fault: Message, database: Path) -> Message:
    """The fault of a database file, and how to restore the games."""
    cure = message("Put it back while no table runs.")
    if command := restoring(database):
        cure = message(
            "Put it back while no table runs, or go on with its newest backup: {command}",
            command=command,
        )
    return message("{fault} {cure}", fault=fault, cure=cure)


def keep_private(file: Path) -> None:
    """Let only its owner read a database file, which is created empty if it is missing.

    SQLite's side files get the same rights.
    """
    # One at a time: to close a file's descriptor ends the locks that SQLite has on it.
    with _MAKING, suppress(OSError):  # there already; or SQLite reports why it cannot be made
        os.close(os.open(file, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
        return
    for each in (file, *(Path(f"{file}{side}") for side in SIDES)):
        with suppress(OSError):  # nothing there, or another user's
            each.chmod(0o600)


def rotate(source: sqlite3.Connection, database: Path, today: datetime) -> Path:
    """Write another backup next to the file, and delete all but the newest five.

    `source` is a connection to the database; others may read and write meanwhile. Raises
    StoreError if the disk cannot be written, or the database is damaged.
    """
    kept = backups_of(database)
    number = int(kept[-1].name.partition("-")[0]) + 1 if kept else 1
    fresh = backup_folder(database) / f"{number:06}-{today:%Y-%m-%d}.sqlite3"
    with _writing(fresh):
        fresh.parent.mkdir(0o700, exist_ok=True)
        for left in _named(_BROKEN_OFF, database):  # by a power cut
            left.unlink(missing_ok=True)
    copy_to(source, fresh)
    with _writing(fresh):
        for old in backups_of(database)[:-MOST_BACKUPS]:
            old.unlink(missing_ok=True)
    return fresh


def copy_to(source: sqlite3.Connection, target: Path) -> None:
    """Write the database as one file, whole or not at all, and on disk when this returns.

    Raises StoreError, also if there is such a file already.
    """
    if target.exists():
        raise StoreError(message("{name} is there already; name another file.", name=str(target)))
    unfinished = target.with_name(f"{target.name}.new")
    with _writing(target):
        unfinished.unlink(missing_ok=True)
        keep_private(unfinished)
        try:
            with closing(sqlite3.connect(unfinished)) as copy:
                source.backup(copy)
                copy.execute("PRAGMA journal_mode = DELETE")  # one file, which can be carried away
            require_readable(unfinished)
            _sync(unfinished)
            unfinished.rename(target)
        finally:
            unfinished.unlink(missing_ok=True)


def restore(backup: Path, database: Path) -> Path | None:
    """Replace a database file that is not in use by a backup.

    Gives the new path of the replaced file, None if there was none.

    Raises:
        SchemaError: the backup is damaged, or no database of this or an older Tablescore.
        StoreError: it is missing, or the folder cannot be written.
    """
    require_readable(backup)
    fresh = database.with_name(f"{database.name}.new")
    with _writing(database):
        database.parent.mkdir(0o700, parents=True, exist_ok=True)
        keep_private(fresh)
        shutil.copyfile(backup, fresh)
        _sync(fresh)
        kept = _put_aside(database) if database.exists() else None
        for side in SIDES:  # of a file that is gone: they belong to no other
            Path(f"{database}{side}").unlink(missing_ok=True)
        fresh.replace(database)
    return kept


def require_readable(file: Path) -> None:
    """Check that a file without writers is a whole database of games.

    Raises:
        SchemaError: it is damaged, or no database of this or an older Tablescore.
        StoreError: there is no such file.
    """
    if not file.is_file():
        raise StoreError(message("There is no file {name}.", name=str(file)))
    try:
        with closing(sqlite3.connect(f"{file.absolute().as_uri()}?mode=ro", uri=True)) as opened:
            found = [
                opened.execute(f"PRAGMA {name}").fetchone()[0]
                for name in ("application_id", "user_version", "quick_check")
            ]
    except (sqlite3.DatabaseError, UnicodeDecodeError) as error:
        raise _unusable(file) from error
    if found[0] != APPLICATION_ID or not 1 <= found[1] <= VERSION or found[2] != "ok":
        raise _unusable(file)


def on_a_server(name: str) -> StoreError:
    """The refusal to copy a server's database."""
    return StoreError.worded(
        "A server keeps the games of {name}: back them up with pg_dump, and bring them back "
        "with pg_restore.",
        name=name,
    )


def _named(pattern: re.Pattern[str], database: Path) -> tuple[Path, ...]:
    """A database file's backups that match the pattern, by name."""
    found = backup_folder(database).glob("*")
    return tuple(sorted(each for each in found if pattern.fullmatch(each.name)))


def _put_aside(database: Path) -> Path:
    """Rename the file, and its write-ahead log, to new names."""
    names = (f"{database.stem}-replaced-{number}{database.suffix}" for number in count(1))
    aside = next(file for file in map(database.with_name, names) if not file.exists())
    log = Path(f"{database}-wal")
    if log.exists():
        log.rename(f"{aside}-wal")
    return database.rename(aside)


def _sync(file: Path) -> None:
    with file.open("r+b") as written:  # Windows writes through only what may be written
        os.fsync(written.fileno())


def _unusable(file: Path) -> SchemaError:
    return SchemaError.worded(
        "{name} is damaged, or no database of games of this Tablescore; name another backup.",
        name=str(file),
    )


@contextmanager
def _writing(file: Path) -> Iterator[None]:
    try:
        yield
    except StoreError:
        raise
    except (OSError, sqlite3.Error) as error:
        fault = (error.strerror if isinstance(error, OSError) else None) or str(error)
        raise StoreError.worded(
            "{name} cannot be written ({fault}); make room, or name another place.",
            name=str(file),
            fault=fault,
        ) from error
