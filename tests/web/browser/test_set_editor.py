"""The table of a turn of Rummikub, arranged by taps: tap a tile, tap where it goes."""

from __future__ import annotations

from playwright.sync_api import Locator, expect

from tests.web.browser.conftest import OpenPage
from tests.web.browser.hands import Hands, resize
from tests.web.browser.served_table import ServedTable

LAY = "Tiles were laid: the table now"
FITS = """(thing) => [
  thing.scrollWidth <= thing.clientWidth, thing.scrollHeight <= thing.clientHeight
]"""
SIZES = """(things) => things.map((thing) => {
  const { width, height } = thing.getBoundingClientRect();
  return [width, height, thing.textContent];
})"""
RUNS = ("1 2 3", "4 5 6", "7 8 9", "10 11 12 13")
FULL = [" ".join(f"{ink}{n}" for n in run.split()) for ink in "KRBOKRBO" for run in RUNS][1:]


def editor(hands: Hands) -> Locator:
    """The dialog in which the sets are arranged."""
    return hands.page.locator(".sheet-over:popover-open")


def laid(hands: Hands, *sets: str) -> None:
    """The sets as they stand in the notation that is sent."""
    expect(editor(hands).locator("textarea")).to_have_value("".join(f"{each}\n" for each in sets))


def opens(hands: Hands, *sets: str) -> None:
    """A round of two whose racks nobody counted; Ann has laid these sets, and it is her turn."""
    hands.starts("Ann", "Ben", game="rummikub", option_clock="off")
    hands.press("Ann begins")
    hands.tap(hands.page.get_by_text("Correct something"))
    hands.fills("Recount Ann’s rack", text="?")
    hands.fills(LAY, text="\n".join(sets))
    hands.press("Draw a tile and pass")
    hands.press(LAY)
    laid(hands, *sets)


def test_sets_are_taken_apart_and_laid_anew(open_page: OpenPage) -> None:
    """Tiles of the table and of the rack are moved; each set says whether it is one."""
    hands = open_page()
    opens(hands, "K10 R10 B10 O10", "R3 R4 R5 R6 R7")
    hands.tap(hands.button("red 6, in set 2"))
    hands.reads("red 6: tap where it goes.")
    expect(hands.button("red 6, in set 2")).to_have_attribute("aria-pressed", "true")
    hands.tap(hands.button("Split the set here"))
    laid(hands, "K10 R10 B10 O10", "R3 R4 R5", "R6 R7")
    expect(group(hands, "Set 2: a legal set")).to_be_visible()
    expect(group(hands, "Set 3: red 6, red 7 are too few")).to_be_visible()
    hands.reads("red 6, red 7 are too few: a set has three tiles or more.")
    hands.tap(hands.button("red 10, in set 1"))
    hands.tap(hands.button("red 7, in set 3"))
    laid(hands, "K10 B10 O10", "R3 R4 R5", "R6 R7 R10")
    hands.tap(hands.button("red 8"))
    hands.tap(hands.button("joker"))
    laid(hands, "K10 B10 O10", "R3 R4 R5", "R6 R7 R10 R8 J")
    tiles = group(hands, "Set 3: a legal set").locator("[data-at]")
    expect(tiles.nth(3)).to_have_accessible_name("joker for red 9, in set 3")
    expect(tiles.nth(4)).to_have_accessible_name("red 10, in set 3")
    hands.react_to(hands.button("Enter it"))
    hands.reads("Ben’s turn")


def group(hands: Hands, name: str) -> Locator:
    """A set by what it says of itself."""
    return editor(hands).get_by_role("group", name=name)


def test_a_refused_table_stays_as_it_was_arranged(open_page: OpenPage) -> None:
    """With the referee's word; moves are undone one by one, or all at once."""
    hands = open_page()
    opens(hands, "K10 R10 B10 O10")
    hands.tap(hands.button("orange 10, in set 1"))
    hands.tap(hands.button("New set"))
    hands.tap(hands.button("orange 11"))
    hands.press("Enter it")
    fault = editor(hands).get_by_role("alert")
    expect(fault).to_contain_text("orange 10, orange 11 are too few")
    laid(hands, "K10 R10 B10", "O10 O11")
    hands.tap(hands.button("Undo the move"))
    laid(hands, "K10 R10 B10", "O10")
    hands.tap(hands.button("orange 12"))
    laid(hands, "K10 R10 B10", "O10 O12")
    hands.tap(hands.button("Start over"))
    laid(hands, "K10 R10 B10 O10")
    hands.tap(hands.button("Undo the move"))
    hands.tap(hands.button("orange 12, in set 2"))
    hands.tap(hands.button("Off the table"))
    laid(hands, "K10 R10 B10", "O10")


def test_what_is_arranged_stays_when_the_table_changes(
    open_page: OpenPage, table: ServedTable
) -> None:
    """Another device corrects something, the camera reads something: nothing is lost."""
    hands, other = open_page(), open_page()
    opens(hands, "K10 R10 B10 O10")
    hands.tap(hands.button("orange 10, in set 1"))
    other.tap(other.page.get_by_text("Correct something"))
    other.fills("Recount Ben’s rack", text="5")
    hands.sees_cells("Tiles on the rack", "", "5")
    hands.tap(hands.button("New set"))
    table.see_pieces("R9 R10 R11")
    hands.reads("The camera sees R9 R10 R11")
    laid(hands, "K10 R10 B10", "O10")
    hands.press("Use it")
    expect(hands.button("red 11, in set 1")).to_be_visible()
    hands.tap(hands.button("Undo the move"))
    laid(hands, "K10 R10 B10 O10")


def test_opening_the_editor_stops_the_clock(open_page: OpenPage, table: ServedTable) -> None:
    """For everybody; it stands in the editor's head, and runs there once somebody presses KEEP.

    What was arranged outlasts the end of the time and the UNDO of it.
    """
    hands, other = open_page(phone=True), open_page()
    hands.starts("Ann", "Ben", game="rummikub")
    hands.press("Ann begins")
    hands.press("KEEP")
    hands.press(LAY)
    other.reads("The clock stands")
    clock = editor(hands).get_by_role("timer")
    expect(clock).to_contain_text("The clock stands")
    hands.sees_whole(clock)
    for colour in ("black", "red", "blue"):
        hands.tap(hands.button(f"{colour} 1 – {colour} 13"))
        hands.tap(hands.button(f"{colour} 9"))
    hands.reads("First meld: 27 of 30")
    laid(hands, "K9 R9 B9")
    other.press("KEEP")
    expect(clock).not_to_contain_text("The clock stands")
    table.let_pass(61)
    other.reads("Put every tile back")
    laid(hands, "K9 R9 B9")
    hands.tap(editor(hands).get_by_role("button", name="Close"))
    hands.press("UNDO")
    hands.press(LAY)
    laid(hands, "K9 R9 B9")
    hands.tap(hands.button("orange 1 – orange 13"))
    hands.tap(hands.button("Into set 1"))
    hands.tap(hands.button("orange 9"))
    hands.reads("First meld: 36 of 30")
    hands.tap(hands.button("Undo the move"))
    hands.tap(hands.button("Start over"))
    laid(hands)


def test_a_tile_that_is_on_the_table_twice_is_not_on_the_pad(open_page: OpenPage) -> None:
    """The box has two of each."""
    hands = open_page()
    opens(hands, "K10 R10 B10 O10", "K10 K11 K12")
    expect(hands.button("black 10")).to_have_attribute("aria-disabled", "true")
    expect(hands.button("black 11")).to_have_attribute("aria-disabled", "false")
    hands.button("black 10").dispatch_event("click")
    hands.reads("Tap a tile, then tap where it goes.")


def test_a_keyboard_arranges_the_sets(open_page: OpenPage) -> None:
    """Arrows go from tile to tile, Enter takes one and puts it down; the focus is never lost."""
    hands = open_page()
    opens(hands, "K10 R10 B10 O10")
    keys = hands.page.keyboard
    hands.button("black 10, in set 1").focus()
    keys.press("ArrowRight")
    expect(hands.button("red 10, in set 1")).to_be_focused()
    keys.press("Enter")
    expect(hands.button("red 10, in set 1")).to_be_focused()
    for _ in range(4):
        keys.press("ArrowRight")
    expect(hands.button("New set")).to_be_focused()
    keys.press("Enter")
    laid(hands, "K10 B10 O10", "R10")
    expect(hands.button("Into set 2")).to_be_focused()
    hands.button("red 1").focus()
    for key in ("ArrowDown", "ArrowRight", "Enter"):
        keys.press(key)
    laid(hands, "K10 B10 O10", "R10 B2")
    expect(hands.button("blue 2")).to_be_focused()


def test_on_a_phone_everything_is_as_large_as_a_finger(open_page: OpenPage) -> None:
    """The tiles of the sets and of the pad, and the places between them; and the pad is whole.

    The pad has the tiles of one colour, and the joker.
    """
    hands = open_page(phone=True)
    opens(hands, "K10 R10 B10 O10", "R3 R4 R5 R6 R7")
    hands.tap(hands.button("orange 1 – orange 13"))
    buttons = editor(hands).locator(".laid, .inks, .tile-pad").locator("button:visible")
    for width, height, least in ((390, 844, 44), (360, 740, 38)):
        resize(hands.page, width, height)
        hands.sees_whole(editor(hands).get_by_role("button", name="orange 13", exact=True))
        expect(buttons).to_have_count(12 + 4 + 14)
        sizes = buttons.evaluate_all(SIZES)
        assert [each for each in sizes if each[0] < 44 or each[1] < least] == [], width


def test_a_full_table_is_in_sight(open_page: OpenPage) -> None:
    """A hundred tiles, the pad and the buttons; on a phone the sets and the pad scroll inside."""
    hands = open_page()
    opens(hands, "K1 K2 K3", "K11 K12 K13")
    hands.press("Type it")
    editor(hands).get_by_role("textbox").fill("\n".join(FULL))
    hands.press("Type it")
    expect(editor(hands).locator(".laid [data-at]")).to_have_count(101)
    expect(group(hands, "a legal set")).to_have_count(31)
    for width, height in ((1280, 800), (1280, 720), (1024, 768), (390, 844)):
        resize(hands.page, width, height)
        hands.sees_all_whole(editor(hands).locator(".acts button, .held button"))
        if width > height:
            hands.sees_all_whole(editor(hands).locator(".laid button, .tile-pad button"))
        assert editor(hands).evaluate(FITS) == [True, True]
        assert editor(hands).locator(".laid").evaluate(FITS)[0]
