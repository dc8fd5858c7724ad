"""Threads that survive errors."""

from __future__ import annotations

import logging
from collections.abc import Callable
from threading import Event, Thread
from typing import Final

from scoreboard.errors import ScoreboardError
from scoreboard.message import Message, message

AFTER_FAULT_SECONDS: Final = 0.2  # what is wrong may still be so at once
STOP_SECONDS: Final = 0.5
LOG: Final = logging.getLogger(__name__)
_AT_WORK: Final[set[Worker]] = set()


class Worker:
    """Repeats a step in a thread of its own, until it is stopped.

        worker = Worker("speaker", speak_next, wake=lambda: waiting.put(None))
        worker.start()
        worker.stop()

    A step waits for its own input; `wake` ends that wait. After each the thread rests. A step's
    exception is logged and listed by `worker_faults` until a step succeeds, and the thread goes on.
    """

    def __init__(
        self,
        name: str,
        step: Callable[[], object],
        rest_seconds: float = 0.0,
        wake: Callable[[], object] = lambda: None,
    ) -> None:
        self.stopping: Final = Event()
        self.fault: Message | None = None
        self._step = step
        self._rest_seconds = rest_seconds
        self._wake = wake
        self._thread = Thread(target=self._run, name=name, daemon=True)

    @property
    def alive(self) -> bool:
        return self._thread.is_alive()

    def start(self) -> None:
        """Begin; call it once, after any fork."""
        _AT_WORK.add(self)
        self._thread.start()

    def stop(self, timeout_seconds: float | None = STOP_SECONDS) -> None:
        """End the thread, if it runs; do not wait longer than this for its step."""
        self.stopping.set()
        self._wake()
        if self.alive:
            self._thread.join(timeout_seconds)
        _AT_WORK.discard(self)

    def works(self) -> None:
        """Clear the fault; a step that runs for long calls this."""
        self.fault = None

    def _run(self) -> None:
        while not self.stopping.is_set():
            rest_seconds = self._rest_seconds
            try:
                self._step()
                self.works()
            except Exception as error:
                rest_seconds = max(rest_seconds, AFTER_FAULT_SECONDS)
                before, self.fault = self.fault, failure(self._thread.name, error)
                if self.fault != before:
                    LOG.exception("%s failed, and is tried again", self._thread.name)
            self.stopping.wait(rest_seconds)


def failure(name: str, error: Exception) -> Message:
    """The message to the owner about a part that fails in the background."""
    return message(
        "In the background “{name}” fails ({fault}). It is tried again; the log says more.",
        name=name,
        fault=reason(error),
    )


def reason(error: Exception) -> Message | str:
    """The cause of an error: its message for people, if it has one."""
    return (
        error.message if isinstance(error, ScoreboardError) else str(error) or type(error).__name__
    )


def worker_faults() -> tuple[Message, ...]:
    """The current faults of this process's workers."""
    return tuple(each.fault for each in tuple(_AT_WORK) if each.fault is not None)
