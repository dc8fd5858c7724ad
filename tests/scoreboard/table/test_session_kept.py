"""Dice kept at the table, from the photograph to the record."""

from __future__ import annotations

import pytest

from scoreboard.dice import Roll
from scoreboard.games.dice.acts import DiceKept, DiceRolled
from tests.scoreboard.table.fakes import Table, reading


@pytest.fixture
def table() -> Table:
    """The first roll 12555 is recorded; its dice lie at the places 0 to 4, the fives at 0 to 2."""
    table = Table()
    table.open()
    table.show(reading("55521"))
    table.reroll()
    return table


def test_how_many_dice_must_be_seen_is_told_while_none_can_be_kept() -> None:
    """After the first roll those kept may stay in the picture or leave it: nobody knows."""
    table = Table()
    told = [table.view.rolled_dice]
    table.open()
    told.append(table.view.rolled_dice)
    table.show(reading("55521"))
    told.append(table.view.rolled_dice)
    table.reroll()
    told.append(table.view.rolled_dice)
    assert told == [None, 5, 5, None]


def kept(table: Table) -> str:
    return "".join(str(die.face) for die in table.view.last_roll if die.kept)


def recorded(table: Table) -> list[tuple[str, str]]:
    names = {DiceKept: "keep", DiceRolled: "roll"}
    return [
        (names[type(event)], str(event.roll))
        for event in table.events[1:]
        if isinstance(event, DiceKept | DiceRolled)
    ]


def test_dice_that_stayed_are_proposed_as_kept(table: Table) -> None:
    table.show(reading("55536", [0, 1, 2, 8, 9]))
    assert kept(table) == "555"
    assert [die.kept for die in table.proposal.dice] == [True, True, True, False, False]
    table.reroll()
    assert recorded(table) == [("keep", "555"), ("roll", "35556")]


def test_dice_pushed_aside_are_not_known_as_kept(table: Table) -> None:
    table.roll("55536")
    table.reroll()
    assert recorded(table) == [("roll", "35556")]


def test_dice_on_the_holder_are_asked_for_and_tapped(table: Table) -> None:
    table.roll("36")
    assert "Only 2 of 5 dice so far. Tap the dice you kept." in map(str, table.proposal.doubts)
    assert table.reroll().verdict == "refused"
    fives = [index for index, die in enumerate(table.view.last_roll) if die.face == 5]
    table.mark(*fives)
    assert kept(table) == "555"
    assert table.proposal.roll == Roll.parse("35556")
    table.reroll()
    assert recorded(table) == [("keep", "555"), ("roll", "35556")]
    assert kept(table) == ""


def test_a_tap_corrects_what_places_propose(table: Table) -> None:
    """One of the unmoved fives was rolled again and fell just there: a tap says so."""
    table.show(reading("55536", [0, 1, 2, 8, 9]))
    five = next(index for index, die in enumerate(table.view.last_roll) if die.kept)
    table.mark(five, kept=False)
    assert kept(table) == "55"
    table.reroll()
    assert recorded(table) == [("keep", "55"), ("roll", "35556")]


def test_the_announcement_on_the_page_completes_the_roll(table: Table) -> None:
    table.roll("36")
    table.choose("keep", "555")
    assert table.view.proposal is not None
    assert kept(table) == "555"
    table.reroll()
    assert recorded(table) == [("keep", "555"), ("roll", "35556")]


def test_taps_change_an_announcement(table: Table) -> None:
    """Plans may change (YZ-4): what is tapped last is recorded."""
    table.choose("keep", "555")
    table.mark(4, kept=False)
    table.roll("366")
    table.reroll()
    assert recorded(table) == [("keep", "555"), ("keep", "55"), ("roll", "35566")]


def test_a_corrected_roll_keeps_its_places(table: Table) -> None:
    table.choose("correct", "55531")
    table.show(reading("55566", [0, 1, 2, 8, 9]))
    table.reroll()
    assert table.events[2:] == [DiceKept(Roll.parse("555")), DiceRolled(Roll.parse("55566"))]


def test_marks_end_with_their_roll(table: Table) -> None:
    table.mark(2, 3, 4)
    table.undo()
    table.show(reading("55521"))
    table.reroll()
    assert kept(table) == ""


@pytest.mark.parametrize("die", [5, -1])
def test_a_die_that_is_none_cannot_be_marked(table: Table, die: int) -> None:
    assert table.mark(die).verdict == "refused"


def test_a_mark_made_twice_is_one(table: Table) -> None:
    table.mark(2)
    assert table.mark(2).verdict == "unchanged"


def test_before_a_roll_and_after_rolling_nothing_is_kept(table: Table) -> None:
    table.roll("11111")
    table.keep()
    assert table.mark(0).verdict == "refused"
    table.keep()
    assert table.view.player == "South"
    assert table.mark(0).verdict == "refused"


def test_after_a_restart_dice_are_marked_by_hand() -> None:
    """Where dice lay is forgotten; their values are not, and marks complete the roll."""
    before = Table()
    before.open()
    before.show(reading("55521"))
    before.reroll()
    table = Table(before.store)
    table.session.resume_newest()
    table.clock.advance(1)
    assert [die.face for die in table.view.last_roll] == [1, 2, 5, 5, 5]
    table.mark(2, 3, 4)
    table.roll("36")
    table.reroll()
    assert recorded(table) == [("keep", "555"), ("roll", "35556")]
