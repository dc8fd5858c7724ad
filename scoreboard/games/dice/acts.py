"""Commands and events of the Yacht family, and their notation.

start NAME 55521     roll 55521        keep 555, keep -     reroll-one 3 -> 6
correct roll 55526   score BOX [50]    leave NAME
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Final

from scoreboard.dice import NO_DICE, Roll
from scoreboard.games.engine.game import Notation
from scoreboard.players import by_player, quoted, unquoted


@dataclass(frozen=True, slots=True)
class StartRolled:
    """The player rolled for the start (YZ-2)."""

    player: str
    roll: Roll


@dataclass(frozen=True, slots=True)
class DiceRolled:
    """The dice showed this; kept dice are among them (YZ-4)."""

    roll: Roll


@dataclass(frozen=True, slots=True)
class DiceKept:
    """These dice of the last roll were kept; all of them if the player stood (YZ-4)."""

    roll: Roll


@dataclass(frozen=True, slots=True)
class FoulDieRerolled:
    """One die of the last roll was re-rolled, which does not count as a roll (YZ-5)."""

    was: int
    now: int


@dataclass(frozen=True, slots=True)
class RollCorrected:
    """The last roll showed this, not what was recorded."""

    roll: Roll


@dataclass(frozen=True, slots=True)
class CategoryScored:
    """A box was filled.

    `points` are the box's own, decided by `rule`; `bonus` is 0 or the roll's extra Yahtzee bonus
    (YZ-17).
    """

    player: str
    category: str
    points: int
    rule: str
    bonus: int


@dataclass(frozen=True, slots=True)
class PlayerLeft:
    """The player left for good; the card is unchanged."""

    player: str


@dataclass(frozen=True, slots=True)
class ScoreCategory:
    """Score the last roll in this box (YZ-6); `points`, if given, must be the box's own."""

    category: str
    points: int | None = None


# What is accepted happened as it was entered; only of a box the rules work out the rest.
AsEntered = StartRolled | DiceRolled | DiceKept | FoulDieRerolled | RollCorrected | PlayerLeft
Event = AsEntered | CategoryScored
Command = AsEntered | ScoreCategory
KINDS: Final[Mapping[str, type[Event]]] = {
    "start-rolled": StartRolled,
    "dice-rolled": DiceRolled,
    "dice-kept": DiceKept,
    "foul-die-rerolled": FoulDieRerolled,
    "roll-corrected": RollCorrected,
    "category-scored": CategoryScored,
    "player-left": PlayerLeft,
}


def _reader(form: str, make: Callable[..., Command]) -> Callable[[str], Command | None]:
    """Reads arguments of that form, a regular expression whose groups go to `make`."""
    pattern = re.compile(form)

    def read(rest: str) -> Command | None:
        found = pattern.fullmatch(rest)
        return found and make(*found.groups())

    return read


_READERS: Final[Mapping[str, Callable[[str], Command | None]]] = {
    "start": _reader(
        r"(.*\S)\s+(\S+)", lambda name, roll: StartRolled(unquoted(name), Roll.parse(roll))
    ),
    "roll": _reader(r"(.+)", lambda roll: DiceRolled(Roll.parse(roll))),
    "keep": _reader(r"(.+)", lambda roll: DiceKept(NO_DICE if roll == "-" else Roll.parse(roll))),
    "reroll-one": _reader(
        r"([1-6])\s*->\s*([1-6])", lambda was, now: FoulDieRerolled(int(was), int(now))
    ),
    "correct": _reader(r"roll\s+(\S+)", lambda roll: RollCorrected(Roll.parse(roll))),
    "score": _reader(
        r"([a-z-]+)(?:\s+([0-9]{1,4}))?",
        lambda box, points: ScoreCategory(box, None if points is None else int(points)),
    ),
    "leave": partial(by_player, PlayerLeft),
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
