"""Groups and runs, the sets on the table, and the faults of other tiles."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations
from typing import Final, Literal

from scoreboard.games.engine.game import Remark
from scoreboard.games.rummikub.tiles import (
    COLOURS,
    JOKER,
    NUMBERS,
    Joker,
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
    """One way to read a set: `meanings` are the tiles, with jokers as the tiles they represent."""

    kind: Kind
    meanings: tuple[Tile, ...]

    @property
    def value(self) -> int:
        """The set's value in a first meld (RK-5)."""
        return sum(tile.number for tile in self.meanings)


def readings(tiles: Tiles) -> tuple[SetReading, ...]:
    """Every reading of these tiles as a legal set (RK-3, RK-4, RK-16).

    The player's own reading of a joker (`J=R11`) must hold; the order of the tiles is free.
    """
    if len(tiles) < LEAST or not tiles.numbered:
        return ()
    meant = {joker.stands_for for joker in tiles.jokers if joker.stands_for is not None}
    found = (*_groups(tiles), *_runs(tiles))
    numbered = set(tiles.numbered)
    return tuple(each for each in found if meant <= set(each.meanings) - numbered)


def best(tiles: Tiles) -> SetReading | None:
    """The most valuable reading, None if the tiles are no set (RK-5)."""
    return max(readings(tiles), key=lambda each: each.value, default=None)


def is_set(tiles: Tiles) -> bool:
    """Whether these tiles are a legal set (RK-3, RK-4, RK-16)."""
    return bool(readings(tiles))


def _groups(tiles: Tiles) -> Iterator[SetReading]:
    """RK-3: three or four of one number, all of different colours."""
    numbers = {tile.number for tile in tiles.numbered}
    colours = {tile.colour for tile in tiles.numbered}
    is_one_number = len(numbers) == 1 and len(colours) == len(tiles.numbered)
    if not is_one_number or len(tiles) > LARGEST_GROUP:
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
    """The sets on the table, in the order entered; notation `K7 R7 B7, B3 B4 B5`, `-` when empty.

    An incomplete set is written in its order, a lone tile too.
    """

    sets: tuple[Tiles, ...] = ()

    @classmethod
    def parse(cls, text: str) -> Laid:
        """Read sets with commas or line breaks between them. Raises NotationError."""
        parts = text.replace("\n", BETWEEN).split(BETWEEN)
        return cls(tuple(laid for laid in map(Tiles.parse, parts) if laid.pieces))

    def __str__(self) -> str:
        return f"{BETWEEN} ".join(map(str, self.sets)) or "-"

    @property
    def tiles(self) -> Tiles:
        return Tiles(tuple(each for laid in self.sets for each in laid.pieces))

    @property
    def in_order(self) -> Laid:
        """The tiles of each set in reading order; jokers keep their entered reading."""
        ordered = ((laid.pieces, as_read(laid).pieces) for laid in self.sets)
        sets = ((each if each in own else JOKER for each in read) for own, read in ordered)
        return Laid(tuple(Tiles(tuple(each)) for each in sets))

    def without(self, other: Laid) -> tuple[Tiles, ...]:
        """The sets without an exact copy in `other`, counted one by one."""
        # as plain dictionaries: two Counters are compared ten times as slowly
        left, others = [dict(laid.counts) for laid in other.sets], list[Tiles]()
        for laid in self.sets:
            if (counts := dict(laid.counts)) in left:
                left.remove(counts)
            else:
                others.append(laid)
        return tuple(others)


NO_SETS: Final = Laid()


def stands_of(laid: Tiles, reading: SetReading) -> tuple[Tile, ...]:
    """The tile that each of these represents in that reading, in their order."""
    meant = {joker.stands_for for joker in laid.jokers}
    lacking = [tile for tile in reading.meanings if tile not in {*laid.numbered, *meant}]
    return tuple(
        each if isinstance(each, Tile) else each.stands_for or lacking.pop(0)
        for each in laid.pieces
    )


def as_read(laid: Tiles) -> Tiles:
    """The set in order, jokers as in its best reading; other tiles in their own order."""
    reading = best(laid)
    if reading is None:
        return laid
    pairings = zip(stands_of(laid, reading), laid.pieces, strict=True)
    pairs = sorted(pairings, key=lambda pair: reading.meanings.index(pair[0]))
    return Tiles(tuple(each if isinstance(each, Tile) else Joker(stand) for stand, each in pairs))


def fault_of(laid: Tiles) -> Remark | None:
    """The reason that these tiles are no set; None if they are one."""
    if is_set(laid):
        return None
    if not laid.numbered:
        why = message("Jokers alone are no set: lay a numbered tile with them.")
        return Remark("RK-16", why, laid.labels)
    if len(laid) < LEAST:
        if len(laid) == 1:
            tile = named(laid.pieces[0])
            why = message("{tile} is left alone: a set has three tiles or more.", tile=tile)
        else:
            tiles = listed(laid)
            why = message("{tiles} are too few: a set has three tiles or more.", tiles=tiles)
        return Remark("RK-8", why, laid.labels)
    if any(joker.stands_for for joker in laid.jokers) and is_set(in_order(laid.counts.elements())):
        why = message("{tiles}: the joker cannot stand for that here.", tiles=str(laid))
        return Remark("RK-16", why, laid.labels)
    return _not_alike(laid)


def _not_alike(laid: Tiles) -> Remark:
    """RK-3, RK-4."""
    numbers = {tile.number for tile in laid.numbered}
    colours = {tile.colour for tile in laid.numbered}
    twice = in_order(tile for tile, count in Tiles(laid.numbered).counts.items() if count > 1)
    if len(numbers) > 1 and len(colours) > 1:
        tiles = listed(laid)
        why = message("{tiles}: neither all of one number nor all of one colour.", tiles=tiles)
        return Remark("RK-3", why, laid.labels)
    if len(numbers) > 1:
        return Remark("RK-4", _no_run(laid, numbers, twice), laid.labels)
    why = message("A group has at most {most} tiles.", most=LARGEST_GROUP)
    if twice.pieces:
        why = message("{tiles} twice: a group has each colour once.", tiles=listed(twice))
    return Remark("RK-3", why, laid.labels)


def _no_run(laid: Tiles, numbers: set[int], twice: Tiles) -> Message:
    if twice.pieces:
        return message("{tiles} twice: a run has each number once.", tiles=listed(twice))
    if {NUMBERS[0], NUMBERS[-1]} <= numbers:
        return message("1 is the lowest number: it never follows 13.")
    missing = [number for number in range(min(numbers), max(numbers)) if number not in numbers]
    if not missing:
        return message("A run goes from 1 to 13 at most.")
    tiles = Tiles(tuple(Tile(laid.numbered[0].colour, number) for number in missing))
    return message("{tiles} missing: the numbers of a run follow each other.", tiles=listed(tiles))
