"""A store under which a hub is killed: now and then it keeps what it is given, and says nothing."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from scoreboard.errors import StoreError
from scoreboard.message import message
from scoreboard.tournament.protocol.audit_log import TournamentRecord
from scoreboard.tournament.protocol.items import Item, StoredItems
from scoreboard.tournament.storage.deliveries import SqlDeliveries
from scoreboard.tournament.storage.hub_store import SqlHubStore
from scoreboard.tournament.storage.tournaments import SqlTournaments


class Fate:
    """When the hub is killed: before it writes, after it has written, or not."""

    def __init__(self, chance: Random, odds: float) -> None:
        self._chance = chance
        self.odds = odds

    def strikes(self) -> None:
        """Kill the hub, perhaps."""
        if self._chance.random() < self.odds:
            raise StoreError(message("The hub was killed."))


class FalteringDeliveries(SqlDeliveries):
    """Deliveries that may be kept without an answer."""

    def __init__(self, kept: SqlDeliveries, fate: Fate) -> None:
        vars(self).update(vars(kept))
        self._fate = fate

    def take(self, table: str, game_id: str, items: Sequence[Item]) -> StoredItems:
        """Keep the items, and perhaps not live to say so."""
        self._fate.strikes()
        held = super().take(table, game_id, items)
        self._fate.strikes()
        return held

    def game(self, game_id: str, after: int = 0) -> tuple[Item, ...]:
        """The held items."""
        self._fate.strikes()
        return super().game(game_id, after)


class FalteringTournaments(SqlTournaments):
    """Audit logs that may be written without an answer."""

    def __init__(self, kept: SqlTournaments, fate: Fate) -> None:
        vars(self).update(vars(kept))
        self._fate = fate

    def append(
        self, tournament_id: str, expected: int, records: Sequence[TournamentRecord]
    ) -> None:
        """Append the records, and perhaps not live to say so."""
        self._fate.strikes()
        super().append(tournament_id, expected, records)
        self._fate.strikes()


class FalteringStore(SqlHubStore):
    """A store as one process of a hub has it that is killed at times."""

    def __init__(self, kept: SqlHubStore, fate: Fate) -> None:
        vars(self).update(vars(kept))
        self.tournaments = FalteringTournaments(kept.tournaments, fate)
        self.deliveries = FalteringDeliveries(kept.deliveries, fate)

    def close(self) -> None:
        """The store is closed by who opened it."""
