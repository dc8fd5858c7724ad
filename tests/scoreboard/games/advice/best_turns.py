"""Other ways to the best turn, and random positions to try them on: neither knows the solver's."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from functools import cache
from itertools import combinations, product
from random import Random

from scoreboard.games.rummikub.referee import TableSets, judge
from scoreboard.games.rummikub.sets import Laid
from scoreboard.games.rummikub.tiles import (
    CLASSIC,
    COLOURS,
    JOKER,
    NUMBERS,
    Piece,
    Tile,
    Tiles,
    in_order,
)

Rank = tuple[int, int, int, int]  # tiles, points, sets that stay, jokers spared
Left = Counter[Piece]
_Runs = tuple[tuple[int, ...], ...]  # the open runs of each colour, by their tiles
_Open = tuple[_Runs, int]  # with the jokers laid so far
_Partial = tuple[_Runs, tuple[int, ...], int]  # of some colours, with their tiles in groups


def rank(standing: TableSets, table: Laid) -> Rank:
    """How good that table is: the higher the better."""
    laid = table.tiles.missing_from(standing.before.tiles)
    stays = len(standing.before.sets) - len(standing.before.without(table))
    return (*_most(laid), stays, -len(laid.jokers))


def best_by_trying(standing: TableSets) -> Rank | None:
    """The rank of the best turn: every table that these tiles can be, asked of the referee."""
    rack = standing.rack
    assert rack is not None
    chosen = {
        in_order(some)
        for size in range(1, len(rack) + 1)
        for some in combinations(rack.pieces, size)
    }
    found: Rank | None = None
    for some in sorted(chosen, key=_most, reverse=True):
        if found is not None and found[:2] > _most(some):
            break
        for sets in partitions(standing.before.tiles.counts + some.counts):
            table = Laid(tuple(sets))
            better = found is None or rank(standing, table) > found
            if better and judge(standing, table).is_accepted:
                found = rank(standing, table)
    return found


def _most(laid: Tiles) -> tuple[int, int]:
    return len(laid), sum(tile.number for tile in laid.numbered)


def partitions(left: Left) -> Iterator[list[Tiles]]:
    """Every way to make sets of all these tiles, some of them more than once."""
    tiles = sorted(each for each in left if isinstance(each, Tile) and left[each])
    if not tiles:
        if not left[JOKER]:
            yield []
        return
    for pieces in set(_sets_with(tiles[0], left)):
        for others in partitions(left - Counter(pieces)):
            yield [Tiles(pieces), *others]


@cache
def _others(first: Tile) -> tuple[tuple[Tile, ...], ...]:
    """What makes a set of this tile: the rest of each of its groups and runs."""
    colours = [each for each in COLOURS if each != first.colour]
    groups = (
        tuple(Tile(colour, first.number) for colour in some)
        for size in (2, 3)
        for some in combinations(colours, size)
    )
    runs = (
        tuple(Tile(first.colour, each) for each in range(low, high + 1) if each != first.number)
        for low in range(1, first.number + 1)
        for high in range(max(first.number, low + 2), NUMBERS[-1] + 1)
    )
    return (*groups, *runs)


def _sets_with(first: Tile, left: Left) -> Iterator[tuple[Piece, ...]]:
    """The sets that have this tile and others of those left."""
    there, jokers = {each for each, count in left.items() if count}, left[JOKER]
    for others in _others(first):
        if len(others) - len(there.intersection(others)) > jokers:
            continue
        choices: list[list[Piece]] = [
            [*[JOKER][:jokers], *([each] if each in there else [])] for each in others
        ]
        for chosen in product(*choices):
            if chosen.count(JOKER) <= jokers:
                yield in_order((first, *chosen)).pieces


def most_tiles(table: Tiles, rack: Tiles) -> tuple[int, int]:
    """How many tiles of the rack can be laid, and then their most points.

    Number after number: what is kept are the open runs of each colour, as 1, 2, or 3 for three
    tiles and more (van Rijn, Takes and Vis, The Complexity of Rummikub Problems). Jokers come from
    the rack alone.
    """
    lies, held = table.counts, rack.counts
    states: dict[_Open, tuple[int, int]] = {(((),) * len(COLOURS), 0): (0, 0)}
    for number in NUMBERS:
        after = dict[_Open, tuple[int, int]]()
        for (runs, jokers), start in states.items():
            partial: dict[_Partial, tuple[int, int]] = {((), (), jokers): start}
            for colour, open_runs in zip(COLOURS, runs, strict=True):
                tile, longer = Tile(colour, number), dict[_Partial, tuple[int, int]]()
                for (done, groups, used), (many, worth) in partial.items():
                    spare = held[JOKER] - used
                    for own, wished in product(range(held[tile] + 1), range(spare + 1)):
                        value = (many + own + wished, worth + own * number)
                        for now, grouped in _uses(open_runs, lies[tile] + own + wished):
                            key = ((*done, now), (*groups, grouped), used + wished)
                            longer[key] = max(longer.get(key, (-1, -1)), value)
                partial = longer
            for (done, groups, used), value in partial.items():
                if _are_groups(groups):
                    after[done, used] = max(after.get((done, used), (-1, -1)), value)
        states = after
    return max(
        value
        for (runs, _), value in states.items()
        if all(each == 3 for run in runs for each in run)
    )


def _uses(runs: tuple[int, ...], count: int) -> Iterator[tuple[tuple[int, ...], int]]:
    """The open runs after a number with so many tiles of the colour, and how many are in groups."""
    short = [each for each in runs if each < 3]
    for ended in range(len(runs) - len(short) + 1):
        grown = [min(each + 1, 3) for each in runs[: len(runs) - ended]]
        for new in range(count - len(grown) + 1):
            now = tuple(sorted([*grown, *[1] * new]))
            yield now, count - len(grown) - new


def _are_groups(groups: tuple[int, ...]) -> bool:
    """Whether so many tiles of each colour are some groups of three or four."""
    return any(3 * many <= sum(groups) <= 4 * many and max(groups) <= many for many in range(9))


def position(
    chance: Random, sets: int, tiles: int, numbers: range = NUMBERS, joker: float = 0.1
) -> tuple[Laid, Tiles]:
    """At most so many legal sets on the table, and tiles on a rack, of these numbers."""
    left, table = Counter(CLASSIC.tiles.pieces), list[Tiles]()
    for _ in range(sets):
        number, colour, size = chance.choice(numbers), chance.choice(COLOURS), chance.randint(3, 5)
        pieces: list[Piece] = [Tile(each, number) for each in chance.sample(COLOURS, min(size, 4))]
        if chance.random() < 0.5:
            low = min(number, numbers[-1] + 1 - size)
            pieces = [Tile(colour, low + each) for each in range(size)]
        if chance.random() < joker:
            pieces[chance.randrange(len(pieces))] = JOKER
        if not Counter(pieces) - left:
            left -= Counter(pieces)
            table.append(Tiles(tuple(pieces)))
    rest = [
        each for each in left.elements() if not isinstance(each, Tile) or each.number in numbers
    ]
    chance.shuffle(rest)
    return Laid(tuple(table)), Tiles(tuple(rest[:tiles]))


def filled(chance: Random, on_table: int, on_rack: int) -> tuple[Laid, Tiles]:
    """Legal sets of at least so many tiles, and a rack from the rest of the box."""
    numbered = (each for each in CLASSIC.tiles.pieces if isinstance(each, Tile))
    shapes = [(first, *others) for first in numbered for others in _others(first)]
    shapes = [shape for shape in shapes if len(shape) <= 5]
    left, sets, misses = Counter(CLASSIC.tiles.pieces), list[Tiles](), 0
    while sum(map(len, sets)) < on_table:
        pieces: list[Piece] = list(chance.choice(shapes))
        if chance.random() < 1 / 12:
            pieces[chance.randrange(len(pieces))] = JOKER
        if not Counter(pieces) - left:
            left -= Counter(pieces)
            sets.append(in_order(pieces))
        elif (misses := misses + 1) > 2000:  # what is left makes no set
            left, sets, misses = Counter(CLASSIC.tiles.pieces), [], 0
    rest = list(left.elements())
    chance.shuffle(rest)
    return Laid(tuple(sets)), Tiles(tuple(rest[:on_rack]))
