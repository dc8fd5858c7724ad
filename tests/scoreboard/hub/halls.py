"""A hub with tables that have joined, for its tests."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from scoreboard.delivery import Item
from scoreboard.hub.desk import HubDesk
from scoreboard.hub.joining import Joining
from scoreboard.hub.ports import Clock, HubStore
from scoreboard.hub.reception import Reception
from scoreboard.tournament.tournament_round import Reported
from scoreboard.wire.delivering import Delivery, Receipt
from scoreboard.wire.joining import JoinRequest
from tests.scoreboard.hub.events import KEY, begun_event


def token_of(table: int) -> str:
    """The token of the device at a table."""
    return f"token-of-table-{table:-<40}"


class Hall:
    """A hub as one process has it: its desk, its joining and its reception over a store."""

    def __init__(self, store: HubStore, clock: Clock) -> None:
        self.store = store
        self.desk = HubDesk(store, clock, KEY)
        self.joining = Joining(store.people, clock, Random(1))
        self.reception = Reception(store, self.desk, self.joining, clock)
        self.event = ""

    def begin(self) -> Hall:
        """Eight players at two tables, whose devices have joined; round 1 is under way."""
        self.event = begun_event(self.desk)
        self.join(1, 2)
        return self

    def join(self, *tables: int) -> None:
        """Let the devices of these tables in."""
        for table in tables:
            code = self.joining.offer_code(self.event, table)
            self.reception.join(JoinRequest(code, f"Table {table}", token_of(table)))

    def deliver(self, table: int, game_id: str, items: Sequence[Item]) -> Receipt:
        """A table's device sends items."""
        return self.reception.deliver(token_of(table), Delivery(game_id, tuple(items)))

    def reported(self, table: int = 1, game: int = 1, *, of: int = 1) -> Reported | None:
        """What the event has of a table's game in a round."""
        return self.desk.look(self.event).state.rounds[of - 1].results.get((table, game))
