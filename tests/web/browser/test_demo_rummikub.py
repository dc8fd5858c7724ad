"""A round of Rummikub from pictures to the final sheet: camera, reader, referee, store and page."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from tests.patience import PATIENCE_MILLISECONDS
from tests.web.browser.conftest import TABLET, is_expected, listen
from tests.web.browser.hands import Hands
from tests.web.process import RunningProcess, running

DRAW = "Draw a tile and pass"
GIVE_UP = "Give up the turn: put the table back"
PUT_BACK = "Put every tile back, draw 3 and press KEEP."
MOST_TRIES = 5
LOOKS = 100
LOOK_SECONDS = 0.03


@pytest.fixture
def round_of_tiles(tmp_path: Path) -> Iterator[RunningProcess]:
    """The demo without a camera, faster than real, in a database of its own."""
    settings = tmp_path / "table.toml"
    settings.write_text("[demo]\nframes_per_second = 20.0\n", encoding="utf-8")
    database = f"sqlite:///{tmp_path / 'demo.sqlite3'}"
    with running("--settings", str(settings), "--database", database) as process:
        yield process


@pytest.fixture
def hands(browser: Browser, round_of_tiles: RunningProcess) -> Iterator[Hands]:
    """A tablet in front of it, whose page complains about nothing but refusals."""
    faults: list[str] = []
    context = browser.new_context(viewport=TABLET)  # type: ignore[arg-type]  # a TypedDict
    context.set_default_timeout(PATIENCE_MILLISECONDS)
    page = context.new_page()
    listen(page, faults)
    round_of_tiles.open_in(page)
    yield Hands(page)
    context.close()
    assert [fault for fault in faults if not is_expected(fault)] == []


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
    named = hands.page.locator("#photo .faulty text")
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


def is_refused_and_mends(hands: Hands) -> None:
    """KEEP says why not, and records nothing; the mended table is taken."""
    hands.sees_cells("Tiles on the rack", "6", "15")
    presses(hands, "KEEP", "Fix what is marked first")
    run, meld = "black 4, black 5, black 6, black 7", "orange 11, orange 13, joker"
    lays(hands, "South", f"{run}, {meld}", left=(6, 8))


def gives_up_and_puts_back(hands: Hands) -> None:
    """South broke two runs up: three penalty tiles, and the table as it was before."""
    hands.reads("red 6 is left alone: a set has three tiles or more.")
    sees_marked(hands, "K4 !", "K5 !", "R6 !")
    do(lambda: hands.press(GIVE_UP), lambda: hands.page.get_by_text(PUT_BACK).count() > 0)
    expect(hands.page.get_by_role("img", name="The table before this turn")).to_be_visible()
    presses(hands, "KEEP", "Draw 3: all tiles lie as before")
    hands.sees_cells("Tiles on the rack", "3", "11")


@pytest.mark.slow
def test_a_round_is_played_from_its_pictures_to_the_final_sheet(hands: Hands) -> None:
    """RK-2 to RK-14: nobody types a tile, and the totals add up to zero."""
    plays_up_to_the_fault(hands)
    is_refused_and_mends(hands)
    lays(hands, "North", "blue 5, blue 7, orange 12", left=(3, 8))
    gives_up_and_puts_back(hands)
    lays(hands, "North", "blue 8", left=(2, 11))
    lays(hands, "South", "red 7, orange 7", left=(2, 9))
    draws(hands, "North", left=(3, 9))
    lays(hands, "South", "blue 11, blue 12, blue 13", left=(3, 6))
    presses(hands, "KEEP", "End the turn: red 2, blue 7, blue 9 laid")
    hands.reads("North calls Rummikub! What is left on South’s rack?")
    presses(hands, "KEEP", "South’s rack, tile by tile: 6 tiles, 68 points")
    hands.reads("The game is over")
    hands.sees_cells("Total", "+68", "-68")
    ranking = hands.page.get_by_role("region", name="Final ranking").get_by_role("listitem")
    expect(ranking).to_contain_text(["North", "South"])
