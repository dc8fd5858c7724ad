"""Forty games over a network that loses, doubles, delays and reorders."""

from __future__ import annotations

from contextlib import closing
from random import Random

from scoreboard.tournament.model.disputes import Signed
from scoreboard.tournament.model.draw import Draw, TableSeats
from scoreboard.tournament.model.results import ResultReported
from scoreboard.tournament.model.rounds import DrawByHand, StartRound
from scoreboard.tournament.model.tournament_format import TournamentFormat
from scoreboard.tournament.protocol.hub_update import Greeting
from scoreboard.tournament.storage.hub_store import SqlHubStore
from tests.scoreboard.tournament.hub.clocks import Ticking
from tests.scoreboard.tournament.hub.devices import quick_game, signed_by, some_points
from tests.scoreboard.tournament.hub.events import DIRECTOR, entered_event
from tests.scoreboard.tournament.hub.halls import Hall, token_of
from tests.scoreboard.tournament.hub.lossy import Device, LossyWay
from tests.scoreboard.tournament.model.directing import KIM
from tests.scoreboard.tournament.storage.temporary import temporary_store

TABLES, GAMES = 8, 5
FORM = TournamentFormat("Long", rounds=1, games=GAMES, zero_sum=True, tiebreaks=("points",))
MOST_STEPS = 2000
RESTARTED_EVERY = 20


def seats_of(table: int) -> tuple[int, ...]:
    """Who sits at a table."""
    return tuple(range(4 * table - 3, 4 * table + 1))


def begun_hall(store: SqlHubStore) -> Hall:
    """The players at their tables, the one round of all games under way."""
    hall = Hall(store, Ticking())
    hall.event = entered_event(hall.service, FORM, 4 * TABLES)
    draw = Draw(tuple(TableSeats(table, seats_of(table)) for table in range(1, TABLES + 1)))
    hall.service.give_all(hall.event, (DrawByHand(draw, **KIM), StartRound()), DIRECTOR)
    hall.join(*range(1, TABLES + 1))
    return hall


def device_at(table: int, points: dict[tuple[int, int], str]) -> Device:
    """A device whose players have played all their games while nobody heard them."""
    games = {
        f"g{table}.{game}": quick_game(
            seats_of(table),
            points[table, game],
            *signed_by(seats_of(table)),
            slot=(1, table, game),
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
        hall = begun_hall(store)
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
    """What the hub misses of each game is in its word; when all is there it wants nothing."""
    points = {(1, game): some_points(Random(game), 4) for game in range(1, GAMES + 1)}
    games = {
        f"g{game}": quick_game(seats_of(1), points[1, game], slot=(1, 1, game))
        for game in range(1, GAMES + 1)
    }
    with closing(temporary_store()) as store:
        hall = begun_hall(store)
        greeting = Greeting({game_id: len(items) for game_id, items in games.items()})
        wanted = hall.table_api.greet(token_of(1), greeting).wanted
        assert wanted.keys() == games.keys()
        for game_id, held in reversed(tuple(wanted.items())):
            hall.deliver(1, game_id, games[game_id][held.through :])
        update = hall.table_api.greet(token_of(1), greeting)
        assert update.wanted == {}
        assert [each.game for each in update.results] == list(range(1, GAMES + 1))
