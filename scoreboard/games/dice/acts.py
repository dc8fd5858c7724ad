"""What is done and what happened in a game of the family: its commands and its events."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from scoreboard.dice import Roll


@dataclass(frozen=True, slots=True)
class RecordStart:
    """The player throws all five dice to find out who starts (YZ-2)."""

    player: str
    roll: Roll


@dataclass(frozen=True, slots=True)
class RecordRoll:
    """The player whose turn it is has thrown; `roll` shows all five dice, kept ones too (YZ-4)."""

    roll: Roll


@dataclass(frozen=True, slots=True)
class KeepDice:
    """These dice of the last throw stay; the others are thrown again (YZ-4).

    None of them: all five are thrown again. All of them: the player stands, and rolling is
    over.
    """

    roll: Roll


@dataclass(frozen=True, slots=True)
class RerollFoulDie:
    """A die that showed `was` had fallen off or leaned; thrown again it shows `now` (YZ-5)."""

    was: int
    now: int


@dataclass(frozen=True, slots=True)
class CorrectRoll:
    """The last throw was read wrongly: it showed `roll`."""

    roll: Roll


@dataclass(frozen=True, slots=True)
class ScoreCategory:
    """Fill this box with the last throw (YZ-6).

    `points`, when given, must be the box's own, without any bonus.
    """

    category: str
    points: int | None = None


@dataclass(frozen=True, slots=True)
class LeaveGame:
    """This player gets up from the table for good."""

    player: str


Command = (
    RecordStart | RecordRoll | KeepDice | RerollFoulDie | CorrectRoll | ScoreCategory | LeaveGame
)


@dataclass(frozen=True, slots=True)
class StartRolled:
    """The player threw for the start (YZ-2)."""

    player: str
    roll: Roll


@dataclass(frozen=True, slots=True)
class DiceRolled:
    """The dice showed this; kept dice are among them (YZ-4)."""

    roll: Roll


@dataclass(frozen=True, slots=True)
class DiceKept:
    """These dice of the last throw stayed; all of them when the player stood (YZ-4)."""

    roll: Roll


@dataclass(frozen=True, slots=True)
class FoulDieRerolled:
    """One die of the last throw was thrown again, outside the count of rolls (YZ-5)."""

    was: int
    now: int


@dataclass(frozen=True, slots=True)
class RollCorrected:
    """The last throw showed this, not what was recorded."""

    roll: Roll


@dataclass(frozen=True, slots=True)
class CategoryScored:
    """A box was filled.

    `points` are the box's own, `rule` decided them, `bonus` is 0 or the Yahtzee bonus
    (YZ-17) that the throw earned beside them.
    """

    player: str
    category: str
    points: int
    rule: str
    bonus: int


@dataclass(frozen=True, slots=True)
class PlayerLeft:
    """The player got up for good; the card stays as it is."""

    player: str


Event = (
    StartRolled
    | DiceRolled
    | DiceKept
    | FoulDieRerolled
    | RollCorrected
    | CategoryScored
    | PlayerLeft
)

KINDS: Final[Mapping[str, type[Event]]] = {
    "start-rolled": StartRolled,
    "dice-rolled": DiceRolled,
    "dice-kept": DiceKept,
    "foul-die-rerolled": FoulDieRerolled,
    "roll-corrected": RollCorrected,
    "category-scored": CategoryScored,
    "player-left": PlayerLeft,
}
