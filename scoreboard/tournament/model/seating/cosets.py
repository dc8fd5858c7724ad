"""Designs whose rounds are the planes of a space over two elements, each with its parallels.

Players are the vectors, written as whole numbers and added bit by bit (XOR). A plane through
zero and its cosets are one round, since four to a plane they hold every vector once; two
planes that share zero alone never seat two players together twice. So rounds are the lines of
a partial spread of the projective space (J. W. P. Hirschfeld, "Finite Projective Spaces of
Three Dimensions", Oxford 1985).
"""

from __future__ import annotations

from dataclasses import dataclass

from scoreboard.tournament.model.seating.development import Groups

_PLANE = 4


@dataclass(frozen=True, slots=True)
class Planes:
    """Planes in a space of so many dimensions, each by two vectors that span it."""

    dimensions: int
    spanning: tuple[tuple[int, int], ...]

    def rounds(self) -> tuple[Groups, ...]:
        """A round a plane; the points are numbered so that the first round has them in order."""
        rounds = [self._cosets(one, other) for one, other in self.spanning]
        numbers = {
            vector: _PLANE * table + seat
            for table, coset in enumerate(rounds[0])
            for seat, vector in enumerate(coset)
        }
        return tuple(
            tuple(tuple(numbers[vector] for vector in coset) for coset in cosets)
            for cosets in rounds
        )

    def _cosets(self, one: int, other: int) -> list[tuple[int, ...]]:
        lowest = [
            vector
            for vector in range(1 << self.dimensions)
            if vector == min(vector, vector ^ one, vector ^ other, vector ^ one ^ other)
        ]
        return [(each, each ^ one, each ^ other, each ^ one ^ other) for each in lowest]
