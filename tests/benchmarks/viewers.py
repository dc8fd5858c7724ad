"""Fifty browsers watch one table: how long from a press to every page?

Then the same while two hundred connections have sent half a request each, and once more with one
of the fifty a real browser, until its page is drawn. The client is one process on the same machine,
so its own work is part of the figures.
"""

from __future__ import annotations

import os
import platform
import signal
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from statistics import median, quantiles
from typing import Final

import click
from playwright.sync_api import Page, sync_playwright

from tests.benchmarks.pressing import (
    PATIENCE_SECONDS,
    PAUSE_SECONDS,
    Crowd,
    Press,
    press,
    version_of,
)
from tests.web.browser.conftest import CHROMIUM, QUIET, TABLET
from tests.web.process import NEW_GAME, RunningProcess, document, running

VIEWERS: Final = 50
PRESSES: Final = 20
DRAWN_PRESSES: Final = 10
PROMISED_SECONDS: Final = 0.06
PROMISED_BESIDE_HALVES_SECONDS: Final = 0.3
PROMISED_END_SECONDS: Final = 2.0
HALF_REQUESTS: Final = 200
HALF_HEAD: Final = b"POST /press HTTP/1.1\r\nHost: localhost\r\nX: "
HALF_BODY: Final = b"POST /press HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000\r\n\r\nno"
LEFT_SECONDS: Final = 5.0  # more than two heartbeats, by which a viewer's end is noticed
LOOKS: Final = 100
LOOK_MILLISECONDS: Final = 50
PAGE: Final = Path(__file__).parents[2] / "docs" / "reference" / "benchmark-viewers.md"
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

TEMPLATE: Final = """\
# Benchmark: many viewers

{viewers} browsers watch one table by server-sent events. KEEP is pressed {presses} times, {pause}
s apart; each press is recorded on disk before it is shown. The time counts from sending the press
to the last byte of the new state at each viewer. The promise: p95 at most {promised}, and no viewer
misses a state. Then {presses} more presses follow while {halves} more connections have sent half
a request each, of head or body: no answer to a press may take more than {promised_beside_halves}.
For {drawn} more one of the viewers is Chromium, and the time counts until its page is drawn anew.
Finally the table is stopped while all viewers watch; it must end within {promised_end}.

| | |
|---|---|
{table}

Measured with Python {python} on {cores} cores ({machine}), load average {load:.1f} at the end;
table and viewers share the machine, and the viewers are one process whose own work is part of the
figures. `make benchmark` measures again and rewrites this page.
"""


@dataclass(frozen=True, slots=True)
class Figures:
    """All measurements; times in seconds, sorted."""

    to_pages: tuple[float, ...]
    to_answers: tuple[float, ...]
    beside_halves: tuple[float, ...]
    to_drawn: tuple[float, ...]
    missed: int
    full_told: bool
    press_when_full: str
    to_end: float

    @property
    def p95(self) -> float:
        """The 95th percentile of the pages' times."""
        return quantiles(self.to_pages, n=20, method="inclusive")[-1]

    @property
    def kept(self) -> bool:
        """Whether every promise was kept."""
        return (
            self.missed == 0
            and self.full_told
            and self.press_when_full == "done"
            and self.p95 <= PROMISED_SECONDS
            and self.beside_halves[-1] < PROMISED_BESIDE_HALVES_SECONDS
            and self.to_end < PROMISED_END_SECONDS
        )


def measure_viewers() -> bool:
    """Measure, write the page, and return whether the promise was kept."""
    with tempfile.TemporaryDirectory() as folder:
        options = ("--camera", "upload", "--database", f"sqlite:///{folder}/games.sqlite3")
        with running(*options) as table:
            figures = measure(table)
    text = report(figures)
    PAGE.write_text(text, encoding="utf-8")
    click.echo(text)
    return figures.kept


def measure(table: RunningProcess) -> Figures:
    """Press while fifty watch, one of them Chromium in the end; then let one more viewer try."""
    table.ask("/setup", NEW_GAME)
    with closing(Crowd(table, VIEWERS)) as crowd:
        crowd.wait_for(version_of(table.seen()))
        presses = [press(table, crowd, number) for number in range(PRESSES)]
        with half_requests(table):
            more = [press(table, crowd, PRESSES + number) for number in range(PRESSES)]
    time.sleep(LEFT_SECONDS)
    table.ask("/setup", NEW_GAME)  # else only zeros are left to score, which are asked about
    with closing(Crowd(table, VIEWERS - 1)) as rest, chromium(table) as page:
        rest.wait_for(version_of(table.seen()))
        drawn = [press(table, rest, number) for number in range(DRAWN_PRESSES)]
        to_drawn = sorted(drawn_at(page, one.version) - one.begun for one in drawn)
        told = one_more(table)
        full = document(table.ask("/press", [("action", "undo"), ("seen", table.seen())]))
        to_end = seconds_to_end(table)
    times = [
        viewer.came_at[one.version] - one.begun
        for viewer in crowd.viewers
        for one in presses
        if one.version in viewer.came_at
    ]
    return Figures(
        to_pages=tuple(sorted(times)),
        to_answers=answer_times(presses),
        beside_halves=answer_times(more),
        to_drawn=tuple(to_drawn),
        missed=VIEWERS * PRESSES - len(times),
        full_told=b"event: full" in told,
        press_when_full=str(full["verdict"]),
        to_end=to_end,
    )


@contextmanager
def half_requests(table: RunningProcess) -> Iterator[None]:
    """Two hundred connections whose requests don't end; the server ends them after ten seconds."""
    with ExitStack() as halves:
        for number in range(HALF_REQUESTS):
            connection = halves.enter_context(table.connect())
            connection.sendall(HALF_BODY if number % 2 else HALF_HEAD)
        yield


@contextmanager
def chromium(table: RunningProcess) -> Iterator[Page]:
    """The table's page in a browser that notes when it draws which version."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=list(QUIET))
        page = browser.new_page(viewport=TABLET)  # type: ignore[arg-type]  # a TypedDict
        table.open_in(page)
        page.evaluate(DRAWN_AT)
        yield page
        browser.close()


def drawn_at(page: Page, version: int) -> float:
    """When the page drew that version, in seconds of `time.perf_counter`."""
    for _ in range(LOOKS):
        milliseconds = page.evaluate("(version) => window.drawnAt[version]", version)
        if milliseconds is not None:
            return float(milliseconds) / 1000 - (time.time() - time.perf_counter())
        page.wait_for_timeout(LOOK_MILLISECONDS)
    raise TimeoutError(f"Chromium never showed version {version}")


def answer_times(presses: Sequence[Press]) -> tuple[float, ...]:
    """From each press to its own answer, in seconds, sorted."""
    return tuple(sorted(one.answered - one.begun for one in presses))


def one_more(table: RunningProcess) -> bytes:
    """The first event that one viewer too many gets."""
    with table.send("/live") as connection:
        told = connection.recv(65536)
        while b"event:" not in told:
            told += connection.recv(65536)
    return told


def seconds_to_end(table: RunningProcess) -> float:
    """The seconds from the signal until the table has ended."""
    begun = time.perf_counter()
    table.process.send_signal(signal.SIGTERM)
    table.process.wait(PATIENCE_SECONDS)
    return time.perf_counter() - begun


def report(figures: Figures) -> str:
    """The page with the figures."""
    pages, answers, beside = figures.to_pages, figures.to_answers, figures.beside_halves
    drawn = figures.to_drawn
    rows = [
        ("press to page, median", milliseconds(median(pages))),
        ("press to page, p95", milliseconds(figures.p95)),
        ("press to page, slowest", milliseconds(pages[-1])),
        ("press to a page drawn by Chromium, median", milliseconds(median(drawn))),
        ("press to a page drawn by Chromium, slowest", milliseconds(drawn[-1])),
        ("press to its own answer, median", milliseconds(median(answers))),
        ("press to its own answer, slowest", milliseconds(answers[-1])),
        (
            f"with {HALF_REQUESTS} half requests, median",
            milliseconds(median(beside)),
        ),
        (f"with {HALF_REQUESTS} half requests, slowest", milliseconds(beside[-1])),
        ("states that a viewer missed", f"{figures.missed} of {VIEWERS * PRESSES}"),
        (f"viewer {VIEWERS + 1} sees that the table is full", yes(figures.full_told)),
        ("a press while the table is full", figures.press_when_full),
        ("from the signal to the table's end", milliseconds(figures.to_end)),
    ]
    table = "\n".join(f"| {what} | {value} |" for what, value in rows)
    return TEMPLATE.format(
        viewers=VIEWERS,
        presses=PRESSES,
        drawn=DRAWN_PRESSES,
        pause=PAUSE_SECONDS,
        promised=milliseconds(PROMISED_SECONDS),
        halves=HALF_REQUESTS,
        promised_beside_halves=milliseconds(PROMISED_BESIDE_HALVES_SECONDS),
        promised_end=milliseconds(PROMISED_END_SECONDS),
        table=table,
        python=platform.python_version(),
        cores=os.cpu_count(),
        machine=platform.machine(),
        load=os.getloadavg()[0],
    )


def milliseconds(seconds: float) -> str:
    """A time as the page shows it."""
    return f"{seconds * 1000:.0f} ms"


def yes(truth: bool) -> str:  # noqa: FBT001 -- a plain word for a plain truth
    """The word for a truth value."""
    return "yes" if truth else "no"
