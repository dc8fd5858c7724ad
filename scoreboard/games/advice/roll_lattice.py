"""All ways to keep dice of a roll, and what rolling on from each of them leads to."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from itertools import combinations_with_replacement
from typing import Any

import numpy as np
import numpy.typing as npt

from scoreboard.dice import FACES

Array = npt.NDArray[Any]
Faces = tuple[int, ...]


@dataclass(frozen=True)
class RollLattice:
    """The keeps of up to `dice` dice, by their number, and how they lead to each other.

    `kept[n]` are the keeps of n dice, each ascending; the last are the rolls. `index` gives the
    place of each among those of as many dice. `grow[n]` is [face, keep] to keep: one more die;
    `shrink[n - 1]` is [which die, keep] to keep: one die less. `chance` is each roll's probability.
    """

    dice: int
    kept: tuple[tuple[Faces, ...], ...]
    index: dict[Faces, int]
    grow: tuple[Array, ...]
    shrink: tuple[Array, ...]
    chance: Array

    def before_roll(self, after: Array) -> list[Array]:
        """From the worth of each roll [roll, lane] that of rolling on from each keep, by number."""
        levels = [after]
        for grow in reversed(self.grow):
            mean = levels[-1].take(grow[0], axis=0)
            for keeps in grow[1:]:
                mean += levels[-1].take(keeps, axis=0)
            mean *= 1 / len(grow)
            levels.append(mean)
        return levels[::-1]

    def best_keeps(self, levels: list[Array]) -> Array:
        """From the worth of each keep that of each roll, where its best dice are kept."""
        best = levels[0]
        for level, shrink in zip(levels[1:], self.shrink, strict=True):
            below, best = best, level.copy()
            for keeps in shrink:
                np.maximum(best, below.take(keeps, axis=0), out=best)
        return best


@cache
def lattice_of(dice: int) -> RollLattice:
    """The lattice of that many dice."""
    kept = tuple(tuple(combinations_with_replacement(FACES, size)) for size in range(dice + 1))
    index = {keep: at for level in kept for at, keep in enumerate(level)}

    def grown(keep: Faces, face: int) -> int:
        return index[tuple(sorted((*keep, face)))]

    grow = tuple(np.array([[grown(k, f) for k in level] for f in FACES]) for level in kept[:-1])
    shrink = tuple(
        np.array([[index[(*k[:at], *k[at + 1 :])] for k in level] for at in range(size)])
        for size, level in enumerate(kept[1:], start=1)
    )
    chance = np.ones(1)
    for level, ways in zip(kept[1:], grow, strict=True):
        before, chance = chance / len(FACES), np.zeros(len(level))
        for keeps in ways:
            np.add.at(chance, keeps, before)
    return RollLattice(dice, kept, index, grow, shrink, chance)
