"""A real `tablescore run` or `hub`, driven over HTTP as a browser without scripts would."""

from __future__ import annotations

import json
import os
import re
import signal
import socket
import ssl
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import urlencode

from tests.patience import PATIENCE_SECONDS

if TYPE_CHECKING:  # only tests in a browser have it
    from playwright.sync_api import Page

ROOT = Path(__file__).parents[2]
SEEN = re.compile(r'name="seen" value="([^"]+)"')
Form = Sequence[tuple[str, str]]
NEW_GAME: Form = [("name", "North"), ("name", "South"), ("option-start", "first"), ("do", "begin")]


@dataclass(frozen=True, slots=True)
class HttpAnswer:
    """What came back, whole: the status and the body."""

    status: int
    body: str


class RunningProcess:
    """One `tablescore run` in a process group of its own, on a free port of loopback.

    `command` is another command that serves a page; `under` is a program that starts it.
    """

    def __init__(
        self,
        *options: str,
        environment: Mapping[str, str] | None = None,
        command: str = "run",
        under: Sequence[str] = (),
    ) -> None:
        self.process = subprocess.Popen(
            [*under, sys.executable, "-m", "web", command, "--port", "0", *options],
            cwd=ROOT,
            env={**os.environ, **(environment or {})},
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            encoding="utf-8",
            start_new_session=True,
        )
        self.port = 0
        self.link = self.cookie = ""  # what makes a browser the table's own, and what it then shows
        self.printed = ""
        self.trusted: ssl.SSLContext | None = None  # to call it over https

    def wait_until_listening(self) -> None:
        """Read the start text up to its end, and the port in it."""
        assert self.process.stdout is not None
        for line in self.process.stdout:
            self.printed += line
            found = re.search(r"http://127\.0\.0\.1:(\d+)/", line)
            self.port = int(found[1]) if found else self.port
            if own := re.search(r"\S+/here/(\S+)/", line):
                self.link, self.cookie = own[0], f"device-{self.port}={own[1]}"
            if line.strip().startswith("stop"):
                return
        raise AssertionError(f"it ended: {self.printed}{self.end()}")

    def open_in(self, page: Page, link: str = "") -> None:
        """Open its link in a browser, and wait for the page that the link leads to."""
        page.goto(link or self.link)
        page.wait_for_url(lambda url: "/here/" not in url)

    def kill(self) -> None:
        """End every process of it as a power cut would."""
        os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait()

    def end(self) -> str:
        """Kill it if it still runs; what it said on stderr."""
        if self.process.poll() is None:
            self.kill()
        return self.process.communicate()[1]

    def connect(self) -> socket.socket:
        """A connection to the page."""
        connection = socket.create_connection(("127.0.0.1", self.port), timeout=PATIENCE_SECONDS)
        if self.trusted is None:
            return connection
        return self.trusted.wrap_socket(connection, server_hostname="127.0.0.1")

    def send(self, path: str, form: Form | None = None) -> socket.socket:
        """Send a request, a POST when there is a form, and don't wait for the answer."""
        connection = self.connect()
        scheme = "http" if self.trusted is None else "https"
        connection.sendall(request_bytes(self.port, path, form, scheme, self.cookie))
        return connection

    def ask(self, path: str, form: Form | None = None) -> HttpAnswer:
        """Send a request and wait for the whole answer."""
        with self.send(path, form) as connection:
            answer = answer_of(connection)
        assert answer is not None, f"no whole answer from {path}"
        return answer

    def seen(self) -> str:
        """The version that the page shows now, as its forms send it back."""
        found = SEEN.search(self.ask("/").body)
        assert found is not None
        return found[1]


@contextmanager
def running(
    *options: str, environment: Mapping[str, str] | None = None, command: str = "run"
) -> Iterator[RunningProcess]:
    """A table that listens, and is gone at the end whatever became of it."""
    process = RunningProcess(*options, environment=environment, command=command)
    try:
        process.wait_until_listening()
        yield process
    finally:
        process.end()


def request_bytes(
    port: int, path: str, form: Form | None = None, scheme: str = "http", cookie: str = ""
) -> bytes:
    """A request as our own page's script would send it."""
    origin = f"127.0.0.1:{port}"
    head = [f"Host: {origin}", f"Origin: {scheme}://{origin}", "Accept: application/json"]
    head += [f"Cookie: {cookie}"] if cookie else []
    if form is None:
        return "\r\n".join([f"GET {path} HTTP/1.1", *head, "Connection: close", "", ""]).encode()
    body = urlencode(form).encode()
    head += [
        "Content-Type: application/x-www-form-urlencoded",
        f"Content-Length: {len(body)}",
        "Connection: close",
    ]
    return "\r\n".join([f"POST {path} HTTP/1.1", *head, "", ""]).encode() + body


def answer_of(connection: socket.socket) -> HttpAnswer | None:
    """The whole answer; None when the connection ended before all of it had come."""
    received = b""
    try:
        while data := connection.recv(65536):
            received += data
    except ConnectionError:
        pass
    head, _, body = received.partition(b"\r\n\r\n")
    length = re.search(rb"(?i)content-length: (\d+)", head)
    if length is None or len(body) < int(length[1]):
        return None
    return HttpAnswer(int(head.split()[1]), body.decode())


def document(answer: HttpAnswer) -> dict[str, Any]:
    """The JSON of an answer."""
    value = json.loads(answer.body)
    assert isinstance(value, dict)
    return value
