"""Entries: late ones, dropping out, coming back, replacements and corrections."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoreboard.tournament.model.authority import CommandRefusedError
from scoreboard.tournament.model.draw import Draw
from scoreboard.tournament.model.entrant import Entrant
from scoreboard.tournament.model.entries import (
    CorrectEntry,
    DeleteEntry,
    Enter,
    EnterLate,
    Replace,
    Return,
    SetSignUp,
    SignUp,
    Withdraw,
    free_places,
    moved_up,
    replacement_message,
    takes_sign_ups,
)
from scoreboard.tournament.model.entry_list import read_entries
from scoreboard.tournament.model.formats import FORMATS
from scoreboard.tournament.model.proposed_draw import ChangeProposed, ProposeRound
from scoreboard.tournament.model.rounds import DrawRound, UndoRound
from scoreboard.tournament.model.standings import standings_of
from scoreboard.tournament.model.tournament import (
    Command,
    SignUpSet,
    carried_out,
    describe,
    evolve,
    opened,
)
from scoreboard.tournament.model.tournament_transcript import CODEC
from tests.scoreboard.tournament.model.directing import (
    EVENING,
    KIM,
    Directing,
    one_round,
    refusal,
)


def test_entries_before_and_after_the_first_draw() -> None:
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
    directing = one_round(replace(EVENING, missed_round=-7))
    directing.give(EnterLate(Entrant(9, "Zoe"), **KIM), DrawRound(1))
    assert 9 in directing.round.draw.entrants
    assert standings_of(directing.state).of(9).values == (-7,)


def test_dropping_out_and_coming_back() -> None:
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
        by_hand = ChangeProposed(1, Draw.parse("1: 1 2 | 2: 3 4"))
        assert "follows from the seeds" in refusal(directing.give(ProposeRound(1)).state, by_hand)


def test_who_goes_on_for_somebody_holds_the_entry_from_the_coming_round_on() -> None:
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


OPEN = SetSignUp(SignUpSet(is_open=1, places=4, fee="5 €, at the door", late=0))


def signs_up(name: str) -> SignUp:
    """Somebody signs up."""
    return SignUp(Entrant(1, name))


def follow_up(directing: Directing, *commands: Command) -> list[str]:
    """Give commands as the hub does, those who move up after each; what is told of it."""
    lines = []
    for command in commands:
        for decided in (command.decide, moved_up):
            for event in decided(directing.state):
                assert CODEC.event(CODEC.document(event)) == event
                directing.state = evolve(directing.state, event)
                lines.append(str(describe(directing.state, event)))
    return lines


def waiting(directing: Directing) -> list[str]:
    """Who waits, the first one first."""
    return [each.name for each in directing.state.waiting]


def test_places_are_taken_then_people_wait_and_move_up() -> None:
    directing = Directing(EVENING, 2)
    assert follow_up(
        directing,
        OPEN,
        signs_up("Ada"),
        signs_up("Bo"),
        signs_up("Cy"),
        signs_up("Di"),
        signs_up("Ed"),
        signs_up("Flo"),
        Withdraw(1, **KIM),
        DeleteEntry(2),
        DeleteEntry(4),
        SetSignUp(SignUpSet(is_open=0, places=0, fee="", late=0)),
    ) == [
        "The sign-up was opened; places (0: no limit): 4.",
        "Ada entered as 3.",
        "Bo entered as 4.",
        "Cy signed up, number 1 of those waiting.",
        "Di signed up, number 2 of those waiting.",
        "Ed signed up, number 3 of those waiting.",
        "Flo signed up, number 4 of those waiting.",
        "Player 1 dropped out. Kim: “as the referee saw it”",
        "Cy moved up from the waiting list, as 5.",
        "The entry of Player 2, 2, was deleted.",
        "Di moved up from the waiting list, as 6.",
        "The entry of Bo, 4, was deleted.",
        "Ed moved up from the waiting list, as 7.",
        "The sign-up was closed.",
        "Flo moved up from the waiting list, as 8.",
    ]
    assert directing.state.moved_up == {5, 6, 7, 8}
    follow_up(directing, Return(1, **KIM))
    assert directing.state.present == (1, 3, 5, 6, 7, 8)


def test_one_name_stands_on_both_lists_once() -> None:
    """Whoever enters it: a player who signs up, or the director, as an entry or a replacement."""
    directing = Directing(EVENING, 4)
    follow_up(directing, OPEN, signs_up("Ada"))
    for name in ("player 1", "ADA"):
        assert "tell them apart" in refusal(directing.state, signs_up(name))
    assert "is entry 5 already" in refusal(directing.state, Enter(Entrant(9, "ada")))
    assert "is entry 5 already" in refusal(directing.state, Replace(Entrant(1, "Ada"), **KIM))
    assert "is taken: take 6" in refusal(directing.state, Enter(Entrant(5, "Zoe")))


def test_no_number_is_given_twice() -> None:
    directing = Directing(EVENING, 3)
    follow_up(directing, OPEN, signs_up("Ada"), signs_up("Bo"), DeleteEntry(5), DeleteEntry(4))
    assert not directing.state.waiting
    follow_up(directing, signs_up("Ada"))
    assert directing.state.numbers == (1, 2, 3, 6)
    assert read_entries("name\nZoe", directing.state.entrants, 8).entrants == (Entrant(9, "Zoe"),)


@pytest.mark.parametrize(
    ("late", "system", "before", "after"),
    [
        (0, "club-evening", False, False),
        (1, "club-evening", True, True),
        (1, "round-robin", False, False),
    ],
)
def test_the_draw_closes_it(late: int, system: str, before: bool, after: bool) -> None:  # noqa: FBT001 -- rows of a table
    directing = Directing(FORMATS[system], 4)
    follow_up(
        directing, SetSignUp(SignUpSet(is_open=1, places=4, fee="", late=late)), signs_up("Ada")
    )
    assert takes_sign_ups(directing.state)
    follow_up(directing, ProposeRound(1))
    assert takes_sign_ups(directing.state) is before
    follow_up(directing, DrawRound(1))
    assert takes_sign_ups(directing.state) is after
    if after:
        follow_up(directing, Withdraw(1, **KIM), signs_up("Bo"))
        assert directing.state.numbers == (1, 2, 3, 4, 5)
        assert waiting(directing) == ["Bo"]
    else:
        assert "The sign-up is closed" in refusal(directing.state, signs_up("Bo"))


def test_what_a_sign_up_may_say() -> None:
    state = opened("A", EVENING)
    assert "The sign-up is closed" in refusal(state, signs_up("Ada"))
    assert free_places(state) is None
    assert free_places(carried_out(state, OPEN)) == 4


@given(st.lists(st.sampled_from([*"abcdefgh", *"12345678"]), max_size=30))
def test_no_place_is_free_while_somebody_waits(steps: list[str]) -> None:
    directing = Directing(EVENING, 2)
    follow_up(directing, OPEN)
    for step in steps:
        command: Command = DeleteEntry(int(step)) if step.isdecimal() else signs_up(step)
        try:
            follow_up(directing, command)
        except CommandRefusedError:
            continue
        assert not (directing.state.waiting and free_places(directing.state))
        assert not {*directing.state.names.values()} & {*waiting(directing)}
