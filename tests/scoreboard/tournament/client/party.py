"""A whole table at a tournament: session, inbox, store, client and file."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from datetime import datetime
from itertools import count
from pathlib import Path

from scoreboard.dice import Roll
from scoreboard.table.inbox import Inbox
from scoreboard.table.ports import Announcer, EventStore
from scoreboard.table.requests import (
    Action,
    Answer,
    Chosen,
    Pressed,
    ResultDisputed,
    ResultSigned,
    TableRequest,
    TournamentGameBegun,
)
from scoreboard.table.session import TableSession
from scoreboard.table.tournament_view import TournamentView
from scoreboard.table.view import TableView
from scoreboard.tournament.client.attendance import AttendanceBook, AttendanceFile
from scoreboard.tournament.client.connection import Backoff
from scoreboard.tournament.client.http_hub import HttpHub
from scoreboard.tournament.client.tournament_client import TournamentClient
from scoreboard.tournament.protocol.throttle import Throttle
from tests.scoreboard.storage.memory_store import MemoryStore
from tests.scoreboard.table.fakes import FakeClock
from tests.scoreboard.tournament.client.fakes import PATIENCE_SECONDS, BadWay, wait_for


class EventTable:
    """What a table is while it is switched on; store and file outlive it."""

    def __init__(  # noqa: PLR0913 -- what a test changes of a table, each by its name
        self,
        folder: Path,
        reach: Callable[[str], HttpHub],
        store: EventStore | None = None,
        throttle: Throttle | None = None,
        *,
        find: Callable[[str], Iterable[str]] = lambda _address: (),
        clock: Callable[[], datetime] | None = None,
        announcers: Iterable[Announcer] = (),
        name_game: Callable[[int, int, int], str] | None = None,
    ) -> None:
        self.clock = FakeClock() if clock is None else clock
        store = MemoryStore() if store is None else store
        self.store = store
        numbers = count(len(store.headers()) + 1)
        self.desk = TournamentClient(
            AttendanceBook(AttendanceFile(folder / "event.json")),
            store,
            reach,
            self.clock,
            name_game or (lambda *place: f"{'-'.join(map(str, place))}-{next(numbers)}"),
            table="Corner",
            backoff=Backoff(first_seconds=0.01, longest_seconds=0.1),
            throttle=throttle or Throttle(0.0),
            find=find,
            seek_seconds=0.05,
        )
        self.session = TableSession(
            store,
            self.clock,
            [self.desk, *announcers],
            lambda: f"own-{next(numbers)}",
            notary=self.desk,
        )
        self.session.resume_newest()
        self.inbox = Inbox(self.session)
        self.inbox.start()
        self.desk.start(self.inbox.post)

    def close(self) -> None:
        self.desk.stop()
        self.inbox.stop(PATIENCE_SECONDS)

    @property
    def view(self) -> TableView:
        return self.session.view

    @property
    def event(self) -> TournamentView:
        event = self.view.event
        assert event is not None
        return event

    def do(self, message: TableRequest) -> Answer:
        return self.inbox.submit(message, PATIENCE_SECONDS)

    def press(self, action: Action) -> Answer:
        """A button of the page, pressed again where something came from the hub just before."""
        answer = self.do(Pressed(action, self.clock(), self.view.version))
        return self.press(action) if answer.verdict == "stale" else answer

    def begin(self) -> Answer:
        """The players are there."""
        due = self.event.due
        return self.do(TournamentGameBegun("" if due is None else due.game_id))

    def sign(self, *entrants: int) -> Answer:
        return self.do(ResultSigned(self.event.results[-1].game_id, entrants))

    def dispute(self, entrant: int, why: str) -> Answer:
        return self.do(ResultDisputed(self.event.results[-1].game_id, entrant, why))

    def join(self) -> None:
        self.desk.join("hub.test", "ABCD")
        wait_for(lambda: (event := self.view.event) is not None and event.due is not None)

    def play(self, most: int = 1_000) -> None:
        """Play the game to its end: each throw at once into the last box that is offered."""
        for _ in range(most):
            if self.view.stage == "finished":
                return
            boxes = [offer.key for offer in self.view.offers if offer.key.startswith("score:")]
            if boxes:
                self._choose(boxes[-1])
                if self.view.asking:
                    self._choose(boxes[-1])
            else:
                filling = str(Roll((1, 3, 3, 5, 6)))
                self.do(Chosen("roll", self.view.version, filling))

    def play_a_game(self) -> None:
        self.begin()
        self.play()
        wait_for(lambda: bool(self.event.results))

    def _choose(self, box: str) -> None:
        self.do(Chosen(box, self.view.version))


@contextmanager
def table(
    folder: Path, way: BadWay, store: EventStore | None = None, throttle: Throttle | None = None
) -> Iterator[EventTable]:
    """A table that is switched on."""
    switched_on = EventTable(folder, lambda _address: way, store, throttle)
    try:
        yield switched_on
    finally:
        switched_on.close()
