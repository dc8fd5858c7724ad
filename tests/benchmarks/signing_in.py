"""A flood of sign-ins at a hub: how long does a page take meanwhile?

The client is one process on the same machine, so its own work is part of the figures.
"""

from __future__ import annotations

import http.client
import os
import platform
import socket
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final
from urllib.parse import urlsplit

import click
from argon2 import PasswordHasher

from scoreboard.tournament.protocol.audit_log import Account
from scoreboard.tournament.storage.hub_store import open_hub_store
from tests.web.cli.test_hub import address, running
from web.hub.credentials import Passwords

TRIES: Final = 80
HALF_SENT: Final = 60
PROMISED_SECONDS: Final = 1.0
PROMISED_GUESSES: Final = 10
PATIENCE_SECONDS: Final = 60.0
AFTERWARDS_SECONDS: Final = 3.0
FORM: Final = "name=Dana&password=a+wrong+password"
PAGE: Final = Path(__file__).parents[2] / "docs" / "reference" / "benchmark-signing-in.md"

TEMPLATE: Final = """\
# Benchmark: a flood of sign-ins

{half} connections send half a sign-in to a hub and break off; then {tries} sign-ins with a wrong
password arrive at once. Meanwhile one browser opens a page again and again. The promise: no page
takes longer than {promised} s, and the hub checks at most {guesses} of the guesses.

| | |
|---|---|
{table}

Measured with Python {python} on {cores} cores ({machine}), load average {load:.1f} at the end;
hub and guessers share the machine, and the hub had served each page once before. `make benchmark`
measures again and rewrites this page.
"""


@dataclass(frozen=True, slots=True)
class Figures:
    """Measurements: seconds per page, and the number of tries per status."""

    pages: tuple[float, ...]
    answers: Counter[int]
    broken_off: Counter[int]

    @property
    def kept(self) -> bool:
        """Whether every promise was kept."""
        quick = bool(self.pages) and max(self.pages) < PROMISED_SECONDS
        return quick and self.answers[401] + self.broken_off[401] <= PROMISED_GUESSES


def measure_signing_in() -> bool:
    """Measure, write the page, and return whether the promise was kept."""
    with tempfile.TemporaryDirectory() as folder:
        database = f"sqlite:///{folder}/hub.sqlite3"
        with closing(open_hub_store(database)) as store:
            hashed = Passwords(PasswordHasher()).hashed("four plain small words")
            store.people.add_account(Account("Dana", "director", hashed))
        with running("--database", database) as (_, told):
            figures = measure(urlsplit(address(told, "open")).port or 0)
    text = report(figures)
    PAGE.write_text(text, encoding="utf-8")
    click.echo(text)
    return figures.kept


def measure(port: int) -> Figures:
    """Break off sixty sign-ins, send eighty at once, and open pages meanwhile."""
    for path in ("/", "/sign-in", "/no-such-page"):  # the first of each compiles its template
        asked(port, "GET", path)
    with pages_opened(port) as pages:
        broken_off = at_once(HALF_SENT, lambda: half_sent(port))
        answers = at_once(TRIES, lambda: asked(port, "POST", "/sign-in", FORM))
        time.sleep(AFTERWARDS_SECONDS)  # broken-off sign-ins may still be running
    return Figures(tuple(pages), answers, broken_off)


def at_once(times: int, act: Callable[[], int]) -> Counter[int]:
    """The answers to this many threads that start together."""
    barrier = threading.Barrier(times)

    def begun(_: int) -> int:
        barrier.wait()
        return act()

    with ThreadPoolExecutor(times) as pool:
        return Counter(pool.map(begun, range(times)))


def asked(port: int, method: str, path: str, body: str | None = None) -> int:
    """The status of an answer."""
    headers = {"Origin": f"http://127.0.0.1:{port}"}
    if body is not None:
        headers["Content-Type"] = "application/x-www-form-urlencoded"
    with closing(http.client.HTTPConnection("127.0.0.1", port, PATIENCE_SECONDS)) as connection:
        connection.request(method, path, body, headers)
        answer = connection.getresponse()
        answer.read()
        return answer.status


def half_sent(port: int) -> int:
    """The status of a sign-in that announces more than it sends; 0 without an answer."""
    head = (
        f"POST /sign-in HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n"
        f"Origin: http://127.0.0.1:{port}\r\nContent-Type: application/x-www-form-urlencoded\r\n"
        f"Content-Length: {2 * len(FORM)}\r\n\r\n"
    )
    with socket.create_connection(("127.0.0.1", port), PATIENCE_SECONDS) as connection:
        connection.sendall((head + FORM).encode())
        connection.shutdown(socket.SHUT_WR)
        answer = connection.recv(64).split()
        return int(answer[1]) if len(answer) > 1 else 0


@contextmanager
def pages_opened(port: int) -> Iterator[list[float]]:
    """Seconds per page, for pages opened one after another meanwhile."""
    took: list[float] = []
    ended = threading.Event()

    def snapshot() -> None:
        while not ended.is_set():
            begun = time.perf_counter()
            asked(port, "GET", "/")
            took.append(time.perf_counter() - begun)

    looking = threading.Thread(target=snapshot)
    looking.start()
    try:
        yield took
    finally:
        ended.set()
        looking.join()


def report(figures: Figures) -> str:
    """The page with the figures."""
    pages = sorted(figures.pages)
    rows = [
        ("pages opened meanwhile", f"{len(pages)}"),
        ("a page, median", f"{1000 * pages[len(pages) // 2]:.0f} ms"),
        ("a page, slowest", f"{1000 * pages[-1]:.0f} ms"),
        ("sign-ins checked and found wrong", f"{figures.answers[401]} of {TRIES}"),
        ("answered with wait (429) or busy (503)", told(figures.answers, 429, 503)),
        ("sign-ins that broke off, and were refused unchecked", told(figures.broken_off, 400, 0)),
        ("sign-ins that broke off, and were checked", f"{figures.broken_off[401]}"),
    ]
    return TEMPLATE.format(
        half=HALF_SENT,
        tries=TRIES,
        promised=f"{PROMISED_SECONDS:g}",
        guesses=PROMISED_GUESSES,
        table="\n".join(f"| {what} | {value} |" for what, value in rows),
        python=platform.python_version(),
        cores=os.cpu_count(),
        machine=platform.machine(),
        load=os.getloadavg()[0],
    )


def told(answers: Counter[int], *statuses: int) -> str:
    """The number of answers with these statuses."""
    return f"{sum(answers[each] for each in statuses)}"
