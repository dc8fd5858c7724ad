"""Every stage, on every screen and for everybody: nothing overlaps, is cut or is out of sight."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations, groupby, product
from random import Random
from typing import Any, Final

import pytest
from playwright.sync_api import Page

from hardware.camera import CameraParts
from hardware.cameras.phone import PhoneCamera
from scoreboard.games import GAMES
from tests.web.browser.conftest import OpenPage
from tests.web.browser.hands import resize
from tests.web.browser.photographed_stages import Made
from tests.web.browser.served_table import lasting_port
from tests.web.browser.stages import brought, stages_of
from tests.web.browser.test_languages import speaks
from vision.capture.photo import open_photo
from web.shared.clocks import utc_now
from web.shared.words import LANGUAGES

NAMES: Final = ("Maximiliane", "김하늘", "Jo", "あおい", "Wilhelmine", "Leopoldina-Friederike")
DIFFERENT: Final = ("yams", "rummikub", "tongtong", "free-sheet")  # the others are dice, too
# What every stage needs in sight, and what one needs beside that; a bar: on large screens alone.
ALWAYS: Final = ("#scoreboard .total", "#turn h1", "#panel .key-label", "#panel .means")
NEEDS: Final = {
    "rolling": ("#dice .empty", ".roll-number", ".instruction", "| .step"),
    "moving": ("#dice .empty", ".roll-number", ".instruction", "| .step", "| #photo .frame"),
    "read": ("#dice .die-button", ".roll-number", ".instruction", "| .step"),
    "doubt": ("#dice .die-button", ".roll-number", ".instruction", "#dice .doubts li"),
    "second roll": ("#dice .row-of-dice:first-of-type .die-button", ".roll-number", ".instruction"),
    "choosing": ("#sheet .offer", "| .instruction", "| #sheet td"),
    "zero asked": ("#asking span", "#asking button", "#sheet .offer"),
    "playing": ("#lying .piece", "#offers .offered button", ".clock", ".roll-number"),
    "tiles moving": ("| #photo .frame", "#lying .piece", ".clock"),
    "round over": ("#offers .offered button", ".roll-number", "| #sheet .box .points"),
    "judged": ("| #photo .frame", "#seen .remark", ".clock"),
    "put back": ("#lying .piece", "#offers .offered button"),
    "racks": ("#offers .racks button",),
    "mission": ("#offers .offered button",),
    "trick": ("#offers .piece-button", "#lying .piece"),
    "adding": ("#offers .offered button", "| #sheet .points"),
    "over": ("#ranking .who", "#ranking .total", "#ranking .primary"),
}
# On a tablet: totals have capitals of 10 minutes of arc at 1.5 m; the others are read from near.
LEAST: Final = {
    "#scoreboard .total": 36,
    ".means, .instruction, .pane .box th > :not(.hint), .pane .box .why > :not(.hint)": 16,
    ".pane .hint": 13,
}
CAPITALS: Final = 26  # pixels: 10 minutes of arc on a 10-inch tablet at 1.5 m
Case = Mapping[str, Any]


def stages(games: Sequence[str]) -> list[tuple[str, str]]:
    """The stages of these games, each with its game."""
    return [(game, stage) for game in games for stage in stages_of(game, NAMES[:3])]


# what takes longest to change comes first: cases that share it follow each other
AXES: Final[dict[str, Sequence[Any]]] = {
    "stage": stages(DIFFERENT),
    "players": (1, 2, 4, 6),
    "page": ("/", "/tv", "/camera"),
    "language": tuple(LANGUAGES),
    "size": (
        *((360, 640), (390, 844), (844, 390), (768, 1024), (1024, 600), (1024, 768)),
        *((1280, 720), (1280, 800), (1920, 1080)),
    ),
    "text": ("normal", "large"),
    "theme": ("light", "dark"),
}


def pairwise(axes: Mapping[str, Sequence[Any]]) -> list[Case]:
    """Few cases in which any two values of two axes meet: the same ones each time.

    The first pair that is missing begins a case; each other axis adds the value that meets most
    new ones.
    """
    missing = {
        frozenset(((one, first), (other, second))): None
        for one, other in combinations(axes, 2)
        for first, second in product(axes[one], axes[other])
    }
    order = list(missing)
    Random(43).shuffle(order)
    missing = dict.fromkeys(order)
    cases: list[Case] = []
    seen = Counter[tuple[str, Any]]()  # of two that meet as many, the rarer one
    while missing:
        case = dict(next(iter(missing)))
        for axis in (each for each in axes if each not in case):
            known = list(case.items())
            gains = [
                (
                    sum(frozenset(((axis, value), one)) in missing for one in known),
                    -seen[axis, value],
                )
                for value in axes[axis]
            ]
            case[axis] = axes[axis][gains.index(max(gains))]
        seen.update(case.items())
        for pair in combinations(case.items(), 2):
            missing.pop(frozenset(pair), None)
        cases.append({axis: case[axis] for axis in axes})
    return sorted(cases, key=lambda case: [axes[axis].index(case[axis]) for axis in axes])


# What is wrong with a page that stands still, in words.
FAULTS: Final = """
async ([text, wanted, sizes]) => {
  document.documentElement.dataset.text = text;
  scrollTo(0, 0);
  await document.fonts.ready;
  await new Promise(requestAnimationFrame);
  const faults = [];
  const HIDDEN = ".hidden, .skip, .banner, [hidden], .sheet-over:not(:popover-open)";
  const words = (it) => (it.textContent.trim() || it.getAttribute("class")).slice(0, 30);
  const root = document.documentElement;
  const beyond = root.scrollWidth - root.clientWidth;
  if (beyond > 0) faults.push(`sideways: ${beyond} pixels`);

  // ---- boxes of words and of dice, as far as those that scroll show them ----
  const lifted = (it) => {
    for (let each = it; each; each = each.parentElement) {
      if (["fixed", "sticky"].includes(getComputedStyle(each).position)) return each;
    }
    return null;
  };
  const boxes = [];
  function add(it, box, is_text) {
    let { left, top, right, bottom } = box;
    if (right - left < 2 || bottom - top < 2) return;
    const size = parseFloat(getComputedStyle(it).fontSize);
    const is_small = ([selector, least]) => is_text && it.matches(selector) && size < least - 0.1;
    if (sizes.some(is_small)) faults.push(`small, ${size}: ${words(it)}`);
    for (let each = it; each && each !== document.body; each = each.parentElement) {
      const style = getComputedStyle(each);
      if (style.clipPath === "inset(50%)") return; // for ears alone
      if (style.position === "fixed") break;
      if (style.overflowX === "visible" && style.overflowY === "visible") continue;
      const edge = each.getBoundingClientRect();
      const slack = is_text ? (bottom - top) / 4 : 1; // letters are lower than their line
      const hides = (axis) => ["hidden", "clip"].includes(axis);
      if ((hides(style.overflowX) && (left < edge.left - 1 || right > edge.right + 1))
        || (hides(style.overflowY) && (top < edge.top - slack || bottom > edge.bottom + slack))) {
        const is_long = bottom - edge.top > 2.5 * (bottom - top) && each.closest("[title]");
        if (!is_long) faults.push(`cut: ${words(it)} (${each.className})`); // else its title has it
      }
      [left, top] = [Math.max(left, edge.left), Math.max(top, edge.top)];
      [right, bottom] = [Math.min(right, edge.right), Math.min(bottom, edge.bottom)];
      if (right - left < 2 || bottom - top < 2) return;
    }
    boxes.push({ it, left, top, right, bottom, layer: lifted(it), is_text });
  }
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let text; (text = walker.nextNode());) {
    const holder = text.parentElement;
    if (!text.data.trim() || holder.closest(`${HIDDEN}, svg, script, style, video`)) continue;
    if (!holder.checkVisibility({ visibilityProperty: true })) continue;
    const range = document.createRange();
    range.selectNodeContents(text);
    for (const box of range.getClientRects()) add(holder, box, true);
  }
  const drawn = ".die, .piece, .initial, .tv-code, .key .icon";
  for (const it of document.querySelectorAll(drawn)) {
    const is_seen = !it.closest(HIDDEN) && it.checkVisibility();
    if (is_seen && !it.parentElement.closest(drawn)) add(it, it.getBoundingClientRect(), false);
  }
  boxes.sort((one, other) => one.top - other.top);
  const inner = ({ left, top, right, bottom, is_text }) => {
    const [across, down] = is_text ? [1, (bottom - top) / 5] : [1, 1];
    return [left + across, top + down, right - across, bottom - down];
  };
  for (const [at, one] of boxes.entries()) {
    const [left, top, right, bottom] = inner(one);
    for (const other of boxes.slice(at + 1)) {
      if (other.top > one.bottom) break;
      const box = inner(other);
      if (box[0] >= right || box[2] <= left || box[1] >= bottom || box[3] <= top) continue;
      if (one.layer !== other.layer) continue; // what is scrolled goes under what is not
      if (one.it.contains(other.it) || other.it.contains(one.it)) continue;
      faults.push(`overlap: ${words(one.it)} / ${words(other.it)}`);
    }
  }

  // ---- what must be in sight ----
  const columns = ".side, .board, .table, body, html";
  const shows = (it, x, y) => {
    const over = document.elementFromPoint(x, y);
    return over && (it.contains(over) || (over.contains(it) && !over.matches(columns)));
  };
  const is_hidden = (it) => {
    const { left, top, right, bottom } = it.getBoundingClientRect();
    const [across, down] = [Math.min(3, (right - left) / 4), (bottom - top) / 4];
    return left < -0.5 || top < -0.5 || right > innerWidth + 1 || bottom > innerHeight + 1
      || !shows(it, left + across, top + down) || !shows(it, right - across, bottom - down);
  };
  for (const selector of wanted) {
    const found = [...document.querySelectorAll(selector)].filter((it) => it.checkVisibility());
    if (!found.length) faults.push(`${selector}: none`);
    for (const it of found.filter(is_hidden)) {
      faults.push(`out of sight: ${selector} ${words(it)}`);
    }
  }
  return [...new Set(faults)];
}
"""


def wanted(case: Case) -> list[str]:
    """What has to be in sight; small screens with larger text scroll, and so does the smallest."""
    (_, stage), (width, height) = case["stage"], case["size"]
    if case["page"] == "/tv":
        return []
    if case["page"] == "/camera":
        return ["#turn h1", "#panel .key-label", "#panel .means"]
    tight = (width < 1024 and case["text"] == "large") or height == 640
    needs = [*ALWAYS, *(each for each in NEEDS[stage] if not tight or "instruction" in each)]
    return [each.removeprefix("| ") for each in needs if width >= 1024 or not each.startswith("|")]


def least_sizes(case: Case) -> list[tuple[str, float]]:
    """How large letters have to be, in pixels: on a tablet, and from the sofa."""
    width, height = case["size"]
    if case["page"] == "/tv":
        return [("*", 0.0145 * min(width, height * 16 / 9))]
    return [*LEAST.items()] if case["page"] == "/" and width >= 1024 else []


def faults_of(page: Page, cases: Sequence[Case]) -> Iterator[str]:
    """What is wrong in each of these cases, with its circumstances."""
    port = lasting_port()  # the same for each table: style sheets are asked for once
    for (stage, many), of_one in groupby(cases, lambda case: (case["stage"], case["players"])):
        phone = PhoneCamera(CameraParts(open_photo, utc_now))
        with brought(made(stage[0], stage[1], many), port, phone) as table:
            shown = None
            for case in of_one:
                if (case["page"], case["language"]) != shown:
                    shown = case["page"], case["language"]
                    speaks(page, table.url, case["language"])
                    page.goto(table.url + case["page"], wait_until="domcontentloaded")
                page.emulate_media(color_scheme=case["theme"], reduced_motion="reduce")
                resize(page, *case["size"])
                for fault in look_for_faults(page, case):
                    yield f"{' '.join(str(value) for value in case.values())}: {fault}"


def look_for_faults(page: Page, case: Case) -> list[str]:
    """What is wrong in that case with the page as it is."""
    asked = [case["text"], wanted(case), least_sizes(case)]
    faults: list[str] = page.evaluate(FAULTS, asked)
    return faults


def made(game: str, stage: str, many: int) -> Made:
    """That stage of a game of so many, or of the next number that can play it."""
    seats = GAMES[game].seats
    return stages_of(game, NAMES[: min(max(many, seats[0]), seats[-1])])[stage]


def all_of(game: str) -> list[Case]:
    """Every combination for that game, in the light look alone: the dark one moves nothing."""
    axes = {**AXES, "stage": stages([game]), "theme": ("light",)}
    return [dict(zip(axes, values, strict=True)) for values in product(*axes.values())]


@pytest.mark.parametrize(
    ("game", "cases"),
    [
        *((game, pairwise(AXES)) for game in DIFFERENT),
        *(pytest.param(game, all_of(game), marks=pytest.mark.slow) for game in GAMES),
    ],
    ids=lambda value: value if isinstance(value, str) else f"{len(value)} cases",
)
def test_nothing_overlaps_is_cut_or_out_of_sight(
    open_page: OpenPage, game: str, cases: Sequence[Case]
) -> None:
    """Any two of stage, number of players, page, language, size, text and theme meet."""
    page = open_page("/about").page
    assert list(faults_of(page, [case for case in cases if case["stage"][0] == game])) == []
