"""Games come and go; the disk fails; the camera too."""

from __future__ import annotations

from dataclasses import replace

import pytest

from scoreboard.dice import Roll
from scoreboard.games.dice.acts import DiceRolled
from scoreboard.games.engine.transcript import (
    UNKNOWN,
    Abandoned,
    GameHeader,
    RecordedEvent,
    Resumed,
    Retraction,
)
from scoreboard.message import Message, message
from scoreboard.table import announcements, requests
from scoreboard.table.button_actions import ConfirmPolicy
from scoreboard.table.proposal import Health, Light
from tests.scoreboard.table.fakes import EVENING, FULL, FailingStore, Table, at_rest, reading

DARK = Health(Light.RED, (message("It is too dark."),))


@pytest.fixture
def table() -> Table:
    """Two players, one roll recorded."""
    table = Table().opened()
    table.choose("roll", "33516")
    return table


def finish(table: Table) -> None:
    while table.stage() != "finished":
        if table.stage() == "choosing":
            table.keep()
        else:
            table.choose("roll", "66666")
            table.choose("stand")


def camera(table: Table) -> tuple[requests.TableStatus, Message | None]:
    return table.view.status, table.view.camera_notice


class TestGames:
    """Opened, resumed, put away, deleted."""

    def test_without_a_game_nothing_can_be_done(self) -> None:
        table = Table()
        assert table.stage() == "no game"
        assert table.roll("33516").verdict == "unchanged"
        assert "start one" in str(table.keep().notice)
        assert "start one" in str(table.choose("roll", "33516").notice)
        table.session.resume_newest()
        assert (table.stage(), table.view.player) == ("no game", None)

    @pytest.mark.parametrize(
        ("table_request", "says"),
        [
            (requests.GameOpened("chess", ("North",)), "no game called"),
            (requests.GameOpened("yahtzee", ("North", "North")), "Two players"),
            (requests.GameOpened("yahtzee", ()), "at least one player"),
            (requests.GameOpened("yahtzee", ("North",), {"start": "never"}), "no option"),
            (
                requests.GameOpened("yahtzee", tuple(f"P{seat}" for seat in range(21))),
                "1 to 20 players",
            ),
            (requests.GameResumed("nowhere"), "No stored game"),
            (requests.GameDeleted("nowhere"), "No stored game"),
        ],
    )
    def test_what_cannot_be_opened_is_refused(
        self, table_request: requests.GameOpened, says: str
    ) -> None:
        table = Table()
        answer = table.send(table_request)
        assert answer.verdict == "refused"
        assert says in str(answer.notice)
        assert table.store.headers() == ()

    def test_a_second_tap_on_the_start_opens_one_game(self) -> None:
        table = Table()
        assert table.open().verdict == "done"
        assert table.open().verdict == "unchanged"
        assert len(table.store.headers()) == 1

    def test_a_rematch_is_a_new_game(self, table: Table) -> None:
        assert table.open().verdict == "done"
        assert table.view.game_id == "game-2"
        assert table.events == []

    def test_the_dice_of_the_game_before_are_no_roll(self, table: Table) -> None:
        dice = reading("66666")
        table.show(dice)
        table.keep()
        table.open("East")
        assert table.show(dice).verdict == "unchanged"
        table.send(requests.GameDeleted("game-2"))
        table.open("West")
        assert table.show(dice).verdict == "unchanged"
        assert table.roll("66666").verdict == "done"

    def test_a_game_put_aside_goes_on_where_it_stood(self, table: Table) -> None:
        before = table.view
        table.open("East")
        assert table.send(requests.GameResumed("game-1")).verdict == "done"
        assert at_rest(table.view) == at_rest(before)
        assert table.readings_asked == 1
        assert table.send(requests.GameResumed("game-1")).verdict == "unchanged"

    def test_a_game_put_away_waits(self, table: Table) -> None:
        assert table.abandon().verdict == "done"
        assert table.stage() == "abandoned"
        assert (table.view.offers, table.view.undo, table.view.keep) == ((), None, None)
        assert table.roll("66666").verdict == "unchanged"
        assert "is closed" in str(table.undo().notice)
        assert "is closed" in str(table.choose("stand").notice)
        assert table.send(requests.GameResumed("game-1")).verdict == "done"
        assert table.stage() == "rolling"
        assert table.events[1:] == [Abandoned(), Resumed()]

    def test_putting_away_again_is_refused(self, table: Table) -> None:
        table.abandon()
        assert table.abandon().verdict == "refused"
        solo = Table().opened("East")
        finish(solo)
        assert "over" in str(solo.abandon().notice)

    def test_undo_goes_on_behind_a_resumption(self, table: Table) -> None:
        table.abandon()
        table.act(requests.GameResumed("game-1"))
        table.undo()
        assert table.events[-1] == Retraction(1)

    def test_a_deleted_player_becomes_a_guest_of_the_game_on_the_table(self, table: Table) -> None:
        """Once it is closed; it can be resumed and goes on, and undo works as before."""
        refused = table.send(requests.PlayerDeleted("p1", ("North",)))
        assert "under way" in str(refused.notice)
        table.abandon()
        assert table.send(requests.PlayerDeleted("p1", ("North",))).verdict == "done"
        assert table.view.scoresheet is not None
        assert table.view.scoresheet.players == ("Guest 1", "South")
        table.send(requests.GameResumed("game-1"))
        assert table.view.player == "Guest 1"
        table.clock.advance(1)
        table.undo()
        assert table.events[-1] == Retraction(1)

    def test_a_deleted_player_of_other_games_changes_nothing_here(self, table: Table) -> None:
        table.roll("11111")
        before = table.view
        assert table.send(requests.PlayerDeleted("p1", ("West",))).verdict == "done"
        assert at_rest(table.view) == at_rest(before)

    def test_a_deleted_game_leaves_the_table(self, table: Table) -> None:
        table.open("East")
        assert table.send(requests.GameDeleted("game-1")).verdict == "done"
        assert table.stage() == "rolling"
        assert table.send(requests.GameDeleted("game-2")).verdict == "done"
        assert table.send(requests.GameDeleted("game-2")).verdict == "unchanged"
        assert table.stage() == "no game"
        assert table.store.headers() == ()

    def test_a_deleted_game_is_taken_back_from_the_bin(self, table: Table) -> None:
        table.roll("55521")
        shown = table.view.scoresheet, table.view.turn
        table.send(requests.GameDeleted("game-1"))
        (binned,) = table.store.games(in_bin=True)
        assert binned.deleted_at == table.time_of_day.now
        refused = table.send(requests.GameResumed("game-1"))
        assert (refused.verdict, "in the bin" in str(refused.notice)) == ("refused", True)
        assert table.stage() == "no game"
        assert table.send(requests.GameTakenBack("game-1")).verdict == "done"
        assert table.stage() == "no game"
        table.send(requests.GameResumed("game-1"))
        assert (table.view.scoresheet, table.view.turn) == shown

    def test_a_game_in_the_bin_is_deleted_for_good(self, table: Table) -> None:
        table.send(requests.GameDeleted("game-1"))
        assert table.send(requests.GameDeleted("game-1", for_good=True)).verdict == "done"
        assert table.store.games(in_bin=True) == ()
        assert table.send(requests.GameTakenBack("game-1")).verdict == "refused"

    def test_a_table_starts_without_what_is_in_the_bin(self, table: Table) -> None:
        table.open("East")
        table.send(requests.GameDeleted("game-2"))
        again = Table(table.store)
        again.session.resume_newest()
        assert again.view.game_id == "game-1"

    def test_a_finished_game_is_over_but_can_be_taken_back(self) -> None:
        table = Table().opened("East")
        finish(table)
        assert table.view.outcome is not None
        assert table.view.pointer is None
        for action in (requests.Action.KEEP, requests.Action.REROLL):
            assert "over" in str(table.press(action).notice)
        assert table.roll("66666").verdict == "unchanged"
        table.undo()
        assert table.stage() == "choosing"
        assert table.view.outcome is None


class TestRestart:
    """What goes on after the process ended."""

    def test_the_newest_unfinished_game_goes_on(self, table: Table) -> None:
        before = table.view
        table.open("East")
        finish(table)
        table.open("West")
        table.abandon()
        after = Table(table.store)
        after.session.resume_newest()
        assert at_rest(after.view) == at_rest(before)
        assert len(after.announcer.views) == 1

    def test_a_game_that_cannot_be_read_is_reported_and_passed_over(self, table: Table) -> None:
        """A transcript that contradicts itself does not keep the table from starting."""
        broken = GameHeader("broken", "yahtzee", ("East",), EVENING)
        table.store.open_game(broken)
        table.store.append(
            "broken", 0, [RecordedEvent("broken", 1, EVENING, "page", 1, Retraction(7))]
        )
        after = Table(table.store)
        after.session.resume_newest()
        assert after.view.game_id == "game-1"
        assert "Game “broken” cannot be read" in str(after.view.notice)

    def test_an_unknown_rulebook_is_named(self, table: Table) -> None:
        table.store.open_game(GameHeader("other", "chess", ("East",), EVENING))
        answer = table.send(requests.GameResumed("other"))
        assert "no game called “chess”" in str(answer.notice)


class TestBest:
    """Solo play against the own best (YZ-20)."""

    def test_a_lone_player_plays_against_their_best(self) -> None:
        """The best of this player's other finished solo games, and of no one else's."""
        table = Table().opened("East")
        assert table.view.best is None
        finish(table)
        assert table.view.outcome is not None
        reached = table.view.outcome.ranking[0].points
        table.open("West")
        assert table.view.best is None
        table.open("East", "West")
        assert table.view.best is None
        table.store.open_game(GameHeader("broken", "yahtzee", ("East",), EVENING))
        table.store.append(
            "broken", 0, [RecordedEvent("broken", 1, EVENING, "page", 1, Retraction(7))]
        )
        table.open("East")
        assert table.view.best == reached

    def test_of_games_under_the_same_rules_the_lowest_is_best_where_it_wins(self) -> None:
        table, golf = Table(), {"name": "Golf", "winner": "lowest"}
        for points, rules in (("90", golf), ("72", golf), ("81", golf), ("3", {"name": "Darts"})):
            table.begin("free-sheet", "East", **rules)
            table.choose("write:0", points)
            table.choose("end")
        table.begin("free-sheet", "East", **golf)
        assert table.view.best == 72
        table.choose("write:0", "71")
        table.choose("end")
        assert str(announcements.result(table.view)) == "71 points, your best so far!"


class TestDisk:
    """A store that fails."""

    def test_nothing_is_shown_that_was_not_stored(self, table: Table) -> None:
        store = table.store
        assert isinstance(store, FailingStore)
        table.roll("66666")
        before = table.view
        store.full = True
        answer = table.reroll()
        assert (answer.verdict, answer.notice) == ("refused", FULL)
        assert table.view.paused == FULL
        assert table.view.proposal == before.proposal
        assert table.view.sequence == before.sequence

    def test_with_room_again_the_same_press_works(self, table: Table) -> None:
        store = table.store
        assert isinstance(store, FailingStore)
        table.roll("66666")
        store.full = True
        table.reroll()
        seen = table.view.version
        store.full = False
        again = table.send(requests.Pressed(requests.Action.REROLL, table.clock(), seen))
        assert again.verdict == "done"
        assert table.view.paused is None
        assert table.events[-1] == DiceRolled(Roll.parse("66666"))

    def test_a_game_that_cannot_be_stored_is_not_opened(self) -> None:
        store = FailingStore()
        store.full = True
        table = Table(store)
        assert table.open().notice == FULL
        assert (table.stage(), table.view.paused) == ("no game", FULL)

    def test_what_something_else_wrote_is_taken_up(self, table: Table) -> None:
        event = DiceRolled(Roll.parse("11111"))
        table.store.append("game-1", 1, [RecordedEvent("game-1", 2, EVENING, "hub", 2, event)])
        answer = table.choose("stand")
        assert answer.verdict == "stale"
        assert [die.face for die in table.view.last_roll] == [1] * 5
        assert table.choose("stand").verdict == "done"

    def test_an_id_that_is_taken_opens_nothing(self, table: Table) -> None:
        table.store.open_game(GameHeader("game-2", "yahtzee", ("East",), EVENING))
        assert table.open("West").verdict == "stale"
        assert table.view.game_id == "game-1"


class TestCamera:
    """What the camera says of itself."""

    def test_a_lost_camera_is_reported_and_play_goes_on_by_hand(self, table: Table) -> None:
        cause = message("The camera was unplugged.")
        table.send(requests.TableStatusChanged(requests.TableStatus.LOST, cause))
        assert camera(table) == (requests.TableStatus.LOST, cause)
        assert table.choose("roll", "66666").verdict == "done"
        assert table.view.camera_notice == cause
        table.send(requests.TableStatusChanged(requests.TableStatus.MOVING))
        assert camera(table) == (requests.TableStatus.MOVING, None)
        nothing = message("Nothing was found in the photo.")
        table.send(requests.TableStatusChanged(requests.TableStatus.STILL, nothing))
        assert camera(table) == (requests.TableStatus.STILL, nothing)

    def test_the_view_shows_how_well_the_table_is_seen(self) -> None:
        table = Table()
        unseen = table.view.health
        assert unseen is None
        table.send(requests.HealthChanged(DARK))
        table.open()
        assert table.view.health == DARK
        assert table.send(requests.HealthChanged(DARK)).verdict == "unchanged"
        table.send(requests.HealthChanged(None))
        assert table.view.health is None


class TestPolicy:
    """The stated policy that confirms without a press."""

    @pytest.mark.parametrize(
        ("faces", "confidence", "seconds", "recorded"),
        [
            ("66666", 0.99, 5, True),
            ("66666", 0.99, 4.9, False),
            ("66666", 0.94, 5, False),
            ("6666?", 0.99, 5, False),
        ],
    )
    def test_a_sure_and_steady_reading_is_recorded(
        self, faces: str, confidence: float, seconds: float, *, recorded: bool
    ) -> None:
        """After five seconds at 95 % it is as if REROLL had been pressed."""
        table = Table(policy=ConfirmPolicy(seconds=5, confidence=0.95)).opened()
        table.show(reading(faces, confidence=confidence))
        table.tick(seconds - 1)
        assert [each.step for each in table.confirmed] == [1] * recorded
        records = table.store.events("game-1")
        assert [one.confirmed_by for one in records] == ["camera"] * recorded
        assert table.stage() == "rolling"

    def test_what_a_person_touched_or_doubts_is_left_to_them(self) -> None:
        table = Table(policy=ConfirmPolicy(seconds=5, confidence=0.5)).opened()
        table.show(reading("66666", doubts=(FULL,)))
        assert table.tick(60).verdict == "unchanged"
        table.correct(0, 5)
        assert table.tick(60).verdict == "unchanged"

    def test_without_a_policy_time_confirms_nothing(self, table: Table) -> None:
        table.roll("66666")
        assert table.tick(600).verdict == "unchanged"

    def test_time_without_a_roll_is_only_time(self) -> None:
        table = Table(policy=ConfirmPolicy(seconds=5, confidence=0.5))
        assert table.tick().verdict == "unchanged"
        table.open()
        assert table.tick().verdict == "unchanged"


class TestConfirmers:
    """Who confirmed an event stands beside it."""

    def test_a_page_names_its_device(self, table: Table) -> None:
        """Whatever it asks for; one that the table does not know is nobody."""
        before = len(table.events)
        table.send(requests.Chosen("score:aces", table.view.version), "phone-1")
        table.send(requests.GameAbandoned(table.view.version), "here")
        table.act(requests.GameResumed("game-1"), by="phone-2")
        undo = requests.Pressed(requests.Action.UNDO, table.clock(), table.view.version)
        assert table.send(undo).verdict == "done"
        records = table.store.events("game-1")[before:]
        steps = {record.step: (record.source, record.confirmed_by) for record in records}
        assert list(steps.values()) == [
            ("page", "phone-1"),
            ("page", "here"),
            ("page", "phone-2"),
            ("page", UNKNOWN),
        ]

    def test_the_panel_is_the_buttons(self) -> None:
        table = Table().opened()
        table.show(reading("66666"))
        table.act(requests.DieCorrected(0, 5, table.view.version), by="phone-1")
        table.reroll()
        assert {one.confirmed_by for one in table.store.events("game-1")} == {"buttons"}


def score(table: Table, box: str) -> None:
    """A whole turn of the player whose turn it is."""
    table.choose("roll", "33516")
    table.choose("stand")
    table.choose(f"score:{box}")
    table.choose(f"score:{box}")  # a 0 is asked about


def joins(table: Table, player: str) -> requests.Answer:
    return table.act(requests.PlayerJoined(player, table.view.version))


def seats(table: Table) -> tuple[str, ...]:
    assert table.view.scoresheet is not None
    return table.view.scoresheet.players


class TestJoining:
    """Somebody sits down in a running game."""

    @pytest.mark.parametrize("turns", [0, 1, 2])
    def test_who_joins_plays_last_in_each_round(self, turns: int) -> None:
        """Until everybody has played once; all get all turns, and the end waits for everyone."""
        table = Table().opened()
        for _ in range(turns):
            score(table, "chance")
        assert joins(table, " Dora ").verdict == "done"
        assert seats(table) == table.store.header("game-1").players == ("North", "South", "Dora")
        played = [table.view.player]
        for _ in range(3 - turns):
            score(table, "chance")
            played.append(table.view.player)
        assert played == ["North", "South", "Dora", "North"][turns:]
        finish(table)
        assert table.view.outcome is not None
        totals = {each.player: each.points for each in table.view.outcome.ranking}
        assert totals["Dora"] > 0

    def test_in_the_second_round_it_is_too_late(self) -> None:
        table = Table().opened()
        score(table, "chance")
        score(table, "chance")
        table.choose("roll", "33516")
        answer = joins(table, "Dora")
        assert (answer.verdict, seats(table)) == ("refused", ("North", "South"))
        assert "You can join in the first round" in str(answer.notice)
        assert "new game with Dora" in str(answer.notice)

    def test_who_missed_the_roll_for_the_start_learns_why(self) -> None:
        table = Table().opened(start="roll-off")
        table.choose("start", "33516")
        table.choose("start", "66666")
        table.choose("roll", "11345")
        answer = joins(table, "Dora")
        assert (answer.verdict, seats(table)) == ("refused", ("North", "South"))
        assert "not after the roll for who starts" in str(answer.notice)

    def test_undo_takes_them_out_again(self) -> None:
        """After what was done since; then it goes on with what was done before."""
        table = Table().opened()
        score(table, "chance")
        before = at_rest(table.view)
        joins(table, "Dora")
        table.choose("roll", "11111")
        table.undo()
        assert str(table.view.undo) == "Undo Dora joined"
        table.undo()
        assert at_rest(table.view) == replace(before, sequence=table.view.sequence)
        assert table.store.header("game-1").players == ("North", "South")
        assert str(table.view.undo).startswith("Undo 18 in Chance")

    def test_a_waiting_roll_stays_with_whoever_rolled_it(self) -> None:
        table = Table().opened()
        score(table, "chance")
        table.roll("33516")
        waiting = table.proposal.roll
        assert joins(table, "Dora").verdict == "done"
        assert (table.view.player, table.proposal.roll) == ("South", waiting)
        table.undo()
        table.undo()
        score(table, "chance")
        table.roll("11345")
        answer = joins(table, "Dora")
        assert answer.verdict == "refused"
        assert "Confirm or reject the waiting roll" in str(answer.notice)

    @pytest.mark.parametrize(
        ("game", "joined", "says"),
        [
            ("free-sheet", "Dora", None),
            ("rummikub", "Dora", None),
            ("yahtzee", "North", "Two players"),
            ("yahtzee", "", "1 to"),
        ],
    )
    def test_before_anything_was_done_every_game_takes_players(
        self, game: str, joined: str, says: str | None
    ) -> None:
        table = Table().begin(game, "North", "South")
        answer = joins(table, joined)
        assert answer.verdict == ("done" if says is None else "refused")
        assert says is None or says in str(answer.notice)

    def test_rummikub_takes_nobody_in_once_it_has_begun(self) -> None:
        """Tiles are dealt, and a round is scored for those who began it."""
        table = Table().begin("rummikub", "North", "South")
        offer = next(each for each in table.view.offers if not each.key.startswith("leave"))
        while not table.events:
            table.choose(offer.key, "7" if table.view.asking is None else None)
            offer = next(each for each in table.view.offers if each.key != offer.key)
        answer = joins(table, "Dora")
        assert answer.verdict == "refused"
        assert "can’t join this game once it has begun" in str(answer.notice)
