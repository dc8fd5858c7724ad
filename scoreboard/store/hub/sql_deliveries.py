"""What tables deliver, in a database: each item exactly once by its key."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from sqlalchemy import Connection, insert, select, update

from scoreboard.delivery import Dispute, DisputedDeliveryError, Held, Item, held_from
from scoreboard.store.database import Database
from scoreboard.store.hub.sifting import Sifted, sift
from scoreboard.store.hub.sql_newsroom import SqlNewsroom
from scoreboard.store.hub.tables import DELIVERED_GAMES, DISPUTES, ITEMS
from scoreboard.store.hub.writing import digest, read, written
from scoreboard.store.refusals import of_another_table

Offered = Sequence[tuple[int, str]]


class SqlDeliveries:
    """Keeps the contract of `scoreboard.hub.ports.Deliveries`; each call is one transaction."""

    def __init__(self, database: Database, newsroom: SqlNewsroom) -> None:
        self._database = database
        self._newsroom = newsroom

    def take(self, table: str, game_id: str, items: Sequence[Item]) -> Held:
        """Keep the items that are not held yet, and answer what is held of the game now.

        Raises:
            DisputedDeliveryError: items differ from the held ones of their sequences.
            ConflictError: the game is another table's; nothing is kept.
            StoreError: the database cannot be written.
            ValueError: a body is not JSON; nothing is kept.
        """
        offered = [(item.sequence, written(item.body)) for item in items]
        with self._newsroom.telling() as connection:
            through = self._locked_game(connection, table, game_id)
            known = _known(connection, game_id, through, offered)
            sifted = sift(known, offered)
            held = held_from(through, known.keys() | sifted.new.keys())
            if sifted.new:
                self._keep(connection, game_id, held.through, sifted.new)
            disputes = self._note(connection, table, game_id, sifted)
        if disputes:
            raise DisputedDeliveryError(disputes, held)
        return held

    def held(self, game_id: str) -> Held:
        """What is held of a game; nothing of an unknown one. Raises StoreError."""
        query = select(DELIVERED_GAMES.c.through).where(DELIVERED_GAMES.c.game_id == game_id)
        with self._database.reading() as connection:
            through = connection.execute(query).scalar_one_or_none() or 0
            return held_from(through, _above(connection, game_id, through))

    def game(self, game_id: str, after: int = 0) -> tuple[Item, ...]:
        """The held items above the sequence `after`, in order. Raises StoreError."""
        query = (
            select(ITEMS.c.sequence, ITEMS.c.body)
            .where(ITEMS.c.game_id == game_id, ITEMS.c.sequence > after)
            .order_by(ITEMS.c.sequence)
        )
        with self._database.reading() as connection:
            rows = connection.execute(query).all()
        return tuple(Item(sequence, read(body)) for sequence, body in rows)

    def table_of(self, game_id: str) -> str | None:
        """The table that delivers of a game; None for an unknown one. Raises StoreError."""
        query = select(DELIVERED_GAMES.c.table_name).where(DELIVERED_GAMES.c.game_id == game_id)
        with self._database.reading() as connection:
            return connection.execute(query).scalar_one_or_none()

    def games_of(self, table: str) -> tuple[str, ...]:
        """The ids of a table's games, first delivered first. Raises StoreError."""
        query = (
            select(DELIVERED_GAMES.c.game_id)
            .where(DELIVERED_GAMES.c.table_name == table)
            .order_by(DELIVERED_GAMES.c.opened)
        )
        with self._database.reading() as connection:
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

    def _locked_game(self, connection: Connection, table: str, game_id: str) -> int:
        """How far the game is held, its row held for this transaction; made where it is new."""
        query = (
            select(DELIVERED_GAMES.c.table_name, DELIVERED_GAMES.c.through)
            .where(DELIVERED_GAMES.c.game_id == game_id)
            .with_for_update()
        )
        found = connection.execute(query).one_or_none()
        if found is None:
            row = {"game_id": game_id, "table_name": table, "through": 0}
            missing = self._database.dialect.insert_missing(DELIVERED_GAMES)
            connection.execute(missing.values(row))
            found = connection.execute(query).one()  # a faster one's, perhaps
        if found.table_name != table:
            raise of_another_table(game_id, found.table_name)
        through: int = found.through
        return through

    def _keep(
        self, connection: Connection, game_id: str, through: int, new: Mapping[int, str]
    ) -> None:
        """Keep what is new. How far the game reaches stands in its row: no answer counts all."""
        rows = [
            {"game_id": game_id, "sequence": sequence, "body": body}
            for sequence, body in new.items()
        ]
        connection.execute(insert(ITEMS), rows)
        reached = update(DELIVERED_GAMES).where(DELIVERED_GAMES.c.game_id == game_id)
        connection.execute(reached.values(through=through))
        self._newsroom.publish(connection, "game", game_id, through)

    def _note(
        self, connection: Connection, table: str, game_id: str, sifted: Sifted
    ) -> list[Dispute]:
        for sequence, _, offered in sifted.disputed:
            row = {
                "game_id": game_id,
                "sequence": sequence,
                "offered": offered,
                "offered_sha256": digest(offered),
            }
            missing = self._database.dialect.insert_missing(DISPUTES).values(row)
            if connection.execute(missing.returning(DISPUTES.c.noted)).first():
                self._newsroom.publish(connection, "dispute", game_id, sequence)
        return [
            Dispute(game_id, sequence, table, read(held), read(offered))
            for sequence, held, offered in sifted.disputed
        ]


def _known(connection: Connection, game_id: str, through: int, offered: Offered) -> dict[int, str]:
    """The bodies held in the range of the offered sequences, and above `through`."""
    sequences = [sequence for sequence, _ in offered] or [0]
    query = select(ITEMS.c.sequence, ITEMS.c.body).where(
        ITEMS.c.game_id == game_id,
        (ITEMS.c.sequence > through) | ITEMS.c.sequence.between(min(sequences), max(sequences)),
    )
    return {row.sequence: row.body for row in connection.execute(query)}


def _above(connection: Connection, game_id: str, through: int) -> list[int]:
    """The held sequences above the one up to which nothing is missing."""
    query = select(ITEMS.c.sequence).where(ITEMS.c.game_id == game_id, ITEMS.c.sequence > through)
    return list(connection.execute(query).scalars())
