"""What officials keep of an event's entrants beside its record: who is here, addresses, notes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Final, Literal

from sqlalchemy import select, update

from scoreboard.storage.database import Database
from scoreboard.tournament.storage.tables import ENTRANT_NOTES, TOURNAMENTS, written_time

Kept = Literal["here_as", "email", "note"]


@dataclass(frozen=True, slots=True)
class EntrantNote:
    """What is kept of an entrant; empty texts for nothing.

    `here_as` is the name that they checked in under: a replacement has to check in again.
    """

    here_as: str = ""
    email: str = ""
    note: str = ""


NOTHING_KEPT: Final = EntrantNote()


class SqlEntrantNotes:
    """Private and passing things about entrants, deleted with their event; safe for threads."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def of(self, tournament_id: str) -> Mapping[int, EntrantNote]:
        """What is kept of an event's entrants, by entry number. Raises StoreError."""
        table = ENTRANT_NOTES.c
        query = select(table.entrant, table.here_as, table.email, table.note).where(
            table.tournament_id == tournament_id
        )
        with self._database.glancing() as connection:
            rows = connection.execute(query).all()
        return {entrant: EntrantNote(*kept) for entrant, *kept in rows}

    def keep(self, tournament_id: str, kind: Kept, texts: Mapping[int, str]) -> None:
        """Keep a text of one kind for these entrants. Raises StoreError."""
        if not texts:
            return
        table = ENTRANT_NOTES.c
        rows = [
            {
                "tournament_id": tournament_id,
                "entrant": each,
                "here_as": "",
                "email": "",
                "note": "",
            }
            for each in texts
        ]
        with self._database.writing() as connection:
            connection.execute(self._database.dialect.insert_missing(ENTRANT_NOTES), rows)
            for each, text in texts.items():
                this = (table.tournament_id == tournament_id, table.entrant == each)
                connection.execute(update(ENTRANT_NOTES).where(*this).values({kind: text}))

    def open_check_in(self, tournament_id: str, at: datetime | None) -> None:
        """Let players check in from now on, or no longer for None. Raises StoreError."""
        since = None if at is None else written_time(at)
        event = update(TOURNAMENTS).where(TOURNAMENTS.c.tournament_id == tournament_id)
        with self._database.writing() as connection:
            connection.execute(event.values(check_in_since=since))

    def is_check_in_open(self, tournament_id: str) -> bool:
        """Whether players may check in by themselves. Raises StoreError."""
        query = select(TOURNAMENTS.c.check_in_since).where(
            TOURNAMENTS.c.tournament_id == tournament_id
        )
        with self._database.glancing() as connection:
            return connection.execute(query).scalar_one_or_none() is not None
