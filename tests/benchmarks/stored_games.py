"""How long a table, its pages and the command line take with 10,000 stored games."""

from __future__ import annotations

import sqlite3
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from random import Random
from statistics import median
from typing import Any, Final

from scoreboard.dice import Roll
from scoreboard.games.dice.yahtzee import GAME
from scoreboard.games.engine.game import Offer, OpenOffer, Setup
from scoreboard.games.engine.transcript import GameHeader, RecordedEvent
from scoreboard.storage import open_store
from tests.benchmarks.harness import Line, at_most, clocked
from tests.web.owner import OwnersClient
from tests.web.process import running
from tests.web.table_fake import FakeTable
from web.shared.clocks import utc_now
from web.table.history.archive import Archive
from web.table.history.statistics import Statistics, work_out

ROOT: Final = Path(__file__).parents[2]
GAMES: Final = 10_000
SCRIPTS: Final = 20  # games played at random, each stored many times under other names
BEGAN: Final = datetime(2026, 1, 2, 19, 30, tzinfo=UTC)
REPEATS: Final = 5
COPIED: Final = {  # a row of a table with the id of another game
    "games": "?, game, players, opened_at, options",
    "events": "?, sequence, recorded_at, source, step, event, confirmed_by",
    "standings": "?, events, finished, abandoned, totals",
    "finished_games": "?, seat, events, game, rules, finished_at, finished_on, name,"
    " players, total, place, boxes, yahtzees, bonus, rolled_1, rolled_2, rolled_3, rolled_4,"
    " rolled_5, rolled_6, dice, luck, costs",
}
PAGES: Final = (
    "/statistics",
    "/statistics/player?name=North",
    "/statistics/dice",
    "/games/script-1/race",
)


def stored_games() -> Iterator[Line]:
    """The start of a table, a page of the list, the command."""
    with _database() as path:
        _copy(path, "games", "events")
        fresh = _command_seconds(path)
        start = median(_start_seconds(path) for _ in range(REPEATS))
        yield at_most("`tablescore run` until the page answers", 3, start, "s")
        page = median(_page_milliseconds(path) for _ in range(REPEATS))
        yield at_most("a page of the list of games", 300, page, digits=0)
        command = median(_command_seconds(path) for _ in range(REPEATS))
        yield at_most("`tablescore games`", 2, command, "s")
        yield Line("`tablescore games` with an empty cache, once", f"{fresh:.0f} s")


def statistics() -> Iterator[Line]:
    """The pages of players' figures, and working a game out."""
    with _database() as path, closing(open_store(f"sqlite:///{path}")) as store:
        scripts = [f"script-{number}" for number in range(SCRIPTS)]
        cpu, _ = clocked(lambda: list(work_out(store, scripts, None)))
        _copy(path, *COPIED)
        figures = Statistics(store, utc_now)
        app = FakeTable().app(archive=Archive(store), store=store, statistics=figures)
        client = OwnersClient(app, app.response_class)
        for page in PAGES:
            answer = client.get(page)  # templates and translations are loaded
            assert "North" in answer.text or "camera" in answer.text, answer.text
            took = median(clocked(lambda: client.get(page))[0] for _ in range(REPEATS))  # noqa: B023 -- called at once
            yield at_most(f"`{page}`", 300, took, digits=0)
        yield Line("working a game out, luck and costs included", f"{cpu / SCRIPTS:.0f} ms")


@contextmanager
def _database() -> Iterator[Path]:
    """A database of a few finished games."""
    with tempfile.TemporaryDirectory() as folder:
        path, chance = Path(folder) / "games.sqlite3", Random(1)
        with closing(open_store(f"sqlite:///{path}")) as store:
            for number in range(SCRIPTS):
                players, rules = ("North", "South"), {"start": "first"}
                header = GameHeader(f"script-{number}", GAME.name, players, BEGAN, rules)
                store.open_game(header)
                store.append(header.game_id, 0, tuple(_played(header, chance)))
        yield path


def _copy(path: Path, *tables: str) -> None:
    """Store the games again and again under other names."""
    with closing(sqlite3.connect(path)) as connection, connection:
        for number in range(SCRIPTS, GAMES):
            names = (f"2026-{number:06}", f"script-{number % SCRIPTS}")
            for table in tables:
                columns = "game_id, game, players, opened_at, options" if table == "games" else ""
                into = f"{table} ({columns})" if columns else table
                connection.execute(
                    f"INSERT INTO {into} SELECT {COPIED[table]} FROM {table} WHERE game_id = ?",  # noqa: S608 -- names of ours
                    names,
                )


def _played(header: GameHeader, chance: Random) -> Iterator[RecordedEvent]:
    """A whole game: three rolls a turn, then the best box."""
    state, sequence = GAME.start(Setup(header.players, header.options)), 0
    while GAME.outcome(state) is None:
        step = sequence + 1
        for event in GAME.decide(state, _command(state, chance)):
            sequence += 1
            at = header.opened_at + timedelta(seconds=sequence)
            yield RecordedEvent(header.game_id, sequence, at, "button", step, event)
            state = GAME.evolve(state, event)


def _command(state: Any, chance: Random) -> Any:
    offers = {offer.key: offer for offer in GAME.offers(state)}
    throw = offers.get("roll")
    if isinstance(throw, OpenOffer):
        return throw.fill(Roll(tuple(chance.randint(1, 6) for _ in range(5))))
    scores = (each for each in offers.values() if each.key.startswith("score:"))
    return next(each.command for each in scores if isinstance(each, Offer))


def _command_seconds(path: Path) -> float:
    began = time.perf_counter()
    command = [sys.executable, "-m", "web", "games", "--database", f"sqlite:///{path}"]
    listed = subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True)
    took = time.perf_counter() - began
    assert len(listed.stdout.splitlines()) == GAMES, listed.stderr
    return took


def _page_milliseconds(path: Path) -> float:
    """Milliseconds for a page in the middle of the list, rendered by Flask."""
    with closing(open_store(f"sqlite:///{path}")) as store:
        app = FakeTable().app(archive=Archive(store))
        client = OwnersClient(app, app.response_class)
        client.get("/games?page=1")  # templates and translations are loaded
        _, took = clocked(lambda: client.get("/games?page=100"))
        assert "Page 100 of 200" in client.get("/games?page=100").text
    return took


def _start_seconds(path: Path) -> float:
    began = time.perf_counter()
    with running("--camera", "upload", "--database", f"sqlite:///{path}") as table:
        table.ask("/")
        return time.perf_counter() - began
