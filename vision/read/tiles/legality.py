"""Whether the sets that were seen are legal, and by which rule."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from scoreboard.games.rummikub.sets import Kind, best, fault_of
from scoreboard.games.rummikub.tiles import Piece, Tiles
from vision.read.observation import UNREADABLE, SeenSet

_RULES: Final[dict[Kind, str]] = {"group": "RK-3", "run": "RK-4"}


def judged(sets: Iterable[tuple[int, ...]], pieces: Sequence[Piece | None]) -> tuple[SeenSet, ...]:
    """Judge every set as it lies; `sets` are indices of `pieces` (RK-3, RK-4, RK-8, RK-16)."""
    return tuple(_judged(indices, [pieces[at] for at in indices]) for indices in sets)


def _judged(indices: tuple[int, ...], lying: Sequence[Piece | None]) -> SeenSet:
    told = tuple(UNREADABLE if each is None else str(each) for each in lying)
    known = Tiles(tuple(each for each in lying if each is not None))
    if len(known) < len(lying):
        return SeenSet(indices, told, legal=None, rule=None)
    fault = fault_of(known)
    if fault is not None:
        return SeenSet(indices, told, legal=False, rule=fault.rule)
    return SeenSet(indices, told, legal=True, rule=_rule(known))


def _rule(known: Tiles) -> str | None:
    """The rule by which a legal set is one."""
    reading = best(known)
    return None if reading is None else _RULES[reading.kind]
