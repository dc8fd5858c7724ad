"""Calibrating with finger, mouse and keyboard; and the light that tells how the table is seen."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from playwright.sync_api import Locator, expect

from scoreboard.message import message
from scoreboard.table.proposal import HEALTHY, Health, Light
from scoreboard.table.requests import HealthChanged, TableStatus, TableStatusChanged
from tests.vision.drawn_tray import CORNERS, Scene, furthest
from tests.web.browser.conftest import OpenPage
from tests.web.browser.hands import Hands
from tests.web.browser.served_table import ServedTable
from tests.web.table.camera.test_tray import DICE, confirmed
from web.table.camera.tray import ROLLS, FixedTray

NEAR = 0.02
DARK = message("It is too dark to read.")
GLARE = message("A patch of glare hides part of the table.")


@pytest.fixture
def tray(table: ServedTable, tmp_path: Path) -> FixedTray:
    """The table's tray, with a picture and no calibration."""
    made = FixedTray("webcam:0", tmp_path / "games.tray.toml")
    made.look_at(Scene().picture())
    table.stop()
    table.tray = made
    table.start()
    return made


def tap(hands: Hands, across: float, down: float, *, touch: bool = False) -> None:
    """Tap the picture at shares of its width and height."""
    picture = hands.page.locator("#tap-photo")
    expect(picture).to_be_visible()
    box = picture.bounding_box()
    assert box is not None
    place = {"x": across * box["width"], "y": down * box["height"]}
    if touch:
        picture.tap(position=place)  # type: ignore[arg-type]  # a TypedDict
    else:
        picture.click(position=place)  # type: ignore[arg-type]  # as above


def corner(hands: Hands, number: int) -> Locator:
    """The handle of that corner."""
    return hands.button(re.compile(f"^Corner {number};"))


@pytest.mark.parametrize("phone", [False, True], ids=["mouse", "finger"])
def test_four_taps_calibrate_the_tray(open_page: OpenPage, tray: FixedTray, *, phone: bool) -> None:
    """In any order; the preview is seen before it is kept, and the page says that it is."""
    hands = open_page("/calibrate", phone=phone)
    expect(hands.button("Keep these corners")).to_be_disabled()
    for count, place in enumerate((CORNERS.around[at] for at in (2, 0, 3, 1)), start=1):
        tap(hands, *place, touch=phone)
        expect(corner(hands, count)).to_be_visible()
    preview = hands.page.get_by_role("img", name="The tray from straight above")
    expect(preview).to_be_visible()
    hands.press("Keep these corners")
    hands.reads("The tray is calibrated")
    assert tray.outline is not None
    assert furthest(tray.outline, CORNERS) < NEAR


@pytest.mark.parametrize("phone", [False, True], ids=["mouse", "finger"])
def test_one_tap_takes_the_area_where_the_dice_lay(
    open_page: OpenPage, tray: FixedTray, *, phone: bool
) -> None:
    """From the table's own page; the next one says what is read now."""
    for _ in range(ROLLS):
        tray.note(confirmed(*DICE, asked=True))
    hands = open_page("/", phone=phone)
    hands.press("Only there")
    hands.reads("A play area is set")
    assert tray.kind == "area"


def test_a_corner_is_dragged_nudged_and_taken_back(open_page: OpenPage, tray: FixedTray) -> None:
    """Each change can be undone, one by one."""
    hands = open_page("/calibrate")
    for place in CORNERS.around:
        tap(hands, *place)
    fields = hands.page.locator("input[name=x]")
    first = fields.nth(0).input_value()
    handle = corner(hands, 1).bounding_box()
    assert handle is not None
    middle = (handle["x"] + 24, handle["y"] + 24)
    hands.page.mouse.move(*middle)
    hands.page.mouse.down()
    hands.page.mouse.move(middle[0] + 40, middle[1] + 10, steps=4)
    expect(hands.page.locator("#tap-loupe")).to_be_visible()
    hands.page.mouse.up()
    expect(hands.page.locator("#tap-loupe")).to_be_hidden()
    expect(fields.nth(0)).not_to_have_value(first)
    dragged = fields.nth(0).input_value()
    corner(hands, 1).press("ArrowRight")
    expect(fields.nth(0)).to_have_value(f"{float(dragged) + 0.25:.2f}")
    hands.press("Undo")
    expect(fields.nth(0)).to_have_value(dragged)
    hands.press("Undo")
    expect(fields.nth(0)).to_have_value(first)
    hands.press("Undo")
    expect(corner(hands, 4)).to_have_count(0)
    hands.reads("3 of 4 corners are set.")
    assert tray.outline is None


def test_the_keyboard_alone_will_do(open_page: OpenPage, tray: FixedTray) -> None:
    """Four corners are put down, moved with the arrow keys, and kept."""
    hands = open_page("/calibrate")
    hands.button("Place four corners, then drag").press("Enter")
    expect(corner(hands, 1)).to_be_focused()
    for key in ("ArrowRight", "Shift+ArrowDown"):
        corner(hands, 1).press(key)
    keep = hands.button("Keep these corners")
    expect(keep).to_be_enabled()
    hands.page.get_by_role("img", name="The tray from straight above").wait_for()
    keep.press("Enter")
    hands.reads("The tray is calibrated")
    assert tray.outline is not None
    assert tray.outline.around[0] == pytest.approx((0.1525, 0.17))


def test_a_bad_corner_is_explained_at_once(open_page: OpenPage, tray: FixedTray) -> None:
    """It cannot be kept until it is put right."""
    hands = open_page("/calibrate", phone=True)
    for place in ((0.2, 0.2), (0.8, 0.2), (0.8, 0.8), (0.6, 0.4)):
        tap(hands, *place, touch=True)
    hands.reads("One corner lies between the others")
    expect(hands.button("Keep these corners")).to_be_disabled()
    hands.press("Undo")
    tap(hands, 0.2, 0.8, touch=True)
    expect(hands.button("Keep these corners")).to_be_enabled()
    hands.reads_no("One corner lies between the others")
    assert tray.outline is None


@pytest.mark.parametrize("phone", [False, True], ids=["mouse", "finger"])
def test_a_play_area_is_tapped_around(open_page: OpenPage, tray: FixedTray, *, phone: bool) -> None:
    """Five taps; what lies outside is dimmed, and nothing is straightened."""
    hands = open_page("/calibrate", phone=phone)
    hands.page.get_by_label("A play area").check()
    for place in (*CORNERS.around[:2], (0.95, 0.5), *CORNERS.around[2:]):
        tap(hands, *place, touch=phone)
    expect(hands.page.locator("#tap-outside")).to_have_attribute("d", re.compile("^M0,0.*Z M"))
    expect(hands.page.locator("#tap-preview")).to_be_hidden()
    hands.press("Keep these corners")
    hands.reads("A play area is set")
    assert tray.kind == "area"
    assert tray.outline is not None
    assert len(tray.outline.around) == 5


def test_the_light_follows_the_table(
    open_page: OpenPage, table: ServedTable, tray: FixedTray
) -> None:
    """A word and a sentence for each light; nothing while the camera is gone."""
    assert tray.outline is None
    hands = open_page()
    hands.starts("North", "South")
    light = hands.page.get_by_role("region", name="How well the table is seen")
    table.post(TableStatusChanged(TableStatus.STILL))
    table.post(HealthChanged(HEALTHY))
    expect(light).to_contain_text("Camera OK")
    table.post(HealthChanged(Health(Light.AMBER, (GLARE,))))
    expect(light).to_contain_text("Please fix: A patch of glare")
    table.post(HealthChanged(Health(Light.RED, (DARK,))))
    expect(light).to_contain_text("Nothing is read now: It is too dark")
    expect(light).to_have_attribute("aria-live", "polite")
    table.post(TableStatusChanged(TableStatus.LOST, message("The camera was unplugged.")))
    hands.reads_no("It is too dark to read.")
    hands.follow("Tray or play area")
    hands.reads("Tap the tray’s four corners")
