"""Players who sign up by themselves: places, the waiting list, and who moves up."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoreboard.tournament.model.entrant import Entrant
from scoreboard.tournament.model.entries import (
    CorrectEntry,
    DeleteEntry,
    Enter,
    Replace,
    Return,
    Withdraw,
)
from scoreboard.tournament.model.event_json import event_document, event_from_document
from scoreboard.tournament.model.formats import FORMATS
from scoreboard.tournament.model.proposed_draw import ProposeRound
from scoreboard.tournament.model.rounds import DrawRound
from scoreboard.tournament.model.sign_up import (
    CancelSignUp,
    SetSignUp,
    SignUp,
    free_places,
    moved_up,
    takes_sign_ups,
)
from scoreboard.tournament.model.tournament import Command, carried_out, describe, evolve, opened
from tests.scoreboard.tournament.model.directing import EVENING, KIM, Directing, refusal

NOW = KIM["at"]
OPEN = SetSignUp(is_open=True, places=4, fee="5 €, at the door", late=False)


def signs_up(name: str) -> SignUp:
    """Somebody signs up."""
    return SignUp(Entrant(1, name), NOW)


def follow_up(directing: Directing, *commands: Command) -> list[str]:
    """Give commands as the hub does, those who move up after each; what is told of it."""
    lines = []
    for command in commands:
        for decided in (command.decide, moved_up):
            for event in decided(directing.state):
                assert event_from_document(event_document(event)) == event
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
        CancelSignUp("Bo"),
        replace(OPEN, places=0, is_open=False),
    ) == [
        "The sign-up was opened for 4 places.",
        "Ada signed up as 3.",
        "Bo signed up as 4.",
        "Cy signed up, place 1 on the waiting list.",
        "Di signed up, place 2 on the waiting list.",
        "Ed signed up, place 3 on the waiting list.",
        "Flo signed up, place 4 on the waiting list.",
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
    follow_up(directing, DeleteEntry(8), Return(1, **KIM))
    assert directing.state.moved_up == {5, 6, 7}
    assert directing.state.present == (1, 3, 5, 6, 7)
    assert str(describe(directing.state, *replace(OPEN, places=0).decide(directing.state))) == (
        "The sign-up was opened, without a limit."
    )


def test_nobody_signs_up_twice_or_under_somebody_s_former_spelling() -> None:
    """The name on the list, on the waiting list, or as an entry was spelled once."""
    directing = Directing(EVENING, 2)
    follow_up(directing, OPEN, signs_up("Ada"), signs_up("Bo"), signs_up("Cy"))
    follow_up(directing, CorrectEntry(Entrant(3, "Ada B"), **KIM))
    for name in ("player 1", "ADA", "Ada B", "cy"):
        assert "has signed up already" in refusal(directing.state, signs_up(name))


def test_the_director_takes_somebody_in_or_off() -> None:
    """Under the same name they wait no more; a replacement of that name doesn't either."""
    directing = Directing(EVENING, 4)
    names = ("Ada", "Bo", "Cy", "Di")
    follow_up(directing, OPEN, *map(signs_up, names))
    follow_up(directing, Enter(Entrant(9, "ada")), CancelSignUp("bo"))
    assert waiting(directing) == ["Cy", "Di"]
    follow_up(directing, Replace(Entrant(1, "Cy"), **KIM))
    assert waiting(directing) == ["Di"]
    assert "tell the director" in refusal(directing.state, CancelSignUp("Zoe"))


def test_a_link_does_not_outlive_its_sign_up() -> None:
    """Who was taken off, deleted or replaced has none, and a later one of the name their own."""
    directing = Directing(EVENING, 3)
    follow_up(directing, OPEN, *map(signs_up, ("Ada", "Bo", "Cy")))
    assert [*directing.state.signed_up] == ["Ada", "Bo", "Cy"]
    follow_up(directing, CancelSignUp("Bo"), Replace(Entrant(4, "Zoe"), **KIM))
    assert [*directing.state.signed_up] == ["Cy"]
    follow_up(directing, CancelSignUp("Cy"))
    assert not directing.state.signed_up


@pytest.mark.parametrize(
    ("late", "system", "before", "after"),
    [
        (False, "club-evening", False, False),
        (True, "club-evening", True, True),
        (True, "round-robin", False, False),
    ],
)
def test_the_draw_closes_it(late: bool, system: str, before: bool, after: bool) -> None:  # noqa: FBT001 -- rows of a table
    """A proposed draw too; unless the director keeps it open where late entries can be drawn."""
    directing = Directing(FORMATS[system], 4)
    follow_up(directing, replace(OPEN, late=late), signs_up("Ada"))
    assert takes_sign_ups(directing.state)
    follow_up(directing, ProposeRound(1))
    assert takes_sign_ups(directing.state) is before
    follow_up(directing, DrawRound(1))
    assert takes_sign_ups(directing.state) is after
    if after:
        follow_up(directing, Withdraw(1, **KIM), signs_up("Bo"))
        assert waiting(directing) == ["Ada", "Bo"]  # after the draw nobody moves up by itself
    else:
        assert "The sign-up is closed" in refusal(directing.state, signs_up("Bo"))


def test_what_a_sign_up_may_say() -> None:
    """Before it is opened nobody signs up; the places are counted."""
    state = opened("A", EVENING)
    assert "The sign-up is closed" in refusal(state, signs_up("Ada"))
    assert "Give the event 1 to 999999 places" in refusal(state, replace(OPEN, places=-1))
    assert free_places(state) is None
    assert free_places(carried_out(state, OPEN)) == 4


@given(st.lists(st.sampled_from([*"abcdefgh", *"12345678"]), max_size=30))
def test_no_place_is_free_while_somebody_waits(steps: list[str]) -> None:
    """Whoever signs up and drops out, in any order; and nobody stands on both lists."""
    directing = Directing(EVENING, 2)
    follow_up(directing, OPEN)
    for step in steps:
        command: Command = DeleteEntry(int(step)) if step.isdecimal() else signs_up(step)
        if step.isdecimal() and directing.state.entrant(int(step)) is None:
            continue
        if step in directing.state.signed_up:
            command = CancelSignUp(step)
        follow_up(directing, command)
        assert not (directing.state.waiting and free_places(directing.state))
        assert not {*directing.state.names.values()} & {*waiting(directing)}
