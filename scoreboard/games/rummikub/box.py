"""What a box of Rummikub holds."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import Final

from scoreboard.games.rummikub.tiles import (
    COLOURS,
    JOKER,
    NUMBERS,
    Joker,
    Piece,
    Tile,
    Tiles,
    in_order,
)

DEALT: Final = 14


@dataclass(frozen=True, slots=True)
class Box:
    """So many copies of each tile, and so many jokers (RK-1)."""

    copies: int
    jokers: int

    @classmethod
    def of(cls, players: int) -> Box:
        """The classic box for two to four players, the XP box for five and six."""
        return CLASSIC if players in CLASSIC_PLAYERS else XP

    def __len__(self) -> int:
        return self.copies * len(COLOURS) * len(NUMBERS) + self.jokers

    @property
    def tiles(self) -> Tiles:
        """All its tiles."""
        return in_order(self._most.elements())

    def beyond(self, tiles: Tiles) -> Tiles:
        """The tiles of which there are more than the box holds."""
        most = self._most
        return in_order(each for each, count in tiles.counts.items() if count > most[each])

    def pool_after_dealing(self, players: int) -> int:
        """How many tiles are left when everyone has taken theirs (RK-2)."""
        return len(self) - DEALT * players

    @property
    def _most(self) -> Counter[Piece]:
        most: Counter[Piece] = Counter({JOKER: self.jokers})
        most.update({Tile(colour, number): self.copies for colour in COLOURS for number in NUMBERS})
        return most


CLASSIC: Final = Box(copies=2, jokers=2)
XP: Final = Box(copies=3, jokers=4)
CLASSIC_PLAYERS: Final = range(2, 5)


def points(tiles: Tiles, joker: int) -> int:
    """What tiles on a rack cost at the end (RK-10, RK-11)."""
    return sum(joker if isinstance(each, Joker) else each.number for each in tiles.pieces)
