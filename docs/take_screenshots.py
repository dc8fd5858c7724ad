"""Drive Chromium over running pages, and take pictures of them.

`documents` writes docs/images, `stages` every stage of the table at every size into a folder, to be
looked at, `icons` the icons of the installed page and of the Home Assistant add-on from icon.svg.
"""

from __future__ import annotations

import html
import re
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from io import BytesIO
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

import click
from PIL import Image, ImageFilter
from playwright.sync_api import Browser, Page, ViewportSize, expect, sync_playwright

from hardware.cameras.demo import demo_pictures
from scoreboard.tournament.storage.hub_store import open_hub_store
from tests.web.browser.conftest import CHROMIUM, QUIET
from tests.web.browser.demo_rounds import (
    plays_up_to_the_fault,
    plays_up_to_two_at_once,
    tell_two_games,
)
from tests.web.browser.hands import Hands
from tests.web.browser.photographed_stages import STAGES, PhotographedTable
from tests.web.browser.test_demo_evening import play_a_step
from tests.web.browser.test_rummikub import LAY
from tests.web.hub.prepared_event import DIRECTOR, PASSWORD, prepare, served
from tests.web.process import RunningProcess, running

IMAGES: Final = Path(__file__).parent / "images"
STATIC: Final = Path(__file__).parents[1] / "web" / "table" / "static"
TABLET: Final = ViewportSize(width=1280, height=800)
PHONE: Final = ViewportSize(width=390, height=844)
DESK: Final = ViewportSize(width=1280, height=900)
HALL: Final = ViewportSize(width=1920, height=1080)
SIZES: Final[dict[str, tuple[ViewportSize, bool]]] = {
    "tablet": (TABLET, False),
    "tablet-dark": (TABLET, True),
    "portrait": (ViewportSize(width=800, height=1280), False),
    "phone": (PHONE, False),
    "tv": (HALL, False),
}
PATIENCE_MILLISECONDS: Final = 60_000
SETTLING_MILLISECONDS: Final = 700
BLURRED: Final = (286, 283, 373, 372)  # one die of the evening's first roll, in pixels
BLUR_RADII_PIXELS: Final = (7.0, 6.5, 7.5, 6.0, 8.0)  # tried until one makes the reader doubt
MOST_STEPS: Final = 300
NAMES: Final = ("Ada", "Ben", "Cem", "Dina", "Eli", "Finn", "Gil", "Hana",
                "Ida", "Jan", "Kim", "Lev", "Mia", "Noa", "Ole", "Pia")  # fmt: skip
# A maskable icon fills its square: a device cuts it to its own shape, the middle four fifths stay.
ICON_PIXELS: Final = (192, 512)
ADDON: Final = Path(__file__).parents[1] / "addon"
LOGO: Final = ViewportSize(width=250, height=100)
LOGO_STYLE: Final = (
    "<style>body{margin:0;box-sizing:border-box;height:100px;padding:20px;display:flex;gap:14px;"
    "align-items:center;background:#123d2c;border-radius:12px;color:#fbf7ea;"
    "font:600 25px sans-serif}svg{width:50px;height:50px;flex:none}</style>"
)
HEAD: Final = (
    "<!doctype html><meta charset=utf-8><title>Stages</title><style>img{height:300px}</style>\n"
)


@contextmanager
def chromium() -> Iterator[Browser]:
    """A browser, for as long as pictures are taken."""
    expect.set_options(timeout=PATIENCE_MILLISECONDS)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=list(QUIET))
        yield browser
        browser.close()


def opened(
    browser: Browser, size: ViewportSize, *, dark: bool = False, still: bool = False
) -> Page:
    """A page of that size; a phone's is touched."""
    context = browser.new_context(
        viewport=size,
        color_scheme="dark" if dark else "light",
        has_touch=size is PHONE,
        reduced_motion="reduce" if still else "no-preference",
    )
    context.set_default_timeout(PATIENCE_MILLISECONDS)
    return context.new_page()


def at(browser: Browser, table: RunningProcess, size: ViewportSize, *, dark: bool = False) -> Hands:
    """A device with the table's page open."""
    page = opened(browser, size, dark=dark)
    table.open_in(page)
    return Hands(page, touch=size is PHONE)


@contextmanager
def running_table(
    *options: str, before: Callable[[str], None] = lambda _database: None
) -> Iterator[RunningProcess]:
    """A table with games of its own, which `before` may prepare."""
    with TemporaryDirectory() as folder:
        database = f"sqlite:///{folder}/games.sqlite3"
        before(database)
        with running("--database", database, *options) as table:
            yield table


def take(page: Page, name: str, *, whole: bool = False) -> None:
    """Write a screenshot of the page, once it has settled."""
    page.wait_for_timeout(SETTLING_MILLISECONDS)
    page.screenshot(path=IMAGES / f"{name}.png", full_page=whole)
    click.echo(f"docs/images/{name}.png")


def picture_evening(browser: Browser) -> None:
    """Picture the demo evening: a reading, kept dice, a box to choose, set-up, the end."""
    with TemporaryDirectory() as folder:
        settings = Path(folder) / "table.toml"
        settings.write_text("[demo]\nframes_per_second = 30.0\n", encoding="utf-8")
        with running_table("--settings", str(settings)) as table:
            tablet = at(browser, table, TABLET)
            dark = at(browser, table, TABLET, dark=True)
            phone = at(browser, table, PHONE)
            tablet.reads("I see")
            take(tablet.page, "table-tablet-light")
            tablet.press("REROLL")
            tablet.reads_turn("North", "Roll 2 of 3")
            dark.reads("I see")
            take(dark.page, "table-tablet-dark")
            phone.reads("I see")
            take(phone.page, "table-phone")
            tablet.press("KEEP")
            tablet.reads("Choose a box")
            take(tablet.page, "choose-a-box")
            table.open_in(dark.page, f"{table.link}setup")
            take(dark.page, "set-up")
            for _ in range(MOST_STEPS):
                if not play_a_step(tablet):
                    break
            take(tablet.page, "final-ranking")


def blurred_throw(radius_pixels: float) -> bytes:
    """The evening's first roll at rest, with one die blurred as by a greasy lens."""
    throw = demo_pictures() / "turn00" / "throw0"
    rest = max(throw.iterdir(), key=lambda entry: entry.name)
    with Image.open(BytesIO(rest.read_bytes())) as read:
        image = read.convert("RGB")
    image.paste(image.crop(BLURRED).filter(ImageFilter.GaussianBlur(radius_pixels)), BLURRED)
    encoded = BytesIO()
    image.save(encoded, "PNG")
    return encoded.getvalue()


def picture_doubt(browser: Browser) -> None:
    """Picture a reading that asks for a second look: the first blur that the reader doubts.

    Raises:
        LookupError: the reader doubts none of them.
    """
    for radius in BLUR_RADII_PIXELS:
        with running_table("--camera", "upload") as table:
            tablet = at(browser, table, TABLET)
            tablet.sets_up("North", "South")
            photo = {"name": "d.png", "mimeType": "image/png", "buffer": blurred_throw(radius)}
            tablet.page.get_by_label("Photo of the dice").set_input_files(photo)  # type: ignore[arg-type]
            tablet.reads(re.compile("I see|Tap the die that is wrong"))
            if tablet.page.locator("#dice .doubts").count():
                take(tablet.page, "doubt")
                return
    raise LookupError("The reader doubts none of the blurred dice; think of another disturbance.")


def picture_rummikub(browser: Browser) -> None:
    """Picture a turn that the referee refuses, by hand and under the camera, and the table."""
    with running_table("--camera", "upload") as table:
        tablet, phone = at(browser, table, TABLET), at(browser, table, PHONE)
        tablet.sets_up("Ann", "Ben", game="Rummikub")
        tablet.press("Ann begins")
        tablet.fills(LAY, text="K10 R10 B10\nO3 O4 O5 J\n")
        tablet.reads("Ben’s turn")
        tablet.fills(LAY, text="K10 R10 B10 O10\nO3 O4 O5 J\nK1 K2\n")
        tablet.reads("RK-8")
        take(tablet.page, "referee")
        editor = tablet.page.locator(".sheet-over:popover-open")
        tablet.react_to(editor.get_by_role("button", name="Close"))
        tablet.press("REROLL")
        phone.reads("Ann’s turn")
        take(phone.page, "rummikub-phone")
    with running_table() as table:
        tablet = at(browser, table, TABLET)
        plays_up_to_the_fault(tablet)
        take(tablet.page, "rummikub-camera")


def picture_tong_tong(browser: Browser) -> None:
    """Picture a trick by hand, and two cards at once under the camera."""
    with running_table("--camera", "upload") as table:
        tablet = at(browser, table, TABLET)
        tablet.sets_up("Ann", "Ben", "Cem", game="Tong Tong")
        tablet.press("Highest sum first, bust from 12 on")
        tablet.press("Ann holds red 8")
        for card in ("red 8", "red 4", "red 6", "blue 5", "blue 7"):
            tablet.press(card)
        take(tablet.page, "tong-tong")
    with running_table(before=tell_two_games) as table:
        tablet = at(browser, table, TABLET)
        plays_up_to_two_at_once(tablet)
        take(tablet.page, "tong-tong-camera")


def picture_event(browser: Browser) -> None:
    """Picture a hub in its second round, as the director, the hall and a player see it."""
    with closing(open_hub_store("memory:")) as store:
        prepared = prepare(store, NAMES)
        with served(store) as hub:
            event = f"{hub}/e/{prepared.event}"
            desk = opened(browser, DESK)
            desk.goto(f"{hub}/sign-in")
            desk.fill("input[name=name]", DIRECTOR.name)
            desk.fill("input[name=password]", PASSWORD)
            desk.click("main button")
            hall, phone = opened(browser, HALL), opened(browser, PHONE)
            for page, address, name in (
                (desk, f"{hub}/new", "event-new"),
                (desk, f"{event}/desk", "event-desk"),
                (desk, f"{event}/standings", "event-standings"),
                (desk, f"{event}/sheets/seating", "event-sheet"),
                (hall, f"{event}/board", "event-board"),
                (phone, f"{hub}{prepared.player}", "event-player"),
            ):
                page.goto(address)
                take(page, name, whole=name == "event-new")


PICTURES: Final = (
    *(picture_doubt, picture_evening, picture_rummikub),
    *(picture_tong_tong, picture_event),
)


@click.group()
def main() -> None:
    """Take pictures of running pages."""


@main.command()
@click.option("--only", default="", help="Pictures whose function's name contains this.")
def documents(only: str) -> None:
    """Take the documentation's screenshots into docs/images."""
    with chromium() as browser:
        for picture in PICTURES:
            if only in picture.__name__:
                picture(browser)


@main.command()
@click.argument("folder", type=click.Path(file_okay=False, path_type=Path))
@click.option("--only", default="", help="Stages whose names contain this.")
def stages(folder: Path, only: str) -> None:
    """Take every stage at every size into FOLDER; its index.html shows them all."""
    folder.mkdir(parents=True, exist_ok=True)
    rows = []
    with chromium() as browser:
        pages = {
            name: opened(browser, size, dark=dark, still=True)
            for name, (size, dark) in SIZES.items()
        }
        for stage, reach in STAGES.items():
            if only in stage:
                photograph_stage(pages, folder / stage, reach)
            shots = (f"{stage}-{size}.png" for size in SIZES)
            images = " ".join(f'<a href="{shot}"><img src="{shot}" alt=""></a>' for shot in shots)
            rows.append(f"<h2>{html.escape(stage)}</h2><p>{images}")
    (folder / "index.html").write_text(HEAD + "\n".join(rows), encoding="utf-8")


def photograph_stage(
    pages: dict[str, Page], path: Path, reach: Callable[[PhotographedTable], object]
) -> None:
    """Bring the stage about, and take it at every size."""
    table = PhotographedTable()
    table.start()
    try:
        reach(table)
        for size, page in pages.items():
            page.goto(table.url + ("/tv" if size == "tv" else "/"))
            page.evaluate("document.fonts.ready.then(() => true)")
            shot = path.with_name(f"{path.name}-{size}.png")
            page.screenshot(path=shot, animations="disabled")
    finally:
        table.stop()
    click.echo(f"{path.name}: {', '.join(pages)}")


@main.command()
def icons() -> None:
    """Draw the PNG files beside icon.svg."""
    icon = (STATIC / "icon.svg").read_text(encoding="utf-8")
    ground, end, shapes = icon.partition("/>")
    square = re.sub(r' rx="\d+"', "", ground + end)
    smaller = (
        f'<g transform="translate(10 10) scale(.8)">{shapes.strip().removesuffix("</svg>")}</g>'
    )
    wanted = [(f"icon-{pixels}", icon, pixels) for pixels in ICON_PIXELS]
    wanted.append(("icon-maskable-512", f"{square}{smaller}</svg>", ICON_PIXELS[-1]))
    with chromium() as browser:
        for name, drawn, pixels in wanted:
            page = opened(browser, ViewportSize(width=pixels, height=pixels))
            page.set_content(f"<style>body{{margin:0}}svg{{display:block}}</style>{drawn}")
            page.screenshot(path=STATIC / f"{name}.png", omit_background=True)
            click.echo(f"{name}.png")
        page = opened(browser, ViewportSize(width=128, height=128))
        page.set_content(f"<style>body{{margin:0}}svg{{display:block}}</style>{icon}")
        page.screenshot(path=ADDON / "icon.png", omit_background=True)
        page = opened(browser, LOGO)
        page.set_content(f"{LOGO_STYLE}{icon}Tablescore")
        page.screenshot(path=ADDON / "logo.png", omit_background=True)


if __name__ == "__main__":
    main()
