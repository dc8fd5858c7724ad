"""Tong Tong from pictures to the final sheet: camera, taught deck, rulebook, store and page."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import Any, Final

import pytest
from playwright.sync_api import Browser, Page, expect

from scoreboard.games.tongtong.cards import Card, Play, Trick
from scoreboard.storage import open_store
from scoreboard.table.requests import Chosen, GameOpened
from scoreboard.table.session import TableSession
from tests.patience import PATIENCE_MILLISECONDS
from tests.web.browser.conftest import TABLET, is_expected, listen
from tests.web.browser.hands import Hands
from tests.web.browser.test_tongtong import COLOURS, MISSIONS
from tests.web.process import ROOT, running
from web.shared.clocks import utc_now

GAMES: Final[list[dict[str, Any]]] = json.loads(
    (ROOT / "tests/hardware/cameras/demo_tongtong_truth.json").read_text(encoding="utf-8")
)["games"]
PLAYERS: Final = ("Ann", "Ben", "Cid")
TWO_AT_ONCE: Final = 7  # the third game's card of this number falls together with the next
ANSWER_MILLISECONDS: Final = 12_000
MOST_TRIES: Final = 5

AtTable = Callable[[str], AbstractContextManager[Hands]]


@pytest.fixture
def at_table(browser: Browser, tmp_path: Path) -> AtTable:
    """Opens a tablet before the demo without a camera, which plays on with a database."""
    settings = tmp_path / "table.toml"
    settings.write_text("[demo]\nframes_per_second = 20.0\n", encoding="utf-8")

    @contextmanager
    def open_tablet(database: str) -> Iterator[Hands]:
        faults: list[str] = []
        with running("--settings", str(settings), "--database", database) as process:
            context = browser.new_context(viewport=TABLET)  # type: ignore[arg-type]  # a TypedDict
            context.set_default_timeout(PATIENCE_MILLISECONDS)
            page = context.new_page()
            listen(page, faults)
            process.open_in(page)
            yield Hands(page)
            context.close()
        assert [fault for fault in faults if not is_expected(fault)] == []

    return open_tablet


@pytest.fixture
def database(tmp_path: Path) -> str:
    """Where the evening is stored."""
    return f"sqlite:///{tmp_path / 'demo.sqlite3'}"


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
    expect(hands.page.locator("#photo .faulty text")).to_have_count(2)
    return told[TWO_AT_ONCE:]


def reads_cards(hands: Hands, told: Sequence[tuple[str, Card]]) -> None:
    """Each is read from its picture, and kept."""
    for player, card in told:
        keeps(hands, f"{player} played {named(card)}")


def is_won_by_ben(hands: Hands) -> None:
    """The sheet of the finished match."""
    hands.reads("The game is over")
    hands.sees_cells("Game 3: tops", "7", "5", "11")
    hands.sees_cells("Game 3: bonus for 6s", "0", "1", "2")
    hands.sees_cells("Grand total", "17", "28", "22")
    ranking = hands.page.get_by_role("region", name="Final ranking").get_by_role("listitem")
    expect(ranking).to_contain_text(["Ben", "Cid", "Ann"])


@pytest.mark.slow
def test_a_game_is_played_card_by_card_to_the_final_sheet(at_table: AtTable, database: str) -> None:
    """TT-3 to TT-13: seven tricks from their pictures, the last game of a match that goes on."""
    tell_two_games(database)
    with at_table(database) as hands:
        hands.sees_cells("Total after game 2", "7", "20", "20")
        (_, first), (_, second), *rest = plays_up_to_two_at_once(hands)
        taps(hands, named(first))
        taps(hands, named(second))
        reads_cards(hands, rest)
        is_won_by_ben(hands)


@pytest.mark.slow
def test_a_match_is_told_by_its_piles_alone(at_table: AtTable, database: str) -> None:
    """TT-7 to TT-9: nine pictures of tops with the 6s beside them, and the sheet is the same."""
    with at_table(database) as hands:
        hands.sets_up(*PLAYERS, game="Tong Tong", rule="Only the piles at the end")
        for game in GAMES:
            taps(hands, MISSIONS[game["mission"]])
            for player, piles in zip(PLAYERS, game["piles"], strict=True):
                keeps(hands, f"The piles of {player}: {piles}")
        is_won_by_ben(hands)
