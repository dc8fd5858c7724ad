"""Buttons held down together: pure, what is down goes in, an act comes out."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final

HOLD_SECONDS: Final = 1.0


@dataclass(frozen=True, slots=True)
class Chord:
    """Several contacts between two looks at them.

    `since` is when the last of them went down, None while one is up; `told` that the act was
    reported: one hold is one act, however long it lasts.
    """

    hold_seconds: float = HOLD_SECONDS
    since: float | None = None
    told: bool = False

    def after(self, now: float, *, all_down: bool) -> tuple[Chord, bool]:
        """Look at the contacts; gives whether they have been held long enough just now."""
        if not all_down:
            return Chord(self.hold_seconds), False
        since = now if self.since is None else self.since
        held = not self.told and now - since >= self.hold_seconds
        return replace(self, since=since, told=self.told or held), held

    @property
    def due(self) -> float | None:
        """When to look again, None while nothing but a change of a contact matters."""
        return None if self.since is None or self.told else self.since + self.hold_seconds
