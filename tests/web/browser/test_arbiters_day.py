"""An arbiter's day in front of real screens, and what it takes: every click and every key counts.

A club evening of Yahtzee for twelve on a hub that was never started before. Three real tables join
by the QR codes on the hub's page; one round comes from the tables, the next one is typed in.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from playwright.sync_api import expect

from tests.web.browser.accessibility import violations
from tests.web.browser.event_people import (
    ALL_AGREED,
    becomes_director,
    heading,
    joins_by_photo,
    tab,
)
from tests.web.browser.hands import Hands
from tests.web.browser.test_hub_event import Event, event

__all__ = ["event"]  # a fixture
NAMES: Final = (
    "Anna", "Boris", "Chen", "Dora", "Emil", "Fatma", "Gita", "Hugo", "Ines", "Jaro", "Kemal",
    "Lena",
)  # fmt: skip
TABLES: Final = 3
POINTS: Final = ((241, 198, 305, 187), (222, 176, 260, 149), (333, 204, 151, 288))
MOST_PRESSES: Final = 40  # of the director, from New event to the final ranking
MOST_AT_A_TABLE: Final = 9  # to join, to enter a result and to agree


class Counted(Hands):
    """Hands whose every click and key counts; letters of names and digits of points do not."""

    def key(self, name: str) -> None:
        self.taps += 1
        self.page.keyboard.press(name)

    def types(self, text: str) -> None:
        self.page.keyboard.type(text)

    def sees_clean_page(self) -> None:
        """axe-core objects to nothing, which costs no press."""
        assert violations(self.page, turn=0) == [], self.page.url

    def acts(self, name: str) -> None:
        """See the button of that name, which can just have changed, and press it."""
        self.react_to(self.button(name))

    def fills_in(self, points: Sequence[int]) -> None:
        """Type each seat's points, from the field with the focus on; Enter sends them."""
        for place, each in enumerate(points):
            if place:
                self.key("Tab")
            self.types(str(each))
        self.key("Enter")


def opens_evening(director: Counted) -> None:
    """Two rounds of Yahtzee at tables of four, and name after name."""
    director.tap(director.button("Yahtzee"))
    expect(director.page.get_by_label("Title of the event")).to_be_focused()
    director.types("Dice on Friday")
    director.key("Tab")
    director.key("2")
    director.key("Enter")
    for entered, name in enumerate(NAMES):
        heading(director, f"Players: {entered}")
        expect(director.page.get_by_label("Name", exact=True)).to_be_focused()
        director.types(name)
        director.key("Enter")
    heading(director, f"Players: {len(NAMES)}")


def shows_codes(director: Counted) -> list[bytes]:
    """What each table's camera sees of the page with the codes."""
    director.acts("Let tables join")
    codes = director.page.get_by_role("main").get_by_role("listitem")
    expect(codes).to_have_count(TABLES)
    director.sees_clean_page()
    return [code.screenshot() for code in codes.all()]


def enters_at_table(people: Counted, points: Sequence[int]) -> None:
    """The result of a game that was played without the table, and everybody agrees."""
    people.tap(people.page.get_by_role("link", name="Enter only the result"))
    heading(people, "Round 1, game 1")
    fields = people.page.get_by_role("spinbutton")
    expect(fields.first).to_be_focused()
    for place, each in enumerate(points):
        if place:
            people.tap(fields.nth(place))
        people.types(str(each))
    people.key("Enter")
    heading(people, ALL_AGREED)
    people.acts("All agree")
    people.reads_no(ALL_AGREED)


def types_round(director: Counted) -> None:
    """Every table's slip, by keyboard, in the list of results."""
    tab(director, "Results")
    for table, points in enumerate(POINTS, start=1):
        row = director.page.get_by_role("listitem", name=f"Table {table}")
        expect(row.get_by_role("textbox").first).to_be_focused()
        director.fills_in(points)
        expect(row).to_contain_text("not all signed")
    director.sees_clean_page()
    director.acts(f"Sign for all: the slips are signed ({TABLES})")


def test_an_evening_of_twelve_takes_forty_clicks_and_keys(event: Event) -> None:
    """From New event to the final ranking; what those at a table press is counted, too."""
    director = Counted(event.device().page)
    becomes_director(director, event.set_up)
    director.sees_clean_page()
    director.taps = 0
    opens_evening(director)
    tables: list[Counted] = []
    for slip in shows_codes(director):
        file = event.folder / f"table-{len(tables)}.sqlite3"
        table = event.run("--database", f"sqlite:///{file}")
        tables.append(Counted(event.at(table).page))
        joins_by_photo(tables[-1], slip)
        tables[-1].taps += 1  # which the photo takes
    tab(director, "Desk")
    director.acts("Draw round 1")
    director.acts("Start round 1")
    for people, points in zip(tables, POINTS, strict=True):
        enters_at_table(people, points)
    director.acts("Close round 1")
    director.acts("Draw round 2")
    director.acts("Start round 2")
    types_round(director)
    director.acts("Close round 2")
    director.acts("Finish the event")
    heading(director, "The event is over: the standings are final.")
    director.sees_clean_page()
    tab(director, "Standings")
    heading(director, "Final standings")
    director.sees_clean_page()
    places = director.page.get_by_role("rowheader")
    expect(places).to_have_count(len(NAMES))
    assert sorted(each.split()[0] for each in places.all_inner_texts()) == sorted(NAMES)
    assert director.taps <= MOST_PRESSES, director.taps
    assert max(each.taps for each in tables) <= MOST_AT_A_TABLE, [each.taps for each in tables]
