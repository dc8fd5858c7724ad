"""Games in a database: when a method returns, its change is on disk."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from functools import partial
from typing import Final

from sqlalchemy import Connection, delete, func, insert, select, update
from sqlalchemy.exc import IntegrityError

from scoreboard.errors import SchemaError, UnknownGameError
from scoreboard.games import GAMES
from scoreboard.games.engine.transcript import (
    GameHeader,
    GameStatus,
    Kinds,
    RecordedEvent,
    StoredGame,
    TranscriptError,
    damaged,
)
from scoreboard.storage.backups import backups_of
from scoreboard.storage.database import Database, open_database
from scoreboard.storage.devices import SqlDevices
from scoreboard.storage.finished_games import LENGTH, SqlFinishedGames
from scoreboard.storage.profiles import (
    SqlProfiles,
    erase_players,
    renamed,
    shown_names,
    stored_name,
)
from scoreboard.storage.rows import (
    Row,
    as_json,
    event_row,
    header_row,
    moved_on,
    raw_lines,
    read_event,
    read_header,
    read_standing,
    read_time,
    require_successive,
    standing_row,
    taken,
)
from scoreboard.storage.schema import BIN_TABLE, EVENTS_TABLE, GAMES_TABLE, STANDINGS_TABLE
from scoreboard.storage.score_photos import SqlScorePhotos
from scoreboard.storage.watched_file import holds, last_recorded

_KEPT: Final = ("events", "finished", "abandoned", "totals")  # what a list reads of a standing


class SqlStore:
    """An event store in SQL; keeps the contract of `scoreboard.table.ports.EventStore`.

    All of its methods raise the contract's errors, and StoreError if the disk is full, cannot be
    written or read, or the server is away.

    `devices` and `profiles` are those of the same table, `photos` those of the games' steps,
    `finished` the figures of their players. Players are named as they are called now, but for those
    games that `keeps_names`: a tournament names their players. Thread-safe; each call is one
    transaction. Closing it closes its database.
    """

    def __init__(self, database: Database) -> None:
        self.devices: Final = SqlDevices(database)
        self.profiles: Final = SqlProfiles(database)
        self.photos: Final = SqlScorePhotos(database)
        self.finished: Final = SqlFinishedGames(database, self.profiles)
        self.keeps_names: Callable[[str], bool] = lambda _game_id: False
        self.close: Final = database.close
        # The open database, even if its file was deleted meanwhile
        self.back_up: Final = database.back_up
        self.copy_to: Final = database.copy_to
        self._database = database

    def open_game(self, header: GameHeader) -> None:
        with self._database.writing() as connection:
            _open(connection, header)
        self._database.dialect.note_last((header.game_id, 0))

    def append(
        self,
        game_id: str,
        expected: int,
        events: Sequence[RecordedEvent],
        standing: GameStatus | None = None,
    ) -> None:
        known = self.profiles.by_name()
        with self._database.writing() as connection:
            header = read_header(_listed_row(connection, game_id, locked=True))
            kinds = _kinds(header)
            stored = _length(connection, game_id)
            if stored != expected:
                raise moved_on(game_id, stored, expected)
            require_successive(game_id, expected, events)
            stored_as = partial(stored_name, players=header.players, known=known)
            rows = [event_row(renamed(one, stored_as), kinds) for one in events]
            if not rows:
                return
            connection.execute(insert(EVENTS_TABLE), rows)
            if standing is not None:
                _keep_standing(connection, game_id, standing_row(standing, expected + len(rows)))
        self._database.dialect.note_last((game_id, expected + len(rows)))

    def seat(self, game_id: str, players: Sequence[str]) -> None:
        known = self.profiles.by_name()
        with self._database.writing() as connection:
            before = read_header(_listed_row(connection, game_id, locked=True)).players
            stored = [stored_name(name, before, known) for name in players]
            this_game = update(GAMES_TABLE).where(GAMES_TABLE.c.game_id == game_id)
            connection.execute(this_game.values(players=as_json(stored)))

    def add_games(
        self,
        games: Sequence[tuple[GameHeader, Sequence[RecordedEvent]]],
        also: Callable[[Connection], None],
    ) -> None:
        """Store games and the rows that `also` writes: all or nothing. Raises ConflictError."""
        with self.profiles.changing() as connection:
            for header, records in games:
                _open(connection, header)
                require_successive(header.game_id, 0, records)
                if rows := [event_row(one, _kinds(header)) for one in records]:
                    connection.execute(insert(EVENTS_TABLE), rows)
            also(connection)
        if games:
            self._database.dialect.note_last((games[-1][0].game_id, len(games[-1][1])))

    def events(self, game_id: str) -> tuple[RecordedEvent, ...]:
        with self._database.reading() as connection:
            header = read_header(_listed_row(connection, game_id))
            kinds, rows = _kinds(header), _event_rows(connection, game_id)
        if [row["sequence"] for row in rows] != list(range(1, len(rows) + 1)):
            raise damaged(game_id)
        now = dict(zip(header.players, self._named(header).players, strict=True))
        records = (read_event(row, kinds) for row in rows)
        return tuple(renamed(record, lambda name: now.get(name, name)) for record in records)

    def header(self, game_id: str) -> GameHeader:
        with self._database.reading() as connection:
            header = read_header(_listed_row(connection, game_id))
        return self._named(header)

    def headers(self) -> tuple[GameHeader, ...]:
        listed = GAMES_TABLE.c.game_id.not_in(select(BIN_TABLE.c.game_id))
        query = select(GAMES_TABLE).where(listed).order_by(GAMES_TABLE.c.opened.desc())
        with self._database.reading() as connection:
            rows = connection.execute(query).mappings().all()
        return tuple(self._named(header) for header in map(_readable, rows) if header is not None)

    def games(
        self,
        start: int = 0,
        most: int | None = None,
        ids: Collection[str] | None = None,
        *,
        in_bin: bool = False,
        by_time: bool = False,
    ) -> tuple[StoredGame, ...]:
        opened = GAMES_TABLE.c.opened.desc()
        kept = (STANDINGS_TABLE.c[name].label(f"kept_{name}") for name in _KEPT)
        deleted_at = BIN_TABLE.c.deleted_at
        query = (
            select(GAMES_TABLE, *kept, deleted_at, LENGTH.label("length"))
            .outerjoin(STANDINGS_TABLE, GAMES_TABLE.c.game_id == STANDINGS_TABLE.c.game_id)
            .outerjoin(BIN_TABLE, GAMES_TABLE.c.game_id == BIN_TABLE.c.game_id)
            .where(deleted_at.is_not(None) if in_bin else deleted_at.is_(None))
            .order_by(*([GAMES_TABLE.c.opened_at.desc()] if by_time else []), opened)
            .offset(start)
            .limit(most)
        )
        if ids is not None:
            query = query.where(GAMES_TABLE.c.game_id.in_(ids))
        with self._database.reading() as connection:
            rows = connection.execute(query).mappings().all()
        return tuple(map(self._stored_game, rows))

    def count(self, *, in_bin: bool = False) -> int:
        binned = GAMES_TABLE.c.game_id.in_(select(BIN_TABLE.c.game_id))
        query = select(func.count()).select_from(GAMES_TABLE).where(binned if in_bin else ~binned)
        return self._database.value(query) or 0

    def raw(self, game_id: str) -> str:
        with self._database.reading() as connection:
            return raw_lines(_header_row(connection, game_id), _event_rows(connection, game_id))

    def keep_standings(self, standings: Mapping[str, tuple[int, GameStatus]]) -> None:
        query = select(GAMES_TABLE.c.game_id).where(GAMES_TABLE.c.game_id.in_(standings))
        with self._database.writing() as connection:
            for game_id in connection.execute(query.with_for_update()).scalars().all():
                events, standing = standings[game_id]
                if _length(connection, game_id) == events:
                    _keep_standing(connection, game_id, standing_row(standing, events))

    def put_in_bin(self, game_id: str, at: datetime) -> None:
        with self._database.writing() as connection:
            _listed_row(connection, game_id, locked=True)
            connection.execute(insert(BIN_TABLE).values(game_id=game_id, deleted_at=at.isoformat()))

    def take_back(self, game_id: str) -> None:
        with self._database.writing() as connection:
            taken_out = delete(BIN_TABLE).where(BIN_TABLE.c.game_id == game_id)
            if not connection.execute(taken_out).rowcount:
                raise UnknownGameError(game_id)

    def delete(self, game_id: str) -> None:
        with self._database.writing() as connection:
            if not self._forget(connection, [game_id]):
                raise UnknownGameError(game_id)

    def empty_bin(self, until: datetime) -> tuple[str, ...]:
        with self._database.writing() as connection:
            binned = connection.execute(select(BIN_TABLE.c.game_id, BIN_TABLE.c.deleted_at)).all()
            due = [game_id for game_id, at in binned if (time := read_time(at)) and time <= until]
            if due:
                self._forget(connection, due)
        return tuple(due)

    def erase(self, names: Collection[str]) -> None:
        with self.profiles.changing() as connection:
            erase_players(connection, names)
        self.checkpoint()  # the log has what was there before

    def checkpoint(self) -> None:
        """Fold the write-ahead log into the file, so that a copy holds all; not on a server."""
        if self._database.dialect.path is not None:
            self._database.dialect.require_in_place()
            with self._database.driver() as connection:
                connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()

    def is_backed_up(self) -> bool:
        """Whether the newest backup has the last record; always on a server."""
        path = self._database.dialect.path
        if path is None or (last := last_recorded(path)) is None:
            return True
        return any(holds(file, last) for file in backups_of(path)[-1:])

    def backed_up_at(self) -> datetime | None:
        """When the newest backup next to the file was made; None without one, and on a server."""
        path = self._database.dialect.path
        kept = () if path is None else backups_of(path)
        return datetime.fromtimestamp(kept[-1].stat().st_mtime, UTC) if kept else None

    def _forget(self, connection: Connection, ids: Sequence[str]) -> int:
        """Delete these games; returns their number."""
        doomed = GAMES_TABLE.c.game_id.in_(ids)
        newest = select(GAMES_TABLE.c.game_id).where(~doomed).order_by(GAMES_TABLE.c.opened.desc())
        other = connection.execute(newest.limit(1)).scalar_one_or_none()
        last = None if other is None else (other, _length(connection, other))
        self._database.dialect.note_last(last)
        return connection.execute(delete(GAMES_TABLE).where(doomed)).rowcount

    def _stored_game(self, row: Row) -> StoredGame:
        header = standing = None
        if found := _readable(row):
            header = self._named(found)
            if row["kept_events"] == row["length"]:
                kept = {name: row[f"kept_{name}"] for name in _KEPT}
                standing = read_standing(kept, len(header.players))
        return StoredGame(str(row["game_id"]), header, standing, read_time(row["deleted_at"]))

    def _named(self, header: GameHeader) -> GameHeader:
        if self.keeps_names(header.game_id):
            return header
        return replace(header, players=shown_names(header.players, self.profiles.by_name()))


def _kinds(header: GameHeader) -> Kinds:
    if header.game not in GAMES:
        raise SchemaError.worded(
            "This Tablescore has no rulebook “{game}”; update it to read game “{game_id}”.",
            game=header.game,
            game_id=header.game_id,
        )
    return GAMES[header.game].kinds


def _open(connection: Connection, header: GameHeader) -> None:
    """Store a new game's header. Raises ConflictError if its id is taken."""
    try:
        connection.execute(insert(GAMES_TABLE).values(header_row(header)))
    except IntegrityError as error:
        raise taken(header.game_id) from error


def _header_row(connection: Connection, game_id: str, *, locked: bool = False) -> Row:
    """The game's row; `locked` keeps others from appending until the transaction ends.

    SQLite leaves FOR UPDATE out: its writers have locked the file.
    """
    query = select(GAMES_TABLE).where(GAMES_TABLE.c.game_id == game_id)
    row = connection.execute(query.with_for_update() if locked else query).mappings().one_or_none()
    if row is None:
        raise UnknownGameError(game_id)
    return row


def _listed_row(connection: Connection, game_id: str, *, locked: bool = False) -> Row:
    """The row of a game that is not in the bin; see `_header_row`."""
    row = _header_row(connection, game_id, locked=locked)
    binned = select(BIN_TABLE.c.game_id).where(BIN_TABLE.c.game_id == game_id)
    if connection.execute(binned).scalar_one_or_none() is not None:
        raise UnknownGameError(game_id, in_bin=True)
    return row


def _event_rows(connection: Connection, game_id: str) -> Sequence[Row]:
    events = EVENTS_TABLE.c
    query = select(EVENTS_TABLE).where(events.game_id == game_id).order_by(events.sequence)
    return connection.execute(query).mappings().all()


def _length(connection: Connection, game_id: str) -> int:
    """The sequence of the game's last event."""
    last = select(func.max(EVENTS_TABLE.c.sequence)).where(EVENTS_TABLE.c.game_id == game_id)
    return connection.execute(last).scalar_one() or 0


def _readable(row: Row) -> GameHeader | None:
    try:
        return read_header(row)
    except TranscriptError:
        return None


def _keep_standing(connection: Connection, game_id: str, kept: Mapping[str, object]) -> None:
    changed = update(STANDINGS_TABLE).where(STANDINGS_TABLE.c.game_id == game_id).values(kept)
    if not connection.execute(changed).rowcount:
        connection.execute(insert(STANDINGS_TABLE).values(game_id=game_id, **kept))


def open_store(url: str) -> SqlStore:
    """Open the store at an address, as `open_database` takes it. Raises StoreError, SchemaError."""
    return SqlStore(open_database(url))
