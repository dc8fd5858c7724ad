"""What games, matches and absences award; the notations of scores and draws."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoreboard.errors import NotationError
from scoreboard.tournament.model.authority import CommandRefusedError
from scoreboard.tournament.model.draw import Draw, TableSeats
from scoreboard.tournament.model.scores import (
    GameResult,
    GameScores,
    Points,
    decimal_points,
    points,
    read_points,
    shown_points,
    total,
    write_points,
)
from scoreboard.tournament.model.scoring import (
    awarded,
    games_of_match,
    games_won,
    is_complete,
    round_points,
    winners,
)
from scoreboard.tournament.model.tournament_format import TournamentFormat

TABLE = TableSeats(3, (4, 7, 12, 1))
POINTS = TournamentFormat("points", zero_sum=True, no_show=-100, forfeit=-150, bye=40)
PLACES = TournamentFormat("places", game="yahtzee", reckoning="places", no_show=-1)
WINS = TournamentFormat("wins", game="yahtzee", reckoning="wins", table_size=2, games=3)


def awards(form: TournamentFormat, scores: str, table: TableSeats = TABLE) -> dict[int, Points]:
    """The points that a game awards."""
    result = awarded(form, table, GameScores.parse(scores))
    return {award.entrant: award.points for award in result}


def match(form: TournamentFormat, *games: str) -> dict[int, Points]:
    """What a match of entrants 4 and 7 awards."""
    table = TableSeats(1, (4, 7))
    return dict(
        round_points(form, [awarded(form, table, GameScores.parse(each)) for each in games])
    )


def test_points_are_the_scores() -> None:
    assert awards(POINTS, "7 -12, 4 52, 1 -10, 12 -30") == {4: 52, 7: -12, 12: -30, 1: -10}


def test_a_table_of_rummikub_adds_up_to_zero() -> None:
    """The message names the sum, so that the table knows what to look for."""
    with pytest.raises(CommandRefusedError, match=r"table 3 add up to \+4, not to 0"):
        awards(POINTS, "4 52, 7 -12, 12 -30, 1 -6")
    with pytest.raises(CommandRefusedError, match="add up to -1, not to 0"):
        awards(POINTS, "4 51, 7 -12, 12 -30, 1 -10")
    assert awards(replace(POINTS, zero_sum=False), "4 9, 7 0, 12 0, 1 0")[4] == 9


def test_losses_are_capped_and_winning_earns_a_bonus() -> None:
    form = replace(POINTS, most_lost=20, winner_bonus=10)
    assert awards(form, "4 52, 7 -12, 12 -30, 1 -10") == {4: 62, 7: -12, 12: -20, 1: -10}
    assert awards(form, "4 20, 7 20, 12 -30, 1 -10") == {4: 25, 7: 25, 12: -20, 1: -10}


def test_no_shows_and_forfeits_count_what_was_settled() -> None:
    assert awards(POINTS, "4 22, 7 -12, 12 no-show, 1 -10")[12] == -100
    assert awards(POINTS, "4 22, 7 -12, 12 forfeit, 1 -10")[12] == -150
    alone = awards(POINTS, "4 0, 7 no-show, 12 no-show, 1 forfeit")
    assert alone == {4: 40, 7: -100, 12: -100, 1: -150}
    assert set(awards(POINTS, "4 no-show, 7 no-show, 12 no-show, 1 no-show").values()) == {-100}


def test_shared_places_earn_their_average() -> None:
    assert awards(PLACES, "4 200, 7 200, 12 150, 1 100") == {
        4: Fraction(7, 2), 7: Fraction(7, 2), 12: 2, 1: 1,
    }  # fmt: skip
    assert awards(PLACES, "4 200, 7 150, 12 150, 1 150") == {4: 4, 7: 2, 12: 2, 1: 2}
    assert awards(PLACES, "4 200, 7 150, 12 no-show, 1 180") == {4: 4, 7: 2, 12: -1, 1: 3}


@given(st.lists(st.integers(0, 9), min_size=4, max_size=4))
def test_places_award_the_same_sum_however_they_are_shared(figures: list[int]) -> None:
    text = ", ".join(f"{seat} {figure}" for seat, figure in zip(TABLE.seats, figures, strict=True))
    assert sum(awards(PLACES, text).values()) == 4 + 3 + 2 + 1


def test_a_match_is_won_by_games_then_by_score() -> None:
    assert match(WINS, "4 200, 7 150", "4 100, 7 150", "4 170, 7 160") == {4: 2, 7: 0}
    assert match(WINS, "4 200, 7 100", "4 100, 7 150") == {4: 2, 7: 0}
    assert match(WINS, "4 200, 7 100", "4 100, 7 200") == {4: 1, 7: 1}
    assert match(WINS, "4 no-show, 7 0") == {4: 0, 7: 2}
    assert match(WINS, "4 no-show, 7 forfeit") == {4: 0, 7: 0}


def test_a_duel_is_over_when_it_is_decided() -> None:
    table = TableSeats(1, (4, 7))
    games = [awarded(WINS, table, GameScores.parse("4 2, 7 1"))] * 2
    assert not is_complete(WINS, 2, 3, games[:1])
    assert is_complete(WINS, 2, 3, games)
    assert winners(WINS, games) == (4,)
    assert not is_complete(replace(WINS, reckoning="points"), 2, 3, games)


@pytest.mark.parametrize(
    ("scores", "fault"),
    [
        ("4 52, 7 -12, 12 -40", "The score of entrant 1 is missing at table 3"),
        ("4 52, 7 -12, 12 -40, 1 0, 2 0", "Entrant 2 does not sit at table 3"),
    ],
)
def test_everyone_at_the_table_has_a_score(scores: str, fault: str) -> None:
    with pytest.raises(CommandRefusedError, match=fault):
        awards(POINTS, scores)


seats = st.lists(st.integers(1, 9999), min_size=1, max_size=6, unique=True)


@given(seats, st.data())
def test_scores_and_results_are_read_back(numbers: list[int], data: st.DataObject) -> None:
    figure = st.integers(-9999, 9999).map(str) | st.sampled_from(["no-show", "forfeit"])
    text = ", ".join(f"{number} {data.draw(figure)}" for number in numbers)
    scores = GameScores.parse(text)
    assert str(scores) == text
    result = awarded(PLACES, TableSeats(1, tuple(numbers)), scores)
    assert GameResult.parse(str(result)) == result
    assert result.scores == scores


@pytest.mark.parametrize("text", ["", "4", "4 x", "0 5", "4 5 6", "4 5; 7 6", "4 5, 4 6", "4 late"])
def test_scores_that_are_none_are_refused(text: str) -> None:
    with pytest.raises(NotationError):
        GameScores.parse(text)
    with pytest.raises(NotationError):
        GameResult.parse(text)


@given(st.fractions(max_denominator=60, min_value=-(10**6), max_value=10**6))
def test_points_are_read_back(value: Fraction) -> None:
    """Whole ones as whole numbers, so that equal points are written alike."""
    assert read_points(write_points(value)) == value
    assert isinstance(points(value), int) == (value.denominator == 1)
    assert write_points(points(value)) == write_points(value)


@given(st.lists(st.integers(-9, 9) | st.fractions(-9, 9, max_denominator=12)))
def test_points_are_added_exactly(values: list[Points]) -> None:
    added = total(values)
    assert added == sum(values)
    assert isinstance(added, int) == (added.denominator == 1)


@pytest.mark.parametrize("text", ["", "x", "1.5", "1/0", "--3", "1/"])
def test_points_that_are_none_are_refused(text: str) -> None:
    with pytest.raises(NotationError, match="write it as 52, -7 or 7/2"):
        read_points(text)


@pytest.mark.parametrize(
    ("value", "shown", "decimal"),
    [
        (52, "52", "52"),
        (-7, "-7", "-7"),
        (Fraction(7, 2), "3½", "3.5"),
        (Fraction(1, 2), "½", "0.5"),
        (Fraction(-7, 2), "-3½", "-3.5"),
        (Fraction(-1, 3), "-⅓", "-0.3333"),
        (Fraction(20, 3), "6⅔", "6.6667"),
        (Fraction(43, 12), "3 7/12", "3.5833"),
        (Fraction(-7, 60), "-7/60", "-0.1167"),
    ],
)
def test_parts_of_points_as_people_read_them_and_as_spreadsheets_do(
    value: Points, shown: str, decimal: str
) -> None:
    """Neither is taken for a date, as 7/2 is."""
    assert shown_points(value) == shown
    assert str(decimal_points(value)) == decimal


LOWEST: Any = {"game": "free-sheet", "house_rules": ("winner=lowest",)}


def test_where_the_lowest_score_wins_the_places_go_by_it() -> None:
    form = replace(PLACES, **LOWEST, winner_bonus=1, no_show=-1)
    shared = Fraction(5, 2)
    brought = {7: 5, 4: shared, 12: shared, 1: -1}
    assert awards(form, "4 40, 7 -7, 12 40, 1 no-show") == brought


@pytest.mark.parametrize(
    ("games", "won"),
    [
        (("4 40, 7 7",), (7,)),
        (("4 40, 7 7", "4 3, 7 5"), (7,)),  # a game each: 43 against 12
        (("4 40, 7 7", "4 3, 7 36"), (4, 7)),
        (("4 no-show, 7 7", "4 3, 7 5"), (7,)),  # not to come is no way to have less
    ],
)
def test_where_the_lowest_score_wins_it_wins_the_match(
    games: tuple[str, ...], won: tuple[int, ...]
) -> None:
    form, table = replace(WINS, **LOWEST), TableSeats(1, (4, 7))
    results = [awarded(form, table, GameScores.parse(each)) for each in games]
    assert winners(form, results) == won


UNSCORED = replace(WINS, tiebreaks=("points", "buchholz", "wins"))


@pytest.mark.parametrize(
    ("form", "planned", "won", "games"),
    [
        (UNSCORED, 3, (2, 1), ("4 0, 7 1", "4 1, 7 0", "4 1, 7 0")),
        (UNSCORED, 3, (0, 2), ("4 0, 7 1", "4 0, 7 1")),
        (UNSCORED, 2, (1, 1), ("4 0, 7 1", "4 1, 7 0")),
        (UNSCORED, 1, (0, 1), ("4 0, 7 1",)),
        (replace(UNSCORED, zero_sum=True), 1, (1, 0), ("4 1, 7 -1",)),
        (replace(UNSCORED, **LOWEST), 1, (1, 0), ("4 0, 7 1",)),
    ],
)
def test_a_match_is_known_by_its_games_won(
    form: TournamentFormat, planned: int, won: tuple[int, int], games: tuple[str, ...]
) -> None:
    """The last game decides it, so that none is reported of a match that is over."""
    scores = games_of_match(form, (4, 7), planned, won)
    assert tuple(map(str, scores)) == games
    table = TableSeats(1, (4, 7))
    results = [awarded(form, table, each) for each in scores]
    assert is_complete(form, 2, planned, results)
    assert not is_complete(form, 2, planned, results[:-1])
    assert games_won(results) == dict(zip((4, 7), won, strict=True))


@pytest.mark.parametrize("won", [(1, 1), (3, 0), (1, 0), (2, 2), (0, 0), (9, 9)])
def test_a_match_does_not_end_so(won: tuple[int, int]) -> None:
    with pytest.raises(CommandRefusedError, match=f"3 games ends {won[0]}–{won[1]}"):
        games_of_match(UNSCORED, (4, 7), 3, won)


def test_games_won_do_not_do_where_scores_decide_between_equals() -> None:
    with pytest.raises(CommandRefusedError, match=r"they decide between equals \(Best game\)"):
        games_of_match(WINS, (4, 7), 3, (2, 1))


@st.composite
def draws(choose: st.DrawFn) -> Draw:
    """Some draw: tables of any size, and byes."""
    entrants = choose(st.lists(st.integers(1, 999), unique=True, max_size=14))
    cuts = sorted(choose(st.sets(st.integers(0, len(entrants)))))
    groups = [entrants[a:b] for a, b in zip([0, *cuts], cuts, strict=False) if a < b]
    tables = tuple(TableSeats(n, tuple(group)) for n, group in enumerate(groups, start=1))
    return Draw(tables, tuple(entrants[cuts[-1] :]) if cuts else tuple(entrants))


@given(draws())
def test_a_draw_is_read_back_as_it_was_written(draw: Draw) -> None:
    assert Draw.parse(str(draw)) == draw


def test_a_draw_is_typed_in_the_digits_of_any_script() -> None:
    typed = "\uff11\uff1a\u3000\uff11\u3000\uff12 | bye \uff13"
    assert Draw.parse(typed) == Draw.parse("1: 1 2 | bye 3")


def test_a_draw_says_who_is_where() -> None:
    draw = Draw.parse("1: 4 7 12 | 3: 9 6 | bye 5")
    assert draw.entrants == (4, 7, 12, 9, 6, 5)
    assert list(draw.meetings()) == [(4, 7), (4, 12), (7, 12), (6, 9)]
    assert draw.table_of(6) == TableSeats(3, (9, 6))
    assert draw.table_of(5) is None


@pytest.mark.parametrize(
    "text",
    ["1 4 7", "1:", "1: 4 | 1: 5", "1: 4 4", "1: 4 | 2: 4", "1: 4 | bye 4", "0: 3", "1: 0",
     "bye 0", "bye 1 | 2: 3", "1: a", "1: 4 |", "bye"],
)  # fmt: skip
def test_what_is_no_draw_is_refused(text: str) -> None:
    with pytest.raises(NotationError):
        Draw.parse(text)
