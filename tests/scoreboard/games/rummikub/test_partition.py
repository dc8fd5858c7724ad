"""Sets found in a loose heap."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoreboard.games.rummikub.partition import partition
from scoreboard.games.rummikub.sets import is_set, readings
from scoreboard.games.rummikub.tiles import (
    CLASSIC,
    COLOURS,
    JOKER,
    NUMBERS,
    XP,
    Box,
    Piece,
    Tile,
    Tiles,
)

WHOLE = [Tile(colour, number) for colour in COLOURS for number in NUMBERS]
few = st.lists(
    st.sampled_from([*WHOLE[:5], *WHOLE[13:18], *WHOLE[26:29], JOKER]), max_size=9
).filter(lambda pieces: pieces.count(JOKER) <= XP.jokers)


def by_trying(pieces: tuple[Piece, ...]) -> bool:
    """Whether there is a partition, found the slow way: the first tile's set, then the rest."""
    if not pieces:
        return True
    first, *others = pieces
    for chosen in range(1 << len(others)):
        own = [each for at, each in enumerate(others) if chosen >> at & 1]
        rest = tuple(each for at, each in enumerate(others) if not chosen >> at & 1)
        if is_set(Tiles((first, *own))) and by_trying(rest):
            return True
    return False


@given(few)
def test_it_finds_one_exactly_where_there_is_one(pieces: list[Piece]) -> None:
    """Against trying everything; what is found uses up the heap in legal sets."""
    heap = Tiles(tuple(pieces))
    found = partition(heap)
    assert (found is not None) == by_trying(heap.pieces)
    if found is not None:
        assert found.counts == heap.counts
        assert all(map(is_set, found.sets))


@pytest.mark.parametrize("box", [CLASSIC, XP])
def test_a_whole_box_is_sets(box: Box) -> None:
    """All tiles of a box, jokers too."""
    heap = Tiles(tuple(WHOLE * box.copies + [JOKER] * box.jokers))
    found = partition(heap)
    assert found is not None
    assert found.counts == heap.counts
    assert all(map(is_set, found.sets))


@pytest.mark.parametrize("seed", range(6))
def test_a_tile_too_few_leaves_none(seed: int) -> None:
    """A heap of sets and a lone tile that fits nowhere."""
    chance = Random(seed)
    runs = [Tile(colour, number) for colour in COLOURS[:2] for number in range(1, 12)]
    chance.shuffle(runs)
    assert partition(Tiles((*runs, Tile("B", 13)))) is None
    assert partition(Tiles(tuple(runs))) is not None


def test_jokers_alone_are_none() -> None:
    """RK-16: not even three; with a numbered tile beside them they are."""
    assert partition(Tiles((JOKER,) * 3)) is None
    found = partition(Tiles.parse("K1 K2 K3 J J J"))
    assert found is not None
    assert all(readings(laid) for laid in found.sets)
    assert partition(Tiles()) is not None
