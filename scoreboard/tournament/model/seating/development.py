"""Designs made by developing a starter: one round, moved along a group, gives all rounds.

A resolvable design is a list of rounds ("parallel classes") in which every point sits at one
table ("block") a round and no two points meet twice. Where a group acts on it, one round and
the group say it all (R. C. Bose, "On the construction of balanced incomplete block designs",
Annals of Eugenics 9, 1939). Points are the elements of the group, as often as there are
components, and points that stay where they are.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import chain
from typing import Final

Groups = tuple[tuple[int, ...], ...]
_POINT: Final = re.compile(r"(\d*)([a-z])", re.ASCII)


@dataclass(frozen=True, slots=True)
class Starter:
    """One round and the group that it is moved along.

    `orders` are those of the cyclic groups whose product it is; an element is one number in
    mixed base. `round_one` has the blocks between commas, a point as its element and its
    component (`12a`), a fixed point as a letter alone (`x`). It is moved by each of `moves`.
    """

    orders: tuple[int, ...]
    moves: tuple[int, ...]
    round_one: str

    def rounds(self) -> tuple[Groups, ...]:
        """All rounds; the points are numbered so that the first round has them in order."""
        blocks = [_POINT.findall(block) for block in self.round_one.split(",")]
        numbers = {point: place for place, point in enumerate(chain.from_iterable(blocks))}
        return tuple(
            tuple(tuple(numbers[self._moved(point, move)] for point in block) for block in blocks)
            for move in self.moves
        )

    def _moved(self, point: tuple[str, str], move: int) -> tuple[str, str]:
        element, component = point
        return (str(self._sum(int(element), move)), component) if element else point

    def _sum(self, one: int, other: int) -> int:
        """The sum of two elements of the group, digit by digit."""
        total, weight = 0, 1
        for order in self.orders:
            total += (one // weight + other // weight) % order * weight
            weight *= order
        return total
