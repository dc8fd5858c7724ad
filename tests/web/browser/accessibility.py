"""What axe-core finds on a page: in light on a tablet, and in dark on a phone."""

from __future__ import annotations

from collections.abc import Mapping
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
# What lies half under the bar of the set-up page just now can be scrolled out from under it. A tile
# or a card shows its notation, and its name says colour and number in words. Of all that opens, one
# of each kind is examined, with nothing behind it: the rules behind two boxes are drawn alike.
EXAMINE: Final = """
async ([named, sized]) => {
  const settle = () => {
    document.getAnimations()
      .filter((each) => each.effect.getComputedTiming().iterations !== Infinity)
      .forEach((each) => each.finish());
    document.querySelector(".setup-bar, .proposed-bar")?.style.setProperty("position", "static");
  };
  const shown = (node) => document.querySelector(node.target[0]);
  const isPiece = (id, node) =>
    id === "label-content-name-mismatch" && shown(node).querySelector(".piece");
  const found = async (part, more) => {
    settle();
    const rules = Object.fromEntries(more.map((name) => [name, { enabled: true }]));
    const { violations } = await axe.run(part, { rules, resultTypes: ["violations"] });
    return violations.flatMap(({ id, nodes }) => nodes
      .filter((node) => !isPiece(id, node))
      .map((node) => `${id}: ${node.target.join(" ")}: ${node.failureSummary}`));
  };
  const objections = await found(document, [...named, ...sized]);
  const kinds = new Map();
  for (const each of document.querySelectorAll(".sheet-over[popover]")) {
    const kind = each.id.replace(/^(why|rule)-.*|-\\d+$/, "$1");
    if (!kinds.has(kind)) kinds.set(kind, each.id);
  }
  for (const id of kinds.values()) {
    const opened = document.getElementById(id);
    const behind = [];
    for (let each = opened; each !== document.body; each = each.parentElement) {
      behind.push(...[...each.parentElement.children].filter((it) => it !== each));
    }
    opened.showPopover();
    for (const each of behind) each.style.setProperty("display", "none", "important");
    await new Promise((done) => setTimeout(done));
    objections.push(...await found(opened, named));
    for (const each of behind) each.style.removeProperty("display");
    opened.hidePopover();
  }
  return objections;
}
"""


# Colours are the same at every size, and places in both schemes: the other two pairs would cost
# as much again
Seen = tuple[str, Mapping[str, int]]
SEEN_IN: Final[tuple[Seen, ...]] = (("light", TABLET), ("dark", PHONE))


def violations(page: Page, *, turn: int | None = None) -> list[str]:
    """Everything that axe-core objects to on the page as it stands, what opens on it included.

    Seen in light and in dark, or in one of them by turns, where many pages are drawn alike.
    """
    found: dict[str, list[str]] = {}
    wait_until_drawn(page)
    for scheme, size in SEEN_IN if turn is None else [SEEN_IN[turn % 2]]:
        page.set_viewport_size(size)  # type: ignore[arg-type]  # a TypedDict
        page.emulate_media(color_scheme=scheme)  # type: ignore[arg-type]  # a literal
        if not page.evaluate("'axe' in window"):
            page.evaluate(AXE)
        for each in page.evaluate(EXAMINE, [MORE_RULES, OF_PAGES]):
            found.setdefault(each, []).append(f"{scheme} {size['width']}")
    return [f"{each} ({', '.join(where)})" for each, where in found.items()]
