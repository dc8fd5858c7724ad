"""Whatever the way does, everything arrives once and in order, and a restarted table goes on."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Literal

from hypothesis import given, settings
from hypothesis import strategies as st

from scoreboard.games import GAMES
from scoreboard.tournament.client.attendance import Attendance, AttendanceBook, AttendanceFile, Note
from scoreboard.tournament.client.connection import HubConnection
from scoreboard.tournament.client.http_hub import HubAwayError
from scoreboard.tournament.client.outbox import Outbox
from scoreboard.tournament.protocol.items import Item
from tests.scoreboard.storage.memory_store import MemoryStore
from tests.scoreboard.tournament.client.fakes import (
    FAULTS,
    GAME,
    HEADER,
    TICKET,
    TOKEN,
    BadWay,
    FakeHub,
    Fault,
    QuietListener,
    happened,
)

Act = Literal["play", "sign", "dispute", "send", "restart"]
acts = st.lists(st.sampled_from(["play", "sign", "dispute", "send", "restart"]), max_size=30)
FEWER = settings(max_examples=50)  # each writes through to the disk many times
faults = st.lists(st.sampled_from(FAULTS), max_size=20)


class PlayingTable:
    """A table whose store is a disk: all else is made anew from it when the table restarts."""

    def __init__(self, folder: Path, way: BadWay) -> None:
        self._file = AttendanceFile(folder / "event.json")
        self._way = way
        self.store = MemoryStore()
        self._file.write(Attendance(TICKET, (GAME,)))
        self.store.open_game(HEADER)
        self.restart()

    def restart(self) -> None:
        """Only what is on disk is known."""
        self.book = AttendanceBook(self._file)
        self.outbox = Outbox(self.store, lambda: self.book.games)
        self.link = HubConnection(self._way, TOKEN, self.outbox, QuietListener())

    def do(self, act: Act) -> None:
        """Play on, say something of the result, send, or be switched off and on."""
        events = len(self.store.events("g1"))
        match act:
            case "play":
                self.store.append("g1", events, [happened(events + 1)])
                self.outbox.touch("g1")
            case "sign":
                self.note(Note(events, 7))
            case "dispute":
                self.note(Note(events, 3, "miscounted"))
            case "send":
                self.send()
            case "restart":
                self.restart()

    def note(self, note: Note) -> None:
        """Say something of the result."""
        self.book.change(lambda now: now.changed("g1", lambda game: game.noted(note)))
        self.outbox.touch("g1")

    def send(self) -> None:
        """One try."""
        try:
            self.link.exchange()
        except HubAwayError:
            return

    @property
    def all_items(self) -> tuple[Item, ...]:
        """All that the table has to tell."""
        game, records = self.book.games[0], self.store.events("g1")
        return game.items(HEADER, records, GAMES["yahtzee"].kinds)


@FEWER
@given(acts, faults)
def test_everything_arrives_once_and_in_order(acts: list[Act], faults: list[Fault]) -> None:
    """Lost, cut, doubled or delayed, with restarts between: the hub has what the table told."""
    hub = FakeHub()
    with TemporaryDirectory() as folder:
        table = PlayingTable(Path(folder), BadWay(hub, list(faults)))
        for act in acts:
            table.do(act)
        for _ in range(len(faults) + 1):
            table.send()
        assert hub.items("g1") == table.all_items
        assert hub.deliveries.disputes() == ()
        assert table.outbox.waiting() == 0


@FEWER
@given(st.integers(0, 30), st.integers(0, 31))
def test_a_hub_that_lost_its_end_gets_it_again(played: int, lost_after: int) -> None:
    """A hub restored from an older copy asks for what it misses, and gets it."""
    with TemporaryDirectory() as folder:
        way = BadWay(FakeHub())
        table = PlayingTable(Path(folder), way)
        for _ in range(played):
            table.do("play")
        table.send()
        older = FakeHub()
        kept = way.hub.items("g1")[:lost_after]
        if kept:
            older.deliveries.take("5", "g1", kept)
        way.hub, way.faults = older, ["lost"]
        table.do("play")
        table.send()
        table.send()
        assert older.items("g1") == table.all_items


@FEWER
@given(st.lists(st.sampled_from(["play", "sign"]), max_size=20))
def test_what_was_told_stays_as_it_was(acts: list[Act]) -> None:
    """Every look at a game begins with what every earlier look had."""
    with TemporaryDirectory() as folder:
        table = PlayingTable(Path(folder), BadWay(FakeHub()))
        looks = [table.all_items]
        for act in acts:
            table.do(act)
            looks.append(table.all_items)
        for earlier, later in pairwise(looks):
            assert later[: len(earlier)] == earlier
