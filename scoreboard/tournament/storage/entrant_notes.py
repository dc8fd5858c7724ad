"""Officials' notes on entrants outside of the record: present, paid, addresses, notes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, Literal

from sqlalchemy import bindparam, select, update

from scoreboard.storage.database import Database
from scoreboard.tournament.storage.tables import ENTRANT_NOTES

THE_EVENT: Final = 0  # no entrant: `here_as` is not empty while players may check in by themselves


@dataclass(frozen=True, slots=True)
class EntrantNote:
    """The notes on an entrant; empty texts for none.

    `here_as` is the name that they checked in under: a replacement has to check in again; `paid_as`
    the one that they paid under.
    """

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
        rows = self._database.rows(select(ENTRANT_NOTES).where(this))
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
        this = (table.tournament_id == tournament_id, table.entrant == bindparam("of"))
        changed = update(ENTRANT_NOTES).where(*this).values({kind: bindparam("text")})
        with self._database.writing() as connection:
            connection.execute(missing, [{**nothing, "entrant": each} for each in texts])
            rows = [{"of": each, "text": text} for each, text in texts.items()]
            connection.execute(changed, rows)
