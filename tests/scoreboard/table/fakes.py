"""A table without devices: a clock that is set, announcers that remember, dice in a row."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from itertools import count
from typing import Self

from scoreboard.dice import Roll
from scoreboard.errors import StoreError
from scoreboard.games.engine.transcript import UNKNOWN, GameStatus, RecordedEvent
from scoreboard.message import Message, message
from scoreboard.table import requests
from scoreboard.table.button_actions import ConfirmPolicy
from scoreboard.table.game_session import Ranks, no_ranks
from scoreboard.table.pending_acts import ConfirmedReading
from scoreboard.table.proposal import Box, Proposal, TableDie
from scoreboard.table.requests import Answer
from scoreboard.table.session import TableSession
from scoreboard.table.view import ShownProposal, TableView
from tests.scoreboard.storage.memory_store import MemoryStore

EVENING = datetime(2026, 11, 21, 19, 30, tzinfo=UTC)
SIDE = 40.0
FULL = message("The disk is full; make room.")


class FakeClock:
    """A clock that stands still until it is moved."""

    def __init__(self, now: datetime = EVENING) -> None:
        self.now = now

    def __call__(self) -> datetime:
        return self.now

    def advance(self, seconds: float) -> None:
        self.now += timedelta(seconds=seconds)


class RecordingAnnouncer:
    """Remembers every view that it was told."""

    def __init__(self) -> None:
        self.views: list[TableView] = []

    def announce(self, view: TableView) -> None:
        self.views.append(view)


class FailingStore(MemoryStore):
    """A store whose disk is full while `full` is set."""

    def __init__(self) -> None:
        super().__init__()
        self.full = False

    def append(
        self,
        game_id: str,
        expected: int,
        events: Sequence[RecordedEvent],
        standing: GameStatus | None = None,
    ) -> None:
        self._require_space()
        super().append(game_id, expected, events, standing)

    def open_game(self, header: object) -> None:
        self._require_space()
        super().open_game(header)  # type: ignore[arg-type]

    def _require_space(self) -> None:
        if self.full:
            raise StoreError(FULL)


def box(place: float) -> Box:
    """Where the die at this place of the row lies; a place is two dice wide."""
    return (place * 2 * SIDE, 0.0, place * 2 * SIDE + SIDE, SIDE)


def reading(
    faces: str,
    places: Sequence[float] | None = None,
    *,
    doubts: tuple[Message, ...] = (),
    confidence: float = 0.99,
) -> Proposal:
    """The camera's reading of dice in a row, `?` for one that cannot be read."""
    spots = range(len(faces)) if places is None else places
    dice = tuple(
        TableDie(None if face == "?" else int(face), box(place), confidence=confidence)
        for face, place in zip(faces, spots, strict=True)
    )
    return Proposal(dice, confidence, 7, 640, 480, EVENING, doubts)


class Table:
    """A session with everything fake around it, and short words for what people do."""

    def __init__(
        self,
        store: MemoryStore | None = None,
        policy: ConfirmPolicy | None = None,
        now: datetime = EVENING,
        *,
        tray: bool = False,
        ranks: Ranks = no_ranks,
    ) -> None:
        self.clock, self.time_of_day = FakeClock(now), FakeClock(now)
        self.store = FailingStore() if store is None else store
        self.announcer = RecordingAnnouncer()
        self.confirmed: list[ConfirmedReading] = []
        self.readings_asked = 0
        self.views_when_asked = 0
        self._rolls = count()
        ids = count(len(self.store.headers()) + 1)
        self.session = TableSession(
            self.store,
            self.time_of_day,
            [self.announcer],
            lambda: f"game-{next(ids)}",
            steady=self.clock,
            read_again=self._read_again,
            confirmed=self.confirmed.append,
            policy=policy,
            tray=tray,
            ranks=ranks,
        )

    def _read_again(self) -> None:
        self.readings_asked += 1
        self.views_when_asked = len(self.announcer.views)

    @property
    def view(self) -> TableView:
        return self.session.view

    def stage(self) -> str:
        return self.view.stage

    @property
    def proposal(self) -> ShownProposal:
        assert self.view.proposal is not None
        return self.view.proposal

    @property
    def rolls_made(self) -> int:
        assert self.view.turn is not None
        return self.view.turn.rolls_made

    def send(self, request: requests.TableRequest, by: str = UNKNOWN) -> Answer:
        return self.session.receive(request, by)

    def act(self, request: requests.TableRequest, seconds: float = 1, by: str = UNKNOWN) -> Answer:
        """Send it; then time passes."""
        answer = self.send(request, by)
        self.clock.advance(seconds)
        return answer

    def begin(self, game: str, *players: str, **options: str) -> Self:
        """Set up any game; then a second passes."""
        self.act(requests.GameOpened(game, players, options))
        return self

    @property
    def events(self) -> list[object]:
        assert self.view.game_id is not None
        return [record.event for record in self.store.events(self.view.game_id)]

    def opened(self, *players: str, start: str = "first") -> Self:
        """With a game of Yahtzee that was set up."""
        self.open(*players, start=start)
        return self

    def open(self, *players: str, start: str = "first") -> Answer:
        """Set up a game of Yahtzee; readings asked for are counted from here."""
        names = players or ("North", "South")
        answer = self.act(requests.GameOpened("yahtzee", names, {"start": start}))
        self.readings_asked = 0
        return answer

    def show(self, proposal: Proposal) -> Answer:
        """The camera proposes; then a second passes."""
        return self.act(requests.Proposed(proposal))

    def roll(self, faces: str) -> Answer:
        """New dice come to rest where none lay before."""
        first = 10 * next(self._rolls) + 10
        return self.show(reading(faces, range(first, first + len(faces))))

    def press(self, action: requests.Action, after_seconds: float = 1) -> Answer:
        return self.act(requests.Pressed(action, self.clock()), after_seconds)

    def keep(self) -> Answer:
        return self.press(requests.Action.KEEP)

    def reroll(self) -> Answer:
        return self.press(requests.Action.REROLL)

    def undo(self) -> Answer:
        return self.press(requests.Action.UNDO)

    def choose(self, key: str, roll: str | None = None, *, expected: int | None = None) -> Answer:
        seen = self.view.version if expected is None else expected
        return self.act(requests.Chosen(key, seen, roll))

    def enter(self, roll: str) -> Answer:
        return self.act(requests.Corrected(Roll.parse(roll), self.view.version))

    def correct(self, die: int | None, face: int | None) -> Answer:
        return self.act(requests.DieCorrected(die, face, self.view.version))

    def read_again(self) -> Answer:
        return self.send(requests.ReadAgain(self.view.version))

    def mark(self, *dice: int, kept: bool = True) -> Answer:
        """Tap dice of the last roll, then a second passes; the last tap's answer."""
        answers = [self.send(requests.KeepMarked(die, kept, self.view.version)) for die in dice]
        self.clock.advance(1)
        return answers[-1]

    def tick(self, after_seconds: float = 0) -> Answer:
        """The session sees the time, so much later."""
        self.clock.advance(after_seconds)
        return self.send(requests.Ticked(self.clock()))

    def abandon(self) -> Answer:
        """Save and close the game."""
        return self.send(requests.GameAbandoned(self.view.version))


def at_rest(view: TableView) -> TableView:
    """The view without what only tells when and how it came: for comparing two tables."""
    return replace(view, version=0, notice=None)
