"""Tiles that the camera sees, on the page: outlined, tapped, mended, and put back."""

from __future__ import annotations

from playwright.sync_api import Locator, expect

from scoreboard.table.requests import TableStatus, TableStatusChanged
from tests.web.browser.conftest import OpenPage
from tests.web.browser.hands import Hands
from tests.web.browser.served_table import ServedTable
from tests.web.browser.test_languages import SPILLING, speaks
from web.shared.words import LANGUAGES

MELD = "K10 R10 B10"


def begins(hands: Hands) -> None:
    """Rummikub of two; Ann begins."""
    hands.starts("Ann", "Ben", game="rummikub", option_clock="off")
    hands.press("Ann begins")
    hands.reads("Lay a first meld of 30 or more")


def outlined(hands: Hands, mark: str, labels: str) -> None:
    """So many pieces are outlined on the photo with that mark, tagged with these labels."""
    tags = hands.page.locator(f"#photo .frame > .boxes .{mark} .tag-words")
    expect(tags).to_have_text(labels.split(","))


def likely(hands: Hands, *names: str) -> Locator:
    """The likeliest readings in the editor, what the piece was taken for first."""
    buttons = hands.page.locator("#likely button")
    expect(buttons).to_have_count(len(names))
    for button, name in zip(buttons.all(), names, strict=True):
        expect(button).to_have_accessible_name(name)
    return buttons


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


def test_the_sheet_takes_the_room_that_no_photo_needs(
    open_page: OpenPage, table: ServedTable
) -> None:
    """At the left while tiles are entered by hand, and at the right beside a photo; and back."""
    hands = open_page()
    begins(hands)
    left, right = (hands.page.locator(each) for each in (".side #sheet", ".board #sheet"))
    expect(left).to_be_visible()
    hands.sees_whole(left)
    table.see_pieces(MELD)
    expect(hands.page.locator("#photo")).to_be_visible()
    expect(right).to_be_visible()
    hands.press("KEEP")
    hands.reads("Ben’s turn")
    table.post(TableStatusChanged(TableStatus.NOTHING))
    expect(left).to_be_visible()
    hands.sees_cells("Tiles on the rack", "11", "14")
    expect(right).to_have_count(0)


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
    hands.react_to(likely(hands, "blue 1", "blue 7", "blue 10").nth(2))
    expect(hands.page.locator("#piece-2")).to_have_accessible_name("B10")
    hands.press("Nothing lies here")
    hands.reads("KEEP: End the turn: black 10, red 10, blue 10 laid")
    hands.press("KEEP")
    hands.reads("Ben’s turn")


def test_marked_pieces_are_walked_through(open_page: OpenPage, table: ServedTable) -> None:
    """A doubt opens its piece, each shown as it lies on the photo; one tap leads to the next."""
    hands = open_page()
    begins(hands)
    doubt = "A tile is blurred."
    table.see_pieces("K10 R1 B1 O10", doubt=doubt, unsure={"B1": ("B7",), "R1": ("R10",)})
    hands.press(doubt)
    shown = hands.page.get_by_role("img", name="The piece on the photo")
    middle = [float(edge) for edge in (shown.get_attribute("viewBox") or "").split()]
    assert middle[0] <= 20 + 30 < 20 + 60 <= middle[0] + middle[2], "the second tile is not in it"
    hands.reads("To be checked: 2")
    hands.react_to(likely(hands, "red 1", "red 10").nth(0))
    hands.reads("To be checked: 1")
    hands.react_to(likely(hands, "blue 1", "blue 7").nth(1))
    hands.reads_no(doubt)
    expect(hands.page.locator(".sheet-over:popover-open")).to_have_count(0)
    expect(hands.page.locator("#seen [data-marked]")).to_have_count(0)


def test_the_open_editor_stays_with_its_piece(open_page: OpenPage, table: ServedTable) -> None:
    """Another device names a piece meanwhile: the answer here is still about the one shown here."""
    hands, other = open_page(), open_page()
    begins(hands)
    table.see_pieces("K10 R1 B1 O10", doubt="!", unsure={"B1": ("B7",), "R1": ("R10",)})
    hands.press("B1, doubtful")
    other.press("R1, doubtful")
    other.react_to(likely(other, "red 1", "red 10").nth(1))
    hands.reads("To be checked: 1")
    hands.react_to(likely(hands, "blue 1", "blue 7").nth(1))
    expect(hands.page.locator("#piece-2")).to_have_accessible_name("B7")


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
    hands.reads("KEEP: Draw 3: all tiles lie as before")
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
