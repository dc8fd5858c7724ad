"""Setting the camera up with mouse, finger and keyboard, and without scripts."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import numpy as np
import pytest
from playwright.sync_api import expect

from tests.vision.fake_table import KnowingRecogniser, Table, die
from tests.web.browser.accessibility import violations
from tests.web.browser.conftest import OpenPage
from tests.web.browser.hands import wait_until_drawn
from tests.web.browser.served_table import ServedTable
from tests.web.browser.test_readings import wait_until
from tests.web.table.camera.test_camera_page import SettableCamera
from vision.capture.frame import Frame
from vision.watch.pipeline import Pictures
from web.shared.settings import CameraSettings
from web.table.camera.camera_page import CameraDesk
from web.table.camera.camera_setup import CameraSetup

NOW = datetime(2026, 11, 25, 12, tzinfo=UTC)


@pytest.fixture
def setup(table: ServedTable, tmp_path: Path) -> CameraSetup:
    """A webcam over two dice, at a table that is served."""
    made = CameraSetup(CameraSettings("webcam:0"), tmp_path / "games.camera.toml")
    reader = KnowingRecogniser((die("4", 100, 100), die("2", 300, 200)))
    table.stop()
    table.camera = CameraDesk(SettableCamera(), made, lambda: reader)
    table.frames = Pictures()
    table.frames.show(Frame(1, NOW, Table().picture()))
    table.start()
    return made


@pytest.mark.parametrize("phone", [False, True], ids=["tablet", "phone"])
def test_a_slider_sets_the_camera_at_once(
    open_page: OpenPage, setup: CameraSetup, *, phone: bool
) -> None:
    """By the arrow keys, too; its automatic ends, and the page stays where it is."""
    hands = open_page("/camera-setup", phone=phone)
    hands.page.get_by_text("Settings of this camera").click()
    focus = hands.page.get_by_role("slider", name="Focus")
    focus.focus()
    for _ in range(3):
        hands.page.keyboard.press("ArrowRight")
    expect(hands.page.locator("#camera-saved")).to_have_text("Saved.")
    expect(focus).to_be_focused()
    automatic = hands.page.get_by_role("group", name="Focus").get_by_role("checkbox")
    expect(automatic).not_to_be_checked()
    expect(hands.page.locator("output").first).to_have_text("15")
    wait_until(hands, lambda: setup.controls().focus == 15)
    assert setup.controls().exposure == "auto"


def test_picture_and_figures_follow_the_camera(
    open_page: OpenPage, table: ServedTable, setup: CameraSetup
) -> None:
    """Whoever aims a camera looks at the page meanwhile."""
    hands = open_page("/camera-setup")
    hands.page.get_by_text("Details", exact=True).click()
    brightness = hands.page.get_by_role("row", name="Brightness")
    expect(brightness).to_contain_text("≥ 95")
    table.frames.show(Frame(2, NOW, np.full((480, 640, 3), 20, np.uint8)))
    expect(brightness).to_contain_text("20")
    source = hands.page.locator("#camera-now").get_attribute("src")
    expect(hands.page.locator("#camera-now")).not_to_have_attribute("src", str(source))
    assert setup.controls() == CameraSettings("webcam:0")


@pytest.mark.usefixtures("setup")
def test_it_suits_everybody(open_page: OpenPage) -> None:
    """axe-core finds nothing, in light and dark, on a tablet and a phone; nothing sticks out."""
    hands = open_page("/camera-setup", phone=True)
    hands.button("Read them now").click()
    hands.reads("Read: 2 4")
    wait_until_drawn(hands.page)
    widths = hands.page.evaluate("[document.documentElement.scrollWidth, innerWidth]")
    assert widths[0] <= widths[1]
    assert violations(hands.page) == []
