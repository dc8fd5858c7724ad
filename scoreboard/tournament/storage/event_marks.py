"""A director's marks on tournaments outside of their records: archive, bin, presets, photos.

    marks.change("winter-open-1f2e", archived_at=now)
    marks.of("winter-open-1f2e").archived_at

None of it is in the signed record: a tournament that is archived or deleted and restored is the
same to the letter.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import ColumnElement, delete, insert, select, update

from scoreboard.storage.database import Database
from scoreboard.storage.schema import METADATA
from scoreboard.tournament.storage.tables import CODES, DELIVERED_GAMES, DISPUTES, ITEMS
from scoreboard.tournament.storage.tables import EVENT_MARKS as MARKS
from scoreboard.tournament.storage.tables import EVENT_PRESETS as PRESETS
from scoreboard.tournament.storage.tables import TABLE_PHOTOS as PHOTOS


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
    """Marks, presets and photos in a database; each call is one transaction.

    Every method raises StoreError.
    """

    def __init__(self, database: Database) -> None:
        self._database = database

    def of(self, tournament_id: str) -> EventMarks:
        """The marks of a tournament; the default if it has none."""
        rows = self._database.rows(select(MARKS).where(MARKS.c.tournament_id == tournament_id))
        return next((EventMarks(*marks) for _, *marks in rows), EventMarks())

    def all(self) -> dict[str, EventMarks]:
        """The marks of all events that have some, by id."""
        rows = self._database.rows(select(MARKS))
        return {tournament_id: EventMarks(*marks) for tournament_id, *marks in rows}

    def change(self, tournament_id: str, **values: datetime | str | bool | None) -> None:
        """Change some marks of a stored tournament, by their names in `EventMarks`."""
        missing = self._database.dialect.insert_missing(MARKS)
        self._database.write(
            missing.values(tournament_id=tournament_id),
            update(MARKS).where(MARKS.c.tournament_id == tournament_id).values(values),
        )

    def erase(self, tournament_id: str) -> None:
        """Delete a tournament from the database, with the games, codes and photos of its tables."""
        games = select(DELIVERED_GAMES.c.game_id).where(
            _at_tables(DELIVERED_GAMES.c.table_name, tournament_id)
        )
        with self._database.writing() as connection:
            for table in (ITEMS, DISPUTES):
                connection.execute(delete(table).where(table.c.game_id.in_(games)))
            # in whatever table something of an event is kept, those that name others first
            for table in reversed(METADATA.sorted_tables):
                columns = table.columns
                seat = CODES.c.place if table is CODES else columns.get("table_name")
                if seat is not None:
                    connection.execute(delete(table).where(_at_tables(seat, tournament_id)))
                if "tournament_id" in columns:
                    theirs = columns["tournament_id"] == tournament_id
                    connection.execute(delete(table).where(theirs))

    def presets(self) -> dict[str, str]:
        """The settings saved by directors, as a format's text, by name."""
        return dict(sorted(map(tuple, self._database.rows(select(PRESETS)))))

    def save_preset(self, name: str, settings: str) -> None:
        """Store settings under a name; those of this name before are replaced."""
        self._database.write(
            delete(PRESETS).where(PRESETS.c.name == name),
            insert(PRESETS).values(name=name, settings=settings),
        )

    def delete_preset(self, name: str) -> None:
        self._database.write(delete(PRESETS).where(PRESETS.c.name == name))

    def keep_photo(self, table: str, photo: TablePhoto) -> None:
        """Store the newest photo of a table `TOURNAMENT/TABLE`, replacing the one before."""
        self._database.write(
            delete(PHOTOS).where(PHOTOS.c.table_name == table),
            insert(PHOTOS).values(table_name=table, taken_at=photo.taken_at, jpeg=photo.jpeg),
        )

    def photo(self, table: str) -> TablePhoto | None:
        """The newest photo of a table, or None."""
        rows = self._database.rows(select(PHOTOS).where(PHOTOS.c.table_name == table))
        return next((TablePhoto(taken_at, jpeg) for _, taken_at, jpeg in rows), None)

    def forget_photos(self, tournament_id: str) -> None:
        """Delete the photos of all tables of a tournament."""
        of_event = _at_tables(PHOTOS.c.table_name, tournament_id)
        self._database.write(delete(PHOTOS).where(of_event))


def _at_tables(seat: ColumnElement[str], tournament_id: str) -> ColumnElement[bool]:
    """Whether a column that holds `TOURNAMENT/TABLE` names a table of the event."""
    return seat.startswith(f"{tournament_id}/", autoescape=True)
