"""Over 200 games by bad ways, with kills at any moment: nothing is lost, and nothing doubled."""

from __future__ import annotations

import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing, suppress
from dataclasses import dataclass, field
from http.client import HTTPException
from itertools import product
from pathlib import Path
from random import Random
from threading import Thread
from typing import Any, Final

import pytest

from scoreboard.errors import UnknownGameError
from scoreboard.games import GAMES
from scoreboard.storage import open_store
from scoreboard.tournament.client.attendance import AttendanceFile
from scoreboard.tournament.hub.admission import TableSeat
from scoreboard.tournament.hub.snapshot import TournamentSnapshot
from scoreboard.tournament.hub.tournament_service import TournamentService
from scoreboard.tournament.model.entrant import Entrant
from scoreboard.tournament.model.entries import Enter
from scoreboard.tournament.model.results import ReportResult, ResultReported
from scoreboard.tournament.model.rounds import CloseRound, DrawRound, StartRound
from scoreboard.tournament.model.scores import GameScores, Score
from scoreboard.tournament.model.stages import Finish
from scoreboard.tournament.model.tournament import Command, Round
from scoreboard.tournament.model.tournament_transcript import read_transcript
from scoreboard.tournament.protocol.audit_log import Actor
from scoreboard.tournament.protocol.items import Item
from scoreboard.tournament.storage.hub_store import open_hub_store
from tests.network.bad_way import FAULTS, BadWay, bad_way
from tests.network.director import Director, Document, Plan, states
from tests.network.playing_table import EVENT_FILE, database_in
from tests.network.processes import HubProcess, TableProcess
from tests.network.quick_games import Slot, is_disputed_at, scores_at
from tests.scoreboard.tournament.hub.halls import KEY
from tests.scoreboard.tournament.storage.temporary import temporary_store
from tests.web.process import ROOT
from tests.web.whole_event import whole_event
from web.shared.clocks import utc_now

pytestmark = pytest.mark.slow

SEED: Final = 20261122
PLAN: Final = Plan(players=16, rounds=5, games=11)
GAMES_IN_ALL: Final = 220
CLOCKS: Final = (0, -30, 5, 720)  # hours that the tables are ahead
HUB_KILLS: Final = 6
TABLE_KILLS: Final = 6
CUTS: Final = 3
PATIENCE_SECONDS: Final = 600.0
LOOK_SECONDS: Final = 0.5
LATEST_KILL_SECONDS: Final = 0.3
DIRECTOR: Final = Actor("director", "Dana")
Told = dict[str, tuple[Item, ...]]


@dataclass
class Evening:
    """A hub, tables, the ways between, and the one who directs."""

    hub: HubProcess
    director: Director
    tables: list[TableProcess]
    chance: Random
    mends: dict[int, BadWay] = field(default_factory=dict)  # by the look at which they come
    looks: int = 0

    def snapshot(self) -> Document:
        """Direct a step further, and mend the ways whose time has come."""
        self.looks += 1
        if way := self.mends.pop(self.looks, None):
            way.mend()
        return self.director.step(PLAN)

    def kill_hub(self) -> None:
        self._wait()
        self.hub.kill()
        self.hub.start()

    def kill_hub_under_director(self) -> None:
        """The hub ends while the director asks it for something."""
        killer = Thread(target=self.hub.kill)
        killer.start()
        with suppress(OSError, HTTPException):  # whether it was done is seen when the hub is back
            self.director.step(PLAN)
        killer.join()
        self.hub.start()

    def kill_table(self) -> None:
        table = self.chance.choice(self.tables)
        self._wait()
        table.kill()
        table.start()

    def cut(self) -> None:
        way = self.chance.choice(self.tables).way
        if way not in self.mends.values():
            way.cut()
            self.mends[self.looks + self.chance.randint(2, 8)] = way

    def _wait(self) -> None:
        time.sleep(self.chance.uniform(0, LATEST_KILL_SECONDS))


@pytest.fixture
def evening(tmp_path: Path) -> Iterator[Evening]:
    """An event with everybody at their tables, and no round drawn."""
    with ExitStack() as stack:
        hub, chance = HubProcess(tmp_path), Random(SEED)
        stack.callback(hub.kill)
        hub.start()
        director = Director(hub.port)
        director.set_up(hub.told, PLAN)
        tables = []
        for number, code in enumerate(director.codes(len(CLOCKS)), start=1):
            way = stack.enter_context(bad_way(hub.port, Random(SEED + number)))
            table = TableProcess(tmp_path / f"table-{number}", way, code, CLOCKS[number - 1])
            stack.callback(table.kill)
            table.start()
            tables.append(table)
        yield Evening(hub, director, tables, chance)
        for table in tables:
            table.kill()
        hub.kill()


def eventually(held: Callable[[], bool]) -> None:
    """Wait until it holds, no longer than patience lasts."""
    end = time.monotonic() + PATIENCE_SECONDS
    while not held():
        assert time.monotonic() < end, "patience is at an end"
        time.sleep(LOOK_SECONDS)


def faults_of(evening: Evening) -> list[tuple[int, Callable[[], None]]]:
    """What befalls the evening, and after how many results."""
    acts = [
        *[evening.kill_hub] * (HUB_KILLS - HUB_KILLS // 3),
        *[evening.kill_hub_under_director] * (HUB_KILLS // 3),
        *[evening.kill_table] * TABLE_KILLS,
        *[evening.cut] * CUTS,
    ]
    evening.chance.shuffle(acts)
    moments = sorted(evening.chance.sample(range(GAMES_IN_ALL * 9 // 10), len(acts)))
    return list(zip(moments, acts, strict=True))


def play(evening: Evening) -> None:
    """Direct the event to its end, while one thing after the other goes wrong."""
    faults = faults_of(evening)

    def is_over() -> bool:
        found = evening.snapshot()
        while faults and faults[0][0] <= len(states(found)):
            faults.pop(0)[1]()
        return bool(found["finished"])

    eventually(is_over)
    assert not faults


def told_by(table: TableProcess) -> Told:
    """All that a table has to tell of its games, by what is on its disk."""
    attendance = AttendanceFile(table.folder / EVENT_FILE).read()
    told: Told = {}
    with closing(open_store(database_in(table.folder))) as store:
        for game in () if attendance is None else attendance.games:
            try:
                header, records = store.header(game.game_id), store.events(game.game_id)
            except UnknownGameError:
                continue  # planned, and never begun
            told[game.game_id] = game.items(header, records, GAMES[header.game].kinds)
    return told


def held_of(evening: Evening, table: int) -> Told:
    """All that the hub's database has of a table's games."""
    with closing(open_hub_store(evening.hub.database)) as store:
        place = str(TableSeat(evening.director.event, table))
        ids = store.deliveries.games_of(place)
        assert store.deliveries.disputes() == ()
        return {game_id: store.deliveries.game(game_id) for game_id in ids}


def has_all(evening: Evening) -> bool:
    """Whether the hub has what the tables have."""
    tables = enumerate(evening.tables, start=1)
    return all(held_of(evening, number) == told_by(table) for number, table in tables)


def reports(export: str) -> Counter[Slot]:
    """How often each result was reported."""
    events = (record.event for record in read_transcript(export).records)
    return Counter(
        (each.round, each.table, each.game) for each in events if isinstance(each, ResultReported)
    )


def without_state(rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Results without who agreed to them."""
    return [{key: value for key, value in row.items() if key != "state"} for row in rows]


def verified(export: str, folder: Path) -> str:
    """What `tablescore verify` says of it."""
    file = folder / "event.jsonl"
    file.write_text(export, encoding="utf-8")
    command = [sys.executable, "-m", "web", "verify", str(file)]
    return subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True).stdout


def clean_run(plan: Plan) -> str:
    """The event's record where nothing is ever lost: in one process, without any way between."""
    with closing(temporary_store()) as store:
        return _led(TournamentService(store, utc_now, KEY), plan)


def _led(service: TournamentService, plan: Plan) -> str:
    event = service.open(plan.title, plan.form, DIRECTOR)

    def give(*commands: Command) -> TournamentSnapshot:
        return service.give_all(event, commands, DIRECTOR)

    give(*(Enter(Entrant(number, name)) for number, name in enumerate(plan.names, start=1)))
    for number in range(1, plan.rounds + 1):
        played = give(DrawRound(plan.seed(number)), StartRound()).state.rounds[-1]
        give(*_reports(played, plan.games), CloseRound())
    give(Finish())
    return service.export(event)


def _reports(played: Round, games: int) -> list[ReportResult]:
    return [
        ReportResult(
            played.number,
            table.number,
            game,
            _scores(played.number, table.number, game, table.seats),
        )
        for table, game in product(played.draw.tables, range(1, games + 1))
    ]


def _scores(number: int, table: int, game: int, seats: tuple[int, ...]) -> GameScores:
    brought = scores_at((number, table, game), len(seats))
    return GameScores(tuple(map(Score, seats, brought)))


def test_nothing_is_lost_and_nothing_doubled(evening: Evening, tmp_path: Path) -> None:
    """220 games by ways that lose, tear, double, delay and end, with twelve kills and three cuts.

    The hub holds of every game what the table has, every result is reported once, everybody
    agrees to it, and the standings are those of an event to which nothing happened.
    """
    eventually(lambda: all((each.folder / EVENT_FILE).exists() for each in evening.tables))
    play(evening)
    eventually(lambda: has_all(evening))
    before = evening.director.export()
    evening.hub.kill()
    evening.hub.start()
    found, export = evening.director.snapshot(), evening.director.export()
    assert export == before
    assert "every link holds" in verified(export, tmp_path)
    slots = {
        (number, table, game)
        for number in range(1, PLAN.rounds + 1)
        for table in range(1, len(CLOCKS) + 1)
        for game in range(1, PLAN.games + 1)
    }
    assert len(slots) == GAMES_IN_ALL
    assert reports(export) == dict.fromkeys(slots, 1)
    decided = {slot for slot, state in states(found).items() if state == "settled"}
    assert decided == {slot for slot in slots if is_disputed_at(slot)}
    clean = whole_event(clean_run(PLAN))
    assert found["standings"] == clean["standings"]
    assert without_state(found["results"]) == without_state(clean["results"])
    met = sum((table.way.met for table in evening.tables), Counter())
    assert set(met) == set(FAULTS)
    assert sum(len(told_by(table)) for table in evening.tables) >= GAMES_IN_ALL
