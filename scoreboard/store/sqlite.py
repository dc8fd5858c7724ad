"""Games kept in one SQLite file: what a method returned from has reached the disk."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path
from typing import Any, Final

from sqlalchemy import Connection, Engine, create_engine, delete, event, func, insert, select
from sqlalchemy.engine import URL
from sqlalchemy.engine.interfaces import DBAPIConnection
from sqlalchemy.exc import DBAPIError, IntegrityError
from sqlalchemy.pool import ConnectionPoolEntry

from scoreboard.errors import SchemaError, StoreError, UnknownGameError
from scoreboard.game import Game
from scoreboard.phrase import Phrase, phrase
from scoreboard.store.refusals import moved_on, require_successive, taken
from scoreboard.store.schema import EVENTS_TABLE, GAMES_TABLE, prepare
from scoreboard.transcript import (
    GameHeader,
    Kinds,
    RecordedEvent,
    event_document,
    event_from_document,
)

BUSY_TIMEOUT_MILLISECONDS: Final = 5000
PRAGMAS: Final = (
    "PRAGMA journal_mode = WAL",
    "PRAGMA synchronous = FULL",  # a power cut must not take a confirmed score back
    "PRAGMA foreign_keys = ON",
    f"PRAGMA busy_timeout = {BUSY_TIMEOUT_MILLISECONDS}",
)
SCHEMA_FAULTS: Final = (sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_CORRUPT)


class SqliteStore:
    """An event store in one file; keeps the contract of `scoreboard.table.ports.EventStore`.

    `games` are the rulebooks by stored name: they declare how their events are written.
    Any thread may call it; each call is one transaction.
    """

    def __init__(self, path: Path, games: Mapping[str, Game[Any, Any, Any]]) -> None:
        """Open the file, or make it and the folders above it.

        Raises:
            SchemaError: the file is no database, or not one of this version.
            StoreError: the file cannot be made, read or written.
        """
        self._path = path
        self._games = games
        _make_folder(path)
        self._engine = _engine(path)
        try:
            with self._transaction("IMMEDIATE") as connection:
                prepare(connection, str(path))
        except StoreError:
            self.close()
            raise

    def close(self) -> None:
        """Let go of the file."""
        self._engine.dispose()

    def open_game(self, header: GameHeader) -> None:
        """Keep a new game's header.

        Raises:
            ConflictError: the id is taken.
            StoreError: the disk is full or cannot be written.
        """
        row = {
            "game_id": header.game_id,
            "game": header.game,
            "players": json.dumps(header.players, ensure_ascii=False),
            "opened_at": header.opened_at.isoformat(),
            "options": json.dumps(dict(header.options), ensure_ascii=False),
        }
        with self._transaction("IMMEDIATE") as connection:
            try:
                connection.execute(insert(GAMES_TABLE).values(row))
            except IntegrityError as error:
                raise taken(header.game_id) from error

    def append(self, game_id: str, expected: int, events: Sequence[RecordedEvent]) -> None:
        """Append all of `events` or none, when the game has `expected` events already.

        Raises:
            ConflictError: the game has another number of events.
            UnknownGameError: there is no such game.
            StoreError: the disk is full or cannot be written.
        """
        with self._transaction("IMMEDIATE") as connection:
            kinds = self._kinds(_header(connection, game_id))
            count = select(func.count()).where(EVENTS_TABLE.c.game_id == game_id)
            stored = connection.execute(count).scalar_one()
            if stored != expected:
                raise moved_on(game_id, stored, expected)
            require_successive(game_id, expected, events)
            if events:
                connection.execute(insert(EVENTS_TABLE), [_event_row(one, kinds) for one in events])

    def events(self, game_id: str) -> tuple[RecordedEvent, ...]:
        """All events of a game in order.

        Raises:
            UnknownGameError: there is no such game.
            SchemaError: the game's rulebook is not known to this version.
            TranscriptError: an event cannot be read.
            StoreError: the file cannot be read.
        """
        query = (
            select(EVENTS_TABLE)
            .where(EVENTS_TABLE.c.game_id == game_id)
            .order_by(EVENTS_TABLE.c.sequence)
        )
        with self._transaction("DEFERRED") as connection:
            kinds = self._kinds(_header(connection, game_id))
            rows = connection.execute(query).mappings().all()
        return tuple(_read_event(row, kinds) for row in rows)

    def header(self, game_id: str) -> GameHeader:
        """A game's header. Raises UnknownGameError, StoreError."""
        with self._transaction("DEFERRED") as connection:
            return _header(connection, game_id)

    def headers(self) -> tuple[GameHeader, ...]:
        """All games, newest first. Raises StoreError."""
        with self._transaction("DEFERRED") as connection:
            query = select(GAMES_TABLE).order_by(GAMES_TABLE.c.opened.desc())
            return tuple(_read_header(row) for row in connection.execute(query).mappings())

    def delete(self, game_id: str) -> None:
        """Forget a game and its events. Raises UnknownGameError, StoreError."""
        with self._transaction("IMMEDIATE") as connection:
            gone = connection.execute(delete(GAMES_TABLE).where(GAMES_TABLE.c.game_id == game_id))
            if not gone.rowcount:
                raise UnknownGameError(game_id)

    def _kinds(self, header: GameHeader) -> Kinds:
        if header.game not in self._games:
            raise SchemaError(
                phrase(
                    "This Tablescore has no rulebook “{game}”; update it to read game “{game_id}”.",
                    game=header.game,
                    game_id=header.game_id,
                )
            )
        return self._games[header.game].kinds

    @contextmanager
    def _transaction(self, mode: str) -> Iterator[Connection]:
        """One transaction, all or nothing; the driver's errors become StoreErrors.

        A writer begins IMMEDIATE: were the lock only taken at the first write, two writers
        could both read the same count and one would fail without waiting its turn.
        """
        try:
            with self._engine.execution_options(begin_mode=mode).begin() as connection:
                yield connection
        except DBAPIError as error:
            raise _store_error(self._path, error) from error


def _make_folder(path: Path) -> None:
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise StoreError(
            phrase(
                "The folder {folder} cannot be made ({fault}); name another for the games.",
                folder=str(path.parent),
                fault=error.strerror or str(error),
            )
        ) from error


def _engine(path: Path) -> Engine:
    engine = create_engine(URL.create("sqlite", database=str(path)))
    event.listen(engine, "connect", _configure)
    event.listen(engine, "begin", _begin)
    return engine


def _configure(connection: DBAPIConnection, _entry: ConnectionPoolEntry) -> None:
    """Take transactions out of the driver's hands, which begins them late and by guess."""
    connection.isolation_level = None
    cursor = connection.cursor()
    for pragma in PRAGMAS:
        cursor.execute(pragma)
    cursor.close()


def _begin(connection: Connection) -> None:
    mode = connection.get_execution_options().get("begin_mode", "DEFERRED")
    connection.exec_driver_sql(f"BEGIN {mode}")


def _header(connection: Connection, game_id: str) -> GameHeader:
    query = select(GAMES_TABLE).where(GAMES_TABLE.c.game_id == game_id)
    row = connection.execute(query).mappings().one_or_none()
    if row is None:
        raise UnknownGameError(game_id)
    return _read_header(row)


def _read_header(row: Mapping[Any, Any]) -> GameHeader:
    return GameHeader(
        game_id=row["game_id"],
        game=row["game"],
        players=tuple(_read_json(row, "players")),
        opened_at=datetime.fromisoformat(row["opened_at"]),
        options=_read_json(row, "options"),
    )


def _read_json(row: Mapping[Any, Any], column: str) -> Any:
    try:
        return json.loads(row[column])
    except json.JSONDecodeError as error:
        raise SchemaError(
            phrase(
                "Game “{game_id}” is damaged in the database; delete it.", game_id=row["game_id"]
            )
        ) from error


def _event_row(record: RecordedEvent, kinds: Kinds) -> dict[str, object]:
    return {
        "game_id": record.game_id,
        "sequence": record.sequence,
        "recorded_at": record.recorded_at.isoformat(),
        "source": record.source,
        "step": record.step,
        "event": json.dumps(event_document(record.event, kinds), ensure_ascii=False),
    }


def _read_event(row: Mapping[Any, Any], kinds: Kinds) -> RecordedEvent:
    return RecordedEvent(
        game_id=row["game_id"],
        sequence=row["sequence"],
        recorded_at=datetime.fromisoformat(row["recorded_at"]),
        source=row["source"],
        step=row["step"],
        event=event_from_document(_read_json(row, "event"), kinds),
    )


def _store_error(path: Path, error: DBAPIError) -> StoreError:
    """The sentence for what SQLite reports; only the low byte of its code names the fault."""
    fault = str(error.orig)
    code = getattr(error.orig, "sqlite_errorcode", sqlite3.SQLITE_ERROR) & 0xFF
    kind = SchemaError if code in SCHEMA_FAULTS else StoreError
    return kind(_sentence(code, str(path), fault))


def _sentence(code: int, name: str, fault: str) -> Phrase:
    match code:
        case sqlite3.SQLITE_FULL:
            return phrase("The disk with {name} is full; make room, then try again.", name=name)
        case sqlite3.SQLITE_BUSY | sqlite3.SQLITE_LOCKED:
            return phrase("{name} is in use by another program; close that one.", name=name)
        case sqlite3.SQLITE_READONLY | sqlite3.SQLITE_CANTOPEN | sqlite3.SQLITE_PERM:
            return phrase(
                "{name} cannot be written; give the right to its folder, or name another file.",
                name=name,
            )
        case sqlite3.SQLITE_NOTADB:
            return phrase("{name} is no database of games; name another file.", name=name)
        case sqlite3.SQLITE_CORRUPT:
            return phrase("{name} is damaged; put a copy of it back, or name another.", name=name)
        case _:
            return phrase(
                "{name} cannot be used ({fault}); look at its disk.", name=name, fault=fault
            )
