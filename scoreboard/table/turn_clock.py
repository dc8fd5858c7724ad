"""The clock of a turn: running, stopped, or over (RK-7)."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Final

from scoreboard.table.game_session import GameSession

URGENT_SECONDS: Final = 10
SWITCH_CLOCK: Final = "clock"  # chosen as an offer is, though no rulebook has it


@dataclass(frozen=True, slots=True)
class TurnClock:
    """The time left in the open turn.

    `limit` is the turn's length and `left` the rest, both in seconds, when the clock last started,
    at `since` (aware UTC), or was stopped (None); `time_up` is the key of the offer that is carried
    out in the end; `urgent` when no more than ten seconds are left.
    """

    limit: int
    left: float
    time_up: str
    since: datetime | None = None
    urgent: bool = False

    @property
    def ends_at(self) -> datetime | None:
        """When the time will be up, None while the clock is stopped."""
        return None if self.since is None else self.since + timedelta(seconds=self.left)

    def left_at(self, now: datetime) -> float:
        """The seconds left, never below 0."""
        used = 0.0 if self.since is None else (now - self.since).total_seconds()
        return max(0.0, self.left - used)

    def toggled(self, now: datetime) -> TurnClock:
        """Stopped if it ran, running if it was stopped."""
        if self.since is None:
            return replace(self, since=now)
        return replace(self, left=self.left_at(now), since=None)

    def seen_at(self, now: datetime) -> TurnClock:
        """The clock as it is shown: urgent from ten seconds on."""
        return replace(self, urgent=self.urgent or self.left_at(now) <= URGENT_SECONDS)

    def is_over(self, now: datetime) -> bool:
        return self.since is not None and self.left_at(now) <= 0


def clock_after(
    before: GameSession, clock: TurnClock | None, after: GameSession, now: datetime
) -> TurnClock | None:
    """The clock after a recorded act: the same in the same turn, running in the next one.

    If nothing was timed before (the first turn of a round, a table put back), it is stopped until
    started.
    """
    fresh = standing_clock(after)
    if fresh is None or clock is None:
        return fresh
    if after.turn.number == before.turn.number:
        return clock
    return replace(fresh, since=now)


def standing_clock(session: GameSession) -> TurnClock | None:
    """A fresh clock for the open turn, None if turns are not timed."""
    awaited = session.turn.awaited
    if awaited is None or awaited.seconds is None or awaited.time_up is None:
        return None
    return TurnClock(awaited.seconds, float(awaited.seconds), awaited.time_up)
