"""Deliveries of tables: each item is stored once, and simultaneous ones share a transaction."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from sqlalchemy import Connection, bindparam, insert, select, update

from scoreboard.errors import ConflictError
from scoreboard.storage.database import Database
from scoreboard.tournament.protocol import items as protocol
from scoreboard.tournament.protocol.items import Item
from scoreboard.tournament.protocol.throttle import Throttle
from scoreboard.tournament.storage.batcher import Batcher
from scoreboard.tournament.storage.change_feed import Change, ChangeFeed
from scoreboard.tournament.storage.tables import (
    DELIVERED_GAMES,
    DISPUTES,
    ITEMS,
    digest,
    read,
    written,
)

Bodies = dict[int, str]

# Made once: on a busy evening making a statement takes as long as carrying it out.
_GAMES: Final = (
    select(DELIVERED_GAMES.c.game_id, DELIVERED_GAMES.c.table_name, DELIVERED_GAMES.c.through)
    .where(DELIVERED_GAMES.c.game_id.in_(bindparam("game_ids", expanding=True)))
    .order_by(DELIVERED_GAMES.c.game_id)
    .with_for_update()
)
_ABOVE: Final = (
    select(ITEMS.c.game_id, ITEMS.c.sequence, ITEMS.c.body)
    .join(DELIVERED_GAMES, DELIVERED_GAMES.c.game_id == ITEMS.c.game_id)
    .where(
        ITEMS.c.game_id.in_(bindparam("game_ids", expanding=True)),
        ITEMS.c.sequence > DELIVERED_GAMES.c.through,
    )
)
_BELOW: Final = select(ITEMS.c.sequence, ITEMS.c.body).where(
    ITEMS.c.game_id == bindparam("game_id"),
    ITEMS.c.sequence.between(bindparam("first"), bindparam("last")),
)
_REACHING: Final = (
    update(DELIVERED_GAMES)
    .where(DELIVERED_GAMES.c.game_id == bindparam("reaching"))
    .values(through=bindparam("reached"))
)
REST_SECONDS: Final = 0.05  # between two transactions, so that many deliveries share one
_ITEMS_OF_GAME: Final = (
    select(ITEMS.c.sequence, ITEMS.c.body)
    .where(ITEMS.c.game_id == bindparam("game_id"), ITEMS.c.sequence > bindparam("after"))
    .order_by(ITEMS.c.sequence)
)
_TABLE_OF_GAME: Final = select(DELIVERED_GAMES.c.table_name).where(
    DELIVERED_GAMES.c.game_id == bindparam("game_id")
)


@dataclass(frozen=True, slots=True)
class DeliveryOffer:
    """A table's delivery of a game: pairs of a sequence and a body as `written`."""

    table: str
    game_id: str
    items: Sequence[tuple[int, str]]


@dataclass(frozen=True, slots=True)
class _Taken:
    """An offer and its outcome.

    `new` are the bodies to store, `disputed` (sequence, held body, offered body) in the order in
    which they came; of a sequence that comes twice the first counts. Bodies as `written`.
    """

    offer: DeliveryOffer
    held: protocol.StoredItems
    new: Bodies = field(default_factory=dict)
    disputed: list[tuple[int, str, str]] = field(default_factory=list)

    @property
    def answer(self) -> protocol.StoredItems | Exception:
        """The items held now, or the disputes."""
        if not self.disputed:
            return self.held
        offer = self.offer
        disputes = [
            protocol.ItemDispute(offer.game_id, sequence, offer.table, read(held), read(offered))
            for sequence, held, offered in self.disputed
        ]
        return protocol.DisputedDeliveryError(disputes, self.held)


def _held_games(connection: Connection, game_ids: Sequence[str]) -> dict[str, Any]:
    """The rows of these games, locked: each with its table and stored extent."""
    return {row.game_id: row for row in connection.execute(_GAMES, {"game_ids": game_ids})}


def _sifted(
    connection: Connection, games: Mapping[str, Any], offers: Sequence[DeliveryOffer]
) -> Iterable[_Taken]:
    """Each offer, sorted into new, held and contradicting items."""
    above: dict[str, Bodies] = {}  # the held items above the one up to which nothing is missing
    for row in connection.execute(_ABOVE, {"game_ids": [offer.game_id for offer in offers]}):
        above.setdefault(row.game_id, {})[row.sequence] = row.body
    for offer in offers:
        through = games[offer.game_id].through
        known = above.get(offer.game_id, {})
        if again := [sequence for sequence, _ in offer.items if sequence <= through]:
            asked = {"game_id": offer.game_id, "first": min(again), "last": max(again)}
            known |= {row.sequence: row.body for row in connection.execute(_BELOW, asked)}
        new: Bodies = {}
        disputed = []
        for sequence, body in offer.items:
            before = known.get(sequence, new.get(sequence))
            if before is None:
                new[sequence] = body
            elif before != body:
                disputed.append((sequence, before, body))
        yield _Taken(offer, protocol.held_from(through, known.keys() | new.keys()), new, disputed)


def _keep(connection: Connection, taken: Iterable[_Taken]) -> None:
    """Store new items. A game's extent is in its row: no answer counts all items."""
    fresh = [one for one in taken if one.new]
    if not fresh:
        return
    rows = [
        {"game_id": one.offer.game_id, "sequence": sequence, "body": body}
        for one in fresh
        for sequence, body in one.new.items()
    ]
    connection.execute(insert(ITEMS), rows)
    reached = [{"reaching": one.offer.game_id, "reached": one.held.through} for one in fresh]
    connection.execute(_REACHING, reached)


class SqlDeliveries:
    """The items that tables deliver, each of a game exactly once; any may raise StoreError."""

    def __init__(self, database: Database, change_feed: ChangeFeed) -> None:
        self._database = database
        self._change_feed = change_feed
        # a file is for a tournament whose deliveries seldom meet; there none need wait for others
        rest = Throttle(REST_SECONDS if database.dialect.reaches_processes else 0.0)
        self._batcher = Batcher(self._take_in, lambda offer: offer.game_id, rest.rest)

    def take(self, table: str, game_id: str, items: Sequence[Item]) -> protocol.StoredItems:
        """Store the items that are not held yet, and answer what is held of the game now.

        Items may come late, twice and in any order. The game belongs to the table that first
        delivered of it. Publishes a change of the topic “game” when something new was stored.

        Raises DisputedDeliveryError for items that differ from the held ones, which are noted
        while the others are stored; ConflictError for another table's game, and ValueError for a
        body that is not JSON.
        """
        offered = [(item.sequence, written(item.body)) for item in items]
        return self._batcher.ask(DeliveryOffer(table, game_id, offered))

    def held(self, game_id: str) -> protocol.StoredItems:
        """The items held of a game; none of an unknown one."""
        query = select(DELIVERED_GAMES.c.through).where(DELIVERED_GAMES.c.game_id == game_id)
        with self._database.reading() as connection:
            through = connection.execute(query).scalar_one_or_none() or 0
            above = select(ITEMS.c.sequence).where(
                ITEMS.c.game_id == game_id, ITEMS.c.sequence > through
            )
            return protocol.held_from(through, connection.execute(above).scalars())

    def game(self, game_id: str, after: int = 0, most: int | None = None) -> tuple[Item, ...]:
        """The held items above `after`, in order, above gaps too; the first `most` of them."""
        query = _ITEMS_OF_GAME if most is None else _ITEMS_OF_GAME.limit(most)
        rows = self._database.rows(query, {"game_id": game_id, "after": after})
        return tuple(Item(sequence, read(body)) for sequence, body in rows)

    def table_of(self, game_id: str) -> str | None:
        """The table that delivers of a game; None for an unknown one."""
        return self._database.value(_TABLE_OF_GAME, {"game_id": game_id})

    def games_of(self, table: str) -> tuple[str, ...]:
        """The ids of a table's games, first delivered first."""
        query = (
            select(DELIVERED_GAMES.c.game_id)
            .where(DELIVERED_GAMES.c.table_name == table)
            .order_by(DELIVERED_GAMES.c.opened)
        )
        return tuple(game_id for (game_id,) in self._database.rows(query))

    def disputes(self) -> tuple[protocol.ItemDispute, ...]:
        """The bodies offered for sequences that hold something else, oldest first."""
        held = (ITEMS.c.game_id == DISPUTES.c.game_id) & (ITEMS.c.sequence == DISPUTES.c.sequence)
        query = (
            select(DISPUTES, DELIVERED_GAMES.c.table_name, ITEMS.c.body)
            .join(ITEMS, held)
            .join(DELIVERED_GAMES, DELIVERED_GAMES.c.game_id == DISPUTES.c.game_id)
            .order_by(DISPUTES.c.noted)
        )
        return tuple(
            protocol.ItemDispute(
                row.game_id, row.sequence, row.table_name, read(row.body), read(row.offered)
            )
            for row in self._database.rows(query)
        )

    def _take_in(self, offers: Sequence[DeliveryOffer]) -> list[protocol.StoredItems | Exception]:
        """Store the new items of offers, each of another game; the stock of each, or a refusal."""
        with self._change_feed.publishing() as connection:
            games = self._locked_games(connection, offers)
            own = [offer for offer in offers if games[offer.game_id].table_name == offer.table]
            taken = list(_sifted(connection, games, own))
            _keep(connection, taken)
            changes = [each for one in taken for each in self._noted(connection, one)]
            self._change_feed.publish(connection, changes)
        answers = {one.offer.game_id: one.answer for one in taken}
        return [
            answers.get(offer.game_id)
            or ConflictError.worded(
                "Game “{game_id}” is delivered by table “{holder}”, and by no other.",
                game_id=offer.game_id,
                holder=games[offer.game_id].table_name,
            )
            for offer in offers
        ]

    def _locked_games(
        self, connection: Connection, offers: Iterable[DeliveryOffer]
    ) -> Mapping[str, Any]:
        """The rows of games, made for new ones, locked by id: no process waits in a circle."""
        tables = {offer.game_id: offer.table for offer in offers}
        games = _held_games(connection, sorted(tables))
        if missing := sorted(tables.keys() - games.keys()):
            rows = [{"game_id": each, "table_name": tables[each], "through": 0} for each in missing]
            connection.execute(self._database.dialect.insert_missing(DELIVERED_GAMES), rows)
            games |= _held_games(connection, missing)  # a faster one's, perhaps
        return games

    def _noted(self, connection: Connection, taken: _Taken) -> list[Change]:
        """The changes to publish of an offer; each dispute is noted once."""
        game_id, changes = taken.offer.game_id, list[Change]()
        if taken.new:
            changes.append(("game", game_id, taken.held.through))
        for sequence, _, offered in taken.disputed:
            row = {"game_id": game_id, "sequence": sequence, "offered": offered}
            missing = self._database.dialect.insert_missing(DISPUTES).values(row)
            missing = missing.values(offered_sha256=digest(offered))
            if connection.execute(missing.returning(DISPUTES.c.noted)).first():
                changes.append(("dispute", game_id, sequence))
        return changes
