"""Messages of the director to everybody, to a table or to a player; none is in the record."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

from sqlalchemy import ColumnElement, Executable, delete, func, insert, literal, select

from scoreboard.storage.database import Database
from scoreboard.tournament.storage.change_feed import ChangeFeed
from scoreboard.tournament.storage.seen import require_seen
from scoreboard.tournament.storage.tables import MESSAGES, MESSAGES_SEEN, RECORDS

EVERYBODY: Final = "all"
NEWEST_NEWS: Final = timedelta(hours=18)  # what was said on an earlier evening is not news


@dataclass(frozen=True, slots=True)
class HubMessage:
    """A message, until it is taken away.

    `addressee` is "all", "table N" or "player N"; `seen` are the entrants who dismissed it.
    """

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
    """The messages of every tournament. A change wakes the viewers of its record."""

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
        """Store a message, if the newest one is the one that was `seen`.

        Raises:
            OutdatedError: there is another one.
            StoreError: the database cannot be written.
        """
        sent = insert(MESSAGES).values(
            tournament_id=tournament_id, addressee=addressee, text=text, sent_at=at, sent_by=by
        )
        self._change(tournament_id, sent, seen)

    def take_away(self, tournament_id: str, message_id: int) -> None:
        """Delete a message; one that is gone already is no fault. Raises StoreError."""
        self._change(tournament_id, delete(MESSAGES).where(*_this(tournament_id, message_id)))

    def note_seen(self, tournament_id: str, message_id: int, entrant: int) -> None:
        """An entrant has seen a message; ignored if it is gone. Raises StoreError."""
        tap = select(MESSAGES.c.message_id, literal(entrant))
        tap = tap.where(*_this(tournament_id, message_id))
        missing = self._database.dialect.insert_missing(MESSAGES_SEEN)
        self._change(tournament_id, missing.from_select(["message_id", "entrant"], tap))

    def of(self, tournament_id: str) -> tuple[HubMessage, ...]:
        """The messages of an event, newest first. Raises StoreError."""
        ours, newest = MESSAGES.c.tournament_id == tournament_id, MESSAGES.c.message_id.desc()
        rows = self._database.rows(select(MESSAGES).where(ours).order_by(newest))
        taps = select(MESSAGES_SEEN).join(MESSAGES).where(ours)
        seen: dict[int, set[int]] = defaultdict(set)
        for message_id, entrant in self._database.rows(taps) if rows else ():
            seen[message_id].add(entrant)
        return tuple(
            HubMessage(number, addressee, text, sent_at, by, frozenset(seen[number]))
            for number, _, addressee, text, sent_at, by in rows
        )

    def _change(self, tournament_id: str, statement: Executable, seen: int | None = None) -> None:
        """Execute it, and publish a change of the tournament without a new record."""
        last = select(func.max(RECORDS.c.sequence)).where(RECORDS.c.tournament_id == tournament_id)
        newest = select(func.max(MESSAGES.c.message_id))
        newest = newest.where(MESSAGES.c.tournament_id == tournament_id)
        with self._change_feed.publishing() as connection:
            require_seen(self._database, connection, newest, seen)
            connection.execute(statement)
            through = connection.execute(last).scalar() or 0
            self._change_feed.publish(connection, [("tournament", tournament_id, through)])


def _this(tournament_id: str, message_id: int) -> tuple[ColumnElement[bool], ...]:
    return MESSAGES.c.tournament_id == tournament_id, MESSAGES.c.message_id == message_id
