"""One rulebook a file, each ending in `GAME`; a new one is a file and a line in GAMES."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from scoreboard.game import Game
from scoreboard.games import chaser, rummikub, tongtong, yahtzee, yahtzee_bga, yams

GAMES: Final[Mapping[str, Game[Any, Any, Any]]] = {
    "yahtzee": yahtzee.GAME,
    "yahtzee-bga": yahtzee_bga.GAME,
    "yams": yams.GAME,
    "chaser": chaser.GAME,
    "rummikub": rummikub.GAME,
    "tongtong": tongtong.GAME,
}
