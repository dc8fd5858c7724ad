"""Every page of the hub in every language, on a phone and a screen: nothing is too wide."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing

import pytest
from playwright.sync_api import Browser, Page

from scoreboard.tournament.storage.hub_store import SqlHubStore
from scoreboard.tournament.storage.players import spelling_id
from tests.patience import PATIENCE_MILLISECONDS
from tests.scoreboard.tournament.storage.temporary import temporary_store
from tests.web.browser.conftest import PHONE, TABLET
from tests.web.browser.test_languages import SPILLING, speaks
from tests.web.hub.prepared_event import DIRECTOR, PASSWORD, Prepared, prepare, served
from web.words import LANGUAGES

NAMES = ("Maximiliane", "김하늘", "あおい", "Jo", "Wilhelmine-Charlotte", "Bo", "Cy", "Di",
         "Ed", "Fay", "Guy", "Hal", "Ivy", "Jed", "Ken", "Leopoldina-Friederike")  # fmt: skip
OPEN_ALL = "() => document.querySelectorAll('details').forEach((it) => { it.open = true })"
OPEN = ("/sign-in", "/look")
OF_DIRECTOR = (
    "/", "/new", "/archive", "/people", "/take-over", "/players",
    f"/players/{spelling_id(NAMES[0])}", "/seasons/0/edit", "/seasons/1",
)  # fmt: skip
OF_EVENT = (
    "/", "/desk", "/entries", "/results", "/rounds/2/tables/2", "/standings", "/tables", "/annals",
    "/settings", "/edit",
    "/messages", "/problems", "/table/2", "/board", "/check-in", "/penalties", "/entries/1",
    "/sheets/entries", "/sheets/seating", "/sheets/results", "/sheets/standings", "/sheets/links",
    "/sign-up", "/wall_chart", "/cross_table", "/players/1", "/sheets/wall_chart",
)  # fmt: skip


@pytest.fixture
def store() -> Iterator[SqlHubStore]:
    """What the hub keeps."""
    with closing(temporary_store()) as store:
        yield store


def pages(prepared: Prepared) -> list[str]:
    """The addresses that somebody who directs may look at."""
    of_event = [f"/e/{prepared.event}{path}" for path in OF_EVENT]
    return [*OF_DIRECTOR, *of_event, prepared.player]


def sign_in(page: Page, hub: str) -> None:
    """From now on this device directs."""
    page.goto(f"{hub}/sign-in")
    page.fill("input[name=name]", DIRECTOR.name)
    page.fill("input[name=password]", PASSWORD)
    page.click("main button")


@pytest.mark.parametrize(
    "phone", [True, pytest.param(False, marks=pytest.mark.slow)], ids=["phone", "screen"]
)
def test_the_hub_s_pages_fit(browser: Browser, store: SqlHubStore, *, phone: bool) -> None:
    """With all that opens on them, in the longest language, whichever that is."""
    prepared = prepare(store, NAMES)
    with served(store) as hub:
        context = browser.new_context(viewport=PHONE if phone else TABLET)  # type: ignore[arg-type]
        context.set_default_timeout(PATIENCE_MILLISECONDS)
        page = context.new_page()
        for path in OPEN:
            assert page.goto(hub + path).status == 200  # type: ignore[union-attr]
            assert page.evaluate(SPILLING) == [], path
        sign_in(page, hub)
        for name in LANGUAGES:
            speaks(page, hub, name)
            for path in pages(prepared):
                assert page.goto(hub + path).status == 200, path  # type: ignore[union-attr]
                page.evaluate(
                    "document.querySelectorAll('details').forEach((it) => it.open = true)"
                )
                assert page.evaluate(SPILLING) == [], (name, path)
        context.close()
