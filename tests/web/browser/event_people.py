"""What people do at an event: the director, those at a table, and players on their phones."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Final

from playwright.sync_api import FilePayload, Locator, expect

from tests.network.bad_way import BadWay
from tests.network.director import PASSWORD
from tests.web.browser.hands import Hands

BEGIN: Final = "Begin game 1 of 1"
CUT_OFF: Final = re.compile("No connection to the hub: play on, nothing is lost")
ALL_AGREED: Final = "Game 1: does everybody agree?"
CONNECTED: Final = "Connected to the hub"
TABLES: Final = 4
BAR: Final = frozenset({"Desk", "Players", "Results", "Standings", "Board"})
MOST_TRIES: Final = 5
LOOKS: Final = 200
LOOK_MILLISECONDS: Final = 50
Players = list[str]
Scores = tuple[int, ...]


def press(hands: Hands, name: str) -> None:
    """Press a button by its words."""
    hands.tap(hands.button(name))


def finishes(hands: Hands, name: str) -> None:
    """Press the button of a form, and wait for the page on which it is no more."""
    press(hands, name)
    expect(hands.button(name)).to_have_count(0)


def heading(hands: Hands, words: str) -> None:
    """Wait for this heading."""
    expect(hands.page.get_by_role("heading", name=words, exact=True).first).to_be_visible()


def tab(hands: Hands, name: str) -> None:
    """Go to another page of the event, one of the bar or below More."""
    inside = hands.page.get_by_role("navigation", name="This event")
    if name not in BAR:
        hands.tap(inside.locator("summary"))
    hands.tap(inside.get_by_role("link", name=name, exact=True))


# -- the director


def becomes_director(director: Hands, set_up: str) -> None:
    """The first start, by the address that the hub printed: it leads to a new event."""
    director.page.goto(set_up)
    director.page.get_by_label("Name").fill("Dana")
    director.page.get_by_label("Password").fill(PASSWORD)
    press(director, "Begin")
    heading(director, "New event")


def opens_event(director: Hands, set_up: str, names: Sequence[str], rounds: int) -> None:
    """The first start, a new event, and its entries from a file."""
    becomes_director(director, set_up)
    director.page.get_by_label("Title of the event").fill("Winter Open")
    director.page.get_by_label("Rounds", exact=True).fill(str(rounds))
    director.page.get_by_label("Games in a round").fill("1")
    press(director, "Create the event")
    listed = "\n".join(("name", *names)).encode()
    director.page.get_by_label("File").set_input_files(
        {"name": "entries.csv", "mimeType": "text/csv", "buffer": listed}
    )
    press(director, "Import the list")
    heading(director, f"Players: {len(names)}")


def codes(director: Hands) -> tuple[list[str], list[bytes]]:
    """A code for every table, as the director prints them, and a photo of each slip."""
    tab(director, "Tables")
    director.page.get_by_label("to table").fill(str(TABLES))
    press(director, "Create codes")
    heading(director, "Codes for tables")
    slips = director.page.locator(".slip")
    codes = slips.locator(".code").all_inner_texts()
    return codes, [slip.screenshot() for slip in slips.all()]


def links(director: Hands) -> dict[str, str]:
    """Every player's own page, as the slips lead to it."""
    tab(director, "Players")
    director.follow("Print the players’ links")
    slips = director.page.locator(".slip")
    found = {
        slip.locator(".slip-table").inner_text(): slip.get_by_role("link").get_attribute("href")
        for slip in slips.all()
    }
    director.page.go_back()
    return {name: link for name, link in found.items() if link}


def starts_round(director: Hands, number: int) -> dict[int, Players]:
    """Draw and start a round; who sits where, in seat order."""
    tab(director, "Desk")
    finishes(director, f"Draw round {number}")
    finishes(director, f"Start round {number}")
    heading(director, f"Tables of Round {number}")
    cards = director.page.locator(".table-card")
    expect(cards).to_have_count(TABLES)
    return {
        int(card.locator(".table-number").inner_text()): card.locator(".seated")
        .inner_text()
        .split(", ")
        for card in cards.all()
    }


def signs_at_desk(director: Hands, table: int, players: Players, scores: Scores) -> None:
    """The players bring a sheet of paper to the director, and sign there."""
    to_table(director, table)
    enters(director, players, scores)
    for player in players:
        finishes(director, f"Sign game 1 for {player}")


def settles(director: Hands, table: int) -> None:
    """The referee finds that a disputed result was right."""
    tab(director, "Desk")
    expect(director.page.locator(".table-card.problem")).to_have_count(1)
    to_table(director, table)
    director.reads(re.compile("disagrees: “miscounted”"))
    director.page.get_by_label("Why", exact=True).first.fill("counted again with all players")
    finishes(director, "Settle the result")


def closes_round(director: Hands, number: int) -> None:
    """Every table is done, everybody has signed."""
    tab(director, "Desk")
    sees_done(director, TABLES)
    finishes(director, f"Close round {number}")


def sees_done(director: Hands, tables: int) -> None:
    """Wait until so many tables have nothing more to do or to sign."""
    expect(director.page.locator(".table-card.phase-done")).to_have_count(tables)


def to_table(director: Hands, table: int) -> None:
    """Look at a table of the last round."""
    tab(director, "Desk")
    director.tap(director.page.get_by_role("link", name=f"{table} Table {table}"))


def sees_standings(hands: Hands, points: Mapping[str, int]) -> None:
    """The final standings, as everybody reckons them."""
    heading(hands, "Final standings")
    rows = hands.page.locator("tbody tr")
    expect(rows).to_have_count(len(points))
    heads = hands.page.locator("thead th").all_inner_texts()
    points_at = heads.index("Points") - 1  # the name of a row is no td
    shown = [int(row.locator("td").nth(points_at).inner_text()) for row in rows.all()]
    assert shown == sorted(points.values(), reverse=True)


def kept(director: Hands, name: str) -> str:
    """A file that the director takes along."""
    tab(director, "Settings")
    with director.page.expect_download() as download:
        director.follow(name)
    return download.value.path().read_text(encoding="utf-8")


# -- those at a table


def to_the_way_in(hands: Hands) -> None:
    """By the menu, whatever is on the table."""
    hands.tap(hands.page.get_by_text("Menu", exact=True))
    menu = hands.page.get_by_role("navigation", name="Pages")
    hands.tap(menu.get_by_role("link", name="Join an event"))


def joins_by_photo(hands: Hands, slip: bytes) -> None:
    """Somebody at a table takes a photo of the table's slip, and types nothing."""
    to_the_way_in(hands)
    photo: FilePayload = {"name": "slip.png", "mimeType": "image/png", "buffer": slip}
    hands.page.wait_for_load_state()  # the script that sends it
    hands.page.get_by_label("Photo of the QR code").set_input_files(photo)
    hands.reads(CONNECTED)


def joins(hands: Hands, address: str, code: str) -> None:
    """Somebody at a table types the hub's address and the table's code."""
    to_the_way_in(hands)
    hands.page.get_by_label("Address of the hub, or the whole link").fill(address)
    hands.page.get_by_label("Code of this table").fill(code)
    press(hands, "Join the event")
    hands.reads(CONNECTED)


def insists(hands: Hands, act: Callable[[], None], is_done: Callable[[], bool]) -> None:
    """Act until it is done: what comes too late is refused, and nothing is lost by that.

    The camera may see something, or the hub say something, while a finger is on its way.
    """
    for _ in range(MOST_TRIES):
        act()
        for _ in range(LOOKS):
            if is_done():
                return
            hands.page.wait_for_timeout(LOOK_MILLISECONDS)
    raise AssertionError("nothing came of it")


def acts(hands: Hands, name: str) -> None:
    """Press a button that is there until it is done."""
    button = hands.button(name)
    insists(hands, lambda: hands.press(name), lambda: not button.count())


def camera_sees(hands: Hands, photo: Path, meaning: str) -> None:
    """Take a photo of the table, wait until KEEP means what it shows, and press it."""
    hands.page.locator("#photo-file").set_input_files(photo)
    keep = hands.page.locator("#means-keep")
    expect(keep).to_have_text(meaning)
    insists(hands, lambda: hands.press("KEEP"), lambda: keep.inner_text() != meaning)


def plays_by_hand(hands: Hands, players: Players, scores: Scores) -> None:
    """A game of which only the end is told; one press says that all agree."""
    acts(hands, BEGIN)
    acts(hands, f"{players[0]} begins")
    ends_game(hands, players, scores)
    heading(hands, ALL_AGREED)
    acts(hands, "All agree")


def ends_game(hands: Hands, players: Players, scores: Scores) -> None:
    """One says Rummikub, and the round's scores are entered."""
    winner = players[scores.index(max(scores))]
    calls = f"{winner} calls “Rummikub”"
    fills_aside(hands, f"Recount {winner}’s rack", "?", hands.button(calls))
    acts(hands, calls)
    ranking = hands.page.get_by_role("heading", name="Final ranking")
    fills_aside(hands, "Enter the round's scores", " ".join(map(str, scores)), ranking)


def fills_aside(hands: Hands, act: str, text: str, done: Locator) -> None:
    """An act that is seldom needed; it leads to something that is to be seen then."""
    aside = hands.page.locator("#aside")
    expect(aside.filter(has_text=act)).to_be_visible()

    def fill() -> None:
        hands.page.keyboard.press("Escape")  # a field that was refused stays open
        if not hands.page.locator("#aside[open]").count():
            hands.tap(hands.page.get_by_text("Correct something"))
        hands.fills(act, text=text)

    insists(hands, fill, done.is_visible)


def agree_one_by_one(hands: Hands, players: Players) -> None:
    """Everybody presses for themselves."""
    heading(hands, ALL_AGREED)
    for player in players:
        acts(hands, f"I agree: {player}")


def plays_cut_off(hands: Hands, way: BadWay, play: Callable[[], None]) -> None:
    """A game without the hub, while the page says so."""
    expect(hands.button(BEGIN)).to_be_visible()
    way.cut()
    hands.reads(CUT_OFF)
    play()
    hands.reads(re.compile("Waiting to be sent"))


# -- players on their phones


def signs_on_phones(phone: Hands, own: Mapping[str, str], players: Players, scores: Scores) -> None:
    """One player enters the result on the own page, and everybody signs on theirs."""
    phone.page.goto(own[players[0]])
    phone.tap(phone.page.get_by_text("Enter the result of game 1"))
    enters(phone, players, scores)
    for player in players:
        phone.page.goto(own[player])
        finishes(phone, "Sign: the result is right")


def enters(hands: Hands, players: Players, scores: Scores) -> None:
    """Somebody writes a result on a page of the hub."""
    for player, score in zip(players, scores, strict=True):
        hands.page.get_by_label(player, exact=True).first.fill(str(score))
    finishes(hands, "Enter the result")
