"""The connection of a table and its hub: at-least-once delivery, long polling, backoff."""

from __future__ import annotations

import logging
from collections.abc import Callable
from dataclasses import dataclass, replace
from random import SystemRandom
from threading import Event
from time import monotonic
from typing import Final, Protocol

from scoreboard.errors import ScoreboardError
from scoreboard.message import Message
from scoreboard.tournament.client.http_hub import (
    HttpHub,
    HubAwayError,
    HubRefusedError,
    NotInvitedError,
)
from scoreboard.tournament.client.outbox import Outbox
from scoreboard.tournament.protocol.hub_update import HubUpdate
from scoreboard.worker import STOP_SECONDS, Worker

FIRST_SECONDS: Final = 0.5
LONGEST_SECONDS: Final = 5.0
SPREAD: Final = 0.5  # of the pause, so that 250 tables do not come back in one moment


WAIT_SECONDS: Final = 20.0  # a hub keeps a question open for so long
LOOK_SECONDS: Final = 30.0  # without a reason the outbox is looked through so often
BREATH_SECONDS: Final = 0.05  # between two questions, should a hub answer without waiting


@dataclass(frozen=True, slots=True)
class Backoff:
    """A number of failures in a row; the pause doubles with each, up to `longest_seconds`."""

    first_seconds: float = FIRST_SECONDS
    longest_seconds: float = LONGEST_SECONDS
    failures: int = 0

    def failed(self) -> Backoff:
        return replace(self, failures=self.failures + 1)

    def healed(self) -> Backoff:
        return replace(self, failures=0)

    def pause_seconds(self, chance: float) -> float:
        """The pause in seconds; `chance`, from 0 to 1, shortens it by up to a half."""
        doublings = min(max(self.failures - 1, 0), 30)
        whole = min(self.first_seconds * 2.0**doublings, self.longest_seconds)
        return whole * (1 - SPREAD * chance)


class Listener(Protocol):
    """The connection's recipient; must return quickly and never raise."""

    def received(self, update: HubUpdate) -> None: ...

    def linked(self, *, connected: bool, fault: Message | None) -> None:
        """The hub answers, or does not; `fault` is one that only a person can fix."""
        ...


class HubConnection:
    """Sends the outbox and receives the hub's updates, on two threads of its own.

    `exchange` and `listen` are one step of each; the threads repeat them until `stop`. `known` is
    the table's last update from before, or None.
    """

    def __init__(  # noqa: PLR0913 -- each end of the way is named where it is wired
        self,
        hub: HttpHub,
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
        self._entered = False  # a result was delivered, and what the hub says of it not heard
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

        Raises:
            HubAwayError: no answer came; the next exchange greets anew.
            NotInvitedError: the ticket is not valid.
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
        except (HubAwayError, NotInvitedError):
            self._greeted.clear()
            raise

    def listen(self) -> None:
        """Wait for the hub's next update.

        Raises:
            HubAwayError: no answer came.
            HubRefusedError: the hub does not let this table listen.
        """
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
        """Version and messages of the last update."""
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
            except NotInvitedError:
                raise
            except HubRefusedError as error:
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
        except NotInvitedError:
            raise
        except HubRefusedError as error:
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
        except HubAwayError as error:
            self._failed(None, error)
        except HubRefusedError as error:
            self._failed(error.message, error)
        except Exception:  # noqa: BLE001 -- the edge of the thread: logged, and tried again
            self._log.exception("the way to the hub failed")
            self._failed(None, None)
        else:
            self._backoff = self._backoff.healed()
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
