"""The demo goes on to its end whoever plays it, in every game, and says what comes next."""

from __future__ import annotations

import re
from collections.abc import Iterable
from datetime import timedelta

import pytest
from flask_babel import force_locale

from scoreboard.dice import Roll
from scoreboard.message import Message
from scoreboard.table.requests import (
    Action,
    Chosen,
    Corrected,
    DieCorrected,
    GameAbandoned,
    GameOpened,
    GameResumed,
    TableRequest,
)
from tests.web.demo_evening import LONGEST_WAIT, PAUSE, Evening, Visitor
from tests.web.shared.test_words import translating_app
from web.shared.words import LANGUAGES, translate

TWO, THREE = ("North", "South"), ("North", "South", "East")
GAMES = [
    GameOpened("yahtzee", TWO, {"start": "first"}),
    GameOpened("yahtzee-bga", TWO),
    GameOpened("yams", THREE, {"start": "first"}),
    GameOpened("chaser", TWO, {"start": "first"}),
    GameOpened("rummikub", TWO, {"rounds": "1"}),
    GameOpened("rummikub", THREE, {"rounds": "2", "clock": "off"}),
    GameOpened("tongtong", THREE),
    GameOpened("tongtong", (*THREE, "West"), {"mode": "quick"}),
    GameOpened("tongtong", (*THREE, "West")),
]
PACE = 3.5  # seconds from what a page shows to what its script presses
FOUR_MINUTES, SLOW_READING = timedelta(minutes=4), timedelta(seconds=8)
VISITORS = [("keep", 0), ("reroll", 0), ("anything", 1)]
PLAYED = [
    pytest.param(
        each,
        id=f"{each.game}-{len(each.players)}",
        marks=[] if each.game == "chaser" else pytest.mark.slow,
    )
    for each in GAMES
]


@pytest.mark.parametrize(("kind", "seed"), VISITORS)
@pytest.mark.parametrize("opening", PLAYED)
def test_the_demo_goes_on_to_its_end(opening: GameOpened, kind: str, seed: int) -> None:
    """Never is there nothing to press for over 20 seconds, and each hint is in every language."""
    evening = Evening(opening)
    assert Visitor(evening, kind, seed).plays_until_the_end()
    assert evening.longest <= LONGEST_WAIT
    spoken = {name: in_language(name, evening.sentences) for name in LANGUAGES}
    assert spoken["en"]
    assert not spoken["en"] & spoken["ko"]
    assert not spoken["en"] & spoken["ja"]


def in_language(name: str, sentences: Iterable[Message]) -> set[str]:
    """The sentences as a page in that language has them."""
    with translating_app().test_request_context(), force_locale(name):
        return {translate(sentence) for sentence in sentences}


def until_read(evening: Evening) -> None:
    """Until something may be confirmed; that is soon."""
    for _ in range(round(LONGEST_WAIT * 10)):
        if evening.view.proposal is not None or is_seen(evening):
            return
        evening.step()
    raise AssertionError(evening.view)


def is_seen(evening: Evening) -> bool:
    """Whether pieces wait that nothing speaks against."""
    return evening.view.pieces is not None and not evening.view.pieces.remarks


def after(evening: Evening, table_request: TableRequest) -> None:
    """A person does something on the page."""
    assert evening.session.receive(table_request).verdict == "done", table_request


DISTURBANCES = ["leave", "leave and back", "undo", "put away", "by hand", "another game"]


@pytest.mark.slow
@pytest.mark.parametrize("disturbance", DISTURBANCES)
@pytest.mark.parametrize("rolls", [0, 2])
def test_dice_are_rolled_again_whatever_came_between(disturbance: str, rolls: int) -> None:
    """Somebody leaves, takes it back, rejects, resumes or enters: then the next roll is seen."""
    evening = Evening(GameOpened("yahtzee", ("North", "South", "East"), {"start": "first"}))
    for _ in range(rolls):
        until_read(evening)
        assert evening.press(Action.REROLL) == "done"
    until_read(evening)
    version, game_id = evening.view.version, evening.view.game_id
    assert game_id is not None
    match disturbance:
        case "leave":
            after(evening, Chosen("leave:0", version))
        case "leave and back":
            after(evening, Chosen("leave:0", version))
            evening.press(Action.UNDO)
        case "undo":
            evening.press(Action.UNDO)
        case "put away":
            after(evening, GameAbandoned(version))
            evening.pass_time(30)
            after(evening, GameResumed(game_id))
        case "by hand":
            after(evening, Corrected(Roll.parse("12345"), version))
            evening.press(Action.KEEP)
            evening.press(Action.KEEP)
        case _:
            after(evening, GameOpened("chaser", ("A", "B"), {"start": "first"}))
    until_read(evening)
    Visitor(evening, "reroll").plays_until_the_end(presses=12)
    assert evening.longest <= LONGEST_WAIT


def test_a_show_that_nobody_touches_has_a_winner_in_a_minute() -> None:
    """By what the page presses: a doubt, its correction, a joker (YZ-18), and who won."""
    evening = Evening()
    began, pressed = evening.clock(), set[str]()
    while evening.view.stage != "finished":
        press = evening.demo.press(evening.view)
        evening.pass_time(PACE if press else 0.1)
        if press != evening.demo.press(evening.view):
            continue
        pressed.add(press)
        if press.startswith("#button-"):
            evening.press(Action(press.removeprefix("#button-")))
        elif press:
            die, face = re.findall(r"\d", press)
            after(evening, DieCorrected(int(die), int(face), evening.view.version))
        assert evening.clock() - began < timedelta(minutes=1)
    assert {"#button-keep", '[name="die"][value="0=5"]'} <= pressed
    assert evening.demo.press(evening.view) == "#demo-again"
    sheet, outcome = evening.view.scoresheet, evening.view.outcome
    assert sheet is not None
    assert outcome is not None
    assert [sheet.row(box).cells[1].points for box in ("full-house", "yahtzee-bonus")] == [25, 100]
    assert outcome.ranking[0].player == "South"


def happened(evening: Evening) -> list[str]:
    """What the players of Rummikub did, in the words of the record."""
    assert evening.view.game_id is not None
    return [type(record.event).__name__ for record in evening.store.events(evening.view.game_id)]


def follow_the_line(evening: Evening) -> None:
    """Press what the demo's line says first, as soon as a person has read it; else watch."""
    words = evening.demo.coming(evening.view)
    named = re.search("KEEP|REROLL", str(words))
    evening.pass_time(PAUSE)
    if named is not None and evening.demo.coming(evening.view) == words:
        evening.press(Action[named[0]])


def test_a_round_of_rummikub_is_seen_to_its_end_in_four_minutes() -> None:
    """By pressing what the demo's line says, on the table's clock; also where reading is slow."""
    evening = Evening(GameOpened("rummikub", TWO, {"rounds": "1"}))
    began = evening.clock()
    while evening.view.stage != "finished":
        follow_the_line(evening)
        passed = evening.clock() - began + evening.readings * SLOW_READING
        assert passed < FOUR_MINUTES, evening.demo.coming(evening.view)
    assert happened(evening)[-2:] == ["RoundScored", "GameEnded"]


@pytest.mark.parametrize("draws", [0, 1, 4])
def test_rummikub_is_called_and_the_round_is_scored(draws: int) -> None:
    """RK-11: the end that a visitor came to see, also where tiles were drawn instead of laid."""
    evening = Evening(GameOpened("rummikub", TWO, {"rounds": "1"}))
    for _ in range(2):  # who begins
        until_read(evening)
        evening.press(Action.KEEP)
    for _ in range(draws):
        until_read(evening)
        evening.press(Action.REROLL)
    assert Visitor(evening, "keep").plays_until_the_end()
    ended = [each for each in happened(evening) if each != "RackCounted"][-4:]
    assert ended == ["RummikubCalled", "RackSummed", "RoundScored", "GameEnded"]
    assert evening.view.scoresheet is not None
    assert [cell.points for cell in evening.view.scoresheet.rows[0].cells] == [68, -68]


def test_a_refused_table_is_mended_by_itself() -> None:
    """Nobody presses KEEP on a table that is refused; the demo says that it will be put right."""
    evening = Evening(GameOpened("rummikub", TWO, {"clock": "off"}))
    for _ in range(3):  # two tiles for the start, and the first meld
        until_read(evening)
        evening.press(Action.KEEP)
    evening.press(Action.REROLL)  # South has nothing to lay
    until_read(evening)
    evening.press(Action.KEEP)
    refused = False
    for _ in range(round(LONGEST_WAIT * 10)):
        refused |= evening.view.pieces is not None and bool(evening.view.pieces.remarks)
        if is_seen(evening):
            break
        evening.step()
    assert refused
    assert is_seen(evening)
    assert any("fix it" in str(words) for words in evening.sentences)


def test_it_says_what_comes_next() -> None:
    """In every stage, so that nobody sits before a table at which nothing moves."""
    evening = Evening(GameOpened("rummikub", TWO, {"rounds": "1"}))
    assert Visitor(evening, "keep").plays_until_the_end()
    evening.step()
    sentences = {str(words) for words in evening.sentences}
    assert "Try it: press REROLL. North has nothing to play and draws a tile." in sentences
    assert "Try it: press KEEP to confirm what the camera sees." in sentences
    assert evening.demo.coming(evening.view) is None  # the page itself says how to go on
