"""Every game of dice by camera and two buttons, from the first roll to the ranking."""

from __future__ import annotations

from random import Random

import pytest

from scoreboard.games import DICE_GAMES
from scoreboard.table.requests import GameOpened
from tests.scoreboard.table.fakes import Table


@pytest.mark.parametrize("game", DICE_GAMES)
def test_a_game_by_camera_and_buttons(game: str) -> None:
    """The camera proposes, KEEP confirms and scores, REROLL rolls again: to the end."""
    table, chance = Table(), Random(3)
    table.session.receive(GameOpened(game, ("North", "South"), {"start": "first"}))
    table.clock.advance(1)
    while table.stage() != "finished":
        table.roll("".join(chance.choice("123456") for _ in range(5)))
        if chance.random() < 0.3:
            table.reroll()
            continue
        table.keep()
        while table.stage() == "choosing":
            table.keep()  # a 0 asks once more
    assert table.view.outcome is not None
    assert {place.player for place in table.view.outcome.ranking} == {"North", "South"}
