"""All rulebooks; a new one is a file and a line in GAMES."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from scoreboard.games import free_sheet as sheet
from scoreboard.games.dice import chaser, yahtzee, yahtzee_bga, yams
from scoreboard.games.engine.game import AnyGame
from scoreboard.games.rummikub import game as rummikub
from scoreboard.games.tongtong import game as tongtong

GAMES: Final[Mapping[str, AnyGame]] = {
    "yahtzee": yahtzee.GAME,
    "yahtzee-bga": yahtzee_bga.GAME,
    "yams": yams.GAME,
    "chaser": chaser.GAME,
    "rummikub": rummikub.GAME,
    "tongtong": tongtong.GAME,
    "free-sheet": sheet.GAME,
}
DICE_GAMES: Final = {name: game for name, game in GAMES.items() if game.has_dice}
RULE_TEXTS: Final = {key: text for game in GAMES.values() for key, text in game.rule_texts.items()}
