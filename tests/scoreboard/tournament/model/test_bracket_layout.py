"""Brackets as drawings: where matches stand, who is in them, and what an A4 sheet holds."""

from __future__ import annotations

from dataclasses import replace
from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoreboard.tournament.model.bracket_layout import (
    BOX_HEIGHT,
    PAGE_COLUMNS,
    PAGE_ROWS,
    ROW_HEIGHT,
    BracketDrawing,
    bracket_ahead,
    bracket_around,
    bracket_drawings,
    bracket_pages,
)
from scoreboard.tournament.model.format_text import FormatError, read_format, write_format
from scoreboard.tournament.model.formats import FORMATS
from scoreboard.tournament.model.rounds import DrawRound
from scoreboard.tournament.model.standings import standings_of, why
from scoreboard.tournament.model.tournament_format import TournamentFormat
from tests.scoreboard.tournament.model.directing import Directing

SINGLE = replace(FORMATS["knockout"], games=1)
THIRD = replace(SINGLE, third_place=True)
DOUBLE = replace(FORMATS["double-knockout"], games=1)


def directed(directing: Directing, rounds: int = 1) -> Directing:
    """Play rounds to their end; the first seat of each table wins."""
    for _ in range(rounds):
        directing.give(DrawRound(1)).play_each(lambda _, at: -at)
    return directing


def described(drawing: BracketDrawing) -> list[str]:
    """Each match of a drawing in a line."""
    lines = []
    for match in drawing.matches:
        sides = [side.name or (str(side.source) if side.source else "bye") for side in match.sides]
        won = f": {match.winner.name}" if match.winner else ""
        lines.append(f"{match.name}: {sides[0]} - {sides[1]}{won}")
    return lines


def test_a_single_bracket_shows_winners_byes_and_what_comes() -> None:
    """Five of eight places: byes, a played match, and matches that wait for their players."""
    directing = Directing(THIRD, entrants=5)
    assert bracket_drawings(directing.state) == ()
    (drawing,) = bracket_drawings(directed(directing).state)
    assert [str(name) for name, _ in drawing.columns] == ["Quarter-final", "Semi-final", "Final"]
    assert described(drawing) == [
        "Quarter-final #1: Player 1 - bye: Player 1",
        "Quarter-final #2: Player 4 - Player 5: Player 4",
        "Quarter-final #3: Player 2 - bye: Player 2",
        "Quarter-final #4: Player 3 - bye: Player 3",
        "Semi-final #1: Player 1 - Player 4",
        "Semi-final #2: Player 2 - Player 3: Player 2",
        "Third-place match: Loser of Semi-final #1 - Player 3",
        "Final: Winner of Semi-final #1 - Player 2",
    ]
    played = drawing.matches[1]
    assert (played.table, [side.score for side in played.sides]) == (1, [0, -1])
    assert [side.seed for side in played.sides] == [4, 5]


def test_each_half_of_a_double_knockout_is_a_drawing() -> None:
    directing = directed(Directing(DOUBLE, entrants=4))
    drawings = bracket_drawings(directing.state)
    assert [str(each.title) for each in drawings] == [
        "Winners’ bracket",
        "Losers’ bracket",
        "Grand final",
    ]
    assert described(drawings[1]) == [
        "Losers’ round 1: Player 4 - Player 3",
        "Losers’ final: Loser of Winners’ final - Winner of Losers’ round 1",
    ]
    assert [str(name) for name, _ in drawings[2].columns] == [
        "Grand final",
        "Grand final, second match",
    ]
    over = bracket_drawings(directed(directing, rounds=3).state)
    assert described(over[2]) == ["Grand final: Player 1 - Player 2: Player 1"]


@given(st.integers(2, 64), st.sampled_from([SINGLE, THIRD, DOUBLE]))
def test_no_two_boxes_overlap(entrants: int, form: TournamentFormat) -> None:
    directing = Directing(form, entrants)
    directing.give(DrawRound(1))
    pages = bracket_pages(directing.state)
    for drawing in (*bracket_drawings(directing.state), *pages, *bracket_ahead(directing.state)):
        for match in drawing.matches:
            beside = [each.y for each in drawing.matches if each.x == match.x and each != match]
            assert all(abs(match.y - y) >= BOX_HEIGHT + 16 for y in beside)
            assert 0 <= match.y <= drawing.height - BOX_HEIGHT
    whole = sum(len(each.matches) for each in bracket_drawings(directing.state))
    assert sum(len(each.matches) for each in pages) == whole
    assert max(len(each.columns) for each in pages) <= PAGE_COLUMNS
    assert max(each.height for each in pages) <= (PAGE_ROWS + 1.5) * ROW_HEIGHT


def test_a_player_and_a_board_see_the_part_that_matters() -> None:
    state = directed(Directing(THIRD, entrants=64), rounds=1).state
    (own,) = bracket_around(state, 1)
    assert any(1 in {side.entrant for side in match.sides} for match in own.matches)
    assert len(own.matches) == 15
    assert bracket_ahead(state) == ()
    (ahead,) = bracket_ahead(directed(Directing(THIRD, entrants=64), rounds=3).state)
    assert [str(name) for name, _ in ahead.columns] == ["Quarter-final", "Semi-final", "Final"]
    over = directed(Directing(THIRD, entrants=4), rounds=2).state
    assert [str(each.title) for each in bracket_ahead(over)] == ["Bracket"]
    assert bracket_around(over, 99) == ()


def test_the_third_place_match_decides_the_third_place() -> None:
    state = directed(Directing(THIRD, entrants=8), rounds=3).state
    standings, names = standings_of(state), state.names
    assert [row.place for row in standings.rows] == [1, 2, 3, 4, 5, 5, 5, 5]
    third, fourth, fifth = standings.order[2:5]
    assert (
        str(why(standings, names, third, fourth))
        == f"{names[third]} stands above {names[fourth]}: the third-place match decided."
    )
    assert str(why(standings, names, third, fifth)).endswith("played for third place.")
    assert str(why(standings, names, standings.order[1], third)).endswith("reached the final.")


@pytest.mark.parametrize("best", list(permutations(range(1, 6)))[::5])
def test_who_played_for_third_place_stands_third_and_fourth(best: tuple[int, ...]) -> None:
    directing = Directing(THIRD, entrants=5)
    for _ in range(3):
        directing.give(DrawRound(1)).play_each(lambda seat, _: -best.index(seat))
    standings, names = standings_of(directing.state), directing.state.names
    final, third = directing.round.draw.tables[1], directing.round.draw.tables[0]
    placed = [sorted(each.seats, key=best.index) for each in (final, third)]
    assert standings.order[:4] == (*placed[0], *placed[1])
    assert [row.place for row in standings.rows] == [1, 2, 3, 4, 5]
    reasons = [str(why(standings, names, *standings.order[at : at + 2])) for at in range(1, 4)]
    assert reasons[0].endswith("reached the final.")
    assert reasons[1].endswith("the third-place match decided.")
    assert reasons[2].endswith("played for third place.")


def test_a_format_settles_the_third_place_match() -> None:
    assert read_format(write_format(THIRD)) == THIRD
    old = "".join(
        line for line in write_format(SINGLE).splitlines(keepends=True) if "third" not in line
    )
    assert read_format(old) == SINGLE
    with pytest.raises(FormatError, match="Only a knockout has a third-place match"):
        read_format(write_format(replace(DOUBLE, third_place=True)))
