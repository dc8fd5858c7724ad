"""Many tables at once, in threads of one process."""

from __future__ import annotations

from random import Random

from scoreboard.tournament.model.draw import Draw, TableSeats
from scoreboard.tournament.model.rounds import DrawByHand, StartRound
from scoreboard.tournament.storage.hub_store import SqlHubStore
from tests.scoreboard.storage.racing import race
from tests.scoreboard.tournament.hub.clocks import Ticking
from tests.scoreboard.tournament.hub.devices import quick_game, signed_by, some_points
from tests.scoreboard.tournament.hub.events import DIRECTOR, entered_event
from tests.scoreboard.tournament.hub.halls import Hall, token_of
from tests.scoreboard.tournament.model.directing import KIM

TABLES = 12


def test_tables_that_report_at_once_are_all_heard(store: SqlHubStore, clock: Ticking) -> None:
    """Each sends item by item while others wait for words and the director looks."""
    hall = Hall(store, clock)
    hall.event = entered_event(hall.service, entrants=4 * TABLES)
    seats = {table: tuple(range(4 * table - 3, 4 * table + 1)) for table in range(1, TABLES + 1)}
    draw = Draw(tuple(TableSeats(table, each) for table, each in seats.items()))
    hall.service.give_all(hall.event, (DrawByHand(draw, **KIM), StartRound()), DIRECTOR)
    hall.join(*seats)
    begun = hall.service.snapshot(hall.event).version

    def play(table: int) -> None:
        points = some_points(Random(table), 4)
        voices = signed_by(seats[table])
        for item in quick_game(seats[table], points, *voices, slot=(1, table, 1)):
            hall.deliver(table, f"g{table}", [item])

    def listen(table: int) -> None:
        update = hall.table_api.next_update(token_of(table), begun, 60)
        while not update.results or update.results[0].phase != "signed":
            update = hall.table_api.next_update(token_of(table), update.version, 60)

    acts = [lambda act=act, table=table: act(table) for table in seats for act in (play, listen)]
    looks = [lambda: hall.table_api.tables(hall.event)] * 4
    assert race([*acts, *looks]) == [None] * (2 * TABLES + 4)
    assert {each.phase for each in hall.table_api.tables(hall.event)} == {"done"}
    assert hall.service.snapshot(hall.event).version == begun + 5 * TABLES
