"""Decks of made-up design and dice with symbols: drawn, laid on tables, photographed."""

from __future__ import annotations

from typing import Final

from vision.train.rendering.decks.kept_back import KEPT_BACK
from vision.train.rendering.decks.symbol_dice import SYMBOL_DICE
from vision.train.rendering.decks.tuning_set import TUNING

ALL_DESIGNS: Final = (*TUNING, *KEPT_BACK, *SYMBOL_DICE)
