"""What was said for what: labelled values against readings, counted."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Final

from vision.observation import UNREADABLE

FACES: Final = ("1", "2", "3", "4", "5", "6")
NO_DIE: Final = "no die"
NOT_FOUND: Final = "not found"
SHOWN: Final = (*FACES, NO_DIE)
SAID: Final = (*FACES, UNREADABLE, NOT_FOUND)


@dataclass(frozen=True, slots=True)
class Confusion:
    """How often what is SHOWN was SAID to be what; `counts` by those two, zeros left out."""

    counts: Mapping[tuple[str, str], int]

    def row(self, shown: str) -> tuple[int, ...]:
        """How often that was said to be each of SAID."""
        return tuple(self.counts.get((shown, said), 0) for said in SAID)


def confusion(pairs: Iterable[tuple[int | None, str | None]]) -> Confusion:
    """Count pairs of a die's value (None: no die) and what was said (None: it was not found)."""
    named = ((str(value or NO_DIE), said or NOT_FOUND) for value, said in pairs)
    return Confusion(dict(Counter(named)))
