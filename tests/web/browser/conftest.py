"""A real Chromium and a real table for each test; without Chromium nothing runs at all."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect, sync_playwright

from tests.patience import PATIENCE_MILLISECONDS
from tests.web.browser.hands import Hands
from tests.web.browser.served_table import ServedTable

# The headless shell first: the same engine without the browser's own windows, two fifths cheaper
SHELLS = ("chromium-headless-shell", "chromium", "chromium-browser")
CHROMIUM = next(filter(None, map(shutil.which, SHELLS)), None)
QUIET = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
)
TABLET = {"width": 1280, "height": 800}
PHONE = {"width": 390, "height": 844}

OpenPage = Callable[..., Hands]


def pytest_collection_modifyitems() -> None:
    """Stop before the first test where there is no browser: these tests are never skipped."""
    if CHROMIUM is None:
        pytest.exit(
            "The browser tests need Chromium: install Debian's package `chromium-headless-shell`.",
            returncode=2,
        )


@pytest.fixture(scope="package")
def browser() -> Iterator[Browser]:
    """Debian's Chromium, without anything that it does in the background.

    Playwright keeps an event loop running in this thread as long as it is open, and no other can
    be started meanwhile: it ends with this package's tests, whatever test comes next.
    """
    with sync_playwright() as playwright:
        expect.set_options(timeout=PATIENCE_MILLISECONDS)
        chromium = playwright.chromium.launch(executable_path=CHROMIUM, args=list(QUIET))
        yield chromium
        chromium.close()


@pytest.fixture
def table() -> Iterator[ServedTable]:
    """A table that is played by hand, with a session, a store in memory and a page."""
    served = ServedTable()
    served.start()
    yield served
    served.stop()


@pytest.fixture
def open_page(browser: Browser, table: ServedTable) -> Iterator[OpenPage]:
    """Opens the table's page on a device of its own; a fault in its console fails the test.

    It is at the table's own machine, or at another `address`.
    """
    contexts: list[BrowserContext] = []
    faults: list[str] = []

    def open_one(
        path: str = "/", *, phone: bool = False, scripts: bool = True, address: str | None = None
    ) -> Hands:
        context = browser.new_context(
            viewport=PHONE if phone else TABLET,  # type: ignore[arg-type]  # a TypedDict
            has_touch=phone,
            java_script_enabled=scripts,
            accept_downloads=True,
            extra_http_headers={"X-Test-Address": address} if address else None,
        )
        context.set_default_timeout(PATIENCE_MILLISECONDS)
        contexts.append(context)
        page = context.new_page()
        listen(page, faults)
        page.goto(table.url + path)
        return Hands(page, touch=phone)

    yield open_one
    for context in contexts:
        context.close()
    assert [fault for fault in faults if not is_expected(fault)] == []


def listen(page: Page, faults: list[str]) -> None:
    """Collect what the page complains about: scripts, the content policy, missing files."""
    page.on("pageerror", lambda error: faults.append(str(error)))
    page.on(
        "console",
        lambda said: faults.append(said.text) if said.type in {"error", "warning"} else None,
    )
    page.on(
        "request",
        lambda asked: (
            None
            if asked.url.startswith(("http://127.0.0.1:", "https://127.0.0.1:", "data:", "blob:"))
            else faults.append(f"asked {asked.url}")
        ),
    )


def is_expected(fault: str) -> bool:
    """Refusals and lost connections are logged by the browser itself, and tests provoke them."""
    return any(
        words in fault
        for words in (
            "403 (FORBIDDEN)",
            "409 (CONFLICT)",
            "422 (UNPROCESSABLE",
            "net::ERR_",
            "404 (NOT FOUND)",
        )
    )
