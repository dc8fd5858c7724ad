"""A whole demo evening in one thread: the demo's camera and pictures, the session, and a clock.

The pictures are not read, but what they show is told by the truth that was kept when they were
rendered; a tenth of a second passes with each.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any, Final

from hardware.cameras.demo import DemoCamera
from scoreboard.message import Message, message
from scoreboard.table.proposal import Proposal, TableDie
from scoreboard.table.requests import (
    Action,
    GameOpened,
    Pressed,
    Proposed,
    TableRequest,
    TableStatus,
    TableStatusChanged,
    Ticked,
)
from scoreboard.table.session import TableSession
from scoreboard.table.view import TableView
from tests.scoreboard.storage.memory_store import MemoryStore
from tests.scoreboard.table.fakes import FakeClock, Table, reading
from tests.scoreboard.table.seen import seen
from web.table.play.demo import Demo, demo_reader, open_show

TRUTHS: Final = Path(__file__).parents[1] / "hardware" / "cameras"
DIE_SIDE: Final = 60.0
GLARE: Final = message("Is this a 4 or a 5?")
STILL_PICTURES: Final = 8  # that the table must rest before it is read
LONGEST_WAIT: Final = 20.0  # seconds with nothing to press
PAUSE: Final = 0.8  # a visitor's, from what is shown to a press


def _truth(evening: str) -> dict[str, Any]:
    path = TRUTHS / f"demo_{evening}_truth.json"
    found: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return found


DICE: Final = _truth("evening")["turns"]
TILES: Final = _truth("rummikub")
CARDS: Final = _truth("tongtong")["tables"]
SHOWN: Final = {"glare": "45566", "five-alike": "55555"}


class ToldCamera(DemoCamera):
    """The demo camera without decoding: which picture would be taken, and what lies there."""

    def look(self) -> tuple[object, bool]:
        """What is shown, and whether it is the last picture of it, in which all lies still."""
        if self._follower is not None:
            self._follower()
        path, _ = self._next_picture()
        shown, pictures = self._shown, self._shown_pictures()
        return shown, not pictures or path == pictures[-1]


class NotingCamera(ToldCamera):
    """A demo camera that only notes what it shall show: throws of dice, and steps of evenings."""

    def __init__(self) -> None:
        super().__init__(sleep=lambda _seconds: None)
        self.throws: list[tuple[int, int]] = []
        self.steps: list[tuple[str, str, int]] = []

    def show(self, turn: int, throw: int) -> None:
        """Note it."""
        self.throws.append((turn, throw))

    def show_table(self, evening: str, step: str, table: int) -> None:
        """Note it."""
        self.steps.append((evening, step, table))


class NotedDemo:
    """A table before a demo camera that only notes what it shall show."""

    def __init__(self, opening: GameOpened | None = None, store: MemoryStore | None = None) -> None:
        self.table, self.camera = Table(store), NotingCamera()
        self.camera.__enter__()
        demo = Demo(self.camera)
        self.table.session._announcers = (demo,)
        demo.start(self.table.session.receive)
        if opening is not None:
            self.table.session.receive(opening)
            self.table.clock.advance(1)

    @property
    def shown(self) -> tuple[int, int]:
        """The turn and the throw that are shown."""
        return self.camera.throws[-1]

    @property
    def laid(self) -> tuple[str, int]:
        """The step and the table that are shown."""
        evening, step, table = self.camera.steps[-1]
        assert evening == f"demo_{self.table.view.game}"
        return step, table


class Evening:
    """A demo of one game; `step` lets a tenth of a second pass."""

    def __init__(self, opening: GameOpened | None = None) -> None:
        self.clock = FakeClock()
        self.camera = ToldCamera(sleep=lambda _seconds: None)
        self.demo = Demo(self.camera)
        self.store = MemoryStore()
        self.sentences: set[Message] = set()
        self.longest = 0.0
        self._due: list[TableRequest] = []
        self._still = 0
        self._read: object = None
        self._frame = 0
        self._asked_again = True
        numbers = iter(range(1_000_000))
        self.session = TableSession(
            self.store,
            self.clock,
            [self.demo],
            lambda: f"game {next(numbers)}",
            read_again=self._read_again,
        )
        self.camera.__enter__()
        self.demo.start(self._due.append)
        self.session.receive(opening or open_show(self.store, self.clock()))

    @property
    def readings(self) -> int:
        """How many pictures were read."""
        return self._frame

    @property
    def view(self) -> TableView:
        """What the table shows."""
        return self.session.view

    def press(self, action: Action) -> str:
        """A press of the panel; what came of it."""
        self.pass_time(0.4)
        pressed = Pressed(action, self.clock(), self.view.version)
        return self.session.receive(pressed).verdict

    def pass_time(self, seconds: float) -> None:
        """So many seconds, picture by picture."""
        for _ in range(round(seconds * 10)):
            self.step()

    def step(self) -> None:
        """A tenth of a second: one picture, and the clock of the turn."""
        self.clock.advance(0.1)
        shown, at_rest = self.camera.look()
        while self._due:
            self.session.receive(self._due.pop(0))
        if self.view.clock is not None:
            self.session.receive(Ticked(self.clock()))
        self._watch(shown, at_rest=at_rest)
        words = self.demo.coming(self.view)
        self.sentences |= set() if words is None else {words}

    def _read_again(self) -> None:
        self._asked_again, self._still = True, 0

    def _watch(self, shown: object, *, at_rest: bool) -> None:
        """As the pipeline does: read once the table rests, and the same only when asked."""
        self._still = self._still + 1 if at_rest else 0
        self.session.receive(
            TableStatusChanged(TableStatus.STILL if self._still else TableStatus.MOVING)
        )
        if self._still != STILL_PICTURES or (shown == self._read and not self._asked_again):
            return
        proposal = self._proposal(shown)
        if proposal is None:
            return
        self._read, self._asked_again = shown, False
        self.session.receive(Proposed(proposal))

    def _proposal(self, shown: Any) -> Proposal | None:
        self._frame += 1
        reader = demo_reader(self.view)
        if shown is None:
            return None
        evening, step, number = shown
        if evening == "":
            return self._dice(step, number) if reader == "dice" else None
        if evening == "demo_show":
            seen_dice = reading(SHOWN[step], doubts=(GLARE,) if step == "glare" else ())
            return replace(seen_dice, frame=self._frame)
        truth = TILES if evening == "demo_rummikub" else CARDS
        if reader == "dice" or (reader == "cards") != (truth is CARDS):
            return None
        lies: Mapping[str, Any] = truth[step if truth is CARDS else f"{step}/throw{number}"]
        return seen(lies["cards"] if truth is CARDS else ", ".join(lies["sets"]), frame=self._frame)

    def _dice(self, turn: int, throw: int) -> Proposal:
        throws = DICE[turn % len(DICE)]
        lies, half = throws[throw % len(throws)], DIE_SIDE / 2
        sightings = tuple(
            TableDie(value, (x - half, y - half, x + half, y + half), confidence=0.99)
            for value, (x, y) in zip(lies["values"], lies["centres"], strict=True)
        )
        return Proposal(sightings, 0.99, self._frame, 640, 480, self.clock(), ())


class Visitor:
    """Presses as one of those who come: KEEP alone, REROLL whenever it may be, or anything."""

    def __init__(self, evening: Evening, kind: str, seed: int = 0) -> None:
        self.evening = evening
        self.kind = kind
        self.chance = Random(seed)

    def plays_until_the_end(self, presses: int = 3000) -> bool:
        """Whether the game ends within so many presses; waits while there is nothing to press."""
        evening = self.evening
        for _ in range(presses):
            if evening.view.stage == "finished":
                return True
            self._waits()
            evening.pass_time(self.chance.uniform(0, 5) if self.kind == "anything" else PAUSE)
            self._presses()
        return False

    def _waits(self) -> None:
        """Until something may be pressed that goes on; before that the demo never rests long."""
        evening, waited, stood = self.evening, 0, self.evening.view.sequence
        while not self._may_go_on() and evening.view.stage != "finished":
            evening.step()
            went_on = evening.view.sequence != stood
            waited, stood = 0 if went_on else waited + 1, evening.view.sequence
            evening.longest = max(evening.longest, waited / 10)
            assert evening.longest <= LONGEST_WAIT, evening.demo.coming(evening.view)

    def _may_go_on(self) -> bool:
        view = self.evening.view
        pending = view.pieces is not None and not view.pieces.remarks
        pending |= view.asking is not None
        if view.stage != "playing":
            return view.keep is not None or view.reroll is not None
        return pending or (self.kind != "keep" and view.reroll is not None)

    def _presses(self) -> None:
        view = self.evening.view
        may_reroll = view.reroll is not None
        match self.kind:
            case "keep":
                action = Action.KEEP
            case "reroll":
                rerolls = may_reroll and view.stage != "choosing"
                action = Action.REROLL if rerolls else Action.KEEP
            case _:
                action = self.chance.choices(tuple(Action), (5, 4 if may_reroll else 0, 1))[0]
        self.evening.press(action)
