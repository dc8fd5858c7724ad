"""What a button may do, and whether a player can have seen that.

A press means what its button would have done 300 ms earlier, so what it would do is a value:
a `ButtonAction` that can be compared with the one shown then. Its `label` is its effect in words.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import ClassVar, Final

from scoreboard.message import Message, message
from scoreboard.table.game_session import PlannedAct
from scoreboard.table.kept_dice import RollReading
from scoreboard.table.pending_dice import PendingRoll
from scoreboard.table.proposal import TableDie
from scoreboard.table.requests import Action
from scoreboard.table.tournament_participation import Begin

WRITE_ZERO: Final = message("That scores 0. To do it, press KEEP or choose the box again.")
CANCEL: Final = message("Cancel")


@dataclass(frozen=True, slots=True)
class Record:
    """Carry out these acts in one step; `on_table` are the positions of a roll's dice."""

    acts: tuple[PlannedAct, ...]
    label: Message
    on_table: tuple[TableDie, ...] | None = field(default=None, compare=False)


@dataclass(frozen=True, slots=True)
class ShowDoubt:
    """Ask to look at a doubtful reading; the next press confirms it."""

    doubts: tuple[Message, ...]
    label: Message


@dataclass(frozen=True, slots=True)
class AskAgain:
    """Ask once more before the offer `key` is carried out."""

    key: str
    question: Message = WRITE_ZERO
    label: ClassVar[Message] = message("Score 0 (you’ll be asked again)")


@dataclass(frozen=True, slots=True)
class Point:
    """Point at the box that the offer `key` fills."""

    key: str
    label: Message


@dataclass(frozen=True, slots=True)
class SwitchClock:
    """Stop the turn's clock, or let it run."""

    label: Message


@dataclass(frozen=True, slots=True)
class Cancel:
    """Withdraw the open question."""

    label: ClassVar[Message] = CANCEL


@dataclass(frozen=True, slots=True)
class AnswerRolled:
    """Answer whether dice that show the same as before were rolled."""

    rolled: bool

    @property
    def label(self) -> Message:
        no = message("No, they were not rolled")
        return message("Yes, they were rolled") if self.rolled else no


@dataclass(frozen=True, slots=True)
class Reject:
    """Drop the pending reading; it is not offered again before the table has changed."""

    faces: tuple[int | None, ...]
    label: ClassVar[Message] = message("Reject this reading")


@dataclass(frozen=True, slots=True)
class TakeBack:
    """Take back `what` began with this event, or at 0 that somebody joined."""

    step: int
    what: Message

    @property
    def label(self) -> Message:
        return message("Undo {what}", what=self.what)


@dataclass(frozen=True, slots=True)
class Refuse:
    """Do nothing, and give the reason."""

    why: Message
    label: ClassVar[None] = None


Turning = ShowDoubt | AskAgain | Point | SwitchClock | Cancel  # which Pending.turned takes
ButtonAction = Turning | Record | AnswerRolled | Reject | TakeBack | Refuse | Begin


@dataclass(frozen=True, slots=True)
class ConfirmPolicy:
    """A stated policy for recording a roll without a press.

    A reading without a doubt that stayed the same for `seconds`, all of its dice right with a
    probability of at least `confidence`, is recorded as if REROLL had been pressed.
    """

    seconds: float
    confidence: float

    def allows(self, reading: PendingRoll, rolled: RollReading, at: datetime) -> bool:
        """Whether this reading may be recorded now."""
        return (
            rolled.obstacle is None
            and not (rolled.doubts or reading.doubts or reading.touched)
            and not (reading.same or reading.returned)
            and reading.confidence >= self.confidence
            and (at - reading.since).total_seconds() >= self.seconds
        )


REACTION: Final = timedelta(milliseconds=300)
LONGEST: Final = 64  # changes within 300 ms; each takes a commit to disk or a new reading

Meanings = Mapping[Action, ButtonAction]


class History:
    """Since when each button has had its meaning: what was shown at the start, for ever."""

    def __init__(self, meanings: Meanings) -> None:
        self._first = meanings
        self._later: deque[tuple[datetime, Meanings, Action | None]] = deque(maxlen=LONGEST)

    @property
    def now(self) -> Meanings:
        return self._later[-1][1] if self._later else self._first

    def changed(self, meanings: Meanings, at: datetime, by: Action | None = None) -> None:
        """Record the meanings from `at` (aware UTC) on; `by` is the button whose press it was."""
        if len(self._later) == LONGEST:
            self._first = self._later[0][1]
        self._later.append((at, meanings, by))

    def is_steady(self, action: Action, pressed_at: datetime) -> bool:
        """Whether the button's meaning is the same as 300 ms before the press.

        Several presses of UNDO mean as many steps back: changes by UNDO itself are expected.
        """
        seen_at, shown, steady = pressed_at - REACTION, self._first, True
        for at, meanings, by in self._later:
            expected = action is by is Action.UNDO
            if not steady and not expected:
                continue
            if expected or at <= seen_at:
                shown, steady = meanings, True
            else:
                steady = meanings[action] == shown[action]
        return steady
