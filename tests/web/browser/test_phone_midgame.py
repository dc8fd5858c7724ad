"""Every game in its middle on a phone: nothing widens the page, and what is needed is in sight."""

from __future__ import annotations

from itertools import product

import pytest
from playwright.sync_api import expect

from scoreboard.games import DICE_GAMES, GAMES
from tests.web.browser.conftest import OpenPage
from tests.web.browser.hands import Hands, resize
from tests.web.browser.photographed_stages import (
    KEEP,
    Made,
    PhotographedTable,
    acts,
    after,
    choose,
    enter,
    opens,
)
from tests.web.browser.stages import brought, stages_of
from tests.web.browser.test_languages import speaks
from tests.web.browser.test_layout import NAMES
from web.shared.words import LANGUAGES

PHONES = ((390, 844), (360, 740))
# The second player does not follow red, and that shows once red 1 is played.
TRICKS = ("R8", "B1", "R2", "R3", "R4", "G1", "G2")
EDITED = (
    ".laid .set, .new-set, .tile-pad button:not(.other-ink), .acts button, .held button, .clock"
)
SETS = "K1 K2 K3\nR4 R5 R6\nB7 B8 B9\nO10 O11 O12"
# What escapes the box that scrolls it widens the page: see `.hidden` in base.css.
ESCAPING = """() => {
  const style = (it) => getComputedStyle(it);
  const scrolls = (it) => it !== document.body && style(it).overflow !== "visible";
  const held = (it) => style(it).position !== "static";
  const escapes = (it) => {
    let box = it.parentElement;
    while (box && !held(box) && !scrolls(box)) box = box.parentElement;
    return box && !held(box);
  };
  const hidden = [...document.querySelectorAll("body *")].filter(
    (it) => it.checkVisibility() && style(it).position === "absolute",
  );
  return hidden.filter(escapes).map((it) => it.textContent.trim());
}"""


AT_THE_EDGE = """() => {
  const words = (it) => {
    if (it.matches(".piece")) return it.getBoundingClientRect();
    const range = document.createRange();
    range.selectNodeContents(it);
    return range.getBoundingClientRect();
  };
  const touches = ({ left, right }) => left < 4 || right > innerWidth - 4;
  const things = [...document.querySelectorAll("main summary, main h1, .pad .piece, .offered > *")];
  const seen = things.filter((it) => it.checkVisibility());
  return seen.filter((it) => touches(words(it))).map((it) => it.textContent);
}"""


def middle(game: str) -> Made:
    """The middle of a game of the most that can play it."""
    names = NAMES[: GAMES[game].seats[-1]]
    match game:
        case "rummikub":
            begun = acts(choose("begin:0"), choose("lay", SETS))
            return after(opens(game, names, clock="60"), begun)
        case "tongtong":
            plays = [choose(f"play:{card}") for card in TRICKS]
            return after(
                opens(game, names), acts(choose("mission:high-9"), choose("leader:0"), *plays)
            )
        case "free-sheet":
            return stages_of(game, names)["adding"]
        case _:
            return after(stages_of(game, names)["rolling"], play_half, acts(enter("33516"), KEEP))


def play_half(table: PhotographedTable) -> None:
    """Everybody rolls once a turn, and takes the box that is worth most, in half of the turns."""
    for _ in range(6 * len(NAMES)):
        table.do(enter("33516"), KEEP)
        box = max(table.view.offers, key=lambda offer: offer.points or 0)
        table.do(choose(box.key))
        if table.view.asking is not None:
            table.do(choose(box.key))


def asked_about(game: str, table: PhotographedTable) -> str | None:
    """The key of an act that is asked about before it is done; None where the game has none."""
    if game in DICE_GAMES:
        return next(offer.key for offer in table.view.offers if offer.points == 0)
    return "play:R1" if game == "tongtong" else None


def is_as_wide_as_the_phone(hands: Hands) -> None:
    """Nothing widens the page, or would with other words."""
    assert (
        hands.page.evaluate("[document.documentElement.scrollWidth, innerWidth]")
        == [
            hands.page.viewport_size["width"],  # type: ignore[index]  # it is set
        ]
        * 2
    )
    assert hands.page.evaluate(ESCAPING) == []
    assert hands.page.evaluate(AT_THE_EDGE) == []


def is_in_sight(hands: Hands) -> None:
    """The page is as wide as the phone, and its buttons are in sight."""
    is_as_wide_as_the_phone(hands)
    hands.sees_all_whole(hands.page.locator("#panel .key"))


@pytest.mark.parametrize(
    ("game", "language", "phones"),
    [
        *((game, tuple(LANGUAGES)[at % 3], (PHONES[at % 2],)) for at, game in enumerate(GAMES)),
        *(
            pytest.param(game, language, PHONES, marks=pytest.mark.slow)
            for game, language in product(GAMES, LANGUAGES)
        ),
    ],
)
def test_the_middle_of_a_game_fits_a_phone(
    open_page: OpenPage, game: str, language: str, phones: tuple[tuple[int, int], ...]
) -> None:
    """KEEP, REROLL and UNDO are there, and the question that a tap leads to with its answers.

    The set editor shows the four sets on the table, and where a new one goes.
    """
    hands = open_page(phone=True)
    with brought(middle(game)) as table:
        speaks(hands.page, table.url, language)
        hands.page.goto(table.url)
        for width, height in phones:
            resize(hands.page, width, height)
            is_in_sight(hands)
        if game == "rummikub":
            hands.react_to(hands.page.locator("#offer-lay"))
            for width, height in phones:
                resize(hands.page, width, height)
                hands.sees_all_whole(hands.page.locator(":popover-open").locator(EDITED))
                is_as_wide_as_the_phone(hands)
        if key := asked_about(game, table):
            hands.react_to(hands.page.locator(f'button[value="{key}"]'))
            expect(hands.page.locator("#asking")).to_be_visible()
            for width, height in phones:
                resize(hands.page, width, height)
                is_in_sight(hands)
                hands.sees_all_whole(hands.page.locator("#asking p, #asking button"))
