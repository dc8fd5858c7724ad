"""Take a screenshot of every stage of the table at every size, to be looked at.

Run it with `make screenshots`; it writes ../screenshots, or the folder that OUT names. `index.html`
in the folder shows them all.
"""

from __future__ import annotations

import html
from pathlib import Path

import click
from playwright.sync_api import Browser, Page, ViewportSize, sync_playwright

from tests.web.browser.conftest import CHROMIUM, QUIET
from tests.web.browser.photographed_stages import STAGES, PhotographedTable

PATIENCE_MILLISECONDS = 60_000
TABLET: ViewportSize = {"width": 1280, "height": 800}
SIZES: dict[str, tuple[ViewportSize, bool]] = {
    "tablet": (TABLET, False),
    "tablet-dark": (TABLET, True),
    "portrait": ({"width": 800, "height": 1280}, False),
    "phone": ({"width": 390, "height": 844}, False),
    "tv": ({"width": 1920, "height": 1080}, False),
}
HEAD = "<!doctype html><meta charset=utf-8><title>Stages</title><style>img{height:300px}</style>\n"


def take(pages: dict[str, Page], folder: Path, stage: str) -> None:
    """Bring the stage about, and take it at every size."""
    table = PhotographedTable()
    table.start()
    try:
        STAGES[stage](table)
        for size, page in pages.items():
            page.goto(table.url + ("/tv" if size == "tv" else "/"))
            page.evaluate("document.fonts.ready.then(() => true)")
            page.screenshot(path=folder / f"{stage}-{size}.png", animations="disabled")
    finally:
        table.stop()
    click.echo(f"{stage}: {', '.join(pages)}")


def opened(browser: Browser) -> dict[str, Page]:
    """A page of every size."""
    pages = {}
    for name, (viewport, dark) in SIZES.items():
        context = browser.new_context(
            viewport=viewport, color_scheme="dark" if dark else "light", reduced_motion="reduce"
        )
        context.set_default_timeout(PATIENCE_MILLISECONDS)
        pages[name] = context.new_page()
    return pages


def write_index(folder: Path) -> None:
    """All of them on one page, a stage a row."""
    rows = (
        f"<h2>{html.escape(stage)}</h2><p>"
        + "".join(
            f'<a href="{stage}-{size}.png"><img src="{stage}-{size}.png" alt="{size}"></a> '
            for size in SIZES
        )
        for stage in STAGES
    )
    page = HEAD + "\n".join(rows)
    (folder / "index.html").write_text(page, encoding="utf-8")


@click.command()
@click.argument("folder", type=click.Path(file_okay=False, path_type=Path))
@click.option("--only", default="", help="Stages whose names contain this.")
def main(folder: Path, only: str) -> None:
    """Take every stage at every size into FOLDER."""
    folder.mkdir(parents=True, exist_ok=True)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=list(QUIET))
        pages = opened(browser)
        for stage in STAGES:
            if only in stage:
                take(pages, folder, stage)
        browser.close()
    write_index(folder)


if __name__ == "__main__":
    main()
