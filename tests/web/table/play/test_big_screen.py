"""The big screen: what it shows of each view, what it leaves out, and how phones join."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from scoreboard.dice import Roll
from scoreboard.games.dice.acts import DiceKept, DiceRolled, ScoreCategory
from scoreboard.games.engine.game import Outcome, Place
from scoreboard.message import message
from scoreboard.table.view import TableView
from tests.web.table_fake import FACTS, NO_GAME, FakeTable, proposal_of, view_of
from web.shared.qr_code import qr_code
from web.table.parts import OWN_GAME

ROLL = DiceRolled(Roll.parse("22255"))
CHOOSING = (ROLL, DiceKept(Roll.parse("22255")))
SCORED = (*CHOOSING, ScoreCategory("full-house"))
ON_NETWORK = "http://192.168.1.20:8000/"


def screen_of(view: TableView, url: str = "http://127.0.0.1:8000", **changes: Any) -> str:
    """The big screen's text for that view."""
    client = FakeTable(view).app(**changes).test_client()
    return " ".join(client.get("/tv", base_url=url).text.split())


def finished() -> TableView:
    """A game that North won."""
    places = (Place(1, "North", 254), Place(2, "South", 199))
    return replace(view_of(), stage="finished", outcome=Outcome(places))


SHOWS: dict[str, tuple[Callable[[], TableView], tuple[str, ...]]] = {
    "no game": (lambda: NO_GAME, ("No game on the table", "tv-welcome")),
    "the first roll": (view_of, ("North’s turn", "Roll 1 of 3", "Roll all five dice.")),
    "a reading": (
        lambda: replace(view_of(ROLL), proposal=proposal_of("13356")),
        ("Roll 2 of 3", "I see 1 3 3 5 6", "tv-sheet", "Full house"),
    ),
    "a doubt": (
        lambda: replace(view_of(ROLL), proposal=proposal_of("1335?", doubts=(message("Look."),))),
        ("/7.jpg", 'viewBox="45.0 135.0 700.0 220.0"', "? look"),
    ),
    "a box that is pointed at": (lambda: view_of(*CHOOSING), ("Choose a box", "tv-pointed")),
    "the last score": (
        lambda: replace(view_of(*SCORED), last_score=message("25 in a box")),
        ("South’s turn", "Last score", "25 in a box"),
    ),
    "the end": (finished, ("North wins by 55!", "tv-place-1", "tv-place-2", "1.", "2.")),
}


def test_a_game_that_is_typed_in_leaves_no_frame_of_a_photo() -> None:
    """On the demo's big screen the camera sees dice of the demo: not those of one's own game."""
    doubted = replace(view_of(ROLL), proposal=proposal_of("1335?", doubts=(message("Look."),)))
    assert 'id="tv-photo"' in screen_of(doubted, facts=FACTS)
    own = replace(doubted, game_id=f"{OWN_GAME}2026-05-01-1")
    assert 'id="tv-photo"' not in screen_of(own, facts=FACTS)


@pytest.mark.parametrize("case", SHOWS)
def test_everything_that_players_look_up_is_on_it(case: str) -> None:
    """And it offers nothing to press: people act on devices of their own; the menu leads to it."""
    view, words = SHOWS[case]
    shown = screen_of(view())
    assert [each for each in words if each not in shown] == []
    assert re.search("<(button|form|input|textarea|select|summary)", shown) is None
    page = FakeTable(view()).app().test_client().get("/").text
    assert '<a href="/tv">Big screen</a>' in page


def test_phones_join_under_the_address_that_this_screen_came_by() -> None:
    """It is the one that is known to work; the code holds it, and so do the words."""
    hosts = frozenset({"table.local"})
    shown = screen_of(
        NO_GAME, "http://table.local:8000", allowed_hosts=hosts, addresses=lambda: (ON_NETWORK,)
    )
    assert str(qr_code("http://table.local:8000/pair")) in shown
    assert "table.local:8000/" in shown
    own = screen_of(view_of(), addresses=lambda: (ON_NETWORK, "http://[fd00::1]:8000/"))
    assert str(qr_code(f"{ON_NETWORK}pair")) in own  # no phone reaches 127.0.0.1
    assert "Scan to join" not in screen_of(view_of())  # it would lead nowhere


def test_the_code_comes_with_the_network() -> None:
    """A screen that the machine shows from its start on asks again and again."""
    reached: list[str] = []
    fake = FakeTable(NO_GAME)
    facts = replace(FACTS, open_to_network=True)
    app = fake.app(addresses=lambda: tuple(reached), facts=facts)
    client = app.test_client()
    own = "http://127.0.0.1:8000"
    page = client.get("/tv", base_url=own).text
    assert 'data-refresh="/tv/join"' in page
    assert "No network yet" in page
    reached.append(ON_NETWORK)
    assert str(qr_code(f"{ON_NETWORK}pair")) in client.get("/tv/join", base_url=own).text
    hosts = frozenset({"table.local"})
    elsewhere = fake.app(allowed_hosts=hosts).test_client()
    assert "/tv/join" not in elsewhere.get("/tv", base_url="http://table.local:8000").text


def test_the_same_stream_carries_the_big_screen() -> None:
    """A state of it has what the table page's has, drawn as the big screen."""
    table = FakeTable(view_of())
    table.live.announce(table.shown)
    stream = table.app().test_client().get("/tv/live")
    events = stream.iter_encoded()
    assert next(events) == b"retry: 1000\n\n"
    document = json.loads(next(events).decode().split("data: ", 1)[1])
    stream.close()
    assert (document["run"], document["version"]) == (table.live.run, 5)
    assert 'class="tv stage-rolling"' in document["html"]
