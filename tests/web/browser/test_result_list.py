"""The list of results by keyboard: what it takes, and that nothing typed into it is lost."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import islice
from threading import Event

from flask import request
from playwright.sync_api import Page, expect

from scoreboard.tournament.model.disputes import Dispute
from scoreboard.tournament.model.entrant import Entrant
from scoreboard.tournament.model.entries import Enter
from scoreboard.tournament.model.formats import FORMATS
from scoreboard.tournament.model.rounds import DrawRound, StartRound
from scoreboard.tournament.model.tournament_format import TournamentFormat
from tests.patience import PATIENCE_SECONDS
from tests.web.browser.accessibility import violations
from tests.web.browser.conftest import TABLET
from tests.web.browser.hands import wait_until_drawn
from tests.web.browser.test_hub_evening import Evening, evening, press
from tests.web.hub.house import NAMES

__all__ = ["evening"]  # a fixture
MATCHES = 16
MOST_KEYS = 100  # beyond the digits
SWISS = replace(FORMATS["yahtzee-duel-swiss"], games=3)


@dataclass
class Keyboard:
    """Hands that never leave the keyboard; `keys` counts all but digits."""

    page: Page
    keys: int = 0

    def digits(self, text: str) -> None:
        self.page.keyboard.type(text)

    def press(self, key: str) -> None:
        self.keys += 1
        self.page.keyboard.press(key)

    def game(self, one: int, other: int) -> None:
        self.digits(str(one))
        self.press("Tab")
        self.digits(str(other))


def listed(evening: Evening, form: TournamentFormat, players: int = 8) -> tuple[str, Page]:
    """A round under way, and a director in front of its list of results."""
    event = evening.hall.event(form, entrants=0)
    names = (f"{name} {turn}" for turn in range(4) for name in NAMES)
    entrants = [
        Entrant(number, name) for number, name in enumerate(islice(names, players), start=1)
    ]
    evening.hall.give(event, *map(Enter, entrants), DrawRound(1), StartRound())
    page = evening.directors_phone()
    page.set_viewport_size(TABLET)  # type: ignore[arg-type]  # a TypedDict
    page.goto(f"{evening.url}/e/{event}/results")
    return event, page


def results_of(evening: Evening, event: str) -> dict[tuple[int, int], str]:
    found = evening.hall.last_round(event).results
    return {at: str(each.result.scores) for at, each in found.items()}


def test_a_round_of_best_of_three_takes_no_click_and_few_keys(evening: Evening) -> None:
    """Every match goes to its third game: a Tab between two scores, Enter after the last."""
    event, page = listed(evening, SWISS, players=2 * MATCHES)
    hands = Keyboard(page)
    for turn in range(MATCHES):
        for game in range(3):
            if game:
                hands.press("Tab")
            hands.game(200 + turn, 150 + turn + 100 * (game == 1))
        hands.press("Enter")
    expect(page.locator(".result-row [data-open]")).to_have_count(0)
    expect(page.get_by_role("button", name=f"Sign for all: the slips are signed ({3 * MATCHES})"))
    assert hands.keys < MOST_KEYS
    results = results_of(evening, event)
    assert len(results) == 3 * MATCHES
    for number in range(MATCHES):
        one, other = evening.hall.seats(event, number + 1)
        assert results[number + 1, 2] == f"{one} {200 + number}, {other} {250 + number}"


def test_a_round_without_scores_takes_a_line_of_keys_a_match(evening: Evening) -> None:
    event, page = listed(evening, replace(SWISS, tiebreaks=("points", "buchholz")))
    hands = Keyboard(page)
    for one, other in ((2, 1), (0, 2), (1, 2), (2, 0)):
        hands.digits(str(one))
        hands.press("-")
        hands.digits(str(other))
        hands.press("Enter")
    expect(page.locator(".result-row [data-open]")).to_have_count(0)
    assert hands.keys == 2 * 4
    assert len(results_of(evening, event)) == 3 + 2 + 3 + 2


def rows_with(page: Page, words: str) -> Sequence[str | None]:
    return [
        each.get_attribute("aria-label")
        for each in page.locator(".result-row", has_text=words).all()
    ]


def test_what_is_missing_or_odd_comes_back_in_its_row(evening: Evening) -> None:
    """A fault takes the keyboard back, unless the next row was begun; odd scores a key more."""
    event, page = listed(evening, SWISS)
    hands = Keyboard(page)
    hands.digits("200")
    hands.press("Enter")
    expect(page.locator(f"#f1-1-1-{evening.hall.seats(event)[1]}")).to_be_focused()
    assert rows_with(page, "Enter the score of") == ["Table 1"]
    wait_until_drawn(page)
    assert violations(page) == []
    hands.digits("1577")
    hands.press("Enter")
    expect(page.get_by_role("button", name="Yes, continue")).to_be_focused()
    hands.press("Enter")
    expect(page.locator("#row-1-1")).to_contain_text("under way")
    first = evening.hall.seats(event)
    assert results_of(evening, event) == {(1, 1): f"{first[0]} 200, {first[1]} 1577"}
    page.locator("#row-1-2").get_by_role("textbox").first.focus()
    typed = Event()

    def wait() -> None:
        if request.path.endswith("/tables/2"):
            assert typed.wait(PATIENCE_SECONDS)

    evening.hall.app.before_request_funcs[None].append(wait)
    hands.digits("ten")
    hands.press("Enter")
    hands.game(180, 170)
    typed.set()
    expect(page.locator("#row-1-2")).to_contain_text("“ten” is not a score")
    hands.press("Enter")
    expect(page.locator("#row-1-3")).to_contain_text("under way")
    assert len(results_of(evening, event)) == 2


def test_a_dispute_and_a_correction_ask_for_one_reason(evening: Evening) -> None:
    """Both in the row; what another director changed meanwhile is shown and not overwritten."""
    event, page = listed(evening, replace(FORMATS["club-evening"], games=2))
    one, two = evening.hall.results(event), evening.hall.results(event, game=2)
    evening.hall.give(
        event, one[0], two[0], Dispute(1, 1, 2, one[0].scores.entrants[0], "it was 8")
    )
    page.reload()
    hands = Keyboard(page)
    row = page.locator("#row-1-1")
    expect(row).to_contain_text("it was 8")
    row.get_by_role("textbox").first.focus()
    for score in ("40", "-20", "-10", "-10"):
        page.keyboard.type(score)
        hands.press("Tab")
    row.get_by_label("Why").focus()
    page.keyboard.type("counted again")
    hands.press("Enter")
    expect(row).not_to_contain_text("it was 8")
    results = evening.hall.last_round(event).results
    assert {results[1, game].phase for game in (1, 2)} == {"settled"}
    evening.hall.give(event, one[1])
    page.locator("#row-1-2").get_by_role("textbox").first.focus()
    for score in ("50", "-20", "-20", "-10"):
        page.keyboard.type(score)
        hands.press("ArrowRight")
    hands.press("Enter")
    other = page.locator("#row-1-2")
    expect(other).to_contain_text("somebody changed it in the meantime")
    expect(other).to_contain_text("so far 30")
    expect(other.get_by_role("textbox").first).to_have_value("50")


def test_without_contact_a_row_stays_and_is_sent_again(evening: Evening) -> None:
    event, page = listed(evening, replace(FORMATS["club-evening"], games=1))
    scores = dict(zip(evening.hall.seats(event), ("30", "-10", "-10", "-10"), strict=True))
    page.context.set_offline(True)
    for seat, score in scores.items():
        page.locator(f"#f1-1-1-{seat}").fill(score)
    page.keyboard.press("Enter")
    expect(page.locator("#unsaved")).to_be_visible()
    page.context.set_offline(False)
    page.locator("#row-1-1").get_by_role("textbox").first.focus()
    page.keyboard.press("Enter")
    expect(page.locator("#unsaved")).to_be_hidden()
    expect(page.locator("#row-1-1")).to_contain_text("not all signed")
    press(page, "Sign for all: the slips are signed (1)")
    expect(page.locator("#row-1-1")).to_contain_text("done")
