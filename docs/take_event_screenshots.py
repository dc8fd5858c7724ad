"""Take the documentation's screenshots of a tournament: a hub in its second round.

Run it with `make docs-images`; it writes docs/images.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import click
from playwright.sync_api import Browser, Page, ViewportSize, sync_playwright

from scoreboard.tournament.storage.hub_store import open_hub_store
from tests.web.browser.conftest import CHROMIUM, QUIET
from tests.web.hub.prepared_event import DIRECTOR, PASSWORD, prepare, served

IMAGES = Path(__file__).parent / "images"
DESK: ViewportSize = {"width": 1280, "height": 900}
HALL: ViewportSize = {"width": 1920, "height": 1080}
PHONE: ViewportSize = {"width": 390, "height": 780}
PATIENCE_MILLISECONDS = 60_000
NAMES = ("Ada", "Ben", "Cem", "Dina", "Eli", "Finn", "Gil", "Hana",
         "Ida", "Jan", "Kim", "Lev", "Mia", "Noa", "Ole", "Pia")  # fmt: skip


@contextmanager
def opened(
    browser: Browser, hub: str, size: ViewportSize, *, directs: bool = False
) -> Iterator[Page]:
    """A browser page of that size, signed in if it belongs to the director."""
    context = browser.new_context(viewport=size)
    context.set_default_timeout(PATIENCE_MILLISECONDS)
    page = context.new_page()
    if directs:
        page.goto(f"{hub}/sign-in")
        page.fill("input[name=name]", DIRECTOR.name)
        page.fill("input[name=password]", PASSWORD)
        page.click("main button")
    yield page
    context.close()


def take(page: Page, address: str, name: str, *, whole: bool = False) -> None:
    """Write a screenshot of a page."""
    page.goto(address)
    page.wait_for_timeout(700)
    page.screenshot(path=IMAGES / f"{name}.png", full_page=whole)
    click.echo(f"docs/images/{name}.png")


def main() -> None:
    """Take them all."""
    IMAGES.mkdir(exist_ok=True)
    with sync_playwright() as playwright, closing(open_hub_store("memory:")) as store:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=list(QUIET))
        prepared = prepare(store, NAMES)
        with served(store) as hub:
            event = f"{hub}/e/{prepared.event}"
            with opened(browser, hub, DESK, directs=True) as page:
                take(page, f"{hub}/new", "event-new", whole=True)
                take(page, f"{event}/desk", "event-desk")
                take(page, f"{event}/standings", "event-standings")
                take(page, f"{event}/sheets/seating", "event-sheet")
            with opened(browser, hub, HALL) as page:
                take(page, f"{event}/board", "event-board")
            with opened(browser, hub, PHONE) as page:
                take(page, f"{hub}{prepared.player}", "event-player")
        browser.close()


if __name__ == "__main__":
    main()
