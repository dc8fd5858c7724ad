"""Results and penalties: reported, signed, taken back, corrected, punished."""

from __future__ import annotations

from dataclasses import replace

import pytest

from scoreboard.errors import NotationError
from scoreboard.message import Message
from scoreboard.tournament.model.authority import Attributed, CommandRefusedError
from scoreboard.tournament.model.disputes import (
    AwardPenalty,
    Contradiction,
    Dispute,
    Disputed,
    PenaltyAwarded,
    Settle,
    Sign,
    UndoPenalty,
    UpholdResult,
    objection_message,
)
from scoreboard.tournament.model.entrant import Entrant
from scoreboard.tournament.model.entries import EnterLate, Return, Withdraw
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
from scoreboard.tournament.model.tournament import (
    THE_HUB,
    Objection,
    carried_out,
    decide,
    describe,
    evolve,
    may_command,
)
from scoreboard.tournament.model.tournament_transcript import CODEC
from tests.scoreboard.tournament.model.directing import (
    EVENING,
    FIRST,
    KIM,
    NOON,
    SECOND,
    Directing,
    begun,
    one_round,
    refusal,
    scores,
)


def test_reports_come_in_order_and_once() -> None:
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
    directing = begun().report(1, "1 30, 2 -10, 3 -20, 4 no-show")
    assert "did not play" in refusal(directing.state, Sign(1, 1, 1, 4))
    assert "has no result yet" in refusal(directing.state, Sign(1, 2, 1, 5))
    directing.give(Sign(1, 1, 1, 1), Sign(1, 1, 1, 2))
    phases = [directing.round.results[1, 1].phase]
    assert "has signed already" in refusal(directing.state, Sign(1, 1, 1, 2))
    directing.give(Sign(1, 1, 1, 3))
    assert [*phases, directing.round.results[1, 1].phase] == ["reported", "signed"]


def test_a_result_that_nobody_signed_may_be_taken_back() -> None:
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
    directing = begun()
    wrong = ReportResult(1, 1, 1, scores("1 60, 2 -10, 3 -20, 4 -31"))
    assert refusal(directing.state, wrong) == (
        "The scores of table 1 add up to -1, not to 0: count the racks again."
    )
    directing.report(1, FIRST)
    with pytest.raises(CommandRefusedError, match=r"add up to \+5"):
        decide(directing.state, CorrectResult(1, 1, 1, scores("1 5, 2 0, 3 0, 4 0"), **KIM))


def test_a_disputed_result_is_pending_and_stops_no_table() -> None:
    directing = begun(replace(EVENING, games=2)).report(1, FIRST)
    directing.give(Dispute(1, 1, 1, 2, "the joker was counted twice"))
    assert directing.round.disputed == ((1, 1),)
    assert directing.places[0][1] == 1
    assert standings_of(directing.state).of(1).values == (0,)
    assert "settle it first" in refusal(directing.state, Sign(1, 1, 1, 1))
    assert "referee's hands" in refusal(directing.state, Dispute(1, 1, 1, 3, "no"))
    correct = CorrectResult(1, 1, 1, scores(FIRST), **KIM)
    assert "settle it instead" in refusal(directing.state, correct)

    directing.give(ReportResult(1, 1, 2, scores(FIRST)))
    directing.report(2, SECOND, SECOND)
    assert "is disputed: have the referee" in refusal(directing.state, CloseRound())
    directing.give(Settle(1, 1, 1, scores("1 30, 2 20, 3 -20, 4 -30"), **KIM), CloseRound())
    assert directing.round.results[1, 1].phase == "settled"
    assert standings_of(directing.state).of(2).values == (10,)
    assert directing.state.amendments[-1].by == "Kim"
    settle = Settle(1, 1, 1, scores(FIRST), **KIM)
    assert "correct it instead" in refusal(directing.state, settle)
    assert "referee's hands" in refusal(directing.state, Dispute(1, 1, 1, 3, "no"))


def test_of_several_disputed_results_the_first_is_named() -> None:
    """By table and game, so that the director knows where to send the referee first."""
    directing = begun(replace(EVENING, games=2)).report(1, FIRST, FIRST)
    directing.report(2, SECOND, SECOND)
    directing.give(Dispute(1, 2, 1, 5, "no"), Dispute(1, 1, 2, 1, "no"), Dispute(1, 1, 1, 1, "no"))
    assert "Game 1 at table 1 is disputed" in refusal(directing.state, CloseRound())


def test_a_dispute_says_why_and_comes_from_the_table() -> None:
    directing = begun().report(1, "1 30, 2 -10, 3 -20, 4 no-show")
    assert "did not play" in refusal(directing.state, Dispute(1, 1, 1, 5, "no"))
    assert "in a few words" in refusal(directing.state, Dispute(1, 1, 1, 1, " "))
    directing.give(Dispute(1, 1, 1, 4, "I was there"))
    assert directing.round.results[1, 1].phase == "disputed"


def test_a_dispute_after_the_round_asks_the_referee_and_changes_nothing() -> None:
    directing = one_round(replace(EVENING, by_standing_from=2, seating="snake"))
    before = standings_of(directing.state)
    directing.give(DrawRound(7), Dispute(1, 1, 1, 2, "the joker was counted twice"))
    assert standings_of(directing.state) == before
    assert directing.state.rounds[0].for_the_referee == (
        (1, 1, Objection(2, "the joker was counted twice")),
    )
    assert "referee's hands" in refusal(directing.state, Dispute(1, 1, 1, 3, "no"))
    assert "correct it instead" in refusal(directing.state, Settle(1, 1, 1, scores(FIRST), **KIM))
    corrected = scores("1 30, 2 -10, 3 -10, 4 -10")
    directing.give(CorrectResult(1, 1, 1, corrected, **KIM))
    assert standings_of(directing.state).of(1).values == (30,)
    assert directing.round.corrected_before == (1,)
    assert not directing.state.rounds[0].for_the_referee


def test_the_referee_lets_a_result_stand_that_was_to_be_looked_at_again() -> None:
    directing = one_round(replace(EVENING, by_standing_from=2, seating="snake"))
    uphold = UpholdResult(1, 1, 1, **KIM)
    assert "it stands" in refusal(directing.state, uphold)
    directing.give(DrawRound(7), Dispute(1, 1, 1, 2, "no"), uphold)
    reported = directing.state.rounds[0].results[1, 1]
    assert (reported.phase, reported.request) == ("settled", None)
    assert directing.round.corrected_before == ()
    assert directing.state.amendments[-1].why == "as the referee saw it"
    assert "referee's hands" in refusal(directing.state, Dispute(1, 1, 1, 2, "no"))


def test_no_player_reopens_a_bracket() -> None:
    """Neither who was put out nor who won: the final is over, and there is no further round."""
    directing = Directing(replace(FORMATS["knockout"], games=1), 4)
    for _ in range(2):
        directing.give(DrawRound(1)).play_each(lambda seat, _: 90 - seat)
    over = refusal(directing.state, DrawRound(2))
    loser = max(directing.state.rounds[0].draw.tables[0].seats)
    directing.give(Dispute(1, 1, 1, loser, "I changed my mind"))
    directing.give(Dispute(2, 1, 1, directing.round.draw.tables[0].seats[0], "more of it"))
    assert refusal(directing.state, DrawRound(2)) == over
    directing.give(Finish())


def test_a_dispute_that_an_older_hub_kept_of_a_closed_round_still_takes_its_result_out() -> None:
    """What is recorded keeps its meaning: it counts for nothing until the referee settles it."""
    directing = one_round()
    state = evolve(directing.state, Disputed(1, 1, 1, 2, "the joker was counted twice"))
    assert standings_of(state).of(1).values == (0,)
    assert state.rounds[0].disputed == ((1, 1),)
    settled = carried_out(state, Settle(1, 1, 1, scores(FIRST), **KIM))
    assert standings_of(settled) == standings_of(directing.state)


def test_a_contradiction_is_told_by_name_in_ones_own_language() -> None:
    why = str(Contradiction(scores("1 5, 2 no-show"), scores("1 5, 2 -3")))
    assert why == "The hub has 1 5, 2 no-show; the table's sheet says 1 5, 2 -3."
    sentence = objection_message(begun(EVENING).state, Objection(THE_HUB, why))
    [(_, reason)] = sentence.values
    assert isinstance(reason, Message)
    assert str(reason) == (
        "The hub has Player 1 5, Player 2 did not come; "
        "the table's sheet says Player 1 5, Player 2 -3."
    )
    assert all(isinstance(value, Message) for _, value in reason.values)


@pytest.mark.parametrize(
    "why",
    [
        "9999 in Aces is more than the dice showed.",
        "The hub has nonsense; the table's sheet says 1 5.",
    ],
)
def test_another_reason_of_the_hub_is_told_as_it_is(why: str) -> None:
    sentence = objection_message(begun(EVENING).state, Objection(THE_HUB, why))
    assert str(sentence) == f"the hub disagrees: “{why}”"


def test_points_come_off_the_standings() -> None:
    directing = one_round().give(
        AwardPenalty(1, "warning", **KIM),
        AwardPenalty(1, "points", "1/2", **KIM),
        AwardPenalty(1, "points", "1/2", **KIM),
        UndoPenalty(3, **KIM),
    )
    assert [str(each) for each in standings_of(directing.state).of(1).values] == ["119/2"]
    assert [each.kind for each in directing.state.penalties.values()] == ["warning", "points"]
    assert "taken back already" in refusal(directing.state, UndoPenalty(3, **KIM))


def test_who_is_disqualified_stands_last_and_plays_no_more() -> None:
    directing = one_round()
    before = directing.places
    directing.give(AwardPenalty(1, "disqualification", **KIM))
    assert directing.places == [(at, each) for at, (_, each) in enumerate(before[1:], 1)] + [(8, 1)]
    told = why(standings_of(directing.state), directing.state.names, 1, 4)
    assert str(told) == "Player 4 stands above Player 1: Player 1 was disqualified."
    assert "take the penalty back first" in refusal(directing.state, Return(1, **KIM))
    assert "disqualified already" in refusal(
        directing.state, AwardPenalty(1, "disqualification", **KIM)
    )
    drawn = one_round().give(AwardPenalty(1, "disqualification", **KIM), DrawRound(1))
    assert 1 not in drawn.round.draw.entrants
    directing.give(UndoPenalty(1, **KIM))
    assert directing.places == before
    assert not directing.state.away


def test_points_and_kind_go_together() -> None:
    state = one_round().state
    for kind, points in (("points", "0"), ("points", "-1"), ("warning", "2")):
        assert "more than 0" in refusal(state, AwardPenalty(1, kind, points, **KIM))
    assert "Nobody has the entry number" in refusal(state, AwardPenalty(99, "warning", **KIM))


def test_a_penalty_is_told_with_its_reason_and_read_back() -> None:
    directing = one_round().give(AwardPenalty(2, "points", "7/2", **KIM))
    event = directing.events[-1]
    told = "Player 2: points off (3½). Kim: “as the referee saw it”"
    assert str(describe(directing.state, event)) == told
    assert CODEC.event(CODEC.document(event)) == event
    with pytest.raises(NotationError, match="no penalty"):
        PenaltyAwarded(1, 2, "flogging", "0", 0, by="Kim", at=NOON, why="late")


def test_a_referee_may_punish_and_a_table_may_not() -> None:
    command = AwardPenalty(1, "warning", **KIM)
    assert [may_command(role, command) for role in ("table", "referee", "director")] == [
        False, True, True,
    ]  # fmt: skip
