"""Glicko-2: the published example, and what it makes of the tables of an event."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoreboard.tournament.model.entrant import Entrant
from scoreboard.tournament.model.entries import Replace
from scoreboard.tournament.model.ratings import RatedGame, Rating, rated, rated_games
from scoreboard.tournament.model.rounds import CloseRound
from tests.scoreboard.tournament.model.directing import FIRST, KIM, begun

ratings = st.builds(Rating, st.floats(500, 2500), st.floats(30, 350), st.floats(0.03, 0.12))


def test_glickman_s_example() -> None:
    """1500 give or take 200 against three opponents, as his paper works it out."""
    games = [(Rating(1400, 30), 1.0), (Rating(1550, 100), 0.0), (Rating(1700, 300), 0.0)]
    after = rated(Rating(1500, 200), games)
    assert after.value == pytest.approx(1464.06, abs=0.01)
    assert after.deviation == pytest.approx(151.52, abs=0.01)
    assert after.volatility == pytest.approx(0.05999, abs=0.00001)


def test_the_rating_does_not_shift_the_volatility() -> None:
    """The same games 400 points higher change the volatility as much: the library's fault."""
    games = [(Rating(1500, 50), 0.0)] * 5
    higher = [(Rating(1900, 50), 0.0)] * 5
    low, high = rated(Rating(1700, 80), games), rated(Rating(2100, 80), higher)
    assert low.volatility == pytest.approx(high.volatility)
    assert high.value - low.value == pytest.approx(400)


@given(ratings, ratings)
def test_who_wins_gains_and_who_loses_loses(one: Rating, other: Rating) -> None:
    """Whatever both were rated, and a draw lies between."""
    lost, drawn, won = (rated(one, [(other, outcome)]).value for outcome in (0, 0.5, 1))
    assert lost < drawn < won
    assert lost < one.value < won


@given(ratings, st.integers(0, 500))
def test_who_rests_is_less_certain_but_not_less_than_a_newcomer(one: Rating, many: int) -> None:
    """The rating stays, the deviation grows, up to that of somebody unknown."""
    rested = one.rested(many)
    assert rested.value == one.value
    assert one.deviation <= rested.deviation + 1e-9 <= 350 + 1e-9


def test_a_table_of_four_is_six_comparisons() -> None:
    """Each two by their points, under the names of who played the round; no-shows are left out."""
    directing = begun().report(1, FIRST).report(2, "5 6, 6 -3, 7 -3, 8 no-show")
    assert rated_games(directing.state) == ()
    directing.give(CloseRound(), Replace(Entrant(1, "Zoe"), **KIM))
    games = rated_games(directing.state)
    assert len(games) == 6 + 3
    assert RatedGame("Player 1", "Player 4", 1) in games
    assert RatedGame("Player 6", "Player 7", 0.5) in games
    assert not {"Zoe", "Player 8"} & {name for game in games for name in (game.one, game.other)}
