"""A table in Home Assistant's sidebar: in a frame, below a path, behind the Supervisor's proxy."""

from __future__ import annotations

import re
import threading
from collections.abc import Iterator
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Page

from tests.web.browser.conftest import OpenPage
from tests.web.browser.served_table import ServedTable, picture
from tests.web.serving import server_of
from tests.web.supervisor import PANEL, PREFIX, SUPERVISOR, Ingress

ELSEWHERE = "http://192.0.2.1:8000/"


@pytest.fixture
def ingress(table: ServedTable) -> Iterator[str]:
    """Where Home Assistant shows the table; nothing may be asked for outside its path."""
    table.stop()
    table.ingress, table.takes_uploads, table.addresses = SUPERVISOR, True, (ELSEWHERE,)
    table.start()
    port = urlsplit(table.url).port
    assert port is not None
    passing_on = Ingress(port)
    server = server_of(passing_on)
    thread = threading.Thread(target=server.serve_forever, args=(0.05,), daemon=True)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}{PREFIX}"
    server.shutdown()
    thread.join()
    server.server_close()
    assert passing_on.stray == []


def stray_links(page: Page) -> list[str]:
    """What on a page leads out of the path, or comes from outside."""
    links = page.eval_on_selector_all(
        "*",
        """all => all.flatMap(one => [...one.attributes].map(each => each.value))
             .filter(each => /^\\/[a-z]*/.test(each))""",
    )
    assert len(links) > 10
    return [link for link in links if not link.startswith(f"{PREFIX}/")]


def test_a_game_is_played_below_the_path(
    open_page: OpenPage, table: ServedTable, ingress: str
) -> None:
    """Set up, read live, kept and photographed by somebody whom only Home Assistant knows."""
    hands, watcher = open_page("/about"), open_page()
    hands.page.goto(f"{ingress}/")
    hands.sets_up("North", "South")
    watcher.reads_turn("North", "Roll 1 of 3")
    table.see("13356")
    hands.reads("I see 1 3 3 5 6")
    with hands.page.expect_response(re.compile(f"{PREFIX}/press$")):
        hands.press("KEEP")
    watcher.reads("Choose a box")
    with hands.page.expect_response(re.compile(f"{PREFIX}/photo$")):
        hands.page.get_by_label("Photo of the dice").set_input_files(
            {"name": "dice.jpg", "mimeType": "image/jpeg", "buffer": picture(1).jpeg}
        )
    assert table.uploads == [picture(1).jpeg]
    assert stray_links(hands.page) == []


@pytest.mark.parametrize("path", ["/tv", "/setup", "/display", "/about", "/pair"])
def test_every_page_stays_below_it(open_page: OpenPage, ingress: str, path: str) -> None:
    """Links, scripts and what scripts ask for; the console stays clean, also in a frame."""
    hands = open_page("/about")
    hands.page.goto(f"{ingress}{path}")
    assert stray_links(hands.page) == []
    hands.page.goto(f"{ingress.removesuffix(PREFIX)}{PANEL}")
    framed = hands.page.frame_locator("iframe")
    framed.get_by_role("button", name="Ask to play").wait_for(state="detached")
    framed.get_by_text("Tablescore").first.wait_for()


def test_others_are_led_to_the_table_itself(open_page: OpenPage, ingress: str) -> None:
    """A phone that scans the big screen is not signed in at Home Assistant."""
    hands = open_page("/about")
    hands.page.goto(f"{ingress}/tv")
    hands.reads(ELSEWHERE.removeprefix("http://").removesuffix("/"))
