"""A hub with tables that have joined, for its tests."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import datetime
from random import Random

from scoreboard.tournament.hub.admission import Admission
from scoreboard.tournament.hub.table_api import TableApi
from scoreboard.tournament.hub.tournament_service import TournamentService
from scoreboard.tournament.model.tournament import Reported
from scoreboard.tournament.protocol.hub_update import JoinRequest
from scoreboard.tournament.protocol.items import Delivery, Item, Receipt
from scoreboard.tournament.storage.hub_store import SqlHubStore
from tests.scoreboard.tournament.hub.events import KEY, begun_event


def token_of(table: int) -> str:
    """The token of the device at a table."""
    return f"token-of-table-{table:-<40}"


class Hall:
    """A hub as one process has it: its desk, its joining and its reception over a store."""

    def __init__(self, store: SqlHubStore, clock: Callable[[], datetime]) -> None:
        self.store = store
        self.service = TournamentService(store, clock, KEY)
        self.admission = Admission(store.people, clock, Random(1))
        self.table_api = TableApi(store, self.service, self.admission, clock)
        self.event = ""

    def begin(self) -> Hall:
        """Eight players at two tables, whose devices have joined; round 1 is under way."""
        self.event = begun_event(self.service)
        self.join(1, 2)
        return self

    def join(self, *tables: int) -> None:
        """Let the devices of these tables in."""
        for table in tables:
            code = self.admission.offer_code(self.event, table)
            self.table_api.join(JoinRequest(code, f"Table {table}", token_of(table)))

    def deliver(self, table: int, game_id: str, items: Sequence[Item]) -> Receipt:
        """A table's device sends items."""
        return self.table_api.deliver(token_of(table), Delivery(game_id, tuple(items)))

    def reported(self, table: int = 1, game: int = 1, *, of: int = 1) -> Reported | None:
        """What the event has of a table's game in a round."""
        return self.service.snapshot(self.event).state.rounds[of - 1].results.get((table, game))
