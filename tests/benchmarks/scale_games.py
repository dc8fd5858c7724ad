"""Whole legal games as tables deliver them, played at random and prepared beforehand."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from random import Random
from typing import Any, Final

import msgspec

from scoreboard.games.engine.game import Setup
from scoreboard.games.engine.transcript import RecordedEvent
from scoreboard.games.rummikub.game import GAME
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
        """The number of events."""
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
        """The id of the game."""
        return f"round-{self.round}-table-{self.table}"


@dataclass(frozen=True, slots=True)
class Parcel:
    """A delivery ready to be sent: its body, its items, and whether the game ends with it."""

    body: bytes
    items: int
    ends: bool


def scripts(many: int, seed: int = 1) -> tuple[Script, ...]:
    """Games of one round of Rummikub at a table of four."""
    chance = Random(seed)
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
