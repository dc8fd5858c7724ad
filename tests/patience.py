"""The longest wait of a test: long, because a loaded machine is slow and that is no fault.

Only a failing test waits this long.
"""

from __future__ import annotations

from collections.abc import Callable
from time import monotonic, sleep
from typing import Final, TypeVar

PATIENCE_SECONDS: Final = 120.0
PATIENCE_MILLISECONDS: Final = 1000 * PATIENCE_SECONDS
Found = TypeVar("Found")


def until(condition: Callable[[], Found | None], look_seconds: float = 0.01) -> Found:
    """What the condition gives once it gives anything."""
    end = monotonic() + PATIENCE_SECONDS
    while not (found := condition()):
        assert monotonic() < end
        sleep(look_seconds)
    return found
