"""What axe-core finds on a page: in light on a tablet, and in dark on a phone."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from playwright.sync_api import Page

from tests.web.browser.conftest import PHONE, TABLET
from tests.web.browser.hands import wait_until_drawn

AXE: Final = (Path(__file__).parents[2] / "vendor" / "axe-core" / "axe.min.js").read_text("utf-8")
# rules that axe leaves out by itself: names that say what is read, and the size of what is touched;
# in what scrolls, whatever is covered by the edge just now would be too small
MORE_RULES: Final = ("label-content-name-mismatch",)
OF_PAGES: Final = ("target-size",)
# what lies half under the bar of the set-up page just now can be scrolled out from under it
SETTLE: Final = """
() => {
  document.getAnimations()
    .filter((each) => each.effect.getComputedTiming().iterations !== Infinity)
    .forEach((each) => each.finish());
  document.querySelector(".setup-bar, .proposed-bar")?.style.setProperty("position", "static");
}
"""
# a tile or a card shows its notation, and its name says colour and number in words
EXAMINE: Final = """
async ([part, more]) => {
  const rules = Object.fromEntries(more.map((name) => [name, { enabled: true }]));
  const found = await axe.run(part ?? document, { rules, resultTypes: ["violations"] });
  const shown = (node) => document.querySelector(node.target[0]);
  const isPiece = (id, node) =>
    id === "label-content-name-mismatch" && shown(node).querySelector(".piece");
  return found.violations.flatMap(({ id, nodes }) => nodes
    .filter((node) => !isPiece(id, node))
    .map((node) => `${id}: ${node.target.join(" ")}: ${node.failureSummary}`));
}
"""
# one of each kind: the rules behind two boxes are drawn alike
OPENED: Final = """
() => {
  const kinds = new Map();
  for (const each of document.querySelectorAll(".sheet-over[popover]")) {
    const kind = each.id.replace(/[^-]*$/, "");
    if (!kinds.has(kind)) kinds.set(kind, each.id);
  }
  return [...kinds.values()];
}
"""


# Colours are the same at every size, and places in both schemes: the other two pairs would cost
# as much again
SEEN_IN: Final = (("light", TABLET), ("dark", PHONE))


def violations(page: Page) -> list[str]:
    """Everything that axe-core objects to on the page as it stands, what opens on it included."""
    found: dict[str, list[str]] = {}
    wait_until_drawn(page)
    for scheme, size in SEEN_IN:
        page.set_viewport_size(size)  # type: ignore[arg-type]  # a TypedDict
        page.emulate_media(color_scheme=scheme)  # type: ignore[arg-type]  # a literal
        objections = examined(page, None)
        for name in page.evaluate(OPENED):
            page.evaluate("(id) => document.getElementById(id).showPopover()", name)
            objections += examined(page, f"#{name}")
            page.evaluate("(id) => document.getElementById(id).hidePopover()", name)
        for each in objections:
            found.setdefault(each, []).append(f"{scheme} {size['width']}")
    return [f"{each} ({', '.join(where)})" for each, where in found.items()]


def examined(page: Page, part: str | None) -> list[str]:
    """What axe-core objects to in a part of the page, or in all of it, when nothing moves."""
    if not page.evaluate("'axe' in window"):
        page.evaluate(AXE)
    page.evaluate(SETTLE)
    found: list[str] = page.evaluate(EXAMINE, [part, MORE_RULES if part else MORE_RULES + OF_PAGES])
    return found
