"""Sets of tiles, and the box that they come from."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoreboard.errors import NotationError
from scoreboard.games.rummikub.game import RACKS
from scoreboard.games.rummikub.partition import partition
from scoreboard.games.rummikub.sets import Laid, as_read, best, is_set, readings, stands_of
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

READINGS = [
    ("K7 R7 B7 O7", ["K7 R7 B7 O7"]),
    ("B3 B4 B5 B6", ["B3 B4 B5 B6"]),
    ("R13 R12 J", ["R11 R12 R13"]),
    ("K7 R7 J", ["K7 R7 B7", "K7 R7 O7"]),
    ("R1 J R3", ["R1 R2 R3"]),
    ("R4 J J", ["K4 R4 B4", "K4 R4 O4", "R4 B4 O4", "R2 R3 R4", "R3 R4 R5", "R4 R5 R6"]),
    ("R12 R13 R1", []),
    ("K7 K7 R7", []),
    ("K7 R7", []),
    ("K5 R5 B5 O5 J", []),
    ("J J J", []),
    ("R3 R5 R6 J J=R7", ["R3 R4 R5 R6 R7"]),
    ("K7 R7 J=R7", []),
]


@pytest.mark.parametrize(("tiles", "expected"), READINGS)
def test_all_readings_of_a_set(tiles: str, expected: list[str]) -> None:
    """RK-3, RK-4, RK-16: every way in which the tiles are a set."""
    found = [" ".join(map(str, each.meanings)) for each in readings(Tiles.parse(tiles))]
    assert found == expected


@pytest.mark.parametrize(
    ("tiles", "stands"),
    [
        ("R4 J R6", "R4 R5 R6"),
        ("J R12 R13", "R11 R12 R13"),
        ("J J=R7 B7", "K7 R7 B7"),
        ("J J=R2 R1 R4", "R3 R2 R1 R4"),
    ],
)
def test_what_each_tile_of_a_set_stands_for(tiles: str, stands: str) -> None:
    """In the order given; what is said of a joker holds."""
    laid = Tiles.parse(tiles)
    reading = best(laid)
    assert reading is not None
    assert " ".join(map(str, stands_of(laid, reading))) == stands


@pytest.mark.parametrize(
    ("tiles", "read"),
    [
        ("O8 O9 O10 O7", "O7 O8 O9 O10"),
        ("J R2 R1", "R1 R2 J=R3"),
        ("O7 J R7 K7", "K7 R7 J=B7 O7"),
        ("K10 J=K8 K9", "J=K8 K9 K10"),
        ("R9 J K7", "R9 J K7"),
    ],
)
def test_a_set_is_shown_as_it_is_read(tiles: str, read: str) -> None:
    """In order, jokers as what they stand for; what is no set lies as it lies."""
    assert str(as_read(Tiles.parse(tiles))) == read


def test_a_table_in_order_says_no_more_of_jokers_than_the_player_did() -> None:
    """What is not said may still change (RK-16)."""
    table = Laid.parse("J R2 R1, J=K8 K10 K9, O9 O7 O8, K7 R9")
    assert str(table.in_order) == "R1 R2 J, J=K8 K9 K10, O7 O8 O9, K7 R9"


@pytest.mark.parametrize("text", ["K7 R7 J", "B1 B2 B3 J=B4", "-", "O13"])
def test_notation_is_read_and_written(text: str) -> None:
    """Tiles come back as they were told."""
    assert str(Tiles.parse(text)) == text


def test_a_table_is_read_and_written() -> None:
    """Sets with commas or line breaks between them; empty ones don't count."""
    assert str(Laid.parse("k7 r7 b7\n, B3 B4 B5,,")) == "K7 R7 B7, B3 B4 B5"
    assert str(Laid()) == "-"


@pytest.mark.parametrize("text", ["K14", "K0", "X3", "7", "K7R7", "J=J", "K7; R7"])
def test_what_is_no_tile_is_refused(text: str) -> None:
    """The sentence says how tiles are written."""
    with pytest.raises(NotationError, match="is no tile"):
        Tiles.parse(text)


LEFT = (
    {"numbers": 0, "jokers": 0},
    {"numbers": 12, "jokers": 1},
    {"numbers": 9, "jokers": 2, "unmelded": 1},
    {"numbers": 5, "jokers": 0},
)


@pytest.mark.parametrize(
    ("joker", "unmelded", "scores"),
    [(30, 0, (116, -42, -69, -5)), (50, 100, (276, -62, -209, -5))],
)
def test_penalties_are_the_events(joker: int, unmelded: int, scores: tuple[int, ...]) -> None:
    """A joker and a missing first meld cost what was settled, and are asked for where they do."""
    penalties = {"joker": joker, "unmelded": unmelded}
    assert RACKS.scores(LEFT, penalties) == scores
    asked = {field.name for field in RACKS.fields(penalties)}
    assert ("unmelded" in asked) == bool(unmelded)


def test_with_nobody_out_the_lowest_rack_wins() -> None:
    """It gains what the others hold more than it."""
    racks = [{"numbers": left, "jokers": 0} for left in (10, 12, 25)]
    assert RACKS.scores(racks, {"joker": 30, "unmelded": 0}) == (17, -2, -15)


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
        assert found.tiles.counts == heap.counts
        assert all(map(is_set, found.sets))


@pytest.mark.parametrize("box", [CLASSIC, XP])
def test_a_whole_box_is_sets(box: Box) -> None:
    """All tiles of a box, jokers too."""
    heap = Tiles(tuple(WHOLE * box.copies + [JOKER] * box.jokers))
    found = partition(heap)
    assert found is not None
    assert found.tiles.counts == heap.counts
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
