"""How jokers may have moved between two pictures of the table (RK-9, RK-17).

Jokers can't be told apart, nor can the copies of a tile: a story says where each joker and each
tile of the table before lies now. One in which every freed joker ends in a new set is enough.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import permutations

from scoreboard.games.rummikub.laid import Laid
from scoreboard.games.rummikub.tiles import Tile

GONE = -1


@dataclass(frozen=True, slots=True)
class Move:
    """A joker that lay in the set `source` before lies in the set `target` now."""

    source: int
    target: int


@dataclass(frozen=True, slots=True)
class Bond:
    """What is assumed of a tile's copies that lay in `source`: that all lie in `target`, or not."""

    tile: Tile
    source: int
    target: int
    inside: bool

    def holds(self, copies: list[int], homes: tuple[int, ...]) -> bool:
        """Whether it is so where each copy, told by its set before, has that home now."""
        own = [
            home == self.target
            for copy, home in zip(copies, homes, strict=True)
            if copy == self.source
        ]
        return all(own) if self.inside else not all(own)


def is_lawful(before: Laid, after: Laid) -> bool:
    """Whether some story has every freed joker in a new set."""
    return any(_told(before, after, moves) for moves in _moves(before, after))


def _moves(before: Laid, after: Laid) -> Iterator[tuple[Move, ...]]:
    """All ways in which the jokers may have moved; those alike only once."""
    sources = [at for at, laid in enumerate(before.sets) for _ in laid.jokers]
    targets = [at for at, laid in enumerate(after.sets) for _ in laid.jokers]
    targets += [GONE] * (len(sources) - len(targets))
    for chosen in sorted(set(permutations(targets, len(sources)))):
        yield tuple(Move(*each) for each in zip(sources, chosen, strict=True))


def _told(before: Laid, after: Laid, moves: tuple[Move, ...]) -> bool:
    """Whether the other tiles can have moved so that these moves of jokers are lawful."""
    story = _Story(before, after, moves)
    return story.holds([move for move in moves if move.target != GONE], [])


class _Story:
    """The tiles that are bound to lie in, or outside of, a set now."""

    def __init__(self, before: Laid, after: Laid, moves: Sequence[Move]) -> None:
        self.before = before
        self.after = after
        self.moves = moves
        self.homes: dict[Tile, list[int]] = defaultdict(list)
        for at, laid in enumerate(after.sets):
            for tile in laid.numbered:
                self.homes[tile].append(at)

    def holds(self, open_moves: list[Move], bound: list[Bond]) -> bool:
        """Whether the moves still open can be told; each joker stays with its set, or is freed."""
        if not open_moves:
            return self._fits(bound)
        move, *others = open_moves
        stayed = self._whole(move.source, move.target)
        if stayed is not None and self._fits(bound + stayed) and self.holds(others, bound + stayed):
            return True
        return self._freed(move.target, range(len(self.before.sets)), others, bound)

    def _freed(
        self,
        target: int,
        sets: Sequence[int],
        others: list[Move],
        bound: list[Bond],
    ) -> bool:
        """Whether at least one tile of each of these sets may lie outside of `target`."""
        if not sets:
            return self.holds(others, bound)
        whole = self._whole(sets[0], target)
        if whole is None:
            return self._freed(target, sets[1:], others, bound)
        return any(
            self._fits(tried) and self._freed(target, sets[1:], others, tried)
            for bond in whole
            for tried in [[*bound, replace(bond, inside=False)]]
        )

    def _whole(self, source: int, target: int) -> list[Bond] | None:
        """What would have to be so for all of a set to lie in `target`; None: it can't."""
        laid = self.before.sets[source]
        if laid.missing_from(self.after.sets[target]).pieces:
            return None
        if any(move.target != target for move in self.moves if move.source == source):
            return None
        return [Bond(tile, source, target, inside=True) for tile in laid.numbered]

    def _fits(self, bound: list[Bond]) -> bool:
        """Whether each tile's copies can lie so."""
        return all(self._places(tile, bound) for tile in {bond.tile for bond in bound})

    def _places(self, tile: Tile, bound: list[Bond]) -> bool:
        copies = [
            at for at, laid in enumerate(self.before.sets) for each in laid.numbered if each == tile
        ]
        homes = self.homes[tile] + [GONE] * (len(copies) - len(self.homes[tile]))
        wanted = [bond for bond in bound if bond.tile == tile]
        return any(
            all(bond.holds(copies, chosen) for bond in wanted)
            for chosen in set(permutations(homes, len(copies)))
        )
