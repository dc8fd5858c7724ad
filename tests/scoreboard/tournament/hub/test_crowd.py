"""Many tables at once, in threads of one process."""

from __future__ import annotations

from random import Random

from scoreboard.tournament.storage.hub_store import SqlHubStore
from tests.scoreboard.storage.racing import race
from tests.scoreboard.tournament.hub.devices import quick_game, signed_by, some_points
from tests.scoreboard.tournament.hub.halls import Hall, Ticking, seats_of, token_of

TABLES = 12


def test_tables_that_report_at_once_are_all_heard(store: SqlHubStore, clock: Ticking) -> None:
    """Each sends item by item while others wait for words and the director looks."""
    hall = Hall(store, clock).begin_tables(TABLES)
    begun = hall.service.snapshot(hall.event).version

    def play(table: int) -> None:
        points = some_points(Random(table), 4)
        seats = seats_of(table)
        for item in quick_game(seats, points, *signed_by(seats), slot=(1, table, 1)):
            hall.deliver(table, f"g{table}", [item])

    def listen(table: int) -> None:
        update = hall.table_api.next_update(token_of(table), begun, 60)
        while not update.results or update.results[0].phase != "signed":
            update = hall.table_api.next_update(token_of(table), update.version, 60)

    acts = [
        lambda act=act, table=table: act(table)
        for table in range(1, TABLES + 1)
        for act in (play, listen)
    ]
    looks = [lambda: hall.table_api.tables(hall.event)] * 4
    assert race([*acts, *looks]) == [None] * (2 * TABLES + 4)
    assert {each.phase for each in hall.table_api.tables(hall.event)} == {"done"}
    assert hall.service.snapshot(hall.event).version == begun + 5 * TABLES
