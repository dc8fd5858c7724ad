"""A hub's data of a tournament outside its signed record: marks, notes, messages, photos."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Final, Literal

import sqlalchemy as sa

from scoreboard.storage.database import Database
from scoreboard.storage.schema import METADATA
from scoreboard.tournament.storage.change_feed import ChangeFeed
from scoreboard.tournament.storage.tables import (
    CODES,
    DELIVERED_GAMES,
    DISPUTES,
    ENTRANT_NOTES,
    ITEMS,
    MESSAGES,
    MESSAGES_SEEN,
    RECORDS,
    SLIP_PHOTOS,
    require_seen,
)
from scoreboard.tournament.storage.tables import EVENT_MARKS as MARKS
from scoreboard.tournament.storage.tables import EVENT_PRESETS as PRESETS
from scoreboard.tournament.storage.tables import TABLE_PHOTOS as PHOTOS

THE_EVENT: Final = 0  # no entrant: `here_as` is not empty while players may check in themselves
EVERYBODY: Final = "all"
NEWEST_NEWS: Final = timedelta(hours=18)  # a message of an earlier evening is not news
MOST_SLIP_PHOTO_BYTES: Final = 200_000
_SLIPS = SLIP_PHOTOS.c


@dataclass(frozen=True, slots=True)
class EventMarks:
    """The marks of a tournament.

    `archived_at` takes it out of the list, `deleted_at` into the bin. A `test` one counts nowhere;
    `photos` lets tables show their last roll; those of one `section` heading are listed together,
    and "" is none.
    """

    archived_at: datetime | None = None
    deleted_at: datetime | None = None
    test: bool = False
    photos: bool = False
    section: str = ""


@dataclass(frozen=True, slots=True)
class TablePhoto:
    """The newest photo that a table sent, a JPEG."""

    taken_at: datetime
    jpeg: bytes


class SqlEventMarks:
    """Marks, presets and photos; each call is one transaction, and any may raise StoreError."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def of(self, tournament_id: str) -> EventMarks:
        """The marks of a tournament; the default if it has none."""
        rows = self._database.rows(sa.select(MARKS).where(MARKS.c.tournament_id == tournament_id))
        return next((EventMarks(*marks) for _, *marks in rows), EventMarks())

    def all(self) -> dict[str, EventMarks]:
        """The marks of all tournaments that have some, by id."""
        rows = self._database.rows(sa.select(MARKS))
        return {tournament_id: EventMarks(*marks) for tournament_id, *marks in rows}

    def change(self, tournament_id: str, **values: datetime | str | bool | None) -> None:
        """Change some marks of a stored tournament, by their names in `EventMarks`."""
        missing = self._database.dialect.insert_missing(MARKS)
        self._database.write(
            missing.values(tournament_id=tournament_id),
            sa.update(MARKS).where(MARKS.c.tournament_id == tournament_id).values(values),
        )

    def erase(self, tournament_id: str) -> None:
        """Delete a tournament from the database, with the games, codes and photos of its tables."""
        games = sa.select(DELIVERED_GAMES.c.game_id).where(
            _table_of(DELIVERED_GAMES.c.table_name, tournament_id)
        )
        with self._database.writing() as connection:
            for table in (ITEMS, DISPUTES):
                connection.execute(sa.delete(table).where(table.c.game_id.in_(games)))
            # in every table that keeps something of a tournament, those that name others first
            for table in reversed(METADATA.sorted_tables):
                columns = table.columns
                seat = CODES.c.place if table is CODES else columns.get("table_name")
                if seat is not None:
                    connection.execute(sa.delete(table).where(_table_of(seat, tournament_id)))
                if "tournament_id" in columns:
                    theirs = columns["tournament_id"] == tournament_id
                    connection.execute(sa.delete(table).where(theirs))

    def presets(self) -> dict[str, str]:
        """The settings saved by directors, as a format's text, by name."""
        return dict(sorted(map(tuple, self._database.rows(sa.select(PRESETS)))))

    def save_preset(self, name: str, settings: str) -> None:
        """Store settings under a name, replacing those of this name before."""
        self._database.write(
            sa.delete(PRESETS).where(PRESETS.c.name == name),
            sa.insert(PRESETS).values(name=name, settings=settings),
        )

    def delete_preset(self, name: str) -> None:
        self._database.write(sa.delete(PRESETS).where(PRESETS.c.name == name))

    def keep_photo(self, table: str, photo: TablePhoto) -> None:
        """Store the newest photo of a table `TOURNAMENT/TABLE`, replacing the one before."""
        self._database.write(
            sa.delete(PHOTOS).where(PHOTOS.c.table_name == table),
            sa.insert(PHOTOS).values(table_name=table, taken_at=photo.taken_at, jpeg=photo.jpeg),
        )

    def photo(self, table: str) -> TablePhoto | None:
        """The newest photo of a table, or None."""
        rows = self._database.rows(sa.select(PHOTOS).where(PHOTOS.c.table_name == table))
        return next((TablePhoto(taken_at, jpeg) for _, taken_at, jpeg in rows), None)

    def forget_photos(self, tournament_id: str) -> None:
        """Delete the photos of all tables of a tournament."""
        self._database.write(sa.delete(PHOTOS).where(_table_of(PHOTOS.c.table_name, tournament_id)))


def _table_of(seat: sa.ColumnElement[str], tournament_id: str) -> sa.ColumnElement[bool]:
    """Whether a column that holds `TOURNAMENT/TABLE` names a table of the tournament."""
    return seat.startswith(f"{tournament_id}/", autoescape=True)


@dataclass(frozen=True, slots=True)
class EntrantNote:
    """Notes on an entrant, "" for none; `here_as` and `paid_as` are their names at that time."""

    here_as: str = ""
    email: str = ""
    note: str = ""
    paid_as: str = ""


NOTHING: Final = EntrantNote()


class SqlEntrantNotes:
    """Private and temporary data of entrants, deleted with their tournament; thread-safe."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def of(self, tournament_id: str) -> Mapping[int, EntrantNote]:
        """The notes on a tournament's entrants, by entry number. Raises StoreError."""
        this = ENTRANT_NOTES.c.tournament_id == tournament_id
        rows = self._database.rows(sa.select(ENTRANT_NOTES).where(this))
        return {entrant: EntrantNote(*kept) for _, entrant, *kept in rows}

    def keep(
        self,
        tournament_id: str,
        kind: Literal["here_as", "email", "note", "paid_as"],
        texts: Mapping[int, str],
    ) -> None:
        """Store a text of one kind for these entrants. Raises StoreError."""
        if not texts:
            return
        missing, table = self._database.dialect.insert_missing(ENTRANT_NOTES), ENTRANT_NOTES.c
        nothing = {"tournament_id": tournament_id, "here_as": "", "email": "", "note": ""}
        this = (table.tournament_id == tournament_id, table.entrant == sa.bindparam("of"))
        changed = sa.update(ENTRANT_NOTES).where(*this).values({kind: sa.bindparam("text")})
        with self._database.writing() as connection:
            connection.execute(missing, [{**nothing, "entrant": each} for each in texts])
            rows = [{"of": each, "text": text} for each, text in texts.items()]
            connection.execute(changed, rows)


@dataclass(frozen=True, slots=True)
class HubMessage:
    """A message to "all", "table N" or "player N"; `seen` are the entrants who dismissed it."""

    message_id: int
    addressee: str
    text: str
    sent_at: datetime
    sent_by: str
    seen: frozenset[int] = frozenset()

    def is_for(self, entrant: int, table: int | None) -> bool:
        """Whether it is for an entrant at a table, or at none."""
        return self.addressee in {EVERYBODY, f"player {entrant}", f"table {table}"}


class SqlMessages:
    """Messages, whose changes wake the record's viewers; any method may raise StoreError."""

    def __init__(self, database: Database, change_feed: ChangeFeed) -> None:
        self._database = database
        self._change_feed = change_feed

    def send(  # noqa: PLR0913 -- a message, by its parts
        self,
        tournament_id: str,
        addressee: str,
        text: str,
        at: datetime,
        by: str,
        *,
        seen: int | None = None,
    ) -> None:
        """Store a message. Raises OutdatedError if the newest one is not the one `seen`."""
        sent = sa.insert(MESSAGES).values(
            tournament_id=tournament_id, addressee=addressee, text=text, sent_at=at, sent_by=by
        )
        self._change(tournament_id, sent, seen)

    def take_away(self, tournament_id: str, message_id: int) -> None:
        """Delete a message; one that is gone already is no fault."""
        self._change(tournament_id, sa.delete(MESSAGES).where(*_this(tournament_id, message_id)))

    def note_seen(self, tournament_id: str, message_id: int, entrant: int) -> None:
        """An entrant has seen a message; ignored if it is gone."""
        tap = sa.select(MESSAGES.c.message_id, sa.literal(entrant))
        tap = tap.where(*_this(tournament_id, message_id))
        missing = self._database.dialect.insert_missing(MESSAGES_SEEN)
        self._change(tournament_id, missing.from_select(["message_id", "entrant"], tap))

    def of(self, tournament_id: str) -> tuple[HubMessage, ...]:
        """The messages of a tournament, newest first."""
        ours, newest = MESSAGES.c.tournament_id == tournament_id, MESSAGES.c.message_id.desc()
        rows = self._database.rows(sa.select(MESSAGES).where(ours).order_by(newest))
        taps = sa.select(MESSAGES_SEEN).join(MESSAGES).where(ours)
        seen: dict[int, set[int]] = defaultdict(set)
        for message_id, entrant in self._database.rows(taps) if rows else ():
            seen[message_id].add(entrant)
        return tuple(
            HubMessage(number, addressee, text, sent_at, by, frozenset(seen[number]))
            for number, _, addressee, text, sent_at, by in rows
        )

    def _change(self, tournament_id: str, change: sa.Executable, seen: int | None = None) -> None:
        """Execute it, and publish a change of the tournament without a new record."""
        last = sa.select(sa.func.max(RECORDS.c.sequence)).where(
            RECORDS.c.tournament_id == tournament_id
        )
        newest = sa.select(sa.func.max(MESSAGES.c.message_id))
        newest = newest.where(MESSAGES.c.tournament_id == tournament_id)
        with self._change_feed.publishing() as connection:
            require_seen(self._database, connection, newest, seen)
            connection.execute(change)
            through = connection.execute(last).scalar() or 0
            self._change_feed.publish(connection, [("tournament", tournament_id, through)])


def _this(tournament_id: str, message_id: int) -> tuple[sa.ColumnElement[bool], ...]:
    return MESSAGES.c.tournament_id == tournament_id, MESSAGES.c.message_id == message_id


@dataclass(frozen=True, slots=True)
class SlipPhoto:
    """A result slip that was read: `seen` is JSON, the reading of each row; `taken` counts."""

    taken: int
    code: str
    seen: list[Any]


class SqlSlipPhotos:
    """Photos of slips, waiting or kept with the result; any method may raise StoreError."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def add(
        self, tournament_id: str, code: str, at: datetime, jpeg: bytes, seen: list[Any]
    ) -> None:
        """Store a waiting slip, replacing a waiting one of the same code."""
        row = {"tournament_id": tournament_id, "code": code, "taken_at": at, "jpeg": jpeg}
        row |= {"seen": json.dumps(seen), "kept": 0}
        old = (*_waiting(tournament_id), _SLIPS.code == code)
        self._database.write(sa.delete(SLIP_PHOTOS).where(*old), sa.insert(SLIP_PHOTOS).values(row))

    def waiting(self, tournament_id: str) -> tuple[SlipPhoto, ...]:
        """The slips whose result was not entered yet, in order of arrival."""
        query = sa.select(_SLIPS.taken, _SLIPS.code, _SLIPS.seen).where(*_waiting(tournament_id))
        rows = self._database.rows(query.order_by(_SLIPS.taken))
        return tuple(SlipPhoto(taken, code, json.loads(seen)) for taken, code, seen in rows)

    def kept(self, tournament_id: str, codes: Collection[str]) -> tuple[int, ...]:
        """The photos of slips with these codes whose result was entered, in order of arrival."""
        these = (_SLIPS.tournament_id == tournament_id, _SLIPS.kept == 1, _SLIPS.code.in_(codes))
        query = sa.select(_SLIPS.taken).where(*these).order_by(_SLIPS.taken)
        return tuple(taken for (taken,) in self._database.rows(query))

    def jpeg(self, tournament_id: str, taken: int) -> bytes | None:
        """The photo of a slip of this tournament; None if there is none."""
        this = (_SLIPS.tournament_id == tournament_id, _SLIPS.taken == taken)
        return self._database.value(sa.select(_SLIPS.jpeg).where(*this))

    def keep(self, tournament_id: str, taken: int) -> None:
        """Keep a photo with its entered result."""
        this = (_SLIPS.tournament_id == tournament_id, _SLIPS.taken == taken)
        self._database.write(sa.update(SLIP_PHOTOS).where(*this).values(kept=1))

    def discard(self, tournament_id: str, taken: int) -> None:
        """Delete a waiting photo."""
        this = (*_waiting(tournament_id), _SLIPS.taken == taken)
        self._database.write(sa.delete(SLIP_PHOTOS).where(*this))


def _waiting(tournament_id: str) -> tuple[sa.ColumnElement[bool], ...]:
    return _SLIPS.tournament_id == tournament_id, _SLIPS.kept == 0
