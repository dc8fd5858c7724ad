"""The clock that measures at the table, beside a time of day that is set."""

from __future__ import annotations

from datetime import timedelta

from tests.scoreboard.table.fakes import EVENING, FakeClock
from web.shared.clocks import steady_clock


def test_it_goes_on_while_the_time_of_day_jumps() -> None:
    """It begins with the time of day, and counts what passes from there."""
    wall, passed = FakeClock(), [100.0]
    steady = steady_clock(wall, lambda: passed[0])
    assert steady() == EVENING
    wall.advance(9000 * 24 * 3600)
    passed[0] += 1.5
    assert steady() == EVENING + timedelta(seconds=1.5)
