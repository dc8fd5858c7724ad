"""The recipes in the documentation work as they are printed."""

from __future__ import annotations

import doctest
import importlib.util
from pathlib import Path
from types import ModuleType

import pytest

from scoreboard.games.dice.acts import RecordRoll, ScoreCategory
from scoreboard.games.engine.game import Offer, Setup

RECIPES = Path(__file__).parent.parent / "docs" / "recipes"
LONGEST = 90


def loaded(path: Path) -> ModuleType:
    """The recipe as a module."""
    spec = importlib.util.spec_from_file_location(path.stem, path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize("path", sorted(RECIPES.glob("*.py")), ids=lambda path: path.stem)
def test_a_recipe_in_python_proves_itself(path: Path) -> None:
    """It has examples, all of which hold."""
    results = doctest.testmod(loaded(path))
    assert results.attempted > 0
    assert results.failed == 0


def test_a_game_of_one_file_is_played_to_its_end() -> None:
    """Scandinavian Yatzy: a short file, and a whole game by its offers."""
    path = RECIPES / "scandinavian_yatzy.py"
    assert len(path.read_text(encoding="utf-8").splitlines()) <= LONGEST
    recipe = loaded(path)
    state = recipe.GAME.start(Setup(("Ann",), {"start": "first"}))
    while recipe.GAME.outcome(state) is None:
        for event in recipe.GAME.decide(state, RecordRoll(recipe.Roll.parse("33355"))):
            state = recipe.GAME.evolve(state, event)
        boxes = [each for each in recipe.GAME.offers(state) if isinstance(each, Offer)]
        box = next(each for each in boxes if isinstance(each.command, ScoreCategory))
        for event in recipe.GAME.decide(state, box.command):
            state = recipe.GAME.evolve(state, event)
    (place,) = recipe.GAME.outcome(state).ranking
    # threes 9, fives 10; pair 10, two pairs 16, three alike 9, full house 19, chance 19
    assert place.points == 92
