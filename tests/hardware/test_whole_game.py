"""A whole game with two buttons: pictures in, presses through bouncing pins, lamps out."""

from __future__ import annotations

import logging
from itertools import cycle

import pytest
from gpiozero.pins.mock import MockFactory

from hardware.lamps import Lamp, Lamps
from scoreboard.games.notation import export_text, replay_text
from scoreboard.table.requests import Action, Answer, GameOpened, Pressed, Proposed
from scoreboard.table.session import TableSession
from tests.hardware.fake_wires import BOUNCES_MS, LAMP_PINS, Wires
from tests.scoreboard.storage.memory_store import MemoryStore
from tests.vision.fake_table import KnowingRecogniser, Table, die
from vision.capture.frame import Frame
from vision.watch.pipeline import Pictures, TablePipeline

# Box, first throw, second throw, points in the box. By hand: the upper boxes are
# 3 + 6 + 9 + 12 + 15 + 18 = 63, so the bonus of 35 is won; the lower boxes are
# 21 + 22 + 25 + 30 + 40 + 50 + 27 = 215; in all 63 + 35 + 215 = 313.
TURNS = (
    ("aces", "11234", "11123", 3),
    ("twos", "22345", "22213", 6),
    ("threes", "33451", "33316", 9),
    ("fours", "44123", "44412", 12),
    ("fives", "55123", "55513", 15),
    ("sixes", "66123", "66612", 18),
    ("three-of-a-kind", "66312", "66612", 21),
    ("four-of-a-kind", "55123", "55552", 22),
    ("full-house", "33122", "33322", 25),  # 9 + 4 dots: the box counts 25
    ("small-straight", "12345", "12346", 30),
    ("large-straight", "23455", "23456", 40),
    ("yahtzee", "44123", "44444", 50),
    ("chance", "66512", "66555", 27),
)
TOTAL = 313
BOTH = 2


class Night:
    """A table with a camera, three buttons and three lamps, all on one fake clock."""

    def __init__(self) -> None:
        self.table = Table(noise=2)
        self.recogniser = KnowingRecogniser()
        self.pipeline = TablePipeline(self.recogniser, Pictures())
        self.wires = Wires(listener=lambda action, at: self.receive(Pressed(action, at)))
        self.lamp_pins = MockFactory()
        self.lamps = Lamps(LAMP_PINS, self.lamp_pins)
        self.lamps.open()
        self.wires.buttons.open()
        self.store = MemoryStore()
        self.answers: list[Answer] = []
        self.session = TableSession(
            self.store,
            self.wires.clock.utc,
            [self.lamps],
            lambda: "night",
            read_again=self.pipeline.read_again,
        )
        self.bounces = cycle(BOUNCES_MS)
        self.frames = 0
        self.shift = 0
        self.places: tuple[tuple[int, int], ...] = ()

    def close(self) -> None:
        self.wires.buttons.close()
        self.lamps.close()

    def receive(self, table_request: Pressed) -> None:
        self.answers.append(self.session.receive(table_request))

    def press(self, action: Action) -> None:
        """Press a bouncing button and look at the table for a while."""
        self.wires.press(action, next(self.bounces))

    def watch(self, frames: int, *, hand: bool = False) -> int:
        """Let the camera see the table; gives how many proposals came."""
        proposals = 0
        for number in range(frames):
            reach = 120 + 20 * number if hand else 0
            image = self.table.picture(self.places, hand=reach)
            self.frames += 1
            self.wires.pass_on(0.1)
            for happening in self.pipeline.feed(Frame(self.frames, self.wires.clock.utc(), image)):
                proposals += isinstance(happening, Proposed)
                self.session.receive(happening)
        return proposals

    def throw(self, faces: str) -> None:
        """A hand comes, the dice roll, the table is at rest, and looked at."""
        assert self.watch(3, hand=True) == 0
        self.shift = (self.shift + 1) % 3
        self.places = tuple(  # no two dice move alike, as if the tray had been pushed
            (40 + 110 * at, 20 + 110 * ((at + self.shift) % 3)) for at in range(len(faces))
        )
        self.recogniser.dice = tuple(
            die(face, left, top) for face, (left, top) in zip(faces, self.places, strict=True)
        )
        assert self.watch(9) == 1
        assert self.shining() == {Lamp.CONFIRM}
        self.wires.pass_on(0.4)

    def choose(self, box: str) -> None:
        """Step to the box with REROLL, and score it with KEEP."""
        while self.session.view.pointer != f"score:{box}":
            assert self.session.view.pointer is not None
            self.press(Action.REROLL)
        self.press(Action.KEEP)

    def stage(self) -> str:
        return self.session.view.stage

    def shining(self) -> set[Lamp]:
        return {lamp for lamp, pin in LAMP_PINS.items() if self.lamp_pins.pin(pin).state}

    def open(self) -> None:
        """Set up the game on the page: the only thing that no button does."""
        self.session.receive(GameOpened("yahtzee", ("North", "South"), {"start": "first"}))
        self.wires.pass_on(0.4)


@pytest.fixture
def night() -> Night:
    """A game for two, ready for the first throw."""
    night = Night()
    night.open()
    return night


def test_a_whole_game_is_played_with_two_buttons(night: Night) -> None:
    """26 turns by REROLL and KEEP alone come out as they do on paper, every press counted."""
    presses = 0
    for number, (box, first, second, _points) in enumerate(
        turn for turn in TURNS for _ in range(BOTH)
    ):
        assert night.shining() == {Lamp.READY}
        if number % BOTH == 0:
            night.throw(first)
            night.press(Action.REROLL)
        night.throw(second)
        night.press(Action.KEEP)
        assert night.stage() == "choosing"
        assert night.shining() == {Lamp.CONFIRM}
        night.choose(box)
        presses = len(night.wires.presses)
    assert night.stage() == "finished"
    assert night.shining() == set()
    assert len(night.answers) == presses
    assert {answer.verdict for answer in night.answers} == {"done"}
    check_sheet(night)
    night.close()


def check_sheet(night: Night) -> None:
    """Both columns are those on paper, and the export replays to the same sheet."""
    sheet = night.session.view.scoresheet
    assert sheet is not None
    for box, _, _, points in TURNS:
        assert [cell.points for cell in sheet.row(box).cells] == [points] * BOTH
    assert [cell.points for cell in sheet.row("grand").cells] == [TOTAL] * BOTH
    records = night.store.events("night")
    text = export_text(night.store.header("night"), records)
    assert text.count("\nscore ") == len(TURNS) * BOTH
    replayed = replay_text(text)
    assert replayed.game.scoresheet(replayed.state) == sheet
    assert {record.source for record in records} == {"button"}


def test_undo_rejects_a_reading_and_takes_back_a_score(night: Night) -> None:
    """UNDO passes over a reading until the dice move; on a score it takes the score back."""
    night.throw("33516")
    night.press(Action.UNDO)
    assert night.session.view.proposal is None
    assert night.shining() == {Lamp.READY}
    assert night.watch(12) == 0
    night.throw("33516")
    night.press(Action.KEEP)
    night.choose("chance")
    assert night.session.view.player == "South"
    night.press(Action.UNDO)
    assert night.session.view.player == "North"
    assert night.stage() == "choosing"
    night.close()


def test_a_press_on_what_just_appeared_does_nothing(
    night: Night, caplog: pytest.LogCaptureFixture
) -> None:
    """Pressed 100 ms after the reading came: it meant what was shown before, as the log says."""
    caplog.set_level(logging.INFO, "scoreboard")
    night.places = ((40, 30), (150, 30), (260, 30), (370, 30), (480, 30))
    night.recogniser.dice = tuple(die("2", left, top) for left, top in night.places)
    while night.session.view.proposal is None:
        night.watch(1)
    night.wires.pass_on(0.1)
    night.press(Action.KEEP)
    assert night.answers[-1].verdict == "stale"
    assert "press KEEP (button), game night: too early" in caplog.text
    assert night.stage() == "rolling"
    night.press(Action.KEEP)
    assert night.stage() == "choosing"
    night.close()
