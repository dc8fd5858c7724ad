"""Evenings of Rummikub by taps and by words, to their ends."""

from __future__ import annotations

from playwright.sync_api import expect

from tests.web.browser.conftest import OpenPage
from tests.web.browser.test_sound import HEARD

LAY = "Tiles were laid: the table now"
SOUNDS = 'localStorage.setItem("sound", "yes");' + HEARD


def test_a_round_by_taps_to_its_end(open_page: OpenPage) -> None:
    """RK-2 to RK-11: the draw, a first meld that is refused, a joker, Rummikub, the ranking."""
    hands = open_page()
    hands.sets_up("Ann", "Ben", game="Rummikub", rounds="1", rule="As long as it takes: no clock")
    hands.reads("House rules: no clock; rounds: 1")
    hands.fills("Ann draws a tile for the start", "red 12")
    hands.fills("Ben draws a tile for the start", "black 3")
    hands.reads("Ann’s turn")
    hands.fills(LAY, "black 9", "red 9", "blue 9")
    hands.reads("RK-5: 27 of 30 for the first meld.")
    hands.tap(hands.button("Undo the move"))
    hands.tap(hands.button("joker"))
    expect(hands.button("joker for blue 9, in set 1")).to_be_visible()
    hands.tap(hands.button("New set"))
    for tile in ("orange 4", "orange 5", "orange 6"):
        hands.tap(hands.button(tile))
    hands.press("Enter it")
    hands.reads("Ben’s turn")
    hands.sees_cells("Tiles on the rack", "8", "14")
    hands.press("REROLL")
    hands.reads("Ann’s turn")
    hands.fills(LAY, text="K9 R9 B9\nO4 O5 O6 O7\nK1 R1 J\nB11 B12 B13\n")
    hands.reads("Ben’s turn")
    hands.sees_cells("Tiles on the rack", "1", "15")
    hands.press("REROLL")
    hands.fills(LAY, text="K9 R9 B9\nO4 O5 O6 O7 O8\nK1 R1 J\nB11 B12 B13\n")
    hands.reads("Ann calls Rummikub! What is left on Ben’s rack?")
    hands.fills("Ben’s rack in points", "7", "7")
    hands.reads("Ann wins by 154!")
    hands.sees_cells("Total", "+77", "-77")
    hands.reads("Final ranking")


def test_racks_are_entered_one_after_the_other(open_page: OpenPage) -> None:
    """RK-10, RK-11: tile by tile with a running sum, or as points; the next one opens by itself."""
    hands = open_page(phone=True)
    hands.starts("Ann", "Ben", "Cem", game="rummikub", option_turns="scores")
    hands.press("Ann calls “Rummikub”")
    hands.press("Ben’s rack, tile by tile")
    rack = hands.page.locator(".sheet-over:popover-open")
    for tile, points in (("black 7", 7), ("joker", 37), ("red 12", 49), ("black 7", 56)):
        hands.tap(rack.get_by_role("button", name=tile, exact=True))
        expect(rack.get_by_role("status").first).to_have_text(f"{points} points")
    expect(rack.get_by_role("button", name="black 7", exact=True)).to_have_attribute(
        "aria-disabled", "true"
    )
    hands.tap(rack.get_by_role("button", name="red 12, off the rack again"))
    expect(rack.get_by_role("status").first).to_have_text("44 points")
    for button in rack.locator(".acts button").all():
        hands.sees_whole(button)
    hands.press("Enter it")
    hands.reads("Which tiles are on Cem’s rack?")
    hands.press("The points instead")
    hands.reads("What does Cem’s rack cost?")
    for digit in "24":
        hands.tap(hands.button(digit))
    hands.press("Enter it")
    hands.sees_cells("Total", "+68", "-44", "-24")


def test_a_counted_rack_says_how_many_of_its_tiles_are_entered(open_page: OpenPage) -> None:
    """RK-11: while they are tapped, not only once it is refused."""
    hands = open_page(phone=True)
    hands.starts("Ann", "Ben", game="rummikub", option_clock="off")
    hands.press("Ann begins")
    hands.tap(hands.page.get_by_text("Correct something"))
    hands.fills("Recount Ann’s rack", text="?")
    hands.press("Ann calls “Rummikub”")
    hands.press("Ben’s rack, tile by tile")
    hands.reads("0 of 14 tiles")
    hands.tap(hands.button("black 7"))
    hands.reads("1 of 14 tiles")


def test_what_is_folded_out_stays_so_when_others_act(open_page: OpenPage) -> None:
    """Who is about to put something right is not hindered by what happens meanwhile."""
    hands, other = open_page(), open_page()
    hands.starts("Ann", "Ben", game="rummikub", option_clock="off")
    hands.press("Ann begins")
    hands.reads("Ann’s turn")
    hands.tap(hands.page.get_by_text("Correct something"))
    other.press("Draw a tile and pass")
    hands.reads("Ben’s turn")
    hands.fills("Recount Ann’s rack", text="?")
    hands.reads("Ann calls “Rummikub”")
