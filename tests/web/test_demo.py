"""The demo evening follows the table."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime
from itertools import count
from typing import get_args

import pytest

from scoreboard.dice import Roll
from scoreboard.game import Turn
from scoreboard.store import MemoryStore
from scoreboard.table.messages import Action, Chosen, Corrected, GameOpened, Pressed, TableSight
from scoreboard.table.session import TableSession
from scoreboard.table.view import Stage, TableView
from web.demo import OPENING, DemoThrows, throw_for

NOW = datetime(2026, 1, 2, 20, 0, tzinfo=UTC)


class DemoTable:
    """A table with a demo camera that only notes what it shall show."""

    def __init__(self, opening: GameOpened = OPENING, store: MemoryStore | None = None) -> None:
        self.shown: list[tuple[int, int]] = []
        self.store = store or MemoryStore()
        numbers = count()
        throws = DemoThrows(lambda turn, throw: self.shown.append((turn, throw)))
        new_id: Callable[[], str] = lambda: f"game {next(numbers)}"  # noqa: E731
        self.session = TableSession(self.store, lambda: NOW, [throws], new_id)
        if store is None:
            self.session.receive(opening)

    def throw(self, roll: str, action: Action) -> None:
        """A throw is seen and confirmed by that button."""
        self.session.receive(Corrected(Roll.parse(roll), self.session.view.version))
        self.press(action)

    def press(self, action: Action) -> None:
        """A press on the panel."""
        answer = self.session.receive(Pressed(action, NOW, self.session.view.version))
        assert answer.verdict == "done", answer

    def score(self, box: str) -> None:
        """A box is chosen on the page."""
        answer = self.session.receive(Chosen(f"score:{box}", self.session.view.version))
        assert answer.verdict == "done", answer


def test_a_turn_shows_one_throw_after_the_other() -> None:
    """REROLL brings the turn's next throw, a score the next player's first."""
    stage = DemoTable()
    assert stage.shown[-1] == (0, 0)
    stage.throw("12345", Action.REROLL)
    assert stage.shown[-1] == (0, 1)
    stage.throw("12345", Action.REROLL)
    assert stage.shown[-1] == (0, 2)
    stage.throw("12345", Action.KEEP)
    assert stage.shown[-1] == (0, 2)
    stage.score("large-straight")
    assert stage.shown[-1] == (1, 0)


def test_a_turn_that_ends_early_skips_its_rest() -> None:
    """While the box is chosen the last throw stays on the table."""
    stage = DemoTable()
    stage.throw("12345", Action.KEEP)
    assert stage.shown[-1] == (0, 0)
    stage.score("large-straight")
    assert stage.shown[-1] == (1, 0)


def test_throws_for_the_start_come_first() -> None:
    """Each player's throw looks different, and so does the first of the game."""
    stage = DemoTable(GameOpened("yahtzee", ("North", "South"), {"start": "roll-off"}))
    assert stage.shown[-1] == (0, 0)
    stage.throw("12345", Action.KEEP)
    assert stage.shown[-1] == (1, 0)
    stage.throw("23456", Action.KEEP)
    assert stage.session.view.stage == "rolling"
    assert stage.shown[-1] == (2, 0)


def test_after_a_restart_it_goes_on_where_the_game_stands() -> None:
    """The stored game alone tells which throw is next."""
    first = DemoTable()
    first.throw("12345", Action.KEEP)
    first.score("large-straight")
    first.throw("13566", Action.REROLL)
    again = DemoTable(store=first.store)
    again.session.resume_newest()
    assert again.shown[-1] == first.shown[-1] == (1, 1)


@pytest.mark.parametrize("players", [("North",), ("North", "South", "East")])
def test_taking_back_shows_the_throw_again(players: tuple[str, ...]) -> None:
    """UNDO leads back to the throw that is awaited then."""
    stage = DemoTable(GameOpened("yahtzee", players, {"start": "first"}))
    stage.throw("12345", Action.REROLL)
    stage.press(Action.UNDO)
    assert stage.shown[-1] == (0, 0)


@pytest.mark.parametrize("stage", get_args(Stage))
def test_only_a_game_under_way_asks_for_throws(stage: Stage) -> None:
    """When a game is over or put away, what lies on the table stays there."""
    turn = Turn(4, "rolling", 0, 1, 3, Roll.parse("12345"), None)
    view = TableView(version=1, stage=stage, sight=TableSight.STILL, turn=turn)
    expected = {"starting": (4, 0), "rolling": (4, 1), "choosing": (4, 0)}
    assert throw_for(view) == expected.get(stage)
    assert throw_for(replace(view, turn=None)) is None


def test_without_a_game_nothing_new_is_shown() -> None:
    """What lies on the table stays there when a game is put away."""
    stage = DemoTable(store=MemoryStore())
    stage.session.resume_newest()
    assert stage.shown == []
