"""What the page says about a view, sentence by sentence."""

from __future__ import annotations

from dataclasses import replace

import pytest

from scoreboard.dice import Roll
from scoreboard.games.dice.acts import DiceKept, DiceRolled
from scoreboard.games.engine.game import Awaited, ExpectedPieces, Offer, Turn
from scoreboard.games.engine.scoresheet import Scoresheet
from scoreboard.message import Message, message
from scoreboard.table.proposal import HEALTHY, Health, Light
from scoreboard.table.requests import TableStatus
from scoreboard.table.view import ShownPiece, ShownPieces, TableView
from tests.web.table_fake import NO_GAME, proposal_of, view_of
from web.table.camera.camera_page import light
from web.table.play.table_words import (
    button_meanings,
    clock_face,
    current_roll_number,
    doubts_about_pieces,
    drawable,
    headline,
    instruction,
    offer_of,
    progress,
)

AWAITED = Awaited(message("Round 2"), message("Lay at least one tile."))
RACK = replace(AWAITED, expected=ExpectedPieces("tiles", "rack:1"))
PLAYING = TableView(
    version=5,
    stage="playing",
    status=TableStatus.NOTHING,
    scoresheet=Scoresheet("rummikub", ("Ann", "Ben"), (), current=1),
    turn=Turn(4, "playing", 1, awaited=AWAITED),
    offers=(Offer("draw", message("Draw a tile"), "RK-6", None),),
)
PIECES = ShownPieces((), (), "lay", "", None, (), (), asked=False, frame=1, width=8, height=6)
THROWN = view_of(DiceRolled(Roll.parse("13356")))
CHOOSING = view_of(DiceRolled(Roll.parse("13356")), DiceKept(Roll.parse("13356")))
LAST = view_of(*(DiceRolled(Roll.parse("13356")) for _ in range(2)))


@pytest.mark.parametrize(
    ("view", "words"),
    [
        (NO_GAME, "No game on the table"),
        (THROWN, "North’s turn"),
        (replace(THROWN, stage="starting"), "North rolls for the start"),
        (replace(THROWN, stage="finished"), "The game is over"),
        (replace(THROWN, stage="abandoned"), "This game is closed"),
        (replace(THROWN, turn=None), "The table is ready"),
        (PLAYING, "Ben’s turn"),
        (replace(PLAYING, turn=Turn(4, "playing", None)), "Everyone together"),
        (replace(PLAYING, turn=Turn(4, "playing", None, awaited=RACK)), "Adding up the points"),
        (replace(PLAYING, scoresheet=Scoresheet("rummikub", ("Ann", "Ben"), ())), "Ben"),
    ],
)
def test_the_headline(view: TableView, words: str) -> None:
    """Whose turn it is, or why nobody's."""
    assert str(headline(view)) == words


def test_a_game_without_dice_speaks_for_itself() -> None:
    """Its place and the one thing to do now are the rulebook's words."""
    assert str(progress(PLAYING)) == "Round 2"
    assert str(instruction(PLAYING)) == "Lay at least one tile."


def test_a_lot_may_be_drawn() -> None:
    """Among two or more, where the rulebook says so; a single one is chosen."""
    high = Offer("mission:high-9", message("Highest"), "TT-14", None, by_lot=True)
    low = replace(high, key="mission:low-5")
    assert drawable(replace(PLAYING, offers=(high, low))) == "mission:"
    assert drawable(replace(PLAYING, offers=(high,))) is None
    never = tuple(replace(each, by_lot=False) for each in (high, low))
    assert drawable(replace(PLAYING, offers=never)) is None
    assert drawable(PLAYING) is None


@pytest.mark.parametrize(
    ("seconds", "face"), [(60.0, "1:00"), (59.2, "1:00"), (9.01, "0:10"), (0.0, "0:00")]
)
def test_a_clock_shows_whole_seconds(seconds: float, face: str) -> None:
    """It reaches 0:00 only when the time is up."""
    assert clock_face(seconds) == face


@pytest.mark.parametrize(
    ("view", "words", "number"),
    [
        (view_of(), "Roll 1 of 3", 1),
        (THROWN, "Roll 2 of 3", 2),
        (LAST, "Roll 3 of 3", 3),
        (CHOOSING, "Choose a box", 1),
        (replace(THROWN, stage="finished"), "None", 2),
    ],
)
def test_the_roll_that_the_table_is_at(view: TableView, words: str, number: int) -> None:
    """The awaited roll while rolling, the last one after."""
    assert view.turn is not None
    assert (str(progress(view)), current_roll_number(view.turn)) == (words, number)


def offer_label(key: str) -> Message:
    """The label of an offer of the choosing view."""
    found = offer_of(CHOOSING, key)
    assert found is not None
    return found.label


def meanings(view: TableView) -> list[str]:
    """The three buttons' meanings in English."""
    return [str(button.meaning) for button in button_meanings(view)]


@pytest.mark.parametrize(
    ("view", "meant"),
    [
        (NO_GAME, ["Nothing to do now", "Nothing to do now", "Nothing to do now"]),
        (view_of(), ["Roll the dice first", "Roll the dice first", "Nothing to do now"]),
        (
            replace(THROWN, keep=message("Stop rolling")),
            ["Stop rolling", "Roll the dice first", "Undo the last roll"],
        ),
        (
            replace(LAST, proposal=proposal_of("13356"), keep=message("Yes, 1 3 3 5 6")),
            ["Yes, 1 3 3 5 6", "No rolls left; press KEEP", "Undo the last roll"],
        ),
        (
            replace(THROWN, proposal=proposal_of("133?6"), undo=None),
            ["Fix the reading first", "Fix the reading first", "Nothing to do now"],
        ),
        (
            replace(CHOOSING, keep=offer_label("score:chance"), reroll=offer_label("score:sixes")),
            ["Score Chance: 18", "Next box – Sixes: 6", "Undo the last roll"],
        ),
        (
            replace(
                CHOOSING,
                asking="score:yahtzee",
                pointer="score:yahtzee",
                keep=offer_label("score:yahtzee"),
                reroll=offer_label("score:chance"),
                undo=message("Cancel"),
            ),
            ["Yes – Yahtzee: 0", "Next box – Chance: 18", "Cancel"],
        ),
        (
            replace(CHOOSING, pointer="score:yahtzee", keep=message("Write a 0, after a question")),
            ["Score Yahtzee: 0", "Nothing to do now", "Undo the last roll"],
        ),
        (
            replace(PLAYING, pieces=PIECES, keep=message("Ben lays black 6")),
            ["Ben lays black 6", "Nothing to do now", "Nothing to do now"],
        ),
        (replace(PLAYING, pieces=PIECES), [*["Fix what is marked first"] * 2, "Nothing to do now"]),
    ],
)
def test_what_each_button_means(view: TableView, meant: list[str]) -> None:
    """The session's words, or why there is nothing to do."""
    assert meanings(view) == meant


def test_a_coach_says_why_it_points_at_fewer_points() -> None:
    """A 0 above all; and only at the box that it names, not at another one that REROLL went to."""
    view = replace(CHOOSING, pointer="score:yahtzee", keep=message("Write a 0, after a question"))
    keep = button_meanings(view, "score:yahtzee")[0]
    assert str(keep.meaning) == "Yahtzee: 0 – the least you give up"
    keep = button_meanings(view, "score:sixes")[0]
    assert str(keep.meaning) == "Score Yahtzee: 0"


@pytest.mark.parametrize(
    ("sight", "health", "expected"),
    [
        (TableStatus.STILL, None, None),
        (TableStatus.STILL, HEALTHY, Light.GREEN),
        (TableStatus.MOVING, Health(Light.RED), Light.RED),
        (TableStatus.LOST, Health(Light.AMBER), None),
        (TableStatus.NOTHING, HEALTHY, None),
    ],
)
def test_the_light_is_shown_while_somebody_looks(
    sight: TableStatus, health: Health | None, expected: Light | None
) -> None:
    """A camera that is gone sees neither well nor badly."""
    assert light(replace(NO_GAME, status=sight, health=health)) is expected


def test_a_doubt_leads_to_the_piece_that_it_names() -> None:
    """Any other leads to the first that none names; what names a piece falls with its mark."""
    named = message("A tile may be {first} or {second}.", first="B1", second="B7")
    settled = message("A tile looks like {tile}, which does not fit.", tile="K10")
    blurred = message("A tile is blurred.")
    quad = ((0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0))
    pieces = (
        ShownPiece("K1", quad, ("K10",), corrected=True),
        ShownPiece("B1", quad, ("B7",), doubtful=True),
        ShownPiece("?", quad, doubtful=True),
    )
    seen = replace(PIECES, pieces=pieces, doubts=(blurred, named, settled))
    assert doubts_about_pieces(seen) == ((blurred, 2), (named, 1))
