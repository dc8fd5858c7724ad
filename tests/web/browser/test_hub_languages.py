"""Every page of the hub in every language, on a phone and a tablet: it fits, and all can use it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing

import pytest
from playwright.sync_api import Browser, Page

from scoreboard.tournament.storage.hub_store import SqlHubStore
from scoreboard.tournament.storage.players import spelling_id
from tests.patience import PATIENCE_MILLISECONDS
from tests.scoreboard.tournament.storage.temporary import temporary_store
from tests.web.browser.test_languages import suits_everybody
from tests.web.hub.prepared_event import DIRECTOR, PASSWORD, Prepared, prepare, served

NAMES = ("Maximiliane", "김하늘", "あおい", "Jo", "Wilhelmine-Charlotte", "Bo", "Cy", "Di",
         "Ed", "Fay", "Guy", "Hal", "Ivy", "Jed", "Ken", "Leopoldina-Friederike")  # fmt: skip
OPEN = ("/sign-in", "/look")
OF_DIRECTOR = (
    "/", "/new", "/manage", "/people", "/players",
    f"/players/{spelling_id(NAMES[0])}", "/seasons/0/edit", "/seasons/1",
)  # fmt: skip
OF_EVENT = (
    "/", "/desk", "/entries", "/results", "/rounds/2/tables/2", "/standings", "/tables", "/annals",
    "/settings", "/edit", "/manage",
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


@pytest.mark.parametrize("turn", [0, pytest.param(1, marks=pytest.mark.slow)])
def test_every_page_of_the_hub(browser: Browser, store: SqlHubStore, turn: int) -> None:
    """In the middle of an event, with all that opens."""
    prepared = prepare(store, NAMES)
    with served(store) as hub:
        page = browser.new_page()
        page.set_default_timeout(PATIENCE_MILLISECONDS)
        for at, path in enumerate(OPEN, start=turn):
            suits_everybody(page, hub + path, at)
        sign_in(page, hub)
        for at, path in enumerate(pages(prepared), start=turn):
            suits_everybody(page, hub + path, at)
        page.close()
