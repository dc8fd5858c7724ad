"""Whatever the way and the hub's end do to deliveries, the event is as after one clean delivery."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scoreboard.errors import StoreError
from scoreboard.message import message
from scoreboard.tournament.model.tournament import Event
from scoreboard.tournament.model.tournament_format import TournamentFormat
from scoreboard.tournament.protocol.hub_update import Greeting
from scoreboard.tournament.protocol.items import DisputedBy, Item, SignedBy, StoredItems
from scoreboard.tournament.storage.deliveries import SqlDeliveries
from scoreboard.tournament.storage.hub_store import SqlHubStore
from scoreboard.tournament.storage.tournaments import Records, SqlTournaments
from tests.scoreboard.tournament.hub.halls import (
    Hall,
    ResultAnswer,
    Ticking,
    items_of,
    names,
    quick_game,
    seats_of,
    some_points,
    token_of,
)
from tests.scoreboard.tournament.storage.temporary import temporary_store


class Fate:
    """When the hub is killed: before it writes, after it has written, or not."""

    def __init__(self, chance: Random, odds: float) -> None:
        self._chance = chance
        self.odds = odds

    def strikes(self) -> None:
        if self._chance.random() < self.odds:
            raise StoreError(message("The hub was killed."))


class FalteringDeliveries(SqlDeliveries):
    """Deliveries that may be kept without an answer."""

    def __init__(self, kept: SqlDeliveries, fate: Fate) -> None:
        vars(self).update(vars(kept))
        self._fate = fate

    def take(self, table: str, game_id: str, items: Sequence[Item]) -> StoredItems:
        self._fate.strikes()
        held = super().take(table, game_id, items)
        self._fate.strikes()
        return held

    def game(self, game_id: str, after: int = 0, most: int | None = None) -> tuple[Item, ...]:
        self._fate.strikes()
        return super().game(game_id, after, most)


class FalteringTournaments(SqlTournaments):
    """Audit logs that may be written without an answer."""

    def __init__(self, kept: SqlTournaments, fate: Fate) -> None:
        vars(self).update(vars(kept))
        self._fate = fate

    def carry_on(
        self, tournament_id: str, after: int, decide: Callable[[Records], Records]
    ) -> None:
        self._fate.strikes()
        super().carry_on(tournament_id, after, decide)
        self._fate.strikes()


class FalteringStore(SqlHubStore):
    """A store as one process of a hub has it that is killed at times."""

    def __init__(self, kept: SqlHubStore, fate: Fate) -> None:
        vars(self).update(vars(kept))
        self.tournaments = FalteringTournaments(kept.tournaments, fate)
        self.deliveries = FalteringDeliveries(kept.deliveries, fate)

    def close(self) -> None:
        """The store is closed by who opened it."""


FOUR = (1, 2, 3, 4)
seeds = st.integers(0, 2**32)


def some_game(chance: Random) -> tuple[Item, ...]:
    """A game whose moves are taken back at times before its end, and what is said of it then."""
    lost = {entrant: chance.randint(1, 60) for entrant in FOUR[1:]}
    acts = ["rummikub Player 1"]
    for entrant, points in lost.items():
        if chance.random() < 0.3 and entrant != FOUR[-1]:
            acts += [f"points Player {entrant}, {points + 1}", "undo"]
        acts.append(f"points Player {entrant}, {points}")
    head = f"game rummikub\nplayers {names(FOUR)}\noption turns scores\noption rounds 1\n"
    return items_of(head + "\n".join(acts), FOUR, *some_answers(chance))


def some_answers(chance: Random) -> tuple[ResultAnswer, ...]:
    """Some sign, twice perhaps; at times somebody disputes."""
    signers = chance.choices(FOUR, k=chance.randint(0, 6))
    answers: list[ResultAnswer] = [SignedBy(entrant) for entrant in signers]
    if chance.random() < 0.3:
        answers.insert(
            chance.randint(0, len(answers)), DisputedBy(chance.choice(FOUR), "miscounted")
        )
    return tuple(answers)


def some_deliveries(items: Sequence[Item], chance: Random) -> Iterator[tuple[Item, ...]]:
    """Parts of the items, of any size, doubled and out of order."""
    for _ in range(chance.randint(0, 12)):
        part = chance.choices(items, k=chance.randint(1, len(items)))
        yield tuple(part)


def what_happened(hall: Hall) -> list[tuple[str, Event]]:
    """What the event's record has of the tables: who did what."""
    recorded = hall.service.events(hall.event, after=10)
    return [(each.source, each.event) for each in recorded]


def delivered_at_once(items: Sequence[Item]) -> list[tuple[str, Event]]:
    """What happens when the items come as they should."""
    with closing(temporary_store()) as store:
        hall = Hall(store, Ticking()).begin()
        hall.deliver(1, "g1", items)
        return what_happened(hall)


def delivered_at_random(
    store: SqlHubStore, items: Sequence[Item], chance: Random
) -> list[tuple[str, Event]]:
    """What happens when they come in parts, doubled and shuffled, and the rest at the end."""
    hall = Hall(store, Ticking()).begin()
    for part in some_deliveries(items, chance):
        hall.deliver(1, "g1", part)
    assert hall.deliver(1, "g1", items).held == StoredItems(len(items))
    return what_happened(hall)


@settings(max_examples=20)
@given(seeds)
def test_the_way_makes_no_difference(seed: int) -> None:
    """Deliveries doubled, shuffled and cut lead to what one clean delivery leads to."""
    chance = Random(seed)
    items = some_game(chance)
    with closing(temporary_store()) as store:
        assert delivered_at_random(store, items, chance) == delivered_at_once(items)


def delivered_to_the_dying(
    store: SqlHubStore, items: Sequence[Item], chance: Random
) -> list[tuple[str, Event]]:
    """What happens when the hub is killed again and again, and its table sends until it hears."""
    begun, fate, clock = Hall(store, Ticking()).begin(), Fate(chance, 0.3), Ticking()
    parts = [*some_deliveries(items, chance), tuple(items)]
    while parts:
        hall = Hall(FalteringStore(store, fate), clock)
        try:
            hall.deliver(1, "g1", parts[0])
            parts.pop(0)
        except StoreError:
            continue  # the next process takes its place
    return what_happened(begun)


@pytest.mark.slow
@settings(max_examples=60)
@given(seeds)
def test_a_hub_may_be_killed_at_any_write(seed: int) -> None:
    """Before or after it has kept items or commands: what it began is finished, and only once."""
    chance = Random(seed)
    items = some_game(chance)
    with closing(temporary_store()) as store:
        assert delivered_to_the_dying(store, items, chance) == delivered_at_once(items)


@settings(max_examples=12)
@given(seeds)
def test_a_hub_heals_at_its_start(seed: int) -> None:
    """Killed after it kept the items: the next one gives the commands, with no table there."""
    chance = Random(seed)
    items = some_game(chance)
    with closing(temporary_store()) as store:
        begun = Hall(store, Ticking()).begin()
        store.deliveries.take(f"{begun.event}/1", "g1", items)
        Hall(store, Ticking()).table_api.examine_all()
        assert what_happened(begun) == delivered_at_once(items)


def test_who_looks_at_the_tables_heals_too(store: SqlHubStore) -> None:
    """Another process that is alive finishes what the killed one began."""
    items = some_game(Random(1))
    begun = Hall(store, Ticking()).begin()
    store.deliveries.take(f"{begun.event}/1", "g1", items)
    begun.table_api.tables(begun.event)
    assert what_happened(begun) == delivered_at_once(items)


FORM = TournamentFormat("Long", rounds=1, games=5, zero_sum=True, tiebreaks=("points",))


def test_a_cut_off_table_is_asked_for_what_is_missing() -> None:
    """What the hub misses of each game is in its update; when all is there it wants nothing."""
    points = {(1, game): some_points(Random(game), 4) for game in range(1, 6)}
    games = {
        f"g{game}": quick_game(seats_of(1), points[1, game], slot=(1, 1, game))
        for game in range(1, 6)
    }
    with closing(temporary_store()) as store:
        hall = Hall(store, Ticking()).begin_tables(1, FORM)
        greeting = Greeting({game_id: len(items) for game_id, items in games.items()})
        wanted = hall.table_api.greet(token_of(1), greeting).wanted
        assert wanted.keys() == games.keys()
        for game_id, held in reversed(tuple(wanted.items())):
            hall.deliver(1, game_id, games[game_id][held.through :])
        update = hall.table_api.greet(token_of(1), greeting)
        assert update.wanted == {}
        assert [each.game for each in update.results] == list(range(1, 6))
