"""Plain pages and forms: what a browser without scripts is led to, and what stays in a field."""

from __future__ import annotations

import re

from flask.testing import FlaskClient

from scoreboard.storage import SqlStore
from scoreboard.table.requests import Chosen
from tests.web.forms import fields, link
from tests.web.process import SEEN
from tests.web.table.history.test_best_turns import RUMMIKUB, page_of
from tests.web.table.history.test_statistics import counted, pages, play
from tests.web.table.people.test_players import OWN, Home, home

__all__ = ["home"]  # a fixture


def follow(browser: FlaskClient, path: str, *words: str) -> str:
    """The page at the end of these links."""
    text = browser.get(path).text
    for each in words:
        text = browser.get(link(text, each)).text
    return text


def test_links_lead_to_a_best_turn_and_through_it() -> None:
    """The coach is switched on first; then forth and back."""
    browser = page_of(RUMMIKUB, mode="off")
    coach = link(follow(browser, "/games", "Best turns"), "Coach")
    assert "coach" in fields(browser.get(coach).text, coach)
    browser.post(coach, data={"coach": "after"}, headers=OWN)
    turn = ("Best turns", "Ann: “What could I have laid?”")
    assert "The best turn: 4 tiles, 40 points." in follow(browser, "/games", *turn)
    assert "Move 2 of 4" in follow(browser, "/games", *turn, "Next", "Next")
    assert "Move 1 of 4" in follow(browser, "/games", *turn, "Next", "Next", "Back")


def test_links_lead_from_the_statistics_to_a_race(store: SqlStore) -> None:
    """By way of a player's page."""
    for day in (0, 20, 400):
        play(store, "duel", day)
    browser = pages(counted(store, "red"), store)
    race = re.search(r'href="(/games/duel-\d+/race)"', follow(browser, "/statistics", "South"))
    assert race is not None
    assert ">259<" in browser.get(race[1]).text


def seen(home: Home) -> str:
    """What the table's page says that its reader saw."""
    found = SEEN.search(home.reads("/"))
    assert found is not None
    return found[1]


def begins(home: Home, game: str, *names: str, **options: str) -> None:
    """The set-up page's form starts a game."""
    chosen = {f"option-{name}": value for name, value in options.items()}
    assert set(chosen) <= set(fields(home.reads(f"/setup?game={game}"), "/setup"))
    home.sends("/setup", game=game, name=list(names), do="begin", **chosen)


def test_a_refused_roll_stays_in_its_field(home: Home) -> None:
    """With the fault at it, once; put right, it is taken."""
    begins(home, "yahtzee", "North", "South", start="first")
    refused = home.sends("/roll", roll="33517", seen=seen(home)).text
    assert fields(refused, "/roll")["roll"] == "33517"
    assert refused.count("A die shows 1 to 6, not 7.") == 1
    home.sends("/roll", roll="33516", seen=seen(home))
    assert "Entered by hand" in home.reads("/")


def test_refused_tiles_stay_in_their_field(home: Home) -> None:
    """Against the rules, and too late."""
    begins(home, "rummikub", "Ann", "Ben", clock="off")
    home.sends("/choose", offer="begin:0", seen=seen(home))
    before = seen(home)
    refused = home.sends("/choose", offer="lay", filling="K9 R9 B9", seen=before).text
    assert "RK-5: 27 of 30 for the first meld." in refused
    assert ">K9 R9 B9</textarea>" in refused
    home.session.receive(Chosen("draw", home.session.view.version))
    late = home.sends("/choose", offer="lay", filling="K9 R9 B9 O9", seen=before).text
    assert "came too late" in late
    assert ">K9 R9 B9 O9</textarea>" in late
