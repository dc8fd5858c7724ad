"""A way to a hub that loses, tears, doubles and delays what goes over it, or ends altogether."""

from __future__ import annotations

import re
import socket
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from random import Random
from socketserver import BaseRequestHandler, ThreadingTCPServer
from threading import Event, Thread
from typing import Final, Literal, get_args

Fault = Literal[
    "none",  # as it should be
    "lost",  # the request never arrives
    "torn",  # half of the request arrives
    "deaf",  # the request arrives, its answer does not
    "clipped",  # half of the answer comes back
    "silent",  # the request arrives, nothing comes back and nobody hangs up
    "late",  # the request arrives after others that were sent later
    "doubled",  # the request arrives once more, after others that were sent later
]
FAULTS: Final[tuple[Fault, ...]] = get_args(Fault)
Shares = tuple[int, ...]  # of each fault, in a hundred requests
NEVER: Final[Shares] = (100, 0, 0, 0, 0, 0, 0, 0)
OFTEN: Final[Shares] = (68, 5, 5, 6, 4, 1, 5, 6)
LATEST_SECONDS: Final = 0.6
HANG_UP_SECONDS: Final = 40.0  # above what a hub keeps a question open for
LENGTH: Final = re.compile(rb"(?i)\r\ncontent-length: *(\d+)")


class BadWay(ThreadingTCPServer):
    """Listens on a free port of loopback and leads to `hub`, a port there.

    `chance` chooses the faults, `met` counts them. A way that is `cut` hangs up on everybody.
    """

    def __init__(self, hub: int, chance: Random, shares: Shares = OFTEN) -> None:
        super().__init__(("127.0.0.1", 0), _Call)
        self.hub = hub
        self.met: Counter[Fault] = Counter()
        self._chance, self._shares = chance, shares
        self._cut, self.ended = Event(), Event()
        self._calls: set[socket.socket] = set()

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.server_address[1]}"

    def cut(self) -> None:
        self._cut.set()
        for call in tuple(self._calls):
            _hang_up(call)

    def mend(self) -> None:
        self._cut.clear()

    def verify_request(self, request: object, client_address: object) -> bool:
        return super().verify_request(request, client_address) and not self._cut.is_set()  # type: ignore[arg-type]  # what it was given

    def drawn_fault(self, asked: bytes) -> Fault:
        """What becomes of this request; a long question is not left waiting for ever."""
        fault = self._chance.choices(FAULTS, self._shares)[0]
        if fault == "silent" and asked.startswith(b"GET"):
            fault = "deaf"
        self.met[fault] += 1
        return fault

    def dawdle(self) -> None:
        self.ended.wait(self._chance.uniform(0, LATEST_SECONDS))

    @contextmanager
    def call(self) -> Iterator[socket.socket]:
        hub = ("127.0.0.1", self.hub)
        with (
            socket.create_connection(hub, HANG_UP_SECONDS) as connection,
            self.followed(connection),
        ):
            yield connection

    @contextmanager
    def followed(self, connection: socket.socket) -> Iterator[None]:
        """Know of a connection, so that a cut ends it."""
        self._calls.add(connection)
        try:
            yield
        finally:
            self._calls.discard(connection)


class _Call(BaseRequestHandler):
    """One connection of a table: one request and its answer."""

    server: BadWay
    request: socket.socket

    def handle(self) -> None:
        """Carry it, as well as the way does; where an end hangs up, there is nothing to do."""
        self.request.settimeout(HANG_UP_SECONDS)
        try:
            with self.server.followed(self.request):
                asked = _request(self.request)
                self._carry(asked, self.server.drawn_fault(asked))
        except OSError:
            return

    def _carry(self, asked: bytes, fault: Fault) -> None:
        match fault:
            case "lost":
                return
            case "torn":
                self._asked(asked[: len(asked) // 2])
                return
            case "late":
                self.server.dawdle()
        answer = self._asked(asked)
        match fault:
            case "deaf":
                return
            case "clipped":
                self.request.sendall(answer[: len(answer) // 2])
            case "silent":
                self.request.recv(1)
            case _:
                self.request.sendall(answer)
        if fault == "doubled":
            self.request.close()
            self.server.dawdle()
            self._asked(asked)

    def _asked(self, asked: bytes) -> bytes:
        with self.server.call() as hub:
            hub.sendall(asked)
            hub.shutdown(socket.SHUT_WR)
            return b"".join(iter(lambda: hub.recv(65536), b""))


def _request(table: socket.socket) -> bytes:
    """A whole request, as a table sends it."""
    asked = b""
    while not _is_whole(asked):
        more = table.recv(65536)
        if not more:
            raise ConnectionAbortedError
        asked += more
    return asked


def _is_whole(asked: bytes) -> bool:
    head, end, body = asked.partition(b"\r\n\r\n")
    length = LENGTH.search(head)
    return bool(end) and len(body) >= (int(length[1]) if length else 0)


def _hang_up(connection: socket.socket) -> None:
    try:
        connection.shutdown(socket.SHUT_RDWR)
    except OSError:
        return  # it has hung up already


@contextmanager
def bad_way(hub: int, chance: Random, shares: Shares = OFTEN) -> Iterator[BadWay]:
    """A way for as long as it is needed."""
    with BadWay(hub, chance, shares) as way:
        thread = Thread(target=way.serve_forever, kwargs={"poll_interval": 0.05})
        thread.start()
        try:
            yield way
        finally:
            way.ended.set()
            way.cut()
            way.shutdown()
            thread.join()
