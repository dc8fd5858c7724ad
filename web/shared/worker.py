"""Waitress with what a table at home needs: https on the same port, and bounds for each caller.

Waitress reads each request whole, head and body, before a thread answers it. What it leaves open
is here: how long a request may take, how many of one address may be unfinished, and how a
connection begins and ends; see docs/decisions/0030-whole-requests.md.
"""

from __future__ import annotations

import errno
import logging
import socket
import ssl
import sys
import time
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from queue import SimpleQueue
from selectors import EVENT_READ, EVENT_WRITE, DefaultSelector
from threading import Semaphore, Thread
from typing import Any, Final

from waitress import wasyncore
from waitress.adjustments import Adjustments
from waitress.channel import ClientDisconnected, HTTPChannel
from waitress.parser import HTTPRequestParser
from waitress.server import TcpWSGIServer
from waitress.task import WSGITask
from waitress.utilities import RequestEntityTooLarge

from web.shared.addresses import is_loopback

READ_BYTES: Final = 64 * 1024
MOST_HEAD_BYTES: Final = 64 * 1024
MOST_BODY_BYTES: Final = 128 * 1024 * 1024  # five photos for a set that is taught
MOST_HELD_BYTES: Final = 256 * 1024 * 1024  # of all requests that are here or still coming
MOST_DRAINED_BYTES: Final = MOST_BODY_BYTES + MOST_BODY_BYTES // 256  # what TLS adds to a body
MEMORY_BYTES: Final = 256 * 1024  # of one request; the rest goes into a file without a name
UNSENT_BYTES: Final = 1024 * 1024  # of one answer; then its thread waits for the browser
REQUEST_SECONDS: Final = 10.0
LEAST_BYTES_A_SECOND: Final = 16 * 1024  # what a body has to bring for each second more
# A table asks its hub twice a minute at least: so it stays with one process, which knows its game.
KEEP_ALIVE_SECONDS: Final = 75.0
UNFINISHED_BY_ADDRESS: Final = 8
DRAIN_SECONDS: Final = 30.0
CLOSE_SECONDS: Final = 2.0
SWEEP_SECONDS: Final = 1.0
END_TURN_SECONDS: Final = 0.05
FEWEST_CONNECTIONS: Final = 1000
MOST_CONNECTIONS_ON_WINDOWS: Final = 500  # its select() takes 512 at most
BACKLOG: Final = 2048
NO_DESCRIPTOR: Final = frozenset({errno.EMFILE, errno.ENFILE, errno.ENOBUFS, errno.ENOMEM})
TLS_HANDSHAKE: Final = b"\x16"  # RFC 8446, section 5.1; no HTTP method begins so
NOT_YET: Final = (BlockingIOError, ssl.SSLWantReadError, ssl.SSLWantWriteError)

ContextOf = Callable[[], ssl.SSLContext]


class IncomingRequest(HTTPRequestParser):  # type: ignore[misc]  # waitress has no types
    """One request while its bytes arrive; a `cut` one is too large, and refused by its head."""

    cut = False
    error: Any

    @property
    def size(self) -> int:
        return int(self.header_bytes_received + self.body_bytes_received)

    def received(self, data: bytes) -> int:
        """Take what came; gives how much of it was this request's."""
        consumed = int(super().received(data))
        if isinstance(self.error, RequestEntityTooLarge):
            self.error, self.cut = None, True
            self.headers["CONNECTION"] = "close"
        return consumed


class _Answer(WSGITask):  # type: ignore[misc]  # waitress has no types
    """Lets the page know how it is asked: waitress assumes one scheme for all."""

    def get_environment(self) -> dict[str, Any]:
        environ: dict[str, Any] = super().get_environment()
        environ["wsgi.url_scheme"] = self.channel.scheme
        environ["SERVER_NAME"] = self.channel.came_by  # not the wildcard
        environ.pop("wsgi.file_wrapper", None)  # else it writes files, not bytes
        self.channel.cut = self.request.cut
        return environ

    def build_response_header(self) -> bytes:
        """The head is sent with what follows it: a packet less for each answer."""
        self.channel.head = super().build_response_header()
        return b""

    def finish(self) -> None:
        super().finish()
        head, self.channel.head = self.channel.head, b""
        self.channel.write_soon(head)  # where there was no body


class Connection(HTTPChannel):  # type: ignore[misc]  # waitress has no types
    """One browser's connection. The loop reads it; the thread that answers writes."""

    parser_class = IncomingRequest
    task_class = _Answer
    server: PageServer
    close_when_flushed: bool

    def __init__(self, server: PageServer, sock: socket.socket, *args: Any, **kwargs: Any) -> None:
        self.socket: Any = sock  # which speaks TLS later, where the browser does
        self._tls = server.tls  # None once it is known whether the browser speaks it
        self._greeting: ssl.SSLSocket | None = None
        self._begun_at: float | None = time.monotonic()  # of the request that is to come whole
        self._quiet_since = self._begun_at
        self.cut = False
        self.parked = False  # more came while a thread answers; the loop looks away meanwhile
        self.head = b""  # of the answer, until its body begins
        self._closes_at: float | None = None  # once no more is sent
        self._drained = 0
        self.came_by = str(sock.getsockname()[0])
        super().__init__(server, sock, *args, **kwargs)
        self.is_near = is_loopback(self.addr[0])
        server.bound(self)
        server.wake(self)

    @property
    def scheme(self) -> str:
        return "https" if isinstance(self.socket, ssl.SSLSocket) else "http"

    @property
    def held(self) -> int:
        coming = [] if self.request is None else [self.request]
        return sum(each.size for each in [*self.requests, *coming])

    @property
    def unfinished_since(self) -> float | None:
        """When the request began of which more is to come; None where none is."""
        return None if self.requests or self._closes_at is not None else self._begun_at

    @property
    def deadline(self) -> float:
        """When its patience ends (`time.monotonic`)."""
        if self._closes_at is not None:
            return self._closes_at
        if self.requests:
            return float("inf")
        if self._begun_at is not None:
            return self._begun_at + REQUEST_SECONDS + self.held / LEAST_BYTES_A_SECOND
        return self._quiet_since + KEEP_ALIVE_SECONDS

    def handle_read(self) -> None:
        """Read what a browser sends. Runs in the loop, so it never waits.

        With TLS, a record is taken in whole (it has at most 16 KiB): nothing is left where the
        loop, which watches the socket, would not know of it.
        """
        try:
            if self._tls is not None:
                self._begin_tls(self._tls)
            if self._greeting is not None:
                self._greeting.do_handshake()
                self._greeting = None
            data = self.socket.recv(READ_BYTES)
        except NOT_YET:
            return
        except OSError:  # reset by the other side, or no TLS that both know
            data = b""
        if self._closes_at is not None:
            self._drained += len(data)
        if not data or self._drained > MOST_DRAINED_BYTES:
            self.handle_close()
        elif self._closes_at is None:
            self._take(data)

    def _begin_tls(self, context: ssl.SSLContext) -> None:
        """Speak TLS with a browser that begins so, plain HTTP with one that does not."""
        first = self.socket.recv(1, socket.MSG_PEEK)
        self._tls = None
        if first == TLS_HANDSHAKE:
            self.socket = self._greeting = context.wrap_socket(
                self.socket, server_side=True, do_handshake_on_connect=False
            )

    def _take(self, data: bytes) -> None:
        self._quiet_since = time.monotonic()
        if self._begun_at is None:
            self._begun_at = self._quiet_since
            self.server.bound(self)
        try:
            self.received(data)
        except OSError as error:  # no room for it on disk
            self.logger.error("A request could not be taken in: %s", error)  # noqa: TRY400 -- no fault of ours
            self.handle_close()
            return
        if self.request is None:
            self._begun_at = None
        elif self.request.body_bytes_received > MEMORY_BYTES:
            self.server.make_room()

    def del_channel(self, *args: Any) -> None:
        """Forget it, before its descriptor is another one's."""
        self.server.forget(self)
        super().del_channel(*args)

    def service(self) -> None:
        super().service()
        self._quiet_since = time.monotonic()
        if self.parked or self.writable():  # else the loop goes on listening there anyway
            self.server.wake(self)

    def write_soon(self, data: bytes) -> int:
        """Send it, from the thread that answers; keep what is left. Raises ClientDisconnected."""
        if not data:
            return 0
        data, self.head, sent = self.head + data, b"", 0
        with self.outbuf_lock:
            if not self.total_outbufs_len and self.connected:
                try:
                    sent = self.socket.send(data[: self.sendbuf_len])
                except NOT_YET:
                    pass
                except OSError as error:
                    self.will_close = True
                    raise ClientDisconnected from error
        if sent < len(data):
            super().write_soon(data[sent:])
            self.server.wake(self)
        return len(data)

    def send(self, data: bytes, do_close: bool = True) -> int:  # noqa: FBT001, FBT002 -- waitress's
        """Send what the browser takes; 0 where it is busy, or has gone."""
        try:
            return int(super().send(data, do_close))
        except NOT_YET:
            return 0

    def handle_write(self) -> None:
        """Send what is left; once all of the last answer has gone, end the connection."""
        self._flush_exception(self._flush_some_if_lockable)
        if self.will_close:
            self.handle_close()
        elif self.close_when_flushed and not self.total_outbufs_len:
            self.close_when_flushed = False  # what comes now is drained
            self._say_the_end()

    def _say_the_end(self) -> None:
        """Say that no more comes, and let what is under way from the browser run out.

        A connection closed on a browser that still sends is reset, and its answer lost.
        """
        wait_seconds = DRAIN_SECONDS if self.cut else CLOSE_SECONDS
        self._closes_at = time.monotonic() + wait_seconds
        try:
            if isinstance(self.socket, ssl.SSLSocket):
                with suppress(ssl.SSLError):  # its farewell comes later, or it is still sending
                    self.socket.unwrap()
            self.socket.shutdown(socket.SHUT_WR)
        except OSError:  # it has gone
            self.handle_close()


class _Threads:
    """The threads that answer, started as they are needed; waitress starts them all at once.

    An executor makes a future of each request, which costs a hub a twentieth of its time.
    """

    def __init__(self, most: int) -> None:
        self._left = most  # to be started
        self._waiting = SimpleQueue[Connection]()
        self._idle = Semaphore(0)

    def add_task(self, connection: Connection) -> None:
        self._waiting.put(connection)
        if not self._idle.acquire(blocking=False) and self._left:
            self._left -= 1
            Thread(target=self._answer, name="page", daemon=True).start()

    def _answer(self) -> None:
        while True:
            self._waiting.get().service()
            self._idle.release()


class PageServer(TcpWSGIServer):  # type: ignore[misc]  # waitress has no types
    """Serves a page at a socket that listens, until `stop`; `sweep` is called once a second."""

    channel_class = Connection

    def __init__(
        self,
        listening: socket.socket,
        threads: int,
        sweep: Callable[[], None],
        context: ContextOf | None = None,
    ) -> None:
        self._context = context
        self._sweep = sweep
        self._sweep_at = self._accepts_from = 0.0
        self._counted = 0  # connections, when it last looked whether more may come
        self._stopping = False
        self._selector = DefaultSelector()
        self._changed = deque[Connection]()  # whose threads ended or have more to send
        limit = max(FEWEST_CONNECTIONS, 2 * threads)
        if sys.platform == "win32":
            limit = MOST_CONNECTIONS_ON_WINDOWS
        settings = Adjustments(
            sockets=[listening],
            ident=None,
            backlog=BACKLOG,
            connection_limit=limit,
            cleanup_interval=SWEEP_SECONDS,
            inbuf_overflow=MEMORY_BYTES,
            outbuf_high_watermark=UNSENT_BYTES,
            max_request_header_size=MOST_HEAD_BYTES,
            max_request_body_size=MOST_BODY_BYTES + 1,
            clear_untrusted_proxy_headers=False,  # the hub judges them itself
        )
        family, kind, number = listening.family, listening.type, listening.proto
        super().__init__(
            None,  # `run` is given it
            _sock=listening,
            dispatcher=_Threads(threads),
            adj=settings,
            sockinfo=(family, kind, number, listening.getsockname()),
            bind_socket=False,
        )

    @property
    def tls(self) -> ssl.SSLContext | None:
        """For the next connection: its certificate is renewed meanwhile."""
        return None if self._context is None else self._context()

    def run(self, app: Callable[..., Any]) -> None:
        """Serve the page until `stop` is called, which may have been before."""
        self.application = app
        self._watch(self.trigger)
        while not self._stopping:
            if len(self._map) != self._counted or time.monotonic() >= self._sweep_at:
                self._counted, self._sweep_at = len(self._map), time.monotonic() + SWEEP_SECONDS
                self._watch(self)  # which lets browsers in, and sweeps once a second
            self._turn(SWEEP_SECONDS)
        self.forget(self)

    def stop(self) -> None:
        """Have `run` return; from any thread, and from a signal's handler."""
        self._stopping = True
        self.trigger.pull_trigger()

    def finish(self) -> None:
        """Answer what is under way, after `run`."""
        while self.active_channels:
            for connection in [*self.active_channels.values()]:
                if not connection.requests and not connection.total_outbufs_len:
                    connection.handle_close()
            self._turn(END_TURN_SECONDS)

    def wake(self, connection: Connection) -> None:
        """Have the loop look anew at what it waits for there; from any thread."""
        self._changed.append(connection)
        self.trigger.pull_trigger()

    def pull_trigger(self) -> None:
        """Nothing: a connection wakes the loop itself, and names itself."""

    def forget(self, connection: wasyncore.dispatcher) -> None:
        """Wait for nothing there any more."""
        if connection._fileno in self._selector.get_map():  # noqa: SLF001 -- waitress's own name
            self._selector.unregister(connection._fileno)  # noqa: SLF001 -- as above

    def set_reuse_addr(self) -> None:
        """Leave the socket as it is: on Windows this would let a second table take the port."""

    def readable(self) -> bool:
        """Whether the loop may let browsers in; it asks at each turn."""
        return bool(super().readable()) and time.monotonic() >= self._accepts_from

    def accept(self) -> tuple[socket.socket, Any] | None:
        """Let a browser in, unless no descriptor is free: one is in a while."""
        try:
            found: tuple[socket.socket, Any] | None = super().accept()
        except OSError as error:
            if error.errno not in NO_DESCRIPTOR:
                raise
            self._accepts_from = time.monotonic() + SWEEP_SECONDS
            return None
        return found

    def bound(self, connection: Connection) -> None:
        """Drop the oldest unfinished requests of its address, where it has too many."""
        if not connection.is_near:
            same = [
                (since, number, each)
                for number, each in enumerate(self.active_channels.values())
                if each.addr[0] == connection.addr[0] and (since := each.unfinished_since)
            ]
            for _, _, oldest in sorted(same)[:-UNFINISHED_BY_ADDRESS]:
                oldest.handle_close()

    def make_room(self) -> None:
        """Drop the largest request that is still coming, where all take too much room."""
        held = sum(each.held for each in self.active_channels.values())
        if held > MOST_HELD_BYTES:
            coming = [each for each in self.active_channels.values() if each.request is not None]
            max(coming, key=lambda each: each.request.size).handle_close()

    def maintenance(self, _now: float) -> None:
        """End what took too long; called once a second."""
        now = time.monotonic()
        for connection in [*self.active_channels.values()]:
            if connection.deadline <= now:
                connection.handle_close()
        self.make_room()
        self._sweep()

    def _turn(self, seconds: float) -> None:
        """Wait for whatever comes first, and deal with it.

        Waitress's own loop asks every connection at each turn, which costs a full hall's hub more
        than all answers.
        """
        while self._changed:
            self._watch(self._changed.popleft())
        for found, events in self._selector.select(seconds):
            one = found.data
            if one._fileno is None:  # noqa: SLF001 -- it was dropped a moment ago
                continue
            if events & EVENT_READ and self._may_be_read(one):
                wasyncore.read(one)
            if events & EVENT_WRITE:
                wasyncore.write(one)
            if one is self or found.events != EVENT_READ or one.writable():
                self._watch(one)

    def _may_be_read(self, one: Any) -> bool:
        """Whether to read there now; if not, its thread has the loop listen again at its end.

        Most browsers send nothing before they are answered, so none is parked without need.
        """
        if not isinstance(one, Connection):
            return True
        one.parked = True  # before it is asked, so that its thread cannot end in between
        one.parked = not one.readable()
        if one.parked:
            self._watch(one)
        return not one.parked

    def _watch(self, one: Any) -> None:
        """Wait until it can be read, written, both or neither, as it wants now."""
        number = one._fileno  # noqa: SLF001 -- waitress's own name
        if number is None:
            return
        wanted = (EVENT_READ if one.readable() else 0) | (EVENT_WRITE if one.writable() else 0)
        known = self._selector.get_map().get(number)
        if known is None and wanted:
            self._selector.register(number, wanted, one)
        elif known is not None and not wanted:
            self._selector.unregister(number)
        elif known is not None and known.events != wanted:
            self._selector.modify(number, wanted, one)


def without_address(record: logging.LogRecord) -> bool:
    """Take the address out of a record of waitress's: it may hold a player's key.

    That a browser has gone is no fault, and worth no record.
    """
    if isinstance(record.msg, str) and record.msg.startswith("Exception while serving"):
        record.msg, record.args = "Error handling request", ()
    return record.msg != "Socket error"
