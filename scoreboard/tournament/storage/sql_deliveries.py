"""What tables deliver, in a database: each item exactly once by its key."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from sqlalchemy import Connection, bindparam, select

from scoreboard.storage.database import Database
from scoreboard.tournament.protocol.items import Dispute, Held, Item, held_from
from scoreboard.tournament.protocol.throttle import Throttle
from scoreboard.tournament.storage.batcher import Batcher
from scoreboard.tournament.storage.encoding import read, written
from scoreboard.tournament.storage.intake import Intake, Offer
from scoreboard.tournament.storage.sql_change_log import SqlChangeLog
from scoreboard.tournament.storage.tables import DELIVERED_GAMES, DISPUTES, ITEMS

REST_SECONDS: Final = 0.05  # between two transactions, so that many deliveries share one
_GAME: Final = (
    select(ITEMS.c.sequence, ITEMS.c.body)
    .where(ITEMS.c.game_id == bindparam("game_id"), ITEMS.c.sequence > bindparam("after"))
    .order_by(ITEMS.c.sequence)
)
_TABLE: Final = select(DELIVERED_GAMES.c.table_name).where(
    DELIVERED_GAMES.c.game_id == bindparam("game_id")
)


class SqlDeliveries:
    """Keeps the contract of `scoreboard.tournament.hub.ports.Deliveries`.

    Each call is one transaction, but for those of `take` that come at once: they share one.
    """

    def __init__(self, database: Database, change_log: SqlChangeLog) -> None:
        self._database = database
        intake = Intake(database, change_log)
        # a file is for an event whose deliveries seldom meet; there nobody need wait for others
        rest = Throttle(REST_SECONDS if database.dialect.reaches_processes else 0.0)
        self._batcher = Batcher(intake.take, lambda offer: offer.game_id, rest.rest)

    def take(self, table: str, game_id: str, items: Sequence[Item]) -> Held:
        """Keep the items that are not held yet, and answer what is held of the game now.

        Raises:
            DisputedDeliveryError: items differ from the held ones of their sequences.
            ConflictError: the game is another table's; nothing is kept.
            StoreError: the database cannot be written.
            ValueError: a body is not JSON; nothing is kept.
        """
        offered = [(item.sequence, written(item.body)) for item in items]
        return self._batcher.ask(Offer(table, game_id, offered))

    def held(self, game_id: str) -> Held:
        """What is held of a game; nothing of an unknown one. Raises StoreError."""
        query = select(DELIVERED_GAMES.c.through).where(DELIVERED_GAMES.c.game_id == game_id)
        with self._database.reading() as connection:
            through = connection.execute(query).scalar_one_or_none() or 0
            return held_from(through, _above(connection, game_id, through))

    def game(self, game_id: str, after: int = 0) -> tuple[Item, ...]:
        """The held items above the sequence `after`, in order. Raises StoreError."""
        with self._database.glancing() as connection:
            rows = connection.execute(_GAME, {"game_id": game_id, "after": after}).all()
        return tuple(Item(sequence, read(body)) for sequence, body in rows)

    def table_of(self, game_id: str) -> str | None:
        """The table that delivers of a game; None for an unknown one. Raises StoreError."""
        with self._database.glancing() as connection:
            return connection.execute(_TABLE, {"game_id": game_id}).scalar_one_or_none()

    def games_of(self, table: str) -> tuple[str, ...]:
        """The ids of a table's games, first delivered first. Raises StoreError."""
        query = (
            select(DELIVERED_GAMES.c.game_id)
            .where(DELIVERED_GAMES.c.table_name == table)
            .order_by(DELIVERED_GAMES.c.opened)
        )
        with self._database.glancing() as connection:
            return tuple(connection.execute(query).scalars())

    def disputes(self) -> tuple[Dispute, ...]:
        """What was offered for sequences that hold something else, oldest first.

        Raises:
            StoreError: the database cannot be read.
        """
        held = (ITEMS.c.game_id == DISPUTES.c.game_id) & (ITEMS.c.sequence == DISPUTES.c.sequence)
        query = (
            select(DISPUTES, DELIVERED_GAMES.c.table_name, ITEMS.c.body)
            .join(ITEMS, held)
            .join(DELIVERED_GAMES, DELIVERED_GAMES.c.game_id == DISPUTES.c.game_id)
            .order_by(DISPUTES.c.noted)
        )
        with self._database.reading() as connection:
            rows = connection.execute(query).all()
        return tuple(
            Dispute(row.game_id, row.sequence, row.table_name, read(row.body), read(row.offered))
            for row in rows
        )


def _above(connection: Connection, game_id: str, through: int) -> list[int]:
    """The held sequences above the one up to which nothing is missing."""
    query = select(ITEMS.c.sequence).where(ITEMS.c.game_id == game_id, ITEMS.c.sequence > through)
    return list(connection.execute(query).scalars())
