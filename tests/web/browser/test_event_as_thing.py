"""A test event from one click to the bin and back, with a spectator at a table's page."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing

import pytest
from playwright.sync_api import Browser, Page, expect

from scoreboard.tournament.storage.hub_store import SqlHubStore
from tests.scoreboard.tournament.storage.temporary import temporary_store
from tests.web.browser.conftest import PHONE, TABLET
from tests.web.browser.test_hub_evening import follow, heading, press
from tests.web.browser.test_hub_languages import NAMES, sign_in
from tests.web.hub.prepared_event import prepare, served


@pytest.fixture
def store() -> Iterator[SqlHubStore]:
    """What the hub keeps."""
    with closing(temporary_store()) as store:
        yield store


def test_an_event_is_tried_changed_deleted_and_restored(
    browser: Browser, store: SqlHubStore
) -> None:
    """The table's page follows without a reload; places that change are asked about first."""
    prepare(store, NAMES)
    with served(store) as hub:
        director = browser.new_context(viewport=TABLET).new_page()  # type: ignore[arg-type]
        sign_in(director, hub)
        director.goto(hub)
        press(director, "Test event")
        press(director, "Draw round 1")
        press(director, "Start round 1")
        spectator = _spectator(browser, director)
        press(director, "Fill in results")
        heading(spectator, "Game 2")
        _change_settings(director)
        follow(director, "Settings")
        press(director, "Delete the event")
        press(director, "Yes, continue")
        heading(director, "Test: Club evening")
        assert spectator.goto(spectator.url).status == 404  # type: ignore[union-attr]
        director.get_by_role("button", name="Restore: Test: Club evening").click()
        heading(director, "Copy this event")
        for page in (director, spectator):
            page.context.close()


def _spectator(browser: Browser, director: Page) -> Page:
    """Somebody's phone at the page of table 1, found by its number on the board."""
    page = browser.new_context(viewport=PHONE).new_page()  # type: ignore[arg-type]
    page.goto(director.url.replace("/desk", "/board"))
    page.get_by_role("link", name="Watch table 1", exact=True).click()
    heading(page, "Table 1 not started")
    return page


def _change_settings(director: Page) -> None:
    """A bonus of 500 for each win brings others to the top."""
    follow(director, "Settings")
    follow(director, "Change the settings")
    director.get_by_text("Scoring", exact=True).click()
    director.get_by_label("Bonus for winning a game").fill("500")
    director.get_by_label("Why").fill("as announced")
    press(director, "Save changes")
    expect(director.get_by_role("alert")).to_contain_text("Results with other points: 8.")
    press(director, "Yes, continue")
    heading(director, "Game and scoring")
