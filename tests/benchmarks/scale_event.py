"""A whole tournament at a real hub: how much it kept, how fast, and at what cost."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Coroutine, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from pathlib import Path
from statistics import quantiles
from time import monotonic, process_time
from typing import Any, Final

from tests.benchmarks.scale_director import Director
from tests.benchmarks.scale_games import Script
from tests.benchmarks.scale_hub import HubProcess, Taken, disk_bytes, running_hub, taken_by
from tests.benchmarks.scale_tables import Pace, Tables, Told
from tests.benchmarks.scale_viewers import Crowd, Watched
from tests.postgres import Cluster, running_cluster

WORKERS: Final = 2
SEATS: Final = 4
WHOLE: Final = Pace()
SETTLING_SECONDS: Final = 2.0  # after a round, before the boards report


@dataclass(frozen=True, slots=True)
class Size:
    """The size of a tournament and of its measurement.

    Rounds before the last two are delivered a game at a time. In the last but one, all tables
    together send `pressed` presses one by one, as fast as the hub takes them. In the last one, each
    table sends `watched` presses, one every `press_seconds`, while `viewers` boards watch.
    """

    name: str
    tables: int
    rounds: int = 8
    viewers: int = 500
    pressed: int = 3000
    most_seconds: float = 60.0
    watched: int = 10
    press_seconds: float = 10.0

    @property
    def entrants(self) -> int:
        """The number of players."""
        return self.tables * SEATS

    @property
    def live(self) -> int:
        """The mean number of presses per game that are sent at full speed."""
        return max(2, min(60, self.pressed // self.tables))

    @property
    def a_second(self) -> float:
        """Presses a second from all tables together while boards watch."""
        return self.tables / self.press_seconds


@dataclass(frozen=True, slots=True)
class Cost:
    """Processor seconds of the hub, the database, the tables and the boards."""

    hub: float
    database: float
    tables: float
    boards: float = 0.0


@dataclass(frozen=True, slots=True)
class Played:
    """One played round: the tables' measurements, its duration, its cost."""

    told: Told
    seconds: float
    cost: Cost
    hub_bytes: int
    database_bytes: int
    watched: Watched | None = None


@dataclass(frozen=True, slots=True)
class Figures:
    """All measurements for one size."""

    size: Size
    whole: tuple[Played, ...]
    fast: Played
    paced: Played
    disk: int
    closing_seconds: float
    links_seconds: float

    @property
    def events(self) -> int:
        """The number of items that the hub holds at the end."""
        return sum(one.told.items for one in (*self.whole, self.fast, self.paced))

    @property
    def a_second(self) -> float:
        """Events a second, sent one by one as fast as the hub takes them."""
        return self.fast.told.live_items / self.fast.told.live_seconds

    @property
    def to_board(self) -> float:
        """The 95th percentile of the seconds from a table to a board."""
        assert self.paced.watched is not None
        return p95(self.paced.watched.to_boards)


def p95(figures: Sequence[float]) -> float:
    """The 95th percentile."""
    return quantiles(figures, n=20, method="inclusive")[-1]


def measured(size: Size, programs: Path, games: Sequence[Script]) -> Figures:
    """Start a hub and play a whole tournament of that size."""
    with running_cluster(programs) as cluster:
        address = cluster.new_address()
        with running_hub(address, "--workers", str(WORKERS)) as hub:
            return asyncio.run(_Event(size, hub, cluster, address).play(games))


def _seconds(work: Callable[[], None]) -> float:
    """How long it took."""
    begun = monotonic()
    work()
    return monotonic() - begun


class _Event:
    """One tournament under way."""

    def __init__(self, size: Size, hub: HubProcess, cluster: Cluster, address: str) -> None:
        self._size = size
        self._hub = hub
        self._cluster = cluster
        self._address = address
        self._director = Director(hub.port)
        self._closing_seconds = 0.0  # of the last round that was closed

    async def play(self, games: Sequence[Script]) -> Figures:
        """From the entries to the last result."""
        size, director = self._size, self._director
        director.sign_up(self._hub.set_up)
        director.open(size.entrants, size.rounds)
        tables = Tables(self._hub.port, size.tables, games)
        await tables.join(director.codes(size.tables))
        last = size.rounds
        whole = [
            each for number in range(1, last - 1) for each in await self._round(tables, number)
        ]
        early, fast = await self._round(tables, last - 1, Pace(size.live, None, size.most_seconds))
        pace = Pace(size.watched, size.a_second)
        later, paced = await self._round(tables, last, pace, size.viewers)
        await tables.leave()
        links = await asyncio.to_thread(_seconds, director.links)
        disk = disk_bytes(self._cluster, self._address)
        rounds = (*whole, early, later)
        return Figures(size, rounds, fast, paced, disk, self._closing_seconds, links)

    async def _round(
        self, tables: Tables, number: int, pace: Pace = WHOLE, viewers: int = 0
    ) -> list[Played]:
        """Draw, play and close a round: what came at once, and what came press by press."""
        director = self._director
        tables.expect()
        await asyncio.to_thread(director.draw, number)
        await asyncio.to_thread(director.start)
        sittings = await tables.seated()
        played = [await self._clocked(tables.begin(sittings, pace))]
        if viewers:
            played.append(await self._watched(tables.go_on(sittings, pace), viewers))
        elif pace.live:
            played.append(await self._clocked(tables.go_on(sittings, pace)))
        self._closing_seconds = await asyncio.to_thread(_seconds, director.close)
        return played

    async def _watched(self, playing: Coroutine[Any, Any, Told], viewers: int) -> Played:
        """Play while boards watch."""
        watching = Crowd(self._hub.port, self._director.event, viewers)
        with closing(watching):
            await asyncio.to_thread(watching.wait_until_watching)
            played = await self._clocked(playing)
            await asyncio.sleep(SETTLING_SECONDS)
            watched = await asyncio.to_thread(watching.saw, played.told.ended)
        return replace(
            played, watched=watched, cost=replace(played.cost, boards=watched.cpu_seconds)
        )

    async def _clocked(self, playing: Awaitable[Told]) -> Played:
        hub, database = self._taken()
        own, begun = process_time(), monotonic()
        told = await playing
        seconds, own_seconds = monotonic() - begun, process_time() - own
        hub_now, database_now = self._taken()
        cost = Cost(
            hub_now.cpu_seconds - hub.cpu_seconds,
            database_now.cpu_seconds - database.cpu_seconds,
            own_seconds,
        )
        return Played(told, seconds, cost, hub_now.memory_bytes, database_now.memory_bytes)

    def _taken(self) -> tuple[Taken, Taken]:
        return taken_by(self._hub.process.pid), taken_by(self._cluster.pid)
