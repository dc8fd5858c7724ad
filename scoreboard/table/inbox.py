"""The table's inbox: one queue and the one thread that may change the table."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable
from concurrent.futures import Future
from concurrent.futures import TimeoutError as FutureTimeoutError
from queue import SimpleQueue
from typing import Final, Protocol

from scoreboard.errors import NoAnswerError
from scoreboard.games.engine.transcript import UNKNOWN
from scoreboard.message import Message, message
from scoreboard.table.requests import Answer, TableRequest
from scoreboard.worker import Worker

ANSWER_SECONDS: Final = 10.0
HANGING_SECONDS: Final = 20.0  # a whole game is replayed in less, on the smallest machine
STOP_SECONDS: Final = 1.0  # Ctrl-C ends the table within two
FAULT: Final = message("Something went wrong at the table; see the log. Nothing was recorded.")


class Receiver(Protocol):
    """The inbox's recipient: a table session."""

    def receive(self, request: TableRequest, by: str) -> Answer:
        """Act on one message, sent `by` a device."""

    def notify(self, notice: Message) -> Answer: ...


class Inbox:
    """Passes messages from any thread to the session one after the other.

    Cameras and buttons `post`, pages `submit` and wait for the answer; they also name the sender
    (`by`: "here" or the id of a device), which is stored with the records. An exception in the
    session is shown to the players, then logged, and the inbox goes on.
    """

    def __init__(self, session: Receiver, monotonic: Callable[[], float] = time.monotonic) -> None:
        self._session = session
        self._monotonic = monotonic
        self._busy_since: float | None = None
        self._queue: SimpleQueue[tuple[TableRequest, str, Future[Answer]] | None] = SimpleQueue()
        self._worker = Worker("inbox", self._work, wake=lambda: self._queue.put(None))
        self._log = logging.getLogger(__name__)

    def start(self) -> None:
        """Begin; call it once, after any fork."""
        self._worker.start()

    def stop(self, timeout_seconds: float = STOP_SECONDS) -> None:
        """Finish the queue, then end the thread; wait no longer than this."""
        self._worker.stop(timeout_seconds)

    @property
    def alive(self) -> bool:
        """Whether the thread runs, and none of its messages has taken too long."""
        since = self._busy_since
        hangs = since is not None and self._monotonic() - since > HANGING_SECONDS
        return self._worker.alive and not hangs

    def post(self, request: TableRequest) -> None:
        """Queue a message without waiting for its answer; never blocks."""
        self._queue.put((request, UNKNOWN, Future()))

    def submit(
        self, request: TableRequest, timeout_seconds: float = ANSWER_SECONDS, *, by: str = UNKNOWN
    ) -> Answer:
        """Queue a message, wait for its answer. Raises NoAnswerError: none in time or at all."""
        if self._worker.stopping.is_set() or not self._worker.alive:
            raise NoAnswerError(message("The table is not running."))
        answer: Future[Answer] = Future()
        self._queue.put((request, by, answer))
        try:
            return answer.result(timeout_seconds)
        except FutureTimeoutError as error:
            self._log.warning(
                "no answer within %s s to %s", timeout_seconds, type(request).__name__
            )
            raise NoAnswerError(
                message("The table did not answer in time: check the page before you try again.")
            ) from error

    def _work(self) -> None:
        while (item := self._queue.get()) is not None:
            request, by, answer = item
            self._busy_since = self._monotonic()
            given = self._answer(request, by)
            self._busy_since = None
            answer.set_result(given)

    def _answer(self, request: TableRequest, by: str) -> Answer:
        """The session's answer; this is the edge where a fault is shown, then logged."""
        try:
            return self._session.receive(request, by)
        except Exception:  # noqa: BLE001 -- the inbox is the edge where faults are shown and logged
            try:
                answer = self._session.notify(FAULT)
            except Exception:  # noqa: BLE001 -- an announcer at fault must not end the inbox
                self._log.exception("the fault could not be shown")
                answer = Answer("refused", FAULT)
            self._log.exception("the table could not handle %r", request)
            return answer
