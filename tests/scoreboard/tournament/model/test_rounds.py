"""Rounds and their tables: drawn, changed by hand, undone and planned anew."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from itertools import pairwise

import pytest

from scoreboard.tournament.model.draw import BYE, OUT, Draw
from scoreboard.tournament.model.entrant import Entrant
from scoreboard.tournament.model.entries import Enter, EnterLate, Replace, Withdraw
from scoreboard.tournament.model.formats import FORMATS
from scoreboard.tournament.model.proposed_draw import (
    ChangeProposed,
    ChangeTables,
    PlanPublishing,
    ProposeRound,
    PublishRound,
    before_round,
    marked_tables,
    unseated,
)
from scoreboard.tournament.model.results import CorrectResult, ReportResult
from scoreboard.tournament.model.round_draw import seeding
from scoreboard.tournament.model.rounds import (
    CloseRound,
    DrawRound,
    Replan,
    StartRound,
    UndoRound,
)
from scoreboard.tournament.model.stages import Cut, Finish, PlayOff
from scoreboard.tournament.model.standings import standings_of
from scoreboard.tournament.model.tournament import (
    Command,
    Round,
    Tournament,
    decide,
    describe,
    evolve,
)
from scoreboard.tournament.model.tournament_format import Stage, TournamentFormat
from scoreboard.tournament.model.tournament_transcript import CODEC
from tests.scoreboard.tournament.model.directing import (
    EVENING,
    FIRST,
    KIM,
    NOON,
    SECOND,
    TWO_TABLES,
    Directing,
    DrawByHand,
    begun,
    one_round,
    refusal,
    scores,
)


def test_the_unseeded_are_ranked_by_the_first_draws_lot() -> None:
    directing = Directing(FORMATS["knockout"])
    for number, rank in ((1, None), (2, 2), (3, None), (4, 1)):
        directing.give(Enter(Entrant(number, f"P{number}", seed_rank=rank)))
    ranked = seeding(directing.state, 5)
    assert ranked[:2] == (4, 2)
    directing.give(DrawRound(5))
    assert seeding(directing.state, 6) == ranked


def test_rounds_follow_one_another() -> None:
    directing = Directing(EVENING, 8)
    assert "draw round 1 first" in refusal(directing.state, StartRound())
    directing.give(DrawByHand(TWO_TABLES, **KIM))
    report = ReportResult(1, 1, 1, scores(FIRST))
    assert "Round 1 is not closed" in refusal(directing.state, DrawRound(2))
    assert "has not begun: start it first" in refusal(directing.state, CloseRound())
    assert "is not being played" in refusal(directing.state, report)
    directing.give(StartRound())
    assert "is being played already" in refusal(directing.state, StartRound())
    assert "Games reported by table 1: 0 of 1." in refusal(directing.state, CloseRound())
    directing.report(1, FIRST).report(2, SECOND).give(CloseRound())
    assert "Round 1 is closed: draw the next one" in refusal(directing.state, CloseRound())
    assert "is not being played" in refusal(directing.state, report)


def test_a_bracket_gives_accessible_tables_to_who_needs_them() -> None:
    form = replace(FORMATS["knockout"], accessible_tables=(7,))
    directing = Directing(form)
    for number in range(1, 9):
        needs = number in {3, 6}
        entrant = Entrant(number, f"P{number}", "", number, needs_accessible_table=needs)
        directing.give(Enter(entrant))
    directing.give(DrawRound(1))
    assert {table.number: set(table.seats) for table in directing.round.draw.tables} == {
        1: {1, 8},
        2: {4, 5},
        3: {2, 7},
        7: {3, 6},
    }
    directing.give(UndoRound(**KIM))
    needing = Entrant(1, "P1", "", 1, needs_accessible_table=True)
    directing.give(Replace(needing, **KIM))
    assert "needed: 2, marked: 1; mark more" in refusal(directing.state, DrawRound(1))


def test_who_finds_no_seat_has_a_bye() -> None:
    """Five at tables of four, short ones of three: one sits out, another one the next time."""
    directing = Directing(replace(EVENING, bye=3), 5)
    out = set()
    for number in (1, 2):
        directing.give(DrawRound(number))
        directing.play_each(lambda _, at: -1 if at else 3)
        out |= set(directing.round.draw.byes)
    assert len(out) == 2
    assert sum(row.values[0] for row in standings_of(directing.state).rows) == 6


def test_too_few_cannot_be_drawn() -> None:
    assert "Only 2 are there" in refusal(Directing(EVENING, 2).state, DrawRound(1))


def test_the_tables_of_an_open_round_are_changed() -> None:
    """Who sits where and at how many tables, until a table has a result and the round is closed."""
    directing = begun()
    draw = Draw.parse("1: 1 2 | 2: 5 6 7 8 | 3: 3 4")
    directing.give(ChangeTables(draw, **KIM))
    assert directing.round.draw == draw
    assert directing.round.phase == "running"
    for nonsense, fault in (
        ("1: 1 2 3 4 5 6 7 | 2: 8", "Table 1 is full"),
        ("1: 1 2 3 | 2: 5 6 7 8 | 3: 4", "sits alone at table 3"),
        ("1: 1 2 | 2: 5 6 7 8", "keeps one place"),
        ("1: 1 2 | 2: 5 6 7 8 | 3: 3 4 9", "keeps one place"),
    ):
        assert fault in refusal(directing.state, ChangeTables(Draw.parse(nonsense), **KIM))
    merged = draw.dissolved(3, 6)
    assert str(merged) == "1: 1 2 3 4 | 2: 5 6 7 8"
    directing.report(1, "1 1, 2 -1")
    assert "has a result already" in refusal(directing.state, ChangeTables(merged, **KIM))
    assert [
        each.number for each in marked_tables(directing.state, directing.round) if each.fixed
    ] == [1]
    merged = draw.dissolved(3, 6, kept=(1,))
    directing.give(ChangeTables(merged, **KIM))
    assert str(directing.round.draw) == "1: 1 2 | 2: 5 6 7 8 3 4"
    directing.report(2, "5 5, 6 -1, 7 -1, 8 -1, 3 -1, 4 -1").give(CloseRound())
    assert "is closed" in refusal(directing.state, ChangeTables(draw, **KIM))


def test_a_place_is_lost_by_who_has_gone_and_won_by_who_came() -> None:
    """Of a draw that is made already; what was done can be undone."""
    directing = one_round().give(ProposeRound(7))
    directing.give(Withdraw(3, **KIM), EnterLate(Entrant(9, "Nine"), **KIM))
    draw = proposed(directing.state)
    for fault in (draw.moved([4], OUT), draw.moved([77], 1)):
        assert "keeps one place" in refusal(directing.state, ChangeProposed(2, fault))
    (late,) = unseated(directing.state, draw)
    directing.give(ChangeProposed(2, draw.swapped(3, late)))
    assert set(proposed(directing.state).entrants) == {1, 2, 4, 5, 6, 7, 8, 9}
    directing.give(ChangeProposed(2, draw))
    assert proposed(directing.state) == draw


def test_undo_takes_rounds_back_one_by_one() -> None:
    directing = one_round().give(DrawRound(1), UndoRound(**KIM), UndoRound(**KIM))
    assert directing.state.rounds == ()
    assert "draw round 1 first" in refusal(directing.state, UndoRound(**KIM))


def test_undo_takes_the_cut_back_that_followed() -> None:
    form = replace(EVENING, rounds=1, stages=(Stage("Final", 4, games=1),))
    directing = one_round(form).give(PlayOff((1, 5), **KIM), Cut(), DrawRound(2))
    assert (directing.state.stage, directing.round.stage) == (1, 1)
    directing.give(UndoRound(**KIM))
    assert directing.state.stage == 1
    directing.give(UndoRound(**KIM))
    assert (directing.state.stage, directing.state.decisions) == (0, ())


def test_more_or_fewer_rounds_may_be_planned() -> None:
    directing = one_round(replace(EVENING, rounds=1))
    assert "plan more rounds" in refusal(directing.state, DrawRound(1))
    directing.give(Replan(2, **KIM), DrawRound(1))
    assert directing.state.format.rounds == 2
    assert "Plan 2 to 100" in refusal(directing.state, Replan(1, **KIM))
    knockout = Directing(FORMATS["knockout"], 4)
    assert "is settled" in refusal(knockout.state, Replan(2, **KIM))


def test_a_league_may_plan_other_rounds_from_a_meeting_on() -> None:
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


def test_tables_by_standing_from_a_round_on() -> None:
    form = replace(EVENING, by_standing_from=2, seating="blocks")
    directing = one_round(form).give(DrawRound(1))
    assert [set(table.seats) for table in directing.round.draw.tables] == [
        {1, 5, 6, 7},
        {8, 2, 3, 4},
    ]


def test_a_drawn_knockout_match_goes_on() -> None:
    form = replace(FORMATS["knockout"], games=1)
    directing = Directing(form, 2).give(DrawRound(1), StartRound()).report(1, "1 5, 2 5")
    assert "play another game and report it as 2" in refusal(directing.state, CloseRound())
    directing.report(1, "1 5, 2 6").give(CloseRound())
    assert directing.places == [(1, 2), (2, 1)]
    assert "last match is played" in refusal(directing.state, DrawRound(2))


def test_a_corrected_knockout_result_has_the_right_ones_meet() -> None:
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
    directing = Directing(FORMATS["round-robin"], 4)
    met = set()
    for number in range(3):
        directing.give(DrawRound(number))
        met |= {frozenset(table.seats) for table in directing.round.draw.tables}
        directing.play_each(lambda seat, _: seat)
    assert len(met) == 6
    assert "met everyone" in refusal(directing.state, DrawRound(4))
    assert [entrant for _, entrant in directing.places] == [4, 3, 2, 1]


DUELS = replace(FORMATS["yahtzee-duel-swiss"], games=1)


def proposed(state: Tournament) -> Draw:
    """The draw that is proposed."""
    assert state.proposed is not None
    return state.proposed.round.draw


def test_a_published_proposal_is_the_round_that_a_draw_would_be() -> None:
    """Looking first changes nothing: the same seed gives the same round."""
    at_once = one_round().give(DrawRound(7)).state
    looked_at = one_round().give(ProposeRound(7))
    assert looked_at.state.rounds == one_round().state.rounds
    assert looked_at.give(PublishRound(2)).state.rounds == at_once.rounds
    assert looked_at.state.proposed is None


def test_every_event_of_a_proposal_is_kept_and_told() -> None:
    directing = one_round().give(ProposeRound(7))
    draw = proposed(directing.state)
    one, other = draw.tables[0].seats[0], draw.tables[1].seats[0]
    directing.give(
        ChangeProposed(2, draw.swapped(one, other), "cousins"),
        ChangeProposed(2, draw.moved([one], BYE)),
        PlanPublishing(2, NOON + timedelta(minutes=5)),
        PlanPublishing(2, None),
        PublishRound(2),
        UndoRound(**KIM),
        ProposeRound(8),
        ProposeRound(9),
    )
    state, told = directing.start, []
    for event in directing.events:
        assert CODEC.event(CODEC.document(event)) == event
        state = evolve(state, event)
        told.append(str(describe(state, event)))
    assert state == directing.state
    sentences = "\n".join(told)
    assert "“cousins”" in sentences
    assert "A draw of round 2 was proposed, with seed 7." in sentences
    assert "The draw of round 2 is not published by itself." in sentences
    assert "The draw of round 2 was published." in sentences


def test_changes_are_undone_one_after_another() -> None:
    directing = one_round().give(ProposeRound(7))
    first = proposed(directing.state)
    draws = [first]
    for one, other in pairwise((1, 5, 2, 6)):
        draws.append(draws[-1].swapped(one, other))
        directing.give(ChangeProposed(2, draws[-1]))
    for before in reversed(draws[:-1]):
        assert directing.state.proposed is not None
        assert directing.state.proposed.earlier[-1] == before
        directing.give(ChangeProposed(2, before))
    assert directing.state.proposed is not None
    assert directing.state.proposed.earlier == ()
    assert proposed(directing.give(ChangeProposed(2, first)).state) == first


def test_what_moves_in_a_draw() -> None:
    draw = Draw.parse("1: 1 2 | 2: 3 4 | bye 5")
    assert draw.swapped(1, 4) == Draw.parse("1: 4 2 | 2: 3 1 | bye 5")
    assert draw.swapped(2, 5) == Draw.parse("1: 1 5 | 2: 3 4 | bye 2")
    assert draw.swapped(1, 2) == Draw.parse("1: 2 1 | 2: 3 4 | bye 5")
    assert draw.moved([1], 2) == Draw.parse("1: 2 | 2: 3 4 1 | bye 5")
    assert draw.moved([2], BYE).moved([1], 9) == Draw.parse("2: 3 4 | 9: 1 | bye 5 2")
    assert draw.moved([2, 5], OUT) == Draw.parse("1: 1 | 2: 3 4")
    assert draw.dissolved(1, 6) == Draw.parse("2: 3 4 1 2 | bye 5")
    assert draw.dissolved(2, 2) == Draw.parse("1: 1 2 | bye 5 3 4")


def test_a_proposal_cannot_be_changed_into_nonsense() -> None:
    directing = one_round().give(ProposeRound(7))
    draw = proposed(directing.state)
    assert "No draw of round 1 is proposed" in refusal(directing.state, PublishRound(1))
    strangers = Draw((draw.tables[0],))
    assert "keeps one place" in refusal(directing.state, ChangeProposed(2, strangers))
    lone = draw
    for each in draw.tables[0].seats[1:]:
        lone = lone.moved([each], BYE)
    planned = decide(directing.state, PlanPublishing(2, NOON))
    at_noon = evolve(directing.state, planned[0])
    assert "sits alone" in refusal(at_noon, ChangeProposed(2, lone))
    directing.give(ChangeProposed(2, lone))
    assert "sits alone at table 1" in refusal(directing.state, PublishRound(2))
    assert "sits alone" in refusal(directing.state, PlanPublishing(2, NOON))


@pytest.mark.parametrize("otherwise", [UndoRound(**KIM), DrawRound(1), Finish()])
def test_a_proposal_goes_when_another_round_is_due(otherwise: Command) -> None:
    """Undone, drawn at once, or ended: what was proposed does not come back."""
    directing = one_round().give(ProposeRound(7), otherwise)
    assert directing.state.proposed is None


def test_a_duel_is_of_two_and_a_bracket_follows_its_seeds() -> None:
    duels = Directing(DUELS, 4).give(ProposeRound(1))
    assert "is full" in refusal(duels.state, ChangeProposed(1, Draw.parse("1: 1 2 3 | 2: 4")))
    bracket = Directing(FORMATS["knockout"], 4).give(ProposeRound(1))
    swapped = proposed(bracket.state).swapped(1, 2)
    assert "follows from the seeds" in refusal(bracket.state, ChangeProposed(1, swapped))
    assert bracket.give(PublishRound(1), StartRound()).round.phase == "running"


def test_a_correction_marks_the_proposal_too() -> None:
    """A draw from results that were corrected since is marked, proposed or not."""
    form = replace(EVENING, by_standing_from=2, seating="blocks")
    directing = one_round(form).give(ProposeRound(7))
    directing.give(CorrectResult(1, 1, 1, scores("1 30, 2 -10, 3 -10, 4 -10"), **KIM))
    assert directing.state.proposed is not None
    assert directing.state.proposed.round.corrected_before == (1,)


def marks(form: TournamentFormat, draw: str, *entrants: Entrant) -> dict[int, list[str]]:
    """What is said of each table of a second round, after 1-2, 3-4 and a bye of 5."""
    directing = Directing(form)
    directing.give(*map(Enter, entrants))
    directing.play_by_hand("1: 1 2 | 2: 3 4 | bye 5", {1: "1 10, 2 5", 2: "3 10, 4 5"})
    directing.give(Withdraw(4, **KIM), EnterLate(Entrant(6, "Fay"), **KIM))
    parsed, past = Draw.parse(draw), before_round(directing.state, 2)
    assert unseated(directing.state, parsed) == (6,)
    return {
        each.number: list(map(str, (*each.problems, *(m for s in each.seats for m in past[s]))))
        for each in marked_tables(directing.state, Round(2, parsed, 1))[:-1]
    }


def test_each_table_says_what_a_director_looks_for() -> None:
    entrants = (
        Entrant(1, "Ann", club="Almere"),
        Entrant(2, "Bob", club="Almere", table=3),
        Entrant(3, "Cem", team="Reds", needs_accessible_table=True),
        Entrant(4, "Dee", team="REDS"),
        Entrant(5, "Eva"),
    )
    found = marks(DUELS, "1: 1 2 | 2: 3 4 | bye 5", *entrants)
    assert found == {
        1: [
            "Ann, Bob met before: round 1.",
            "Ann, Bob are of one club: Almere.",
            "Bob always sits at table 3.",
            "points: 2",
            "points: 0",
        ],
        2: [
            "Cem, Dee met before: round 1.",
            "Cem, Dee are of one team: Reds.",
            "Cem needs a table with step-free access.",
            "Dee has dropped out.",
            "points: 2",
            "points: 0",
        ],
        0: ["Eva had a bye before.", "points: 2", "bye in 1"],
    }
    lone = marks(DUELS, "1: 3 1 | 3: 2 | bye 5 4", *entrants)[3]
    assert lone == ["Nobody plays here with Bob.", "points: 0"]


def test_floats_are_shown_to_who_pairs_by_score() -> None:
    directing = Directing(DUELS, 3)
    directing.play_by_hand("1: 1 2 | bye 3", {1: "1 10, 2 5"})
    directing.play_by_hand("1: 2 3 | bye 1", {1: "2 10, 3 5"})
    past = before_round(directing.state, 3)
    assert [list(map(str, past[each])) for each in (1, 3, 2)] == [
        ["seed 1", "points: 4", "bye in 2"],
        ["seed 3", "points: 2", "bye in 1", "down in 2"],
        ["seed 2", "points: 2", "up in 2"],
    ]


def test_what_is_gone_cannot_be_changed() -> None:
    assert "look again" in refusal(one_round().state, PlanPublishing(2, None))
