"""Sets of tiles, and the box that they come from."""

from __future__ import annotations

import pytest

from scoreboard.errors import NotationError
from scoreboard.games.rummikub.sets import Laid, as_read, best, readings, stands_of
from scoreboard.games.rummikub.tiles import CLASSIC, XP, Tiles

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
    found = [" ".join(map(str, each.stands)) for each in readings(Tiles.parse(tiles))]
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


def test_a_box_has_so_many_tiles() -> None:
    """RK-1."""
    assert (len(CLASSIC), len(XP)) == (106, 160)
