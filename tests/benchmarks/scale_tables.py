"""The simulated tables of a large tournament: each joins, waits for updates and delivers games.

All of them share one thread, because the hub runs on the same machine: whole legal games are played
at random beforehand, and requests are assembled by hand. Like a real table, each keeps two
connections: one to wait for updates, and one to deliver.
"""

from __future__ import annotations

import asyncio
import re
import socket
from collections.abc import Coroutine, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from http import HTTPStatus
from ipaddress import ip_address
from random import Random
from time import monotonic
from typing import Any, Final

import msgspec

from scoreboard.games.engine.game import Setup
from scoreboard.games.engine.transcript import RecordedEvent
from scoreboard.games.rummikub.game import GAME
from scoreboard.tournament.protocol.documents import text_of, value_from_text
from scoreboard.tournament.protocol.hub_update import HubUpdate, JoinRequest
from scoreboard.tournament.protocol.items import EventItem, Item, Opened, SignedBy, body_of
from tests.scoreboard.games.rummikub.playing import evolved, random_command

NAMES: Final = tuple(f"Seat {seat}" for seat in "ABCD")
OPTIONS: Final = {"rounds": "1", "joker": "30"}  # as a hub asks for them
BEGAN: Final = datetime(2026, 11, 22, 10, tzinfo=UTC)
SHORTEST: Final = 35  # events; shorter and longer games are legal too, but less typical
LONGEST: Final = 75
BREAK: Final = b"\n"  # occurs in no JSON
Press = Sequence[bytes]


@dataclass(frozen=True, slots=True)
class Script:
    """A complete game: the items of each press as JSON, with players called `NAMES`."""

    presses: tuple[tuple[bytes, ...], ...]

    @property
    def events(self) -> int:
        return sum(map(len, self.presses))


@dataclass(frozen=True, slots=True)
class Sitting:
    """A game's place and players, as in the hub's update."""

    round: int
    table: int
    entrants: tuple[int, ...]
    players: tuple[str, ...]
    options: Mapping[str, str]

    @property
    def game_id(self) -> str:
        return f"round-{self.round}-table-{self.table}"


@dataclass(frozen=True, slots=True)
class Parcel:
    """A delivery ready to be sent: its body, its items, and whether the game ends with it."""

    body: bytes
    items: int
    ends: bool


def scripts(many: int) -> tuple[Script, ...]:
    """Games of one round of Rummikub at a table of four."""
    chance = Random(1)
    found: list[Script] = []
    while len(found) < many:
        script = _played(chance)
        if SHORTEST <= script.events <= LONGEST:
            found.append(script)
    return tuple(found)


def presses_of(script: Script, sitting: Sitting) -> tuple[Press, ...]:
    """A table's items of a game, press by press; each signature is a press."""
    return tuple(_presses(script, sitting))


def parcel(sitting: Sitting, presses: Sequence[Press]) -> Parcel:
    """The delivery of some presses: one as it happens, or all after a table was cut off."""
    items = [item for press in presses for item in press]
    listed = b",".join(items)
    body = b'{"game_id":"%b","items":[%b]}' % (sitting.game_id.encode(), listed)
    return Parcel(body, len(items), b'"game-ended"' in listed)


def _played(chance: Random) -> Script:
    state, happened = GAME.start(Setup(NAMES, OPTIONS)), 0
    presses: list[tuple[bytes, ...]] = []
    while not state.ended:
        events = GAME.decide(state, random_command(state, chance))
        state = evolved(state, events)
        numbered = enumerate(events, start=happened + 1)
        presses.append(tuple(_event(number, len(presses) + 1, each) for number, each in numbered))
        happened += len(events)
    return Script(tuple(presses))


def _event(number: int, step: int, event: object) -> bytes:
    """An event as an item; the opening comes before the first."""
    record = RecordedEvent("any", number, BEGAN, "page", step, event)
    return _item(number + 1, body_of(EventItem.of(record, GAME.kinds)))


def _presses(script: Script, sitting: Sitting) -> Iterator[Press]:
    """The items of each press: the opening, the events, then each signature."""
    header = (sitting.round, sitting.table, 1, sitting.entrants, dict(sitting.options))
    yield (_item(1, body_of(Opened(GAME.name, sitting.players, BEGAN, *header))),)
    items = BREAK.join(item for press in script.presses for item in press)
    for called, player in zip(NAMES, sitting.players, strict=True):
        items = items.replace(msgspec.json.encode(called), msgspec.json.encode(player))
    lines = iter(items.split(BREAK))
    for press in script.presses:
        yield [next(lines) for _ in press]
    for sequence, entrant in enumerate(sitting.entrants, start=script.events + 2):
        yield (_item(sequence, body_of(SignedBy(entrant))),)


def _item(sequence: int, body: Mapping[str, Any]) -> bytes:
    return msgspec.json.encode(Item(sequence, body))


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
    tried_again: int = 0
    answer_seconds: list[float] = field(default_factory=list)
    ended: dict[tuple[int, int], float] = field(default_factory=dict)


class Line:
    """A connection to the hub, kept open between requests like a real table's."""

    def __init__(self, port: int, source: str) -> None:
        self._to = ("127.0.0.1", port)
        self._source = source
        self.tried_again = 0
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
            self.tried_again += 1
            await asyncio.sleep(PAUSE_SECONDS)
        raise RuntimeError(f"{request}: the hub does not answer")

    def hang_up(self) -> None:
        if self._connection is not None:
            self._connection.close()
            self._connection = None

    async def _asked(self, asked: bytes) -> tuple[bytes, bytes]:
        loop, received = asyncio.get_running_loop(), b""
        if self._connection is None:
            self._connection = socket.socket()
            self._connection.settimeout(0)
            self._connection.bind((self._source, 0))
            await loop.sock_connect(self._connection, self._to)
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

    def __init__(self, port: int, number: int, script: Script) -> None:
        source = str(FIRST_ADDRESS + number)
        self._hearing = Line(port, source)
        self._delivering = Line(port, source)
        self._script = script
        self._sitting: asyncio.Future[Sitting] | None = None
        self._left: Sequence[Press] = ()
        self._heard = 0
        self._token = f"{TOKEN}-{number:05}"
        self._chance = Random(number)
        self.number = number

    async def join(self, code: str) -> None:
        request = JoinRequest(code, f"Table {self.number}", self._token)
        await self._delivering.ask("POST /api/v1/join", "", text_of(request).encode())

    async def listen(self) -> None:
        """Hear one word after another, until it is cancelled."""
        while True:
            path = f"/api/v1/word?after={self._heard}&wait={WAIT_SECONDS}"
            word = value_from_text(HubUpdate, await self._hearing.ask(f"GET {path}", self._token))
            self._heard = max(self._heard, word.version)
            sitting = word.sitting
            is_open = (
                sitting and sitting.rounds_phase == "running" and sitting.game <= sitting.games
            )
            if sitting is not None and is_open and self._sitting is not None:
                names = tuple(seat.name for seat in sitting.seats)
                seats = (sitting.entrants, names, sitting.options)
                if not self._sitting.done():
                    self._sitting.set_result(Sitting(sitting.round, word.place, *seats))

    @property
    def tried_again(self) -> int:
        return self._hearing.tried_again + self._delivering.tried_again

    def leave(self) -> None:
        self._hearing.hang_up()
        self._delivering.hang_up()

    def expect(self) -> None:
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
        sent = monotonic()
        if sending.ends:
            told.ended[sitting.round, sitting.table] = sent
        path = f"POST /api/v1/games/{sitting.game_id}/items"
        await self._delivering.ask(path, self._token, sending.body)
        told.answer_seconds.append(monotonic() - sent)
        told.items += sending.items
        return sending.items


class Tables:
    """All tables of the tournament."""

    def __init__(self, port: int, many: int, games: Sequence[Script]) -> None:
        self.each = [
            SimulatedTable(port, number, games[number % len(games)])
            for number in range(1, many + 1)
        ]
        self._listening: list[asyncio.Task[None]] = []

    async def join(self, codes: Mapping[int, str]) -> None:
        await asyncio.gather(*(table.join(codes[table.number]) for table in self.each))
        self._listening = [asyncio.create_task(table.listen()) for table in self.each]

    async def leave(self) -> None:
        for task in self._listening:
            task.cancel()
        await asyncio.gather(*self._listening, return_exceptions=True)
        for table in self.each:
            table.leave()

    def expect(self) -> None:
        for table in self.each:
            table.expect()

    async def seated(self) -> list[Sitting]:
        return list(await asyncio.gather(*(table.seated() for table in self.each)))

    async def begin(self, sittings: Sequence[Sitting], pace: Pace) -> Told:
        told = Told()
        pairs = zip(self.each, sittings, strict=True)
        await self._clocked([table.begin(at, pace, told) for table, at in pairs], pace, told)
        return told

    async def go_on(self, sittings: Sequence[Sitting], pace: Pace) -> Told:
        told, many = Told(), len(self.each)
        pairs = zip(self.each, sittings, strict=True)
        await self._clocked([table.go_on(at, pace, many, told) for table, at in pairs], pace, told)
        return told

    async def _clocked(
        self, playing: Iterable[Coroutine[Any, Any, None]], pace: Pace, told: Told
    ) -> None:
        begun, before = monotonic(), self.tried_again
        await asyncio.gather(*playing)
        told.live_seconds = min(monotonic() - begun, pace.seconds)
        told.tried_again = self.tried_again - before

    @property
    def tried_again(self) -> int:
        return sum(each.tried_again for each in self.each)
