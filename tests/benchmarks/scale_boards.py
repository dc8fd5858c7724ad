"""Many boards watching one tournament, in their own process: what each received, and when."""

from __future__ import annotations

import multiprocessing
import re
import selectors
import socket
from array import array
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from multiprocessing.connection import Connection
from time import monotonic
from typing import Final

TABLE: Final = re.compile(
    rb'<li id=\\"round-(\d+)-table-(\d+)\\" class=\\"board-table phase-(\w+)\\"'
)
NEW: Final = (b"event: state", b"event: pieces")
WAITING: Final = b"waiting"
LOOK_SECONDS: Final = 0.1
CHUNK: Final = 1 << 18
PATIENCE_SECONDS: Final = 60.0
Slot = tuple[int, int]


@dataclass(eq=False)
class Viewer:
    """One watching browser: which states arrived when, in seconds of `time.monotonic`."""

    connection: socket.socket
    came: list[tuple[float, int]] = field(default_factory=list)
    _parts: list[bytes] = field(default_factory=list)

    def take(self, states: States) -> None:
        data = self.connection.recv(CHUNK)
        self._parts.append(data)
        if data.endswith(b"\n\n\r\n"):  # the end of an event, and of its chunk
            whole = b"".join(self._parts)
            self._parts.clear()
            if any(kind in whole for kind in NEW):
                self.came.append((monotonic(), states.number(whole)))


class States:
    """The states that were sent, by number, and the results that each shows."""

    def __init__(self) -> None:
        self._numbers: dict[bytes, int] = {}
        self.shown: list[frozenset[Slot]] = []

    def number(self, event: bytes) -> int:
        known = self._numbers.get(event)
        if known is None:
            known = self._numbers[event] = len(self.shown)
            self.shown.append(frozenset(_results(event)))
        return known


@dataclass(frozen=True, slots=True)
class Watched:
    """Seconds from a table's delivery to every board, and the results that a board never showed."""

    to_boards: array[float]
    missed: int


class Crowd:
    """The boards of one tournament, in another process."""

    def __init__(self, port: int, event: str, viewers: int) -> None:
        context = multiprocessing.get_context("spawn")
        self._ours, theirs = context.Pipe()
        self._process = context.Process(
            target=watch, args=(theirs, port, event, viewers), daemon=True
        )
        self._process.start()
        theirs.close()

    def wait_until_watching(self) -> None:
        if not self._ours.poll(PATIENCE_SECONDS):
            raise TimeoutError("not every board got its first state")
        self._ours.recv()

    def saw(self, ended: Mapping[Slot, float]) -> Watched:
        """Stop watching and return what they saw of the games that ended then."""
        self._ours.send(dict(ended))
        watched: Watched = self._ours.recv()
        return watched

    def close(self) -> None:
        self._process.terminate()
        self._process.join()
        self._process.close()
        self._ours.close()


def watch(pipe: Connection, port: int, event: str, many: int) -> None:
    """Watch until the games' ends arrive, then report them; runs in the other process."""
    states, selector = States(), selectors.DefaultSelector()
    viewers = [_viewer(port, event, number) for number in range(many)]
    for viewer in viewers:
        selector.register(viewer.connection, selectors.EVENT_READ, viewer)
    ready = False
    while not pipe.poll():
        for key, _ in selector.select(LOOK_SECONDS):
            key.data.take(states)
        if not ready and all(viewer.came for viewer in viewers):
            ready = True
            pipe.send("watching")
    ended = pipe.recv()
    seconds, missed = array("d"), 0
    for viewer in viewers:
        missed += _latencies(viewer, states, ended, seconds)
        viewer.connection.close()
    pipe.send(Watched(seconds, missed))


def _viewer(port: int, event: str, number: int) -> Viewer:
    own = f"127.1.{number // 250}.{number % 250 + 1}"  # one address alone has a few places only
    connection = socket.create_connection(
        ("127.0.0.1", port), timeout=PATIENCE_SECONDS, source_address=(own, 0)
    )
    head = f"GET /e/{event}/live HTTP/1.1\r\nHost: 127.0.0.1\r\nAccept: text/event-stream\r\n\r\n"
    connection.sendall(head.encode())
    return Viewer(connection)


def _latencies(
    viewer: Viewer, states: States, ended: Mapping[Slot, float], seconds: array[float]
) -> int:
    """Record each result's delay at this viewer; return how many never came."""
    awaited = dict(ended)
    for came_at, number in viewer.came:
        for slot in states.shown[number] & awaited.keys():
            if came_at >= awaited[slot]:
                seconds.append(came_at - awaited.pop(slot))
    return len(awaited)


def _results(event: bytes) -> Iterator[Slot]:
    """The results that a state shows."""
    for number, table, phase in TABLE.findall(event):
        if phase != WAITING:
            yield int(number), int(table)
