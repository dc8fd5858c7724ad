"""Games kept in a database: what a method returned from has reached the disk."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from sqlalchemy import Connection, delete, func, insert, select
from sqlalchemy.exc import IntegrityError

from scoreboard.errors import SchemaError, UnknownGameError
from scoreboard.game import Game
from scoreboard.phrase import phrase
from scoreboard.store.database import Database
from scoreboard.store.refusals import moved_on, require_successive, taken
from scoreboard.store.rows import event_row, header_row, read_event, read_header
from scoreboard.store.schema import EVENTS_TABLE, GAMES_TABLE
from scoreboard.transcript import GameHeader, Kinds, RecordedEvent


class SqlStore:
    """An event store in SQL; keeps the contract of `scoreboard.table.ports.EventStore`.

    `games` are the rulebooks by stored name: they declare how their events are written.
    Any thread may call it; each call is one transaction. Closing it closes its database.
    """

    def __init__(self, database: Database, games: Mapping[str, Game[Any, Any, Any]]) -> None:
        self._database = database
        self._games = games

    def close(self) -> None:
        """Let go of the database."""
        self._database.close()

    def open_game(self, header: GameHeader) -> None:
        """Keep a new game's header.

        Raises:
            ConflictError: the id is taken.
            StoreError: the disk is full or cannot be written, or the server is away.
        """
        with self._database.writing() as connection:
            try:
                connection.execute(insert(GAMES_TABLE).values(header_row(header)))
            except IntegrityError as error:
                raise taken(header.game_id) from error

    def append(self, game_id: str, expected: int, events: Sequence[RecordedEvent]) -> None:
        """Append all of `events` or none, when the game has `expected` events already.

        Raises:
            ConflictError: the game has another number of events.
            UnknownGameError: there is no such game.
            StoreError: the disk is full or cannot be written, or the server is away.
        """
        with self._database.writing() as connection:
            kinds = self._kinds(_header(connection, game_id, locked=True))
            count = select(func.count()).where(EVENTS_TABLE.c.game_id == game_id)
            stored = connection.execute(count).scalar_one()
            if stored != expected:
                raise moved_on(game_id, stored, expected)
            require_successive(game_id, expected, events)
            if events:
                connection.execute(insert(EVENTS_TABLE), [event_row(one, kinds) for one in events])

    def events(self, game_id: str) -> tuple[RecordedEvent, ...]:
        """All events of a game in order.

        Raises:
            UnknownGameError: there is no such game.
            SchemaError: the game's rulebook is not known to this version.
            TranscriptError: an event cannot be read.
            StoreError: the database cannot be read.
        """
        query = (
            select(EVENTS_TABLE)
            .where(EVENTS_TABLE.c.game_id == game_id)
            .order_by(EVENTS_TABLE.c.sequence)
        )
        with self._database.reading() as connection:
            kinds = self._kinds(_header(connection, game_id))
            rows = connection.execute(query).mappings().all()
        return tuple(read_event(row, kinds) for row in rows)

    def header(self, game_id: str) -> GameHeader:
        """A game's header. Raises UnknownGameError, StoreError."""
        with self._database.reading() as connection:
            return _header(connection, game_id)

    def headers(self) -> tuple[GameHeader, ...]:
        """All games, newest first. Raises StoreError."""
        query = select(GAMES_TABLE).order_by(GAMES_TABLE.c.opened.desc())
        with self._database.reading() as connection:
            return tuple(read_header(row) for row in connection.execute(query).mappings())

    def delete(self, game_id: str) -> None:
        """Forget a game and its events. Raises UnknownGameError, StoreError."""
        with self._database.writing() as connection:
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


def _header(connection: Connection, game_id: str, *, locked: bool = False) -> GameHeader:
    """The game's header; `locked` keeps others from appending until the transaction ends.

    SQLite leaves FOR UPDATE out: its writers have locked the file.
    """
    query = select(GAMES_TABLE).where(GAMES_TABLE.c.game_id == game_id)
    found = connection.execute(query.with_for_update() if locked else query)
    row = found.mappings().one_or_none()
    if row is None:
        raise UnknownGameError(game_id)
    return read_header(row)
