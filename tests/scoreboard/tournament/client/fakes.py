"""A hub in the same process, and a way to it that loses, cuts, doubles and delays."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from datetime import UTC, datetime
from threading import Condition
from typing import Final, Literal, TypeVar

from scoreboard.errors import ConflictError
from scoreboard.games.engine.transcript import Abandoned, GameHeader, RecordedEvent, Resumed
from scoreboard.message import message
from scoreboard.tournament.client.attendance import Ticket, TournamentGame
from scoreboard.tournament.client.http_hub import (
    AWAY,
    UNINVITED,
    HttpHub,
    HubAwayError,
    HubRefusedError,
    NotInvitedError,
)
from scoreboard.tournament.protocol.hub_update import (
    Greeting,
    HubUpdate,
    Joined,
    JoinRequest,
    SeatingUpdate,
    SeatUpdate,
)
from scoreboard.tournament.protocol.items import (
    Delivery,
    DisputedDeliveryError,
    Item,
    PhotoReceipt,
    Receipt,
    StoredItems,
)
from scoreboard.tournament.storage.deliveries import SqlDeliveries
from tests.scoreboard.tournament.storage.temporary import temporary_store

EVENING: Final = datetime(2026, 11, 22, 18, 30, tzinfo=UTC)
TOKEN: Final = "t" * 43
PLACE: Final = 5
TICKET: Final = Ticket("http://hub.test", TOKEN, "open", "Autumn Open", PLACE)
SEATS: Final = (SeatUpdate(7, "Anna"), SeatUpdate(3, "Ben"))
SEATING: Final = SeatingUpdate(1, "running", 1, 2, "yahtzee", {}, SEATS)
UPDATE: Final = HubUpdate(1, PLACE, "Autumn Open", SEATING)
GAME: Final = TournamentGame(
    "g1", "yahtzee", 1, PLACE, 1, ("Anna", "Ben"), (7, 3), {"start": "first"}
)
HEADER: Final = GameHeader("g1", "yahtzee", ("Anna", "Ben"), EVENING, {"start": "first"})
Fault = Literal["none", "lost", "cut", "doubled", "delayed"]
AnswerT = TypeVar("AnswerT")
PATIENCE_SECONDS: Final = 60.0
FAULTS: Final[tuple[Fault, ...]] = ("none", "lost", "cut", "doubled", "delayed")


class FakeHub(HttpHub):
    """A hub for one table; `publish` sends an update, and what it took stands in `items`."""

    def __init__(self, update: HubUpdate = UPDATE) -> None:
        super().__init__(TICKET.address)
        self.store = temporary_store()
        self.update = update
        self.codes: dict[str, str] = {"ABCD": ""}
        self.tokens: set[str] = {TOKEN}
        self.greetings: list[Greeting] = []
        self.barred: set[str] = set()
        self.photo_seconds = 0
        self.photos: list[bytes] = []
        self._changed = Condition()

    @property
    def deliveries(self) -> SqlDeliveries:
        return self.store.deliveries

    def join(self, request: JoinRequest) -> Joined:
        """A code for one token; the same again is the same table."""
        if self.codes.get(request.code) not in {"", request.token}:
            raise HubRefusedError(message("This code is spent."))
        self.codes[request.code] = request.token
        self.tokens.add(request.token)
        return Joined("open", self.update.title, self.update.place)

    def greet(self, token: str, greeting: Greeting) -> HubUpdate:
        """The update, with what is missing of the games in the greeting."""
        self._require(token)
        self.greetings.append(greeting)
        return replace(self.update, wanted=dict(self._missing(greeting.games)))

    def deliver(self, token: str, delivery: Delivery) -> Receipt:
        self._require(token)
        if delivery.game_id in self.barred:
            raise HubRefusedError(message("That game is another table's."))
        try:
            held = self.deliveries.take("5", delivery.game_id, delivery.items)
            return Receipt(held, photo_seconds=self.photo_seconds)
        except DisputedDeliveryError as error:
            return Receipt(error.held, tuple(each.sequence for each in error.disputes))
        except ConflictError as error:
            raise HubRefusedError(error.message) from error

    def next_update(
        self, token: str, after: int, wait_seconds: float, heard: tuple[int, ...] = ()
    ) -> HubUpdate:
        self._require(token)
        with self._changed:
            self._changed.wait_for(
                lambda: self.update.version > after or self.update.message_numbers != heard,
                wait_seconds,
            )
            return self.update

    def send_photo(self, token: str, jpeg: bytes) -> PhotoReceipt:
        self._require(token)
        if not self.photo_seconds:
            raise HubRefusedError(message("No photos."))
        self.photos.append(jpeg)
        return PhotoReceipt(self.photo_seconds)

    def publish(self, update: HubUpdate) -> None:
        with self._changed:
            self.update = update
            self._changed.notify_all()

    def items(self, game_id: str) -> tuple[Item, ...]:
        return self.deliveries.game(game_id)

    def _missing(self, games: Mapping[str, int]) -> Iterator[tuple[str, StoredItems]]:
        for game_id, last in games.items():
            held = self.deliveries.held(game_id)
            if held.through < last:
                yield game_id, held

    def _require(self, token: str) -> None:
        if token not in self.tokens:
            raise NotInvitedError(UNINVITED)


class BadWay(HttpHub):
    """A way to a hub on which the next calls go as `faults` say, and then all go well."""

    def __init__(self, hub: FakeHub, faults: list[Fault] | None = None) -> None:
        super().__init__(TICKET.address)
        self.hub = hub
        self.faults = faults or []
        self._before: Delivery | None = None

    def join(self, request: JoinRequest) -> Joined:
        return self._passed(lambda _fault: self.hub.join(request))

    def greet(self, token: str, greeting: Greeting) -> HubUpdate:
        return self._passed(lambda _fault: self.hub.greet(token, greeting))

    def deliver(self, token: str, delivery: Delivery) -> Receipt:
        """As the hub does; an older delivery may come after it, or itself once more."""

        def delivered(fault: Fault) -> Receipt:
            receipt = self.hub.deliver(token, delivery)
            late = self._before if fault == "delayed" else delivery if fault == "doubled" else None
            if late is not None:
                self.hub.deliver(token, late)
            self._before = delivery
            return receipt

        return self._passed(delivered)

    def next_update(
        self, token: str, after: int, wait_seconds: float, heard: tuple[int, ...] = ()
    ) -> HubUpdate:
        return self._passed(lambda _fault: self.hub.next_update(token, after, wait_seconds, heard))

    def send_photo(self, token: str, jpeg: bytes) -> PhotoReceipt:
        return self._passed(lambda _fault: self.hub.send_photo(token, jpeg))

    def _passed(self, answer: Callable[[Fault], AnswerT]) -> AnswerT:
        fault = self.faults.pop(0) if self.faults else "none"
        if fault == "lost":
            raise HubAwayError(AWAY)
        answered = answer(fault)
        if fault == "cut":
            raise HubAwayError(AWAY)
        return answered


class QuietListener:
    """Remembers what the connection reports."""

    def __init__(self) -> None:
        self.updates: list[HubUpdate] = []
        self.connected: list[bool] = []
        self.faults: list[object] = []

    def received(self, update: HubUpdate) -> None:
        self.updates.append(update)

    def linked(self, *, connected: bool, fault: object) -> None:
        self.connected.append(connected)
        self.faults.append(fault)


def happened(sequence: int, game_id: str = "g1") -> RecordedEvent:
    """An event that every rulebook's games may have."""
    event = Abandoned() if sequence % 2 else Resumed()
    return RecordedEvent(game_id, sequence, EVENING, "page", sequence, event)


def wait_for(held: Callable[[], bool]) -> None:
    """Wait until it holds, no longer than patience lasts."""
    end = time.monotonic() + PATIENCE_SECONDS
    while not held() and time.monotonic() < end:
        time.sleep(0.005)
    assert held()
