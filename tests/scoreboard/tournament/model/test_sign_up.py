"""Players who sign up by themselves: places, the waiting list, and who moves up."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoreboard.tournament.model.authority import CommandRefusedError
from scoreboard.tournament.model.entrant import Entrant
from scoreboard.tournament.model.entries import (
    DeleteEntry,
    Enter,
    Replace,
    Return,
    Withdraw,
)
from scoreboard.tournament.model.entry_list import read_entries
from scoreboard.tournament.model.formats import FORMATS
from scoreboard.tournament.model.proposed_draw import ProposeRound
from scoreboard.tournament.model.rounds import DrawRound
from scoreboard.tournament.model.sign_up import (
    SetSignUp,
    SignUp,
    free_places,
    moved_up,
    takes_sign_ups,
)
from scoreboard.tournament.model.tournament import (
    Command,
    SignUpSet,
    carried_out,
    describe,
    evolve,
    opened,
)
from scoreboard.tournament.model.tournament_transcript import CODEC
from tests.scoreboard.tournament.model.directing import EVENING, KIM, Directing, refusal

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
    """In the order of the sign-up, whatever made the place free; each step has its sentence."""
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
    """The link of a number that was deleted opens nobody else's page."""
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
    """A proposed draw too; unless the director keeps it open where late entries can be drawn."""
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
    """Before it is opened nobody signs up; the places are counted."""
    state = opened("A", EVENING)
    assert "The sign-up is closed" in refusal(state, signs_up("Ada"))
    assert free_places(state) is None
    assert free_places(carried_out(state, OPEN)) == 4


@given(st.lists(st.sampled_from([*"abcdefgh", *"12345678"]), max_size=30))
def test_no_place_is_free_while_somebody_waits(steps: list[str]) -> None:
    """Whoever signs up and drops out, in any order; and nobody stands on both lists."""
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
