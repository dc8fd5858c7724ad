"""Orders about results, cuts and the end: what each leads to, what is refused, and its cure."""

from __future__ import annotations

from dataclasses import replace

import pytest

from scoreboard.tournament.model.authority import Attributed, RefusedOrderError
from scoreboard.tournament.model.disputes import Dispute, Sign
from scoreboard.tournament.model.draw import random_order
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
from scoreboard.tournament.model.rounds import CloseRound, DrawRound, Replan, StartRound, UndoRound
from scoreboard.tournament.model.stages import Cut, DrawLot, Finish, PlayOff, Reopen
from scoreboard.tournament.model.standings import standings_of, why
from scoreboard.tournament.model.tournament import LotDrawn, decide
from scoreboard.tournament.model.tournament_format import Stage
from tests.scoreboard.tournament.model.directing import KIM, Directing, refusal
from tests.scoreboard.tournament.model.eights import (
    EVENING,
    FIRST,
    SECOND,
    TWO_TABLES,
    begun,
    one_round,
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


def test_undo_takes_rounds_back_one_by_one() -> None:
    """Until none is left."""
    directing = one_round().give(DrawRound(1), UndoRound(**KIM), UndoRound(**KIM))
    assert directing.state.rounds == ()
    assert "draw round 1 first" in refusal(directing.state, UndoRound(**KIM))


def test_undo_takes_the_cut_back_that_followed() -> None:
    """With its stage; decisions made before stand."""
    form = replace(EVENING, rounds=1, stages=(Stage("Final", 4, games=1),))
    directing = one_round(form).give(PlayOff((1, 5), **KIM), Cut(), DrawRound(2))
    assert (directing.state.stage, directing.round.stage) == (1, 1)
    directing.give(UndoRound(**KIM))
    assert directing.state.stage == 1
    directing.give(UndoRound(**KIM))
    assert (directing.state.stage, directing.state.decisions) == (0, ())


def test_more_or_fewer_rounds_may_be_planned() -> None:
    """As long as the hall allows; not fewer than are played."""
    directing = one_round(replace(EVENING, rounds=1))
    assert "plan more rounds" in refusal(directing.state, DrawRound(1))
    directing.give(Replan(2, **KIM), DrawRound(1))
    assert directing.state.format.rounds == 2
    assert "plan 2 to 100" in refusal(directing.state, Replan(1, **KIM))
    knockout = Directing(FORMATS["knockout"], 4)
    assert "is settled" in refusal(knockout.state, Replan(2, **KIM))


def test_a_league_may_plan_other_rounds_from_a_meeting_on() -> None:
    """The meetings so far keep theirs, and every meeting is played."""
    form = replace(FORMATS["club-evening"], rounds=2, meetings=3, games=1)
    directing = Directing(form, 8)

    def played() -> None:
        directing.play_by_hand(str(TWO_TABLES), {1: FIRST, 2: SECOND})

    for _ in range(3):
        played()
    directing.give(Replan(1, **KIM))
    played()
    assert [each.meeting for each in directing.state.rounds] == [1, 1, 2, 3]
    assert "plan more rounds" in refusal(directing.state, DrawRound(1))
    directing.give(UndoRound(**KIM), Replan(3, **KIM))
    for _ in range(5):
        played()
    assert [each.meeting for each in directing.state.rounds] == [1, 1, 2, 2, 2, 3, 3, 3]
    assert "plan more rounds" in refusal(directing.state, DrawRound(1))


def test_the_cut_waits_for_what_is_due() -> None:
    """A closed round, all rounds played, a format with stages, enough who are there."""
    form = replace(EVENING, rounds=2, stages=(Stage("Final", 4, games=1),))
    directing = begun(form)
    assert "close the round first" in refusal(directing.state, Cut())
    directing.report(1, FIRST).report(2, SECOND).give(CloseRound())
    assert "Rounds left before the cut: 1; play" in refusal(directing.state, Cut())
    directing.give(Replan(1, **KIM))
    assert "make the cut" in refusal(directing.state, DrawRound(1))
    five = directing.state
    for number in range(1, 6):
        directing.give(Withdraw(number, **KIM))
    assert directing.give(Cut()).state.cuts[0].entrants == (6, 7, 8)
    directing.give(Withdraw(6, **KIM))
    assert "Only 2 are there" in refusal(directing.state, Cut())
    directing.state = five
    directing.give(Cut(), DrawRound(1)).play({1: "1 3, 5 -1, 6 -1, 7 -1"})
    assert "No cut is left" in refusal(directing.state, Cut())
    assert "All rounds are played" in refusal(directing.state, DrawRound(2))
    assert "The cut is made" in refusal(directing.state, EnterLate(Entrant(9, "Zoe"), **KIM))
    assert "is settled" in refusal(directing.state, Replan(3, **KIM))


def test_the_cut_is_made_again_when_somebody_drops_out() -> None:
    """The next in standing moves up, as long as the stage is not drawn."""
    form = replace(EVENING, rounds=1, stages=(Stage("Final", 4, games=1),))
    directing = one_round(form).give(Cut())
    assert directing.state.cuts[0].entrants == (1, 5, 6, 7)
    directing.give(Withdraw(5, **KIM), Cut(), DrawRound(1))
    assert directing.round.draw.entrants == (1, 6, 7, 8)
    assert len(directing.state.cuts) == 1


def test_a_shared_place_across_the_cut_is_parted_first() -> None:
    """By a play-off or a lot, even where the format does not name them."""
    form = replace(EVENING, rounds=1, stages=(Stage("Final", 3, games=1),))
    directing = begun(form).report(1, "1 60, 2 -10, 3 -20, 4 -30")
    directing.report(2, "5 30, 6 -10, 7 -10, 8 -10").give(CloseRound())
    assert "Place 3 is shared across the cut" in refusal(directing.state, Cut())
    before = directing.state
    directing.give(PlayOff((7, 2, 8, 6), **KIM), Cut())
    assert directing.state.cuts[0].entrants == (1, 5, 7)
    assert str(why(standings_of(directing.state), directing.state.names, 2, 7)) == (
        "Player 7 stands above Player 2: only Player 7 reached Final."
    )
    directing.state = before
    directing.give(DrawLot(3))
    drawn = directing.events[-1]
    assert isinstance(drawn, LotDrawn)
    assert drawn.order == random_order((2, 6, 7, 8), 3)
    assert directing.give(Cut()).state.cuts[0].entrants[2] == drawn.order[0]
    assert "nothing to draw lots for" in refusal(directing.state, DrawLot(1))


def test_lots_and_play_offs_are_among_entrants() -> None:
    """Two or more, each once."""
    directing = one_round()
    for command in (PlayOff((1,), **KIM), PlayOff((1, 1), **KIM), DrawLot(1, (2,))):
        assert "two entrants or more" in refusal(directing.state, command)
    assert "entry number 99" in refusal(directing.state, DrawLot(1, (1, 99)))
    assert len(decide(directing.state, DrawLot(1, (1, 2)))) == 1


def test_a_lot_falls_the_same_everywhere() -> None:
    """Whoever is named first, on any Python: the figures stand here."""
    assert random_order((3, 1, 2, 5), 42) == random_order((5, 2, 3, 1), 42) == (2, 5, 3, 1)


def test_stages_may_carry_points_on() -> None:
    """Then the final alone does not decide."""
    final = Stage("Final", 4, games=1, carried=True)
    directing = one_round(replace(EVENING, rounds=1, stages=(final,))).give(Cut(), DrawRound(1))
    directing.play({1: "1 -30, 5 30, 6 0, 7 0"})
    assert [(row.entrant, row.values[0]) for row in standings_of(directing.state).rows[:2]] == [
        (5, 36),
        (1, 30),
    ]


def test_tables_by_standing_from_a_round_on() -> None:
    """The best sit at the first table."""
    form = replace(EVENING, by_standing_from=2, seating="blocks")
    directing = one_round(form).give(DrawRound(1))
    assert [set(table.seats) for table in directing.round.draw.tables] == [
        {1, 5, 6, 7},
        {8, 2, 3, 4},
    ]


def test_a_drawn_knockout_match_goes_on() -> None:
    """Another game is played until somebody is ahead."""
    form = replace(FORMATS["knockout"], games=1)
    directing = Directing(form, 2).give(DrawRound(1), StartRound()).report(1, "1 5, 2 5")
    assert "play another game and report it as 2" in refusal(directing.state, CloseRound())
    directing.report(1, "1 5, 2 6").give(CloseRound())
    assert directing.places == [(1, 2), (2, 1)]
    assert "last match is played" in refusal(directing.state, DrawRound(2))


def test_a_corrected_knockout_result_has_the_right_ones_meet() -> None:
    """The match that should not have been is marked and passed over."""
    directing = Directing(replace(FORMATS["knockout"], games=1), 4).give(DrawRound(1))
    pairs = [table.seats for table in directing.round.draw.tables]
    assert [set(pair) for pair in pairs] == [{1, 4}, {2, 3}]
    directing.play({1: "1 9, 4 1", 2: "2 9, 3 1"}).give(DrawRound(2))
    directing.play({1: "1 9, 2 1"})
    directing.give(CorrectResult(1, 1, 1, scores("1 1, 4 9"), **KIM))
    assert directing.round.corrected_before == (1,)
    directing.give(DrawRound(3))
    assert {frozenset(table.seats) for table in directing.round.draw.tables} == {frozenset((4, 2))}


def test_everyone_meets_everyone() -> None:
    """Four players, three rounds, six matches; a drop-out gives byes."""
    directing = Directing(FORMATS["round-robin"], 4)
    met = set()
    for number in range(3):
        directing.give(DrawRound(number))
        met |= {frozenset(table.seats) for table in directing.round.draw.tables}
        directing.play(
            {
                table.number: f"{max(table.seats)} 1, {min(table.seats)} 0"
                for table in directing.round.draw.tables
            }
        )
    assert len(met) == 6
    assert "met everyone" in refusal(directing.state, DrawRound(4))
    assert [entrant for _, entrant in directing.places] == [4, 3, 2, 1]


def test_a_round_robin_may_end_in_a_cut() -> None:
    """Once everyone has met everyone, however many rounds that takes."""
    form = replace(FORMATS["round-robin"], stages=(Stage("Final", 2, games=1),))
    directing = Directing(form, 4)
    for number in range(3):
        directing.give(DrawRound(number))
        tables = directing.round.draw.tables
        directing.play(
            {each.number: f"{min(each.seats)} 1, {max(each.seats)} 0" for each in tables}
        )
        if number < 2:
            assert f"Rounds left before the cut: {2 - number}" in refusal(directing.state, Cut())
    assert "make the cut" in refusal(directing.state, DrawRound(4))
    directing.give(Cut(), DrawRound(4)).play({1: "1 0, 2 1"})
    assert directing.places == [(1, 2), (2, 1), (3, 3), (4, 4)]


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


def test_what_is_finished_stands_until_it_is_reopened() -> None:
    """A protest after the end reopens, corrects and finishes again."""
    directing = begun()
    assert "is not closed" in refusal(directing.state, Finish())
    assert "is not finished" in refusal(directing.state, Reopen(**KIM))
    directing.report(1, FIRST).report(2, SECOND).give(CloseRound(), Finish())
    correct = CorrectResult(1, 1, 1, scores("1 0, 2 0, 3 0, 4 0"), **KIM)
    assert "reopen it first" in refusal(directing.state, correct)
    directing.give(Reopen(**KIM), correct, Finish())
    assert directing.state.finished
    assert directing.places[0] == (1, 5)


def test_a_table_that_does_not_add_up_is_refused() -> None:
    """At the report and at the referee's correction alike."""
    directing = begun()
    wrong = ReportResult(1, 1, 1, scores("1 60, 2 -10, 3 -20, 4 -31"))
    assert refusal(directing.state, wrong) == (
        "The scores of table 1 add up to -1, not to 0: count the racks again."
    )
    directing.report(1, FIRST)
    with pytest.raises(RefusedOrderError, match=r"add up to \+5"):
        decide(directing.state, CorrectResult(1, 1, 1, scores("1 5, 2 0, 3 0, 4 0"), **KIM))
