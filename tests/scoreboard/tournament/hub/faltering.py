"""A store under which a hub is killed: now and then it keeps what it is given, and says nothing."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from random import Random

from scoreboard.errors import StoreError
from scoreboard.message import message
from scoreboard.tournament.hub.ports import (
    Deliveries,
    HubStore,
    People,
    Presence,
    Tournaments,
)
from scoreboard.tournament.protocol.audit_log import TournamentHeader, TournamentRecord
from scoreboard.tournament.protocol.items import Dispute, Held, Item
from scoreboard.tournament.storage.change_feed import ChangeFeed


class Fate:
    """When the hub is killed: before it writes, after it has written, or not."""

    def __init__(self, chance: Random, odds: float) -> None:
        self._chance = chance
        self.odds = odds

    def strikes(self) -> None:
        """Kill the hub, perhaps."""
        if self._chance.random() < self.odds:
            raise StoreError(message("The hub was killed."))


class FalteringDeliveries:
    """Deliveries that may be kept without an answer."""

    def __init__(self, kept: Deliveries, fate: Fate) -> None:
        self._kept = kept
        self._fate = fate

    def take(self, table: str, game_id: str, items: Sequence[Item]) -> Held:
        """Keep the items, and perhaps not live to say so."""
        self._fate.strikes()
        held = self._kept.take(table, game_id, items)
        self._fate.strikes()
        return held

    def held(self, game_id: str) -> Held:
        """What is held of a game."""
        return self._kept.held(game_id)

    def game(self, game_id: str, after: int = 0) -> tuple[Item, ...]:
        """The held items."""
        self._fate.strikes()
        return self._kept.game(game_id, after)

    def table_of(self, game_id: str) -> str | None:
        """The table of a game."""
        return self._kept.table_of(game_id)

    def games_of(self, table: str) -> tuple[str, ...]:
        """The games of a table."""
        return self._kept.games_of(table)

    def disputes(self) -> tuple[Dispute, ...]:
        """What was offered beside what is held."""
        return self._kept.disputes()


class FalteringTournaments:
    """Logbooks that may be written without an answer."""

    def __init__(self, kept: Tournaments, fate: Fate) -> None:
        self._kept = kept
        self._fate = fate

    def create(self, tournament_id: str, name: str, at: datetime) -> None:
        """Begin a logbook."""
        self._kept.create(tournament_id, name, at)

    def headers(self) -> tuple[TournamentHeader, ...]:
        """All tournaments."""
        return self._kept.headers()

    def append(
        self, tournament_id: str, expected: int, records: Sequence[TournamentRecord]
    ) -> None:
        """Append the records, and perhaps not live to say so."""
        self._fate.strikes()
        self._kept.append(tournament_id, expected, records)
        self._fate.strikes()

    def records(self, tournament_id: str, after: int = 0) -> tuple[TournamentRecord, ...]:
        """The records of a tournament."""
        return self._kept.records(tournament_id, after)


class FalteringStore:
    """A store as one process of a hub has it that is killed at times."""

    def __init__(self, kept: HubStore, fate: Fate) -> None:
        self.tournaments: Tournaments = FalteringTournaments(kept.tournaments, fate)
        self.deliveries: Deliveries = FalteringDeliveries(kept.deliveries, fate)
        self.people: People = kept.people
        self.presence: Presence = kept.presence
        self.change_feed: ChangeFeed = kept.change_feed

    def close(self) -> None:
        """The store is closed by who opened it."""
