"""How long a table, its list and the command line take with 10,000 stored games."""

from __future__ import annotations

import sqlite3
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path
from random import Random
from statistics import median
from typing import Any, Final

import click

from scoreboard.dice import Roll
from scoreboard.games.dice.yahtzee import GAME
from scoreboard.games.engine.game import Offer, OpenOffer, Setup
from scoreboard.games.engine.transcript import GameHeader, RecordedEvent
from scoreboard.storage import open_store
from tests.benchmarks.machine import machine, moment, versions
from tests.web.owner import OwnersClient
from tests.web.process import running
from tests.web.table_fake import FakeTable
from web.table.history.archive import Archive

ROOT: Final = Path(__file__).parents[2]
PAGE: Final = ROOT / "docs" / "reference" / "benchmark-stored-games.md"
GAMES: Final = 10_000
SCRIPTS: Final = 20  # games played at random, each stored many times under other names
PLAYERS: Final = ("North", "South")
BEGAN: Final = datetime(2026, 1, 2, 19, 30, tzinfo=UTC)
REPEATS: Final = 5
MOST_START_SECONDS: Final = 3.0
MOST_PAGE_MILLISECONDS: Final = 300.0
MOST_COMMAND_SECONDS: Final = 2.0
TEMPLATE: Final = """\
# Benchmark: many stored games

A database of {games:,} finished games of Yahtzee ({events:,} events, {megabytes:.0f} MB), with the
cached standing of each game. Times are wall times, medians of {repeats}; the start and the
command run as processes of their own.

| what | promised | took |
|---|---|---|
| `tablescore run` until the page answers | {most_start:.0f} s | {start:.1f} s |
| a page of the list of games | {most_page:.0f} ms | {page:.0f} ms |
| `tablescore games` | {most_command:.0f} s | {command:.1f} s |
| `tablescore games` with an empty cache, once | | {fresh:.0f} s |

{verdict}

Measured on {machine}; {versions}; {moment}.

`make benchmark` measures again and rewrites this page.
"""


def measure_stored_games() -> bool:
    """Measure, write the page, and return whether the promises are kept."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "games.sqlite3"
        events = make_store(path)
        fresh = _command_seconds(path)
        command = median(_command_seconds(path) for _ in range(REPEATS))
        page = median(_page_milliseconds(path) for _ in range(REPEATS))
        start = median(_start_seconds(path) for _ in range(REPEATS))
        kept = (
            start <= MOST_START_SECONDS
            and page <= MOST_PAGE_MILLISECONDS
            and command <= MOST_COMMAND_SECONDS
        )
        PAGE.write_text(
            TEMPLATE.format(
                games=GAMES,
                events=events,
                megabytes=path.stat().st_size / 1e6,
                repeats=REPEATS,
                most_start=MOST_START_SECONDS,
                most_page=MOST_PAGE_MILLISECONDS,
                most_command=MOST_COMMAND_SECONDS,
                start=start,
                page=page,
                command=command,
                fresh=fresh,
                verdict="All three are kept." if kept else "Not all three are kept.",
                machine=machine(),
                versions=versions(),
                moment=moment(),
            ),
            encoding="utf-8",
        )
    click.echo(f"{PAGE.name}: start {start:.1f} s, list {page:.0f} ms, command {command:.1f} s")
    return kept


def make_store(path: Path, games: int = GAMES) -> int:
    """Make a database of finished games; return the number of events."""
    url = f"sqlite:///{path}"
    chance = Random(1)
    with closing(open_store(url)) as store:
        for number in range(SCRIPTS):
            header = GameHeader(f"script-{number}", GAME.name, PLAYERS, BEGAN, {"start": "first"})
            store.open_game(header)
            store.append(header.game_id, 0, tuple(_played(header, chance)))
    with closing(sqlite3.connect(path)) as connection, connection:
        for number in range(SCRIPTS, games):
            names = (f"2026-{number:06}", f"script-{number % SCRIPTS}")
            connection.execute(
                "INSERT INTO games (game_id, game, players, opened_at, options)"
                " SELECT ?, game, players, opened_at, options FROM games WHERE game_id = ?",
                names,
            )
            connection.execute(
                "INSERT INTO events"
                " SELECT ?, sequence, recorded_at, source, step, event, confirmed_by"
                " FROM events WHERE game_id = ?",
                names,
            )
        return int(connection.execute("SELECT count(*) FROM events").fetchone()[0])


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
    return next(
        offer.command
        for offer in offers.values()
        if isinstance(offer, Offer) and offer.key.startswith("score:")
    )


def _command_seconds(path: Path) -> float:
    began = time.perf_counter()
    command = [sys.executable, "-m", "web", "games", "--database", f"sqlite:///{path}"]
    listed = subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True)
    took = time.perf_counter() - began
    if len(listed.stdout.splitlines()) != GAMES:
        raise RuntimeError(listed.stderr)
    return took


def _page_milliseconds(path: Path) -> float:
    """Milliseconds for a page in the middle of the list, rendered by Flask."""
    with closing(open_store(f"sqlite:///{path}")) as store:
        archive = Archive(store)
        app = FakeTable().app(archive=archive)
        client = OwnersClient(app, app.response_class)
        client.get("/games?page=1")  # templates and translations are loaded
        began = time.perf_counter()
        answer = client.get("/games?page=100")
        took = (time.perf_counter() - began) * 1000
    if "Page 100 of 200" not in answer.text:
        raise RuntimeError(answer.text)
    return took


def _start_seconds(path: Path) -> float:
    began = time.perf_counter()
    with running("--camera", "upload", "--database", f"sqlite:///{path}") as table:
        table.ask("/")
        return time.perf_counter() - began


if __name__ == "__main__":
    sys.exit(0 if measure_stored_games() else 1)
