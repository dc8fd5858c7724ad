"""Messages of the director to everybody, to a table or to a player; none enters the record."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

from sqlalchemy import Connection, delete, func, insert, select

from scoreboard.storage.database import Database
from scoreboard.tournament.storage.change_feed import ChangeFeed
from scoreboard.tournament.storage.tables import MESSAGES, MESSAGES_SEEN, RECORDS

EVERYBODY: Final = "all"
NEWEST_NEWS: Final = timedelta(hours=18)  # what was said on an earlier evening is not news


@dataclass(frozen=True, slots=True)
class HubMessage:
    """A message that stands until it is taken away.

    `addressee` is "all", "table N" or "player N"; `seen` are the entrants who tapped it away.
    """

    message_id: int
    addressee: str
    text: str
    sent_at: datetime
    sent_by: str
    seen: frozenset[int] = frozenset()

    def is_for(self, entrant: int, table: int | None) -> bool:
        """Whether it is for an entrant who sits at a table, or at none."""
        return self.addressee in {EVERYBODY, f"player {entrant}", f"table {table}"}


class SqlMessages:
    """The messages of every event. A change wakes whoever watches the event's record."""

    def __init__(self, database: Database, change_feed: ChangeFeed) -> None:
        self._database = database
        self._change_feed = change_feed

    def send(self, tournament_id: str, addressee: str, text: str, at: datetime, by: str) -> None:
        """Keep a message. Raises StoreError."""
        row = {
            "tournament_id": tournament_id,
            "addressee": addressee,
            "text": text,
            "sent_at": at.isoformat(),
            "sent_by": by,
        }
        with self._change_feed.publishing() as connection:
            connection.execute(insert(MESSAGES).values(row))
            self._publish(connection, tournament_id)

    def take_away(self, tournament_id: str, message_id: int) -> None:
        """Delete a message; one that is gone already is no fault. Raises StoreError."""
        messages = MESSAGES.c
        own = (messages.tournament_id == tournament_id, messages.message_id == message_id)
        with self._change_feed.publishing() as connection:
            connection.execute(delete(MESSAGES).where(*own))
            self._publish(connection, tournament_id)

    def note_seen(self, tournament_id: str, message_id: int, entrant: int) -> None:
        """An entrant has seen a message; of one that is gone nothing is kept. Raises StoreError."""
        row = {"message_id": message_id, "entrant": entrant}
        messages = MESSAGES.c
        own = (messages.tournament_id == tournament_id, messages.message_id == message_id)
        with self._change_feed.publishing() as connection:
            if connection.execute(select(messages.message_id).where(*own)).first() is not None:
                missing = self._database.dialect.insert_missing(MESSAGES_SEEN)
                connection.execute(missing.values(row))
                self._publish(connection, tournament_id)

    def of(self, tournament_id: str) -> tuple[HubMessage, ...]:
        """The messages of an event, newest first. Raises StoreError."""
        messages, seen = MESSAGES.c, MESSAGES_SEEN.c
        ours = select(MESSAGES).where(messages.tournament_id == tournament_id)
        by_whom = select(MESSAGES_SEEN).where(
            seen.message_id.in_(
                select(messages.message_id).where(messages.tournament_id == tournament_id)
            )
        )
        with self._database.glancing() as connection:
            rows = connection.execute(ours.order_by(messages.message_id.desc())).mappings().all()
            taps = connection.execute(by_whom).all() if rows else []
        who: Mapping[int, set[int]] = {row["message_id"]: set() for row in rows}
        for message_id, entrant in taps:
            who[message_id].add(entrant)
        return tuple(
            HubMessage(
                row["message_id"],
                row["addressee"],
                row["text"],
                datetime.fromisoformat(row["sent_at"]),
                row["sent_by"],
                frozenset(who[row["message_id"]]),
            )
            for row in rows
        )

    def _publish(self, connection: Connection, tournament_id: str) -> None:
        """Tell a change of the event: its record stays as long as it is."""
        last = select(func.max(RECORDS.c.sequence)).where(RECORDS.c.tournament_id == tournament_id)
        through = connection.execute(last).scalar() or 0
        self._change_feed.publish(connection, [("tournament", tournament_id, through)])
