"""The connection of a table and its hub: outbox, at-least-once delivery, long polling, backoff."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from random import SystemRandom
from threading import Event, Lock
from time import monotonic
from typing import Final, Protocol

from scoreboard.errors import ScoreboardError, UnknownGameError
from scoreboard.games import GAMES
from scoreboard.message import Message
from scoreboard.table.ports import EventStore
from scoreboard.tournament.client import http_hub
from scoreboard.tournament.client.attendance import TournamentGame
from scoreboard.tournament.protocol.hub_update import Greeting, HubUpdate
from scoreboard.tournament.protocol.items import Delivery, Item, Receipt, StoredItems
from scoreboard.worker import STOP_SECONDS, Worker

SPREAD: Final = 0.5  # of the pause, so that 250 tables do not come back in one moment
WAIT_SECONDS: Final = 20.0  # for which a hub keeps a question open
LOOK_SECONDS: Final = 30.0  # between two looks through the outbox without a reason
BREATH_SECONDS: Final = 0.05  # between two questions, should a hub answer without waiting
MOST_AT_ONCE: Final = 200  # items in a delivery: what is lost on the way is little


@dataclass(frozen=True, slots=True)
class Backoff:
    """A number of failures in a row; the pause doubles with each, up to `longest_seconds`."""

    first_seconds: float = 0.5
    longest_seconds: float = 5.0
    failures: int = 0

    def failed(self) -> Backoff:
        return replace(self, failures=self.failures + 1)

    def pause_seconds(self, chance: float) -> float:
        """The pause in seconds; `chance`, from 0 to 1, shortens it by up to a half."""
        doublings = min(max(self.failures - 1, 0), 30)
        whole = min(self.first_seconds * 2.0**doublings, self.longest_seconds)
        return whole * (1 - SPREAD * chance)


class Outbox:
    """Tracks the unsent items of every game of the tournament; thread-safe.

    `games` gives the tournament's games. Items are derived from the table's store, never copied.
    Acknowledgements are only in memory: after a restart the hub reports what it has.
    """

    def __init__(self, store: EventStore, games: Callable[[], Sequence[TournamentGame]]) -> None:
        self._store = store
        self._games = games
        self._held: dict[str, StoredItems] = {}
        self._touches: dict[str, int] = {}
        self._done_at: dict[str, int] = {}
        self._barred: set[str] = set()
        self._lock = Lock()

    def forget(self) -> None:
        """Forget all acknowledgements: the next hub is another one."""
        with self._lock:
            self._held.clear()
            self._done_at.clear()
            self._barred.clear()

    def touch(self, game_id: str) -> None:
        """A game may have changed."""
        with self._lock:
            self._touches[game_id] = self._touches.get(game_id, 0) + 1

    def bar(self, game_id: str) -> None:
        """Send no more of this game: the hub refuses it."""
        with self._lock:
            self._barred.add(game_id)

    def greeting(self, heard: int) -> Greeting:
        """Every game with its last sequence, and the acknowledged ones.

        A hub restored from a copy lacks items that it has acknowledged: the greeting names these
        games too, without reading them.
        """
        lasts = {game.game_id: len(self._items(game)) for game in self._unsettled()}
        with self._lock:
            held = {game_id: each.through for game_id, each in self._held.items()}
            lasts = {game_id: held[game_id] for game_id in self._done_at if game_id in held} | lasts
            begun = {key: last for key, last in lasts.items() if last and key not in self._barred}
        return Greeting(begun, heard, {key: held.get(key, 0) for key in begun})

    def greeted(self, greeting: Greeting, wanted: Mapping[str, StoredItems]) -> None:
        """The hub wants items of the games `wanted`; of the others in the greeting it has all."""
        with self._lock:
            self._held |= {game_id: StoredItems(last) for game_id, last in greeting.games.items()}
        self.wanted(wanted)

    def wanted(self, wanted: Mapping[str, StoredItems]) -> None:
        """The hub misses items of these games, whatever it acknowledged before."""
        with self._lock:
            self._held |= wanted
            for game_id in wanted:
                self._done_at.pop(game_id, None)

    def acknowledged(self, game_id: str, receipt: Receipt) -> bool:
        """Note a receipt; return whether it differs from the one before."""
        with self._lock:
            before = self._held.get(game_id)
            self._held[game_id] = receipt.held
        return before != receipt.held

    def pending(self) -> Iterator[Delivery]:
        """The next delivery of each game, oldest game first; empty when all is sent.

        A game of many items needs more than one call.
        """
        for game in self._unsettled():
            touches, missing = self._touches.get(game.game_id, 0), self._missing(game)
            if missing:
                yield Delivery(game.game_id, missing[:MOST_AT_ONCE])
            else:
                # All is acknowledged that there was before the touches were counted.
                with self._lock:
                    if game.game_id in self._held:  # a game that was not begun is not done
                        self._done_at[game.game_id] = touches

    def waiting(self) -> int:
        """The number of items not acknowledged."""
        return sum(len(self._missing(game)) for game in self._unsettled())

    def _unsettled(self) -> list[TournamentGame]:
        with self._lock:
            return [
                game
                for game in self._games()
                if game.game_id not in self._barred
                and self._done_at.get(game.game_id) != self._touches.get(game.game_id, 0)
            ]

    def _missing(self, game: TournamentGame) -> tuple[Item, ...]:
        items = self._items(game)
        with self._lock:
            held = self._held.get(game.game_id, StoredItems())
        return missing_from(held, items)

    def _items(self, game: TournamentGame) -> tuple[Item, ...]:
        """The game's items; none if it was not begun.

        The events are read before their notes: a later note comes after them.
        """
        if game.results:
            return game.entered_items()
        try:
            header, records = self._store.header(game.game_id), self._store.events(game.game_id)
        except UnknownGameError:
            return ()
        now = next((one for one in self._games() if one.game_id == game.game_id), game)
        return now.items(header, records, GAMES[header.game].kinds)


def missing_from(held: StoredItems, items: Sequence[Item]) -> tuple[Item, ...]:
    """The items to send next: the gaps first, then all above."""
    gaps = [one for one in items if any(gap.first <= one.sequence <= gap.last for gap in held.gaps)]
    return tuple(gaps or (item for item in items if item.sequence > held.through))


class Listener(Protocol):
    """The connection's recipient; must return quickly and never raise."""

    def received(self, update: HubUpdate) -> None: ...

    def linked(self, *, connected: bool, fault: Message | None) -> None:
        """The hub answers, or does not; `fault` is one that only a person can fix."""


class HubConnection:
    """Sends the outbox and receives the hub's updates, on two threads of its own.

    `exchange` and `listen` are one step of each; the threads repeat them until `stop`. `known` is
    the table's last update from before, or None.
    """

    def __init__(  # noqa: PLR0913 -- each end of the way is named where it is wired
        self,
        hub: http_hub.HttpHub,
        token: str,
        outbox: Outbox,
        listener: Listener,
        *,
        known: HubUpdate | None = None,
        backoff: Backoff | None = None,
        wait_seconds: float = WAIT_SECONDS,
    ) -> None:
        self._hub = hub
        self._token = token
        self._outbox = outbox
        self._listener = listener
        self._last = known
        self._backoff = backoff or Backoff()
        self._wait_seconds = wait_seconds
        self._chance = SystemRandom().random
        self._photo: bytes | None = None  # the newest that was not sent
        self._photo_seconds = 0  # 0: the hub wants none
        self._photo_due = 0.0
        self._entered = False  # a result was delivered, and the hub's answer to it not heard
        self._away = False  # so that a hub that stays away is logged once
        self._greeted, self._stopping, self._due = Event(), Event(), Event()
        self._workers = (
            Worker("link-send", self._send, wake=self._due.set),
            Worker("link-hear", self._keep_listening, BREATH_SECONDS, self._greeted.set),
        )
        self._log = logging.getLogger(__name__)

    def start(self) -> None:
        """Start both threads; call it once, after any fork."""
        for worker in self._workers:
            worker.start()

    def stop(self, timeout_seconds: float = STOP_SECONDS) -> None:
        """End both threads; a waiting one ends with its answer, which is dropped."""
        self._stopping.set()
        for worker in self._workers:
            worker.stop(timeout_seconds)

    def wake(self) -> None:
        """Look for something to send."""
        self._due.set()

    def offer_photo(self, jpeg: bytes) -> None:
        """Send this photo of the last roll, if the hub wants photos; a newer one replaces it."""
        self._photo = jpeg
        self._due.set()

    def exchange(self) -> None:
        """Greet the hub if due, then send until it has everything.

        Raises HubAwayError (the next exchange greets anew), NotInvitedError.
        """
        try:
            if not self._greeted.is_set():
                self._greet()
            while self._deliver():
                pass
            if self._entered:  # no update comes of a result that the hub does not take: ask why
                self._entered = False
                self._greet()
            self._send_photo()
        except (http_hub.HubAwayError, http_hub.NotInvitedError):
            self._greeted.clear()
            raise

    def listen(self) -> None:
        """Wait for the hub's next update. Raises HubAwayError, HubRefusedError."""
        after, heard = self._had()
        update = self._hub.next_update(self._token, after, self._wait_seconds, heard)
        is_new = update.version > after or (
            update.version == after and update.message_numbers != heard
        )
        if self._last is not None and update.life != self._last.life:
            self._greeted.clear()  # the hub started anew, maybe from a copy, and no request failed
            self._due.set()
        elif is_new and not self._stopping.is_set():
            self._log.info("received event version %s, wanted: %s", update.version, _names(update))
            self._outbox.wanted(update.wanted)
            self._received(update)
            self._due.set()

    def _had(self) -> tuple[int, tuple[int, ...]]:
        return (self._last.version, self._last.message_numbers) if self._last else (0, ())

    def _received(self, update: HubUpdate) -> None:
        self._last = update
        self._listener.received(update)

    def _greet(self) -> None:
        greeting = self._outbox.greeting(self._had()[0])
        update = self._hub.greet(self._token, greeting)
        if self._stopping.is_set():
            return
        self._outbox.greeted(greeting, update.wanted)
        self._greeted.set()
        self._away = False
        self._log.info(
            "greeted the hub, event version %s; wanted: %s", update.version, _names(update)
        )
        self._received(update)
        self._listener.linked(connected=True, fault=None)

    def _deliver(self) -> bool:
        """Send the pending items of every game once; whether the hub took something."""
        took = False
        for delivery in self._outbox.pending():
            try:
                receipt = self._hub.deliver(self._token, delivery)
            except http_hub.NotInvitedError:
                raise
            except http_hub.HubRefusedError as error:
                self._log.warning("delivery of %s refused: %s", delivery, error)
                self._outbox.bar(delivery.game_id)
                self._listener.linked(connected=True, fault=error.message)
            else:
                self._log.info("delivered %s: %s", delivery, receipt)
                self._photo_seconds = receipt.photo_seconds
                took |= self._outbox.acknowledged(delivery.game_id, receipt)
                self._entered |= any(each.body["kind"] == "result" for each in delivery.items)
        return took

    def _send_photo(self) -> None:
        """Send the newest photo if the hub wants it, and not too soon after the last one."""
        jpeg, now = self._photo, monotonic()
        if jpeg is None or not self._photo_seconds or now < self._photo_due:
            return
        self._photo = None
        self._photo_due = now + self._photo_seconds
        try:
            self._photo_seconds = self._hub.send_photo(self._token, jpeg).photo_seconds
        except http_hub.NotInvitedError:
            raise
        except http_hub.HubRefusedError as error:
            self._log.info("the hub takes no photo: %s", error)
            self._photo_seconds = 0

    # -- the two threads

    def _send(self) -> None:
        self._due.clear()
        if not self._stopping.is_set() and self._tried(self.exchange):
            self._due.wait(LOOK_SECONDS)

    def _keep_listening(self) -> None:
        self._greeted.wait()
        if not self._stopping.is_set() and not self._tried(self.listen):
            self._greeted.clear()
            self._due.set()

    def _tried(self, step: Callable[[], None]) -> bool:
        """Whether the step succeeded; else the fault is passed on and the thread pauses."""
        try:
            step()
        except http_hub.HubAwayError as error:
            self._failed(None, error)
        except http_hub.HubRefusedError as error:
            self._failed(error.message, error)
        except Exception:  # noqa: BLE001 -- the edge of the thread: logged, and tried again
            self._log.exception("the way to the hub failed")
            self._failed(None, None)
        else:
            self._backoff = replace(self._backoff, failures=0)
            return True
        return False

    def _failed(self, fault: Message | None, error: ScoreboardError | None) -> None:
        if self._stopping.is_set():
            return
        if error is not None:
            level = logging.DEBUG if self._away else logging.INFO
            self._log.log(level, "no exchange with the hub (%s): %s", type(error).__name__, error)
            self._away = True
        self._listener.linked(connected=False, fault=fault)
        self._backoff = self._backoff.failed()
        self._stopping.wait(self._backoff.pause_seconds(self._chance()))


def _names(update: HubUpdate) -> str:
    return ", ".join(update.wanted) or "nothing"
