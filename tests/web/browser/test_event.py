"""A table at an event, in a browser: the form, the seats, one tap, signatures, a cut way."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Thread

import pytest
from flask.testing import FlaskClient
from playwright.sync_api import Browser, expect

from hardware.pins import Pins
from tests.scoreboard.tournament.client.fakes import BadWay, FakeHub
from tests.scoreboard.tournament.client.served_hub import served
from tests.web.browser.accessibility import violations
from tests.web.browser.conftest import PHONE, TABLET, listen
from tests.web.browser.hands import Hands
from tests.web.owner import with_own_key
from tests.web.process import SEEN
from tests.web.serving import server_of
from web.shared.plan import Plan
from web.shared.settings import CameraSettings, Settings, TableSettings
from web.wiring import RunningTable

OWN = {"Origin": "http://localhost", "Accept": "application/json"}
SCORE = re.compile(r'value="(score:[a-z-]+)"')


@contextmanager
def running(folder: Path) -> Iterator[tuple[str, FlaskClient]]:
    """A whole table but for camera and pins: its address, and a way past the browser."""
    database = TableSettings(f"sqlite:///{folder / 'games.sqlite3'}")
    settings = Settings(camera=CameraSettings("upload"), table=database)
    table = RunningTable(Plan.of(settings), 0, Pins(None, "no pins in this test"))
    server = server_of(with_own_key(table.app))
    thread = Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}", table.app.test_client()
    finally:
        table.close()
        server.shutdown()
        server.server_close()
        thread.join()


@pytest.fixture
def way() -> BadWay:
    """A way to a hub that seats two for two games."""
    return BadWay(FakeHub())


def play(client: FlaskClient) -> None:
    """Play the game to its end past the browser, which follows."""
    for _ in range(500):
        shown = client.get("/").get_data(as_text=True)
        seen = SEEN.search(shown)
        assert seen is not None
        if "stage-finished" in shown:
            return
        boxes = SCORE.findall(shown)
        act = {"offer": boxes[-1]} if boxes else {"offer": "roll", "filling": "13356"}
        client.post("/choose", data={"seen": seen[1], **act}, headers=OWN)
    raise AssertionError("The game has no end.")


def test_an_evening_at_a_table_of_an_event(browser: Browser, way: BadWay, tmp_path: Path) -> None:
    """Joined on the tablet, begun on a phone, cut off in the middle, signed, and going on.

    Whoever needs other colours or a larger finger finds nothing in the way on either.
    """
    faults: list[str] = []
    with served(way) as hub, running(tmp_path) as (address, client):
        tablet = browser.new_page(viewport=TABLET)  # type: ignore[arg-type]  # a TypedDict
        phone = browser.new_page(viewport=PHONE, has_touch=True)  # type: ignore[arg-type]
        for page in (tablet, phone):
            listen(page, faults)
        tablet.goto(address)
        tablet.get_by_role("link", name="Join an event").click()
        tablet.get_by_label("Address of the hub, or the whole link").fill(f"{hub}/join/ABCD")
        tablet.get_by_role("button", name="Join the event").click()
        Hands(tablet).reads("Connected to the hub")
        assert violations(tablet) == [], "at an event"
        tablet.goto(address)
        phone.goto(address)
        Hands(phone, touch=True).press("Begin game 1 of 2")
        Hands(tablet).reads("Anna’s turn")
        way.faults = ["lost"] * 10_000
        play(client)
        Hands(tablet).reads("Game 1: does everybody agree?")
        Hands(phone).reads("No connection to the hub: play on, nothing is lost.")
        assert violations(tablet) == [], "to be signed"
        tablet.get_by_role("button", name="I agree: Anna").click()
        expect(phone.locator("#signing-1")).to_contain_text("signed")
        phone.get_by_role("link", name="Something is wrong").tap()
        expect(phone.get_by_label("What is wrong, in a few words")).to_be_visible()
        assert violations(phone) == [], "a dispute"
        phone.get_by_text("Ben").tap()
        phone.get_by_label("What is wrong, in a few words").fill("the bonus is missing")
        phone.get_by_role("button", name="Call the referee").tap()
        Hands(tablet).reads("Game 1 is disputed")
        way.faults = []
        Hands(tablet).reads("Connected to the hub")
        Hands(tablet).press("Begin game 2 of 2")
        Hands(phone).reads("Anna’s turn")
        tablet.close()
        phone.close()
    told = [item.body["kind"] for item in way.hub.items(way.hub.deliveries.games_of("5")[0])]
    assert told[-2:] == ["signed", "disputed"]
    assert faults == []
