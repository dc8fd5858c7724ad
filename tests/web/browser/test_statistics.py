"""The pages of statistics in a browser: pictures, their figures, nothing for axe to object to."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from scoreboard.storage import SqlStore, open_store
from tests.web.browser.accessibility import violations
from tests.web.browser.conftest import TABLET, listen
from tests.web.browser.hands import wait_until
from tests.web.owner import with_own_key
from tests.web.serving import server_of
from tests.web.table.history.test_statistics import counted, photograph, play
from tests.web.table_fake import FakeTable
from web.table.history.archive import Archive

PAGES = (
    ("/home", 0),
    ("/players", 0),
    ("/games", 0),
    ("/statistics", 0),
    ("/statistics/player?name=North", 1),
    ("/statistics/dice", 1),
    ("/games/duel-0/race", 1),
)


@pytest.fixture
def url(tmp_path: Path) -> Iterator[str]:
    """A table at which North and South played three times."""
    with closing(open_store(f"sqlite:///{tmp_path}/games.db")) as store:
        assert isinstance(store, SqlStore)
        for day in (0, 20, 400):
            play(store, "duel", day)
            photograph(store, f"duel-{day}")
        app = FakeTable().app(statistics=counted(store, "red"), archive=Archive(store), store=store)
        server = server_of(with_own_key(app))
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()
        server.server_close()


def opened(browser: Browser, faults: list[str]) -> Page:
    """A tablet at the table."""
    context = browser.new_context(viewport=TABLET)  # type: ignore[arg-type]  # a TypedDict
    page = context.new_page()
    listen(page, faults)
    return page


def test_each_page_has_its_pictures_and_their_figures(browser: Browser, url: str) -> None:
    """Drawn under the strict policy; every table is folded until it is opened; axe is content."""
    faults: list[str] = []
    page = opened(browser, faults)
    for path, pictures in PAGES:
        page.goto(url + path)
        expect(page.locator(".plot canvas")).to_have_count(pictures)
        assert violations(page) == [], path
        for folded in page.locator("details:has(.figures)").all():
            expect(folded.locator(".figures")).to_be_hidden()
            folded.locator("summary").click()
            expect(folded.locator(".figures")).to_be_visible()
    assert faults == []
    page.context.close()


def test_a_picture_is_as_wide_as_its_page(browser: Browser, url: str) -> None:
    """Also once a tablet is turned."""
    page = opened(browser, [])
    page.goto(url + "/games/duel-0/race")
    expect(page.locator(".plot canvas")).to_have_count(1)
    for width in (1280, 420):
        page.set_viewport_size({"width": width, "height": 800})
        expect(page.locator(".uplot")).to_be_in_viewport()
        wait_until(
            page,
            "document.querySelector('.uplot').offsetWidth <= innerWidth"
            " && document.querySelector('.uplot').offsetWidth > innerWidth / 2",
        )
    page.context.close()
