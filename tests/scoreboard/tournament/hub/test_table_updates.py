"""What a table is told to play: which game comes next, by which house rules, and who sits there."""

from __future__ import annotations

from dataclasses import replace

import pytest

from scoreboard.games import GAMES
from scoreboard.games.engine.game import settled
from scoreboard.tournament.hub.table_updates import coming_game, game_options, results_at
from scoreboard.tournament.model.disputes import Dispute
from scoreboard.tournament.model.formats import FORMATS
from scoreboard.tournament.model.results import ReportResult
from scoreboard.tournament.model.rounds import DrawRound, StartRound
from scoreboard.tournament.model.tournament_format import TournamentFormat
from tests.scoreboard.tournament.model.directing import EVENING, FIRST, Directing, begun, scores

DUEL = TournamentFormat(
    "Duel",
    game="yahtzee",
    system="knockout",
    games=3,
    table_size=2,
    smallest_table=2,
    reckoning="wins",
    tiebreaks=("lasted",),
)


def coming(directing: Directing) -> tuple[int, int]:
    """What table 1 plays next, and how many there are."""
    played = directing.round
    table = played.table(1)
    assert table is not None
    return coming_game(directing.state, played, table, results_at(played, 1))


def duel() -> Directing:
    """Two players meet in the first round of a knockout, best of three."""
    return Directing(DUEL, 2).give(DrawRound(1), StartRound())


def test_games_come_one_after_another() -> None:
    """Above the last one all are played."""
    directing = begun(replace(EVENING, games=2))
    seen = [coming(directing)]
    for _ in range(2):
        directing.report(1, FIRST)
        seen.append(coming(directing))
    assert seen == [(1, 2), (2, 2), (3, 2)]


def test_a_disputed_game_is_not_played_again() -> None:
    """The table goes on, and when all are reported it is done."""
    directing = begun(replace(EVENING, games=2)).report(1, FIRST)
    directing.give(Dispute(1, 1, 1, 2, "miscounted"))
    seen = [coming(directing)]
    directing.give(ReportResult(1, 1, 2, scores(FIRST)))
    assert [*seen, coming(directing)] == [(2, 2), (3, 2)]


def test_a_match_that_is_decided_ends_early() -> None:
    """Whoever won two of three needs no third game."""
    directing = duel().report(1, "1 200, 2 100", "1 200, 2 100")
    assert coming(directing) == (4, 3)


def test_a_drawn_match_of_a_knockout_goes_on() -> None:
    """One game more is played until it is decided."""
    directing = duel().report(1, "1 200, 2 100", "1 100, 2 200", "1 150, 2 150")
    assert coming(directing) == (4, 4)
    directing.report(1, "1 151, 2 150")
    assert coming(directing) == (5, 4)


@pytest.mark.parametrize("name", sorted(FORMATS))
def test_the_rulebook_accepts_the_house_rules(name: str) -> None:
    """Of every preset, whatever the joker costs there."""
    form = FORMATS[name]
    for joker in (25, 30, 40):
        given = game_options(replace(form, joker_penalty=joker))
        settled(GAMES[form.game].options, given)
    assert ("rounds" in game_options(form)) == (form.game == "rummikub")


def test_a_joker_that_the_rulebook_has_not_is_left_at_its_default() -> None:
    """The table plays on by its own rule, and the director sees the results."""
    assert game_options(EVENING) == {"rounds": "1", "joker": "30"}
    assert game_options(replace(EVENING, joker_penalty=40)) == {"rounds": "1"}
