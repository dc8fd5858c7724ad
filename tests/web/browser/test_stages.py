"""The stages of every game: each is measured, and the turn is seen from afar."""

from __future__ import annotations

from itertools import product
from pathlib import Path

from scoreboard.games import DICE_GAMES, GAMES
from tests.web.browser.conftest import OpenPage
from tests.web.browser.hands import resize
from tests.web.browser.photographed_stages import STAGES
from tests.web.browser.stages import NINE, brought, stages_of
from tests.web.browser.test_layout import AXES, CAPITALS, NAMES, NEEDS

DESIGN = Path(__file__).parents[3] / "docs" / "reference" / "design.md"
CAPITAL_OF_DISPLAY_FACE = 0.7
BEYOND = "(panes) => panes.map((it) => it.scrollWidth - it.clientWidth)"
FONT_SIZE = "(it) => parseFloat(getComputedStyle(it).fontSize)"


def test_each_of_the_nine_stages_is_measured_and_photographed() -> None:
    """In the games that have it: those of dice put nothing back and have no rounds."""
    measured = {name for game in GAMES for name in stages_of(game, NAMES[:3])}
    assert measured == set(NEEDS)
    assert [each for each in NINE.values() if each[0] not in measured] == []
    assert [each for each in NINE.values() if each[1] not in STAGES] == []
    listed = DESIGN.read_text(encoding="utf-8")
    assert [stage for stage in NINE if f"| {stage} |" not in listed] == []


def test_a_phone_shows_the_columns_of_four_players_whole(open_page: OpenPage) -> None:
    """Nothing is cut at the edge, and nobody has to swipe for the others' points."""
    page = open_page().page
    for game, players in product(DICE_GAMES, (2, 3, 4)):
        with brought(stages_of(game, NAMES[:players])["read"]) as table:
            page.goto(table.url)
            for width in (360, 390):
                resize(page, width, 740)
                beyond = page.locator(".pane-view").evaluate_all(BEYOND)
                assert beyond, game
                assert max(beyond) <= 0, (game, players, width)


def test_the_turn_can_be_read_across_the_room(open_page: OpenPage) -> None:
    """Whose turn it is at a glance, and which roll: 20 and 10 minutes of arc at 1.5 m."""
    page = open_page().page
    with brought(stages_of("yahtzee", ("Anna", "Maximiliane"))["read"]) as table:
        page.goto(table.url)
        for width, height in (size for size in AXES["size"] if size[0] >= 1024):
            resize(page, width, height)
            for selector, least in ((".whose", 2 * CAPITALS - 1), (".roll-number", CAPITALS - 1)):
                size = page.locator(selector).evaluate(FONT_SIZE)
                assert size * CAPITAL_OF_DISPLAY_FACE >= least, (selector, width, height)
