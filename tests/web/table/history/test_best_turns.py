"""The pages that show the best turns of a game after they are over."""

from __future__ import annotations

import re
from dataclasses import replace
from io import BytesIO
from pathlib import Path

import pytest
from flask.testing import FlaskClient

from scoreboard.games.notation import replay_text
from scoreboard.table.tournament_view import TournamentView
from tests.web.table_fake import NO_GAME, FakeTable, stored_events
from web.table.history.archive import Archive
from web.table.play.coach import Coach, CoachChoice, Mode

RACK = "K10 R10 B10 O10 K1 K3 K5 K7 R1 R3 R5 R7 B2 B4"
RUMMIKUB = f"""\
game rummikub
players Ann, Ben
option clock off

begin Ann
rack Ann, {RACK}
lay K10 R10 B10
"""
TONGTONG = """\
game tongtong
players Ann, Ben, Cem

mission high-9
leader Ann
"""


def page_of(
    text: str, event: TournamentView | None = None, mode: Mode = "after", shown: str = "one"
) -> FlaskClient:
    """A browser at a table whose store has this game, called “one”, with the coach in that mode."""
    store, played = stored_events(), replay_text(text, "one")
    store.open_game(played.header)
    store.append("one", 0, played.records)
    view = replace(NO_GAME, event=event, game_id=shown, game=played.game.name)
    coach = Coach(store, Path("nowhere"))
    coach.choose(CoachChoice(shown, mode))
    return FakeTable(view).app(archive=Archive(store), coach=coach).test_client()


def test_a_turn_is_replayed_move_by_move() -> None:
    """What was laid, what could have been, and the rack after each move."""
    browser = page_of(RUMMIKUB)
    assert "Ann: “What could I have laid?”" in browser.get("/games/one/best").text
    first = browser.get("/games/one/best/1").text
    assert "Ann laid 3 tiles, 30 points." in first
    assert "The best turn: 4 tiles, 40 points." in first
    assert "Going out was not possible." in first
    assert "Back" not in first
    last = browser.get("/games/one/best/1?step=4").text
    assert "Move 4 of 4" in last
    assert "from the rack to set 1" in last
    assert 'rel="next"' not in last
    assert last == browser.get("/games/one/best/1?step=99").text


@pytest.mark.parametrize(("joker", "points"), [("30", 74), ("50", 94)])
def test_a_joker_of_a_best_turn_is_worth_what_it_costs_on_a_rack(joker: str, points: int) -> None:
    """RK-10; and in its set it says what it stands for."""
    text = RUMMIKUB.replace("rack Ann, K10 R10 B10 O10", "rack Ann, K10 R10 B10 J")
    browser = page_of(text.replace("clock off", f"clock off\noption joker {joker}"))
    last = browser.get("/games/one/best/1?step=6").text
    assert f"The best turn: 6 tiles, {points} points." in last
    assert "joker for blue 7" in last


def test_of_an_open_round_only_the_last_turn_is_shown() -> None:
    """What others have on their racks since is nobody's business."""
    text = f"{RUMMIKUB}rack Ben, K13 R13 B13 O13 K2 K4 K6 K8 R2 R4 R6 R8 B3 B5\ndraw\n"
    browser = page_of(text)
    assert "Ben" in browser.get("/games/one/best").text
    assert "Ann: “" not in browser.get("/games/one/best").text
    assert browser.get("/games/one/best/1").status_code == 404
    assert "Ben laid nothing." in browser.get("/games/one/best/2").text


@pytest.mark.parametrize(("mode", "shown"), [("off", "one"), ("after", "another")])
def test_a_rack_in_play_is_shown_only_with_the_coach_on(mode: Mode, shown: str) -> None:
    """To nobody, on no device, until this game's players switch it on."""
    browser = page_of(RUMMIKUB, mode=mode, shown=shown)
    listed = browser.get("/games/one/best").text
    assert "its last turn is shown once the coach is on" in listed
    assert "Ann: “" not in listed
    assert browser.get("/games/one/best/1").status_code == 404


def test_the_coach_of_tiles_is_on_or_off() -> None:
    """It speaks after a turn only, so that nobody practises; and it is switched on its page."""
    browser = page_of(RUMMIKUB, mode="off")
    shown = browser.get("/coach").text
    assert "After each turn with a known rack" in shown
    assert "practise" not in shown
    own = {"Origin": "http://localhost"}
    assert browser.post("/coach", data={"coach": "after"}, headers=own).status_code == 303
    assert browser.get("/games/one/best/1").status_code == 200


def test_after_the_round_a_rack_may_have_gone_out() -> None:
    """The one that was left, on the last table."""
    text = RUMMIKUB.replace(f"rack Ann, {RACK}", "count Ann, 3").replace("lay K10 R10 B10\n", "")
    text += "count Ben, 1\nlay K10 R10 B10\nrack Ben, O10\n"
    browser = page_of(text)
    assert "Ben: “Can I go out?”" in browser.get("/games/one/best").text
    shown = browser.get("/games/one/best/1").text
    assert "Nothing could be laid." in shown  # Ben made no first meld
    assert "laid nothing" not in shown


def test_a_game_of_tong_tong_needs_all_hands() -> None:
    """And is shown once it is over."""
    browser = page_of(TONGTONG)
    assert "Nothing to show yet" in browser.get("/games/one/best").text
    assert browser.get("/games/one/best/1").status_code == 404


@pytest.mark.parametrize("path", ["/games/one/best", "/games/one/best/1"])
def test_nothing_is_shown_in_an_event(path: str) -> None:
    """Nobody is helped there."""
    event = TournamentView("Cup", 3, "hub.example")
    text = page_of(RUMMIKUB, event).get(path).text
    assert "There are no hints while the table takes part in an event." in text
    assert "laid" not in text
    other = page_of("game chaser\nplayers Ann, Ben\n")  # whose luck and costs are elsewhere
    assert other.get(path).status_code == 404


@pytest.mark.parametrize(
    ("typed", "told"),
    [
        ({"rack": "K7 R7 B7"}, "Nothing: draw a tile."),
        ({"rack": "K10 R10 B10 O2"}, "3 tiles, 30 points."),
        ({"rack": "K7 R12 J", "table": "K8 K9 K10", "melded": "yes"}, "2 tiles, 37 points."),
        ({"rack": "K7", "table": "K8 K9 K10", "melded": "yes"}, "All 1 tiles: you go out!"),
        ({"rack": "K7", "table": "K8 K9"}, "K8 K9"),
        ({"rack": "K99"}, "K99"),
        ({"rack": "J J J J J"}, "more of joker"),
    ],
)
def test_a_rack_is_tried_without_a_game(typed: dict[str, str], told: str) -> None:
    """RK-3 to RK-9: what could be laid; what was typed stays, whatever is wrong with it."""
    text = FakeTable(NO_GAME).app().test_client().get("/lay", query_string=typed).text
    assert told in text
    assert f'value="{typed["rack"]}"' in text


def test_a_rack_is_tried_from_its_photo() -> None:
    """The tiles that were read stand in the field, to be put right."""
    client = FakeTable(NO_GAME).app().test_client()
    own = {"Origin": "http://localhost"}
    photo = next(Path("hardware/cameras/demo_rummikub").glob("rack-*/*/*.webp")).read_bytes()
    sent = {"rack-photo": (BytesIO(photo), "rack.webp"), "table": "K7 R7 B7", "melded": "yes"}
    text = client.post("/lay", data=sent, headers=own).text
    assert len(re.findall(r'name="rack" class="field" value="([^"]+)"', text)[0].split()) > 2
    answer = client.post("/lay", data={"rack-photo": (BytesIO(b"GIF"), "x")}, headers=own)
    assert answer.status_code == 422
