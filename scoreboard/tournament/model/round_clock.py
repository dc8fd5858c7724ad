"""The clock of a round: how long its tables have, set, paused and carried on by the director."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime
from typing import ClassVar, Final

from scoreboard.message import Message, message
from scoreboard.tournament.model.authority import OFFICIALS, CommandRefusedError, Role
from scoreboard.tournament.model.tournament import Command, Event, RoundClock, Tournament

LONGEST_SECONDS: Final = 24 * 60 * 60
SECONDS_A_MINUTE: Final = 60


@dataclass(frozen=True, slots=True)
class SetClock(Command):
    """Give the tables of the last round `left` seconds from `at` on; it runs or stands."""

    roles: ClassVar[frozenset[Role]] = OFFICIALS

    round: int
    left: int
    running: bool
    at: datetime

    def decide(self, state: Tournament) -> tuple[Event, ...]:
        played = state.drawn_round()
        if played.number != self.round or played.phase == "closed":
            raise CommandRefusedError(
                message("Look again: only the round that is being played has a clock.")
            )
        if abs(self.left) > LONGEST_SECONDS:
            raise CommandRefusedError(
                message("Give the round at most {hours} hours.", hours=LONGEST_SECONDS // 3600)
            )
        return (ClockSet(self.round, self.left, int(self.running), self.at),)


@dataclass(frozen=True, slots=True)
class ClockSet(Event):
    """From `at` on the tables had `left` seconds, fewer than 0 in overtime.

    `running` is 1 where the clock ran, 0 where it stood.
    """

    round: int
    left: int
    running: int
    at: datetime

    def apply(self, state: Tournament) -> Tournament:
        clock = RoundClock(self.round, self.left, bool(self.running), self.at)
        return replace(state, clock=clock)

    def describe(self, state: Tournament) -> Message:
        minutes, seconds = divmod(abs(self.left), SECONDS_A_MINUTE)
        time = f"{'-' if self.left < 0 else ''}{minutes}:{seconds:02}"
        if self.running:
            return message("The clock of round {round} runs: {time}.", round=self.round, time=time)
        return message("The clock of round {round} stands: {time}.", round=self.round, time=time)
