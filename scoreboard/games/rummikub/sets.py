"""Groups and runs, the sets on the table, and why some tiles are no set."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from functools import reduce
from itertools import combinations
from typing import Final, Literal

from scoreboard.games.rummikub.tiles import (
    COLOURS,
    NUMBERS,
    Piece,
    Tile,
    Tiles,
    in_order,
    listed,
    named,
)
from scoreboard.message import Message, message

LEAST: Final = 3
LARGEST_GROUP: Final = len(COLOURS)
Kind = Literal["group", "run"]


@dataclass(frozen=True, slots=True)
class SetReading:
    """One way to read a set: `stands` are what its tiles are, jokers as what they stand for."""

    kind: Kind
    stands: tuple[Tile, ...]

    @property
    def value(self) -> int:
        """What the set is worth in a first meld (RK-5)."""
        return sum(tile.number for tile in self.stands)


def readings(tiles: Tiles) -> tuple[SetReading, ...]:
    """Every way in which these tiles are a legal set; none where they are not (RK-3, RK-4, RK-16).

    What the player says of a joker (`J=R11`) must hold; the order of the tiles is free.
    """
    if len(tiles) < LEAST or not tiles.numbered:
        return ()
    told = {joker.stands_for for joker in tiles.jokers if joker.stands_for is not None}
    found = (*_groups(tiles), *_runs(tiles))
    return tuple(each for each in found if told <= _jokers_of(each, tiles))


def best(tiles: Tiles) -> SetReading | None:
    """The reading that is worth most, None where the tiles are no set (RK-5)."""
    return max(readings(tiles), key=lambda each: each.value, default=None)


def is_set(tiles: Tiles) -> bool:
    """Whether these tiles are a legal set (RK-3, RK-4, RK-16)."""
    return bool(readings(tiles))


def _jokers_of(reading: SetReading, tiles: Tiles) -> set[Tile]:
    return set(reading.stands) - set(tiles.numbered)


def _groups(tiles: Tiles) -> Iterator[SetReading]:
    """RK-3: three or four of one number, all of different colours."""
    numbers = {tile.number for tile in tiles.numbered}
    colours = {tile.colour for tile in tiles.numbered}
    alike = len(numbers) == 1 and len(colours) == len(tiles.numbered)
    if not alike or len(tiles) > LARGEST_GROUP:
        return
    (number,) = numbers
    lacking = [colour for colour in COLOURS if colour not in colours]
    for chosen in combinations(lacking, len(tiles.jokers)):
        shown = colours | set(chosen)
        yield SetReading("group", tuple(Tile(c, number) for c in COLOURS if c in shown))


def _runs(tiles: Tiles) -> Iterator[SetReading]:
    """RK-4: three or more consecutive numbers of one colour, from 1 to 13."""
    colours = {tile.colour for tile in tiles.numbered}
    numbers = {tile.number for tile in tiles.numbered}
    if len(colours) != 1 or len(numbers) != len(tiles.numbered):
        return
    (colour,) = colours
    for first in range(1, len(NUMBERS) - len(tiles) + 2):
        run = range(first, first + len(tiles))
        if all(number in run for number in numbers):
            yield SetReading("run", tuple(Tile(colour, number) for number in run))


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


@dataclass(frozen=True, slots=True)
class Fault:
    """One fault: the rule that is broken, the tiles that it concerns, and what would mend it."""

    rule: str
    tiles: Tiles
    message: Message

    def __str__(self) -> str:
        return f"{self.rule} {self.tiles}"


def fault_of(laid: Tiles) -> Fault | None:
    """Why these tiles, which lie together, are no set; None where they are one."""
    if is_set(laid):
        return None
    if not laid.numbered:
        return Fault(
            "RK-16", laid, message("Jokers alone are no set: lay a numbered tile with them.")
        )
    if len(laid) < LEAST:
        return _too_few(laid)
    if any(joker.stands_for for joker in laid.jokers) and is_set(_plainly(laid)):
        why = message("{tiles}: the joker cannot stand for that here.", tiles=str(laid))
        return Fault("RK-16", laid, why)
    return _not_alike(laid)


def _plainly(laid: Tiles) -> Tiles:
    return in_order(laid.counts.elements())


def _too_few(laid: Tiles) -> Fault:
    if len(laid) == 1:
        alone = named(laid.pieces[0])
        why = message("{tile} is left alone: a set has three tiles or more.", tile=alone)
        return Fault("RK-8", laid, why)
    why = message("{tiles} are too few: a set has three tiles or more.", tiles=listed(laid))
    return Fault("RK-8", laid, why)


def _not_alike(laid: Tiles) -> Fault:
    numbers = {tile.number for tile in laid.numbered}
    colours = {tile.colour for tile in laid.numbered}
    if len(numbers) == 1:
        return _no_group(laid)
    if len(colours) == 1:
        return _no_run(laid)
    why = message("{tiles}: neither all of one number nor all of one colour.", tiles=listed(laid))
    return Fault("RK-3", laid, why)


def _no_group(laid: Tiles) -> Fault:
    twice = _twice(laid)
    if twice.pieces:
        why = message("{tiles} twice: a group has each colour once.", tiles=listed(twice))
        return Fault("RK-3", laid, why)
    why = message("A group has at most {most} tiles.", most=LARGEST_GROUP)
    return Fault("RK-3", laid, why)


def _no_run(laid: Tiles) -> Fault:
    twice = _twice(laid)
    if twice.pieces:
        why = message("{tiles} twice: a run has each number once.", tiles=listed(twice))
        return Fault("RK-4", laid, why)
    numbers = {tile.number for tile in laid.numbered}
    if {NUMBERS[0], NUMBERS[-1]} <= numbers:
        return Fault("RK-4", laid, message("1 is the lowest number: it never follows 13."))
    missing = _missing(laid)
    if not missing.pieces:
        return Fault("RK-4", laid, message("A run goes from 1 to 13 at most."))
    why = message("{tiles} missing: the numbers of a run follow each other.", tiles=listed(missing))
    return Fault("RK-4", laid, why)


def _twice(laid: Tiles) -> Tiles:
    numbered = Tiles(laid.numbered).counts
    return in_order(tile for tile, count in numbered.items() if count > 1)


def _missing(laid: Tiles) -> Tiles:
    colour = laid.numbered[0].colour
    numbers = {tile.number for tile in laid.numbered}
    inside = range(min(numbers), max(numbers))
    return Tiles(tuple(Tile(colour, number) for number in inside if number not in numbers))
