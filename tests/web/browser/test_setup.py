"""The set-up page under a finger, a mouse and keys: nothing reloads or loses its place."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import expect

from scoreboard.table.requests import GameOpened
from tests.web.browser.conftest import OpenPage
from tests.web.browser.hands import Hands
from tests.web.browser.served_table import ServedTable

FAMILY = ("Ann", "Ben", "김하늘", "Grandma Wilhelmine")
OUT_OF_SIGHT = """
(wanted) => [...document.querySelectorAll(wanted)]
  .filter((it) => {
    const box = it.getBoundingClientRect();
    const bar = document.querySelector(".setup-bar").getBoundingClientRect();
    const lowest = it.closest(".setup-bar") ? innerHeight : bar.top;
    return box.width < 48 || box.height < 40 || box.top < 0 || box.bottom > lowest;
  })
  .map((it) => it.id)
"""


@pytest.fixture
def family(table: ServedTable) -> ServedTable:
    """A table at which Ann played most; four played last."""
    for players in (("Ann", "Cem"), ("Ann", "Ben"), FAMILY):
        table.submit(GameOpened("yahtzee", players, {"start": "first"}))
    return table


@pytest.fixture
def setting_up(open_page: OpenPage, family: ServedTable) -> Hands:  # noqa: ARG001 -- the table's games
    """A tablet at the set-up page, marked so that a reload shows, and scrolled a little."""
    return marked(open_page("/setup"))


def marked(hands: Hands) -> Hands:
    """Have the page keep a mark until it is loaded again."""
    hands.page.evaluate("document.body.dataset.mark = 'there'")
    return hands


def seats(hands: Hands) -> list[str]:
    """The names in the order of the seats."""
    fields = hands.page.locator(".seats").get_by_role("textbox")
    return [field.input_value() for field in fields.all()]


def sits(hands: Hands, *names: str) -> None:
    """Wait until these sit there, in this order, and nothing was loaded again."""
    fields = hands.page.locator(".seats").get_by_role("textbox")
    expect(fields).to_have_count(len(names))
    for field, name in zip(fields.all(), names, strict=True):
        expect(field).to_have_value(name)
    expect(hands.page.locator("body")).to_have_attribute("data-mark", "there")


def middle(hands: Hands, number: int) -> tuple[float, float]:
    """Where a finger takes hold of the seat."""
    box = hands.page.locator(f"#grip-{number}").bounding_box()
    assert box is not None
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def drags(hands: Hands, number: int, to: int) -> None:
    """Drag a seat with the mouse."""
    mouse, (x, y) = hands.page.mouse, middle(hands, number)
    mouse.move(x, y)
    mouse.down()
    mouse.move(x + 3, middle(hands, to)[1], steps=8)
    mouse.up()


def drags_by_touch(hands: Hands, number: int, to: int) -> None:
    """Drag a seat with a finger; Playwright itself only taps."""
    finger = hands.page.context.new_cdp_session(hands.page)
    (x, y), (_, end) = middle(hands, number), middle(hands, to)
    for kind, at in (
        ("touchStart", [y]),
        *(("touchMove", [y + (end - y) * part / 8]) for part in range(1, 9)),
        ("touchEnd", []),
    ):
        points = [{"x": x, "y": each} for each in at]
        finger.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})


@pytest.mark.parametrize(
    ("phone", "drag"), [(False, drags), (True, drags_by_touch)], ids=["mouse", "touch"]
)
def test_players_are_moved_by_dragging(
    open_page: OpenPage,
    family: ServedTable,  # noqa: ARG001 -- the table's games
    drag: Callable[[Hands, int, int], None],
    *,
    phone: bool,
) -> None:
    """Down over several seats and up again; the colour is the seat's, the initial the player's."""
    hands = marked(open_page("/setup", phone=phone))
    hands.page.locator("#grip-4").scroll_into_view_if_needed()
    scrolled = hands.page.evaluate("scrollY")
    colour = hands.page.locator("#grip-1 .seat-colour")
    before = colour.evaluate("it => getComputedStyle(it).backgroundColor")
    drag(hands, 1, 3)
    sits(hands, "Ben", "김하늘", "Ann", "Grandma Wilhelmine")
    expect(hands.page.locator("#grip-3")).to_be_focused()
    expect(colour).to_have_text("B")
    expect(colour).to_have_css("background-color", before)
    drag(hands, 4, 1)
    sits(hands, "Grandma Wilhelmine", "Ben", "김하늘", "Ann")
    assert hands.page.evaluate("scrollY") == scrolled
    hands.page.locator("#begin").click()
    hands.reads_turn("Grandma Wilhelmine", "Roll 1 of 3")


def test_players_are_moved_by_keys_and_buttons(setting_up: Hands) -> None:
    """The focus goes with the player, and a screen reader hears where."""
    page = setting_up.page
    page.evaluate("scrollTo(0, 40)")
    scrolled = page.evaluate("scrollY")
    page.locator("#grip-1").focus()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowDown")
    sits(setting_up, "Ben", "김하늘", "Ann", "Grandma Wilhelmine")
    expect(page.locator("#grip-3")).to_be_focused()
    expect(page.get_by_role("status")).to_have_text("Ann is player 3 now.")
    page.keyboard.press("ArrowUp")
    sits(setting_up, "Ben", "Ann", "김하늘", "Grandma Wilhelmine")
    setting_up.press("Move player 2 up")
    sits(setting_up, "Ann", "Ben", "김하늘", "Grandma Wilhelmine")
    expect(page.locator("#down-1")).to_be_focused()  # up is no further
    page.keyboard.press("Enter")
    sits(setting_up, "Ben", "Ann", "김하늘", "Grandma Wilhelmine")
    expect(page.locator("#down-2")).to_be_focused()
    assert page.evaluate("scrollY") == scrolled


def test_known_players_are_picked_by_taps(setting_up: Hands) -> None:
    """Fast ones too: the most frequent comes first, a second tap takes the seat away."""
    known = setting_up.page.get_by_role("group", name="Who played before").get_by_role("button")
    assert known.all_inner_texts()[0] == "Ann"
    for name in FAMILY:
        setting_up.button(name).click()
    sits(setting_up, "", "")
    for name in ("Cem", "Ann", "Ben"):
        setting_up.button(name).click()
    sits(setting_up, "Cem", "Ann", "Ben")
    expect(setting_up.button("Ben")).to_be_focused()
    expect(setting_up.button("Ben")).to_have_attribute("aria-pressed", "true")
    expect(setting_up.button("김하늘")).to_have_attribute("aria-pressed", "false")
    setting_up.press("Start the game")
    setting_up.reads_turn("Cem", "Roll 1 of 3")


def test_a_new_name_is_typed_while_the_page_changes(setting_up: Hands) -> None:
    """What comes from the table does not take away what was typed after the tap."""
    page = setting_up.page
    setting_up.press("Add a player")
    expect(page.get_by_label("Player 5", exact=True)).to_be_focused()
    page.evaluate("document.getElementById('game-chaser').click()")
    page.keyboard.type("Zoe", delay=15)
    expect(setting_up.game_card("Chaser")).to_have_attribute("aria-current", "true")
    sits(setting_up, *FAMILY, "Zoe")
    expect(page.get_by_label("Player 5", exact=True)).to_be_focused()


def test_a_game_and_its_rules_are_chosen_in_place(setting_up: Hands) -> None:
    """The heading of the folded rules names what is not by the book; one tap tells the rule."""
    page = setting_up.page
    setting_up.react_to(setting_up.game_card("Rummikub"))
    expect(setting_up.game_card("Rummikub")).to_be_focused()
    summary = page.locator("#house-rules-summary")
    expect(summary).to_have_text("House rules: as the book has them")
    setting_up.tap(summary)
    rule = page.locator("#now-clock")
    expect(rule).to_have_text("A turn lasts One minute")
    setting_up.tap(rule)
    page.get_by_label("Two minutes").check()
    expect(summary).to_have_text("House rules: A turn lasts: Two minutes")
    expect(rule).to_have_text("A turn lasts Two minutes")
    expect(page.get_by_label("Two minutes")).to_be_focused()
    setting_up.press("The rule: A turn lasts")
    setting_up.reads("When the time is up, the table is put back and three tiles are drawn.")
    setting_up.reads("Rule RK-7")
    page.keyboard.press("Escape")
    setting_up.react_to(setting_up.button(re.compile("^Same as last time Yahtzee · Ann, Ben")))
    expect(setting_up.game_card("Yahtzee")).to_have_attribute("aria-current", "true")
    sits(setting_up, *FAMILY)


def test_without_the_table_the_browser_says_so(setting_up: Hands, table: ServedTable) -> None:
    """A change that does not reach the table is not lost in silence."""
    table.stop()
    setting_up.game_card("Chaser").click()
    expect(setting_up.page.locator("#setup")).to_have_count(0)


@pytest.mark.parametrize("size", [(1280, 800), (1024, 768)])
def test_games_players_and_the_start_are_in_sight(setting_up: Hands, size: tuple[int, int]) -> None:
    """Four known players on a tablet: nobody scrolls before starting the game."""
    setting_up.page.set_viewport_size({"width": size[0], "height": size[1]})
    wanted = ".game-card, .seat-row input, .known button, #begin"
    assert setting_up.page.locator(wanted).count() == 7 + 4 + 5 + 1
    if size == (1280, 800):
        wanted += ", .asked legend"  # who starts
    assert setting_up.page.evaluate(OUT_OF_SIGHT, wanted) == []


@pytest.mark.parametrize("game", ["yahtzee", "tongtong"])
def test_the_start_stays_in_sight_on_a_phone(
    open_page: OpenPage,
    family: ServedTable,  # noqa: ARG001 -- the table's games
    game: str,
) -> None:
    """Wherever the page is scrolled to, and it never covers the last thing on it."""
    page = open_page(f"/setup?game={game}&name=Ann&name=Ben", phone=True).page
    steps = ".game-card.chosen, #known-1, #name-1, #name-2"
    steps += ", .asked legend" if game == "yahtzee" else ""
    assert page.evaluate(OUT_OF_SIGHT, steps) == []
    for place in (0, 300, 99_999):
        page.evaluate("(place) => scrollTo(0, place)", place)
        assert page.evaluate(OUT_OF_SIGHT, "#begin") == []
    last = page.locator("#setup > .card, .setup-columns > .card").last
    covered = "it => it.getBoundingClientRect().bottom > innerHeight - 70"
    assert not last.evaluate(covered)
