"""The strip of scores says what everybody has, who leads, and whose turn it is."""

from __future__ import annotations

import pytest

from scoreboard.games.engine.scoresheet import Cell, Row, Scoresheet
from scoreboard.message import message
from scoreboard.storage.profiles import COLOURS, Profile
from web.table.scoreboard_strip import TOTALS_ROW, marks_of, player_tiles


def sheet(
    *totals: int | None, current: int | None = None, gone: tuple[int, ...] = ()
) -> Scoresheet:
    """A sheet of nothing but totals."""
    row = Row(TOTALS_ROW, message("Total"), "total", "totals", tuple(map(Cell, totals)))
    names = tuple(f"player {seat}" for seat in range(len(totals)))
    return Scoresheet("yams", names, (row,), current, gone=frozenset(gone))


@pytest.mark.parametrize(
    ("totals", "gone", "behind"),
    [
        ((43, 58), (), [15, 0]),
        ((58, 58, 10), (), [0, 0, 48]),
        ((-20, 20), (), [40, 0]),
        ((None, 7), (), [7, 0]),
        ((0, 0, 0), (), [None, None, None]),  # nobody leads yet
        ((200,), (), [None]),  # solo
        ((90, 58, 40), (0,), [None, 0, 18]),  # who left leads nobody
    ],
)
def test_how_far_each_is_behind(
    totals: tuple[int | None, ...], gone: tuple[int, ...], behind: list[int | None]
) -> None:
    """Leaders are 0 behind; where all have the same, nobody is."""
    assert [tile.behind for tile in player_tiles(sheet(*totals, gone=gone))] == behind


def test_whose_turn_it_is_and_who_left() -> None:
    """In seat order, with what was written into the totals."""
    one, other = player_tiles(sheet(None, 12, current=0, gone=(1,)))
    assert (one.total, one.at_turn, one.gone) == ("0", True, False)
    assert (other.total, other.at_turn, other.gone) == ("12", False, True)


def test_colours_come_again() -> None:
    """Neighbours differ, and twenty players have colours too."""
    colours = [tile.colour for tile in player_tiles(sheet(*[0] * 20))]
    assert set(colours) == set(COLOURS)
    assert colours[0] == colours[len(COLOURS)]
    assert player_tiles(None) == ()  # before a game is set up


def test_no_two_in_a_game_have_the_same_colour() -> None:
    """Who sits later and clashes gets a free one, and so does a guest; mark and strip agree."""
    known = {
        f"player {seat}": Profile("id", f"player {seat}", colour, "P")
        for seat, colour in enumerate(("orange", "green", "orange"))
    }
    tiles = player_tiles(sheet(0, 0, 0, 0), known)
    assert [tile.colour for tile in tiles] == ["orange", "green", "blue", "red"]
    assert [tile.profile and tile.profile.colour for tile in tiles] == [
        *("orange", "green", "blue"),
        None,
    ]
    assert known["player 2"].colour == "orange"
    crowd = [f"player {seat}" for seat in range(12)]
    assert {mark.colour for mark in marks_of(crowd, known).values()} == set(COLOURS)
