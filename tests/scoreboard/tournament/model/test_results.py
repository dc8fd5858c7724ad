"""Results: reported, signed, taken back, corrected, and handed in alone."""

from __future__ import annotations

from dataclasses import replace

import pytest

from scoreboard.tournament.model.authority import Attributed, CommandRefusedError
from scoreboard.tournament.model.disputes import Dispute, Sign
from scoreboard.tournament.model.entrant import Entrant
from scoreboard.tournament.model.entries import EnterLate, Withdraw
from scoreboard.tournament.model.formats import FORMATS
from scoreboard.tournament.model.results import (
    CorrectResult,
    CorrectScore,
    ReportResult,
    SubmitScore,
    TakeResultBack,
)
from scoreboard.tournament.model.rounds import CloseRound, DrawRound
from scoreboard.tournament.model.stages import Finish
from scoreboard.tournament.model.standings import standings_of, why
from scoreboard.tournament.model.tournament import decide
from tests.scoreboard.tournament.model.directing import (
    EVENING,
    FIRST,
    KIM,
    Directing,
    begun,
    one_round,
    refusal,
    scores,
)


def test_reports_come_in_order_and_once() -> None:
    """A doubled or a skipped game is told."""
    directing = begun(replace(EVENING, games=2))
    skipped = ReportResult(1, 1, 2, scores(FIRST))
    assert "before game 1 at table 1" in refusal(directing.state, skipped)
    directing.report(1, FIRST)
    doubled = ReportResult(1, 1, 1, scores(FIRST))
    assert "reported already" in refusal(directing.state, doubled)
    directing.report(1, FIRST)
    more = ReportResult(1, 1, 3, scores(FIRST))
    assert "has played all its games" in refusal(directing.state, more)
    assert "Round 2 is not drawn" in refusal(directing.state, ReportResult(2, 1, 1, scores(FIRST)))
    assert "no table 3" in refusal(directing.state, ReportResult(1, 3, 1, scores(FIRST)))


def test_signing_a_result() -> None:
    """It is signed when all who played have; each signs once."""
    directing = begun().report(1, "1 30, 2 -10, 3 -20, 4 no-show")
    assert "did not play" in refusal(directing.state, Sign(1, 1, 1, 4))
    assert "has no result yet" in refusal(directing.state, Sign(1, 2, 1, 5))
    directing.give(Sign(1, 1, 1, 1), Sign(1, 1, 1, 2))
    phases = [directing.round.results[1, 1].phase]
    assert "has signed already" in refusal(directing.state, Sign(1, 1, 1, 2))
    directing.give(Sign(1, 1, 1, 3))
    assert [*phases, directing.round.results[1, 1].phase] == ["reported", "signed"]


def test_a_result_that_nobody_signed_may_be_taken_back() -> None:
    """The table goes on with its last game; what is agreed on is the referee's to change."""
    directing = begun(replace(EVENING, games=2)).report(1, FIRST)
    before = begun(replace(EVENING, games=2)).state
    back = TakeResultBack(1, 1, 1)
    assert directing.give(back).state == before
    assert "has no result yet" in refusal(directing.state, back)

    directing.report(1, FIRST, FIRST)
    assert "Game 2 at table 1 is reported too" in refusal(directing.state, back)
    directing.give(TakeResultBack(1, 1, 2), Sign(1, 1, 1, 3))
    assert "agreed on" in refusal(directing.state, back)
    directing.give(Dispute(1, 1, 1, 2, "miscounted"))
    assert "agreed on" in refusal(directing.state, back)
    assert "agreed on" in refusal(one_round().state, TakeResultBack(1, 2, 1))


def test_an_edited_earlier_result_moves_the_standings_and_marks_later_draws() -> None:
    """Pairings made since are kept; what was is kept too, with who, when and why."""
    directing = one_round(replace(EVENING, by_standing_from=2, seating="snake"))
    draw = directing.give(DrawRound(7)).round.draw
    assert directing.places[0] == (1, 1)
    directing.give(CorrectResult(1, 1, 1, scores("1 -60, 2 10, 3 20, 4 30"), **KIM))
    assert directing.places[0] == (1, 4)
    assert directing.round.draw == draw
    assert [each.corrected_before for each in directing.state.rounds] == [(), (1,)]
    correction = directing.state.amendments[-1]
    assert isinstance(correction, Attributed)
    assert (correction.by, correction.why) == ("Kim", "as the referee saw it")
    same = CorrectResult(1, 1, 1, scores("1 -60, 2 10, 3 20, 4 30"), **KIM)
    assert "nothing to correct" in refusal(directing.state, same)
    directing.give(CorrectResult(1, 2, 1, scores("5 9, 6 -9, 7 0, 8 0"), **KIM))
    assert directing.round.corrected_before == (1,)


def test_a_draw_that_looked_at_no_result_is_not_marked() -> None:
    """A correction before it changes nothing that it was made from."""
    directing = one_round().give(DrawRound(7))
    directing.give(CorrectResult(1, 2, 1, scores("5 9, 6 -9, 7 0, 8 0"), **KIM))
    assert directing.round.corrected_before == ()


def test_the_best_game_is_the_highest_score_where_places_count() -> None:
    """Two winners with the same points: the higher sheet stands above; no-shows played none."""
    form = replace(
        EVENING, reckoning="places", zero_sum=False, tiebreaks=("points", "best-game"), no_show=-5
    )
    directing = begun(form).report(1, "1 240, 2 200, 3 90, 4 no-show")
    directing.report(2, "5 260, 6 180, 7 100, 8 10").give(CloseRound())
    standings = standings_of(directing.state)
    assert standings.order[:4] == (5, 1, 2, 6)
    assert str(why(standings, directing.state.names, 1, 5)) == (
        "Player 5 stands above Player 1: level in Points, then a best game of 260 against 240."
    )


def test_a_blind_event() -> None:
    """Every score counts that is among the best three; a mistake is corrected."""
    directing = Directing(FORMATS["blind-high-score"], 3)
    assert "has no rounds" in refusal(directing.state, DrawRound(1))
    for entrant, score in ((1, 200), (2, 310), (1, 150), (1, 90), (1, 180), (2, 215)):
        directing.give(SubmitScore(entrant, score))
    rows = standings_of(directing.state).rows
    assert [(row.entrant, row.values[0]) for row in rows] == [(1, 530), (2, 525), (3, 0)]
    directing.give(CorrectScore(2, 301, **KIM), Withdraw(3, **KIM))
    assert standings_of(directing.state).of(2).values[0] == 516
    assert "No score 9" in refusal(directing.state, CorrectScore(9, 1, **KIM))
    assert "nothing to correct" in refusal(directing.state, CorrectScore(2, 301, **KIM))
    assert "has dropped out" in refusal(directing.state, SubmitScore(3, 100))
    assert "only in a blind event" in refusal(begun().state, SubmitScore(1, 100))
    directing.give(EnterLate(Entrant(4, "Zoe"), **KIM), SubmitScore(4, 999), Finish())
    assert directing.places[0] == (1, 4)


def test_a_table_that_does_not_add_up_is_refused() -> None:
    """At the report and at the referee's correction alike."""
    directing = begun()
    wrong = ReportResult(1, 1, 1, scores("1 60, 2 -10, 3 -20, 4 -31"))
    assert refusal(directing.state, wrong) == (
        "The scores of table 1 add up to -1, not to 0: count the racks again."
    )
    directing.report(1, FIRST)
    with pytest.raises(CommandRefusedError, match=r"add up to \+5"):
        decide(directing.state, CorrectResult(1, 1, 1, scores("1 5, 2 0, 3 0, 4 0"), **KIM))
