"""Clocks for the tests of a hub."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

MORNING = datetime(2026, 11, 22, 9, 0, tzinfo=UTC)


class Ticking:
    """A clock that goes on by a second whenever somebody looks at it, or as far as it is told."""

    def __init__(self) -> None:
        self._now = MORNING

    def __call__(self) -> datetime:
        """Now."""
        self._now += timedelta(seconds=1)
        return self._now

    def pass_by(self, **units: float) -> None:
        """Let time pass."""
        self._now += timedelta(**units)
