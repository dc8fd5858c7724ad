"""Fifty browsers watch one table: how long from a press to every page?"""

from __future__ import annotations

import signal
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, closing, contextmanager
from statistics import median
from typing import Final

from playwright.sync_api import Page, sync_playwright

from tests.benchmarks.harness import Line, at_most, p95
from tests.benchmarks.pressing import PATIENCE_SECONDS, Crowd, Press, press, version_of
from tests.web.browser.conftest import CHROMIUM, QUIET, TABLET
from tests.web.process import NEW_GAME, RunningProcess, document, running

VIEWERS: Final = 50
PRESSES: Final = 20
DRAWN_PRESSES: Final = 10
HALF_REQUESTS: Final = 200
HALF_HEAD: Final = b"POST /press HTTP/1.1\r\nHost: localhost\r\nX: "
HALF_BODY: Final = b"POST /press HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000\r\n\r\nno"
LEFT_SECONDS: Final = 5.0  # more than two heartbeats, by which a viewer's end is noticed
LOOKS: Final = 100
LOOK_MILLISECONDS: Final = 50
# when each version stood on the page, in milliseconds since 1970: before the picture is painted
DRAWN_AT: Final = """
() => {
  window.drawnAt = {};
  const main = document.querySelector("#live main");
  const note = () => requestAnimationFrame(() => {
    window.drawnAt[main.dataset.version] ??= performance.timeOrigin + performance.now();
  });
  new MutationObserver(note).observe(main, { attributeFilter: ["data-version"] });
}
"""


def viewers() -> Iterator[Line]:
    """Press while fifty watch, beside half requests and with a browser; then one more tries."""
    with tempfile.TemporaryDirectory() as folder:
        options = ("--camera", "upload", "--database", f"sqlite:///{folder}/games.sqlite3")
        with running(*options) as table:
            yield from _watched(table)
            time.sleep(LEFT_SECONDS)
            yield from _drawn(table)


def _watched(table: RunningProcess) -> Iterator[Line]:
    table.ask("/setup", NEW_GAME)
    with closing(Crowd(table, VIEWERS)) as crowd:
        crowd.wait_for(version_of(table.seen()))
        presses = [press(table, crowd, number) for number in range(PRESSES)]
        with _half_requests(table):
            more = [press(table, crowd, PRESSES + number) for number in range(PRESSES)]
    came = [
        1000 * (viewer.came_at[one.version] - one.begun)
        for viewer in crowd.viewers
        for one in presses
        if one.version in viewer.came_at
    ]
    yield Line("press to page, median", f"{median(came):.0f} ms")
    yield at_most("press to page, p95", 60, p95(came), digits=0)
    yield Line("press to page, slowest", f"{max(came):.0f} ms")
    yield at_most("states that a viewer missed", 0, VIEWERS * PRESSES - len(came), "", 0)
    yield Line("press to its own answer, median", f"{median(_answers(presses)):.0f} ms")
    yield Line("press to its own answer, slowest", f"{max(_answers(presses)):.0f} ms")
    yield Line(f"with {HALF_REQUESTS} half requests, median", f"{median(_answers(more)):.0f} ms")
    slowest = max(_answers(more))
    yield at_most(f"with {HALF_REQUESTS} half requests, slowest", 300, slowest, digits=0)


def _drawn(table: RunningProcess) -> Iterator[Line]:
    table.ask("/setup", NEW_GAME)  # else only zeros are left to score, which are asked about
    with closing(Crowd(table, VIEWERS - 1)) as rest, _chromium(table) as page:
        rest.wait_for(version_of(table.seen()))
        drawn = [press(table, rest, number) for number in range(DRAWN_PRESSES)]
        took = [1000 * (_drawn_at(page, one.version) - one.begun) for one in drawn]
        yield Line("press to a page drawn by Chromium, median", f"{median(took):.0f} ms")
        yield Line("press to a page drawn by Chromium, slowest", f"{max(took):.0f} ms")
        full = b"event: full" in _one_more(table)
        yield Line(
            f"viewer {VIEWERS + 1} sees that the table is full",
            "yes" if full else "no",
            "yes",
            full,
        )
        undone = document(table.ask("/press", [("action", "undo"), ("seen", table.seen())]))
        verdict = str(undone["verdict"])
        yield Line("a press while the table is full", verdict, "done", verdict == "done")
        begun = time.perf_counter()
        table.process.send_signal(signal.SIGTERM)
        table.process.wait(PATIENCE_SECONDS)
        ended = 1000 * (time.perf_counter() - begun)
        yield at_most("from the signal to the table's end", 2000, ended, digits=0)


def _answers(presses: Sequence[Press]) -> list[float]:
    """From each press to its own answer, in milliseconds."""
    return [1000 * (one.answered - one.begun) for one in presses]


@contextmanager
def _half_requests(table: RunningProcess) -> Iterator[None]:
    """Connections whose requests don't end; the server ends them after ten seconds."""
    with ExitStack() as halves:
        for number in range(HALF_REQUESTS):
            connection = halves.enter_context(table.connect())
            connection.sendall(HALF_BODY if number % 2 else HALF_HEAD)
        yield


@contextmanager
def _chromium(table: RunningProcess) -> Iterator[Page]:
    """The table's page in a browser that notes when it draws which version."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=list(QUIET))
        page = browser.new_page(viewport=TABLET)  # type: ignore[arg-type]  # a TypedDict
        table.open_in(page)
        page.evaluate(DRAWN_AT)
        yield page
        browser.close()


def _drawn_at(page: Page, version: int) -> float:
    """When the page drew that version, in seconds of `time.perf_counter`."""
    for _ in range(LOOKS):
        milliseconds = page.evaluate("(version) => window.drawnAt[version]", version)
        if milliseconds is not None:
            return float(milliseconds) / 1000 - (time.time() - time.perf_counter())
        page.wait_for_timeout(LOOK_MILLISECONDS)
    raise TimeoutError(f"Chromium never showed version {version}")


def _one_more(table: RunningProcess) -> bytes:
    """The first event that one viewer too many gets."""
    with table.send("/live") as connection:
        told = connection.recv(65536)
        while b"event:" not in told:
            told += connection.recv(65536)
    return told
