"""A real Chromium and a real table for each test; without Chromium nothing runs at all."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import cv2
import numpy as np
import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect, sync_playwright

from hardware.cameras.demo import demo_pictures
from tests.patience import PATIENCE_MILLISECONDS
from tests.web.browser.hands import Hands
from tests.web.browser.served_table import ServedTable
from vision.capture.frame import Image
from web.shared.addresses import network_addresses

# The headless shell first: the same engine without the browser's own windows, two fifths cheaper
SHELLS = ("chromium-headless-shell", "chromium", "chromium-browser")
CHROMIUM = next(filter(None, map(shutil.which, SHELLS)), None)
QUIET = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
)
TABLET = {"width": 1280, "height": 800}
PHONE = {"width": 390, "height": 844}

EVENING = Path(str(demo_pictures()))
FRAMES = 60  # of a film, at ten a second; then it begins again
NAME = "table.example"  # stands for an address on the network: the browser trusts it less

DIE, SMEAR = 45, (31, 1)  # pixels: half of a die with what is around it, and how far it runs
HERE = ("127.0.0.1", *network_addresses())
OURS = ("data:", "blob:", *(f"{scheme}://{at}:" for scheme in ("http", "https") for at in HERE))

OpenPage = Callable[..., Hands]
OpenPhone = Callable[..., Hands]


def pytest_collection_modifyitems() -> None:
    """Stop before the first test where there is no browser: these tests are never skipped."""
    if CHROMIUM is None:
        pytest.exit(
            "The browser tests need Chromium: install Debian's package `chromium-headless-shell`.",
            returncode=2,
        )


@pytest.fixture(scope="package")
def browser() -> Iterator[Browser]:
    """Debian's Chromium, without anything that it does in the background.

    Playwright keeps an event loop running in this thread as long as it is open, and no other can
    be started meanwhile: it ends with this package's tests, whatever test comes next.
    """
    with sync_playwright() as playwright:
        expect.set_options(timeout=PATIENCE_MILLISECONDS)
        chromium = playwright.chromium.launch(executable_path=CHROMIUM, args=list(QUIET))
        yield chromium
        chromium.close()


@pytest.fixture
def table() -> Iterator[ServedTable]:
    """A table that is played by hand, with a session, a store in memory and a page."""
    served = ServedTable()
    served.start()
    yield served
    served.stop()


@pytest.fixture
def open_page(browser: Browser, table: ServedTable) -> Iterator[OpenPage]:
    """Opens the table's page on a device of its own; a fault in its console fails the test.

    It is at the table's own machine, or at another `address`.
    """
    contexts: list[BrowserContext] = []
    faults: list[str] = []

    def open_one(
        path: str = "/", *, phone: bool = False, scripts: bool = True, address: str | None = None
    ) -> Hands:
        context = browser.new_context(
            viewport=PHONE if phone else TABLET,  # type: ignore[arg-type]  # a TypedDict
            has_touch=phone,
            java_script_enabled=scripts,
            accept_downloads=True,
            extra_http_headers={"X-Test-Address": address} if address else None,
        )
        context.set_default_timeout(PATIENCE_MILLISECONDS)
        contexts.append(context)
        page = context.new_page()
        listen(page, faults)
        page.goto(table.url + path)
        return Hands(page, touch=phone)

    yield open_one
    for context in contexts:
        context.close()
    assert [fault for fault in faults if not is_expected(fault)] == []


class Film:
    """What a phone's camera sees: over and over, dice are rolled and come to rest."""

    def __init__(self, file: Path) -> None:
        self.file, self.last = file, b""

    def show(self, turn: int, roll: int, smeared: tuple[int, int] | None = None) -> None:
        """Play that roll from now on, also where a browser reads the file already.

        The die at `smeared`, in pixels, has come to rest under a finger mark on the lens.
        """
        moving = sorted((EVENING / f"turn{turn:02}" / f"throw{roll}").glob("*.webp"))
        pictures = [_pixels(picture) for picture in [EVENING / "empty.webp"] * 4 + moving]
        if smeared is not None:
            across, down = (slice(middle - DIE, middle + DIE) for middle in smeared)
            pictures[-1][down, across] = cv2.blur(pictures[-1][down, across], SMEAR)
        self._play([_frame(picture) for picture in pictures])

    def stop(self) -> None:
        """The dice stay as they came to rest."""
        self._play([self.last])

    def clear(self) -> None:
        """The dice are gone from the table."""
        self._play([_frame(_pixels(EVENING / "empty.webp"))])

    def _play(self, frames: list[bytes]) -> None:
        self.last = frames[-1]
        frames += frames[-1:] * (FRAMES - len(frames))
        with self.file.open("r+b" if self.file.exists() else "wb") as file:
            file.write(b"YUV4MPEG2 W640 H480 F10:1 Ip A1:1 C420\n")
            file.writelines(b"FRAME\n" + frame for frame in frames)


def _pixels(picture: Path) -> Image:
    image = cv2.imread(str(picture))
    assert image is not None
    return np.asarray(image, np.uint8)


def _frame(image: Image) -> bytes:
    return cv2.cvtColor(image, cv2.COLOR_BGR2YUV_I420).tobytes()


@pytest.fixture
def film(tmp_path: Path) -> Iterator[Film]:
    """The first roll of the evening: 2 2 2 4 4."""
    film = Film(tmp_path / "film.y4m")
    film.show(0, 0)
    yield film
    film.file.unlink()


@pytest.fixture
def open_phone(browser: Browser, film: Film) -> Iterator[OpenPhone]:
    """Opens a page on a phone, whose console stays clean; several share one camera.

    It goes past the warning of a certificate that it does not know, as people do by two taps.
    """
    phone = browser.browser_type.launch(
        executable_path=CHROMIUM,
        args=[
            *QUIET,
            "--use-fake-ui-for-media-stream",
            "--use-fake-device-for-media-stream",
            f"--use-file-for-fake-video-capture={film.file}",
            f"--host-resolver-rules=MAP {NAME} 127.0.0.1",
        ],
    )
    faults: list[str] = []

    def open_one(address: str, script: str = "") -> Hands:
        context = phone.new_context(viewport=PHONE, has_touch=True, ignore_https_errors=True)  # type: ignore[arg-type]
        context.set_default_timeout(PATIENCE_MILLISECONDS)
        page = context.new_page()
        listen(page, faults)
        page.add_init_script(script)
        page.goto(address)
        return Hands(page, touch=True)

    yield open_one
    phone.close()
    # what the browser itself says of plain http, and of a certificate that it does not know
    unsafe = ("untrustworthy", NAME, "error occurred when fetching the script")
    assert [
        fault
        for fault in faults
        if not is_expected(fault) and not any(words in fault for words in unsafe)
    ] == []


def listen(page: Page, faults: list[str]) -> None:
    """Collect what the page complains about: scripts, the content policy, missing files."""
    page.on("pageerror", lambda error: faults.append(str(error)))
    page.on(
        "console",
        lambda said: faults.append(said.text) if said.type in {"error", "warning"} else None,
    )
    page.on(
        "request",
        lambda asked: None if asked.url.startswith(OURS) else faults.append(f"asked {asked.url}"),
    )


def is_expected(fault: str) -> bool:
    """Refusals and lost connections are logged by the browser itself, and tests provoke them."""
    return any(
        words in fault
        for words in (
            "403 (FORBIDDEN)",
            "409 (CONFLICT)",
            "422 (UNPROCESSABLE",
            "net::ERR_",
            "404 (NOT FOUND)",
        )
    )
