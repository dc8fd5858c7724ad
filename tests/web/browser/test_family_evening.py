"""The evening that a family wants to repeat: from the one command to the next game."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from itertools import product
from pathlib import Path

import cv2
import numpy as np
import pytest
from playwright.sync_api import Browser, BrowserContext, Locator, ViewportSize, expect

from tests.patience import PATIENCE_MILLISECONDS
from tests.web.browser.conftest import (
    TABLET,
    Film,
    OpenPhone,
    is_expected,
    listen,
)
from tests.web.browser.hands import Hands
from tests.web.process import RunningProcess, running
from tests.web.test_run import needs_network
from web.shared.addresses import network_addresses

FAMILY = ("Ann", "Ben", "Cem", "Dina")
AS_TYPED = ("Ann", "Bne", "Cem", "Dina")
SCREEN = {"width": 1920, "height": 1080}
SMEARED = (367, 200)  # a 5 in the first roll of the second turn, in pixels
# What everybody types in for each box; Ann's and Ben's first turns are played before.
ROLLS = {
    "twos": "22213",
    "aces": "11123",
    "threes": "33312",
    "fours": "44412",
    "fives": "55512",
    "sixes": "66612",
    "three-of-a-kind": "55512",
    "four-of-a-kind": "44441",
    "full-house": "33355",
    "small-straight": "12341",
    "large-straight": "12345",
    "yahtzee": "66666",
    "chance": "11123",
}
TAPS_OF_BROWSER = 3  # two past the warning of an unknown certificate, one to let it have the camera
MOST_TAPS = 5
TURNS_BY_HAND = 2
TRIES = 50  # what the camera sees meanwhile makes a form of before come too late
LUCKY = {"chance": "66655"}  # so that Ben wins
DOUBT = re.compile(r"^Is this a \d or a \d\?|^What does this die show\?")


def scanned(code: Locator) -> str:
    """What a phone reads in that square."""
    code.scroll_into_view_if_needed()
    image = cv2.imdecode(np.frombuffer(code.screenshot(), np.uint8), cv2.IMREAD_COLOR)
    assert image is not None
    return cv2.QRCodeDetector().detectAndDecode(image)[0]


@pytest.fixture
def open_device(browser: Browser) -> Iterator[Callable[..., Hands]]:
    """Opens a device of that size; no script fails, and nothing is asked of another machine."""
    faults: list[str] = []
    contexts: list[BrowserContext] = []

    def open_one(size: ViewportSize) -> Hands:
        contexts.append(browser.new_context(viewport=size))
        contexts[-1].set_default_timeout(PATIENCE_MILLISECONDS)
        page = contexts[-1].new_page()
        listen(page, faults)
        return Hands(page)

    yield open_one
    for context in contexts:
        context.close()
    assert [fault for fault in faults if not is_expected(fault)] == []


@needs_network
def test_an_evening_of_four_from_the_command_to_the_next_game(
    open_device: Callable[..., Hands], open_phone: OpenPhone, film: Film, tmp_path: Path
) -> None:
    """A tablet, a phone and a television; after the command, no terminal.

    The first reading comes after five taps and the names.
    """
    tablet, screen = open_device(TABLET), open_device(SCREEN)
    with running(environment={"XDG_DATA_HOME": str(tmp_path)}) as table:
        table.open_in(tablet.page)
        address = asks_a_phone_in(tablet, table)
        screen.page.goto(f"http://127.0.0.1:{table.port}/tv")
        phone = open_phone(address)
        everywhere = (tablet, phone, screen)
        phone.reads("2 2 2 4 4")
        tablet.reads("2 2 2 4 4")
        expect(tablet.page.locator(".phone-way")).to_have_count(0)
        assert tablet.taps + phone.taps + TAPS_OF_BROWSER <= MOST_TAPS
        assert phone.page.url == address.partition("#")[0]
        for hands in everywhere:
            hands.reads_turn("Ann", "Roll 1 of 3")

        rolls_twice_under_the_camera(tablet, phone, film)
        screen.reads_turn("Bne", "Roll 1 of 3")
        names_rightly(tablet)
        for hands in everywhere:
            hands.reads_turn("Ben", "Roll 1 of 3")
        tablet.throws("22213")
        phone.press("KEEP")
        phone.scores(6, "Twos")
        phone.reads_turn("Cem", "Roll 1 of 3")

        types_in(tablet, list(product(ROLLS, FAMILY))[TURNS_BY_HAND:-1])
        comes_too_late(tablet)
        tablet.throws("11123")
        phone.press("KEEP")
        phone.scores(8, "Chance")
        ends_and_goes_on(tablet, everywhere)


def asks_a_phone_in(tablet: Hands, table: RunningProcess) -> str:
    """From the demo to the code for the phone: two taps, and the names; what is in the code."""
    tablet.reads("Try it: press REROLL to roll again, or KEEP to stop here.")
    tablet.follow("Start my own game")
    for number, name in enumerate(AS_TYPED, 1):
        tablet.page.get_by_label(f"Player {number}", exact=True).fill(name)
    tablet.press("Yes, use my phone")
    tablet.reads("this is your own table")
    square = tablet.page.locator(".phone-way .square")
    address = scanned(square)
    assert address.startswith(f"https://{network_addresses()[0]}:{table.port}/camera#")
    tablet.page.wait_for_timeout(3000)  # the code is the same for all who read it meanwhile
    assert scanned(square) == address
    return address


def rolls_twice_under_the_camera(tablet: Hands, phone: Hands, film: Film) -> None:
    """Ann rolls again; a smeared die is asked about at the die; a step is taken back and done."""
    phone.press("REROLL")
    phone.reads_turn("Ann", "Roll 2 of 3")
    film.show(1, 0, smeared=SMEARED)
    tablet.reads("but I’m not sure. Check the dice first.")
    film.stop()  # a film begins again; dice on a table stay
    tablet.react_to(tablet.button(DOUBT))
    tablet.react_to(tablet.page.locator(":popover-open").get_by_label("It shows 5"))
    tablet.press("KEEP")
    phone.reads("Choose a box")
    film.clear()
    phone.scores(2, "Twos")
    tablet.reads_turn("Bne", "Roll 1 of 3")
    tablet.press("UNDO")
    phone.reads_turn("Ann", "Choose a box")
    phone.scores(2, "Twos")


def names_rightly(tablet: Hands) -> None:
    """A name that was mistyped is changed in the running game."""
    tablet.follow("Players")
    tablet.follow("Bne")
    tablet.tap(tablet.page.get_by_text("Change name, colour or photo"))
    tablet.page.get_by_label("Name", exact=True).fill("Ben")
    tablet.press("Save")
    tablet.reads("also known as")
    tablet.follow("Table")


def types_in(tablet: Hands, turns: Iterable[tuple[str, str]]) -> None:
    """Turns of one roll each, sent as a page sends them: tapping them all would take minutes."""
    table, seen = tablet.page.url.rstrip("/"), ""
    for box, name in turns:
        roll = LUCKY.get(box, ROLLS[box]) if name == "Ben" else ROLLS[box]
        for act in ({"offer": "roll", "filling": roll}, {"offer": f"score:{box}"}):
            for _ in range(TRIES):
                answer = tablet.page.request.post(
                    f"{table}/choose",
                    headers={"Origin": table, "Accept": "application/json"},
                    form={"seen": seen, **act},
                ).json()
                seen = f"{answer['run']}.{answer['version']}"
                if answer["verdict"] != "stale":
                    break
            assert answer["verdict"] == "done", answer


def comes_too_late(tablet: Hands) -> None:
    """Who comes after the first turns is told why they wait for the next game."""
    tablet.follow("A player is joining")
    tablet.page.get_by_label("Name", exact=True).fill("Eva")
    tablet.press("Join the game")
    tablet.reads("You can join in the first round, but not after the roll for who starts.")
    expect(tablet.page.get_by_label("Name", exact=True)).to_have_value("Eva")
    tablet.follow("Cancel")


def ends_and_goes_on(tablet: Hands, everywhere: tuple[Hands, ...]) -> None:
    """The winner is named on every screen and on the evening's page; the next game starts."""
    tablet.reads(re.compile(r"^Ben wins by \d+!$"))
    places = tablet.page.get_by_role("region", name="Final ranking").get_by_role("listitem")
    first, second = (int(place.split()[-1]) for place in places.all_inner_texts()[:2])
    for hands in everywhere:
        hands.reads(f"Ben wins by {first - second}!")
        hands.reads("Ann’s Yahtzee: 50 points")
    screen = everywhere[-1].page
    steps = screen.get_by_role("region", name="Final ranking").get_by_role("listitem").all()
    middle, left, right = (step.bounding_box()["x"] for step in steps[:3])  # type: ignore[index]
    assert left < middle < right
    tablet.press("Play again")
    for hands in everywhere:
        hands.reads_turn("Ann", "Roll 1 of 3")
    tablet.follow("The evening")
    expect(tablet.page.get_by_role("heading", level=1)).to_contain_text("Ben")
