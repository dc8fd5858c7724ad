"""The people who play: made, picked for a game, renamed, merged and deleted by what is read."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from io import BytesIO
from pathlib import Path

import pytest
from PIL import Image
from playwright.sync_api import Page, expect

from scoreboard.storage import SqlStore, open_store
from scoreboard.table.requests import GameOpened
from tests.web.browser.accessibility import violations
from tests.web.browser.conftest import OpenPage
from tests.web.browser.hands import wait_until
from tests.web.browser.served_table import ServedTable


@pytest.fixture
def table(tmp_path: Path) -> Iterator[ServedTable]:
    """A table whose games and players are in a file."""
    with closing(open_store(f"sqlite:///{tmp_path}/games.db")) as store:
        assert isinstance(store, SqlStore)
        served = ServedTable()
        served.store = store
        served.start()
        yield served
        served.stop()


def face() -> bytes:
    """A photo of somebody."""
    file = BytesIO()
    Image.new("RGB", (640, 480), (200, 140, 90)).save(file, "JPEG")
    return file.getvalue()


def sees_photo(page: Page, part: str) -> None:
    """Wait until a photo is drawn in that part of the page."""
    photo = page.locator(part).locator("img").first
    expect(photo).to_be_visible()
    wait_until(page, "(photo) => photo.naturalWidth === 256", photo.element_handle())


def test_from_a_new_player_to_a_deleted_one(open_page: OpenPage) -> None:
    """Added with a photo, picked by a tap, renamed, merged with another, gone everywhere."""
    hands = open_page()
    page = hands.page
    hands.follow("Players")
    page.get_by_label("A new player").fill("Ann")
    hands.press("Add")
    expect(page.get_by_role("heading", name="Ann", level=1, exact=True)).to_be_visible()
    page.get_by_label("dark blue, an arch").check()
    page.get_by_label("Photo instead of both").set_input_files(
        {"name": "me.jpg", "mimeType": "image/jpeg", "buffer": face()}
    )
    hands.press("Save")
    sees_photo(page, "h1")
    expect(page.get_by_label("dark blue, an arch")).to_be_checked()

    page.get_by_role("link", name="New game").click()
    hands.tap(hands.button("Ann"))
    sees_photo(page, "#seat-1")
    page.get_by_label("Player 2", exact=True).fill("Ben")
    hands.press("Start the game")
    expect(hands.button("KEEP")).to_be_visible()
    sees_photo(page, "#scoreboard")
    sees_photo(page, "#sheet")
    expect(page.locator("#scoreboard .mark")).to_have_count(2)  # Ben has got a colour, too
    page.goto(page.url + "tv")
    sees_photo(page, "#tv-totals")

    page.goto(page.url.removesuffix("tv") + "players")
    hands.tap(page.get_by_role("link", name="Ben"))  # and, for who hears it, colour and mark
    page.get_by_label("Name").fill("Anna")
    hands.press("Save")
    hands.reads("also known as Ben")
    hands.follow("All players")
    page.get_by_text("Two entries for one person?").click()
    page.get_by_label("Keep").select_option("Ann")
    page.get_by_label("and merge into it").select_option("Anna")
    hands.reads("All games of both then count for the one that you keep")
    hands.press("Merge")
    hands.reads("also known as Anna, Ben")

    page.get_by_text("Delete this person everywhere").click()
    hands.reads("In their games (1) they become a guest")
    hands.press("Delete for good")
    hands.reads("This player’s game is under way")
    page.goto(page.url.partition("/players")[0])
    hands.follow("Save and close")
    hands.press("Save and close")
    hands.follow("Players")
    hands.tap(page.get_by_role("link", name="Ann"))
    page.get_by_text("Delete this person everywhere").click()
    hands.press("Delete for good")
    hands.reads("Nobody yet.")
    page.get_by_role("link", name="Games").click()
    hands.reads("Guest 1, Guest 2")
    hands.reads_no("Ann")


def test_every_page_of_players_is_accessible(open_page: OpenPage, table: ServedTable) -> None:
    """With proposals, a list and a person with all unfolded, and the pages with marks."""
    assert isinstance(table.store, SqlStore)
    table.submit(GameOpened("yahtzee", ("Ann", "Ben", "ann"), {"start": "first"}))
    page = open_page("/players").page
    assert violations(page) == [], "proposals"
    table.store.profiles.note(("Ann", "Ben", "ann"), apart=True)
    for path in ("", f"/{table.store.profiles.all()[0].profile_id}"):
        page.goto(f"{table.url}/players{path}")
        for folded in page.locator("details").all():
            folded.locator("summary").click()
        assert violations(page) == [], path
    for path in ("/setup", "/", "/tv"):
        page.goto(table.url + path)
        assert violations(page) == [], path


def test_a_seats_mark_goes_with_its_name(open_page: OpenPage, table: ServedTable) -> None:
    """Moved by a button, without a reload; a typed name has its initial."""
    assert isinstance(table.store, SqlStore)
    table.store.profiles.note(("Ann", "Ben"))
    hands = open_page("/setup")
    for name in ("Ann", "Ben"):
        hands.tap(hands.button(name))
    marks = [hands.page.locator(f"#seat-{seat} .scripted .mark") for seat in (1, 2)]
    expect(marks[0]).to_have_text("A")
    hands.press("Move player 2 up")
    expect(marks[0]).to_have_text("B")
    hands.page.get_by_label("Player 1", exact=True).fill("Zoë")
    expect(marks[0]).to_have_count(0)
    expect(hands.page.locator("#seat-1 .scripted .seat-colour")).to_have_text("Z")
