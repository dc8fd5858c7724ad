"""Requests take a thread once they are whole, however they come."""

from __future__ import annotations

import resource
import socket
import ssl
import time
import urllib.request
from collections.abc import Iterator
from contextlib import ExitStack, suppress
from dataclasses import dataclass
from http.client import HTTPResponse
from pathlib import Path

import pytest

from tests.patience import PATIENCE_SECONDS
from tests.web.shared.test_server import port_of, toy
from tests.web.toy_table import NAME
from web.shared.addresses import network_addresses
from web.shared.certificates import AUTHORITY_FILE, Authority
from web.shared.worker import (
    MEMORY_BYTES,
    MOST_BODY_BYTES,
    UNFINISHED_BY_ADDRESS,
)

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


@dataclass(frozen=True, slots=True)
class Page:
    """Where a toy serves, and whom to trust where it is called over https."""

    port: int
    trusted: ssl.SSLContext | None = None

    def connected(
        self, host: str = "127.0.0.1", name: str = "", *, cut: bool = True
    ) -> socket.socket:
        """A connection to the toy, which is called by its host or by a name.

        Over https an end without a farewell is a fault, unless it may be cut off.
        """
        connection = socket.create_connection((host, self.port), timeout=PATIENCE_SECONDS)
        if self.trusted is None:
            return connection
        return self.trusted.wrap_socket(
            connection, server_hostname=name or host, suppress_ragged_eofs=cut
        )

    def asked(self, sent: bytes, host: str = "127.0.0.1") -> bytes:
        """All that is answered to these bytes."""
        with self.connected(host, cut=False) as connection:
            connection.sendall(sent.replace(b"\r\nHost:", b"\r\nConnection: close\r\nHost:", 1))
            received = b""
            while data := connection.recv(65536):
                received += data
        return received

    def opened(self, path: str, data: bytes | None = None) -> HTTPResponse:
        """What urllib gets."""
        scheme = "http" if self.trusted is None else "https"
        url = f"{scheme}://127.0.0.1:{self.port}{path}"
        asked = urllib.request.Request(url, data)  # noqa: S310 -- one of these two
        return urllib.request.urlopen(  # type: ignore[no-any-return]  # noqa: S310 -- as above
            asked, timeout=PATIENCE_SECONDS, context=self.trusted
        )

    def worker(self) -> int:
        """The number of the process that answers."""
        with self.opened("/") as answer:
            return int(answer.read())


@pytest.fixture(scope="module", params=["http", "https"])
def page(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Page]:
    """A toy that also serves at this machine's network address, called in each way."""
    folder = tmp_path_factory.mktemp("https") if request.param == "https" else None
    with toy("serve", host=EVERYWHERE, folder=folder) as process:
        port = port_of(process)
        yield Page(port) if folder is None else Page(port, trusting(folder))


def trusting(folder: Path) -> ssl.SSLContext:
    """Trusts the authority in that folder, and nobody else."""
    authority = Authority.read((folder / AUTHORITY_FILE).read_bytes())
    return ssl.create_default_context(cadata=authority.pem.decode())


@pytest.mark.parametrize("half", [HALF_HEAD, HALF_BODY, b""])
def test_half_requests_hold_no_thread(page: Page, half: bytes) -> None:
    """Far more of them than there are threads, and a page still answers."""
    with ExitStack() as half_open:
        for _ in range(MORE_THAN_THREADS):
            connection = half_open.enter_context(page.connected())
            connection.sendall(half)
        assert page.worker()


@pytest.mark.skipif(not network_addresses(), reason="this machine has no network address")
def test_one_device_has_few_unfinished_requests(page: Page) -> None:
    """The oldest of a device's unfinished requests makes room, and whole ones always count."""
    host = network_addresses()[0]
    with ExitStack() as half_open:
        first, *others = [
            half_open.enter_context(page.connected(host)) for _ in range(UNFINISHED_BY_ADDRESS + 1)
        ]
        for connection in others:
            connection.sendall(HALF_HEAD)
        assert first.recv(1) == b""
        assert page.asked(BARE, host).startswith(b"HTTP/1.1 200")


def test_who_keeps_an_answered_connection_open_delays_nobody(page: Page) -> None:
    """Gunicorn waits two seconds for each of them, and answers nobody meanwhile."""
    with ExitStack() as answered:
        for _ in range(MORE_THAN_THREADS):
            connection = answered.enter_context(page.connected())
            connection.sendall(BARE.replace(b"\r\nHost:", b"\r\nConnection: close\r\nHost:"))
        assert page.worker()


@pytest.mark.parametrize("sent", [CHUNKED, TRAILED, COUNTED])
def test_every_way_to_send_a_body_is_understood(page: Page, sent: bytes) -> None:
    """By its length, in chunks, and with trailers."""
    assert page.asked(sent).endswith(b"\r\n\r\nplaying")


def test_two_requests_at_once_have_two_answers(page: Page) -> None:
    """What came behind a request is the next one."""
    with page.connected() as connection:
        connection.sendall(COUNTED + COUNTED.replace(b"playing", b"drawing"))
        received = b""
        while not received.endswith(b"drawing"):
            received += connection.recv(4096)
        assert received.count(b"HTTP/1.1 200") == 2
        connection.sendall(COUNTED)
        assert b"200 OK" in connection.recv(4096)


def test_who_waits_to_be_asked_for_a_body_is_asked(page: Page) -> None:
    """Some programs send a long body only after the server's word (RFC 9110, section 10.1.1)."""
    head, _, body = COUNTED.partition(b"\r\n\r\n")
    with page.connected() as connection:
        connection.sendall(head + b"\r\nExpect: 100-continue\r\n\r\n")
        assert connection.recv(4096).startswith(b"HTTP/1.1 100")
        connection.sendall(body)
        received = b""
        while not received.endswith(b"playing"):
            received += connection.recv(4096)


def test_a_head_without_end_is_refused(page: Page) -> None:
    """It is told, and not answered with a page."""
    assert page.asked(HALF_HEAD + b"x" * 1_000_000).startswith(b"HTTP/1.0 431")


def test_a_malformed_body_is_refused(page: Page) -> None:
    """The parser says what is wrong; nobody waits for more of it."""
    assert b"200 OK" not in page.asked(MALFORMED)


@pytest.mark.parametrize("size", [LARGE_BYTES, MOST_BODY_BYTES + 1])
def test_a_refusal_reaches_who_still_sends(page: Page, size: int) -> None:
    """A browser that is refused while it sends a photo can read why."""
    with pytest.raises(urllib.request.HTTPError) as received:
        page.opened("/refuse", bytes(size))
    assert (received.value.code, received.value.read()) == (413, b"too large")


@pytest.fixture
def secure(tmp_path: Path) -> Iterator[Page]:
    """A toy with a certificate of its own."""
    with toy("serve", folder=tmp_path) as process:
        port = port_of(process)
        yield Page(port, trusting(tmp_path))


def test_what_was_answered_is_held_no_longer(secure: Page) -> None:
    """More bytes one after the other than may be here at once."""
    secure.opened(f"/limit/MOST_HELD_BYTES/{4 * MEMORY_BYTES}").close()
    for page in (secure, Page(secure.port)):
        for _ in range(5):
            body = bytes(MEMORY_BYTES + 1)
            assert page.opened("/echo", body).read() == body


def test_a_request_that_does_not_end_is_ended(secure: Page) -> None:
    """Ten seconds are enough for a head and a form; here none more, once they have begun."""
    with secure.connected() as one, Page(secure.port).connected() as other:
        for connection in (one, other):
            connection.sendall(HALF_BODY)
        secure.opened("/limit/REQUEST_SECONDS/0").close()
        for connection in (one, other):
            with suppress(ConnectionError):  # a byte that came after the end is answered by a reset
                connection.sendall(b"x")
                assert connection.recv(1) == b""


def test_without_a_descriptor_more_browsers_wait(secure: Page) -> None:
    """The process goes on, and lets them in when another one has gone."""
    worker = secure.worker()
    limits = resource.prlimit(worker, resource.RLIMIT_NOFILE)
    used = len(list(Path(f"/proc/{worker}/fd").iterdir()))
    resource.prlimit(worker, resource.RLIMIT_NOFILE, (used + 4, limits[1]))
    plain = Page(secure.port)
    with ExitStack() as opened:
        for _ in range(12):
            opened.enter_context(plain.connected())
        time.sleep(1)  # they have come: four are let in, and the next is refused
    assert int(plain.opened("/").read()) == worker


def test_one_port_speaks_both_ways(secure: Page) -> None:
    """Whoever types the address without https is answered, and the page knows how it was asked."""
    asking = BARE.replace(b"GET /", b"GET /scheme")
    assert secure.asked(asking).endswith(b"\r\n\r\nhttps")
    assert Page(secure.port).asked(asking).endswith(b"\r\n\r\nhttp")


@pytest.mark.parametrize("greeting", [b"\x16", b"\x16\x03\x01\x02\x00\x01", b"\x16" * 600])
def test_half_greetings_hold_no_thread(secure: Page, greeting: bytes) -> None:
    """Whoever begins to speak TLS and goes no further, or says nonsense, delays nobody."""
    with ExitStack() as half_open:
        for _ in range(MORE_THAN_THREADS):
            half_open.enter_context(Page(secure.port).connected()).sendall(greeting)
        assert secure.worker()


def test_who_does_not_trust_the_table_is_no_fault_of_it(secure: Page) -> None:
    """A phone that shows its warning ends the connection; the others are served."""
    distrusting = Page(secure.port, ssl.create_default_context())
    with pytest.raises(ssl.SSLCertVerificationError):
        distrusting.connected()
    assert secure.worker()


def test_a_new_name_is_certified_and_nobody_is_cut_off(secure: Page, tmp_path: Path) -> None:
    """An address that came after the start: the next connection knows it, the others go on."""
    with secure.connected() as kept:
        with pytest.raises(ssl.SSLCertVerificationError):
            secure.connected(name="table.local")
        (tmp_path / NAME).write_text("table.local")
        wait_until_trusted(secure, "table.local")
        kept.sendall(COUNTED)
        assert b"200 OK" in kept.recv(4096)
    assert secure.worker()


def wait_until_trusted(page: Page, name: str) -> None:
    """Call the toy by that name until its certificate has it."""
    deadline = time.monotonic() + PATIENCE_SECONDS
    while True:
        try:
            page.connected(name=name).close()
        except ssl.SSLCertVerificationError:
            assert time.monotonic() < deadline
            time.sleep(0.1)
        else:
            return
