"""Take the documentation's screenshots: drive Chromium over a running demo evening.

Run it with `make docs-images`; it writes docs/images. The doubtful reading is a roll of the
demo evening with one die blurred, sent as a phone's photo.
"""

from __future__ import annotations

import re
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from io import BytesIO
from pathlib import Path

import click
from PIL import Image, ImageFilter
from playwright.sync_api import Browser, expect, sync_playwright

from hardware.cameras.demo import demo_evening
from tests.web.browser.conftest import CHROMIUM, PHONE, QUIET, TABLET
from tests.web.browser.demo_rounds import (
    plays_up_to_the_fault,
    plays_up_to_two_at_once,
    tell_two_games,
)
from tests.web.browser.hands import Hands
from tests.web.browser.test_demo_evening import play_a_step
from tests.web.browser.test_rummikub import LAY
from tests.web.process import RunningProcess, running

IMAGES = Path(__file__).parent / "images"
PATIENCE_MILLISECONDS = 60_000
SETTLING_MILLISECONDS = 700
BLURRED = (286, 283, 373, 372)  # one die of the evening's first roll, in pixels
BLUR_RADII_PIXELS = (7.0, 6.5, 7.5, 6.0, 8.0)  # tried until one makes the reader doubt
MOST_STEPS = 300


@contextmanager
def device(
    browser: Browser, table: RunningProcess, *, dark: bool = False, phone: bool = False
) -> Iterator[Hands]:
    """A tablet or a phone with the page open."""
    context = browser.new_context(
        viewport=PHONE if phone else TABLET,  # type: ignore[arg-type]  # a TypedDict
        color_scheme="dark" if dark else "light",
        has_touch=phone,
    )
    context.set_default_timeout(PATIENCE_MILLISECONDS)
    page = context.new_page()
    table.open_in(page)
    yield Hands(page, touch=phone)
    context.close()


def take(hands: Hands, name: str) -> None:
    """Write a screenshot of the device, once it has settled."""
    hands.page.wait_for_timeout(SETTLING_MILLISECONDS)
    hands.page.screenshot(path=IMAGES / f"{name}.png")
    click.echo(f"docs/images/{name}.png")


def picture_evening(browser: Browser, folder: Path) -> None:
    """Picture the demo evening: a reading, kept dice, a box to choose, set-up, the end."""
    settings = folder / "table.toml"
    settings.write_text("[demo]\nframes_per_second = 30.0\n", encoding="utf-8")
    database = f"sqlite:///{folder / 'evening.sqlite3'}"
    with (
        running("--settings", str(settings), "--database", database) as table,
        device(browser, table) as tablet,
        device(browser, table, dark=True) as dark,
        device(browser, table, phone=True) as phone,
    ):
        tablet.reads("Read as")
        take(tablet, "table-tablet-light")
        tablet.press("REROLL")
        tablet.reads_turn("North", "Roll 2 of 3")
        dark.reads("Read as")
        take(dark, "table-tablet-dark")
        phone.reads("Read as")
        take(phone, "table-phone")
        tablet.press("KEEP")
        tablet.reads("Choose a box")
        take(tablet, "choose-a-box")
        table.open_in(dark.page, f"{table.link}setup")
        take(dark, "set-up")
        for _ in range(MOST_STEPS):
            if not play_a_step(tablet):
                break
        take(tablet, "final-ranking")


def blurred_throw(radius_pixels: float) -> bytes:
    """The evening's first roll at rest, with one die blurred as by a greasy lens."""
    throw = demo_evening() / "turn00" / "throw0"
    rest = max(throw.iterdir(), key=lambda entry: entry.name)
    with Image.open(BytesIO(rest.read_bytes())) as opened:
        image = opened.convert("RGB")
    die = image.crop(BLURRED).filter(ImageFilter.GaussianBlur(radius_pixels))
    image.paste(die, BLURRED)
    encoded = BytesIO()
    image.save(encoded, "PNG")
    return encoded.getvalue()


def picture_doubt(browser: Browser, folder: Path) -> None:
    """Picture a reading that asks for a second look: the first blur that the reader doubts.

    Raises:
        LookupError: the reader doubts none of them.
    """
    for radius in BLUR_RADII_PIXELS:
        database = f"sqlite:///{folder / f'doubt-{radius}.sqlite3'}"
        with (
            running("--camera", "upload", "--database", database) as table,
            device(browser, table) as tablet,
        ):
            tablet.sets_up("North", "South")
            photo = {"name": "d.png", "mimeType": "image/png", "buffer": blurred_throw(radius)}
            tablet.page.get_by_label("Photo of the dice").set_input_files(photo)  # type: ignore[arg-type]
            tablet.reads(re.compile("Read as|Tap the die that is wrong"))
            if tablet.page.locator("#dice .doubts").count():
                take(tablet, "doubt")
                return
    raise LookupError("The reader doubts none of the blurred dice; think of another disturbance.")


def picture_rummikub(browser: Browser, folder: Path) -> None:
    """Picture a turn that the referee refuses, and the table."""
    database = f"sqlite:///{folder / 'rummikub.sqlite3'}"
    with (
        running("--camera", "upload", "--database", database) as table,
        device(browser, table) as tablet,
        device(browser, table, phone=True) as phone,
    ):
        tablet.sets_up("Ann", "Ben", game="Rummikub")
        tablet.press("Ann begins")
        tablet.fills(LAY, text="K10 R10 B10\nO3 O4 O5 J\n")
        tablet.reads("Ben’s turn")
        tablet.fills(LAY, text="K10 R10 B10 O10\nO3 O4 O5 J\nK1 K2\n")
        tablet.reads("RK-8")
        take(tablet, "referee")
        editor = tablet.page.locator(".sheet-over:popover-open")
        tablet.react_to(editor.get_by_role("button", name="Close"))
        tablet.press("REROLL")
        phone.reads("Ann’s turn")
        take(phone, "rummikub-phone")


def picture_rummikub_camera(browser: Browser, folder: Path) -> None:
    """Picture the demo's round of Rummikub: a refused turn, its tiles on the photo."""
    database = f"sqlite:///{folder / 'rummikub-camera.sqlite3'}"
    with running("--database", database) as table, device(browser, table) as tablet:
        plays_up_to_the_fault(tablet)
        take(tablet, "rummikub-camera")


def picture_tong_tong(browser: Browser, folder: Path) -> None:
    """Picture a trick, the tops, and the cards that may be played."""
    database = f"sqlite:///{folder / 'tongtong.sqlite3'}"
    with (
        running("--camera", "upload", "--database", database) as table,
        device(browser, table) as tablet,
    ):
        tablet.sets_up("Ann", "Ben", "Cem", game="Tong Tong")
        tablet.press("Highest sum first, bust from 12 on")
        tablet.press("Ann holds red 8")
        for card in ("red 8", "red 4", "red 6", "blue 5", "blue 7"):
            tablet.press(card)
        take(tablet, "tong-tong")


def picture_tong_tong_camera(browser: Browser, folder: Path) -> None:
    """Picture two cards that appeared at once: nobody saw which was played first."""
    database = f"sqlite:///{folder / 'tongtong-camera.sqlite3'}"
    tell_two_games(database)
    with running("--database", database) as table, device(browser, table) as tablet:
        plays_up_to_two_at_once(tablet)
        take(tablet, "tong-tong-camera")


def main() -> None:
    """Take them all."""
    IMAGES.mkdir(exist_ok=True)
    expect.set_options(timeout=PATIENCE_MILLISECONDS)
    with sync_playwright() as playwright, tempfile.TemporaryDirectory() as folder:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=list(QUIET))
        picture_doubt(browser, Path(folder))
        picture_evening(browser, Path(folder))
        picture_rummikub(browser, Path(folder))
        picture_rummikub_camera(browser, Path(folder))
        picture_tong_tong(browser, Path(folder))
        picture_tong_tong_camera(browser, Path(folder))
        browser.close()


if __name__ == "__main__":
    main()
