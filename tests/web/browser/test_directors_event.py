"""A director's whole day: 32 players, of whom the best eight end it in a double knockout.

The door, a draw that is changed by hand, the clock, slips read from photographs, a message, a
penalty, the cut, the bracket, and the results as files for a website.
"""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from random import Random

import pytest
from playwright.sync_api import FilePayload, Locator, Page, expect

from scoreboard.tournament.model.calls import CallMatch
from scoreboard.tournament.model.round_draw import due_matches, undecided_tables
from scoreboard.tournament.model.tournament import Tournament
from tests.web.browser.conftest import PHONE, TABLET
from tests.web.browser.hands import wait_until_drawn
from tests.web.browser.test_hub_evening import Evening, evening, follow, heading, press
from tests.web.browser.test_slips import SCORES, SHARP, by_hand
from tests.web.hub.house import PASSWORD
from tests.web.process import ROOT
from vision.capture.photo import encode_jpeg
from web.hub.made_up import made_up_results

__all__ = ["evening"]

PEOPLE = (
    "Anna", "Boris", "Chen", "Dora", "Emil", "Fatma", "Gita", "Hugo",
    "Ines", "Jaro", "Kemal", "Lena", "Mira", "Nils", "Olga", "Pavel",
    "Quinn", "Rosa", "Seo-yeon", "Tomas", "Uma", "Viktor", "Wanda", "Xaver",
    "Yuki", "Zoe", "Adam", "Berta", "Cyril", "Dunja", "Egon", "Frida",
)  # fmt: skip
TABLES = 8
LATE = "Gustav"  # comes in the place of Frida, who does not come


def tab(page: Page, name: str) -> None:
    """Go to another page of the event."""
    navigation = page.get_by_role("navigation", name="This event")
    navigation.get_by_role("link", name=name, exact=True).click()
    wait_until_drawn(page)


def uploads(field: Locator, name: str, kind: str, content: bytes) -> None:
    """Choose a file."""
    file: FilePayload = {"name": name, "mimeType": kind, "buffer": content}
    field.set_input_files(file)


def seats(page: Page) -> Mapping[int, list[str]]:
    """Who sits where, as the desk shows it."""
    return {
        int(card.locator(".table-number").inner_text()): card.locator(".seated")
        .inner_text()
        .split(", ")
        for card in page.locator(".table-card").all()
    }


def opened(evening: Evening, director: Page) -> str:
    """The first director makes an event of two stages, with its list of players."""
    director.goto(f"{evening.url}/set-up/{evening.hall.hub.keys.set_up}")
    director.get_by_label("Name").fill("Dana")
    director.get_by_label("Password").fill(PASSWORD)
    press(director, "Begin")
    follow(director, "New event")
    director.get_by_label("Title of the event").fill("Winter Open")
    director.get_by_label("Rounds in a meeting").fill("1")
    director.get_by_label("Games in a round").fill("1")
    director.get_by_label("Minutes of a round (0: no clock)").fill("40")
    director.get_by_text("Stages after a cut").click()
    stage = director.get_by_role("group", name="Stage 1")
    stage.get_by_label("Stage", exact=True).fill("Final")
    stage.get_by_label("How many reach it").fill("8")
    stage.get_by_label("Games in it").fill("3")
    stage.get_by_label("System").select_option(label="double knockout")
    press(director, "Create the event")
    listed = "\n".join(("name", *PEOPLE)).encode()
    uploads(director.get_by_label("File"), "entries.csv", "text/csv", listed)
    press(director, "Import the list")
    heading(director, "Entries: 32")
    return director.url.split("/e/")[1].split("/")[0]


def own_page(evening: Evening, event: str, name: str) -> str:
    """A player's link, as it is on their slip."""
    number = next(
        each.number
        for each in evening.hall.service.snapshot(event).state.entrants
        if each.name == name
    )
    return f"{evening.url}/p/{event}/{number}/{evening.hall.hub.keys.player(event, number, name)}"


def checks_in(evening: Evening, event: str, director: Page, phone: Page) -> None:
    """Anna by herself, 30 at the door; Frida is missing and left out, and Gustav comes late."""
    tab(director, "Check-in")
    press(director, "Let players check in by themselves")
    phone.goto(own_page(evening, event, "Anna"))
    press(phone, "I am here")
    expect(phone.get_by_role("button", name="I am here")).to_have_count(0)
    for name in PEOPLE[1:-1]:
        director.get_by_role("button", name=f"{name} is here", exact=True).click()
    expect(director.get_by_text("31 here, 1 missing.")).to_be_visible()
    press(director, "Leave out who hasn’t checked in")
    expect(director.get_by_role("alert")).to_contain_text("Frida")
    press(director, "Yes, continue")
    tab(director, "Entries")
    director.get_by_label("Name", exact=True).first.fill(LATE)
    press(director, "Add a player")


def draws(director: Page) -> None:
    """A proposal of which the director swaps two players before everybody sees it."""
    tab(director, "Desk")
    press(director, "Propose a draw")
    heading(director, "Proposed draw of round 1")
    wait_until_drawn(director)
    cards = [director.locator(f'[data-table="{number}"]') for number in (1, 2)]
    names = [card.get_by_role("checkbox").first for card in cards]
    moved = [card.locator("label.seat").first.inner_text().split("\n")[0] for card in cards]
    for each in names:
        each.check()
    press(director, "Swap")
    expect(cards[0]).to_contain_text(moved[1])
    expect(cards[1]).to_contain_text(moved[0])
    press(director, "Publish now")
    heading(director, "Round 1 is drawn")


def plays(evening: Evening, event: str, director: Page, phone: Page) -> None:
    """Round 1 by the clock: a slip's photo, a player's page, the desk; one tap signs for all."""
    press(director, "Start round 1")
    expect(director.locator(".time-left")).to_have_text("40:00")
    press(director, "Pause the clock")
    expect(director.get_by_text("paused")).to_be_visible()
    press(director, "5 more min")
    press(director, "Start the clock again")
    evening.hall.clock.pass_by(minutes=10)
    board = evening.device()
    board.goto(f"{evening.url}/e/{event}/board")
    expect(board.locator(".time-left")).to_have_text(re.compile(r"^3[45]:"))
    hears_the_time(evening, director, board)
    reads_slip(director)
    table = seats(director)
    phone.goto(own_page(evening, event, table[2][0]))
    phone.get_by_text("Enter the result of game 1").click()
    enters(phone, table[2], SCORES)
    for number in range(3, TABLES + 1):
        director.get_by_role("link", name=f"{number} Table {number}").click()
        heading(director, f"Table {number}, round 1")
        enters(director, table[number], (30 + number, -10, -10, -10 - number))
        tab(director, "Desk")
    tab(director, "Results")
    press(director, f"Sign for all: the slips are signed ({TABLES})")
    tab(director, "Desk")
    heading(director, "All results of round 1 are in")


def hears_the_time(evening: Evening, director: Page, board: Page) -> None:
    """The board tells the last five minutes and the end, once each; overtime counts up."""
    press(board, "Sound")
    expect(board.get_by_role("button", name="Sound")).to_have_attribute("aria-pressed", "true")
    told = board.locator("#time-call")
    expect(told).to_be_empty()
    evening.hall.clock.pass_by(minutes=31)
    press(director, "Pause the clock")
    expect(told).to_have_text("Five minutes left.")
    press(director, "Start the clock again")
    evening.hall.clock.pass_by(minutes=6)
    press(director, "Pause the clock")
    expect(told).to_have_text("Time is up.")
    expect(board.locator(".time-left")).to_have_text(re.compile(r"^\+[12]:"))


def reads_slip(director: Page) -> None:
    """The slip of table 1 is printed, filled in by hand, photographed, checked and saved."""
    sharp = director.context.browser
    assert sharp is not None
    page = sharp.new_context(
        viewport=TABLET,  # type: ignore[arg-type]  # a TypedDict
        device_scale_factor=SHARP,
        storage_state=director.context.storage_state(),
    ).new_page()
    page.goto(director.url)
    follow(page, "Result slips")
    wait_until_drawn(page)
    photo = encode_jpeg(by_hand(page.get_by_role("region", name="Table 1, round 1").screenshot()))
    page.goto(director.url)
    tab(page, "Results")
    follow(page, "Read slips")
    uploads(page.get_by_label("Or choose photos"), "slip.jpg", "image/jpeg", photo)
    press(page, "Read the slips")
    card = page.get_by_role("region", name="Table 1, round 1")
    for seat, score in enumerate(SCORES):
        card.get_by_role("textbox").nth(seat).fill(str(score))
    card.get_by_role("button", name="Save").click()
    expect(card).to_have_count(0)
    page.context.close()
    director.reload()


def enters(page: Page, players: list[str], scores: tuple[int, ...]) -> None:
    """Somebody writes a result down."""
    for player, score in zip(players, scores, strict=True):
        page.get_by_label(player, exact=True).first.fill(str(score))
    press(page, "Enter the result")
    expect(page.get_by_role("button", name="Enter the result", exact=True)).to_have_count(0)


def calls(evening: Evening, event: str, director: Page, phone: Page) -> None:
    """A message stands on the player's page at once, until it is tapped away."""
    phone.goto(own_page(evening, event, "Boris"))
    tab(director, "Messages")
    director.get_by_label("For").select_option(label="Boris")
    director.get_by_label("Message", exact=True).fill("Please come to the desk.")
    press(director, "Send")
    expect(phone.get_by_role("alert")).to_contain_text("Please come to the desk.")
    press(phone, "Seen")
    director.reload()
    expect(director.get_by_text("seen by 1 of 1")).to_be_visible()


def punishes(director: Page) -> None:
    """Dora loses five points, and everybody reads why."""
    tab(director, "Penalties")
    director.get_by_label("Player").first.select_option(label="Dora (4)")
    director.get_by_label("Penalty", exact=True).select_option(label="points off")
    director.get_by_label("Points off (only for that penalty)").fill("5")
    director.get_by_label("Why").first.fill("phone rang twice")
    press(director, "Give the penalty")
    tab(director, "Standings")
    expect(director.get_by_text("phone rang twice").first).to_be_visible()


def knockout(director: Page) -> None:
    """The best eight are cut into a double knockout, where no match waits for its round."""
    tab(director, "Desk")
    press(director, "Close round 1")
    heading(director, "Cut to Final")
    press(director, "Make the cut")
    press(director, "Draw round 2")
    heading(director, "Tables of Round 2: Final, Winners’ quarter-final")
    press(director, "Start round 2")
    for number, players in list(seats(director).items())[:2]:
        wins(director, number, players)
    tab(director, "Desk")
    heading(director, "Next matches")
    director.get_by_role("button", name="Call").first.click()
    heading(director, "Tables of Round 3: Final, Winners’ semi-final")
    tab(director, "Bracket")
    for half in ("Winners’ bracket", "Losers’ bracket", "Grand final"):
        heading(director, half)
    expect(director.get_by_role("img", name="Winners’ bracket")).to_contain_text("Winner of")


def wins(director: Page, number: int, players: list[str]) -> None:
    """The first of two wins a match."""
    director.get_by_role("link", name=f"{number} Table {number}").first.click()
    for game in (1, 2):
        heading(director, f"Enter game {game}")
        form = director.locator("#enter")
        for player, score in zip(players, (50, -50), strict=True):
            form.get_by_label(player, exact=True).fill(str(score))
        press(director, "Enter the result")
        press(director, "Sign for all: the slip is signed")
    expect(director.get_by_role("button", name=re.compile("^Sign for all"))).to_have_count(0)
    tab(director, "Desk")


def ends(evening: Evening, event: str, director: Page) -> None:
    """All other matches are played, and the final's standings stand in a section of their own."""
    chance = Random(28)
    while due_matches(state := evening.hall.service.snapshot(event).state) or open_tables(state):
        evening.hall.give(event, *made_up_results(state, chance))
        for each in due_matches(evening.hall.service.snapshot(event).state)[:1]:
            evening.hall.give(event, CallMatch(each.seats, each.table or TABLES + 1))
    tab(director, "Desk")
    press(director, "Finish the event")
    tab(director, "Standings")
    heading(director, "Final standings")
    final = director.get_by_role("group", name="Final")
    expect(final.locator("tbody tr")).to_have_count(8)
    expect(final.locator("tbody")).to_contain_text("never out, against out in round")


def open_tables(state: Tournament) -> bool:
    """Whether a match is being played."""
    return any(undecided_tables(state, each) for each in state.current_rounds)


@pytest.mark.slow
def test_a_directors_day(evening: Evening, tmp_path: Path) -> None:
    """From the door to the website; every step on a page, as a director and players take it."""
    director, phone = evening.device({"width": 1280, "height": 1000}), evening.device(PHONE)
    event = opened(evening, director)
    checks_in(evening, event, director, phone)
    draws(director)
    plays(evening, event, director, phone)
    calls(evening, event, director, phone)
    punishes(director)
    knockout(director)
    ends(evening, event, director)
    site, database = tmp_path / "site", f"sqlite:///{tmp_path}/hub.db"
    command = [sys.executable, "-m", "web", "publish", str(site), "--database", database]
    told = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert told.returncode == 0, told.stderr
    assert "phone rang twice" in (site / event / "standings.html").read_text("utf-8")
    assert "<svg" in (site / event / "bracket.html").read_text("utf-8")
