"""Tiles that the camera sees, on the page: outlined, tapped, mended, and put back."""

from __future__ import annotations

from playwright.sync_api import expect

from tests.web.browser.conftest import OpenPage
from tests.web.browser.hands import Hands
from tests.web.browser.served_table import ServedTable
from tests.web.browser.test_languages import SPILLING, speaks
from web.words import LANGUAGES

MELD = "K10 R10 B10"


def begins(hands: Hands) -> None:
    """Rummikub of two; Ann begins."""
    hands.starts("Ann", "Ben", game="rummikub", option_clock="off")
    hands.press("Ann begins")
    hands.reads("Lay a first meld of 30 or more")


def outlined(hands: Hands, mark: str, labels: str) -> None:
    """So many pieces are outlined on the photo with that mark, tagged with these labels."""
    tags = hands.page.locator(f"#photo .outlined.{mark} .tag-words")
    expect(tags).to_have_text(labels.split(","))


def test_a_turn_is_judged_on_the_photo(open_page: OpenPage, table: ServedTable) -> None:
    """New tiles are outlined, a faulty set named and marked; mended and shown again it counts."""
    hands = open_page()
    begins(hands)
    table.see_pieces(MELD)
    outlined(hands, "fresh", "K10,R10,B10")
    hands.reads("KEEP: End the turn: black 10, red 10, blue 10 laid")
    hands.press("KEEP")
    hands.reads("Ben’s turn")
    hands.press("REROLL")
    hands.reads("Ann’s turn")
    table.see_pieces(f"{MELD}, R3 R4 R6")
    hands.reads("red 5 missing: the numbers of a run follow each other.")
    outlined(hands, "faulty", "R3 !,R4 !,R6 !")
    hands.press("KEEP")
    hands.reads("Ann’s turn")
    table.see_pieces(f"{MELD}, R3 R4 R5")
    outlined(hands, "fresh", "R3,R4,R5")
    hands.press("KEEP")
    hands.reads("Ben’s turn")
    hands.sees_cells("Tiles on the rack", "8", "15")


def test_players_take_a_turn_against_the_referee(open_page: OpenPage, table: ServedTable) -> None:
    """One tap, and the turn is recorded as such."""
    hands = open_page()
    begins(hands)
    table.see_pieces("K9 R9 B9")
    hands.reads("27 of 30 for the first meld.")
    hands.press("Take the turn against the referee")
    hands.reads("Ben’s turn")


def test_a_tile_is_corrected_by_a_tap(open_page: OpenPage, table: ServedTable) -> None:
    """On a phone: the likeliest other readings come first; a tile that is none is deleted."""
    hands = open_page(phone=True)
    begins(hands)
    table.see_pieces("K10 R10 B1 ?", doubt="A tile is blurred.", unsure={"B1": ("B7", "B10")})
    hands.reads("A tile is blurred.")
    hands.tap(hands.page.locator("#piece-2"))
    likely = hands.page.locator("#likely button")
    expect(likely).to_have_count(2)
    hands.react_to(likely.nth(1))
    expect(hands.page.locator("#piece-2")).to_have_accessible_name("B10")
    hands.tap(hands.page.locator("#piece-3"))
    hands.press("Nothing lies here")
    hands.reads("KEEP: End the turn: black 10, red 10, blue 10 laid")
    hands.press("KEEP")
    hands.reads("Ben’s turn")


def test_the_table_is_put_back_by_the_photo_before(open_page: OpenPage, table: ServedTable) -> None:
    """RK-7: what still lies elsewhere is named; then KEEP says that all is as before."""
    hands = open_page()
    begins(hands)
    table.see_pieces(MELD)
    hands.reads("KEEP: End the turn")
    hands.press("KEEP")
    hands.reads("Ben’s turn")
    hands.press("Give up the turn: put the table back")
    hands.reads("The table before this turn")
    expect(hands.page.locator("#before img")).to_have_js_property("complete", value=True)
    table.see_pieces("K10 R10, B10 B11 B12")
    hands.reads("Still in another place: blue 10.")
    hands.reads("Back to the rack: blue 11, blue 12.")
    table.see_pieces(MELD)
    hands.reads("KEEP: All tiles lie as before")
    hands.press("KEEP")
    hands.reads("Ann’s turn")


def test_what_is_seen_fits_the_screen(open_page: OpenPage, table: ServedTable) -> None:
    """In every language, on a phone: the photo, its pieces, what is said of them, the editor."""
    hands = open_page(phone=True)
    begins(hands)
    table.see_pieces("K10 R10 B10 O10, R1 R2 R3 R4 R5 R6 R7 R9, J", doubt="A tile is blurred.")
    expect(hands.page.locator("#seen")).to_be_visible()
    for name in LANGUAGES:
        speaks(hands.page, table.url, name)
        hands.page.goto(table.url)
        hands.page.locator("#edit-piece").evaluate("(thing) => thing.showPopover()")
        assert hands.page.evaluate(SPILLING) == [], name
