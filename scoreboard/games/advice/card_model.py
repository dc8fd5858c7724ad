"""A card of boxes as arrays: the points of every roll, and all positions.

All scores come from the rulebook's `Form`. A position is a mask of the filled boxes (bit `i` for
box `i`) and a lane: what else of the card still matters, such as the upper sum until its bonus is
earned. Positions are numbered mask by mask.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from hashlib import sha256
from itertools import combinations_with_replacement
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from scoreboard.dice import FACES, Roll
from scoreboard.games.dice.form import Bonus, Difference, Form, Total, any_empty_box, no_bonus
from scoreboard.games.dice.state import Card

Faces = tuple[int, ...]


@dataclass(frozen=True)
class RollLattice:
    """The keeps of up to `dice` dice, by their number, and the steps between them.

    `kept[n]` are the keeps of n dice, each ascending; the last are the rolls. `index` gives the
    place of each among those of as many dice. `grow[n]` is [face, keep] to keep: one more die;
    `shrink[n - 1]` is [which die, keep] to keep: one die less. `chance` is each roll's probability.
    """

    dice: int
    kept: tuple[tuple[Faces, ...], ...]
    index: dict[Faces, int]
    grow: tuple[Array, ...]
    shrink: tuple[Array, ...]
    chance: Array

    def before_roll(self, after: Array) -> list[Array]:
        """From the worth of each roll [roll, lane] that of rolling on from each keep, by number."""
        levels = [after]
        for grow in reversed(self.grow):
            mean = levels[-1].take(grow[0], axis=0)
            for keeps in grow[1:]:
                mean += levels[-1].take(keeps, axis=0)
            mean *= 1 / len(grow)
            levels.append(mean)
        return levels[::-1]

    def best_keeps(self, levels: list[Array]) -> Array:
        """From the worth of each keep that of each roll when its best dice are kept."""
        best = levels[0]
        for level, shrink in zip(levels[1:], self.shrink, strict=True):
            below, best = best, level.copy()
            for keeps in shrink:
                np.maximum(best, below.take(keeps, axis=0), out=best)
        return best


@cache
def lattice_of(dice: int) -> RollLattice:
    """The lattice of that many dice."""
    kept = tuple(tuple(combinations_with_replacement(FACES, size)) for size in range(dice + 1))
    index = {keep: at for level in kept for at, keep in enumerate(level)}

    def grown(keep: Faces, face: int) -> int:
        return index[tuple(sorted((*keep, face)))]

    grow = tuple(np.array([[grown(k, f) for k in level] for f in FACES]) for level in kept[:-1])
    shrink = tuple(
        np.array([[index[(*k[:at], *k[at + 1 :])] for k in level] for at in range(size)])
        for size, level in enumerate(kept[1:], start=1)
    )
    chance = np.ones(1)
    for level, ways in zip(kept[1:], grow, strict=True):
        before, chance = chance / len(FACES), np.zeros(len(level))
        for keeps in ways:
            np.add.at(chance, keeps, before)
    return RollLattice(dice, kept, index, grow, shrink, chance)


Array = npt.NDArray[Any]
Step = Callable[[int, Any, Any, int], tuple[Any, Any]]
PROBES: Final = 12  # full cards that must add up as the rulebook has it


class FormNotModelledError(ValueError):
    """A card's points do not follow from boxes, bonuses and differences alone."""


class Tracker:
    """A card's memory of these boxes, as a number: a sum, or the points of one of them.

    `step(box, states, points, filled)` gives the states after `box` (an index into `boxes`) takes
    `points`, and the extra points earned, for numbers or arrays; `filled` is the mask of the
    tracker's boxes that were filled before. `rules` are its parameters.

    Each mask of the tracker's boxes has `sizes` states; `own[mask]` is that mask, of all boxes.
    """

    def __init__(
        self, boxes: Sequence[int], points: Sequence[Array], step: Step, rules: object
    ) -> None:
        self.boxes, self.rules, self._step = tuple(boxes), rules, step
        masks = np.arange(1 << len(points))
        self.own = np.zeros_like(masks)
        for at, box in enumerate(self.boxes):
            self.own |= (masks >> box & 1) << at
        self._states = [np.zeros(1, dtype=np.int64)]
        for own in range(1, 1 << len(self.boxes)):
            last = own.bit_length() - 1
            before, taken = own ^ 1 << last, points[self.boxes[last]]
            after, _ = step(last, self._states[before][:, None], taken, before)
            self._states.append(np.unique(after))
        self.sizes = np.array([len(states) for states in self._states])
        self._most = int(self.sizes.max())
        self._moves = {
            box: self._all_moves(at, points[box][:, None]) for at, box in enumerate(self.boxes)
        }

    def _all_moves(self, at: int, points: Array) -> tuple[Array, Array]:
        """The next state, and the points [points, own mask and state], where `at` is empty."""
        to = np.zeros((len(points), len(self._states), self._most), dtype=np.int64)
        gains = np.zeros_like(to)
        for own, states in enumerate(self._states):
            if not own >> at & 1:
                after, gain = self._step(at, states, points, own)
                to[:, own, : len(states)] = np.searchsorted(self._states[own | 1 << at], after)
                gains[:, own, : len(states)] = gain
        return to.reshape(len(points), -1), gains.reshape(len(points), -1)

    def moves(self, box: int, masks: Array, states: Array) -> tuple[Array, Array]:
        """The next states once the box is filled, and the points earned by it [points, mask]."""
        if box not in self._moves:
            return states, np.zeros(1, dtype=np.int64)
        at = self.own[masks] * self._most + states
        to, gains = self._moves[box]
        return to.take(at, axis=1), gains.take(at, axis=1)

    def followed(self, filled: Mapping[int, int]) -> tuple[int, int]:
        """The state once these boxes hold these points, and the extra points earned."""
        state, earned, own = 0, 0, 0
        for index, box in enumerate(self.boxes):
            if box in filled:
                state, gain = self._step(index, state, filled[box], own)
                earned, own = earned + int(gain), own | 1 << index
        return int(np.searchsorted(self._states[own], state)), earned


def _summing(bonus: Bonus, most: int) -> Step:
    """The sum of the boxes up to the goal; each point above it earns the same, whatever the sum."""
    earned = np.array([bonus({bonus.of: points}) for points in range(bonus.goal + most + 1)])

    def step(_box: int, states: Any, points: Any, _filled: int) -> tuple[Any, Any]:
        after = states + points
        return np.minimum(after, bonus.goal), earned[after] - earned[states]

    return step


def _comparing(difference: Difference) -> Step:
    """The points of one of two boxes while the other is empty."""

    def step(box: int, states: Any, points: Any, filled: int) -> tuple[Any, Any]:
        if not filled:
            return _remembering(box, states, points, filled)
        this, other = (difference.more, difference.less)[:: -1 if box else 1]
        earned = np.vectorize(lambda own, held: difference({this: own, other: held}))
        return 0 * (states + points), earned(points, states)

    return step


def _remembering(_box: int, states: Any, points: Any, _filled: int) -> tuple[Any, Any]:
    return points + 0 * states, 0


@dataclass(frozen=True)
class BoxMoves:
    """The transitions of filling one box from each of `n` positions.

    `to` is the position and `gains` the points [row, n] for each possible number of points; one row
    for all if they are the same. `rows` [roll] gives the row of each roll, except for `rolls`,
    whose `own_rows` [rolls, n] depend on the filled boxes. A row past the last means that the box
    may not be filled, and `filled` [n] that it is not empty.
    """

    box: int
    filled: Array
    to: Array
    gains: Array
    rows: Array
    rolls: Array
    own_rows: Array

    def worths(self, to_come: Array) -> Array:
        """The worth of each roll [roll, n] in this box, by the worths of the positions `to`."""
        shape = len(self.gains) + 1, len(self.filled)
        found = np.full(shape, -np.inf, to_come.dtype)
        np.add(to_come, self.gains.astype(to_come.dtype), out=found[:-1])
        found[:, self.filled] = -np.inf
        result: Array = found.take(self.rows, axis=0)
        result[self.rolls] = found[self.own_rows, np.arange(shape[1])]
        return result

    def taken(self, rolls: Array, at: Array) -> tuple[Array, Array]:
        """The next position of each of these rolls from the one at that place, and its points."""
        rows = self.rows[rolls]
        for roll, own in zip(self.rolls, self.own_rows, strict=True):
            rows = np.where(rolls == roll, own[at], rows)
        whole = len(self.gains), len(self.filled)
        to, gains = (np.broadcast_to(each, whole) for each in (self.to, self.gains))
        return to[rows, at], gains[rows, at]


class CardModel:
    """One form as arrays. Raises FormNotModelledError: its grand total cannot be understood.

    `points[box]` are the different points that a box may take, ascending. `positions` is the number
    of positions, `start[mask]` the first one of each mask. `bonus_rolls` may earn more than their
    box. `digest` identifies the numbers of the rules: forms with the same digest have the same
    worths.
    """

    def __init__(self, form: Form) -> None:
        self.form = form
        self._boxes, self._keys = form.boxes, form.keys  # properties, which take their time
        self._index = {key: box for box, key in enumerate(self._keys)}
        self.lattice = lattice_of(form.dice)
        self._rolls = [Roll(faces) for faces in self.lattice.kept[-1]]
        placed = [self._placed(roll, 0) for roll in self._rolls]
        self._dependent = np.array(self._dependent_rolls(placed), dtype=np.int64)
        self.points = self._all_points(placed)
        self._row = [{int(each): at for at, each in enumerate(all_)} for all_ in self.points]
        self._rows = np.array([self._rows_of(row) for row in placed]).T
        self._own_rows: dict[int, Array] = {}
        self._counted = [self._grand({key: 1}) for key in self._keys]
        self._trackers = [*self._trackers_of_totals()]
        self.bonus_rolls, self._bonuses = self._dependent[:0], np.zeros((0, 1), dtype=np.int64)
        if form.further is not no_bonus:
            self._track_further_bonus()
        lanes = (tracker.sizes[tracker.own] for tracker in self._trackers)
        ends = np.cumsum(np.prod([np.ones(1 << len(self.points), np.int64), *lanes], axis=0))
        self.start = np.concatenate([[0], ends])
        self.digest = self._checked()

    @property
    def positions(self) -> int:
        return int(self.start[-1])

    def number(self, card: Card) -> int:
        filled = {box: points for box, points in enumerate(card.points) if points is not None}
        mask, lane = sum(1 << box for box in filled), 0
        for tracker in self._trackers:
            lane = lane * int(tracker.sizes[tracker.own[mask]]) + tracker.followed(filled)[0]
        return int(self.start[mask]) + lane

    def moves(self, positions: Array) -> Iterator[BoxMoves]:
        """The transitions of each box that is empty in one of these positions, from all of them."""
        masks, states = self._split(positions)
        every, which = np.unique(masks, return_inverse=True)
        own_rows = np.array([self._rows_of_dependent(int(mask)) for mask in every])[which]
        for box, points in enumerate(self.points):
            filled, after = masks >> box & 1 == 1, masks | 1 << box
            if filled.all():
                continue
            to, gains = self.start[after][None], (points * self._counted[box])[:, None]
            stride = np.ones_like(after)
            for tracker, own in zip(self._trackers[::-1], states[::-1], strict=True):
                moved, gain = tracker.moves(box, masks, own)
                to, gains = to + moved * stride, gains + gain
                stride = stride * tracker.sizes[tracker.own[after]]
            own = own_rows[:, box].T
            yield BoxMoves(box, filled, to, gains, self._rows[box], self._dependent, own)

    def further_bonuses(self, positions: Array) -> Array:
        """Each roll's bonus on top of any box [roll, position]."""
        earned = np.zeros((len(self._rolls), len(positions)), dtype=np.int64)
        if len(self.bonus_rolls):
            earned[self.bonus_rolls] = self._bonuses[:, self._split(positions)[1][-1]]
        return earned

    def _split(self, positions: Array) -> tuple[Array, list[Array]]:
        """The mask of each position, and for each tracker the index of its state."""
        masks = np.searchsorted(self.start, positions, side="right") - 1
        lanes, states = positions - self.start[masks], []
        for tracker in self._trackers[::-1]:
            lanes, state = np.divmod(lanes, tracker.sizes[tracker.own[masks]])
            states.append(state)
        return masks, states[::-1]

    def _rows_of_dependent(self, mask: int) -> Array:
        """The rows [box, roll] of the rolls that depend on the filled boxes."""
        if mask not in self._own_rows:
            rows = [self._rows_of(self._placed(self._rolls[at], mask)) for at in self._dependent]
            self._own_rows[mask] = np.array(rows, dtype=np.int64).reshape(-1, len(self.points)).T
        return self._own_rows[mask]

    def _placed(self, roll: Roll, mask: int) -> dict[int, int]:
        filled = {key for box, key in enumerate(self._keys) if mask >> box & 1}
        placements = self.form.placing(self._boxes, roll, filled)
        return {self._index[placed.box.key]: placed.points for placed in placements}

    def _rows_of(self, placed: dict[int, int]) -> list[int]:
        """For each box the row of its points; one past the last if it may not be filled."""
        return [row[placed[at]] if at in placed else len(row) for at, row in enumerate(self._row)]

    def _dependent_rolls(self, placed: list[dict[int, int]]) -> list[int]:
        """The rolls whose boxes or points depend on the filled boxes (YZ-18)."""
        if self.form.placing is any_empty_box:
            return []
        upper = (1 << len(self._keys) // 2) - 1
        masks = (upper, (1 << len(self._keys)) - 1 - upper)

        def is_changed(at: int, mask: int) -> bool:
            left = {box: points for box, points in placed[at].items() if not mask >> box & 1}
            return self._placed(self._rolls[at], mask) != left

        return [at for at in range(len(placed)) if any(is_changed(at, mask) for mask in masks)]

    def _all_points(self, placed: list[dict[int, int]]) -> list[Array]:
        """The points that each box may take, those of jokers too."""
        found = [{row[box] for row in placed if box in row} for box in range(len(self._boxes))]
        for box, points in zip(self._boxes, found, strict=True):
            points.update((box.joker or box.worth)(self._rolls[at]) for at in self._dependent)
        return [np.array(sorted(points)) for points in found]

    def _grand(self, points: Mapping[str, int], further: int = 0) -> int:
        return Card(self.form, tuple(points.get(key) for key in self._keys), further).grand

    def _trackers_of_totals(self) -> Iterator[Tracker]:
        """The memory needed for the totals that are no plain sums."""
        for row in self.form.rows:
            match row:
                case Total(sum=Bonus() as bonus):
                    alone = (Card.empty(self.form).with_score(key, 1, 0) for key in self._keys)
                    summed = [at for at, card in enumerate(alone) if card.values[bonus.of]]
                    most = max(int(self.points[box][-1]) for box in summed)
                    yield Tracker(summed, self.points, _summing(bonus, most), bonus)
                case Total(sum=Difference() as difference):
                    boxes = (self._index[difference.more], self._index[difference.less])
                    yield Tracker(boxes, self.points, _comparing(difference), difference)

    def _track_further_bonus(self) -> None:
        """Find and track the rolls that may earn more than their box, by the points of one box."""
        empty, further = dict.fromkeys(self._keys), self.form.further
        most = {key: int(points[-1]) for key, points in zip(self._keys, self.points, strict=True)}
        rolls = [at for at, roll in enumerate(self._rolls) if further(most, roll)]
        for box, key in enumerate(self._keys):
            held = [empty | {key: int(points)} for points in self.points[box]]
            earned = np.array([[further(each, self._rolls[at]) for each in held] for at in rolls])
            if not earned.any():
                continue
            if len(self.bonus_rolls) or earned[:, 0].any() or self._grand({}, further=1) != 1:
                raise FormNotModelledError("further bonuses are not understood")
            self.bonus_rolls, self._bonuses = np.array(rolls), earned
            rules = [(int(points), at) for at, points in enumerate(self.points[box])]
            self._trackers.append(Tracker([box], self.points, _remembering, rules))

    def _checked(self) -> str:
        """The digest, after checking the sums of some full cards against the rulebook."""
        keys, grands = self._keys, []
        for probe in range(PROBES):
            card = {
                box: int(points[(probe * (box + 3) + box) % len(points)])
                for box, points in enumerate(self.points)
            }
            extra = sum(tracker.followed(card)[1] for tracker in self._trackers)
            own = sum(points * self._counted[box] for box, points in card.items())
            grands.append(self._grand({keys[box]: points for box, points in card.items()}))
            if grands[-1] != own + extra:
                raise FormNotModelledError("the grand total is not understood")
        every = (1 << len(keys)) - 1
        masks = [mask for box in range(len(keys)) for mask in (1 << box, every ^ 1 << box)]
        numbers = (
            (self.form.dice, self.form.rolls_allowed, grands, self._counted),
            [(tracker.boxes, tracker.rules) for tracker in self._trackers],
            [points.tolist() for points in self.points],
            self._rows.tolist(),
            [[self._placed(self._rolls[at], mask) for mask in masks] for at in self._dependent],
            (self.bonus_rolls.tolist(), self._bonuses.tolist()),
        )
        return sha256(repr(numbers).encode()).hexdigest()[:16]
