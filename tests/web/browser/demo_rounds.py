"""The first turns of the demos of tiles and cards, as the documentation pictures them."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator, Sequence
from typing import Any, Final

from playwright.sync_api import Page, expect

from scoreboard.games.tongtong.cards import Card, Play, Trick
from scoreboard.storage import open_store
from scoreboard.table.requests import Chosen, GameOpened
from scoreboard.table.session import TableSession
from tests.patience import PATIENCE_MILLISECONDS
from tests.web.browser.hands import Hands
from tests.web.browser.test_tongtong import COLOURS, MISSIONS
from tests.web.process import ROOT
from web.shared.clocks import utc_now

DRAW = "Draw a tile and pass"
MOST_TRIES = 5
LOOKS = 100
LOOK_SECONDS = 0.03


def presses(hands: Hands, button: str, meaning: str) -> None:
    """Wait until a button means this, and press it until the page says something else."""
    means = hands.page.locator(f"#means-{button.lower()}")
    expect(means).to_have_text(meaning, timeout=PATIENCE_MILLISECONDS)
    before = said(hands)
    do(lambda: hands.press(button), lambda: said(hands) != before)


def said(hands: Hands) -> list[str]:
    """Whose turn it is, and what the buttons would do."""
    return [
        *hands.page.get_by_role("heading", level=1).all_inner_texts(),
        *hands.page.locator("#panel .means").all_inner_texts(),
    ]


def do(act: Callable[[], None], is_done: Callable[[], bool]) -> None:
    """Act until it is done: what comes too late on a busy machine is refused, and nothing is lost.

    The table takes no act twice: a page says which version it looked at.
    """
    for _ in range(MOST_TRIES):
        act()
        for _ in range(LOOKS):
            if is_done():
                return
            time.sleep(LOOK_SECONDS)
    raise AssertionError("nothing came of it")


def lays(hands: Hands, player: str, tiles: str, *, left: tuple[int, int]) -> None:
    """A table is seen whose new tiles are these; KEEP ends the turn, and the racks are counted."""
    expect(hands.page.get_by_role("heading", level=1)).to_have_text(f"{player}’s turn")
    presses(hands, "KEEP", f"End the turn: {tiles} laid")
    hands.sees_cells("Tiles on the rack", *map(str, left))


def draws(hands: Hands, player: str, *, left: tuple[int, int]) -> None:
    """A player has nothing to play."""
    expect(hands.page.get_by_role("heading", level=1)).to_have_text(f"{player}’s turn")
    presses(hands, "REROLL", DRAW)
    hands.sees_cells("Tiles on the rack", *map(str, left))


def sees_marked(hands: Hands, *tags: str) -> None:
    """The faulty tiles are outlined and named on the photo."""
    photo = hands.page.get_by_role("img", name="The photo that was read")
    expect(photo).to_be_visible()
    expect(photo).to_have_js_property("naturalWidth", 1280)
    named = hands.page.locator("#photo .frame > .boxes .faulty text")
    expect(named).to_have_count(len(tags))
    assert sorted(named.all_text_contents()) == sorted(tags)


def begins(hands: Hands) -> None:
    """Both draw a tile for the start; the higher one begins."""
    presses(hands, "KEEP", "North draws a tile for the start: red 11")
    presses(hands, "KEEP", "South draws a tile for the start: blue 4")


def plays_up_to_the_fault(hands: Hands) -> None:
    """The first turns of a round, until South lays a black 7 for a 6."""
    hands.sets_up(
        "North", "South", game="Rummikub", rounds="1", rule="As long as it takes: no clock"
    )
    begins(hands)
    meld = "black 10, red 3, red 4, red 5, blue 10, orange 10"
    lays(hands, "North", meld, left=(8, 14))
    draws(hands, "South", left=(8, 15))
    lays(hands, "North", "red 6, red 10", left=(6, 15))
    hands.reads("black 6 missing: the numbers of a run follow each other.")
    sees_marked(hands, "K4 !", "K5 !", "K7 !")


GAMES: Final[list[dict[str, Any]]] = json.loads(
    (ROOT / "tests/hardware/cameras/demo_tongtong_truth.json").read_text(encoding="utf-8")
)["games"]
PLAYERS: Final = ("Ann", "Ben", "Cid")
TWO_AT_ONCE: Final = 7  # the third game's card of this number falls together with the next
ANSWER_MILLISECONDS: Final = 12_000


def changes(page: Page, words: str) -> bool:
    """Whether KEEP soon means something else than these words."""
    try:
        expect(page.locator("#means-keep")).not_to_have_text(words, timeout=ANSWER_MILLISECONDS)
    except AssertionError:
        return False
    return True


def keeps(hands: Hands, words: str) -> None:
    """Wait until KEEP means this, and press it; what came too late is refused, and done again."""
    for _ in range(MOST_TRIES):
        means = hands.page.locator("#means-keep")
        expect(means).to_have_text(words, timeout=PATIENCE_MILLISECONDS)
        hands.press("KEEP")
        if changes(hands.page, words):
            return
    raise AssertionError(f"KEEP means “{words}” whatever is pressed")


def taps(hands: Hands, words: str) -> None:
    """Tap a button that is gone once it was taken."""
    for _ in range(MOST_TRIES):
        hands.press(words)
        try:
            expect(hands.button(words)).to_have_count(0, timeout=ANSWER_MILLISECONDS)
        except AssertionError:
            continue
        return
    raise AssertionError(f"“{words}” is not taken")


def named(card: Card) -> str:
    """The card as the page names it."""
    return f"{COLOURS[card.colour]} {card.number}"


def plays(game: dict[str, Any]) -> Iterator[tuple[str, Card]]:
    """Who plays which card, in the order played (TT-4, TT-6)."""
    cards, leader = [Card.parse(each) for each in game["played"].split()], int(game["leader"])
    for first in range(0, len(cards), len(PLAYERS)):
        seats = [(leader + nth) % len(PLAYERS) for nth in range(len(PLAYERS))]
        trick = cards[first : first + len(PLAYERS)]
        yield from ((PLAYERS[seat], card) for seat, card in zip(seats, trick, strict=True))
        leader = Trick(tuple(map(Play, seats, trick))).next_leader


def tell_two_games(database: str) -> None:
    """Store a match whose first two games were told on the page, a card a tap."""
    store = open_store(database)
    session = TableSession(store, utc_now, (), lambda: "the evening")
    session.receive(GameOpened("tongtong", PLAYERS, {}))
    for game in GAMES[:2]:
        cards = [f"play:{card}" for card in game["played"].split()]
        for key in (f"mission:{game['mission']}", f"leader:{game['leader']}", *cards):
            assert session.receive(Chosen(key, session.view.version)).verdict == "done"
    store.close()


def plays_up_to_two_at_once(hands: Hands) -> list[tuple[str, Card]]:
    """The third game, read card by card, until two cards lie there at once; gives all that follow.

    The first two of those are the ones that nobody saw fall.
    """
    game = GAMES[2]
    taps(hands, MISSIONS[game["mission"]])
    taps(hands, f"{PLAYERS[game['leader']]} holds red 8")
    told = list(plays(game))
    reads_cards(hands, told[:TWO_AT_ONCE])
    first, second = (named(card) for _, card in told[TWO_AT_ONCE : TWO_AT_ONCE + 2])
    asked = hands.page.get_by_text(f"{first}, {second} are new: tap them in the order played.")
    expect(asked).to_be_visible(timeout=PATIENCE_MILLISECONDS)
    expect(hands.page.locator("#photo .frame > .boxes .faulty text")).to_have_count(2)
    return told[TWO_AT_ONCE:]


def reads_cards(hands: Hands, told: Sequence[tuple[str, Card]]) -> None:
    """Each is read from its picture, and kept."""
    for player, card in told:
        keeps(hands, f"{player} played {named(card)}")
