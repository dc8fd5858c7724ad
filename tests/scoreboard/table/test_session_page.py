"""What the page does: offers chosen, rolls entered, and taps that come too late."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

import pytest

from scoreboard.dice import Roll
from scoreboard.games.dice.acts import (
    CategoryScored,
    DiceKept,
    DiceRolled,
    FoulDieRerolled,
    PlayerLeft,
    RollCorrected,
    StartRolled,
)
from scoreboard.message import message
from scoreboard.table import requests
from scoreboard.table.proposal import HEALTHY
from tests.scoreboard.table.fakes import EVENING, Table, reading


@pytest.fixture
def table() -> Table:
    """Two players, the first roll awaited."""
    return Table().opened()


def panel(table: Table, action: requests.Action, expected: int | None = None) -> requests.Answer:
    seen = table.view.version if expected is None else expected
    return table.send(requests.Pressed(action, table.clock(), seen))


class TestOffers:
    """Offers chosen on the page."""

    def test_a_roll_entered_is_recorded_at_once(self, table: Table) -> None:
        assert table.choose("roll", "33516").verdict == "done"
        assert table.events == [DiceRolled(Roll.parse("13356"))]
        assert [die.face for die in table.view.last_roll] == [1, 3, 3, 5, 6]

    def test_a_roll_of_the_others_completes_the_marked_dice(self, table: Table) -> None:
        table.choose("roll", "55521")
        table.mark(2, 3, 4)
        table.choose("roll", "36")
        assert table.events[1:] == [DiceKept(Roll.parse("555")), DiceRolled(Roll.parse("35556"))]

    def test_a_roll_for_the_start_is_entered(self) -> None:
        """The roll-off goes by hand as well (YZ-2), or is left out by a first roll."""
        table = Table().opened(start="roll-off")
        table.choose("start", "33516")
        assert table.events == [StartRolled("North", Roll.parse("13356"))]
        early = Table().opened(start="roll-off")
        early.choose("roll", "33516")
        assert early.events == [DiceRolled(Roll.parse("13356"))]

    @pytest.mark.parametrize(
        ("key", "roll", "says"),
        [
            ("roll", "3351", "4 of 5"),
            ("roll", None, "Enter what the dice show"),
            ("start", "33516", "cannot be done now"),
            ("score:chance", None, "cannot be done now"),
            ("nonsense", None, "cannot be done now"),
        ],
    )
    def test_what_is_not_offered_is_refused(
        self, table: Table, key: str, roll: str | None, says: str
    ) -> None:
        """The answer says why, and the other viewers are not bothered."""
        answer = table.choose(key, roll)
        assert answer.verdict == "refused"
        assert says in str(answer.notice)
        assert table.view.notice is None
        assert table.events == []

    def test_the_rulebook_names_its_rule(self, table: Table) -> None:
        """A roll outside an offer's domain is refused in the rulebook's words where it has any."""
        table.choose("roll", "33516")
        assert "A roll has 5 dice" in str(table.choose("correct", "3351").notice)
        assert "cannot be entered" in str(table.choose("foul:3", "15").notice)

    def test_a_wrong_roll_is_corrected_and_a_foul_die_rolled_again(self, table: Table) -> None:
        table.choose("roll", "33516")
        table.choose("correct", "33514")
        table.choose("foul:4", "6")
        assert table.events[1:] == [RollCorrected(Roll.parse("33514")), FoulDieRerolled(4, 6)]
        assert table.rolls_made == 1

    def test_a_zero_is_asked_once_more(self, table: Table) -> None:
        """The second tap on the same box writes it, a tap on another box does not."""
        table.choose("roll", "33516")
        asked = []
        for key in ("score:yahtzee", "score:twos", "score:twos"):
            table.choose(key)
            asked.append(table.view.asking)
        assert asked == ["score:yahtzee", "score:twos", None]
        assert len(table.events) == 2

    def test_buttons_answer_the_pages_question(self, table: Table) -> None:
        table.choose("roll", "33516")
        for action in (requests.Action.REROLL, requests.Action.UNDO):
            table.choose("score:yahtzee")
            table.press(action)
            assert table.view.asking is None
        table.choose("score:yahtzee")
        table.keep()
        assert isinstance(table.events[-1], CategoryScored)

    def test_a_box_for_the_roll_before_is_asked_about(self, table: Table) -> None:
        table.choose("roll", "33516")
        table.roll("66666")
        table.choose("score:chance")
        assert "new roll is waiting" in str(table.view.notice)
        assert table.view.proposal is not None
        table.choose("score:chance")
        scored = table.events[-1]
        assert isinstance(scored, CategoryScored)
        assert scored.points == 18
        assert table.view.proposal is None

    def test_a_new_roll_drops_the_question(self, table: Table) -> None:
        table.choose("roll", "33516")
        table.choose("score:yahtzee")
        table.roll("66666")
        assert table.view.asking is None

    def test_announcing_all_dice_drops_the_waiting_roll(self, table: Table) -> None:
        table.choose("roll", "33516")
        table.roll("36")
        table.choose("keep", "33516")
        assert table.stage() == "choosing"
        assert table.view.proposal is None

    def test_a_player_leaves(self, table: Table) -> None:
        table.choose("leave:0")
        assert table.events == [PlayerLeft("North")]
        assert table.view.player == "South"


class TestCorrections:
    """What a person says about the dice."""

    def test_a_roll_entered_waits_to_be_confirmed(self, table: Table) -> None:
        table.roll("33516")
        table.enter("33514")
        shown = table.view.proposal
        assert shown is not None
        assert (shown.by_hand, shown.frame, shown.roll) == (True, None, Roll.parse("13345"))
        table.clock.advance(1)
        table.keep()
        assert table.events[0] == DiceRolled(Roll.parse("13345"))

    def test_a_roll_entered_is_not_overwritten_by_the_camera(self, table: Table) -> None:
        table.enter("33514")
        assert table.roll("66666").verdict == "unchanged"
        table.undo()
        assert table.roll("66666").verdict == "done"

    def test_the_same_dice_again_can_be_insisted_on(self, table: Table) -> None:
        table.show(reading("33516"))
        table.reroll()
        table.enter("33516")
        table.reroll()
        assert table.events == [DiceRolled(Roll.parse("13356"))] * 2

    def test_dice_are_named_deleted_and_added(self, table: Table) -> None:
        table.roll("3351?6")
        table.correct(4, None)
        table.correct(4, 2)
        assert table.proposal.roll == Roll.parse("12335")
        table.correct(0, None)
        table.correct(None, 6)
        assert table.proposal.roll == Roll.parse("12356")

    def test_a_roll_can_be_built_die_by_die(self, table: Table) -> None:
        table.correct(None, 3)
        assert table.proposal.by_hand
        table.correct(0, None)
        assert table.view.proposal is None

    @pytest.mark.parametrize(
        ("die", "face", "says"),
        [
            (5, 1, "no such die"),
            (-1, 1, "no such die"),
            (None, None, "Enter what"),
            (0, 7, "1 to 6"),
        ],
    )
    def test_a_die_that_cannot_be_is_refused(
        self, table: Table, die: int | None, face: int | None, says: str
    ) -> None:
        table.roll("33516")
        answer = table.correct(die, face)
        assert answer.verdict == "refused"
        assert says in str(answer.notice)

    def test_nothing_is_entered_while_no_roll_is_awaited(self, table: Table) -> None:
        assert "Enter what" in str(table.enter("").notice)
        table.roll("33516")
        table.keep()
        assert "No roll is expected" in str(table.enter("11111").notice)
        assert "No roll is expected" in str(table.correct(None, 1).notice)


Played = requests.Chosen | requests.Corrected | requests.DieCorrected | requests.GameAbandoned
ACTS: list[Played] = [
    requests.Chosen("roll", 0, "33516"),
    requests.Chosen("nonsense", 0),
    requests.Corrected(Roll.parse("33516"), 0),
    requests.DieCorrected(None, 3, 0),
    requests.GameAbandoned(0),
]


class TestVersions:
    """Several devices, one table."""

    @pytest.mark.parametrize("act", ACTS, ids=lambda act: type(act).__name__)
    @pytest.mark.parametrize("off_by", [-1, 1])
    def test_an_act_for_another_state_is_stale(
        self, table: Table, act: Played, off_by: int
    ) -> None:
        table.roll("33516")
        table.reroll()
        seen = table.view.version + off_by
        answer = table.send(replace(act, expected=seen))
        assert answer.verdict == "stale"
        assert "too late" in str(answer.notice)
        assert table.view.notice is None
        assert len(table.events) == 1

    def test_a_typed_roll_takes_the_place_of_a_reading(self, table: Table) -> None:
        """It came while the digits were typed: they are not rolled away (dice S2)."""
        seen = table.view.version
        table.roll("33516")
        assert table.send(requests.Corrected(Roll.parse("66666"), seen)).verdict == "done"
        assert table.proposal.roll == Roll.parse("66666")
        seen = table.view.version
        table.roll("22222")
        assert table.choose("roll", "55555", expected=seen).verdict == "done"
        assert table.events == [DiceRolled(Roll.parse("55555"))]

    def test_a_typed_roll_of_the_turn_before_is_stale(self, table: Table) -> None:
        seen = table.view.version
        table.choose("roll", "55555")
        assert table.choose("roll", "66666", expected=seen).verdict == "stale"

    def test_somebody_leaves_whatever_the_camera_reads(self, table: Table) -> None:
        """A reading comes while the question is read; it was of the one who left."""
        seen = table.view.version
        table.show(reading("33516"))
        assert table.choose("leave:0", expected=seen).verdict == "done"
        assert (table.view.player, table.view.proposal) == ("South", None)
        assert table.show(reading("33516")).verdict == "unchanged"
        table.undo()
        assert table.view.player == "North"
        assert table.proposal.roll == Roll.parse("13356")

    def test_the_game_is_put_away_whatever_the_camera_reads(self, table: Table) -> None:
        seen = table.view.version
        table.show(reading("33516"))
        assert table.send(requests.GameAbandoned(seen)).verdict == "done"
        assert table.stage() == "abandoned"

    def test_what_only_the_camera_shows_makes_no_tap_stale(self, table: Table) -> None:
        table.roll("33516")
        seen = table.view.version
        table.send(requests.TableStatusChanged(requests.TableStatus.LOST, message("unplugged")))
        table.send(requests.HealthChanged(HEALTHY))
        table.session.notify(message("hello"))
        assert table.view.version == seen + 3
        assert panel(table, requests.Action.REROLL, seen).verdict == "done"

    def test_quick_taps_on_kept_dice_all_count(self, table: Table) -> None:
        table.choose("roll", "55521")
        seen = table.view.version
        for die in (2, 3, 4):
            answer = table.send(requests.KeepMarked(die, kept=True, expected=seen))
            assert answer.verdict == "done"
        table.roll("36")
        assert table.send(requests.KeepMarked(2, kept=False, expected=seen)).verdict == "done"
        assert [die.kept for die in table.view.last_roll] == [False, False, False, True, True]

    def test_a_tap_on_dice_of_a_roll_before_is_stale(self, table: Table) -> None:
        table.choose("roll", "55521")
        seen = table.view.version
        table.choose("roll", "55521")
        answer = table.send(requests.KeepMarked(2, kept=True, expected=seen))
        assert answer.verdict == "stale"
        ahead = requests.KeepMarked(2, kept=True, expected=table.view.version + 1)
        assert table.send(ahead).verdict == "stale"

    def test_an_own_second_tap_does_nothing(self, table: Table) -> None:
        table.choose("roll", "33516")
        seen = table.view.version
        assert table.choose("score:chance", expected=seen).verdict == "done"
        again = table.choose("score:chance", expected=seen)
        assert (again.verdict, again.notice) == ("unchanged", None)
        assert len(table.events) == 2

    def test_a_second_tap_on_a_zero_is_no_yes(self, table: Table) -> None:
        """The question must have been shown before it can be answered."""
        table.choose("roll", "33516")
        seen = table.view.version
        table.choose("score:yahtzee", expected=seen)
        assert table.choose("score:yahtzee", expected=seen).verdict == "unchanged"
        assert table.view.asking == "score:yahtzee"

    def test_the_panel_presses_what_the_page_showed(self, table: Table) -> None:
        """A press on the page carries its version: no reaction time is needed, none forgiven."""
        table.send(requests.Proposed(reading("33516")))
        seen = table.view.version
        assert panel(table, requests.Action.KEEP, seen).verdict == "done"
        table.clock.advance(5)
        assert panel(table, requests.Action.KEEP, seen).verdict == "unchanged"
        stale = panel(table, requests.Action.REROLL, seen)
        assert stale.verdict == "stale"
        assert table.view.notice is None
        assert table.stage() == "choosing"

    def test_a_refused_press_is_reported_to_all(self, table: Table) -> None:
        answer = panel(table, requests.Action.KEEP)
        assert answer.verdict == "refused"
        assert table.view.notice == answer.notice

    def test_a_page_from_before_a_restart_is_stale(self, table: Table) -> None:
        """Versions begin anew from the time, so that an old page never fits by chance."""
        table.roll("33516")
        seen = table.view.version
        restarted = Table(table.store, now=EVENING + timedelta(seconds=30))
        restarted.session.resume_newest()
        answer = restarted.send(requests.Chosen("roll", seen, "33516"))
        assert answer.verdict == "stale"
        assert restarted.view.version > seen

    def test_every_change_is_announced_once_with_a_greater_version(self, table: Table) -> None:
        table.roll("33516")
        table.send(requests.TableStatusChanged(requests.TableStatus.NOTHING))
        table.reroll()
        versions = [view.version for view in table.announcer.views]
        assert versions == sorted(set(versions))
        assert len(versions) == 3
        assert table.announcer.views[-1] == table.view
