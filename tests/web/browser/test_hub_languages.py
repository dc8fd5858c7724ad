"""Every page of the hub in every language, on a phone and a tablet: it fits, and all can use it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing

import pytest
from playwright.sync_api import Browser, Page, expect

from scoreboard.tournament.storage.hub_store import SqlHubStore
from scoreboard.tournament.storage.players import spelling_id
from tests.patience import PATIENCE_MILLISECONDS
from tests.scoreboard.tournament.storage.temporary import temporary_store
from tests.web.browser.conftest import PHONE
from tests.web.browser.test_languages import suits_everybody
from tests.web.hub.prepared_event import DIRECTOR, PASSWORD, Prepared, prepare, served
from web.shared.words import HUB_LANGUAGES

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
    "/messages", "/table/2", "/board", "/check-in", "/entries/1",
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


@pytest.mark.parametrize("language", HUB_LANGUAGES)
def test_a_phone_shows_five_pages_and_the_menu_of_the_others(
    browser: Browser, store: SqlHubStore, language: str
) -> None:
    """All in the width of the screen, in one line; Escape and a press elsewhere close the menu."""
    event = prepare(store, NAMES).event
    with served(store) as hub:
        page = browser.new_page(viewport=PHONE, locale=language)  # type: ignore[arg-type]  # a TypedDict
        page.set_default_timeout(PATIENCE_MILLISECONDS)
        sign_in(page, hub)
        page.goto(f"{hub}/e/{event}/results")
        bar, more = page.locator(".event-bar .tabs"), page.locator(".event-bar summary")
        shown = bar.locator("> a, summary")
        expect(shown).to_have_count(6)
        places = [each.bounding_box() for each in shown.all()]
        assert all(place and place["x"] + place["width"] <= PHONE["width"] for place in places)
        assert len({place["y"] for place in places if place}) == 1
        settings = page.locator(f".event-bar [href='/e/{event}/settings']")
        more.press("Enter")
        expect(settings).to_be_visible()
        page.keyboard.press("Escape")
        expect(settings).to_be_hidden()
        expect(more).to_be_focused()
        more.click()
        page.locator("h1").click(position={"x": 1, "y": 1}, force=True)
        expect(settings).to_be_hidden()
        page.close()
