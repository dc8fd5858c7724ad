"""Matches of Tong Tong by taps and by words, to their ends."""

from __future__ import annotations

import re
from collections.abc import Sequence

import pytest
from playwright.sync_api import Route, expect

from scoreboard.games.tongtong.acts import CardPlayed
from tests.web.browser.conftest import OpenPage
from tests.web.browser.hands import Hands, resize
from tests.web.browser.served_table import ServedTable

MISSIONS = {
    "high-9": "Highest sum first, bust from 9 on",
    "high-12": "Highest sum first, bust from 12 on",
    "low-5": "Lowest sum first, bust up to 5",
}
COLOURS = {"R": "red", "B": "blue", "G": "green"}


def test_a_quick_match(open_page: OpenPage) -> None:
    """TT-7, TT-9: only tops and sixes are told, by taps; a mission is drawn at random."""
    hands = open_page(phone=True)
    hands.sets_up("Ann", "Ben", "Cem", game="Tong Tong", rule="Only the piles at the end")
    for game in range(3):
        if game < 2:
            hands.press("Draw one at random")
        else:
            hands.react_to(hands.page.locator("[id^=offer-mission-]"))
        hands.fills("The piles of Ann", "red 7", "blue 1")
        hands.fills("The piles of Ben", text="R7")
        hands.reads("red 7")
        hands.page.locator(".sheet-over:popover-open").get_by_role("textbox").fill("-")
        hands.press("Enter it")
        hands.fills("The piles of Cem", "red 2", "green 5", "+1")
    hands.reads(re.compile(r"wins( by \d+)?!|share the win"))  # as the drawn missions have it
    hands.sees_cells("Game 3: tops", "8", "0", "7")
    hands.sees_cells("Game 3: bonus for 6s", "0", "0", "1")


def ann_leads(hands: Hands) -> None:
    """Begin a match by a clock that can be stopped, at which Ann holds red 8 and leads.

    Installed below a running page, it can make the wait for the next heartbeat end at once, which
    bars every button.
    """
    hands.page.clock.install()
    hands.page.reload()
    hands.starts("Ann", "Ben", "Cem", "Dan", game="tongtong")
    hands.press("Highest sum first, bust from 9 on")
    hands.press("Ann holds red 8")
    hands.reads("Ann leads")


def in_quick_succession(hands: Hands, names: Sequence[str], milliseconds: int) -> None:
    """Tap each of these where it is seen now, so long after each other by the page's clock.

    The clock stands between, so that a loaded machine taps as fast as any. It was installed before
    (`ann_leads`).
    """
    hands.reacts()
    for name in set(names):
        hands.sees_whole(hands.button(name))
    boxes = [hands.button(name).bounding_box() for name in names]
    hands.page.clock.pause_at(hands.page.evaluate("Date.now() / 1000 + 1"))
    for box in boxes:
        assert box is not None
        hands.page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
        hands.page.clock.run_for(milliseconds)
    hands.page.clock.resume()


@pytest.mark.parametrize(
    ("milliseconds", "phone"),
    [
        (60, True),
        (250, False),
        pytest.param(250, True, marks=pytest.mark.slow),
        pytest.param(450, True, marks=pytest.mark.slow),
    ],
)
def test_the_four_cards_of_a_trick_are_tapped_in_quick_succession(
    open_page: OpenPage, milliseconds: int, *, phone: bool
) -> None:
    """Each counts as the card that was under the finger, and UNDO as often as it is pressed."""
    hands = open_page(phone=phone)
    ann_leads(hands)
    cards = ["red 8", "red 1", "red 2", "red 5"]
    hands.button("red 8").scroll_into_view_if_needed()
    in_quick_succession(hands, cards, milliseconds)
    hands.reads("Game 1 of 3 · trick 2 of 7")
    hands.reads("Ann leads")
    for card in cards:
        expect(hands.button(card)).to_have_count(0)
    in_quick_succession(hands, ["UNDO"] * 3, milliseconds)
    for card in cards[1:]:
        expect(hands.button(card)).to_have_count(1)
    expect(hands.button("red 8")).to_have_count(0)
    hands.reads_no("came too late")


def fourth_leads(hands: Hands) -> None:
    """A trick is over, and Dan leads before Ann, who holds red 8: it is barred until it is hers."""
    ann_leads(hands)
    in_quick_succession(hands, ["green 1", "green 2", "green 3", "green 8"], 60)
    hands.reads("Dan leads")


@pytest.mark.parametrize(
    "milliseconds", [60, 150, *(pytest.param(each, marks=pytest.mark.slow) for each in (300, 600))]
)
def test_a_card_is_tapped_before_the_page_offers_it(
    open_page: OpenPage, table: ServedTable, milliseconds: int
) -> None:
    """TT-3: red 8 becomes playable by the tap before it; the table decides, not the page."""
    hands = open_page(phone=True)
    fourth_leads(hands)
    in_quick_succession(hands, ["red 2", "red 8: not now", "red 1", "red 7"], milliseconds)
    hands.reads("trick 3 of 7")
    assert played(table) == ["Dan R2", "Ann R8", "Ben R1", "Cem R7"]


@pytest.mark.parametrize("milliseconds", [60, 150])
@pytest.mark.parametrize("refused", ["green 2: played", "red 8: not now"])
def test_what_follows_a_refused_card_is_nobody_else_s(
    open_page: OpenPage, table: ServedTable, refused: str, milliseconds: int
) -> None:
    """The next cards were meant for the next players: they are refused aloud."""
    hands = open_page()
    fourth_leads(hands)
    taps = [refused, "red 1", "red 7"] if "8" in refused else ["red 2", refused, "red 1", "red 7"]
    in_quick_succession(hands, taps, milliseconds)
    hands.reads("That cannot be done now. What was tapped after it was not taken")
    assert played(table) == ["Dan R2"][: len(taps) - 3]


def test_what_follows_a_question_is_nobody_else_s(open_page: OpenPage, table: ServedTable) -> None:
    """TT-4: it is asked whether a revoke counts, and the next taps do not answer it."""
    hands = open_page()
    fourth_leads(hands)
    in_quick_succession(hands, ["red 2", "red 8: not now", "blue 1", "red 7"], 60)
    hands.reads("Ann leads")
    in_quick_succession(hands, ["red 1", "red 3", "red 4", "red 5"], 60)
    hands.reads("Ben held red 3 when red 2 was led in trick 2, and did not follow")
    hands.reads("What was tapped after it was not taken")
    assert played(table)[4:] == ["Ann R1"]


def played(table: ServedTable) -> list[str]:
    """The cards of the second trick, each with who played it."""
    events = [record.event for record in table.store.events("game-1")]
    plays = [event for event in events if isinstance(event, CardPlayed)]
    return [f"{each.player} {each.card}" for each in plays[4:]]


def test_nothing_changes_under_a_finger(open_page: OpenPage) -> None:
    """The answer to one tap comes while the next card is touched: that tap counts all the same."""
    hands = open_page()
    hands.starts("Ann", "Ben", "Cem", game="tongtong")
    hands.press("Highest sum first, bust from 9 on")
    hands.press("Ann holds red 8")
    hands.reads("Ann leads")
    under_way: list[Route] = []

    def hold(route: Route) -> None:
        under_way.append(route)

    hands.page.route(re.compile("/choose$"), hold, times=1)
    hands.press("red 8")
    hands.button("red 1").hover()
    hands.page.mouse.down()
    with hands.page.expect_response(re.compile("/choose$")):
        under_way.pop().continue_()
    hands.reacts()
    hands.page.mouse.up()
    expect(hands.button("red 1")).to_have_count(0)
    hands.reads("Cem follows")


TOUCHED = 44  # pixels that a finger needs
SCREENS = (
    *((1280, 800), (1280, 720), (1024, 768), (1024, 600), (844, 390)),
    *((390, 844), (360, 740), (800, 1280)),
)
BOXES = """(cards) => cards.map((card) => {
  const { left, top, width } = card.getBoundingClientRect();
  return [left, top, width];
})"""


def test_every_card_has_its_place_in_sight(open_page: OpenPage) -> None:
    """A row a colour; whose turn it is, the trick and the buttons are there, too, and no camera.

    Cards are played on the first screen, which moves no other card, and then seen on all.
    """
    hands = open_page()
    hands.starts("Ann", "Benedetta-Maria", "Cem", "Dan", "Eve", game="tongtong")
    hands.press("Highest sum first, bust from 9 on")
    hands.press("Ann holds red 8")
    hands.reads("Ann leads")
    red_one = hands.button("red 1").bounding_box()
    for card, follower in (("red 8", "Benedetta-Maria"), ("red 3", "Cem")):
        hands.press(card)
        hands.reads(f"{follower} follows")
        assert hands.button("red 1").bounding_box() == red_one
    for width, height in SCREENS:
        resize(hands.page, width, height)
        sees_every_card(hands, upright=width < height)
    hands.reads_no("No picture yet")


def sees_every_card(hands: Hands, *, upright: bool) -> None:
    """All cards, the trick, whose turn it is and the buttons are in sight on this screen."""
    cards = hands.page.get_by_role("group", name="The cards").locator("> *")
    expect(cards).to_have_count(40)
    trick, buttons = hands.page.locator("#lying .piece"), hands.page.locator("#panel .key")
    for each in (cards, trick, buttons):
        hands.sees_all_whole(each)
    hands.sees_whole(hands.page.get_by_role("heading", level=1))
    lefts, tops, widths = zip(*cards.evaluate_all(BOXES), strict=True)
    assert (len(set(lefts)), len(set(tops))) == (8, 5)
    if upright:
        assert min(widths) >= TOUCHED
        assert min(lefts) >= 4
        assert max(lefts) + widths[0] <= hands.page.viewport_size["width"] - 4  # type: ignore[index]  # it is set


def test_a_card_that_may_not_be_played_is_marked(open_page: OpenPage) -> None:
    """TT-4: the one that was played, and those that the hand forbids, each in its own way."""
    hands = open_page()
    hands.starts("Ann", "Ben", "Cem", game="tongtong")
    hands.press("Highest sum first, bust from 9 on")
    hands.tap(hands.page.get_by_text("Correct something"))
    hands.fills("The hand of Ann", text="R8 R1 R2 R3 B1 B2 G1 G2")
    hands.reads("Ann leads")
    hands.press("red 8")
    hands.reads("Ben follows")
    expect(hands.button("red 8: played")).to_be_visible()
    barred = hands.button("red 1: not now")
    expect(barred).to_be_visible()
    marks = {barred.evaluate("(card) => getComputedStyle(card, '::after').content")}
    marks.add(hands.button("red 4").evaluate("(card) => getComputedStyle(card, '::after').content"))
    assert marks == {'"⊘" / ""', "none"}


def test_a_nervous_finger_plays_one_card(open_page: OpenPage) -> None:
    """No other card comes under it; what is not there any more is told."""
    hands = open_page()
    hands.starts("Ann", "Ben", "Cem", game="tongtong")
    hands.press("Highest sum first, bust from 9 on")
    hands.press("Ann holds red 8")
    hands.reads("Ann leads")
    hands.reacts()
    hands.button("red 8").dblclick()
    hands.reads("Ben follows")
    hands.reacts()
    expect(hands.page.locator("[id^=offer-play-]")).to_have_count(23)
    hands.reads_no("came too late")


def test_the_keys_show_the_cards_in_play(open_page: OpenPage) -> None:
    """TT-1: four play without yellow, three without purple and yellow."""
    hands = open_page()
    hands.starts("Ann", "Ben", "Cem", "Dan", game="tongtong", option_mode="quick")
    hands.press("Highest sum first, bust from 9 on")
    hands.press("The piles of Ann")
    keys = hands.page.locator(".sheet-over:popover-open")
    expect(keys.get_by_role("button", name="purple 1")).to_have_count(1)
    expect(keys.get_by_role("button", name="yellow 1")).to_have_count(0)
