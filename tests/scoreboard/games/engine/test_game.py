"""What all rulebooks have in common."""

from __future__ import annotations

import pytest

from scoreboard.dice import NO_DICE, Roll
from scoreboard.games import GAMES
from scoreboard.games.engine.game import KeepDomain, RollDomain
from scoreboard.games.engine.scoresheet import Cell, Row, Scoresheet
from scoreboard.message import message


@pytest.mark.parametrize(
    ("roll", "admitted"),
    [("55521", True), ("12555", True), ("55421", False), ("5552", False), ("555211", False)],
)
def test_a_roll_domain_wants_its_dice(roll: str, admitted: bool) -> None:  # noqa: FBT001 -- a table
    """A throw has as many dice as asked, with the kept ones among them."""
    assert RollDomain(5, Roll.parse("555")).admits(Roll.parse(roll)) is admitted


def test_a_roll_domain_may_ask_for_nothing_special() -> None:
    """Without kept dice any faces will do."""
    assert RollDomain(5) == RollDomain(5, NO_DICE)
    assert RollDomain(5).admits(Roll.parse("11111"))


@pytest.mark.parametrize(
    ("kept", "admitted"), [("", True), ("515", True), ("55521", True), ("22", False)]
)
def test_a_keep_domain_takes_dice_of_its_roll(kept: str, admitted: bool) -> None:  # noqa: FBT001 -- a table
    """None, some or all of the thrown dice may be kept, and no others."""
    assert KeepDomain(Roll.parse("55521")).admits(Roll.parse(kept)) is admitted


def test_games_are_listed_under_their_stored_names() -> None:
    """The name in the list is the name in the store."""
    assert {key: game.name for key, game in GAMES.items()} == {key: key for key in GAMES}


def test_a_sheet_finds_its_rows() -> None:
    """A row is found by its key, and a key that is none is a KeyError."""
    row = Row("chance", message("Chance"), "box", "lower", (Cell(points=22),))
    sheet = Scoresheet("yahtzee", ("Solo",), (row,))
    assert sheet.row("chance") is row
    with pytest.raises(KeyError, match="flush"):
        sheet.row("flush")
