"""The server of pages under test leaves nothing open."""

from __future__ import annotations

import socket
import struct
from collections.abc import Iterator
from threading import Event, Thread
from typing import TYPE_CHECKING

import pytest

from tests.web.serving import server_of

if TYPE_CHECKING:
    from _typeshed.wsgi import StartResponse, WSGIEnvironment

TEXT = b"a little"
RESET = struct.pack("ii", 1, 0)  # do not linger: closing tells the other side so at once


class Told:
    """An answer that ends when the browser is gone, and remembers that it was closed."""

    def __init__(self) -> None:
        self.begun, self.gone, self.closed = Event(), Event(), Event()
        self.times_closed = 0

    def __call__(self, _environ: WSGIEnvironment, start: StartResponse) -> Told:
        """Begin to answer."""
        start("200 OK", [("Content-Length", str(len(TEXT)))])  # so nothing follows the text
        return self

    def __iter__(self) -> Iterator[bytes]:
        """Tell a little, and nothing more."""
        yield TEXT
        self.begun.set()
        self.gone.wait(30)

    def close(self) -> None:
        """Remember it."""
        self.times_closed += 1
        self.closed.set()


@pytest.mark.parametrize("reset", [True, False])
def test_an_answer_is_closed_when_the_browser_goes_away(*, reset: bool) -> None:
    """A browser that ends its connection in the midst of an answer leaves no answer open."""
    app = Told()
    server = server_of(app)
    thread = Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    try:
        with socket.create_connection(("127.0.0.1", server.server_port)) as browser:
            if reset:
                browser.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, RESET)
            browser.sendall(b"GET / HTTP/1.1\r\nHost: here\r\n\r\n")
            assert app.begun.wait(30)
        app.gone.set()
        assert app.closed.wait(30)
    finally:
        server.shutdown()
        thread.join()
        server.server_close()
    assert app.times_closed == 1
