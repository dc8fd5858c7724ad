"""What is a set: groups and runs, and all that their jokers may stand for."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations
from typing import Final, Literal

from scoreboard.games.rummikub.tiles import COLOURS, NUMBERS, Tile, Tiles

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
