"""An evening of two games over a real store, and its pages against figures made by hand here."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from scoreboard.dice import Roll
from scoreboard.storage import SqlStore, open_store
from scoreboard.table.requests import Action, Chosen, Corrected, GameOpened, KeepMarked, Pressed
from tests.scoreboard.tournament.client.fakes import wait_for
from tests.web.browser.conftest import OpenPage
from tests.web.browser.hands import BOXES, Hands
from tests.web.browser.served_table import ServedTable
from web.shared.clocks import utc_now
from web.table.history.statistics import Statistics

ANNA, BEN = PLAYERS = ("Anna", "Ben")
UPPER = ("aces", "twos", "threes", "fours", "fives", "sixes")
CHASER_BOXES = {
    "chase-off": "Chase Off",
    "straight": "Straight",
    "even-straight": "Even Straight",
    "four-dice": "Four Dice",
    "full-house": "Full house",
    "choice": "Choice",
    "sixes": "Six Beans",
    "fives": "Five Beans",
    "fours": "Four Beans",
    "threes": "Three Beans",
    "twos": "Two Beans",
    "aces": "Aces",
}
# A round a line, Anna's turn and Ben's: the box, each roll, and between two what was kept.
YAHTZEE_ROUNDS = """
yahtzee 55555                           chance 13566
fours 44126 44 44435 444 44446          aces 11123
full-house 33355                        full-house 22444
sixes 66612                             fives 55512
three-of-a-kind 44451                   large-straight 12345
small-straight 12346                    four-of-a-kind 11115
large-straight 13455 345 23455 2345 23456   twos 23456
fives 55555                             yahtzee 13346
aces 11123                              threes 33345
twos 22234                              fours 44456
threes 33316                            sixes 66641
four-of-a-kind 22226                    small-straight 23456
chance 66542                            three-of-a-kind 12346
"""
CHASER_ROUNDS = """
choice 11225                            chase-off 66666
chase-off 11234                         straight 12345
straight 12346 1234 12345               even-straight 23456
even-straight 23456                     four-dice 44446
four-dice 55556                         full-house 66644
full-house 44442                        choice 55664
sixes 66612                             sixes 66661
fives 55123                             fives 55534
fours 44123                             fours 11235
threes 33125                            threes 33312
twos 22134                              twos 22231
aces 11345                              aces 13456
"""
# What the best possible play has on average, as the issue tells it
AVERAGES = {"yahtzee": 254.58772873449567, "chaser": 175.99355282}
Turn = tuple[str, tuple[str, ...]]  # a box, and the rolls with what was kept between them


def rounds_of(text: str) -> list[tuple[Turn, Turn]]:
    """The turns of each round."""
    played = []
    for line in text.strip().splitlines():
        (box, *rolls), (other, *others) = (half.split() for half in re.split(r"\s{2,}", line))
        played.append(((box, tuple(rolls)), (other, tuple(others))))
    return played


GAMES = {"yahtzee": rounds_of(YAHTZEE_ROUNDS), "chaser": rounds_of(CHASER_ROUNDS)}


def points(game: str, box: str, roll: str) -> int:
    """What paper gives for these dice in a box, without the bonuses."""
    dice = [int(die) for die in roll]
    counts, shown = sorted(Counter(dice).values()), "".join(sorted(set(roll)))
    if box in UPPER:
        face = UPPER.index(box) + 1
        return face * dice.count(face)
    chaser_house = game == "chaser" and counts == [1, 4]
    house = sum(dice) if game == "chaser" else 25
    worths: Mapping[str, tuple[bool, int]] = {
        "three-of-a-kind": (counts[-1] >= 3, sum(dice)),
        "four-of-a-kind": (counts[-1] >= 4, sum(dice)),
        "full-house": (counts == [2, 3] or chaser_house, house),
        "small-straight": (any(row in shown for row in ("1234", "2345", "3456")), 30),
        "large-straight": (shown in {"12345", "23456"}, 40),
        "yahtzee": (counts == [5], 50),
        "chance": (True, sum(dice)),
        "chase-off": (counts == [5], 50),
        "straight": (shown == "12345", 40),
        "even-straight": (shown == "23456", 30),
        "four-dice": (counts[-1] >= 4, sum(dice)),
        "choice": (counts in ([1, 2, 2], [2, 3], [1, 4], [5]), sum(dice)),
    }
    counts_so, worth = worths[box]
    return worth if counts_so else 0


def card_of(game: str, seat: int, rounds: int = 99) -> dict[str, int]:
    """The boxes that a player filled in the first rounds."""
    turns = [played[seat] for played in GAMES[game][:rounds]]
    return {box: points(game, box, rolls[-1]) for box, rolls in turns}


def total(game: str, seat: int, rounds: int = 99) -> int:
    """A player's total after so many rounds, as paper adds it: bonus and Yahtzee bonus too."""
    card, more = card_of(game, seat, rounds), 0
    if game == "yahtzee":
        more += 35 * (sum(card.get(box, 0) for box in UPPER) >= 63)
        finals = [(played[seat][0], played[seat][1][-1]) for played in GAMES[game][:rounds]]
        at = next((at for at, (box, _) in enumerate(finals) if box == "yahtzee"), len(finals))
        if card.get("yahtzee") == 50:
            more += 100 * sum(len(set(roll)) == 1 for _, roll in finals[at + 1 :])
    return sum(card.values()) + more


def thrown() -> Counter[str]:
    """How often each number was rolled in the whole evening; kept dice were not."""
    found = Counter[str]()
    for turn in (turn for game in GAMES.values() for played in game for turn in played):
        rolls = turn[1]
        found.update(rolls[0])
        for kept, roll in zip(rolls[1::2], rolls[2::2], strict=True):
            found.update(Counter(roll) - Counter(kept))
    return found


@pytest.fixture
def store(tmp_path: Path) -> Iterator[SqlStore]:
    """An empty database."""
    with closing(open_store(f"sqlite:///{tmp_path}/games.db")) as kept:
        assert isinstance(kept, SqlStore)
        yield kept


def play_fast(table: ServedTable, turn: Turn) -> None:
    """A whole turn, as the page's requests make it."""
    box, (roll, *more) = turn
    done(table, lambda at: Corrected(Roll.parse(roll), at))
    for kept, following in zip(more[::2], more[1::2], strict=True):
        done(table, lambda at: Pressed(Action.REROLL, table.now(), at))
        wanted = Counter(map(int, kept))
        for die, seen in enumerate(table.view.last_roll):
            if wanted[seen.face or 0]:
                wanted[seen.face or 0] -= 1
                done(table, lambda at, die=die: KeepMarked(die, kept=True, expected=at))
        done(table, lambda at, roll=following: Corrected(Roll.parse(roll), at))
    if table.view.turn is not None and table.view.turn.phase == "rolling":
        done(table, lambda at: Pressed(Action.KEEP, table.now(), at))
    done(table, lambda at: Chosen(f"score:{box}", at))
    if table.view.asking is not None:  # a score of 0 is asked once more
        done(table, lambda at: Chosen(f"score:{box}", at))


def done(table: ServedTable, request: Callable[..., object]) -> None:
    """The table does it."""
    answer = table.submit(request(table.version))  # type: ignore[arg-type]  # one of the requests
    assert answer.verdict == "done", answer


def play_by_hand(hands: Hands, game: str, turn: Turn) -> None:
    """A turn of one roll that is entered on the page."""
    box, (roll,) = turn
    label = (BOXES if game == "yahtzee" else CHASER_BOXES)[box]
    hands.throws(roll)
    hands.press("KEEP")
    worth = points(game, box, roll)
    hands.scores(worth, label)
    if not worth:
        hands.press("Yes, score 0")


def play_game(hands: Hands, table: ServedTable, game: str) -> None:
    """All rounds but the first and the last fast; those two at the page, by its words."""
    first, *middle, last = GAMES[game]
    if game == "yahtzee":  # Anna's 50 is the best turn of the evening: seen by the camera
        table.see(first[0][1][0])
        hands.reads("Read as 5 5 5 5 5.")
        hands.press("KEEP")
        hands.scores(50, "Yahtzee")
    else:
        play_by_hand(hands, game, first[0])
    hands.reads_turn(BEN, "Roll 1 of 3")
    play_by_hand(hands, game, first[1])
    hands.reads_turn(ANNA, "Roll 1 of 3")
    table.version = table.view.version
    for played in middle:
        for turn in played:
            play_fast(table, turn)
    hands.reads_turn(ANNA, "Roll 1 of 3")
    play_by_hand(hands, game, last[0])
    hands.reads_turn(BEN, "Roll 1 of 3")
    play_by_hand(hands, game, last[1])
    hands.reads("The game is over")
    row = "Grand total" if game == "yahtzee" else "Total"
    hands.sees_cells(row, *(str(total(game, seat)) for seat in (0, 1)))


def row(page: Page, region: str, name: str) -> list[str]:
    """The figures of a row, in the first table of that name."""
    table = page.get_by_role("region", name=region, exact=True).first
    header = page.get_by_role("rowheader", name=name, exact=True)
    cells = table.get_by_role("row").filter(has=header).first.get_by_role("cell")
    return [" ".join(words.split()) for words in cells.all_inner_texts()]


@pytest.mark.slow
def test_an_evening_of_two_games_is_remembered(
    open_page: OpenPage, table: ServedTable, store: SqlStore
) -> None:
    """Statistics, race, photo and summary say what the rolls that were played make on paper."""
    table.statistics = Statistics(store, utc_now)
    with table.with_photos(store):
        hands = open_page()
        for game in GAMES:
            table.submit(GameOpened(game, PLAYERS, {"start": "first"}))
            hands.page.goto(table.url)
            hands.reads_turn(ANNA, "Roll 1 of 3")
            play_game(hands, table, game)
        wait_for(lambda: store.photos.steps("game-1") == {1})
        page = hands.page
        reads_evening(page, table)
        for game in GAMES:
            reads_statistics(page, table, game)
        page.goto(f"{table.url}/statistics/dice")
        page.get_by_text("Figures").first.click()
        rolled = thrown()
        for face in "123456":
            counted = row(page, "How often each number was rolled", face)
            assert counted == [str(rolled[face]), f"{rolled.total() / 6:.1f}"]
        reads_races(page, table)
        reads_photo(hands, table)


def reads_evening(page: Page, table: ServedTable) -> None:
    """Podium, best turn and its photo, luck less costs, each game's totals."""
    page.goto(table.url)
    page.get_by_role("region", name="Final ranking").get_by_role("link", name="The evening").click()
    sums = [sum(total(game, seat) for game in GAMES) for seat in (0, 1)]
    won = [sum(total(game, seat) > total(game, 1 - seat) for game in GAMES) for seat in (0, 1)]
    order = sorted((0, 1), key=lambda seat: (won[seat], sums[seat]), reverse=True)
    podium = page.get_by_role("region", name="Podium").get_by_role("listitem")
    assert [re.sub(r"\s", "", words) for words in podium.all_inner_texts()] == [
        f"{place}.{PLAYERS[seat]}{won[seat]}of2won{sums[seat]}points"
        for place, seat in enumerate(order, start=1)
    ]
    best = page.get_by_role("region", name="Best turn")
    expect(best.get_by_role("paragraph")).to_have_text("Anna: 50 in Yahtzee")
    photo = best.get_by_role("img", name="The table as it was confirmed")
    page.wait_for_function("photo => photo.complete", arg=photo.element_handle())
    assert photo.evaluate("it => it.naturalWidth") > 400
    luck = page.get_by_role("region", name="Luck and decisions").get_by_role("row")
    for seat in (0, 1):
        words = luck.filter(has_text=PLAYERS[seat]).inner_text()
        figures = re.search(r"dice ([+-]\d+), decisions ([+-]\d+)", words)
        assert figures is not None, words
        brought = sum(map(int, figures.groups()))
        assert abs(sum(AVERAGES.values()) + brought - sums[seat]) <= 1
    for title, game in (("Yahtzee", "yahtzee"), ("Chaser", "chaser")):
        standing = page.get_by_role("region", name=title).get_by_role("row").all_inner_texts()
        ranked = sorted((0, 1), key=lambda seat: total(game, seat), reverse=True)
        assert [each.split() for each in standing] == [
            [f"{place}.", PLAYERS[seat], str(total(game, seat))]
            for place, seat in enumerate(ranked, start=1)
        ]


def reads_statistics(page: Page, table: ServedTable, game: str) -> None:
    """Each player's figures among all and on a page of their own, and every box."""
    labels = BOXES if game == "yahtzee" else CHASER_BOXES
    for seat in (0, 1):
        page.goto(f"{table.url}/statistics?game={game}")
        own, theirs = total(game, seat), total(game, 1 - seat)
        finals = [played[seat][1][-1] for played in GAMES[game]]
        upper = sum(card_of(game, seat)[box] for box in UPPER)
        bonus = f"{100 * (upper >= 63)} %" if game == "yahtzee" else "–"
        won = f"{int(own > theirs)} {100 * (own > theirs)} %"
        alike = sum(len(set(roll)) == 1 for roll in finals)
        *figures, luck, decisions = row(page, "Players", PLAYERS[seat])
        assert figures == ["1", won, f"{own}.0", str(own), str(alike), bonus]
        brought = sum(float(each) for each in (luck, decisions))
        assert AVERAGES[game] + brought == pytest.approx(own, abs=0.11)  # two rounded figures
        page.get_by_role("link", name=PLAYERS[seat], exact=True).click()
        expect(page.get_by_role("heading", level=1)).to_have_text(PLAYERS[seat])
        assert row(page, "Year", "All times")[:6] == figures
        ahead = [str(int(own > theirs)), str(int(own < theirs)), "0"]
        assert row(page, "Against others", PLAYERS[1 - seat]) == [
            "1", *ahead, f"{own}.0", f"{theirs}.0",
        ]  # fmt: skip
        for box, worth in card_of(game, seat).items():
            assert row(page, "Boxes", labels[box])[0] == f"{worth}.0", (game, box)


def reads_races(page: Page, table: ServedTable) -> None:
    """The totals after each round, from the evening's link."""
    for at, game in enumerate(GAMES):
        page.goto(f"{table.url}/evening")
        page.get_by_role("link", name="The race").nth(at).click()
        page.get_by_text("Figures").first.click()
        for number in range(1, len(GAMES[game]) + 1):
            after = [str(total(game, seat, number)) for seat in (0, 1)]
            assert row(page, "Totals after each round", str(number)) == after, (game, number)


def reads_photo(hands: Hands, table: ServedTable) -> None:
    """Behind the score that the camera saw; none behind one that was entered by hand."""
    page = hands.page
    page.goto(f"{table.url}/evening")
    page.get_by_role("link", name="Log and photos").first.click()
    page.get_by_role("link", name="50 in Yahtzee: how it was scored").click()
    hands.reads("roll 55555, KEEP (5 5 5 5 5)")
    expect(page.get_by_role("img", name="The table as it was confirmed")).to_be_visible()
    rows = page.get_by_role("row").all_inner_texts()
    assert rows[1:] == [f"{die}\t5\t5\t99.0 %" for die in range(1, 6)]
    page.goto(f"{table.url}/games/game-1/log")
    page.get_by_role("link", name="21 in Chance: how it was scored").click()
    hands.reads("There is no photo of this step")
