"""A slip is printed, filled in by hand, photographed with a phone, checked and entered."""

from __future__ import annotations

from contextlib import closing
from typing import Final

import cv2
import numpy as np
from playwright.sync_api import Browser, expect

from scoreboard.tournament.model.entrant import Entrant
from scoreboard.tournament.model.entries import Enter
from scoreboard.tournament.model.rounds import DrawRound, StartRound
from tests.patience import PATIENCE_MILLISECONDS
from tests.scoreboard.tournament.storage.temporary import temporary_store
from tests.vision.read.slip_photos import FINE, Writer, font_hand, photographed
from tests.web.browser.accessibility import violations
from tests.web.browser.conftest import PHONE
from tests.web.browser.hands import wait_until_drawn
from tests.web.browser.test_hub_evening import Evening, evening
from tests.web.browser.test_hub_languages import NAMES
from tests.web.browser.test_languages import SPILLING
from tests.web.hub.prepared_event import PASSWORD, prepare, served
from vision.capture.frame import Image
from vision.capture.photo import encode_jpeg
from vision.read.slip_layout import SlipLayout

__all__ = ["evening"]  # a fixture

SCORES = (-12, 57, -40, -5)
LAYOUT = SlipLayout(2, 4, "S")
PADDING = 2.0  # millimetres around a slip's outline, as hub.css has it
SHARP = 3


LONG: Final = (
    "Mohammed Hammam", "Emma Warmwasser", "Maria Fernanda da Conceição Oliveira", "W" * 60,
    "Wolfeschlegelsteinhausenbergerdorff", "김" * 30, "Anna Berg", "Jan " * 14 + "Jan",
)  # fmt: skip
CUT: Final = """
() => [...document.querySelectorAll(".slip-name")].filter(
  it => it.scrollHeight > it.clientHeight || it.scrollWidth > it.clientWidth
).map(it => it.textContent)
"""


def by_hand(shot: bytes) -> Image:
    """The printed slip with somebody's scores of its first game, as a phone takes it."""
    printed = cv2.imdecode(np.frombuffer(shot, np.uint8), cv2.IMREAD_COLOR)
    assert printed is not None
    chance = np.random.default_rng(3)
    scale = 96 * SHARP / 25.4
    writer = Writer(font_hand(chance), chance, scale=scale, crossed_out=0)
    page = np.asarray(printed, np.uint8)
    for seat, score in enumerate((*SCORES, 0)):
        boxes = LAYOUT.boxes(0, seat)
        writer.fill_in(page, [(box.x + PADDING, box.y + PADDING) for box in boxes], score)
    size = [round(side * FINE / scale) for side in page.shape[1::-1]]
    finer = np.asarray(cv2.resize(page, size, interpolation=cv2.INTER_CUBIC), np.uint8)
    return photographed(finer, 2000, chance)


def test_a_slip_from_paper_to_result(browser: Browser) -> None:
    """On a phone; the referee types what is in doubt, and the result's page keeps the photo."""
    with closing(temporary_store()) as store:
        event = prepare(store, NAMES).event
        with served(store) as address:
            page = browser.new_page(viewport=PHONE, device_scale_factor=SHARP)  # type: ignore[arg-type]  # a TypedDict
            page.set_default_timeout(PATIENCE_MILLISECONDS)
            page.goto(f"{address}/sign-in")
            page.get_by_label("Name").fill("Director")
            page.get_by_label("Password").fill(PASSWORD)
            page.get_by_role("button", name="Sign in").click()
            page.goto(f"{address}/e/{event}/results")
            page.get_by_role("link", name="Print result slips").click()
            wait_until_drawn(page)
            assert violations(page) == []
            slip = page.get_by_role("region", name="Table 4, round 2")
            photo = encode_jpeg(by_hand(slip.screenshot()))
            page.goto(f"{address}/e/{event}/results")
            page.get_by_role("link", name="Read slips").click()
            file = {"name": "slip.jpg", "mimeType": "image/jpeg", "buffer": photo}
            page.get_by_label("Take a photo").set_input_files(file)  # type: ignore[arg-type]  # a TypedDict
            card = page.get_by_role("region", name="Table 4, round 2")
            expect(card).to_be_visible()
            wait_until_drawn(page)
            assert violations(page) == []
            fields = card.get_by_role("textbox")
            right = 0
            for seat, score in enumerate(SCORES):
                field = fields.nth(seat)
                right += field.input_value() == str(score)
                field.fill(str(score))
            assert right >= len(SCORES) - 1
            for seat in range(len(SCORES), 2 * len(SCORES)):
                expect(fields.nth(seat)).to_have_value("")
            card.get_by_role("button", name="Save").click()
            expect(card).to_have_count(0)
            page.goto(f"{address}/e/{event}/rounds/2/tables/4")
            wait_until_drawn(page)
            expect(page.get_by_role("heading", name="Photo of the slip")).to_be_visible()
            expect(page.get_by_role("img", name="The slip of table 4")).to_be_visible()
            expect(page.get_by_role("cell", name="57", exact=True).first).to_be_visible()
            page.close()


def test_long_names_fit_on_every_page(evening: Evening) -> None:
    """On a slip they are whole, as siblings must not look alike; on a phone nothing sticks out."""
    event = evening.hall.event(entrants=0)
    entrants = (Entrant(number, name) for number, name in enumerate(LONG, start=1))
    evening.hall.give(event, *map(Enter, entrants), DrawRound(1), StartRound())
    page = evening.directors_phone()
    page.goto(f"{evening.url}/e/{event}/sheets/slips")
    wait_until_drawn(page)
    assert set(page.locator(".slip-name").all_inner_texts()) == set(LONG)
    assert page.evaluate(CUT) == []
    own = f"/p/{event}/4/{evening.hall.hub.keys.player(event, 4, LONG[3])}"
    places = ("desk", "board", "sheets/seating", "rounds/1/tables/1", "table/1", "entries/4")
    for place in (own, *(f"/e/{event}/{each}" for each in places)):
        page.goto(f"{evening.url}{place}")
        wait_until_drawn(page)
        assert page.evaluate(SPILLING) == []
