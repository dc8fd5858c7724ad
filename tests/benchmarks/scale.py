"""How large a tournament a hub can run: a national open, a tenth of it, and three times it."""

from __future__ import annotations

import asyncio
import os
import re
import signal
import subprocess
import sys
from collections.abc import Callable, Coroutine, Iterator, Sequence
from contextlib import ExitStack, closing, contextmanager, suppress
from dataclasses import dataclass, replace
from pathlib import Path
from statistics import median
from time import monotonic
from typing import Any, Final

from tests.benchmarks.harness import Line, at_least, at_most, p95
from tests.benchmarks.scale_boards import Crowd, Watched
from tests.benchmarks.scale_tables import Pace, Script, Tables, Told, scripts
from tests.network.director import CODE, Director, Plan
from tests.patience import PATIENCE_SECONDS
from tests.postgres import find_programs, running_cluster
from tests.web.forms import seen

ROOT: Final = Path(__file__).parents[2]
GAMES: Final = 24
SEATS: Final = 4
ROUNDS: Final = 8
COMMAND: Final = (sys.executable, "-m", "web", "hub", "--port", "0", "--workers", "2")
WHOLE: Final = Pace()
SETTLING_SECONDS: Final = 2.0  # after a round, before the boards report
MOST_CODES: Final = 400  # on one page
TICKS: Final = os.sysconf("SC_CLK_TCK")


@dataclass(frozen=True, slots=True)
class Size:
    """The size of a tournament and of its measurement.

    In the last round but one, all tables together send `pressed` presses one by one, as fast as the
    hub takes them. In the last one, each sends `watched` presses, one every `press_seconds`, while
    `viewers` boards watch.
    """

    tables: int
    rounds: int = ROUNDS
    viewers: int = 500
    pressed: int = 3000
    most_seconds: float = 60.0
    watched: int = 10
    press_seconds: float = 10.0

    @property
    def live(self) -> int:
        return max(2, min(60, self.pressed // self.tables))


PROMISED: Final = Size(250)
SIZES: Final = (Size(25), PROMISED, Size(750))


@dataclass(frozen=True, slots=True)
class Played:
    """What came of a round: what tables and boards measured, and the hub's processor seconds."""

    told: Told
    hub_seconds: float
    watched: Watched | None = None


@dataclass(frozen=True, slots=True)
class Figures:
    """All measurements for one size."""

    rounds: tuple[Played, ...]
    fast: Played
    watched: Watched
    closing_seconds: float

    @property
    def items(self) -> int:
        return sum(each.told.items for each in self.rounds)

    def lines(self, size: Size, *, promised: bool) -> Iterator[Line]:
        name, told = f"{size.tables} tables", self.fast.told
        fast = at_least(f"{name}: events a second, one by one", 300, _a_second(told), digits=0)
        near = 1000 * p95(self.watched.to_boards)
        board = at_most(f"{name}: from table to board, p95", 500, near, digits=0)
        for line in (fast, board):
            yield line if promised else Line(line.what, line.measured)
        answers = [1000 * each for each in told.answer_seconds]
        yield Line(f"{name}: answer to a table, median", f"{median(answers):.0f} ms")
        yield Line(f"{name}: answer to a table, p95", f"{p95(answers):.0f} ms")
        cost = 1000 * self.fast.hub_seconds / told.items
        yield Line(f"{name}: processor of the hub for an event", f"{cost:.2f} ms")
        mid = 1000 * median(self.watched.to_boards)
        yield Line(f"{name}: from table to board, median", f"{mid:.0f} ms")
        yield at_most(f"{name}: results that a board never showed", 0, self.watched.missed, "", 0)
        again = sum(each.told.tried_again for each in self.rounds)
        yield Line(f"{name}: requests sent again", str(again))
        yield Line(f"{name}: closing the last round", f"{1000 * self.closing_seconds:.0f} ms")
        yield Line(f"{name}: events kept", f"{self.items:,}")


def _a_second(told: Told) -> float:
    return told.live_items / told.live_seconds


def scale() -> Iterator[Line]:
    """Each size at a hub and a database of its own. Raises RuntimeError without PostgreSQL."""
    programs, games = find_programs(), scripts(GAMES)
    if programs is None:
        raise RuntimeError("PostgreSQL's programs are missing: apt install postgresql")
    for size in SIZES:
        yield from measured(size, programs, games).lines(size, promised=size is PROMISED)


def measured(size: Size, programs: Path, games: Sequence[Script]) -> Figures:
    """Start a hub and play a whole tournament of that size."""
    with running_cluster(programs) as cluster, running_hub(cluster.new_address()) as (hub, told):
        return asyncio.run(_Event(size, hub, told).play(games))


@contextmanager
def running_hub(database: str) -> Iterator[tuple[subprocess.Popen[str], str]]:
    """A hub of two processes in a group of its own, and what it printed at its start."""
    hub = subprocess.Popen(
        [*COMMAND, "--database", database],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        text=True,
        encoding="utf-8",
        start_new_session=True,
    )
    assert hub.stdout is not None
    told = ""
    try:
        while not told.rpartition("\n  ")[2].startswith("stop"):
            told += (line := hub.stdout.readline())
            assert line, "the hub ended at its start"
        yield hub, told
    finally:
        with suppress(ProcessLookupError):
            os.killpg(hub.pid, signal.SIGTERM)
        hub.wait(PATIENCE_SECONDS)
        hub.stdout.close()


class _Event:
    """One tournament under way."""

    def __init__(self, size: Size, hub: subprocess.Popen[str], told: str) -> None:
        found = re.search(r"http://127\.0\.0\.1:(\d+)/", told)
        assert found is not None, told
        self._size, self._hub, self._told = size, hub, told
        self._port = int(found[1])
        self._director = Director(self._port)
        self._closing_seconds = 0.0  # of the last round that was closed

    async def play(self, games: Sequence[Script]) -> Figures:
        size = self._size
        tables = Tables(self._port, size.tables, games)
        await tables.join(self._opened())
        played = [
            each
            for number in range(1, size.rounds - 1)
            for each in await self._round(tables, number, WHOLE)
        ]
        pace = Pace(size.live, None, size.most_seconds)
        early, fast = await self._round(tables, size.rounds - 1, pace)
        with ExitStack() as boards:

            def watch() -> Crowd:
                crowd = Crowd(self._port, self._director.event, size.viewers)
                boards.enter_context(closing(crowd)).wait_until_watching()
                return crowd

            pace = Pace(size.watched, size.tables / size.press_seconds)
            later, paced = await self._round(tables, size.rounds, pace, watch)
            assert paced.watched is not None
        await tables.leave()
        rounds = (*played, early, fast, later, paced)
        return Figures(rounds, fast, paced.watched, self._closing_seconds)

    def _opened(self) -> dict[int, str]:
        """Create the tournament with all its players; return a code for each table."""
        size, director = self._size, self._director
        director.set_up(self._told, Plan(0, size.rounds, 1, "Open"))
        names = "".join(f"Player {number}\n" for number in range(1, SEATS * size.tables + 1))
        director.post(f"/e/{director.event}/entries/file", text=f"name\n{names}", do="take")
        codes: list[str] = []
        while len(codes) < size.tables:
            last = min(size.tables, len(codes) + MOST_CODES)
            asked = {"first": str(len(codes) + 1), "last": str(last)}
            codes += CODE.findall(director.post(f"/e/{director.event}/tables/codes", **asked))
        return dict(enumerate(codes, start=1))

    async def _round(
        self, tables: Tables, number: int, pace: Pace, watch: Callable[[], Crowd] | None = None
    ) -> list[Played]:
        """Draw, play and close a round: what came at once, and what came press by press."""
        tables.expect()
        await asyncio.to_thread(self._press, "draw", seed=str(number))
        await asyncio.to_thread(self._press, "start")
        sittings = await tables.seated()
        played = [await self._clocked(tables.begin(sittings, pace))]
        if pace.live:
            crowd = await asyncio.to_thread(watch) if watch else None
            live = await self._clocked(tables.go_on(sittings, pace))
            if crowd is not None:
                await asyncio.sleep(SETTLING_SECONDS)
                watched = await asyncio.to_thread(crowd.saw, live.told.ended)
                live = replace(live, watched=watched)
            played.append(live)
        self._closing_seconds = await asyncio.to_thread(_seconds, lambda: self._press("close"))
        return played

    def _press(self, button: str, **fields: str) -> None:
        event = f"/e/{self._director.event}"
        page = self._director.get(f"{event}/desk")
        self._director.post(f"{event}/rounds/{button}", **seen(page), **fields)

    async def _clocked(self, playing: Coroutine[Any, Any, Told]) -> Played:
        before = _cpu_seconds(self._hub.pid)
        told = await playing
        return Played(told, _cpu_seconds(self._hub.pid) - before)


def _seconds(work: Callable[[], None]) -> float:
    begun = monotonic()
    work()
    return monotonic() - begun


def _cpu_seconds(pid: int) -> float:
    """Processor seconds of a process so far, with its children's, also those that have ended."""
    with suppress(OSError):
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
        children = " ".join(
            each.read_text() for each in Path(f"/proc/{pid}/task").glob("*/children")
        )
        return sum(map(int, fields[11:15])) / TICKS + sum(
            map(_cpu_seconds, map(int, children.split()))
        )
    return 0.0
