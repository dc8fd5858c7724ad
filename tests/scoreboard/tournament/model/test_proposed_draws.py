"""Proposed draws: marked, changed, undone, published; nothing else of the event knows of them."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from itertools import pairwise

import pytest

from scoreboard.tournament.model.draw import Draw
from scoreboard.tournament.model.draw_marks import marked_tables, missing
from scoreboard.tournament.model.entrant import Entrant
from scoreboard.tournament.model.entries import Enter, EnterLate, Withdraw
from scoreboard.tournament.model.formats import FORMATS
from scoreboard.tournament.model.proposed_draw import (
    ChangeProposed,
    PlanPublishing,
    ProposeRound,
    PublishRound,
)
from scoreboard.tournament.model.results import CorrectResult
from scoreboard.tournament.model.rounds import DrawRound, StartRound, UndoRound
from scoreboard.tournament.model.stages import Finish
from scoreboard.tournament.model.tournament import Command, Tournament, decide, describe, evolve
from scoreboard.tournament.model.tournament_format import TournamentFormat
from scoreboard.tournament.model.tournament_transcript import CODEC
from tests.scoreboard.tournament.model.directing import (
    EVENING,
    KIM,
    NOON,
    Directing,
    one_round,
    refusal,
    scores,
)

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
    """Each is written, read back, and said in a sentence."""
    directing = one_round().give(ProposeRound(7))
    draw = proposed(directing.state)
    one, other = draw.tables[0].seats[0], draw.tables[1].seats[0]
    directing.give(
        ChangeProposed(2, draw.swapped(one, other), "cousins"),
        ChangeProposed(2, draw.moved(one, 0)),
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
    """Back through all draws to the first; a swap back is an undo, too."""
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
    """Two trade places, byes included; one moves to a table, a new one, or a bye."""
    draw = Draw.parse("1: 1 2 | 2: 3 4 | bye 5")
    assert draw.swapped(1, 4) == Draw.parse("1: 4 2 | 2: 3 1 | bye 5")
    assert draw.swapped(2, 5) == Draw.parse("1: 1 5 | 2: 3 4 | bye 2")
    assert draw.swapped(1, 2) == Draw.parse("1: 2 1 | 2: 3 4 | bye 5")
    assert draw.moved(1, 2) == Draw.parse("1: 2 | 2: 3 4 1 | bye 5")
    assert draw.moved(2, 0).moved(1, 9) == Draw.parse("2: 3 4 | 9: 1 | bye 5 2")


def test_a_proposal_cannot_be_changed_into_nonsense() -> None:
    """Everybody keeps one place; nobody is published alone, or planned to be."""
    directing = one_round().give(ProposeRound(7))
    draw = proposed(directing.state)
    assert "No draw of round 1 is proposed" in refusal(directing.state, PublishRound(1))
    strangers = Draw((draw.tables[0],))
    assert "keeps one place" in refusal(directing.state, ChangeProposed(2, strangers))
    lone = draw
    for each in draw.tables[0].seats[1:]:
        lone = lone.moved(each, 0)
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
    """Nobody is moved into a pair, and a knockout's pairs are not swapped."""
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
    parsed = Draw.parse(draw)
    assert missing(directing.state, parsed) == ("Fay",)
    return {
        each.number: list(map(str, (*each.problems, *(m for s in each.seats for m in s.past))))
        for each in marked_tables(directing.state, parsed)
    }


def test_each_table_says_what_a_director_looks_for() -> None:
    """Met before, one club, a second bye, floats, step-free access, a fixed table, a drop-out."""
    entrants = (
        Entrant(1, "Ann", club="Almere"),
        Entrant(2, "Bob", club="Almere", table=3),
        Entrant(3, "Cem", needs_accessible_table=True),
        Entrant(4, "Dee"),
        Entrant(5, "Eva"),
    )
    found = marks(DUELS, "1: 1 2 | 2: 3 4 | bye 5", *entrants)
    assert found == {
        1: [
            "Ann, Bob met before: round 1.",
            "Ann, Bob are of one club: Almere.",
            "Bob always sits at table 3.",
        ],
        2: [
            "Cem, Dee met before: round 1.",
            "Cem needs a table with step-free access.",
            "Dee has dropped out.",
        ],
        0: ["Eva had a bye before.", "bye in 1"],
    }
    assert marks(DUELS, "1: 3 1 | 3: 2 | bye 5 4", *entrants)[3] == ["Nobody plays here with Bob."]


def test_floats_are_shown_to_who_pairs_by_score() -> None:
    """Down is who met fewer points or nobody, up who met more."""
    directing = Directing(DUELS, 3)
    directing.play_by_hand("1: 1 2 | bye 3", {1: "1 10, 2 5"})
    directing.play_by_hand("1: 2 3 | bye 1", {1: "2 10, 3 5"})
    shown = marked_tables(directing.state, Draw.parse("1: 1 3 | bye 2"))
    assert [[str(each) for each in seat.past] for table in shown for seat in table.seats] == [
        ["bye in 2"],
        ["bye in 1", "down in 2"],
        ["up in 2"],
    ]


def test_what_is_gone_cannot_be_changed() -> None:
    """A second director has published it, or drawn the round otherwise."""
    assert "look again" in refusal(one_round().state, PlanPublishing(2, None))
