"""An evening of eight players and two rounds, led by hand on the hub's pages in a real browser."""

from __future__ import annotations

import re
import threading
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

from scoreboard.tournament.model.disputes import AwardPenalty
from scoreboard.tournament.model.formats import FORMATS
from scoreboard.tournament.model.rounds import CloseRound, DrawRound, StartRound
from scoreboard.tournament.storage.hub_store import open_hub_store
from tests.patience import PATIENCE_MILLISECONDS
from tests.web.browser.accessibility import violations
from tests.web.browser.conftest import PHONE, TABLET, is_expected, listen
from tests.web.hub.house import NAMES, PASSWORD, Hall
from tests.web.serving import server_of

BOARD = {"width": 1920, "height": 1080}
SECOND_PRESS_MILLISECONDS = 350  # of an unsteady hand


@dataclass
class Evening:
    """A served hub, and the devices that look at it."""

    browser: Browser
    hall: Hall
    url: str
    contexts: list[BrowserContext] = field(default_factory=list)
    faults: list[str] = field(default_factory=list)

    def device(self, size: dict[str, int] = TABLET, *, scripts: bool = True) -> Page:
        """A device of its own; a fault in its console fails the test."""
        context = self.browser.new_context(
            viewport=size,  # type: ignore[arg-type]  # a TypedDict
            has_touch=size is PHONE,
            java_script_enabled=scripts,
        )
        context.set_default_timeout(PATIENCE_MILLISECONDS)
        self.contexts.append(context)
        page = context.new_page()
        listen(page, self.faults)
        return page

    def directors_phone(self) -> Page:
        """One that is signed in."""
        self.hall.account("Dana", "director")
        page = self.device(PHONE)
        page.goto(f"{self.url}/sign-in")
        page.get_by_label("Name").fill("Dana")
        page.get_by_label("Password").fill(PASSWORD)
        press(page, "Sign in")
        return page


@pytest.fixture
def evening(browser: Browser, tmp_path: Path) -> Iterator[Evening]:
    """A hub on a free port of this machine."""
    hall = Hall(viewer_limit=50, store=open_hub_store(f"sqlite:///{tmp_path}/hub.db"))
    server = server_of(hall.app)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    made = Evening(browser, hall, f"http://127.0.0.1:{server.server_port}")
    yield made
    for context in made.contexts:
        context.close()
    hall.store.change_feed.close()
    server.shutdown()
    thread.join()
    server.server_close()
    hall.store.close()
    assert [fault for fault in made.faults if not is_expected(fault)] == []


def press(page: Page, name: str) -> None:
    """Press the button of that name."""
    page.get_by_role("button", name=name, exact=True).click()


def follow(page: Page, name: str) -> None:
    """Follow the link of that name."""
    page.get_by_role("link", name=name, exact=True).click()


def heading(page: Page, words: str) -> None:
    """Wait for the page with this heading."""
    expect(page.get_by_role("heading", name=words, exact=True).first).to_be_visible()


def begin(evening: Evening, director: Page) -> None:
    """The first start: the set-up link, the password, and a new event of two rounds."""
    director.goto(f"{evening.url}/set-up/{evening.hall.hub.keys.set_up}")
    director.get_by_label("Name").fill("Dana")
    director.get_by_label("Password").fill(PASSWORD)
    press(director, "Begin")
    heading(director, "New event")
    director.get_by_label("Title of the event").fill("Friday evening")
    director.get_by_label("Rounds", exact=True).fill("2")
    director.get_by_label("Games in a round").fill("1")
    press(director, "Create the event")


def enter_all(director: Page) -> None:
    """Everybody by hand; the name's field waits for the next one."""
    for count, name in enumerate(NAMES, start=1):
        director.get_by_label("Name", exact=True).first.fill(name)
        press(director, "Add a player")
        heading(director, f"Players: {count}")
    follow(director, "Go to the desk")


def enter_results(director: Page, number: int) -> None:
    """The result of each table: the first seat wins more at table 1."""
    for table, win in ((1, 60), (2, 30)):
        director.get_by_role("link", name=f"{table} Table {table}").click()
        heading(director, f"Table {table}, round {number}")
        fields = director.locator(".result-row").get_by_role("textbox")
        for place, score in enumerate((win, -win // 2, -win // 3, -win // 6)):
            fields.nth(place).fill(str(score))
        press(director, "Enter the result")
        follow(director, "Go to the desk")


def play_round(director: Page, number: int) -> None:
    """From the draw to the closed round."""
    press(director, f"Draw round {number}")
    heading(director, f"Let everybody find their seat, then start round {number}.")
    press(director, f"Start round {number}")
    enter_results(director, number)
    heading(director, f"All results of round {number} are in: close it.")
    press(director, f"Close round {number}")


def test_a_director_leads_an_evening_while_the_board_follows(evening: Evening) -> None:
    """From the set-up link to the final standings; the board needs no touch."""
    director, board = evening.device(), evening.device(BOARD)
    begin(evening, director)
    enter_all(director)
    follow(director, "Board")
    board.goto(director.url)
    expect(board.get_by_text("Players: 8", exact=True)).to_be_visible()
    director.go_back()
    play_round(director, 1)
    expect(board.get_by_text("Round 1 is over.")).to_be_visible()
    play_round(director, 2)
    press(director, "Finish the event")
    heading(director, "The event is over: the standings are final.")
    expect(board.get_by_role("heading", name="Final standings")).to_be_visible()
    director.get_by_role("navigation").get_by_role("link", name="Standings").click()
    heading(director, "Final standings")
    expect(director.locator("tbody tr")).to_have_count(8)
    expect(director.get_by_text("stands above").first).to_be_visible()


def test_a_second_press_does_not_reach_the_next_button(evening: Evening) -> None:
    """Draw, and at once the same spot again, where Start is now: the round is only drawn."""
    director = evening.device()
    begin(evening, director)
    enter_all(director)
    box = director.get_by_role("button", name="Draw round 1", exact=True).bounding_box()
    assert box is not None
    director.clock.pause_at(director.evaluate("Date.now() / 1000 + 1"))  # however slow we are
    press(director, "Draw round 1")
    heading(director, "Let everybody find their seat, then start round 1.")
    director.mouse.click(box["x"] + 20, box["y"] + box["height"] / 2)
    director.clock.resume()
    director.reload()
    heading(director, "Let everybody find their seat, then start round 1.")
    press(director, "Start round 1")
    heading(director, "Round 1 is under way; tables done: 0 of 2.")


def test_two_presses_a_moment_apart_do_one_thing(evening: Evening) -> None:
    """On the desk's large button, also where somebody else's press has just changed it."""
    director, event = evening.directors_phone(), evening.hall.event()
    desk = f"{evening.url}/e/{event}/desk"
    director.goto(desk)
    box = director.get_by_role("button", name="Draw round 1", exact=True).bounding_box()
    assert box is not None
    spot = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    expect(director.locator(".settling")).to_have_count(0)
    with director.expect_response(re.compile("/rounds/draw$")):
        director.mouse.click(*spot)
        director.wait_for_timeout(SECOND_PRESS_MILLISECONDS)
        director.mouse.click(*spot)
    director.wait_for_timeout(SECOND_PRESS_MILLISECONDS)
    director.goto(desk)  # where nothing is painted yet, the second press may meet any link
    heading(director, "Let everybody find their seat, then start round 1.")
    assert evening.hall.last_round(event).phase == "drawn"
    expect(director.locator(".settling")).to_have_count(0)
    director.clock.pause_at(director.evaluate("Date.now() / 1000 + 1"))
    evening.hall.give(event, StartRound(), *evening.hall.results(event))
    evening.hall.give(event, *evening.hall.results(event, game=2))
    close = director.get_by_role("button", name="Close round 1", exact=True)
    expect(close).to_be_visible()
    director.mouse.click(*spot)
    close.press("Enter")
    assert evening.hall.last_round(event).phase == "running"
    director.clock.run_for(1000)
    press(director, "Close round 1")
    heading(director, "Draw round 2; players present: 8.")


def test_the_points_are_seen_on_a_phone(evening: Evening) -> None:
    """With every tie-break of a Swiss, long reasons and a penalty: nothing has to be scrolled."""
    hall, phone = evening.hall, evening.device(PHONE)
    event = hall.started(replace(FORMATS["yahtzee-duel-swiss"], games=1))
    hall.give(event, *hall.results(event, (250, 200)), CloseRound())
    penalty = AwardPenalty(1, "points", "1", by="Dana", at=hall.clock(), why="phone rang twice")
    hall.give(event, penalty)
    phone.goto(f"{evening.url}/e/{event}/standings")
    expect(phone.get_by_text("points off (1)")).to_be_visible()
    for cell in phone.locator("tr > :nth-child(3)").all():
        box = cell.bounding_box()
        assert box is not None
        assert box["x"] + box["width"] <= PHONE["width"]
    assert phone.locator(".scrolled").evaluate("it => it.scrollWidth <= it.clientWidth")


def test_a_player_signs_on_a_phone_and_the_desk_sees_a_dispute(evening: Evening) -> None:
    """The own link, one press; the desk shows the problem first, without being touched."""
    director, phone = evening.device(), evening.device(PHONE)
    begin(evening, director)
    enter_all(director)
    press(director, "Draw round 1")
    press(director, "Start round 1")
    enter_results(director, 1)
    look = evening.hall.service.tournaments()[0]
    played = look.state.rounds[0]
    for place, act, told in (
        (0, "Sign: the result is right", "signed by 1 of 4"),
        (1, "Call the referee", "disagrees: “I had less”"),
    ):
        number = played.draw.tables[1].seats[place]
        phone.goto(evening.url + evening.hall.own_page(look.header.tournament_id, number))
        if place:
            phone.get_by_text("That is wrong").tap()
            phone.get_by_label("Why", exact=True).fill("I had less")
        phone.get_by_role("button", name=act).tap()
        expect(phone.get_by_text(told)).to_be_visible()
    expect(director.locator(".table-card").first).to_contain_text("disputed")
    director.locator(".table-card a").first.click()
    director.get_by_label("Why", exact=True).first.fill("looked at the racks")
    press(director, "Settle the result")
    expect(director.locator(".mark.good", has_text="settled").first).to_be_visible()


def call(director: Page, match: str) -> int:
    """Press the call of the next match of that name; the table that was named for it."""
    item = director.get_by_role("listitem").filter(has_text=match).first
    table = int(item.get_by_label("at table").input_value())
    item.get_by_role("button", name="Call ").click()
    return table


def test_an_event_of_twelve_is_a_press_and_typing(evening: Evening) -> None:
    """One answer, then the title, then name after name: Enter, and the field waits for the next."""
    director = evening.directors_phone()
    director.goto(f"{evening.url}/new")
    press(director, "Yahtzee")
    expect(director.get_by_label("Title of the event")).to_be_focused()
    director.keyboard.type("Dice on Friday")
    director.keyboard.press("Enter")
    for entered, name in enumerate((*NAMES, "Zed One", "Zed Two", "Zed Three", "Zed Four")):
        heading(director, f"Players: {entered}")
        expect(director.get_by_label("Name")).to_be_focused()
        director.keyboard.type(name)
        director.keyboard.press("Enter")
    heading(director, "Players: 12")
    (made,) = evening.hall.service.tournaments()
    assert (made.state.title, made.state.format.game) == ("Dice on Friday", "yahtzee")


def test_the_board_calls_the_time_and_a_message_reaches_a_phone(evening: Evening) -> None:
    """The last five minutes and the end are called, overtime counts up; nobody reloads a page."""
    hall, director, board, phone = (
        evening.hall,
        evening.directors_phone(),
        evening.device(BOARD),
        evening.device(PHONE),
    )
    event = hall.event(replace(FORMATS["club-evening"], round_minutes=40))
    hall.give(event, DrawRound(1))
    director.goto(f"{evening.url}/e/{event}/desk")
    press(director, "Start round 1")
    expect(director.locator(".time-left")).to_have_text("40:00")
    board.goto(f"{evening.url}/e/{event}/board")
    press(board, "Sound")
    called = board.locator("#time-call")
    expect(called).to_be_empty()
    for minutes, words in ((36, "Five minutes left."), (6, "Time is up.")):
        hall.clock.pass_by(minutes=minutes)
        press(director, "Pause the clock")
        expect(director.get_by_text("paused")).to_be_visible()
        expect(called).to_have_text(words)
        press(director, "Start the clock again")
    expect(board.locator(".time-left")).to_have_text(re.compile(r"^\+[12]:"))
    phone.goto(f"{evening.url}{hall.own_page(event, 2)}")
    hall.store.messages.send(event, "player 2", "Please come to the desk.", hall.clock(), "Dana")
    expect(phone.get_by_role("alert")).to_contain_text("Please come to the desk.")
    press(phone, "Seen")
    expect(phone.get_by_role("alert")).to_have_count(0)


SELECTED = """(text) => {
  const texts = [...document.querySelectorAll("svg text")];
  const found = texts.find((each) => each.textContent === text);
  getSelection().selectAllChildren(found);
  return String(getSelection());
}"""
ACROSS = "() => document.documentElement.scrollWidth - innerWidth"


def test_a_bracket_is_read_by_eye_by_ear_and_on_paper(evening: Evening) -> None:
    """Drawn with text to select, told as a list, own way marked, within a phone's width."""
    hall = evening.hall
    event = hall.started(replace(FORMATS["double-knockout"], games=1))
    seat = hall.seats(event)[0]
    hall.give(event, *hall.results(event), CloseRound(), DrawRound(2), StartRound())
    screen, phone = evening.device(), evening.device(PHONE)
    screen.goto(f"{evening.url}/e/{event}/")
    screen.get_by_role("navigation").get_by_role("link", name="Bracket").click()
    expect(screen.get_by_role("img", name="Losers’ bracket")).to_be_visible()
    name = NAMES[seat - 1]
    assert screen.evaluate(SELECTED, name) == name
    screen.get_by_text("As a list").last.click()
    expect(screen.get_by_text("Winner of Losers’ final").last).to_be_visible()
    assert violations(screen) == []
    assert screen.evaluate(ACROSS) <= 0
    phone.goto(f"{evening.url}{hall.own_page(event, seat)}")
    expect(phone.locator(".own-name").first).to_be_visible()
    for path in ("sheets/bracket", "board", "wall_chart", "standings", f"players/{seat}"):
        phone.goto(f"{evening.url}/e/{event}/{path}")
        assert violations(phone) == [], path
        assert phone.evaluate(ACROSS) <= 0, path
