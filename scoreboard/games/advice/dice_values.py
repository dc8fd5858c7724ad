"""The worth of a card of boxes: the expected points still to come with best play.

Computed backwards over all positions, from the full card to the empty one (Verhoeff 1999, Glenn
2006). The tables of most games are in `models/advice`; `table_build.py` makes the others.

    values = load(game, options)           # None where there is no table: see why_off
    values.of(card)                        # 254.59 for an empty card of Yahtzee
    values.turn(card).of_roll(roll, 2)     # after the first roll, two more to come
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from itertools import groupby
from pathlib import Path
from typing import Any, Final

import numpy as np

import models
from scoreboard.dice import Roll
from scoreboard.games.advice.card_model import Array, BoxMoves, CardModel, FormNotModelledError
from scoreboard.games.dice.state import Card
from scoreboard.games.engine.game import AnyGame, Setup
from scoreboard.message import Message, message

SHIPPED: Final = Path(models.__file__).parent / "advice"
LANES: Final = 256  # worked out together: what they need stays in the processor's cache
MOST_SHIPPED: Final = 1_000_000  # positions: larger tables are made where they are needed
UNIT: Final = 0.01  # of a point, in which larger tables are kept


@dataclass(frozen=True)
class TurnValues:
    """The worths of one turn's dice from each of `n` positions, with best play.

    Worths are expected points still to come, this turn's included: `boxes` holds those of each roll
    in each box of `moves` [roll, n], -inf where it may not be filled, and `further` the roll's
    extra bonus. `rolls[left]` are those of rolls [roll, n] and `keeps[left - 1]` those of keeps by
    the number of dice [keep, n], while `left` rolls are still allowed. The methods ask for the
    first position.
    """

    model: CardModel
    moves: tuple[BoxMoves, ...]
    boxes: tuple[Array, ...]
    further: Array
    rolls: tuple[Array, ...]
    keeps: tuple[list[Array], ...]

    @classmethod
    def of(cls, model: CardModel, positions: Array, worths: Callable[[Array], Array]) -> TurnValues:
        moves = tuple(model.moves(positions))
        boxes = tuple(each.worths(worths(each.to)) for each in moves)
        best, further = boxes[0].copy(), model.further_bonuses(positions)
        for each in boxes[1:]:
            np.maximum(best, each, out=best)
        best[model.bonus_rolls] += further[model.bonus_rolls].astype(best.dtype)
        rolls, keeps = [best], []
        for _ in range(1, model.form.rolls_allowed):
            keeps.append(model.lattice.before_roll(rolls[-1]))
            rolls.append(model.lattice.best_keeps(keeps[-1]))
        return cls(model, moves, boxes, further, tuple(rolls), tuple(keeps))

    def of_roll(self, roll: Roll, left: int) -> float:
        return float(self.rolls[left][self._at(roll), 0])

    def of_keep(self, kept: Roll, left: int) -> float:
        """The worth of keeping these dice and rolling the others; all of them: of scoring."""
        if len(kept) == self.model.lattice.dice:
            return self.of_roll(kept, 0)
        return float(self.keeps[left - 1][len(kept)][self._at(kept), 0])

    def of_boxes(self, roll: Roll) -> dict[str, float]:
        """The worth of scoring the roll in each box that the rulebook offers, by key."""
        at, keys = self._at(roll), self.model.form.keys
        worths = zip(self.moves, (each[at, 0] for each in self.boxes), strict=True)
        return {
            keys[move.box]: float(worth + self.further[at, 0])
            for move, worth in worths
            if worth > -np.inf
        }

    def _at(self, dice: Roll) -> int:
        return self.model.lattice.index[dice.ascending.faces]


@dataclass(frozen=True)
class DiceValues:
    """The table of one game under its house rules: a worth for every position of a card."""

    model: CardModel
    table: Array

    @property
    def precision(self) -> float:
        """Worths that differ by less may be equal, as the table is rounded."""
        return 2 * UNIT if self.table.dtype == np.uint16 else 1e-3

    def of(self, card: Card) -> float:
        """The points still to come for a card before its next turn, 0 once it is full."""
        return float(self.worths(np.array(self.model.number(card))))

    def turn(self, card: Card) -> TurnValues:
        """The worths of all rolls, keeps and boxes in the next turn of a card that is not full."""
        return TurnValues.of(self.model, np.array([self.model.number(card)]), self.worths)

    def worths(self, positions: Array, dtype: type[np.floating[Any]] = np.float64) -> Array:
        found = self.table[positions].astype(dtype)
        return found * dtype(UNIT) if self.table.dtype == np.uint16 else found


@lru_cache(maxsize=16)
def _modelled(
    start: Callable[[Setup], Any], options: tuple[tuple[str, str], ...]
) -> CardModel | None:
    try:
        return CardModel(start(Setup(("Solo",), dict(options))).form)
    except FormNotModelledError:
        return None


def model_of(game: AnyGame, options: Mapping[str, str]) -> CardModel | None:
    """The card of a game of dice as arrays; None for other games and cards not understood."""
    return _modelled(game.start, tuple(sorted(options.items()))) if game.has_dice else None


def load(
    game: AnyGame, options: Mapping[str, str], folder: Path | None = None
) -> DiceValues | None:
    """A game's worths, from the shipped tables or those made in `folder`; None: see `why_off`."""
    model = model_of(game, options)
    if model is None:
        return None
    for place in (SHIPPED, *([folder] if folder else [])):
        for file in place.glob(f"*-{model.digest}.npy"):
            try:
                table = np.load(file, mmap_mode="r")
            except (EOFError, ValueError):
                continue  # not whole, so it counts as missing, and is made again
            if table.shape == (model.positions,):
                return DiceValues(model, table)
    return None


def is_made_here(game: AnyGame, options: Mapping[str, str]) -> bool:
    """Whether a game's table is too large to ship, and is made at its first use."""
    model = model_of(game, options)
    return model is not None and model.positions > MOST_SHIPPED


def why_off(
    game: AnyGame, options: Mapping[str, str], folder: Path | None = None
) -> Message | None:
    """The reason a game has no advice under these house rules, or None."""
    if load(game, options, folder) is not None:
        return None
    if not game.has_dice:
        return message("There is no advice on dice in this game.")
    if is_made_here(game, options):
        return message("The advice for {game} is still being worked out.", game=game.title)
    return message("There is no advice for {game} under these house rules.", game=game.title)


def file_name(game: AnyGame, model: CardModel) -> str:
    """A table's file name: the game it was made for, and the rules' digest."""
    return f"{game.name}-{model.digest}.npy"


def to_keep(table: Array) -> Array:
    """A table for storage: in float32, or in whole units if it is large."""
    if len(table) <= MOST_SHIPPED:
        return table.astype(np.float32)
    return np.rint(table / UNIT).astype(np.uint16)


def solve(model: CardModel) -> Array:
    """The worth of every position."""
    table = np.zeros(model.positions)
    for level in levels(model):
        solve_positions(model, table, level)
    return table


def levels(model: CardModel) -> Iterator[Array]:
    """Independent positions by the number of filled boxes, fullest first, without full cards."""
    masks = sorted(range(len(model.start) - 2), key=int.bit_count, reverse=True)
    for _, level in groupby(masks, int.bit_count):
        yield np.concatenate([np.arange(*model.start[mask : mask + 2]) for mask in level])


def solve_positions(model: CardModel, table: Array, positions: Array) -> None:
    """Write the worths of these positions; those of fuller cards must be known."""
    chance = model.lattice.chance.astype(table.dtype)
    for low in range(0, len(positions), LANES):
        here = positions[low : low + LANES]
        table[here] = chance @ TurnValues.of(model, here, table.__getitem__).rolls[-1]
