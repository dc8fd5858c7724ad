"""Forty games over a network that loses, doubles, delays and reorders."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from functools import partial
from random import Random

from scoreboard.tournament.model.disputes import Signed
from scoreboard.tournament.model.results import ResultReported
from scoreboard.tournament.model.tournament_format import TournamentFormat
from scoreboard.tournament.protocol.hub_update import Greeting
from scoreboard.tournament.protocol.items import Item, Receipt, StoredItems
from tests.scoreboard.tournament.hub.halls import (
    Hall,
    Ticking,
    quick_game,
    seats_of,
    signed_by,
    some_points,
    token_of,
)
from tests.scoreboard.tournament.storage.temporary import temporary_store

Deliver = Callable[[int, str, Sequence[Item]], Receipt]


class Device:
    """A table's device: sends of each game what was not acknowledged, until all was."""

    def __init__(self, table: int, games: dict[str, tuple[Item, ...]]) -> None:
        self.table = table
        self._games = games
        self._held = dict.fromkeys(games, StoredItems())

    @property
    def is_done(self) -> bool:
        """Whether every item is acknowledged."""
        return all(
            held.through == len(self._games[game_id]) for game_id, held in self._held.items()
        )

    def sends(self, chance: Random) -> Iterator[tuple[str, tuple[Item, ...]]]:
        """Deliveries of some games, each of what is missing first, not all at once."""
        for game_id, items in self._games.items():
            missing = items[self._held[game_id].through :]
            if missing and chance.random() < 0.5:
                yield game_id, missing[: chance.randint(1, 4)]

    def hears(self, game_id: str, receipt: Receipt) -> None:
        """The hub acknowledges; an old receipt may come late."""
        if receipt.held.through > self._held[game_id].through:
            self._held[game_id] = receipt.held


class LossyWay:
    """Carries deliveries and receipts, each of them never, once, or more often, in any order."""

    def __init__(self, deliver: Deliver, chance: Random) -> None:
        self.deliver = deliver
        self._chance = chance
        self._under_way: list[Callable[[], None]] = []

    def carry(self, device: Device) -> None:
        """Take what a device sends."""
        for game_id, items in device.sends(self._chance):
            self._post(partial(self._arrive, device, game_id, items))

    def pass_by(self) -> None:
        """Some of what is under way arrives."""
        self._chance.shuffle(self._under_way)
        arriving, self._under_way = self._under_way[::2], self._under_way[1::2]
        for arrives in arriving:
            arrives()

    def _arrive(self, device: Device, game_id: str, items: Sequence[Item]) -> None:
        receipt = self.deliver(device.table, game_id, items)
        self._post(partial(device.hears, game_id, receipt))

    def _post(self, arrives: Callable[[], None]) -> None:
        """Lost one time in five, doubled one time in five."""
        self._under_way += [arrives] * self._chance.choice((0, 1, 1, 1, 2))


TABLES, GAMES = 8, 5
FORM = TournamentFormat("Long", rounds=1, games=GAMES, zero_sum=True, tiebreaks=("points",))
MOST_STEPS = 2000
RESTARTED_EVERY = 20


def device_at(table: int, points: dict[tuple[int, int], str]) -> Device:
    """A device whose players have played all their games while nobody heard them."""
    games = {
        f"g{table}.{game}": quick_game(
            seats_of(table), points[table, game], *signed_by(seats_of(table)), slot=(1, table, game)
        )
        for game in range(1, GAMES + 1)
    }
    return Device(table, games)


def as_scores(table: int, points: str) -> str:
    """The notation of a table's points."""
    pairs = zip(seats_of(table), points.replace("+", "").split(), strict=True)
    return ", ".join(f"{seat} {score}" for seat, score in pairs)


def test_over_a_bad_way_nothing_is_lost_or_doubled() -> None:
    """Every result is there, right and signed by all; the record has each of them once."""
    chance = Random(1)
    slots = [(table, game) for table in range(1, TABLES + 1) for game in range(1, GAMES + 1)]
    points = {slot: some_points(chance, 4) for slot in slots}
    with closing(temporary_store()) as store:
        hall = Hall(store, Ticking()).begin_tables(TABLES, FORM)
        play_out(hall, [device_at(table, points) for table in range(1, TABLES + 1)], chance)
        results = hall.service.snapshot(hall.event).state.rounds[0].results
        assert {slot: str(each.result.scores) for slot, each in results.items()} == {
            slot: as_scores(slot[0], points[slot]) for slot in slots
        }
        assert {each.phase for each in results.values()} == {"signed"}
        happened = [each.event for each in hall.service.events(hall.event, after=4 * TABLES + 2)]
        assert sum(isinstance(each, ResultReported) for each in happened) == TABLES * GAMES
        assert sum(isinstance(each, Signed) for each in happened) == TABLES * GAMES * 4
        assert len(happened) == TABLES * GAMES * 5


def play_out(hall: Hall, devices: list[Device], chance: Random) -> None:
    """Let the devices send until everything is acknowledged, the hub restarted in between."""
    way = LossyWay(hall.deliver, chance)
    for step in range(MOST_STEPS):
        if step % RESTARTED_EVERY == 0:
            way.deliver = Hall(hall.store, Ticking()).deliver
        for device in devices:
            way.carry(device)
        way.pass_by()
        if all(device.is_done for device in devices):
            return
    raise AssertionError("The devices still send.")


def test_a_cut_off_table_is_asked_for_what_is_missing() -> None:
    """What the hub misses of each game is in its update; when all is there it wants nothing."""
    points = {(1, game): some_points(Random(game), 4) for game in range(1, GAMES + 1)}
    games = {
        f"g{game}": quick_game(seats_of(1), points[1, game], slot=(1, 1, game))
        for game in range(1, GAMES + 1)
    }
    with closing(temporary_store()) as store:
        hall = Hall(store, Ticking()).begin_tables(TABLES, FORM)
        greeting = Greeting({game_id: len(items) for game_id, items in games.items()})
        wanted = hall.table_api.greet(token_of(1), greeting).wanted
        assert wanted.keys() == games.keys()
        for game_id, held in reversed(tuple(wanted.items())):
            hall.deliver(1, game_id, games[game_id][held.through :])
        update = hall.table_api.greet(token_of(1), greeting)
        assert update.wanted == {}
        assert [each.game for each in update.results] == list(range(1, GAMES + 1))
