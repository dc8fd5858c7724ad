"""What the camera saw answers one question; UNDO always gets further back."""

from __future__ import annotations

from dataclasses import replace

import pytest

from scoreboard.games.engine.transcript import Retraction
from scoreboard.games.rummikub.acts import RackSummed
from scoreboard.table.button_actions import ConfirmPolicy
from scoreboard.table.proposal import Proposal
from scoreboard.table.requests import (
    Action,
    Answer,
    GameOpened,
    GameResumed,
    Proposed,
    ReadAgain,
    TableStatus,
    TableStatusChanged,
)
from tests.scoreboard.table.fakes import Table, reading
from tests.scoreboard.table.seen import seen

RUMMIKUB = {"clock": "off", "turns": "scores"}


def photo(proposal: Proposal, frame: int) -> Proposal:
    """The same from a photo by itself."""
    return replace(proposal, frame=frame, photo=True)


class Camera:
    """Reads what lies there as often as the table asks, and never looks away."""

    def __init__(self, table: Table) -> None:
        self.table = table
        self.lies: Proposal | None = None
        self._read = table.readings_asked

    def lay(self, proposal: Proposal) -> None:
        self.lies = proposal
        self.table.show(proposal)
        self.obey()

    def obey(self) -> None:
        while self._read < self.table.readings_asked:
            self._read = self.table.readings_asked
            if self.lies is not None:
                self.table.show(self.lies)

    def press(self, action: Action, after_seconds: float = 1.0) -> Answer:
        answer = self.table.press(action, after_seconds)
        self.obey()
        return answer


def opened(game: str, *players: str, **options: str) -> tuple[Table, Camera]:
    """A game of these players under a camera."""
    table = Table().begin(game, *players, **options)
    return table, Camera(table)


def retracted(table: Table) -> list[int]:
    return [event.of for event in table.events if isinstance(event, Retraction)]


@pytest.mark.parametrize("seconds", [0.05, 0.15, 0.4, 2.0])
@pytest.mark.parametrize("by_photo", [False, True], ids=["live", "photo"])
class TestUndo:
    """So many presses of UNDO go so many steps back, at any speed (dice S1, tiles A1)."""

    def test_dice(self, seconds: float, *, by_photo: bool) -> None:
        """The reading that waits, then the box, then the roll of the player before."""
        table, camera = opened("yahtzee", "North", "South", start="first")
        for frame, faces in enumerate(("33516", "22455")):
            dice = reading(faces, [20 * frame + at for at in range(5)])
            camera.lay(photo(dice, frame) if by_photo else dice)
            if not frame:
                camera.press(Action.KEEP)
                camera.press(Action.KEEP)
        assert table.view.player == "South"
        for _ in range(3):
            assert camera.press(Action.UNDO, seconds).verdict == "done"
        assert retracted(table) == [3, 2, 1]
        assert (table.view.player, table.rolls_made) == ("North", 0)

    def test_tiles(self, seconds: float, *, by_photo: bool) -> None:
        """Joon has begun to lay; Mina's turn is taken back, and what came before it."""
        table, camera = opened("rummikub", "Mina", "Joon", clock="off")
        table.choose("begin:0")
        for frame, tiles in enumerate(("K10 R10 B10", "K10 R10 B10, R11 B11 K11")):
            camera.lay(photo(seen(tiles), frame) if by_photo else seen(tiles, frame=frame))
            if not frame:
                camera.press(Action.KEEP)
        assert table.view.pieces is not None
        for _ in range(3):
            assert camera.press(Action.UNDO, seconds).verdict == "done"
        assert retracted(table) == [2, 1]
        assert table.view.undo is None

    def test_cards(self, seconds: float, *, by_photo: bool) -> None:
        """The card that waits, then the two that were played."""
        table, camera = opened("tongtong", "Ann", "Ben", "Cid")
        mission = next(each.key for each in table.view.offers if each.key.startswith("mission:"))
        table.choose(mission)
        table.choose("leader:0")
        for frame, cards in enumerate(("R7", "R7 R2", "B4 R7 R2")):
            camera.lay(photo(seen(cards), frame) if by_photo else seen(cards, frame=frame))
            if frame < 2:
                camera.press(Action.KEEP)
        before = len(table.events)
        for _ in range(3):
            assert camera.press(Action.UNDO, seconds).verdict == "done"
        assert len(retracted(table)) == 2
        assert retracted(table) == [before, before - 1]


class TestRejected:
    """What was rejected comes back when something changes, or a person wants it."""

    @pytest.fixture
    def table(self) -> Table:
        """A reading was rejected."""
        table, camera = opened("yahtzee", "North", "South", start="first")
        camera.lay(reading("33516"))
        camera.press(Action.UNDO)
        assert table.view.proposal is None
        return table

    def test_read_again_offers_it(self, table: Table) -> None:
        asked = table.readings_asked
        assert table.read_again().verdict == "done"
        assert table.readings_asked == asked + 1
        assert table.show(reading("33516")).verdict == "done"
        assert table.view.proposal is not None

    def test_motion_offers_it(self, table: Table) -> None:
        table.send(TableStatusChanged(TableStatus.MOVING))
        table.show(reading("33516"))
        assert table.view.proposal is not None

    def test_a_new_photo_offers_it(self) -> None:
        """The photo before is not read again by itself; another one of the same dice is."""
        table, camera = opened("yahtzee", "North", "South", start="first")
        camera.lay(photo(reading("33516"), 4))
        camera.press(Action.UNDO)
        table.show(photo(reading("33516"), 4))
        assert table.view.proposal is None
        table.show(photo(reading("33516"), 5))
        assert table.view.proposal is not None

    def test_patience_does_not_record_what_was_taken_back(self) -> None:
        table = Table(policy=ConfirmPolicy(1, 0.5)).opened()
        table.show(reading("33516"))
        table.reroll()
        table.undo()
        table.tick(60)
        assert table.view.proposal is not None
        assert table.rolls_made == 0


class TestOneQuestion:
    """A picture belongs to the question that it answered (tiles A2, A3)."""

    @pytest.mark.parametrize("by_photo", [False, True], ids=["live", "photo"])
    def test_one_rack_is_booked_for_one_player(self, *, by_photo: bool) -> None:
        """Also when KEEP is pressed twice: Haru's rack waits to be shown."""
        table, camera = opened("rummikub", "Mina", "Joon", "Haru", **RUMMIKUB)
        table.choose("rummikub:0")
        rack = seen("K1 R2 O12 B3")
        camera.lay(photo(rack, 1) if by_photo else rack)
        assert "Joon" in str(table.view.keep)
        camera.press(Action.KEEP, 0.5)
        assert table.view.pieces is None
        camera.press(Action.KEEP)
        assert [each.player for each in table.events if isinstance(each, RackSummed)] == ["Joon"]
        other = seen("K1 R2 O12 B3") if by_photo else seen("K5 R2 O12 B3")
        camera.lay(photo(other, 2) if by_photo else other)
        assert "Haru" in str(table.view.keep)

    def test_a_rack_that_was_entered_by_hand_is_no_other_players(self) -> None:
        """Its picture waited; the same is not the next player's."""
        table, camera = opened("rummikub", "Mina", "Joon", "Haru", **RUMMIKUB)
        table.choose("rummikub:0")
        camera.lay(seen("K1 R2 O12 B3"))
        table.choose("points:1", "18")
        camera.obey()
        assert table.view.pieces is None

    @pytest.mark.parametrize("by_photo", [False, True], ids=["live", "photo"])
    def test_the_table_is_no_rack(self, *, by_photo: bool) -> None:
        """Mina calls Rummikub while the board lies there."""
        table, camera = opened("rummikub", "Mina", "Joon", clock="off")
        table.choose("begin:0")
        board = seen("K10 R10 B10")
        camera.lay(photo(board, 1) if by_photo else board)
        camera.press(Action.KEEP)
        table.choose("stop:1") if "stop:1" in offers(table) else table.choose("rummikub:1")
        camera.obey()
        assert table.view.pieces is None

    @pytest.mark.parametrize("by_photo", [False, True], ids=["live", "photo"])
    @pytest.mark.parametrize("away", [False, True], ids=["under way", "put away"])
    def test_a_new_game_begins_with_what_is_laid_for_it(
        self, *, by_photo: bool, away: bool
    ) -> None:
        """The tiles of the game before are nobody's, until the table has changed."""
        table, camera = opened("rummikub", "Mina", "Joon", clock="off")
        table.choose("begin:0")
        board = seen("K10 R10 B10, R1 R2 R3")
        camera.lay(photo(board, 1) if by_photo else board)
        if away:
            table.abandon()
        table.begin("rummikub", "Haru", "Mina", clock="off")
        camera.obey()
        assert table.view.pieces is None
        table.choose("begin:0")
        camera.obey()
        assert table.view.pieces is None
        fresh = seen("K10 R10 B10")
        camera.lay(photo(fresh, 2) if by_photo else fresh)
        assert table.view.pieces is not None

    def test_dice_of_the_game_before_are_no_roll_of_the_new_one(self) -> None:
        table, camera = opened("yahtzee", "North", start="first")
        camera.lay(reading("33516"))
        table.open("East")
        camera.obey()
        table.show(reading("33516"))
        assert table.view.proposal is None
        table.read_again()
        table.show(reading("33516"))
        assert table.view.proposal is not None

    def test_dice_rolled_before_the_game_was_opened_count(self) -> None:
        """Nobody played then: they are the first roll."""
        table = Table()
        table.show(reading("33516"))
        table.send(GameOpened("yahtzee", ("North",), {"start": "first"}))
        assert table.readings_asked == 1
        table.show(reading("33516"))
        assert table.view.proposal is not None

    def test_a_game_taken_up_again_reads_its_own_roll(self) -> None:
        table, camera = opened("yahtzee", "North", start="first")
        camera.lay(reading("33516"))
        table.abandon()
        table.send(GameResumed("game-1"))
        camera.obey()
        assert table.view.proposal is not None


def offers(table: Table) -> set[str]:
    return {offer.key for offer in table.view.offers}


@pytest.mark.parametrize("opens", [False, True])
def test_a_picture_of_before_the_start_waits_for_read_again(*, opens: bool) -> None:
    """It may have been answered then; not in a game that is opened later either."""
    table, camera = Table(), photo(reading("33516"), 0)
    table.send(GameOpened("yahtzee", ("North", "South"), {"start": "first"}))
    if opens:
        table.abandon()
        table.send(Proposed(camera, known=True))
        table.send(GameOpened("yahtzee", ("East", "West"), {"start": "first"}))
    else:
        table.send(Proposed(camera, known=True))
    table.send(Proposed(camera))  # asked for by the table itself
    assert table.view.proposal is None
    table.send(ReadAgain(table.view.version))
    table.send(Proposed(camera))
    assert table.view.proposal is not None
