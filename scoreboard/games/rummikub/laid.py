"""The table: all sets that lie on it."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from functools import reduce
from typing import Final

from scoreboard.games.rummikub.tiles import Piece, Tiles

BETWEEN: Final = ","


@dataclass(frozen=True, slots=True)
class Laid:
    """The sets on the table, in the order told; notation `K7 R7 B7, B3 B4 B5`, `-` when empty.

    A set that is none yet is told as it lies, a lone tile too.
    """

    sets: tuple[Tiles, ...] = ()

    @classmethod
    def parse(cls, text: str) -> Laid:
        """Read the notation: sets with commas (or line breaks) between them.

        Raises:
            NotationError: a part of the text is no tile.
        """
        parts = text.replace("\n", BETWEEN).split(BETWEEN)
        return cls(tuple(laid for laid in map(Tiles.parse, parts) if laid.pieces))

    def __str__(self) -> str:
        return f"{BETWEEN} ".join(map(str, self.sets)) or "-"

    @property
    def tiles(self) -> Tiles:
        """All tiles on the table."""
        return Tiles(tuple(each for laid in self.sets for each in laid.pieces))

    @property
    def counts(self) -> Counter[Piece]:
        """How many there are of each tile."""
        return reduce(Counter.__add__, (laid.counts for laid in self.sets), Counter())

    def without(self, other: Laid) -> tuple[Tiles, ...]:
        """The sets that do not lie in `other` just so, counted one by one."""
        left = Counter(frozenset(laid.counts.items()) for laid in other.sets)
        return tuple(laid for laid in self.sets if not _taken(left, laid))


NO_SETS: Final = Laid()


def _taken(left: Counter[frozenset[tuple[Piece, int]]], laid: Tiles) -> bool:
    key = frozenset(laid.counts.items())
    if not left[key]:
        return False
    left[key] -= 1
    return True
