"""The worker process's way with connections: a request takes a thread once all of it is here.

Gunicorn's thread worker reads head and body in the thread that answers, so whoever sends half a
request holds a thread for as long as they like. Here the loop that accepts connections reads
them too, and never waits for one; see docs/decisions/0030-whole-requests.md.
"""

from __future__ import annotations

import errno
import socket
import ssl
import time
from collections.abc import Iterator
from concurrent.futures import Future
from contextlib import suppress
from functools import partial
from selectors import EVENT_READ
from tempfile import SpooledTemporaryFile
from typing import Any, Final

from gunicorn.http import get_parser
from gunicorn.http.errors import LimitRequestHeaders
from gunicorn.sock import ssl_context
from gunicorn.workers.gthread import TConn, ThreadWorker

from web.shared.addresses import is_loopback

READ_BYTES: Final = 64 * 1024
MOST_HEAD_BYTES: Final = 64 * 1024
MOST_BODY_BYTES: Final = 128 * 1024 * 1024  # five photos for a set that is taught
MOST_HELD_BYTES: Final = 256 * 1024 * 1024  # of all requests that are here or still coming
MOST_DRAINED_BYTES: Final = MOST_BODY_BYTES + MOST_BODY_BYTES // 256  # what TLS adds to a body
MEMORY_BYTES: Final = 256 * 1024  # of one request; the rest goes into a file without a name
LONGEST_CHUNK_LINE: Final = 4096
REQUEST_SECONDS: Final = 10.0
LEAST_BYTES_A_SECOND: Final = 16 * 1024  # what a body has to bring for each second more
UNFINISHED_BY_ADDRESS: Final = 8
DRAIN_SECONDS: Final = 30.0
CLOSE_SECONDS: Final = 2.0
SWEEP_SECONDS: Final = 1.0
NO_DESCRIPTOR: Final = frozenset({errno.EMFILE, errno.ENFILE, errno.ENOBUFS, errno.ENOMEM})
CONTINUE: Final = b"HTTP/1.1 100 Continue\r\n\r\n"
TLS_HANDSHAKE: Final = b"\x16"  # RFC 8446, section 5.1; no HTTP method begins so
LEAST_HEAD_END: Final = len(b"\r\n\r\n")


class Counted:
    """The end of a body whose head states its length."""

    def __init__(self, length: int) -> None:
        self._missing = length

    def end_in(self, data: bytes) -> int | None:
        """How many of these bytes still belong to the body, None when all do and it goes on."""
        if len(data) >= self._missing:
            return self._missing
        self._missing -= len(data)
        return None


class Chunked:
    """The end of a body that comes in chunks (RFC 9112, section 7.1).

    What is malformed ends it, too: the parser says what is wrong with it.
    """

    def __init__(self) -> None:
        self._skip = 0
        self._line = bytearray()
        self._last = False

    def end_in(self, data: bytes) -> int | None:
        """As for `Counted`."""
        at = 0
        while at < len(data):
            skipped = min(self._skip, len(data) - at)
            self._skip -= skipped
            at += skipped
            line = data[at:].partition(b"\n")
            at += len(line[0]) + len(line[1])
            self._line += line[0]
            if len(self._line) > LONGEST_CHUNK_LINE:
                return at
            if line[1] and self._ends():
                return at
        return None

    def _ends(self) -> bool:
        """Take the whole line; whether it is the last one."""
        line = bytes(self._line).strip()
        self._line.clear()
        if self._last:  # these are trailers, which an empty line ends
            return not line
        try:
            size = int(line.partition(b";")[0], 16)
        except ValueError:
            return True
        self._last = size == 0
        self._skip = size + len(b"\r\n") if size else 0
        return size < 0


class IncomingRequest:
    """One request while its bytes arrive; `whole` once no more of them are needed.

    `cut` says that its body is larger than any may be: it is whole without it, and what still
    comes is no next request.
    """

    def __init__(self) -> None:
        self.whole = False
        self.cut = False
        self.size = 0
        self.continues = False
        self._head = bytearray()
        self._body: Counted | Chunked | None = None
        self._bytes = SpooledTemporaryFile(MEMORY_BYTES)  # noqa: SIM115 -- closed in `close`

    @property
    def begun(self) -> bool:
        """Whether any byte of it has come."""
        return bool(self._head)

    def add(self, data: bytes) -> bytes:
        """Take what came; gives back what belongs to the next request.

        Raises:
            LimitRequestHeaders: its head does not end.
        """
        if self._body is None:
            data = self._add_to_head(data)
        if self._body is None or self.whole:
            return data
        end = self._body.end_in(data)
        self._write(data[:end])
        self.cut = self.size - len(self._head) > MOST_BODY_BYTES
        self.whole = self.cut or end is not None
        return b"" if end is None else data[end:]

    def chunks(self) -> Iterator[bytes]:
        """All that came of it, in order, and then no more: who reads never waits."""
        self._bytes.seek(0)
        while data := self._bytes.read(READ_BYTES):
            yield data

    def spent(self) -> bool:
        """Whether all of it was read from `chunks`."""
        return self._bytes.tell() == self.size

    def close(self) -> None:
        """Forget it."""
        self._bytes.close()

    def _add_to_head(self, data: bytes) -> bytes:
        """Take what belongs to the head; gives the rest."""
        searched = max(0, len(self._head) - LEAST_HEAD_END + 1)
        self._head += data
        found = self._head.find(b"\r\n\r\n", searched)
        if max(found, len(self._head) if found < 0 else 0) > MOST_HEAD_BYTES:
            raise LimitRequestHeaders("the head is too long")
        if found < 0:
            return b""
        end = found + LEAST_HEAD_END
        rest = bytes(self._head[end:])
        del self._head[end:]
        self._write(bytes(self._head))
        self._body, self.continues = self._framing()
        return rest

    def _framing(self) -> tuple[Counted | Chunked, bool]:
        """How the head says that the body ends, and whether the sender waits to be asked for it.

        Only the parser judges what the head says. If it sees another end, it finds no more
        bytes or some that are left over, and the connection ends.
        """
        body: Counted | Chunked = Counted(0)
        continues = False
        for line in bytes(self._head).split(b"\r\n")[1:]:
            name, _, value = line.partition(b":")
            match name.lower(), value.strip().lower():
                case b"content-length", length if length.isdigit() and len(length) <= 20:  # noqa: PLR2004 -- digits of any file's
                    self.cut = self.whole = int(length) > MOST_BODY_BYTES
                    body = Counted(int(length))
                case b"transfer-encoding", b"chunked":
                    body = Chunked()
                case b"expect", b"100-continue":
                    continues = True
        return body, continues

    def _write(self, data: bytes) -> None:
        self._bytes.write(data)
        self.size += len(data)


class Connection(TConn):  # type: ignore[misc]  # gunicorn has no types
    """One browser's connection, with the request that comes over it."""

    sock: socket.socket

    def __init__(
        self,
        cfg: Any,
        sock: socket.socket,
        client: Any,
        server: Any,
        tls: ssl.SSLContext | None = None,
    ) -> None:
        super().__init__(cfg, sock, client, server)
        self._tls = tls  # None once it is known whether the browser speaks it
        self._greeting: ssl.SSLSocket | None = None
        self.data_ready = True  # so that no thread waits for any
        self.address = str(client[0])
        self.bounded = not is_loopback(self.address)
        self.deadline = 0.0
        self.drained = 0
        self.held = 0  # bytes of its request that its worker counts
        self.expect(b"")

    @property
    def scheme(self) -> str:
        """How the browser speaks with the page."""
        return "https" if isinstance(self.sock, ssl.SSLSocket) else "http"

    def receive(self) -> bytes | None:
        """What came, b"" at the end of all, None when there is nothing yet. Never waits.

        With TLS, a record is taken in whole (it has at most 16 KiB): nothing is left where the
        loop, which watches the socket, would not know of it.
        """
        try:
            if self._tls is not None:
                self._begin_tls(self._tls)
            if self._greeting is not None:
                self._greeting.do_handshake()
                self._greeting = None
            return bytes(self.sock.recv(READ_BYTES))
        except (BlockingIOError, ssl.SSLWantReadError):
            return None
        except OSError:  # reset by the other side, or no TLS that both know
            return b""

    def _begin_tls(self, context: ssl.SSLContext) -> None:
        """Speak TLS with a browser that begins so, plain HTTP with one that does not."""
        first = self.sock.recv(1, socket.MSG_PEEK)
        self._tls = None
        if first == TLS_HANDSHAKE:
            self.sock = self._greeting = context.wrap_socket(
                self.sock, server_side=True, do_handshake_on_connect=False
            )

    def end(self) -> None:
        """Say that no more comes. Raises OSError where the browser has gone."""
        self.sock.settimeout(0)
        if isinstance(self.sock, ssl.SSLSocket):
            with suppress(ssl.SSLError):  # it says farewell later, or is still sending
                self.sock.unwrap()
        self.sock.shutdown(socket.SHUT_WR)

    def expect(self, come: bytes) -> None:
        """Wait for a request, of which these bytes may have come already."""
        self.request = IncomingRequest()
        self.begun_at = time.monotonic()
        self.rest = come

    def init(self) -> None:
        """Have the request that is here parsed; gunicorn calls it in the thread that answers."""
        self.parser = get_parser(self.cfg, self.request.chunks(), self.client)

    def take(self, data: bytes) -> None:
        """Take what came, and ask for the body of a sender who waits for that.

        Raises:
            LimitRequestHeaders: the request's head does not end.
            OSError: there is no room for it, or the browser has gone.
        """
        self.rest = self.request.add(self.rest + data)
        if self.request.continues and not self.request.whole:
            self.request.continues = False
            self.sock.send(CONTINUE)
        self.deadline = self.begun_at + REQUEST_SECONDS + self.request.size / LEAST_BYTES_A_SECOND

    def answered_whole(self) -> bool:
        """Whether the next request may follow: all of this one was read, and no more."""
        request: IncomingRequest = self.request
        return not request.cut and request.spent() and not self.parser.unreader.buf.getvalue()


class WholeRequestWorker(ThreadWorker):  # type: ignore[misc]  # gunicorn has no types
    """A thread worker whose threads never wait for what a browser has yet to send."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._arriving: dict[Connection, None] = {}  # the oldest first
        self._closing: dict[Connection, None] = {}
        self._held = 0  # bytes of all requests: adding them up anew would cost each of a full hall
        self._sweep_at = self._accepts_from = 0.0

    def accept(self, listener: socket.socket) -> None:
        """Let a browser in, and read what it sends when it comes."""
        try:
            sock, client = listener.accept()
        except (BlockingIOError, ConnectionAbortedError):
            return
        except OSError as error:
            if error.errno not in NO_DESCRIPTOR:
                raise
            self._accepts_from = time.monotonic() + SWEEP_SECONDS  # one comes free in a while
            self.set_accept_enabled(enabled=False)
            return
        self.nr_conns += 1
        tls = ssl_context(self.cfg) if self.cfg.is_ssl else None
        # the address by which it came, not the one that stands for all
        self._await_request(Connection(self.cfg, sock, client, sock.getsockname(), tls))

    def set_accept_enabled(self, enabled: bool) -> None:  # noqa: FBT001 -- gunicorn's
        """Let browsers in or not; gunicorn's loop asks each time whether there is room."""
        super().set_accept_enabled(enabled and time.monotonic() >= self._accepts_from)

    def on_client_socket_readable(self, conn: Connection, client: socket.socket) -> None:
        """Read the next request of a connection that was kept."""
        self.poller.unregister(client)
        self.keepalived_conns.remove(conn)
        conn.expect(b"")
        self._await_request(conn)

    def murder_pending(self) -> None:
        """End what took too long; called at each turn of the loop, done once a second."""
        now = time.monotonic()
        if now >= self._sweep_at:
            self._sweep_at = now + SWEEP_SECONDS
            self.sweep()

    def sweep(self) -> None:
        """What the loop does once a second."""
        now = time.monotonic()
        for conn in [*self._arriving, *self._closing]:
            if conn.deadline <= now:
                self._drop(conn)

    def handle(self, conn: Connection) -> bool:
        """Answer a request; whether its connection may be kept. Runs in a thread."""
        kept = super().handle(conn)
        return bool(kept) and conn.answered_whole()

    def handle_request(self, req: Any, conn: Connection) -> Any:
        """Let the page know how it is asked: gunicorn takes it that all speak alike."""
        req.scheme = conn.scheme
        return super().handle_request(req, conn)

    def finish_request(self, conn: Connection, answered: Future[bool]) -> None:
        """Wait for the next request, or end the connection."""
        self._let_go(conn)
        if answered.cancelled() or answered.exception() or not answered.result() or not self.alive:
            self._close(conn)
            return
        conn.sock.settimeout(0)
        if conn.rest:
            conn.expect(conn.rest)
            self._await_request(conn)
        else:
            conn.set_timeout()
            self.keepalived_conns.append(conn)
            readable = partial(self.on_client_socket_readable, conn)
            self.poller.register(conn.sock, EVENT_READ, readable)

    def _await_request(self, conn: Connection) -> None:
        self._arriving[conn] = None
        self.poller.register(conn.sock, EVENT_READ, partial(self._receive, conn))
        self._take(conn, b"")
        if conn.bounded:
            same = [each for each in self._arriving if each.address == conn.address]
            for oldest in same[:-UNFINISHED_BY_ADDRESS]:
                self._drop(oldest)

    def _receive(self, conn: Connection, _sock: socket.socket) -> None:
        """Read what a browser sends. Runs in the loop, so it never waits."""
        if conn not in self._arriving:  # it was dropped a moment ago
            return
        data = conn.receive()
        if data:
            self._take(conn, data)
        elif data is not None:
            self._drop(conn)

    def _take(self, conn: Connection, data: bytes) -> None:
        try:
            conn.take(data)
        except LimitRequestHeaders as error:
            self._forget(conn)
            self._let_go(conn)
            self.handle_error(None, conn.sock, conn.client, error)
            self._close(conn)
            return
        except ConnectionError:
            self._drop(conn)
            return
        except OSError as error:  # no room for it on disk
            self.log.error("A request could not be taken in: %s", error)  # noqa: TRY400 -- no fault of ours
            self._drop(conn)
            return
        self._held += conn.request.size - conn.held
        conn.held = conn.request.size
        if conn.request.whole:
            self._forget(conn)
            self.enqueue_req(conn)
            return
        if self._held > MOST_HELD_BYTES:  # the largest request that is still coming goes
            self._drop(max(self._arriving, key=lambda each: each.request.size))

    def _close(self, conn: Connection) -> None:
        """Say that no more comes, and let what is under way from the browser run out.

        A connection closed on a browser that still sends is reset, and its answer lost.
        """
        try:
            conn.end()
        except OSError:  # it has gone
            self._drop(conn)
            return
        wait_seconds = DRAIN_SECONDS if conn.request.cut else CLOSE_SECONDS
        conn.deadline = time.monotonic() + wait_seconds
        self._closing[conn] = None
        self.poller.register(conn.sock, EVENT_READ, partial(self._drain, conn))

    def _drain(self, conn: Connection, _sock: socket.socket) -> None:
        data = conn.receive()
        conn.drained += len(data or b"")
        if data == b"" or conn.drained > MOST_DRAINED_BYTES:
            self._drop(conn)

    def _forget(self, conn: Connection) -> None:
        """Read no more from it."""
        if conn in self._arriving or conn in self._closing:
            self.poller.unregister(conn.sock)
        self._arriving.pop(conn, None)
        self._closing.pop(conn, None)

    def _let_go(self, conn: Connection) -> None:
        """Hold its request no longer."""
        conn.request.close()
        self._held -= conn.held
        conn.held = 0

    def _drop(self, conn: Connection) -> None:
        """End a connection at once."""
        self._forget(conn)
        self._let_go(conn)
        self.nr_conns -= 1
        conn.close()
