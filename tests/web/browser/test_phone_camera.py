"""A phone as the camera in a real Chromium, whose own camera plays a film of the demo evening."""

from __future__ import annotations

import threading
import time
from contextlib import suppress
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from hardware.camera import CameraParts
from hardware.cameras.phone import PhoneCamera
from hardware.errors import CameraError
from scoreboard.table.requests import TableStatus, TableStatusChanged
from tests.patience import PATIENCE_SECONDS
from tests.scoreboard.tournament.client.fakes import wait_for
from tests.web.browser.accessibility import violations
from tests.web.browser.conftest import NAME, TABLET, Film, OpenPhone
from tests.web.browser.hands import Hands, wait_until
from tests.web.browser.served_table import ServedTable
from tests.web.browser.test_installed import WATCHED
from tests.web.process import running
from vision.capture.photo import open_photo
from web.shared.clocks import utc_now

TRACK = "document.getElementById('eye-video').srcObject.getTracks()[0]"


@pytest.fixture
def awaited(table: ServedTable) -> ServedTable:
    """A served table that waits for a phone; it reads nothing."""
    table.stop()
    table.phone = PhoneCamera(CameraParts(open_photo, utc_now))
    table.start()
    return table


def sees_a_new_frame(table: ServedTable) -> bool:
    """Whether the phone's next frame comes."""
    assert table.phone is not None
    done = threading.Event()
    threading.Timer(PATIENCE_SECONDS, done.set).start()
    while not done.is_set():
        with suppress(CameraError):
            capture = table.phone.capture()
            if capture is not None:
                return capture.image.shape == (480, 640, 3)
    return False


@pytest.mark.slow
def test_a_phones_film_is_read_across_a_cut_of_its_network(
    browser: Browser, open_phone: OpenPhone, film: Film, tmp_path: Path
) -> None:
    """Two rolls, the second after the cut; both devices name what is missing meanwhile."""
    database = f"sqlite:///{tmp_path}/games.sqlite3"
    home = {"XDG_DATA_HOME": str(tmp_path)}
    with running("--camera", "phone", "--database", database, environment=home) as table:
        context = browser.new_context(viewport=TABLET)  # type: ignore[arg-type]  # a TypedDict
        laptop = Hands(context.new_page())
        table.open_in(laptop.page)
        laptop.reads("Waiting for a phone camera")
        laptop.starts("Ann", "Bob")

        phone = open_phone(f"{table.link}camera")
        phone.press("Start the camera")
        phone.reads("I see 2 2 2 4 4")
        expect(phone.page.locator("#photo .frame > .boxes .seen")).to_have_count(5)
        laptop.reads_no("Waiting for a phone camera")
        phone.press("REROLL")
        phone.reads("Roll 2 of 3")

        phone.page.context.set_offline(offline=True)
        phone.reads("The table isn’t reached")
        laptop.reads("No more pictures come from the phone")
        film.show(0, 1)
        phone.page.context.set_offline(offline=False)
        phone.reads("I see 2 2 2 3 5")
        laptop.reads_no("No more pictures come from the phone")
        expect(phone.page.locator("#eye-words")).to_be_hidden()
        context.close()


def test_a_second_phone_asks_before_it_takes_over(
    open_phone: OpenPhone, awaited: ServedTable
) -> None:
    """Then the first one is told, and may take over in turn."""
    phones = [open_phone(f"{awaited.url}/camera") for _ in range(2)]
    first, second = phones
    first.press("Start the camera")
    assert sees_a_new_frame(awaited)
    for other, earlier in ((second, first), (first, second)):
        if other is second:
            other.press("Start the camera")
        other.reads("Another phone is the camera at the moment.")
        other.press("Use this phone instead")
        other.reads_no("Another phone")
        earlier.reads("Another phone")
        assert sees_a_new_frame(awaited)


def test_the_camera_goes_on_when_it_was_away(open_phone: OpenPhone, awaited: ServedTable) -> None:
    """The browser ended it, or the page was loaded again: no tap is needed. The screen stays on."""
    phone = open_phone(f"{awaited.url}/camera", WATCHED)
    phone.press("Start the camera")
    assert sees_a_new_frame(awaited)
    phone.page.evaluate(f"{TRACK}.stop()")
    wait_until(phone.page, f"{TRACK}.readyState === 'live'")
    assert sees_a_new_frame(awaited)
    phone.page.reload()
    expect(phone.page.locator("#eye-start")).to_be_hidden()
    assert sees_a_new_frame(awaited)
    assert phone.page.evaluate("asked") == ["screen"]


class SlowPhone(PhoneCamera):
    """A network over which each frame takes longer than is good."""

    def __init__(self) -> None:
        super().__init__(CameraParts(open_photo, utc_now), wait_seconds=PATIENCE_SECONDS)
        self.under_way = self.most_under_way = 0
        self.sizes: list[int] = []

    def put(self, photo: bytes, sender: str, exposed_at: float, *, take_over: bool = False) -> None:
        """Take the frame seven tenths of a second later."""
        self.under_way += 1
        self.most_under_way = max(self.most_under_way, self.under_way)
        self.sizes.append(len(photo))
        time.sleep(0.7)
        self.under_way -= 1
        super().put(photo, sender, exposed_at, take_over=take_over)


def test_over_a_slow_network_fewer_and_smaller_pictures_are_sent(
    open_phone: OpenPhone, table: ServedTable
) -> None:
    """One at a time, and none is so old that the table would not take it."""
    table.stop()
    table.phone = slow = SlowPhone()
    table.start()
    phone = open_phone(f"{table.url}/camera")
    phone.press("Start the camera")
    phone.reads("The network is slow")
    began = len(slow.sizes)
    with slow:
        assert slow.capture() is not None
    wait_for(lambda: len(slow.sizes) > began + 1 and max(slow.sizes[-2:]) < min(slow.sizes[:2]))
    assert slow.most_under_way == 1


def test_while_the_table_reads_pictures_keep_their_size(
    open_phone: OpenPhone, table: ServedTable
) -> None:
    """It is the reading that slows the answers, and it takes pictures of one size."""
    table.stop()
    table.phone = slow = SlowPhone()
    table.start()
    table.post(TableStatusChanged(TableStatus.READING))
    phone = open_phone(f"{table.url}/camera")
    expect(phone.page.locator(".sight-reading")).to_be_attached()
    phone.press("Start the camera")
    wait_for(lambda: len(slow.sizes) > 4)
    expect(phone.page.locator("#eye-words")).not_to_contain_text("The network is slow")
    table.post(TableStatusChanged(TableStatus.STILL))
    phone.reads("The network is slow")


def test_a_level_helps_where_the_phone_has_a_sensor(
    open_phone: OpenPhone, awaited: ServedTable
) -> None:
    """It is green while the phone is nearly level; a device without a sensor shows none."""
    phone = open_phone(f"{awaited.url}/camera")
    phone.press("Start the camera")
    level = phone.page.locator("#eye-level")
    expect(level).to_be_hidden()
    for beta, gamma, class_ in ((3, -4, "level"), (3, 40, "")):
        event = (
            f"new DeviceOrientationEvent('deviceorientation', {{ beta: {beta}, gamma: {gamma} }})"
        )
        phone.page.evaluate(f"dispatchEvent({event})")
        expect(level).to_be_visible()
        expect(level).to_have_attribute("class", class_)
    phone.reads("The phone is level when the dot is green.")


TOOLS = """
window.set = [];
const known = MediaStreamTrack.prototype.getCapabilities;
MediaStreamTrack.prototype.getCapabilities = function () {
  return { ...known.call(this), torch: true, zoom: { min: 1, max: 4, step: 0.5 } };
};
MediaStreamTrack.prototype.applyConstraints = async ({ advanced }) => set.push(advanced[0]);
"""


def test_light_and_zoom_are_there_where_the_camera_has_them(
    open_phone: OpenPhone, awaited: ServedTable
) -> None:
    """What was chosen is asked for again when the camera comes back."""
    without, phone = (open_phone(f"{awaited.url}/camera", script) for script in ("", TOOLS))
    for hands in (without, phone):
        hands.press("Start the camera")
        expect(hands.button("Help to aim")).to_have_attribute("aria-pressed", "true")
    expect(without.button("Phone light")).to_be_hidden()
    expect(without.page.get_by_label("Zoom")).to_be_hidden()
    phone.press("Phone light")
    phone.page.get_by_label("Zoom").fill("2.5")
    chosen = [{"torch": True}, {"zoom": 2.5}]
    assert phone.page.evaluate("set") == chosen
    phone.page.evaluate(f"{TRACK}.stop()")
    wait_until(phone.page, "set.length === 4")
    assert phone.page.evaluate("set") == 2 * chosen


def test_over_plain_http_the_page_says_why_it_has_no_camera(
    open_phone: OpenPhone, awaited: ServedTable
) -> None:
    """And leads to itself over https."""
    awaited.stop()
    awaited.names |= {NAME}
    awaited.start()
    address = awaited.url.replace("127.0.0.1", NAME)
    phone = open_phone(f"{address}/camera")
    phone.reads("Browsers give a page the camera only over https")
    expect(phone.button("Start the camera")).to_be_hidden()
    link = phone.page.get_by_role("link", name="Open it over https")
    assert link.get_attribute("href") == f"{address.replace('http:', 'https:')}/camera"


def test_the_page_is_accessible_before_and_while_the_camera_runs(
    open_phone: OpenPhone, awaited: ServedTable
) -> None:
    """In both schemes, upright and wide, with a reading over the camera's own picture."""
    phone = open_phone(f"{awaited.url}/camera", TOOLS)
    phone.starts("Ann", "Bob")
    assert violations(phone.page) == []
    phone.press("Start the camera")
    awaited.see("22244")
    phone.reads("I see 2 2 2 4 4")
    assert violations(phone.page) == []
