"""The clocks of a table and of a hub."""

from __future__ import annotations

import time
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from scoreboard.table.ports import Clock


def utc_now() -> datetime:
    """The time of day as aware UTC."""
    return datetime.now(UTC)


def steady_clock(wall: Clock = utc_now, monotonic: Callable[[], float] = time.monotonic) -> Clock:
    """A clock that shows the time of day of its start and then never jumps.

    It measures turns, presses and patience: a machine without a battery for its clock sets the time
    of day by years when the network comes.
    """
    began, origin = wall(), monotonic()
    return lambda: began + timedelta(seconds=monotonic() - origin)
