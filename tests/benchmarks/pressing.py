"""Presses on a running table, and the viewers that see them: how long from the one to the other?"""

from __future__ import annotations

import re
import selectors
import socket
import threading
import time
from dataclasses import dataclass, field
from typing import Final

from tests.web.process import RunningProcess, document

PAUSE_SECONDS: Final = 0.25
PATIENCE_SECONDS: Final = 20.0
IDENTITY: Final = re.compile(rb"^id: \w+\.(\d+)$", re.MULTILINE)
ROLLS: Final = ("12345", "23456", "66656", "55545", "44434", "33323", "22244", "11133", "12346")


@dataclass(eq=False)
class Viewer:
    """One watching browser: when it got each version, in seconds of `time.perf_counter`."""

    connection: socket.socket
    received: bytes = b""
    came_at: dict[int, float] = field(default_factory=dict)

    def take(self) -> None:
        self.received += self.connection.recv(1 << 20)
        now = time.perf_counter()
        while b"\n\n" in self.received:
            event, _, self.received = self.received.partition(b"\n\n")
            found = IDENTITY.search(event)
            if found is not None:
                self.came_at.setdefault(int(found[1]), now)


class Crowd:
    """All viewers, read by one thread."""

    def __init__(self, table: RunningProcess, size: int) -> None:
        self.viewers = [Viewer(table.send("/live")) for _ in range(size)]
        self._selector = selectors.DefaultSelector()
        for viewer in self.viewers:
            self._selector.register(viewer.connection, selectors.EVENT_READ, viewer)
        self._ended = threading.Event()
        self._thread = threading.Thread(target=self._read, daemon=True)
        self._thread.start()

    def _read(self) -> None:
        while not self._ended.is_set():
            for key, _ in self._selector.select(0.1):
                key.data.take()

    def wait_for(self, version: int) -> None:
        """Wait until every viewer has that version, or time runs out."""
        deadline = time.perf_counter() + PATIENCE_SECONDS
        while time.perf_counter() < deadline:
            if all(version in viewer.came_at for viewer in self.viewers):
                return
            time.sleep(0.005)

    def close(self) -> None:
        self._ended.set()
        self._thread.join()
        for viewer in self.viewers:
            viewer.connection.close()


@dataclass(frozen=True, slots=True)
class Press:
    """One press: its resulting version, when it was sent, when its own answer arrived."""

    version: int
    begun: float
    answered: float


def press(table: RunningProcess, crowd: Crowd, number: int) -> Press:
    """Confirm a roll or score a box, in turn, and wait until every viewer has seen it."""
    seen = seen_with_roll(table, number) if number % 2 == 0 else table.seen()
    crowd.wait_for(version_of(seen))
    time.sleep(PAUSE_SECONDS)
    begun = time.perf_counter()
    answer = document(table.ask("/press", [("action", "keep"), ("seen", seen)]))
    answered = time.perf_counter()
    if answer["verdict"] != "done":
        raise RuntimeError(f"press {number} was {answer['verdict']}: {answer['notice']}")
    crowd.wait_for(int(answer["version"]))
    return Press(int(answer["version"]), begun, answered)


def seen_with_roll(table: RunningProcess, number: int) -> str:
    """Enter the next roll by hand; return the version that shows it."""
    roll = ROLLS[number // 2 % len(ROLLS)]
    entered = document(table.ask("/roll", [("roll", roll), ("seen", table.seen())]))
    return f"{entered['run']}.{entered['version']}"


def version_of(seen: str) -> int:
    """The version in the answer to a form."""
    return int(seen.partition(".")[2])
