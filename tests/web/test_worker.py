"""Requests take a thread once they are whole, however they come."""

from __future__ import annotations

import socket
import urllib.request
from collections.abc import Iterator
from contextlib import ExitStack

import pytest
from gunicorn.http.errors import LimitRequestHeaders
from hypothesis import given
from hypothesis import strategies as st

from tests.patience import PATIENCE_SECONDS
from tests.web.test_server import get, port_of, toy
from web.addresses import network_addresses
from web.worker import MOST_BODY_BYTES, MOST_HEAD_BYTES, UNFINISHED_BY_ADDRESS, IncomingRequest

MORE_THAN_THREADS = 60
LARGE_BYTES = 30 * 1024 * 1024
EVERYWHERE = "0.0.0.0"  # noqa: S104 -- so that one's own network address is served, too

HEAD = b"POST /echo HTTP/1.1\r\nHost: localhost\r\n"
CHUNKED = HEAD + b"Transfer-Encoding: chunked\r\n\r\n5;how=well\r\nplayi\r\n2\r\nng\r\n0\r\n\r\n"
TRAILED = CHUNKED[:-2] + b"Said: so\r\n\r\n"
COUNTED = HEAD + b"Content-Length: 7\r\n\r\nplaying"
BARE = b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n"
MALFORMED = HEAD + b"Transfer-Encoding: chunked\r\n\r\nfive\r\n"
HALF_HEAD = b"POST /echo HTTP/1.1\r\nHost: localhost\r\nX: "
HALF_BODY = HEAD + b"Content-Length: 1000\r\n\r\nno"


@pytest.fixture(scope="module")
def port() -> Iterator[int]:
    """The port of a toy that also serves at this machine's network address."""
    with toy("serve", host=EVERYWHERE) as process:
        yield port_of(process)


@given(
    st.sampled_from([CHUNKED, TRAILED, COUNTED, BARE, MALFORMED]),
    st.lists(st.integers(1, 40), max_size=60),
)
def test_a_request_is_whole_at_its_last_byte(request_: bytes, sizes: list[int]) -> None:
    """However it is cut on its way, it ends where it ends, and what follows is the next one's."""
    incoming, sent, at = IncomingRequest(), request_ + BARE, 0
    for size in [*sizes, len(sent)]:
        rest = incoming.add(sent[at : at + size])
        at += size
        if incoming.whole:
            break
        assert rest == b""
        assert at < len(request_)
    assert b"".join(incoming.chunks()) == request_
    assert rest == sent[len(request_) : at]
    incoming.close()


def test_a_body_that_is_too_large_is_not_waited_for() -> None:
    """The page refuses it by its head; nothing of it is kept."""
    incoming = IncomingRequest()
    head = HEAD + f"Content-Length: {MOST_BODY_BYTES + 1}\r\n\r\n".encode()
    incoming.add(head + b"begun")
    assert (incoming.whole, incoming.cut) == (True, True)
    assert b"".join(incoming.chunks()) == head
    incoming.close()


def test_a_head_has_an_end() -> None:
    """More than 64 KiB are no head."""
    incoming = IncomingRequest()
    incoming.add(HALF_HEAD)
    with pytest.raises(LimitRequestHeaders):
        incoming.add(b"x" * MOST_HEAD_BYTES)
    incoming.close()


@pytest.mark.parametrize("half", [HALF_HEAD, HALF_BODY, b""])
def test_half_requests_hold_no_thread(port: int, half: bytes) -> None:
    """Far more of them than there are threads, and a page still answers."""
    with ExitStack() as half_open:
        for _ in range(MORE_THAN_THREADS):
            connection = half_open.enter_context(connected(port))
            connection.sendall(half)
        assert int(get(port))


def test_a_request_that_does_not_end_is_ended(port: int) -> None:
    """Ten seconds are enough for a head and a form."""
    with connected(port) as connection:
        connection.sendall(HALF_BODY)
        assert connection.recv(1) == b""


@pytest.mark.skipif(not network_addresses(), reason="this machine has no network address")
def test_one_device_has_few_unfinished_requests(port: int) -> None:
    """The oldest of a device's unfinished requests makes room, and whole ones always count."""
    host = network_addresses()[0]
    with ExitStack() as half_open:
        first, *others = [
            half_open.enter_context(connected(port, host)) for _ in range(UNFINISHED_BY_ADDRESS + 1)
        ]
        for connection in others:
            connection.sendall(HALF_HEAD)
        assert first.recv(1) == b""
        assert asked(port, BARE, host).startswith(b"HTTP/1.1 200")


def test_who_keeps_an_answered_connection_open_delays_nobody(port: int) -> None:
    """Gunicorn waits two seconds for each of them, and answers nobody meanwhile."""
    with ExitStack() as answered:
        for _ in range(MORE_THAN_THREADS):
            connection = answered.enter_context(connected(port))
            connection.sendall(BARE.replace(b"\r\nHost:", b"\r\nConnection: close\r\nHost:"))
        assert int(get(port))


@pytest.mark.parametrize("sent", [CHUNKED, TRAILED, COUNTED])
def test_every_way_to_send_a_body_is_understood(port: int, sent: bytes) -> None:
    """By its length, in chunks, and with trailers."""
    assert asked(port, sent).endswith(b"\r\n\r\nplaying")


def test_two_requests_at_once_have_two_answers(port: int) -> None:
    """What came behind a request is the next one."""
    with connected(port) as connection:
        connection.sendall(COUNTED + COUNTED.replace(b"playing", b"drawing"))
        received = b""
        while not received.endswith(b"drawing"):
            received += connection.recv(4096)
        assert received.count(b"HTTP/1.1 200") == 2
        connection.sendall(COUNTED)
        assert b"200 OK" in connection.recv(4096)


def test_who_waits_to_be_asked_for_a_body_is_asked(port: int) -> None:
    """Some programs send a long body only after the server's word (RFC 9110, section 10.1.1)."""
    head, _, body = COUNTED.partition(b"\r\n\r\n")
    with connected(port) as connection:
        connection.sendall(head + b"\r\nExpect: 100-continue\r\n\r\n")
        assert connection.recv(4096).startswith(b"HTTP/1.1 100")
        connection.sendall(body)
        received = b""
        while not received.endswith(b"playing"):
            received += connection.recv(4096)


def test_a_head_without_end_is_refused(port: int) -> None:
    """It is told, and not answered with a page."""
    assert asked(port, HALF_HEAD + b"x" * 1_000_000).startswith(b"HTTP/1.1 431")


def test_a_malformed_body_is_refused(port: int) -> None:
    """The parser says what is wrong; nobody waits for more of it."""
    assert b"200 OK" not in asked(port, MALFORMED)


@pytest.mark.parametrize("size", [LARGE_BYTES, MOST_BODY_BYTES + 1])
def test_a_refusal_reaches_who_still_sends(port: int, size: int) -> None:
    """A browser that is refused while it sends a photo can read why."""
    url = f"http://127.0.0.1:{port}/refuse"
    with pytest.raises(urllib.request.HTTPError) as received:
        urllib.request.urlopen(url, data=bytes(size), timeout=PATIENCE_SECONDS)
    assert (received.value.code, received.value.read()) == (413, b"too large")


def connected(port: int, host: str = "127.0.0.1") -> socket.socket:
    """A connection to the toy."""
    return socket.create_connection((host, port), timeout=PATIENCE_SECONDS)


def asked(port: int, sent: bytes, host: str = "127.0.0.1") -> bytes:
    """All that is answered to these bytes."""
    with connected(port, host) as connection:
        connection.sendall(sent.replace(b"\r\nHost:", b"\r\nConnection: close\r\nHost:", 1))
        received = b""
        while data := connection.recv(65536):
            received += data
    return received
