"""Contacts of buttons: debouncing, and two held down together. Pure: times in, presses out."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final


@dataclass(frozen=True, slots=True)
class Edge:
    """A contact changed at `at` (seconds); `closed` means that the button is down from now on."""

    closed: bool
    at: float


SETTLE_SECONDS: Final = 0.012  # of quiet before a contact's state counts: it bounces for 1 to 8 ms
GAP_SECONDS: Final = 0.05  # the least time between two presses


@dataclass(frozen=True, slots=True)
class Contact:
    """One button's contact between two edges.

    `down` is the accepted state; `last` is the newest edge; `burst_at` is when the bouncing around
    it began, None while the contact is quiet; `pressed_at` is the last reported press. Holding a
    button reports nothing more: the next press needs an accepted release first. Keys of a keypad
    don't bounce and need no `settle_seconds` of quiet.
    """

    down: bool = False
    last: Edge | None = None
    burst_at: float | None = None
    pressed_at: float | None = None
    settle_seconds: float = SETTLE_SECONDS

    def after(self, edge: Edge) -> tuple[Contact, float | None]:
        """Take an edge; return the new state and the time of a press proven by the quiet before."""
        quiet, press = self.settled(edge.at)
        burst_at = edge.at if quiet.burst_at is None else quiet.burst_at
        return replace(quiet, last=edge, burst_at=burst_at), press

    def settled(self, now: float) -> tuple[Contact, float | None]:
        """Let time pass; return the new state and the time of a press once the contact is quiet."""
        due = self.due()
        if self.last is None or due is None or now < due:
            return self, None
        press = self._press()
        accepted = replace(self, down=self.last.closed, burst_at=None)
        return (accepted, None) if press is None else (replace(accepted, pressed_at=press), press)

    def checked(self, now: float, *, closed: bool) -> Contact:
        """Compare with the pin itself once it seems quiet; if it differs, an edge was lost."""
        due = self.due()
        if self.last is None or due is None or now < due or self.last.closed == closed:
            return self
        return replace(self, last=Edge(closed, now))

    def due(self) -> float | None:
        """When to ask `settled` again, None while the contact is quiet."""
        if self.last is None or self.burst_at is None:
            return None
        return self.last.at + self.settle_seconds

    def _press(self) -> float | None:
        if self.down or self.last is None or not self.last.closed:
            return None
        too_soon = (
            self.pressed_at is not None
            and self.burst_at is not None
            and self.burst_at - self.pressed_at < GAP_SECONDS
        )
        return None if too_soon else self.burst_at


@dataclass(frozen=True, slots=True)
class Chord:
    """The state of several contacts between two checks, to report a hold of that many seconds.

    `since` is when the last of them went down, None while one is up. `reported`: one hold counts
    once, however long it lasts.
    """

    seconds: float
    since: float | None = None
    reported: bool = False

    def after(self, now: float, *, all_down: bool) -> tuple[Chord, bool]:
        """Check the contacts; return the new state and whether the hold is long enough now."""
        if not all_down:
            return Chord(self.seconds), False
        since = now if self.since is None else self.since
        held = not self.reported and now - since >= self.seconds
        return replace(self, since=since, reported=self.reported or held), held

    @property
    def due(self) -> float | None:
        """When to check again, None while only a change of a contact matters."""
        return None if self.since is None or self.reported else self.since + self.seconds
