"""KEEP, REROLL and UNDO: what each does to a roll, a box and a question."""

from __future__ import annotations

from datetime import timedelta

import pytest

from scoreboard.dice import Roll
from scoreboard.games.dice.acts import CategoryScored, DiceKept, DiceRolled, StartRolled
from scoreboard.games.engine.transcript import Retraction
from scoreboard.message import message
from scoreboard.table.requests import Action, Pressed, Proposed, TableStatus, TableStatusChanged
from tests.scoreboard.table.fakes import Table, reading

GLARE = message("The light glares.")


@pytest.fixture
def table() -> Table:
    """Two players, the first roll awaited."""
    return Table().opened()


def rolled(faces: str) -> DiceRolled:
    return DiceRolled(Roll.parse(faces))


class TestRolls:
    """How a pending roll is confirmed."""

    def test_a_proposal_is_no_fact(self, table: Table) -> None:
        table.roll("33516")
        assert table.proposal.roll == Roll.parse("13356")
        assert [die.face for die in table.proposal.dice] == [3, 3, 5, 1, 6]
        assert table.events == []

    def test_a_waiting_roll_shows_what_the_boxes_would_take(self, table: Table) -> None:
        """The figures are there to weigh KEEP against REROLL; no box can be filled by them."""
        table.roll("33516")
        preview, sheet = table.view.preview, table.view.scoresheet
        assert preview is not None
        assert sheet is not None
        assert preview.row("threes").cells[0].possible == 6
        assert preview.row("threes").cells[0].offer is None
        assert sheet.row("threes").cells[0].possible is None
        table.reroll()
        assert table.view.preview is None

    def test_a_roll_for_the_start_has_no_preview(self) -> None:
        table = Table().opened(start="roll-off")
        table.roll("33516")
        assert table.view.preview is None

    def test_reroll_confirms_and_announces_another_roll(self, table: Table) -> None:
        table.roll("33516")
        assert str(table.view.reroll) == "Roll again"
        assert table.reroll().verdict == "done"
        assert table.events == [rolled("13356")]
        assert table.stage() == "rolling"
        assert table.view.proposal is None

    def test_keep_confirms_as_final_in_one_step(self, table: Table) -> None:
        table.roll("33516")
        table.keep()
        assert table.events == [rolled("13356"), DiceKept(Roll.parse("13356"))]
        assert table.stage() == "choosing"
        assert str(table.view.undo) == "Undo KEEP (1 3 3 5 6)"
        table.undo()
        assert table.events[2:] == [Retraction(2), Retraction(1)]
        assert table.stage() == "rolling"

    def test_the_third_roll_is_final_by_itself(self, table: Table) -> None:
        """REROLL does nothing on it and says why; KEEP records the roll alone (YZ-4)."""
        for faces in ("33516", "22415"):
            table.roll(faces)
            table.reroll()
        table.roll("66123")
        answer = table.reroll()
        assert answer.verdict == "refused"
        assert str(table.view.notice).startswith("That was the last roll")
        assert table.view.reroll is None
        table.keep()
        assert table.events[-1] == rolled("12366")
        assert table.stage() == "choosing"

    def test_keep_without_a_new_roll_stands_on_the_last(self, table: Table) -> None:
        table.roll("33516")
        table.reroll()
        assert str(table.view.keep) == "Stop rolling"
        table.keep()
        assert table.events[-1] == DiceKept(Roll.parse("13356"))

    @pytest.mark.parametrize("action", [Action.KEEP, Action.REROLL])
    def test_without_any_roll_nothing_is_confirmed(self, table: Table, action: Action) -> None:
        answer = table.press(action)
        assert answer.verdict == "refused"
        assert "roll the dice" in str(table.view.notice)

    @pytest.mark.parametrize("action", [Action.KEEP, Action.REROLL])
    def test_both_buttons_confirm_a_roll_for_the_start(self, action: Action) -> None:
        """In the roll-off the roll counts for whoever's turn it is (YZ-2)."""
        table = Table().opened(start="roll-off")
        table.roll("55521")
        assert str(table.view.keep) == "Yes, 1 2 5 5 5"
        table.press(action)
        assert table.events == [StartRolled("North", Roll.parse("12555"))]
        assert table.view.player == "South"
        assert table.view.start_rolls == (("North", Roll.parse("12555")),)

    def test_dice_that_nobody_threw_are_no_new_roll(self, table: Table) -> None:
        table.show(reading("33516"))
        table.reroll()
        assert table.show(reading("33516")).verdict == "unchanged"
        assert table.show(reading("516", [2, 3, 4])).verdict == "unchanged"
        assert table.view.proposal is None
        assert table.show(reading("33511")).verdict == "done"

    def test_the_last_players_dice_are_no_roll_of_the_next(self, table: Table) -> None:
        table.show(reading("33516"))
        table.keep()
        table.keep()
        assert table.view.player == "South"
        assert table.show(reading("33516")).verdict == "unchanged"

    def test_a_roll_before_the_box_is_filled_is_read_again_after(self, table: Table) -> None:
        table.roll("33516")
        table.keep()
        assert table.roll("66666").verdict == "done"
        assert table.view.proposal is None
        assert "Score a box for this turn first" in str(table.view.notice)
        assert table.readings_asked == 0
        table.keep()
        assert table.readings_asked == 1


class TestBoxes:
    """How two buttons choose a box."""

    def test_reroll_steps_through_the_boxes_best_first(self, table: Table) -> None:
        table.roll("33516")
        table.keep()
        boxes = [offer.key for offer in table.view.offers if offer.key.startswith("score:")]
        assert table.view.pointer == boxes[0] == "score:chance"
        pointed = []
        for _ in boxes:
            table.reroll()
            pointed.append(table.view.pointer)
        assert pointed == [*boxes[1:], boxes[0]]

    def test_boxes_of_known_rank_are_offered_by_it(self) -> None:
        """What has none comes last, and UNDO leaves the order."""
        ranks = {"score:twos": (30.0,), "score:threes": (20.0,), "score:chance": (10.0,)}
        table = Table(ranks=lambda _header, _state: ranks).opened()
        table.roll("33516")
        table.keep()
        for _ in range(2):
            pointed = [table.view.pointer]
            for _ in ranks:
                table.reroll()
                pointed.append(table.view.pointer)
            assert pointed[:3] == list(ranks)
            table.undo()
            table.roll("33516")
            table.keep()

    def test_keep_fills_the_pointed_box(self, table: Table) -> None:
        table.roll("33516")
        table.keep()
        table.reroll()
        table.keep()
        scored = table.events[-1]
        assert isinstance(scored, CategoryScored)
        assert (scored.category, scored.points) == ("threes", 6)
        assert table.view.player == "South"

    def test_a_zero_is_asked_once_more(self, table: Table) -> None:
        """The first KEEP asks, the second writes."""
        self.point_at_zero(table)
        assert table.keep().verdict == "done"
        assert table.view.asking == table.view.pointer
        assert "scores 0" in str(table.view.notice)
        assert len(table.events) == 2
        table.keep()
        assert len(table.events) == 3
        assert table.view.asking is None

    def test_undo_answers_the_question_with_no(self, table: Table) -> None:
        self.point_at_zero(table)
        pointer = table.view.pointer
        table.keep()
        assert str(table.view.undo) == "Cancel"
        table.undo()
        assert (table.view.asking, table.view.pointer) == (None, pointer)
        assert len(table.events) == 2

    def test_reroll_answers_the_question_with_another_box(self, table: Table) -> None:
        self.point_at_zero(table)
        pointer = table.view.pointer
        table.keep()
        table.reroll()
        assert table.view.asking is None
        assert table.view.pointer != pointer

    @staticmethod
    def point_at_zero(table: Table) -> None:
        """Roll, stand, and step to the first box that would take a 0."""
        table.roll("33516")
        table.keep()
        points = {offer.key: offer.points for offer in table.view.offers}
        while points[table.view.pointer or ""]:
            table.reroll()


class TestUndo:
    """What UNDO takes back."""

    def test_a_pending_roll_is_rejected(self, table: Table) -> None:
        table.show(reading("33516"))
        assert str(table.view.undo) == "Reject this reading"
        table.undo()
        assert table.view.proposal is None
        assert table.events == []
        assert table.readings_asked == 0
        assert table.show(reading("33516")).verdict == "unchanged"
        assert table.show(reading("33514")).verdict == "done"

    def test_a_roll_taken_back_waits_as_it_did(self, table: Table) -> None:
        table.show(reading("33516"))
        table.reroll()
        table.undo()
        assert table.view.proposal is not None
        assert str(table.view.reroll) == "Roll again"
        assert table.readings_asked == 0
        table.keep()
        assert table.stage() == "choosing"

    def test_a_roll_whose_dice_were_moved_does_not_come_back(self, table: Table) -> None:
        table.show(reading("33516"))
        table.reroll()
        table.show(reading("335", [0, 1, 2]))
        table.undo()
        assert table.view.proposal is None

    def test_the_camera_is_asked_when_all_know_what_is_awaited(self, table: Table) -> None:
        """A camera that follows the table must not be read before it knows."""
        table.roll("33516")
        seen = len(table.announcer.views)
        table.read_again()
        assert table.views_when_asked == seen + 1

    def test_a_box_taken_back_gives_the_turn_back(self, table: Table) -> None:
        table.roll("33516")
        table.keep()
        table.keep()
        assert str(table.view.undo) == "Undo 18 in Chance for North"
        table.undo()
        assert (table.view.player, table.stage()) == ("North", "choosing")
        assert table.readings_asked == 0

    def test_with_nothing_left_undo_says_so(self, table: Table) -> None:
        assert table.view.undo is None
        answer = table.undo()
        assert answer.verdict == "refused"
        assert "nothing left" in str(answer.notice)


class TestWhatWasShown:
    """A press means what was shown 300 ms before it."""

    @pytest.mark.parametrize(
        ("milliseconds", "confirmed"), [(0, False), (100, False), (299, False), (301, True)]
    )
    def test_a_proposal_that_has_just_appeared_is_not_confirmed(
        self, table: Table, milliseconds: int, *, confirmed: bool
    ) -> None:
        table.send(Proposed(reading("33516")))
        table.clock.advance(milliseconds / 1000)
        answer = table.reroll()
        assert bool(table.events) == confirmed
        assert (answer.verdict == "stale") != confirmed
        assert ("changed just before" in str(table.view.notice)) != confirmed

    def test_the_time_of_the_press_counts_not_that_of_its_handling(self, table: Table) -> None:
        table.roll("33516")
        pressed_at = table.clock()
        table.send(Proposed(reading("11111", range(60, 65))))
        table.clock.advance(5)
        answer = table.send(Pressed(Action.REROLL, pressed_at))
        assert answer.verdict == "stale"
        assert table.events == []

    def test_what_no_button_means_is_no_change(self, table: Table) -> None:
        table.roll("33516")
        table.send(TableStatusChanged(TableStatus.STILL))
        assert table.reroll().verdict == "done"

    def test_a_roll_read_differently_is_a_change(self, table: Table) -> None:
        table.show(reading("33516"))
        table.send(Proposed(reading("33514")))
        assert table.keep().verdict == "stale"
        assert table.keep().verdict == "done"
        assert table.events[0] == rolled("13345")

    def test_a_double_press_counts_once(self, table: Table) -> None:
        table.roll("33516")
        table.press(Action.KEEP, after_seconds=0.1)
        assert table.keep().verdict == "stale"
        assert table.stage() == "choosing"

    @pytest.mark.parametrize("days", [-9000, 9000])
    def test_the_time_of_day_may_jump(self, table: Table, days: int) -> None:
        """It is set by years: presses count as they did, and too early ones do not."""
        table.roll("33516")
        table.time_of_day.now += timedelta(days=days)
        table.press(Action.KEEP, after_seconds=0.1)
        assert table.events
        table.time_of_day.now -= timedelta(days=days)
        assert table.keep().verdict == "stale"

    def test_many_changes_are_remembered_long_enough(self, table: Table) -> None:
        """More changes than are remembered leave the oldest kept one as what was shown."""
        for number in range(200):
            table.roll(f"{number % 6 + 1}3516")
            table.roll(f"{number % 6 + 1}35162")
        table.roll("33516")
        assert table.reroll().verdict == "done"


class TestDoubts:
    """A doubtful reading needs a second press after its doubt was shown."""

    def test_the_first_press_shows_the_doubt(self, table: Table) -> None:
        table.show(reading("33516", doubts=(GLARE,)))
        assert str(table.view.reroll) == "Check the dice first"
        assert table.reroll().verdict == "done"
        assert table.proposal.asked
        assert table.proposal.doubts == (GLARE,)
        assert "The light glares. Check" in str(table.view.notice)
        assert table.events == []
        table.reroll()
        assert table.events == [rolled("13356")]

    def test_a_second_press_right_after_the_first_is_too_early(self, table: Table) -> None:
        table.show(reading("33516", doubts=(GLARE,)))
        table.press(Action.REROLL, after_seconds=0.2)
        assert table.reroll().verdict == "stale"
        assert table.events == []

    def test_undo_takes_the_first_press_back(self, table: Table) -> None:
        table.show(reading("33516", doubts=(GLARE,)))
        table.keep()
        table.undo()
        assert not table.proposal.asked
        assert table.readings_asked == 0
        table.undo()
        assert table.view.proposal is None

    @pytest.mark.parametrize(
        ("faces", "says"), [("335?6", "tap it"), ("3351", "4 of 5"), ("335166", "6 dice instead")]
    )
    def test_what_is_no_roll_can_only_be_corrected(
        self, table: Table, faces: str, says: str
    ) -> None:
        table.roll(faces)
        for _ in range(3):
            assert table.reroll().verdict == "refused"
            assert says in str(table.view.notice)
        assert table.events == []
        assert table.proposal.roll is None
        assert says in str(table.proposal.doubts[0])
