"""The Rummikub round of the demo as it is planned: a text of steps, read and held to the rules.

A step is what the table waits for until somebody acts, with what lies before the camera then.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from importlib.resources import files
from typing import Any, Final

from scoreboard.errors import RuleViolationError
from scoreboard.games.engine.game import Setup
from scoreboard.games.rummikub.game import GAME
from scoreboard.games.rummikub.sets import Laid
from scoreboard.games.rummikub.state import State

_SEE: Final = "see"
_HEAD: Final = ("game", "players", "option")
_TOLD: Final = ("tile", "rack")  # a player and a comma stand before the tiles
_LAID: Final = ("lay", "restore")


class PlanError(ValueError):
    """A plan of an evening that the rules do not follow; the text names the line."""


@dataclass(frozen=True, slots=True)
class Step:
    """What the table waits for, and what the camera sees of it.

    `name` is made of what is awaited, the seat and the number of tiles that lie on the table;
    `seat` is whose hand is at the table. `seen` are the tables that lie there one after the
    other, the last one being what is recorded, where anything is. A tile that is only drawn
    does not `stay` there, nor does what is on a `rack`, all of whose tiles are told as one set.
    """

    name: str
    seat: int
    seen: tuple[Laid, ...]
    stays: bool = True
    rack: bool = False


def planned_text() -> str:
    """The plan that ships with the renderer."""
    return (files("vision.train.rendering.tiles") / "evening.txt").read_text(encoding="utf-8")


def steps_of(text: str) -> tuple[Step, ...]:
    """The steps of a plan that have pictures, each of them held to the rules.

    Raises:
        PlanError: the rules refuse an act, or would accept a table that is only seen.
        NotationError: a line has no tiles where they belong.
    """
    lines = [_parted(line) for line in text.splitlines() if line and not line.startswith("#")]
    steps = tuple(_played(_begun(lines), [line for line in lines if line[0] not in _HEAD]))
    return tuple(step for step in steps if step.seen)


def _parted(line: str) -> tuple[str, str]:
    word, _, rest = line.partition(" ")
    return word, rest


def _begun(lines: list[tuple[str, str]]) -> State:
    """The game before its first act, by the plan's head."""
    players = next(rest for word, rest in lines if word == "players")
    options = dict(_parted(rest) for word, rest in lines if word == "option")
    return GAME.start(Setup(tuple(players.split(", ")), options))


def _played(state: State, lines: list[tuple[str, str]]) -> Iterator[Step]:
    """One step an act; a table that is only seen belongs to the act after it."""
    seen: list[Laid] = []
    for word, rest in lines:
        if word == _SEE:
            seen.append(_refused(state, rest))
            continue
        recorded = [Laid.parse(_tiles_of(word, rest))] if word in (*_TOLD, *_LAID) else []
        seat = state.round.seat if word not in _TOLD else _seat_of(state, rest)
        stays, rack = word not in _TOLD, word == "rack"
        yield Step(step_name(state), seat, (*seen, *recorded), stays=stays, rack=rack)
        state, seen = _after(state, word, rest), []


def step_name(state: State) -> str:
    """The name of what the table waits for in this state."""
    turn = GAME.turn(state)
    offer = "" if turn.awaited is None or turn.awaited.sight is None else turn.awaited.sight.offer
    seat = "" if turn.player is None else f"-{turn.player}"
    return f"{offer.replace(':', '-')}{seat}-{len(state.round.table.tiles):02}"


def _tiles_of(word: str, rest: str) -> str:
    return rest.rpartition(",")[2] if word in _TOLD else rest


def _seat_of(state: State, rest: str) -> int:
    return state.players.index(rest.rpartition(",")[0])


def _refused(state: State, table: str) -> Laid:
    """A table that the referee has something against."""
    if not GAME.judge(state, "lay", table).remarks:
        raise PlanError(f"The referee would accept {table}.")
    return Laid.parse(table)


def _after(state: State, word: str, rest: str) -> State:
    """The state after an act, and all that follows from it by itself."""
    command: Any = GAME.notation.readers[word](rest)
    try:
        events = GAME.decide(state, command)
    except RuleViolationError as refusal:
        raise PlanError(f"{word} {rest}: {refusal}") from refusal
    for event in events:
        state = GAME.evolve(state, event)
    return state


def outcome_of(text: str) -> tuple[int, ...]:
    """What the planned evening brings each player, in seat order. Raises as `steps_of`."""
    lines = [_parted(line) for line in text.splitlines() if line and not line.startswith("#")]
    state = _begun(lines)
    for word, rest in lines:
        if word not in (*_HEAD, _SEE):
            state = _after(state, word, rest)
    return state.totals
