"""Turns are parted, and a first one need not wait."""

from __future__ import annotations

from scoreboard.tournament.protocol.throttle import Throttle


class Clock:
    """A clock that only sleeping moves."""

    def __init__(self) -> None:
        self.now = 100.0

    def sleep(self, seconds: float) -> None:
        """Let the time pass."""
        self.now += seconds


def test_turns_are_parted() -> None:
    """The first turn comes at once, the second after the rest, and one that comes late at once."""
    clock = Clock()
    resting = Throttle(0.5, lambda: clock.now, clock.sleep)
    turns = []
    for _ in range(3):
        resting.rest()
        turns.append(clock.now)
    clock.now = 107.0
    resting.rest()
    assert turns == [100.0, 100.5, 101.0]
    assert clock.now == 107.0


def test_those_who_come_together_wait_one_after_another() -> None:
    """Each gets a turn of its own."""
    slept: list[float] = []
    resting = Throttle(0.5, lambda: 100.0, slept.append)
    for _ in range(3):
        resting.rest()
    assert slept == [0.5, 1.0]
