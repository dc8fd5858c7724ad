"""The simulated tables of a large tournament: each joins, waits for updates and delivers games.

All of them share one thread, because the hub runs on the same machine: bodies are prepared
beforehand, and requests are assembled by hand. Like a real table, each keeps two connections: one
to wait for updates, and one to deliver.
"""

from __future__ import annotations

import asyncio
import re
import socket
from collections.abc import Coroutine, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from http import HTTPStatus
from ipaddress import ip_address
from random import Random
from time import monotonic
from typing import Any, Final

from scoreboard.tournament.protocol.documents import text_of, value_from_text
from scoreboard.tournament.protocol.hub_update import HubUpdate, JoinRequest
from tests.benchmarks.scale_games import Parcel, Press, Script, Sitting, parcel, presses_of

WAIT_SECONDS: Final = 25
PAUSE_SECONDS: Final = 0.5  # before a failed request is repeated, as real tables do
MOST_TRIES: Final = 60
TOKEN: Final = "0123456789abcdef0123456789abcdef"  # noqa: S105 -- of tables that live for a while
ENDING: Final = 6  # presses: the one that ends the game, four signatures, and one before them
CHUNK: Final = 1 << 16
FIRST_ADDRESS: Final = ip_address("127.1.0.0")  # all of 127/8 is this machine
LENGTH: Final = re.compile(rb"(?i)\r\ncontent-length: *(\d+)")


@dataclass(frozen=True, slots=True)
class Pace:
    """How a round is played.

    The last presses of each game, `live` of them on average, are sent one by one. The earlier ones
    are sent at once, as by a table that was cut off. The rate is in deliveries a second for all
    tables together; without a rate each table sends as soon as it gets an answer. After
    `seconds` each table sends the rest of its game at once too.
    """

    live: int = 0
    a_second: float | None = None
    seconds: float = 3600.0


@dataclass(slots=True)
class Told:
    """Measurements taken while tables played; times are from `time.monotonic`.

    `ended` is when the delivery that ended the game of a (round, table) was sent.
    """

    live_items: int = 0
    live_seconds: float = 0.0
    items: int = 0
    deliveries: int = 0
    tried_again: int = 0
    answer_seconds: list[float] = field(default_factory=list)
    ended: dict[tuple[int, int], float] = field(default_factory=dict)


class Way:
    """The way to the hub on this machine."""

    def __init__(self, port: int) -> None:
        self.to = ("127.0.0.1", port)
        self.tried_again = 0


class Line:
    """A connection to the hub, kept open between requests like a real table's."""

    def __init__(self, way: Way, source: str) -> None:
        self._way = way
        self._source = source
        self._connection: socket.socket | None = None

    async def ask(self, request: str, token: str, body: bytes | None = None) -> bytes:
        """Ask until there is an answer; raises RuntimeError for a refusal."""
        lines = [f"{request} HTTP/1.1", "Host: 127.0.0.1"]
        lines += [f"Authorization: Bearer {token}"] if token else []
        lines += ["Content-Type: application/json", f"Content-Length: {len(body)}"] if body else []
        asked = "\r\n".join([*lines, "", ""]).encode() + (body or b"")
        for _ in range(MOST_TRIES):
            try:
                head, told = await self._asked(asked)
            except ConnectionError:
                self.hang_up()
                head, told = b"HTTP/1.1 503", b""
            status = int(head[9:12])
            if status == HTTPStatus.OK:
                return told
            if status != HTTPStatus.SERVICE_UNAVAILABLE:
                raise RuntimeError(f"{request}: {head!r} {told!r}")
            self._way.tried_again += 1
            await asyncio.sleep(PAUSE_SECONDS)
        raise RuntimeError(f"{request}: the hub does not answer")

    def hang_up(self) -> None:
        """End the connection; the next request opens another."""
        if self._connection is not None:
            self._connection.close()
            self._connection = None

    async def _asked(self, asked: bytes) -> tuple[bytes, bytes]:
        """The head and the body of the answer; raises ConnectionError where it is cut off."""
        loop, received = asyncio.get_running_loop(), b""
        if self._connection is None:
            self._connection = socket.socket()
            self._connection.settimeout(0)
            self._connection.bind((self._source, 0))
            await loop.sock_connect(self._connection, self._way.to)
        await loop.sock_sendall(self._connection, asked)
        while True:
            data = await loop.sock_recv(self._connection, CHUNK)
            if not data:
                raise ConnectionAbortedError
            received += data
            head, end, told = received.partition(b"\r\n\r\n")
            if end and len(told) >= int(LENGTH.findall(head)[0]):
                return head, told


class SimulatedTable:
    """One table: always waiting for updates, playing each round once.

    It has an address of its own, as a real one: joins are limited by address.
    """

    def __init__(self, way: Way, number: int, script: Script) -> None:
        source = str(FIRST_ADDRESS + number)
        self._hearing = Line(way, source)
        self._delivering = Line(way, source)
        self._script = script
        self._sitting: asyncio.Future[Sitting] | None = None
        self._left: Sequence[Press] = ()
        self._heard = 0
        self._token = f"{TOKEN}-{number:05}"
        self._chance = Random(number)
        self.number = number

    async def join(self, code: str) -> None:
        """Come in by a code."""
        request = JoinRequest(code, f"Table {self.number}", self._token)
        await self._delivering.ask("POST /api/v1/join", "", text_of(request).encode())

    async def listen(self) -> None:
        """Hear one word after another, until it is cancelled."""
        while True:
            path = f"/api/v1/word?after={self._heard}&wait={WAIT_SECONDS}"
            word = value_from_text(HubUpdate, await self._hearing.ask(f"GET {path}", self._token))
            self._heard = max(self._heard, word.version)
            sitting = word.sitting
            if sitting is not None and sitting.is_open and self._sitting is not None:
                seats = (sitting.entrants, sitting.names, sitting.options)
                if not self._sitting.done():
                    self._sitting.set_result(Sitting(sitting.round, word.place, *seats))

    def leave(self) -> None:
        """Hang up."""
        self._hearing.hang_up()
        self._delivering.hang_up()

    def expect(self) -> None:
        """Wait for the next round from now on."""
        self._sitting = asyncio.get_running_loop().create_future()

    async def seated(self) -> Sitting:
        """Who sits here in the round that was expected, once it has begun."""
        assert self._sitting is not None
        return await self._sitting

    async def begin(self, sitting: Sitting, pace: Pace, told: Told) -> None:
        """Deliver at once what comes before the presses that are sent by themselves."""
        presses = presses_of(self._script, sitting)
        most = max(ENDING, 2 * pace.live - ENDING)
        live = min(len(presses), self._chance.randint(ENDING, most)) if pace.live else 0
        early, self._left = presses[: len(presses) - live], presses[len(presses) - live :]
        if early:
            await self._send(sitting, parcel(sitting, early), told)

    async def go_on(self, sitting: Sitting, pace: Pace, tables: int, told: Told) -> None:
        """Deliver the other presses one by one, thinking before each."""
        think = tables / pace.a_second if pace.a_second else 0.0
        end = monotonic() + pace.seconds
        for at, press in enumerate(self._left):
            if think:
                await asyncio.sleep(self._chance.expovariate(1 / think))
            if monotonic() > end:
                await self._send(sitting, parcel(sitting, self._left[at:]), told)
                return
            items = await self._send(sitting, parcel(sitting, [press]), told)
            told.live_items += items

    async def _send(self, sitting: Sitting, sending: Parcel, told: Told) -> int:
        """Send a delivery; how many items it had."""
        sent = monotonic()
        if sending.ends:
            told.ended[sitting.round, sitting.table] = sent
        path = f"POST /api/v1/games/{sitting.game_id}/items"
        await self._delivering.ask(path, self._token, sending.body)
        told.answer_seconds.append(monotonic() - sent)
        told.items += sending.items
        told.deliveries += 1
        return sending.items


class Tables:
    """All tables of the tournament."""

    def __init__(self, port: int, many: int, games: Sequence[Script]) -> None:
        self._way = Way(port)
        self.each = [
            SimulatedTable(self._way, number, games[number % len(games)])
            for number in range(1, many + 1)
        ]
        self._listening: list[asyncio.Task[None]] = []

    async def join(self, codes: Mapping[int, str]) -> None:
        """All come in, and listen from then on."""
        await asyncio.gather(*(table.join(codes[table.number]) for table in self.each))
        self._listening = [asyncio.create_task(table.listen()) for table in self.each]

    async def leave(self) -> None:
        """All go."""
        for task in self._listening:
            task.cancel()
        await asyncio.gather(*self._listening, return_exceptions=True)
        for table in self.each:
            table.leave()

    def expect(self) -> None:
        """The next round is about to begin."""
        for table in self.each:
            table.expect()

    async def seated(self) -> list[Sitting]:
        """All sittings of the round, once every table has heard of its own."""
        return list(await asyncio.gather(*(table.seated() for table in self.each)))

    async def begin(self, sittings: Sequence[Sitting], pace: Pace) -> Told:
        """All deliver the beginnings of their games."""
        told = Told()
        pairs = zip(self.each, sittings, strict=True)
        await self._clocked([table.begin(at, pace, told) for table, at in pairs], pace, told)
        return told

    async def go_on(self, sittings: Sequence[Sitting], pace: Pace) -> Told:
        """All play their games to the end, press by press."""
        told, many = Told(), len(self.each)
        pairs = zip(self.each, sittings, strict=True)
        await self._clocked([table.go_on(at, pace, many, told) for table, at in pairs], pace, told)
        return told

    async def _clocked(
        self, playing: Iterable[Coroutine[Any, Any, None]], pace: Pace, told: Told
    ) -> None:
        begun, before = monotonic(), self._way.tried_again
        await asyncio.gather(*playing)
        told.live_seconds = min(monotonic() - begun, pace.seconds)
        told.tried_again = self._way.tried_again - before
