"""Draw the icons of the installed page from icon.svg, which browsers show in the tab.

Run it with `python docs/draw_icons.py` after a change of icon.svg. A maskable icon fills its
square: the device cuts it to its own shape, of which the middle four fifths are always seen.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Final

import click
from playwright.sync_api import sync_playwright

from tests.web.browser.conftest import CHROMIUM, QUIET

STATIC: Final = Path(__file__).parents[1] / "web" / "table" / "static"
PLAIN_PIXELS: Final = (192, 512)
MASKABLE_PIXELS: Final = 512


def maskable(icon: str) -> str:
    """The icon with square corners, and what is on it drawn smaller."""
    ground, end, shapes = icon.partition("/>")
    square = re.sub(r' rx="\d+"', "", ground + end)
    shapes = shapes.strip().removesuffix("</svg>")
    return f'{square}<g transform="translate(10 10) scale(.8)">{shapes}</g></svg>'


def main() -> None:
    """Write the PNG files beside icon.svg."""
    icon = (STATIC / "icon.svg").read_text(encoding="utf-8")
    wanted = [(f"icon-{pixels}", icon, pixels) for pixels in PLAIN_PIXELS]
    wanted.append((f"icon-maskable-{MASKABLE_PIXELS}", maskable(icon), MASKABLE_PIXELS))
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=list(QUIET))
        for name, drawing, pixels in wanted:
            page = browser.new_page(viewport={"width": pixels, "height": pixels})
            page.set_content(f"<style>body{{margin:0}}svg{{display:block}}</style>{drawing}")
            page.screenshot(path=STATIC / f"{name}.png", omit_background=True)
            click.echo(f"{name}.png")
        browser.close()


if __name__ == "__main__":
    main()
