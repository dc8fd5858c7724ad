"""Disputes: pending while their round is open, a request to the referee once it is closed."""

from __future__ import annotations

from dataclasses import replace

import pytest

from scoreboard.message import Message
from scoreboard.tournament.model.disputes import (
    Contradiction,
    Dispute,
    Disputed,
    Settle,
    Sign,
    UpholdResult,
    objection_message,
)
from scoreboard.tournament.model.formats import FORMATS
from scoreboard.tournament.model.results import CorrectResult, ReportResult
from scoreboard.tournament.model.rounds import CloseRound, DrawRound, StartRound
from scoreboard.tournament.model.stages import Finish
from scoreboard.tournament.model.standings import standings_of
from scoreboard.tournament.model.tournament import THE_HUB, Objection, carried_out, evolve
from tests.scoreboard.tournament.model.directing import (
    EVENING,
    FIRST,
    KIM,
    SECOND,
    Directing,
    begun,
    one_round,
    refusal,
    scores,
)


def test_a_disputed_result_is_pending_and_stops_no_table() -> None:
    """It counts for nothing until the referee settles it; the table plays on meanwhile."""
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
    """A no-show may object to being called one; a stranger may not."""
    directing = begun().report(1, "1 30, 2 -10, 3 -20, 4 no-show")
    assert "did not play" in refusal(directing.state, Dispute(1, 1, 1, 5, "no"))
    assert "in a few words" in refusal(directing.state, Dispute(1, 1, 1, 1, " "))
    directing.give(Dispute(1, 1, 1, 4, "I was there"))
    assert directing.round.results[1, 1].phase == "disputed"


def test_a_dispute_after_the_round_asks_the_referee_and_changes_nothing() -> None:
    """The result stays in force; a correction, or the referee's word, answers the request."""
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
    """It is the referee's from then on, and no draw is marked."""
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
        directing.give(DrawRound(1), StartRound())
        for table in directing.round.draw.tables:
            one, other = table.seats
            directing.report(table.number, f"{one} {90 - one}, {other} {90 - other}")
        directing.give(CloseRound())
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
    """In the event it stands as it always did; the sentence for people has gaps to translate."""
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
    """It is no pair of results."""
    sentence = objection_message(begun(EVENING).state, Objection(THE_HUB, why))
    assert str(sentence) == f"the hub disagrees: “{why}”"
