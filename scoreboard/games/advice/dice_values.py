"""What a card of boxes is worth: the points still to come, on average, if nobody errs.

Worked out backwards over all positions, from the full card to the empty one (Verhoeff 1999, Glenn
2006). The tables of most games are in `models/advice`; `table_build.py` makes the others.

    values = load(game, options)           # None where there is no table: see why_off
    values.of(card)                        # 254.59 for an empty card of Yahtzee
    values.turn(card).of_roll(roll, 2)     # after the first roll, two more to come
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache, reduce
from itertools import groupby
from pathlib import Path
from typing import Any, Final

import numpy as np
import numpy.typing as npt

import models
from scoreboard.dice import Roll
from scoreboard.games.advice.card_model import CardModel, FormNotModelledError, Gather
from scoreboard.games.advice.roll_lattice import RollLattice
from scoreboard.games.dice.state import Card
from scoreboard.games.engine.game import Game, Setup
from scoreboard.message import Message, message

Array = npt.NDArray[Any]
AnyGame = Game[Any, Any, Any]
SHIPPED: Final = Path(models.__file__).parent / "advice"
LANES: Final = 256  # worked out together: what they need stays in the processor's cache
MOST_SHIPPED: Final = 1_000_000  # positions: larger tables are made where they are needed
UNIT: Final = 0.01  # of a point, in which larger tables are kept


@dataclass(frozen=True)
class TurnValues:
    """What the dice of one turn are worth to one card.

    Worths are points still to come, on average and at best play, this turn's included. `card` is
    that before the first roll; `left` counts the rolls still allowed.
    """

    card: float
    lattice: RollLattice
    boxes: Mapping[str, Array]
    rolls: tuple[Array, ...]
    keeps: tuple[tuple[Array, ...], ...]

    def of_roll(self, roll: Roll, left: int) -> float:
        """The worth of a roll, the best made of it."""
        return float(self.rolls[left][self._at(roll)])

    def of_keep(self, kept: Roll, left: int) -> float:
        """The worth of keeping these dice and rolling the others; all of them: of scoring."""
        if len(kept) == self.lattice.dice:
            return self.of_roll(kept, 0)
        return float(self.keeps[left - 1][len(kept)][self._at(kept)])

    def of_boxes(self, roll: Roll) -> dict[str, float]:
        """The worth of scoring the roll in each box that the rulebook offers, by key."""
        at = self._at(roll)
        return {key: float(each[at]) for key, each in self.boxes.items() if each[at] > -np.inf}

    def _at(self, dice: Roll) -> int:
        return self.lattice.index[dice.ascending.faces]


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
        return float(self._gather(np.array([self.model.number(card)]))[0])

    def turn(self, card: Card) -> TurnValues:
        """The worths of all rolls, keeps and boxes in the next turn of a card that is not full."""
        mask, lane = self.model.position(card)
        here, lattice = slice(lane, lane + 1), self.model.lattice
        rolls, earned = self.model.further_bonus(mask, here)
        boxes = {}
        for box, rows, worths in self.model.worths_of_boxes(mask, self._gather, here):
            boxes[self.model.form.keys[box]] = each = worths[rows, 0]
            each[rolls] += earned[:, 0]
        after = [np.maximum.reduce(list(boxes.values()))]
        keeps = []
        for _ in range(1, self.model.form.rolls_allowed):
            levels = lattice.before_roll(after[-1])
            keeps.append(tuple(levels))
            after.append(lattice.best_keeps(levels))
        return TurnValues(self.of(card), lattice, boxes, tuple(after), tuple(keeps))

    def _gather(self, at: Array | slice) -> Array:
        found = self.table[at].astype(np.float64)
        return found * UNIT if self.table.dtype == np.uint16 else found


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
    """The worths of a game's cards, from the tables that come along or those made in `folder`.

    None where there is none, or none that fits these house rules: `why_off` says why.
    """
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
    """Whether a game's table is too large to come along, and is made at its first use."""
    model = model_of(game, options)
    return model is not None and model.positions > MOST_SHIPPED


def why_off(
    game: AnyGame, options: Mapping[str, str], folder: Path | None = None
) -> Message | None:
    """Why there is no advice in a game under these house rules, None where there is."""
    if load(game, options, folder) is not None:
        return None
    if not game.has_dice:
        return message("There is no advice on dice in this game.")
    if is_made_here(game, options):
        return message("The advice for {game} is still being worked out.", game=game.title)
    return message("There is no advice for {game} under these house rules.", game=game.title)


def file_name(game: AnyGame, model: CardModel) -> str:
    """What a table's file is called: by the game it was made for, and the rules' digest."""
    return f"{game.name}-{model.digest}.npy"


def to_keep(table: Array) -> Array:
    """A table as it is kept: in float32, or in whole units where it is large."""
    if len(table) <= MOST_SHIPPED:
        return table.astype(np.float32)
    return np.rint(table / UNIT).astype(np.uint16)


def solve(model: CardModel, dtype: type[np.floating[Any]] = np.float64) -> Array:
    """The worth of every position."""
    table = np.zeros(model.positions, dtype)
    for masks in levels(model):
        solve_masks(model, table, masks)
    return table


def levels(model: CardModel) -> list[list[int]]:
    """The masks by the number of their boxes, fullest first; those of a level are independent."""
    masks = sorted(range((1 << len(model.points)) - 1), key=int.bit_count, reverse=True)
    return [list(level) for _, level in groupby(masks, int.bit_count)]


def solve_masks(model: CardModel, table: Array, masks: Iterable[int]) -> None:
    """Write the worths of all positions of these masks, once those of fuller ones are there."""
    gather: Gather = table.__getitem__
    waiting: list[tuple[int, Array]] = []
    for mask in masks:
        lanes = model.lanes(mask)
        for low in range(0, lanes, LANES):
            here = slice(low, min(low + LANES, lanes))
            waiting.append((int(model.start[mask]) + low, _ends(model, mask, here, gather)))
            if sum(each.shape[1] for _, each in waiting) >= LANES:
                _write(model, table, waiting)
                waiting = []
    if waiting:
        _write(model, table, waiting)


def _ends(model: CardModel, mask: int, lanes: slice, gather: Gather) -> Array:
    """The worth [roll, lane] of each roll that must be scored: that of its best box."""
    boxes = model.worths_of_boxes(mask, gather, lanes)
    best: Array = reduce(np.maximum, (worths.take(rows, axis=0) for _, rows, worths in boxes))
    rolls, earned = model.further_bonus(mask, lanes)
    best[rolls] += earned.astype(best.dtype)
    return best


def _write(model: CardModel, table: Array, waiting: list[tuple[int, Array]]) -> None:
    """From the ends of a turn back to its beginning."""
    worths = np.concatenate([each for _, each in waiting], axis=1)
    for _ in range(1, model.form.rolls_allowed):
        worths = model.lattice.best_keeps(model.lattice.before_roll(worths))
    cards, at = model.lattice.chance.astype(table.dtype) @ worths, 0
    for first, each in waiting:
        lanes = each.shape[1]
        table[first : first + lanes] = cards[at : at + lanes]
        at += lanes
