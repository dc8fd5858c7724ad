"""Every stage of every game on every screen: what it needs is in sight without scrolling."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import product
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from scoreboard.games import DICE_GAMES, GAMES
from tests.web.browser.conftest import OpenPage
from tests.web.browser.hands import resize
from tests.web.browser.photographed_stages import STAGES
from tests.web.browser.stages import NINE, brought, stages_of
from tests.web.browser.test_languages import speaks
from tests.web.browser.test_scoreboard_strip import (
    CAPITALS,
    LARGE,
    NAMES,
    SMALL,
    strip_faults,
)
from web.shared.words import LANGUAGES

DESIGN = Path(__file__).parents[3] / "docs" / "reference" / "design.md"
ALWAYS = ("#scoreboard .total", "#turn h1", "#panel .key-label", "#panel .means")
# What a stage needs beside that, by selectors; a bar before one: on the large screens alone.
NEEDS = {
    "rolling": ("#dice .empty", ".roll-number", "| .step"),
    "moving": ("#dice .empty", ".roll-number", "| .step", "#photo .frame"),
    "read": ("#dice .die-button", ".roll-number", "| .step"),
    "doubt": ("#dice .die-button", ".roll-number", "#dice .doubts li"),
    "second roll": ("#dice .row-of-dice:first-of-type .die-button", ".roll-number"),
    "choosing": ("#sheet .offer", "| #sheet td"),
    "zero asked": ("#asking span", "#asking button", "#sheet .offer"),
    "playing": ("#lying .piece", "#offers .offered button", ".clock", ".roll-number"),
    "tiles moving": ("| #photo .frame", "#lying .piece", ".clock"),
    "round over": ("#offers .offered button", ".roll-number", "| #sheet .box .points"),
    "judged": ("#photo .frame", "#seen .remark", ".clock"),
    "put back": ("#lying .piece", "#offers .offered button"),
    "racks": ("#offers .racks button",),
    "mission": ("#offers .offered button",),
    "trick": ("#offers .piece-button", "#lying .piece"),
    "adding": ("#offers .offered button", "| #sheet .points"),
    "over": ("#ranking .who", "#ranking .total", "#ranking .primary"),
}
# Whatever of these lies outside the screen, is cut by what scrolls, or lies under something else.
HIDDEN = """
async (selectors) => {
  scrollTo(0, 0);
  await new Promise(requestAnimationFrame);
  const columns = ".side, .board, .table";
  const shows = (it, x, y) => {
    const top = document.elementFromPoint(x, y);
    return top && (it.contains(top) || (top.contains(it) && !top.matches(columns)));
  };
  const isHidden = (it) => {
    const box = it.getBoundingClientRect();
    if (box.width < 1 || box.height < 1) return false;
    const [across, down] = [Math.min(3, box.width / 4), box.height / 4]; // letters reach over lines
    const corners = [[box.left + across, box.top + down], [box.right - across, box.bottom - down]];
    const inside = box.left >= 0 && box.top >= 0
      && box.right <= innerWidth + 1 && box.bottom <= innerHeight + 1;
    return !inside || !corners.every(([x, y]) => shows(it, x, y));
  };
  return selectors.flatMap((selector) => {
    const found = [...document.querySelectorAll(selector)].filter((it) => it.checkVisibility());
    if (!found.length) return [`${selector}: none`];
    return found.filter(isHidden).map((it) => `${selector}: ${it.textContent.trim().slice(0, 20)}`);
  });
}
"""


MANY = dict.fromkeys((*DICE_GAMES, "rummikub", "free-sheet"), (2, 4, 6)) | {"tongtong": (3, 4)}
CAPITAL_OF_DISPLAY_FACE = 0.7
LONGEST = "en"  # the catalogues together, a Korean or Japanese letter counted as 1.75
ENDED = ("round over", "over")  # on a phone “+21” reaches into its margin
TIGHT = (1024, 600)
ALONE = ("yams", "rummikub", "tongtong")  # the other games of dice have shorter panes
BEYOND = "(panes) => panes.map((it) => it.scrollWidth - it.clientWidth)"
FONT_SIZE = "(it) => parseFloat(getComputedStyle(it).fontSize)"


def hidden(page: Page, stage: str, *, large: bool) -> list[str]:
    """What the stage needs and this screen hides."""
    wanted = [
        selector.removeprefix("| ")
        for selector in ALWAYS + NEEDS[stage]
        if large or not selector.startswith("|")
    ]
    return list(page.evaluate(HIDDEN, wanted))


def by_turns(*cases: Iterable[object]) -> list[object]:
    """Each case with one turn of three, and the other two where there is time."""
    return [
        pytest.param(*case, turn, marks=pytest.mark.slow if turn else ())
        for case in product(*cases)
        for turn in range(3)
    ]


def screens(game: str, many: int, turn: int | None) -> list[tuple[int, int]]:
    """Where so many players are seen: everywhere, six from 1024 pixels on; or there by turns.

    Whoever takes turns over stages sees each stage on each screen, the tightest with most players.
    """
    fewest, *_, most = MANY[game]
    if turn is None or many == most == 4 or (many == fewest and turn % 3 == 0):
        return [*LARGE, *(() if many == 6 else SMALL)]
    if many == fewest:
        return []
    half = LARGE[(turn + many // 2) % 2 :: 2]
    large = [each for each in LARGE if each in half or each == TIGHT]
    return [*large, *(SMALL if many == 4 else ())]


def test_each_of_the_nine_stages_is_measured_and_photographed() -> None:
    """In the games that have it: those of dice put nothing back and have no rounds."""
    measured = {name for game in GAMES for name in stages_of(game, NAMES[:3])}
    assert measured == set(NEEDS)
    assert [each for each in NINE.values() if each[0] not in measured] == []
    assert [each for each in NINE.values() if each[1] not in STAGES] == []
    listed = DESIGN.read_text(encoding="utf-8")
    assert [stage for stage in NINE if f"| {stage} |" not in listed] == []


@pytest.mark.parametrize(
    ("game", "language", "turn"),
    [
        *((game, LONGEST, 0) for game in ALONE),
        *(
            pytest.param(game, language, None, marks=pytest.mark.slow)
            for game in GAMES
            for language in LANGUAGES
        ),
    ],
)
def test_all_that_a_stage_needs_is_in_sight(
    open_page: OpenPage, game: str, language: str, turn: int | None
) -> None:
    """Without scrolling, and the totals are legible."""
    page = open_page().page
    faults = []
    for many in MANY[game]:
        for at, (stage, made) in enumerate(stages_of(game, NAMES[:many]).items()):
            seen_on = screens(game, many, None if turn is None else turn + at)
            if not seen_on:
                continue
            with brought(made) as table:
                speaks(page, table.url, language)
                page.goto(table.url)
                expect(page.locator("#scoreboard .player")).to_have_count(many)
                for width, height in seen_on:
                    page.set_viewport_size({"width": width, "height": height})
                    large = (width, height) in LARGE
                    found = hidden(page, stage, large=large)
                    if large or stage not in ENDED:
                        found += strip_faults(page, large=large)
                    faults += [f"{stage}, {many} at {width}x{height}: {fault}" for fault in found]
    assert faults == []


def test_a_phone_shows_the_columns_of_two_players_whole(open_page: OpenPage) -> None:
    """Nothing is cut at the edge, and nobody has to swipe for the other's points."""
    page = open_page().page
    for game in DICE_GAMES:
        with brought(stages_of(game, NAMES[:2])["read"]) as table:
            page.goto(table.url)
            for width in (360, 390):
                resize(page, width, 740)
                beyond = page.locator(".pane-view").evaluate_all(BEYOND)
                assert beyond, game
                assert max(beyond) <= 0, (game, width)


def test_the_turn_can_be_read_across_the_room(open_page: OpenPage) -> None:
    """Whose turn it is at a glance, and which roll: 20 and 10 minutes of arc at 1.5 m."""
    page = open_page().page
    with brought(stages_of("yahtzee", ("Anna", "Maximiliane"))["read"]) as table:
        page.goto(table.url)
        for width, height in LARGE:
            resize(page, width, height)
            for selector, least in ((".whose", 2 * CAPITALS - 1), (".roll-number", CAPITALS - 1)):
                size = page.locator(selector).evaluate(FONT_SIZE)
                assert size * CAPITAL_OF_DISPLAY_FACE >= least, (selector, width, height)
