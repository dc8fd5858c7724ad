"""Entries: late ones, dropping out, coming back, replacements and corrections."""

from __future__ import annotations

from dataclasses import replace

from scoreboard.tournament.model.draw import Draw
from scoreboard.tournament.model.entrant import Entrant
from scoreboard.tournament.model.entries import (
    CorrectEntry,
    DeleteEntry,
    Enter,
    EnterLate,
    Replace,
    Return,
    Withdraw,
    replacement_message,
)
from scoreboard.tournament.model.formats import FORMATS
from scoreboard.tournament.model.rounds import DrawByHand, DrawRound, UndoRound
from scoreboard.tournament.model.standings import standings_of
from tests.scoreboard.tournament.model.directing import EVENING, KIM, Directing, one_round, refusal


def test_entries_before_and_after_the_first_draw() -> None:
    """Early ones without ado, late ones with who, when and why."""
    directing = Directing(EVENING, 3)
    assert "taken: take 4" in refusal(directing.state, Enter(Entrant(2, "Zoe")))
    assert "tell them apart" in refusal(directing.state, Enter(Entrant(4, "player 2")))
    late = EnterLate(Entrant(4, "Zoe"), **KIM)
    assert "ordinary entry" in refusal(directing.state, late)
    directing.give(DrawRound(1))
    assert "late entry" in refusal(directing.state, Enter(Entrant(4, "Zoe")))
    directing.give(late)
    assert directing.state.present == (1, 2, 3, 4)
    attributed: tuple[object, ...] = (directing.events[-1],)
    assert directing.state.amendments == attributed


def test_who_comes_late_is_in_the_next_draw_and_has_missed_rounds() -> None:
    """What a missed round counts is settled in the format."""
    directing = one_round(replace(EVENING, missed_round=-7))
    directing.give(EnterLate(Entrant(9, "Zoe"), **KIM), DrawRound(1))
    assert 9 in directing.round.draw.entrants
    assert standings_of(directing.state).of(9).values == (-7,)


def test_dropping_out_and_coming_back() -> None:
    """Results stay; the draws to come leave them out until they return."""
    directing = one_round()
    directing.give(Withdraw(1, **KIM))
    assert "has dropped out already" in refusal(directing.state, Withdraw(1, **KIM))
    assert "has not dropped out" in refusal(directing.state, Return(2, **KIM))
    assert "Nobody has the entry number 99" in refusal(directing.state, Withdraw(99, **KIM))
    directing.give(DrawRound(1))
    assert 1 not in directing.round.draw.entrants
    assert directing.places[0] == (1, 1)
    directing.give(UndoRound(**KIM), Return(1, **KIM), DrawRound(1))
    assert 1 in directing.round.draw.entrants


def test_a_replacement_goes_on_under_the_same_number() -> None:
    """With the points won so far."""
    directing = one_round().give(Replace(Entrant(1, "Zoe"), **KIM))
    assert directing.state.names[1] == "Zoe"
    assert directing.places[0] == (1, 1)
    assert "tell them apart" in refusal(directing.state, Replace(Entrant(2, "zoe"), **KIM))


def test_fixed_schedules_take_no_late_entries() -> None:
    """Nor a draw by hand, nor another seed for who has one."""
    for name in ("knockout", "round-robin"):
        directing = Directing(FORMATS[name], 4).give(DrawRound(1))
        assert "is fixed" in refusal(directing.state, EnterLate(Entrant(5, "Zoe"), **KIM))
        assert "seed" in refusal(directing.state, Replace(Entrant(1, "Zoe", seed_rank=3), **KIM))
        directing.give(UndoRound(**KIM))
        by_hand = DrawByHand(Draw.parse("1: 1 2 | 2: 3 4"), **KIM)
        assert "laid down" in refusal(directing.state, by_hand)


def test_who_goes_on_for_somebody_holds_the_entry_from_the_coming_round_on() -> None:
    """The round that runs is theirs; what was played before stays the other's."""
    directing = one_round().give(Replace(Entrant(2, "Rita Poe"), **KIM), DrawRound(1))
    assert directing.state.names_in(1)[2] == "Player 2"
    assert directing.state.names_in(2)[2] == "Rita Poe"
    directing.give(Replace(Entrant(2, "Sam Lee"), **KIM))
    assert directing.state.names_in(2)[2] == "Sam Lee"
    assert str(replacement_message(directing.state, 2)) == "for Player 2, from round 2"
    directing.give(UndoRound(**KIM), UndoRound(**KIM))
    assert directing.state.names_in(1)[2] == "Sam Lee"
    assert replacement_message(directing.state, 2) is None


def test_a_corrected_entry_is_the_same_person() -> None:
    """Every round has the new spelling; a name that is taken is refused, and the same entry."""
    directing = one_round()
    right = CorrectEntry(Entrant(2, "Plaÿer 2", seed_rank=2), **KIM)
    directing.give(right)
    assert directing.state.names_in(1)[2] == "Plaÿer 2"
    assert directing.state.holders_of(2)[-1].entered_as == "Player 2"
    assert replacement_message(directing.state, 2) is None
    assert "nothing to correct" in refusal(directing.state, right)
    taken = CorrectEntry(Entrant(2, "player 3", seed_rank=2), **KIM)
    assert "is entry 3 already" in refusal(directing.state, taken)
    directing.give(Replace(Entrant(2, "Rita Poe", seed_rank=2), **KIM), DrawRound(1))
    directing.give(CorrectEntry(Entrant(2, "Rita Pöe", seed_rank=2), **KIM))
    assert (directing.state.names_in(1)[2], directing.state.names_in(2)[2]) == (
        "Plaÿer 2",
        "Rita Pöe",
    )


def test_an_entry_is_deleted_until_it_is_drawn() -> None:
    """Nothing but its number is left; once a draw or a schedule rests on it, it is withdrawn."""
    directing = Directing(EVENING, 4).give(Withdraw(4, **KIM))
    before = Directing(EVENING, 3).state
    directing.give(DeleteEntry(4))
    assert replace(directing.state, amendments=(), last_number=3) == before
    directing.give(DrawRound(1), EnterLate(Entrant(4, "Zoe"), **KIM))
    assert "withdraw the player instead" in refusal(directing.state, DeleteEntry(1))
    directing.give(DeleteEntry(4))
    assert directing.state.numbers == (1, 2, 3)
    robin = Directing(FORMATS["round-robin"], 4).give(DrawRound(1))
    assert "withdraw" in refusal(robin.state, DeleteEntry(4))
