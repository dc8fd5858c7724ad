"""Buttons held down together. Pure: states of contacts in, a hold out."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final

HOLD_SECONDS: Final = 1.0


@dataclass(frozen=True, slots=True)
class Chord:
    """The state of several contacts between two checks.

    `since` is when the last of them went down, None while one is up. `told` means that the hold
    was reported: one hold counts once, however long it lasts.
    """

    hold_seconds: float = HOLD_SECONDS
    since: float | None = None
    told: bool = False

    def after(self, now: float, *, all_down: bool) -> tuple[Chord, bool]:
        """Check the contacts; return the new state and whether the hold is long enough now."""
        if not all_down:
            return Chord(self.hold_seconds), False
        since = now if self.since is None else self.since
        held = not self.told and now - since >= self.hold_seconds
        return replace(self, since=since, told=self.told or held), held

    @property
    def due(self) -> float | None:
        """When to check again, None while only a change of a contact matters."""
        return None if self.since is None or self.told else self.since + self.hold_seconds
