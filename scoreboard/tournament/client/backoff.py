"""How long to wait before a hub that did not answer is asked again."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final

FIRST_SECONDS: Final = 0.5
LONGEST_SECONDS: Final = 5.0
SPREAD: Final = 0.5  # of the pause, so that 250 tables do not come back in one moment


@dataclass(frozen=True, slots=True)
class Backoff:
    """So many failures in a row; the pause doubles with each, up to `longest_seconds`."""

    first_seconds: float = FIRST_SECONDS
    longest_seconds: float = LONGEST_SECONDS
    failures: int = 0

    def failed(self) -> Backoff:
        """After one more failure."""
        return replace(self, failures=self.failures + 1)

    def healed(self) -> Backoff:
        """After an answer came."""
        return replace(self, failures=0)

    def pause_seconds(self, chance: float) -> float:
        """How long to wait now; `chance`, from 0 to 1, shortens the pause by up to a half."""
        doublings = min(max(self.failures - 1, 0), 30)
        whole = min(self.first_seconds * 2.0**doublings, self.longest_seconds)
        return whole * (1 - SPREAD * chance)
