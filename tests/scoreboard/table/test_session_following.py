"""Dice followed and kept at the table, from the photograph to the record."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scoreboard.dice import Roll
from scoreboard.games.dice.acts import DiceKept, DiceRolled
from scoreboard.message import message
from scoreboard.table.button_actions import ConfirmPolicy
from scoreboard.table.requests import Action, TableStatus, TableStatusChanged, TrayCalibrated
from tests.scoreboard.table.fakes import Table, reading

LEANS = message("A die leans: re-roll just that die.")


def table_with(faces: str = "55521", *, tray: bool = False) -> Table:
    """The first roll is recorded; its dice lie in a row, at the places 0, 1, 2 and so on."""
    table = Table(tray=tray).opened()
    table.show(reading(faces))
    table.reroll()
    return table


@pytest.fixture
def table() -> Table:
    """The first roll 12555 is recorded, the fives at the places 0 to 2."""
    return table_with()


def rolls(table: Table) -> list[str]:
    return [str(event.roll) for event in table.events if isinstance(event, DiceRolled)]


def doubts(table: Table) -> str:
    return " ".join(map(str, table.proposal.doubts))


def marked(table: Table, *faces: int) -> None:
    left = list(faces)
    for index, die in enumerate(table.view.last_roll):
        if die.face in left:
            left.remove(die.face)
            table.mark(index)


class TestNothingRolled:
    """What moves without a roll is no roll."""

    @pytest.mark.parametrize(
        ("faces", "places"),
        [
            ("55521", [0.05, 1, 2, 3, 3.95]),
            ("55521", [1.5, 2.5, 3.5, 4.5, 5.5]),
            ("521", [2.4, 3, 4]),
        ],
    )
    def test_dice_that_nobody_threw_are_not_proposed(
        self, table: Table, faces: str, places: list[float]
    ) -> None:
        before = table.view
        table.show(reading(faces, places))
        assert table.view == before

    def test_nudged_dice_lie_from_then_on_where_they_are(self, table: Table) -> None:
        for step in range(1, 4):
            table.show(reading("55521", [-0.6 * step, 1, 2, 3, 4]))
            table.reroll()
            assert table.view.proposal is None
        table.show(reading("55536", [-1.8, 1, 2, 8, 9]))
        assert [die.kept for die in table.view.last_roll] == [False, False, True, True, True]
        assert table.proposal.doubts == ()

    def test_the_last_players_dice_are_followed_too(self, table: Table) -> None:
        table.keep()
        table.keep()
        assert table.view.player == "South"
        table.show(reading("55521", [0.3, 1, 2, 3, 4]))
        table.show(reading("552", [0.6, 1, 3]))
        assert table.view.proposal is None


class TestTakenUp:
    """Dice in the hand are no roll, before REROLL and after it."""

    def test_dice_taken_up_before_the_press_leave_the_roll(self) -> None:
        table = Table().opened()
        table.show(reading("55521"))
        before = table.view
        for faces, places in (("5552", [0, 1, 2, 3]), ("555", [0, 1, 2.05]), ("5", [2])):
            table.show(reading(faces, places))
            assert table.view == before
        table.reroll()
        assert rolls(table) == ["12555"]
        table.show(reading("55536", [0, 1, 2, 8, 9]))
        table.keep()
        assert rolls(table) == ["12555", "35556"]

    def test_what_was_too_much_may_be_taken_away(self) -> None:
        """A coin read as a die goes, and five dice are a roll."""
        table = Table().opened()
        table.show(reading("555216"))
        assert "6 dice instead" in doubts(table)
        table.show(reading("55521"))
        assert table.proposal.roll == Roll.parse("12555")

    def test_rolled_dice_taken_up_leave_the_roll(self, table: Table) -> None:
        table.show(reading("55536", [0, 1, 2, 8, 9]))
        table.show(reading("555", [0, 1, 2]))
        table.show(reading("5553", [0, 1, 2, 8]))
        table.reroll()
        assert rolls(table) == ["12555", "35556"]


class TestTurnedOver:
    """A kept die that shows another value: nobody but a person says why."""

    @pytest.fixture
    def asked(self, table: Table) -> Table:
        """Three fives were kept; one of them shows a 4 now, and 3 and 6 were rolled."""
        marked(table, 5, 5, 5)
        table.show(reading("54536", [0, 1, 2, 8, 9]))
        return table

    def test_it_is_asked_about_and_not_recorded(self, asked: Table) -> None:
        assert "A kept 5 now shows 4" in doubts(asked)
        dice = asked.proposal.dice
        assert [die.doubtful for die in dice] == [False, True, False, False, False]
        assert [die.kept for die in dice] == [True, False, True, False, False]
        for _ in range(3):
            assert asked.reroll().verdict == "refused"
            assert asked.keep().verdict == "refused"
        assert rolls(asked) == ["12555"]

    def test_it_is_put_back(self, asked: Table) -> None:
        (question,) = asked.proposal.questions
        asked.correct(question.die, question.was)
        assert asked.proposal.questions == ()
        asked.show(reading("55536", [0, 1, 2, 8, 9]))
        asked.reroll()
        assert asked.events[1:] == [DiceKept(Roll.parse("555")), DiceRolled(Roll.parse("35556"))]

    def test_it_was_rolled_after_all(self, asked: Table) -> None:
        (question,) = asked.proposal.questions
        assert question.kept is not None
        asked.mark(question.kept, kept=False)
        asked.reroll()
        assert asked.events[1:] == [DiceKept(Roll.parse("55")), DiceRolled(Roll.parse("34556"))]

    def test_nothing_is_read_again_while_a_box_is_chosen(self, table: Table) -> None:
        table.keep()
        assert table.read_again().verdict == "refused"

    def test_unmarked_it_is_a_doubt_with_answers(self, table: Table) -> None:
        """Where nobody said what was kept, the die may have been rolled."""
        table.show(reading("54536", [0, 1, 2, 8, 9]))
        (question,) = table.proposal.questions
        assert (question.was, question.now, question.kept) == (5, 4, None)
        table.correct(question.die, question.now)
        table.reroll()
        assert table.events[1:] == [DiceKept(Roll.parse("55")), DiceRolled(Roll.parse("34556"))]


@settings(max_examples=40, deadline=None)
@given(
    st.text("123456", min_size=5, max_size=5),
    st.integers(0, 4),
    st.integers(1, 5),
    st.floats(-0.1, 0.1),
    st.text("123456", min_size=2, max_size=2),
)
def test_no_press_changes_a_kept_dies_value(
    faces: str, kept: int, further: int, jitter: float, others: str
) -> None:
    table = table_with(faces)
    place = next(i for i, die in enumerate(table.view.last_roll) if die.face == int(faces[kept]))
    table.mark(place)
    seat = next(i for i, face in enumerate(faces) if face == faces[kept])
    other = str((int(faces[kept]) - 1 + further) % 6 + 1)
    table.show(reading(f"{other}{others}{others}", [seat + jitter, 10, 12, 15, 19]))
    table.reroll()
    assert rolls(table) == ["".join(sorted(faces))]
    table.keep()
    for roll in rolls(table):
        assert faces[kept] in roll


class TestOffTheTray:
    """A die that is neither kept nor in the tray is rolled again, it alone (YZ-5)."""

    def test_a_first_roll_waits_for_the_die(self) -> None:
        table = Table(tray=True).opened()
        table.show(reading("5552"))
        assert doubts(table) == "A die is off the tray: re-roll just that die."
        for press in (table.reroll, table.keep):
            assert press().verdict == "refused"
        assert table.events == []
        table.show(reading("55526"))
        table.reroll()
        assert rolls(table) == ["25556"]
        assert table.rolls_made == 1

    @pytest.mark.parametrize(("faces", "places"), [("5553", [0, 1, 2, 8]), ("3", [8])])
    def test_kept_dice_may_lie_in_the_tray_or_beside_it(
        self, faces: str, places: list[float]
    ) -> None:
        """Of the two that were rolled one is missing."""
        table = table_with(tray=True)
        marked(table, 5, 5, 5)
        table.show(reading(faces, places))
        assert "A die is off the tray" in doubts(table)
        assert table.proposal.off_tray == 1
        assert table.reroll().verdict == "refused"
        table.show(reading("36", [8, 9]))
        table.reroll()
        assert rolls(table) == ["12555", "35556"]

    def test_two_dice_may_be_off_it(self) -> None:
        table = Table(tray=True).opened()
        table.show(reading("555"))
        assert "2 dice are off the tray" in doubts(table)
        assert table.proposal.off_tray == 2

    def test_nobody_knows_whether_a_die_was_kept(self) -> None:
        table = table_with(tray=True)
        table.show(reading("36", [8, 9]))
        assert "2 of 5 dice are in the tray. Tap the dice you kept" in doubts(table)

    def test_the_table_learns_of_a_tray_while_it_runs(self) -> None:
        """It says so from then on, also in the next game; without a tray it counts."""
        table = Table().opened()
        table.show(reading("5552"))
        assert doubts(table) == "I see 4 of 5 dice: add what is missing."
        table.send(TrayCalibrated(known=True))
        assert "off the tray" in doubts(table)
        table.open()
        table.roll("5552")
        assert "off the tray" in doubts(table)
        table.send(TrayCalibrated(known=False))
        assert "I see 4 of 5" in doubts(table)

    def test_calibrating_rolls_nothing(self) -> None:
        """The same values are the same dice, wherever the camera sees them now."""
        table = table_with()
        table.send(TrayCalibrated(known=True))
        table.show(reading("25551", [20.3, 23, 26, 28, 31]))
        assert table.view.proposal is None
        table.show(reading("65553", [40, 23, 26, 28, 44]))
        table.reroll()
        assert table.events[1:] == [DiceKept(Roll.parse("555")), DiceRolled(Roll.parse("35556"))]

    def test_what_is_entered_by_hand_lies_on_no_tray(self) -> None:
        """Four digits are no roll of five dice: nobody saw that one is missing."""
        table = Table(tray=True).opened()
        refused = table.enter("5552")
        assert refused.verdict == "refused"
        assert str(refused.notice) == (
            "You entered 4 of 5 dice: type one digit per die, kept ones included."
        )
        assert table.view.proposal is None


class TestLeaning:
    """A leaning die has no value until a person gives it one, or it is rolled again (YZ-5)."""

    def test_nothing_records_it_by_itself(self) -> None:
        table = Table(policy=ConfirmPolicy(1, 0.5)).opened()
        table.show(reading("5552?", doubts=(LEANS,)))
        for _ in range(3):
            assert table.reroll().verdict == "refused"
            assert table.keep().verdict == "refused"
            table.tick(60)
        assert table.events == []
        assert str(LEANS) in doubts(table)

    def test_a_person_gives_the_value(self) -> None:
        table = Table().opened()
        table.show(reading("5552?", doubts=(LEANS,)))
        table.correct(4, 6)
        table.reroll()
        assert rolls(table) == ["25556"]

    def test_it_alone_is_rolled_again_in_the_same_roll(self) -> None:
        """What a person said of the others before stands; what lies there untouched is known."""
        table = Table().opened()
        table.show(reading("5552?", doubts=(LEANS,)))
        table.correct(3, 1)
        table.show(reading("5552", [0, 1, 2, 3]))
        table.show(reading("55526", [0, 1, 2, 3, 9]))
        assert [die.face for die in table.proposal.dice] == [5, 5, 5, 1, 6]
        table.clock.advance(1)
        table.reroll()
        assert rolls(table) == ["15556"]
        assert table.rolls_made == 1


class TestCorrectedDice:
    """A person's word on a die lasts while the die lies there."""

    def test_a_deleted_coin_stays_deleted(self) -> None:
        table = Table().opened()
        table.show(reading("55?216"))
        table.correct(5, None)
        table.show(reading("554216", [0, 1, 8, 3, 4, 5]))
        assert table.proposal.roll == Roll.parse("12455")

    def test_a_die_that_reads_differently_now_is_read_again(self) -> None:
        """What was said was said of another reading."""
        table = Table().opened()
        table.show(reading("55521"))
        table.correct(4, 6)
        table.show(reading("55523", [0, 1, 2, 9, 4]))
        assert table.proposal.roll == Roll.parse("23555")

    def test_a_new_doubt_is_reported(self) -> None:
        table = Table().opened()
        table.show(reading("55521"))
        table.correct(4, 6)
        table.show(reading("55521", [0, 1, 2, 9, 4], doubts=(message("The light glares."),)))
        assert "The light glares." in doubts(table)


def moves(table: Table) -> None:
    for status in (TableStatus.MOVING, TableStatus.STILL):
        table.send(TableStatusChanged(status))


def asks(table: Table) -> bool:
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
        marked(table, 5, 5, 5, 2)
        table.show(reading("55521", [0, 1, 2, 3, 4.5]))
        assert asks(table)

    def test_taking_them_up_ends_the_question(self, asked: Table) -> None:
        """They were not rolled, or they would lie there."""
        asked.show(reading("5552", [0, 1, 2, 3]))
        assert asked.view.proposal is None

    def test_a_roll_that_follows_takes_the_place_of_the_question(self, asked: Table) -> None:
        asked.show(reading("55536", [0, 1, 2, 9, 12]))
        assert not asked.proposal.same
        asked.reroll()
        assert rolls(asked) == ["12555", "35556"]

    def test_without_reroll_nobody_is_asked(self) -> None:
        table = Table().opened()
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
        table = Table(policy=ConfirmPolicy(1, 0.5)).opened()
        table.show(reading("55521"))
        table.reroll()
        moves(table)
        table.show(reading("55521", [0, 1, 2, 3, 4.6]))
        table.tick(60)
        assert rolls(table) == ["12555"]

    def test_a_corrected_die_answers_it(self, asked: Table) -> None:
        asked.correct(4, 3)
        asked.reroll()
        assert rolls(asked) == ["12555", "23555"]


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
    assert "I see 2 of 5 dice: tap the ones you kept." in map(str, table.proposal.doubts)
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
    before = Table().opened()
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
