"""Several processes of a hub over one PostgreSQL, here as several stores of one server."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack, closing
from random import Random

import pytest

from scoreboard.tournament.model.entrant import Entrant
from scoreboard.tournament.model.entries import Enter
from scoreboard.tournament.storage.hub_store import SqlHubStore, open_hub_store
from tests.scoreboard.storage.racing import race
from tests.scoreboard.tournament.hub.halls import (
    DIRECTOR,
    Hall,
    Ticking,
    quick_game,
    seats_of,
    signed_by,
    some_points,
    token_of,
)
from tests.scoreboard.tournament.model.directing import EVENING

FOUR, OTHERS = (1, 2, 3, 4), (5, 6, 7, 8)
POINTS = "+60 -10 -20 -30"


@pytest.fixture
def halls(postgresql: str, clock: Ticking) -> Iterator[tuple[Hall, Hall]]:
    """Two processes of one hub, an event of two tables under way."""
    with ExitStack() as opened:
        stores = [opened.enter_context(closing(open_hub_store(postgresql))) for _ in range(2)]
        one, other = (Hall(store, clock) for store in stores)
        other.event = one.begin().event
        yield one, other


def test_processes_that_race_lose_nothing(halls: tuple[Hall, Hall]) -> None:
    """Threads of both enter each their own player: all are entered, once."""
    event = halls[0].service.open("Cup", EVENING, DIRECTOR)
    acts = [
        lambda number=number: halls[number % 2].service.give(
            event, Enter(Entrant(number, f"Player {number}")), DIRECTOR
        )
        for number in range(1, 13)
    ]
    assert race(acts) == [None] * 12
    assert halls[0].service.snapshot(event) == halls[1].service.snapshot(event)
    assert sorted(halls[0].service.snapshot(event).state.numbers) == list(range(1, 13))


def test_a_delivery_doubled_to_two_processes_counts_once(halls: tuple[Hall, Hall]) -> None:
    """Both take it at the same time, and the event has one result, signed by all."""
    items = quick_game(FOUR, POINTS, *signed_by(FOUR))
    acts = [lambda hall=hall: hall.deliver(1, "g1", items) for hall in halls * 3]
    assert race(acts) == [None] * 6
    assert halls[0].service.snapshot(halls[0].event).version == 10 + 1 + 4
    assert halls[1].reported().phase == "signed"


def test_a_game_told_to_two_processes_is_one_game(halls: tuple[Hall, Hall]) -> None:
    """Each hears every other item; whoever hears the last one gives the commands."""
    items = quick_game(FOUR, POINTS, *signed_by(FOUR))
    for place, item in enumerate(items):
        halls[place % 2].deliver(1, "g1", [item])
    assert halls[0].reported().phase == "signed"


def test_both_see_all_tables(halls: tuple[Hall, Hall]) -> None:
    """What one was told of a running game, and when it was heard, the other shows too."""
    one, other = halls
    assert {each.phase for each in other.table_api.tables(other.event)} == {"waiting"}
    one.deliver(2, "g2", quick_game(OTHERS, POINTS, slot=(1, 2, 1))[:1])
    first, second = other.table_api.tables(other.event)
    assert (first.phase, second.phase) == ("waiting", "playing")
    assert second.last_contact is not None
    assert second.progress is not None
    assert second.progress.players == tuple(f"Player {number}" for number in OTHERS)


def test_a_word_that_is_waited_for_comes_from_the_other_process(halls: tuple[Hall, Hall]) -> None:
    """A table waits at one process while its game is reported at the other."""
    one, other = halls
    before = one.table_api.next_update(token_of(1), 0, 0)
    versions: list[int] = []
    acts = [
        lambda: versions.append(one.table_api.next_update(token_of(1), before.version, 60).version),
        lambda: other.deliver(1, "g1", quick_game(FOUR, POINTS)),
    ]
    assert race(acts) == [None, None]
    assert versions == [11]


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
