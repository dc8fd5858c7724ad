"""A game's acts as lines of text, read and written.

start NAME 55521     roll 55521        keep 555, keep -     reroll-one 3 -> 6
correct roll 55526   score BOX [50]    leave NAME
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Final

from scoreboard.dice import NO_DICE, Roll
from scoreboard.games.dice.acts import (
    CategoryScored,
    Command,
    CorrectRoll,
    DiceKept,
    DiceRolled,
    Event,
    FoulDieRerolled,
    KeepDice,
    LeaveGame,
    PlayerLeft,
    RecordRoll,
    RecordStart,
    RerollFoulDie,
    RollCorrected,
    ScoreCategory,
    StartRolled,
)
from scoreboard.games.engine.game import Notation
from scoreboard.players import quoted, unquoted

_FOUL: Final = re.compile(r"([1-6])\s*->\s*([1-6])")
_SCORE: Final = re.compile(r"([a-z-]+)(?:\s+([0-9]{1,4}))?")


def _read_start(rest: str) -> Command | None:
    match rest.rsplit(None, 1):
        case [name, roll]:
            return RecordStart(unquoted(name), Roll.parse(roll))
        case _:
            return None


def _read_roll(rest: str) -> Command | None:
    return RecordRoll(Roll.parse(rest)) if rest else None


def _read_keep(rest: str) -> Command | None:
    if rest == "-":
        return KeepDice(NO_DICE)
    return KeepDice(Roll.parse(rest)) if rest else None


def _read_foul(rest: str) -> Command | None:
    found = _FOUL.fullmatch(rest)
    return found and RerollFoulDie(int(found[1]), int(found[2]))


def _read_correction(rest: str) -> Command | None:
    match rest.split():
        case ["roll", roll]:
            return CorrectRoll(Roll.parse(roll))
        case _:
            return None


def _read_score(rest: str) -> Command | None:
    found = _SCORE.fullmatch(rest)
    if found is None:
        return None
    return ScoreCategory(found[1], None if found[2] is None else int(found[2]))


def _read_leave(rest: str) -> Command | None:
    return LeaveGame(unquoted(rest)) if rest else None


_READERS: Final[Mapping[str, Callable[[str], Command | None]]] = {
    "start": _read_start,
    "roll": _read_roll,
    "keep": _read_keep,
    "reroll-one": _read_foul,
    "correct": _read_correction,
    "score": _read_score,
    "leave": _read_leave,
}


def written(event: Event) -> str:  # noqa: PLR0911 -- one arm a member
    """The line of an event."""
    match event:
        case StartRolled(player, roll):
            return f"start {quoted(player)} {roll}"
        case DiceRolled(roll):
            return f"roll {roll}"
        case DiceKept(roll):
            return f"keep {roll if roll.faces else '-'}"
        case FoulDieRerolled(was, now):
            return f"reroll-one {was} -> {now}"
        case RollCorrected(roll):
            return f"correct roll {roll}"
        case CategoryScored(category=category, points=points):
            return f"score {category} {points}"
        case PlayerLeft(player):
            return f"leave {quoted(player)}"


NOTATION: Final[Notation[Command, Event]] = Notation(_READERS, written)
