"""Dice that show the same after REROLL: only a person knows whether they were rolled."""

from __future__ import annotations

import pytest

from scoreboard.table.button_actions import ConfirmPolicy
from scoreboard.table.requests import Action, TableStatus, TableStatusChanged
from tests.scoreboard.table.fakes import Table, reading
from tests.scoreboard.table.test_session_following import doubts, marked, rolls, table_with


@pytest.fixture
def table() -> Table:
    """The first roll 12555 is recorded, the fives at the places 0 to 2."""
    return table_with()


def moves(table: Table) -> None:
    """A hand reaches in and is gone again."""
    for status in (TableStatus.MOVING, TableStatus.STILL):
        table.session.receive(TableStatusChanged(status))


def asks(table: Table) -> bool:
    """Whether the table asks."""
    return table.view.proposal is not None and table.view.proposal.same


class TestSameDice:
    """A reroll may show the same values near the same places: only a person knows (dice S1)."""

    @pytest.fixture
    def asked(self, table: Table) -> Table:
        """The 1 was rolled again, and lies 1.2 of its sides farther, as a 1."""
        moves(table)
        table.show(reading("55521", [0, 1, 2, 3, 4.6]))
        return table

    def test_the_table_asks_whether_they_were_rolled(self, asked: Table) -> None:
        """It stands among the doubts, and both buttons say what they answer."""
        assert doubts(asked) == "Same dice as before. Rolled? KEEP = yes, REROLL = no."
        assert asks(asked)
        assert str(asked.view.keep) == "Yes, they were rolled"
        assert str(asked.view.reroll) == "No, they were not rolled"
        assert str(asked.view.undo) == "Cancel"

    def test_keep_reports_yes_and_the_roll_waits(self, asked: Table) -> None:
        """The next press records it: it counts as the second roll."""
        assert asked.keep().verdict == "done"
        assert rolls(asked) == ["12555"]
        assert doubts(asked) == ""
        asked.reroll()
        assert rolls(asked) == ["12555", "12555"]
        assert asked.rolls_made == 2

    @pytest.mark.parametrize("button", [Action.REROLL, Action.UNDO])
    def test_the_other_buttons_say_no(self, asked: Table, button: Action) -> None:
        """Nothing is taken back or recorded, and the dice are asked about no more."""
        assert asked.press(button).verdict == "done"
        assert asked.view.proposal is None
        assert rolls(asked) == ["12555"]
        assert asked.show(reading("55521", [0, 1, 2, 3, 4.6])).verdict == "unchanged"
        moves(asked)
        asked.show(reading("55536", [0, 1, 2, 9, 12]))
        asked.reroll()
        assert rolls(asked) == ["12555", "35556"]

    def test_dice_put_back_where_they_lay_are_asked_about(self, table: Table) -> None:
        """They were taken up, and lie there again: nobody saw whether they were rolled."""
        moves(table)
        table.show(reading("5552", [0, 1, 2, 3]))
        assert table.view.proposal is None
        table.show(reading("55521"))
        assert asks(table)

    def test_a_die_that_is_to_be_rolled_and_only_slid_is_asked_about(self, table: Table) -> None:
        """Also where a person said what is kept."""
        marked(table, 5, 5, 5, 2)
        table.show(reading("55521", [0, 1, 2, 3, 4.5]))
        assert asks(table)

    def test_taking_them_up_ends_the_question(self, asked: Table) -> None:
        """They were not rolled, or they would lie there."""
        asked.show(reading("5552", [0, 1, 2, 3]))
        assert asked.view.proposal is None

    def test_a_roll_that_follows_takes_the_place_of_the_question(self, asked: Table) -> None:
        """It is confirmed by one press, as ever."""
        asked.show(reading("55536", [0, 1, 2, 9, 12]))
        assert not asked.proposal.same
        asked.reroll()
        assert rolls(asked) == ["12555", "35556"]

    def test_without_reroll_nobody_is_asked(self) -> None:
        """Rolling is over, or the next player has not rolled yet."""
        table = Table()
        table.open()
        table.show(reading("55521"))
        table.keep()
        moves(table)
        table.show(reading("55521", [0.4, 1, 2, 3, 4]))
        assert table.view.proposal is None
        table.keep()
        assert table.view.player == "South"
        moves(table)
        table.show(reading("55521", [0.8, 1, 2, 3, 4]))
        assert table.view.proposal is None

    def test_a_pushed_tray_is_no_question(self, table: Table) -> None:
        """No five dice rolled again all lie the same way off."""
        moves(table)
        table.show(reading("55521", [1.5, 2.5, 3.5, 4.5, 5.5]))
        assert table.view.proposal is None

    def test_another_reading_on_demand_asks_too(self, table: Table) -> None:
        """Although nothing was seen to move: a person wants them read."""
        table.show(reading("55521"))
        assert table.view.proposal is None
        table.read_again()
        table.show(reading("55521"))
        assert asks(table)

    def test_patience_answers_no_question(self) -> None:
        """The policy that confirms without a press never says yes."""
        table = Table(policy=ConfirmPolicy(1, 0.5))
        table.open()
        table.show(reading("55521"))
        table.reroll()
        moves(table)
        table.show(reading("55521", [0, 1, 2, 3, 4.6]))
        table.clock.advance(60)
        table.tick()
        assert rolls(table) == ["12555"]

    def test_a_corrected_die_answers_it(self, asked: Table) -> None:
        """Who says what a die shows says that it was rolled."""
        asked.correct(4, 3)
        asked.reroll()
        assert rolls(asked) == ["12555", "23555"]
