"""The page over https in a real Chromium: installed, kept awake, and without its table."""

from __future__ import annotations

import base64
import hashlib
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from cryptography import x509
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from playwright.sync_api import Browser, BrowserContext, Page, expect

from tests.patience import PATIENCE_MILLISECONDS
from tests.web.browser.accessibility import violations
from tests.web.browser.conftest import CHROMIUM, QUIET, TABLET, OpenPage, is_expected, listen
from tests.web.browser.hands import wait_until
from tests.web.process import RunningProcess, running

# what the page asks of the device's screen, and what plays instead where it cannot
WATCHED = """
window.asked = [];
const { request } = WakeLock.prototype;
WakeLock.prototype.request = function (kind) {
  asked.push(kind);
  return request.call(this, kind);
};
"""
WITHOUT_WAKE_LOCK = "delete Navigator.prototype.wakeLock;"
PLAYING = """
window.played = [];
const { play } = HTMLMediaElement.prototype;
HTMLMediaElement.prototype.play = function () {
  return play.call(this).then(() => played.push(this.currentSrc));
};
"""


@pytest.fixture
def secure(tmp_path: Path) -> Iterator[RunningProcess]:
    """A table that speaks https."""
    options = ("--https", "--camera", "upload", "--database", f"sqlite:///{tmp_path}/games.sqlite3")
    with running(*options, environment={"XDG_DATA_HOME": str(tmp_path)}) as table:
        yield table


@pytest.fixture
def device(browser: Browser, secure: RunningProcess, tmp_path: Path) -> Iterator[BrowserContext]:
    """A tablet that takes the table's certificate: Chromium installs nothing for a private window.

    It has no list of its own of whom to trust, so it is told the key; `test_worker` has OpenSSL
    judge the chain.
    """
    assert secure.port
    shown = (tmp_path / "tablescore" / "https" / "table.pem").read_bytes()
    key = x509.load_pem_x509_certificate(shown).public_key()
    written = key.public_bytes(Encoding.DER, PublicFormat.SubjectPublicKeyInfo)
    pin = base64.b64encode(hashlib.sha256(written).digest()).decode()
    context = browser.browser_type.launch_persistent_context(
        tmp_path / "device",
        executable_path=CHROMIUM,
        args=[*QUIET, f"--ignore-certificate-errors-spki-list={pin}"],
        viewport=TABLET,  # type: ignore[arg-type]  # a TypedDict
    )
    context.set_default_timeout(PATIENCE_MILLISECONDS)
    yield context
    context.close()


@pytest.fixture
def opened(device: BrowserContext, secure: RunningProcess) -> Iterator[Page]:
    """The table's page on it; a fault in its console fails the test."""
    page = device.new_page()
    faults: list[str] = []
    listen(page, faults)
    page.add_init_script(WATCHED)
    secure.open_in(page, secure.link.replace("http:", "https:"))
    yield page
    assert [fault for fault in faults if not is_expected(fault)] == []


def devtools(page: Page, method: str) -> Any:
    """What Chromium's own tools say of the page."""
    return page.context.new_cdp_session(page).send(method)


def test_it_can_be_installed(opened: Page) -> None:
    """Chromium finds nothing amiss with the manifest or its icons."""
    manifest = devtools(opened, "Page.getAppManifest")
    assert manifest["errors"] == []
    assert json.loads(manifest["data"])["name"] == "Tablescore"
    assert devtools(opened, "Page.getInstallabilityErrors")["installabilityErrors"] == []


def test_the_pages_of_https_are_accessible(opened: Page, secure: RunningProcess) -> None:
    """How a device trusts the table, for itself or as its camera, and what it shows without it."""
    for path in ("/certificate", "/certificate?to=camera", "/not-reached"):
        opened.goto(f"https://127.0.0.1:{secure.port}{path}")
        assert violations(opened) == [], path


def test_the_screen_stays_on_and_may_be_let_go(opened: Page) -> None:
    """It is asked for at once, and not again where this device was told not to."""
    assert opened.evaluate("asked") == ["screen"]
    opened.locator(".menu summary").click()
    switch = opened.get_by_role("button", name="Keep screen on")
    expect(switch).to_have_attribute("aria-pressed", "true")
    switch.click()
    expect(switch).to_have_attribute("aria-pressed", "false")
    opened.reload()
    opened.locator("main").click()
    assert opened.evaluate("asked") == []


def test_the_page_fills_the_screen_and_leaves_it(opened: Page) -> None:
    """Without the browser's bars a small tablet shows more of the sheet."""
    opened.locator(".menu summary").click()
    switch = opened.get_by_role("button", name="Full screen")
    for pressed in ("true", "false"):
        switch.click()
        expect(switch).to_have_attribute("aria-pressed", pressed)
        filled = opened.evaluate("document.fullscreenElement !== null")
        assert filled is (pressed == "true")


def test_a_table_that_is_away_is_said_to_be_and_found_again(
    opened: Page, secure: RunningProcess, tmp_path: Path
) -> None:
    """Not the browser's page of errors, and nothing of the game; the table comes back by itself."""
    opened.evaluate("navigator.serviceWorker.ready.then(() => true)")
    opened.reload()
    secure.kill()
    for path in ("/", "/games"):
        opened.goto(f"https://127.0.0.1:{secure.port}{path}")
        expect(opened.get_by_role("heading")).to_have_text("Table not reached")
        colour = opened.locator(".primary").evaluate("(each) => getComputedStyle(each).color")
        assert colour != "rgb(0, 0, 0)", "its style is there too"
    kept = opened.evaluate(
        "caches.keys().then((names) => Promise.all(names.map((name) => caches.open(name))))"
        ".then((all) => Promise.all(all.map((each) => each.keys())))"
        ".then((all) => all.flat().map(({ url }) => new URL(url).pathname))"
    )
    assert "/not-reached" in kept
    assert all(path == "/not-reached" or path.startswith("/static/") for path in kept)
    options = ("--https", "--camera", "upload", "--database", f"sqlite:///{tmp_path}/games.sqlite3")
    home = {"XDG_DATA_HOME": str(tmp_path)}
    with running(*options, "--port", str(secure.port), environment=home):
        expect(opened.get_by_role("heading", level=1)).to_have_text("Games")


def test_without_https_a_video_keeps_the_screen_on_once_it_is_asked_for(
    open_page: OpenPage,
) -> None:
    """Where the browser has no wake lock; the content policy lets the table's own video play."""
    hands = open_page("/about")
    hands.page.add_init_script(WITHOUT_WAKE_LOCK + PLAYING)
    hands.page.goto(hands.page.url.replace("/about", "/"))
    hands.page.locator("main").click()
    assert hands.page.evaluate("played") == []
    hands.page.locator(".menu summary").click()
    switch = hands.button("Keep screen on")
    switch.click()
    expect(switch).to_have_attribute("aria-pressed", "true")
    wait_until(hands.page, "played.length > 0")
    assert "/static/nosleep/nosleep." in hands.page.evaluate("played[0]")
    assert hands.page.evaluate("navigator.serviceWorker.getRegistrations()") == []
