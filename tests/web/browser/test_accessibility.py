"""axe-core finds nothing, on no page, in no state of a game, in light and dark, large and small."""

from __future__ import annotations

import hashlib
from pathlib import Path
from urllib.parse import urljoin, urlsplit

import pytest
from flask.testing import FlaskClient
from playwright.sync_api import Browser, Page
from werkzeug.routing import MapAdapter

from tests.patience import PATIENCE_MILLISECONDS
from tests.web.browser.accessibility import AXE, violations
from tests.web.browser.conftest import OpenPage
from tests.web.browser.stages import brought, stages_of
from tests.web.browser.test_devices import LARGE_ENOUGH, TOO_SMALL
from tests.web.browser.test_event import OWN, play, running
from tests.web.browser.test_languages import NAMES, suits_everybody

VENDORED = Path(__file__).parents[2] / "vendor" / "VENDORED.md"
# the stages that show the most, and least alike
DIFFERENT = {
    *(("yahtzee", "doubt"), ("yahtzee", "over")),
    *(("rummikub", "judged"), ("tongtong", "trick")),
}
MET = {  # what has to be come by, by the names of the program
    *("table.show", "tv.show", "setup.show", "coach.show", "home.show", "display.show"),
    *("acts.ask_join", "acts.ask_leave", "acts.ask_abandon", "games.show", "games.ask_delete"),
    *("log.show", "log.step", "evening.show", "evening.race"),
    *("evening.bg_stats", "lay.show", "statistics.show", "statistics.player", "statistics.dice"),
    *("players.show", "players.person", "devices.show", "about.show", "event.show"),
    *("ways.show", "camera_setup.show", "calibrate.show", "teach.show"),
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


@pytest.mark.parametrize("turn", [0, pytest.param(1, marks=pytest.mark.slow)])
def test_every_page_that_a_link_leads_to(browser: Browser, tmp_path: Path, turn: int) -> None:
    """A whole table in its second game, followed from its first page to the last, and to none.

    Two of those who play may be one, as their page asks; both fit, and all is large enough.
    """
    with running(tmp_path) as (address, client):
        pages = client.application.url_map.bind("")
        begins(client, NAMES[0])
        play(client)
        begins(client, *NAMES[:2], NAMES[0].lower())
        page = browser.new_page()
        page.set_default_timeout(PATIENCE_MILLISECONDS)
        assert follows(page, address, pages, turn) >= MET
        page.goto(address + "/nowhere")
        assert violations(page) == [], "not found"
        page.close()


def begins(client: FlaskClient, *players: str) -> None:
    """Start a game past the browser."""
    form = {"game": "yahtzee", "do": "begin", "option-start": "first", "name": [*players]}
    assert client.post("/setup", data=form, headers=OWN).status_code == 303


def follows(page: Page, address: str, pages: MapAdapter, turn: int) -> set[str]:
    """Examine one page of each kind that can be reached from the table's; what was met."""
    met, ahead = set[str](), [address + "/"]
    while ahead:
        url = ahead.pop(0)
        kind = str(pages.match(urlsplit(url).path)[0])
        if kind in met or "html" not in content_type(page, url):
            continue
        met.add(kind)
        suits_everybody(page, url, turn + len(met))
        controls = page.locator("button:visible, a.button:visible, nav a:visible")
        assert controls.evaluate_all(TOO_SMALL, LARGE_ENOUGH) == [], url
        links = page.locator("a[href]").evaluate_all("all => all.map((a) => a.href)")
        ahead += [urljoin(url, link) for link in links if link.startswith(address)]
    return met


def content_type(page: Page, url: str) -> str:
    """What the address gives: not every link leads to a page."""
    return page.request.head(url).headers.get("content-type", "")
