"""Contacts of buttons: debouncing, and two held down together. Pure: times in, presses out."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Final


@dataclass(frozen=True, slots=True)
class Edge:
    """A contact changed at `at` (seconds); `closed` means that the button is down from now on."""

    closed: bool
    at: float


@dataclass(frozen=True, slots=True)
class DebounceSettings:
    """The times of debouncing.

    `settle_seconds`: a contact's state is accepted after it was quiet for this long (contacts
    bounce for 1 to 8 ms). `gap_seconds`: the least time between two presses.
    """

    settle_seconds: float = 0.012
    gap_seconds: float = 0.05


DEFAULT_SETTINGS: Final = DebounceSettings()


@dataclass(frozen=True, slots=True)
class Contact:
    """One button's contact between two edges.

    `down` is the accepted state; `last` is the newest edge; `burst_at` is when the bouncing
    around it began, None while the contact is quiet; `pressed_at` is the last reported press.
    Holding a button reports nothing more: the next press needs an accepted release first.
    """

    down: bool = False
    last: Edge | None = None
    burst_at: float | None = None
    pressed_at: float | None = None

    def after(
        self, edge: Edge, settings: DebounceSettings = DEFAULT_SETTINGS
    ) -> tuple[Contact, float | None]:
        """Take an edge; return the new state and the time of a press proven by the quiet before."""
        quiet, press = self.settled(edge.at, settings)
        burst_at = edge.at if quiet.burst_at is None else quiet.burst_at
        return replace(quiet, last=edge, burst_at=burst_at), press

    def settled(
        self, now: float, settings: DebounceSettings = DEFAULT_SETTINGS
    ) -> tuple[Contact, float | None]:
        """Let time pass; return the new state and the time of a press once the contact is quiet."""
        due = self.due(settings)
        if self.last is None or due is None or now < due:
            return self, None
        press = self._press(settings)
        believed = replace(self, down=self.last.closed, burst_at=None)
        return (believed, None) if press is None else (replace(believed, pressed_at=press), press)

    def checked(
        self, now: float, settings: DebounceSettings = DEFAULT_SETTINGS, *, closed: bool
    ) -> Contact:
        """Compare with the pin itself once it seems quiet; if it differs, an edge was lost."""
        due = self.due(settings)
        if self.last is None or due is None or now < due or self.last.closed == closed:
            return self
        return replace(self, last=Edge(closed, now))

    def due(self, settings: DebounceSettings = DEFAULT_SETTINGS) -> float | None:
        """When to ask `settled` again, None while the contact is quiet."""
        if self.last is None or self.burst_at is None:
            return None
        return self.last.at + settings.settle_seconds

    def _press(self, settings: DebounceSettings) -> float | None:
        if self.down or self.last is None or not self.last.closed:
            return None
        too_soon = (
            self.pressed_at is not None
            and self.burst_at is not None
            and self.burst_at - self.pressed_at < settings.gap_seconds
        )
        return None if too_soon else self.burst_at


def presses(
    edges: Iterable[Edge], until: float, settings: DebounceSettings = DEFAULT_SETTINGS
) -> tuple[float, ...]:
    """The times of all presses in these edges, if nothing more happens until `until`."""
    contact, found = Contact(), []
    for edge in edges:
        contact, press = contact.after(edge, settings)
        found.append(press)
    _, press = contact.settled(until, settings)
    return tuple(each for each in (*found, press) if each is not None)


HOLD_SECONDS: Final = 1.0


@dataclass(frozen=True, slots=True)
class Chord:
    """The state of several contacts between two checks.

    `since` is when the last of them went down, None while one is up. `reported`: one hold counts
    once, however long it lasts.
    """

    hold_seconds: float = HOLD_SECONDS
    since: float | None = None
    reported: bool = False

    def after(self, now: float, *, all_down: bool) -> tuple[Chord, bool]:
        """Check the contacts; return the new state and whether the hold is long enough now."""
        if not all_down:
            return Chord(self.hold_seconds), False
        since = now if self.since is None else self.since
        held = not self.reported and now - since >= self.hold_seconds
        return replace(self, since=since, reported=self.reported or held), held

    @property
    def due(self) -> float | None:
        """When to check again, None while only a change of a contact matters."""
        return None if self.since is None or self.reported else self.since + self.hold_seconds
