"""Eight players at two tables: the event that most tests of orders begin from."""

from __future__ import annotations

from scoreboard.tournament.model.draw import Draw
from scoreboard.tournament.model.rounds import CloseRound, DrawByHand, StartRound
from scoreboard.tournament.model.scores import GameScores
from scoreboard.tournament.model.tournament_format import TournamentFormat
from tests.scoreboard.tournament.model.directing import KIM, Directing

EVENING = TournamentFormat("Evening", rounds=3, games=1, zero_sum=True, tiebreaks=("points",))
TWO_TABLES = Draw.parse("1: 1 2 3 4 | 2: 5 6 7 8")
FIRST, SECOND = "1 60, 2 -10, 3 -20, 4 -30", "5 6, 6 -1, 7 -2, 8 -3"


def scores(text: str) -> GameScores:
    """The scores of a game."""
    return GameScores.parse(text)


def begun(form: TournamentFormat = EVENING) -> Directing:
    """Eight players at two tables, round 1 under way."""
    return Directing(form, 8).give(DrawByHand(TWO_TABLES, **KIM), StartRound())


def one_round(form: TournamentFormat = EVENING) -> Directing:
    """The same after round 1."""
    return begun(form).report(1, FIRST).report(2, SECOND).give(CloseRound())
