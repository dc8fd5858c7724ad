"""axe-core finds nothing, on no page, in no state of a game, in light and dark, large and small."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from urllib.parse import urljoin, urlsplit

import pytest
from playwright.sync_api import Browser, Page

from scoreboard.games import GAMES
from scoreboard.tournament.storage.hub_store import SqlHubStore
from tests.patience import PATIENCE_MILLISECONDS
from tests.scoreboard.tournament.client.fakes import BadWay, FakeHub
from tests.scoreboard.tournament.client.served_hub import served as served_way
from tests.scoreboard.tournament.storage.temporary import temporary_store
from tests.web.browser.accessibility import AXE, violations
from tests.web.browser.conftest import OpenPage
from tests.web.browser.hands import Hands
from tests.web.browser.stages import brought, stages_of
from tests.web.browser.test_event import play, running
from tests.web.browser.test_hub_languages import NAMES as ENTRANTS
from tests.web.browser.test_hub_languages import OPEN, pages, sign_in
from tests.web.browser.test_languages import NAMES
from tests.web.hub.prepared_event import prepare, served

VENDORED = Path(__file__).parents[2] / "vendor" / "VENDORED.md"
# the stages that show the most, and least alike
DIFFERENT = {
    *(("yahtzee", "doubt"), ("yahtzee", "zero asked"), ("yahtzee", "over")),
    *(("rummikub", "judged"), ("tongtong", "trick")),
}
MET = {
    *("/setup", "/games", "/about", "/compare", "/display", "/teach", "/event/", "/tv", "/devices"),
    "/camera-setup",
    "/players",
}


def test_the_checker_is_the_one_that_is_named() -> None:
    """A changed file would be nobody's."""
    assert hashlib.sha256(AXE.encode()).hexdigest() in VENDORED.read_text(encoding="utf-8")


STAGES = [
    pytest.param(game, stage, marks=() if (game, stage) in DIFFERENT else pytest.mark.slow)
    for game in ("yahtzee", "rummikub", "tongtong")
    for stage in stages_of(game, NAMES)
]


@pytest.mark.parametrize(("game", "stage"), STAGES)
def test_a_table_at_every_stage(open_page: OpenPage, game: str, stage: str) -> None:
    """The table's page with all that opens on it, and the big screen."""
    page = open_page().page
    with brought(stages_of(game, NAMES)[stage]) as table:
        for path in ("/", "/tv"):
            page.goto(table.url + path)
            assert violations(page) == [], path


@pytest.mark.parametrize("game", GAMES)
def test_every_game_can_be_set_up(open_page: OpenPage, game: str) -> None:
    """With all its house rules."""
    assert violations(open_page(f"/setup?game={game}").page) == []


def test_every_page_that_a_link_leads_to(browser: Browser, tmp_path: Path) -> None:
    """A whole table, followed from its first page to the last; and a page that is not there."""
    with running(tmp_path) as (address, _client):
        page = browser.new_page()
        page.set_default_timeout(PATIENCE_MILLISECONDS)
        assert follows(page, address) >= MET
        page.goto(address + "/nowhere")
        assert violations(page) == [], "not found"
        page.close()


def test_a_table_at_an_event(browser: Browser, tmp_path: Path) -> None:
    """Joined, to be signed, disputed."""
    way = BadWay(FakeHub())
    with served_way(way) as hub, running(tmp_path) as (address, client):
        page = browser.new_page()
        page.set_default_timeout(PATIENCE_MILLISECONDS)
        page.goto(address + "/event")
        page.get_by_label("Address of the hub, or the whole link").fill(f"{hub}/join/ABCD")
        page.get_by_role("button", name="Join the event").click()
        Hands(page).reads("Connected to the hub")
        assert violations(page) == [], "at an event"
        page.goto(address)
        Hands(page).press("Begin game 1 of 2")
        Hands(page).reads("Anna’s turn")
        play(client)
        Hands(page).reads("Game 1: does everybody agree?")
        assert violations(page) == [], "to be signed"
        page.get_by_role("link", name="Something is wrong").first.click()
        assert violations(page) == [], "a dispute"
        page.goto(address + "/tv")
        assert violations(page) == [], "the end on the big screen"
        page.close()


def follows(page: Page, address: str) -> set[str]:
    """Examine every page that can be reached from the table's; where there is what."""
    met, ahead = set[str](), [address + "/"]
    while ahead:
        url = ahead.pop(0)
        if urlsplit(url).path in met or "html" not in content_type(page, url):
            continue
        met.add(urlsplit(url).path)
        page.goto(url)
        assert violations(page) == [], url
        links = page.locator("a[href]").evaluate_all("all => all.map((a) => a.href)")
        ahead += [urljoin(url, link) for link in links if link.startswith(address)]
    return met


def content_type(page: Page, url: str) -> str:
    """What the address gives: not every link leads to a page."""
    return page.request.head(url).headers.get("content-type", "")


@pytest.fixture
def store() -> Iterator[SqlHubStore]:
    """What the hub keeps."""
    with closing(temporary_store()) as store:
        yield store


def test_every_page_of_the_hub(browser: Browser, store: SqlHubStore) -> None:
    """In the middle of an event, for whoever directs it and for a player."""
    prepared = prepare(store, ENTRANTS)
    with served(store) as hub:
        page = browser.new_page()
        page.set_default_timeout(PATIENCE_MILLISECONDS)
        for path in OPEN:
            page.goto(hub + path)
            assert violations(page) == [], path
        sign_in(page, hub)
        for path in pages(prepared):
            page.goto(hub + path)
            page.evaluate("document.querySelectorAll('details').forEach((it) => it.open = true)")
            assert violations(page) == [], re.sub("[0-9a-f]{8,}", "*", path)
        page.close()
