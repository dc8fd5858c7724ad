"""A card of boxes as arrays: what every roll is worth, and which positions there are.

Everything is asked of the rulebook's `Form`; nothing is scored here. A position is a mask of the
filled boxes (bit `i` for box `i`) and a lane: what else of the card still matters, such as the
upper sum until its bonus is earned. Positions are numbered mask by mask.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from scoreboard.dice import Roll
from scoreboard.games.advice.roll_lattice import lattice_of
from scoreboard.games.dice.form import (
    Bonus,
    Difference,
    Form,
    Total,
    any_empty_box,
    no_bonus,
)
from scoreboard.games.dice.state import Card

Array = npt.NDArray[Any]
Gather = Callable[[Array | slice], Array]
PROBES: Final = 12  # full cards that must add up as the rulebook has it


class FormNotModelledError(ValueError):
    """A card whose points do not follow from boxes, bonuses and differences alone."""


@dataclass(frozen=True)
class Tracker:
    """What a card must remember of these boxes, as a number: a sum, a recorded value, a class.

    `step(box, states, points, filled)` gives the states [points, states] after `box` (an index into
    `boxes`) takes each of `points`, and the points [points, states] that this earns on top;
    `filled` is the mask of the tracker's boxes that were filled before.
    """

    boxes: tuple[int, ...]
    step: Callable[[int, Array, Array, int], tuple[Array, Array]]
    rules: object

    def own(self, mask: Any) -> Any:
        """The mask of the tracker's boxes, of a mask (or an array of masks) of all boxes."""
        return sum(((mask >> box) & 1) << at for at, box in enumerate(self.boxes))


def _sum_tracker(bonus: Bonus, boxes: tuple[int, ...], most: int) -> Tracker:
    """The sum of the boxes up to the goal; each point above it earns the same, whatever the sum."""
    earned = np.array([bonus({bonus.of: points}) for points in range(bonus.goal + most + 1)])

    def step(_box: int, states: Array, points: Array, _filled: int) -> tuple[Array, Array]:
        after = states + points[:, None]
        return np.minimum(after, bonus.goal), earned[after] - earned[states]

    return Tracker(boxes, step, bonus)


def _difference_tracker(difference: Difference, boxes: tuple[int, ...]) -> Tracker:
    """What one of two boxes holds while the other is empty."""

    def step(box: int, states: Array, points: Array, filled: int) -> tuple[Array, Array]:
        after = np.repeat(points[:, None], len(states), axis=1)
        if not filled:
            return after, np.zeros_like(after)
        this, other = (difference.more, difference.less)[:: -1 if box else 1]
        earned = [
            [difference({this: a, other: b}) for b in states.tolist()] for a in points.tolist()
        ]
        return np.zeros_like(after), np.array(earned)

    return Tracker(boxes, step, difference)


def _class_tracker(box: int, classes: dict[int, int]) -> Tracker:
    """Which further bonuses the points of one box lead to."""

    def step(_box: int, states: Array, points: Array, _filled: int) -> tuple[Array, Array]:
        column = np.array([[classes[int(each)]] for each in points])
        after = np.repeat(column, len(states), axis=1)
        return after, np.zeros_like(after)

    return Tracker((box,), step, sorted(classes.items()))


@dataclass(frozen=True)
class BoxMoves:
    """What filling one box leads to from each of `n` positions.

    `at` are the places [m] of the positions in which the box is empty. `to` is the position and
    `gains` the points [row, m] for each points that the box may take; `rows` [roll] gives the row
    of each roll, but for `rolls`, whose `own_rows` [rolls, m] depend on what is filled. A row past
    the last is for what may not be filled in.
    """

    at: Array
    to: Array
    gains: Array
    rows: Array
    rolls: Array
    own_rows: Array

    def by_roll(self, worths: Array) -> Array:
        """From what each row is worth [row, m] that of each roll [roll, m]."""
        found: Array = np.pad(worths, ((0, 1), (0, 0)), constant_values=-np.inf)
        result: Array = found.take(self.rows, axis=0)
        result[self.rolls] = np.take_along_axis(found, self.own_rows, axis=0)
        return result

    def row(self, rolls: Array, at: Array) -> Array:
        """The row of each roll, in the position at that place of `at`."""
        result: Array = self.rows[rolls]
        for roll, own in zip(self.rolls, self.own_rows, strict=True):
            is_own = rolls == roll
            result[is_own] = own[at[is_own]]
        return result


class CardModel:
    """One form as arrays.

    `points[box]` are the different points that a box may take, ascending. `positions` is the number
    of positions, `start[mask]` the first one of each mask. `digest` names the numbers of the rules:
    forms with the same digest have the same worths.

    Raises:
        FormNotModelledError: the grand total does not follow from boxes, bonuses and differences.
    """

    def __init__(self, form: Form) -> None:
        self.form = form
        self._boxes, self._keys = form.boxes, form.keys  # properties, which take their time
        self._index = {key: box for box, key in enumerate(self._keys)}
        self.lattice = lattice_of(form.dice)
        self._rolls = [Roll(faces) for faces in self.lattice.kept[-1]]
        placed = [self._placed(roll, 0) for roll in self._rolls]
        self._dependent = self._dependent_rolls(placed)
        self.points = self._all_points(placed)
        self._row = [{int(each): at for at, each in enumerate(all_)} for all_ in self.points]
        self._rows = np.array([self._rows_of(row) for row in placed]).T
        self._counted = [self._grand({key: 1}) for key in self._keys]
        bonus_rolls, bonuses, classes = self._further_bonuses()
        self._bonus_rolls = np.array(bonus_rolls, dtype=np.int64)
        self._bonuses = np.array(bonuses)
        self._trackers = (*self._trackers_of_totals(), *classes)
        self._states = [self._reached(number) for number in range(len(self._trackers))]
        self._sizes = [np.array([len(each) for each in states]) for states in self._states]
        self._steps: dict[tuple[int, int, int], tuple[Array, Array]] = {}
        self._all_steps: dict[tuple[int, int], tuple[Array, Array]] = {}
        self._own_rows: dict[int, Array] = {}
        self.start = self._starts()
        self.digest = self._checked()

    @property
    def positions(self) -> int:
        """How many positions there are."""
        return int(self.start[-1])

    def lanes(self, mask: int) -> int:
        """How many positions a mask has."""
        return int(self.start[mask + 1] - self.start[mask])

    def position(self, card: Card) -> tuple[int, int]:
        """The mask and the lane of a card."""
        filled = {box: points for box, points in enumerate(card.points) if points is not None}
        mask, lane = sum(1 << box for box in filled), 0
        for tracker, states in zip(self._trackers, self._states, strict=True):
            state, _ = _followed(tracker, filled)
            reached = states[tracker.own(mask)]
            lane = lane * len(reached) + int(np.searchsorted(reached, state))
        return mask, lane

    def number(self, card: Card) -> int:
        """The number of a card's position."""
        mask, lane = self.position(card)
        return int(self.start[mask]) + lane

    def worths_of_boxes(
        self, mask: int, gather: Gather, lanes: slice
    ) -> Iterator[tuple[int, Array, Array]]:
        """What each empty box leads to: the box, each roll's row, and [row, lane] worths.

        A worth is the points still to come if the box takes the points of that row now; the last
        row is for the rolls that it may not take. `gather` gives the worths of positions.
        """
        rows, parts = self._placed_rows(mask), [each[lanes] for each in self._parts(mask)]
        count = lanes.stop - lanes.start
        for box, points in enumerate(self.points):
            if mask >> box & 1:
                continue
            first, extra = int(self.start[mask | 1 << box]), np.zeros((1, 1))
            if any(box in tracker.boxes for tracker in self._trackers):
                at, extra = self._moved(mask, box, parts)
                worths = gather(at)
            else:
                worths = gather(slice(first + lanes.start, first + lanes.stop))
            own = (points * self._counted[box])[:, None] + extra
            result = np.full((len(points) + 1, count), -np.inf, worths.dtype)
            np.add(worths, own.astype(worths.dtype), out=result[:-1])
            yield box, rows[box], result

    def moves(self, positions: Array) -> Iterator[BoxMoves]:
        """What each box leads to, from many positions at once, whatever is filled in each."""
        masks, parts = self._split(positions)
        dependent = np.array(self._dependent, dtype=np.int64)
        every, which = np.unique(masks, return_inverse=True)
        own_rows = np.array([self._rows_of_dependent(int(mask)) for mask in every])[which]
        for box, points in enumerate(self.points):
            (at,) = np.nonzero(masks >> box & 1 == 0)
            before, after = masks[at], masks[at] | 1 << box
            to = np.repeat(self.start[after][:, None], len(points), axis=1)
            gains = np.repeat((points * self._counted[box])[None], len(at), axis=0)
            stride = np.ones((len(at), 1), dtype=np.int64)
            for number in reversed(range(len(self._trackers))):
                tracker, part = self._trackers[number], parts[number][at]
                if box in tracker.boxes:
                    local, gain = self._every_step(number, box)
                    to += local[tracker.own(before), part] * stride
                    gains = gains + gain[tracker.own(before), part]
                else:
                    to += part[:, None] * stride
                stride = stride * self._sizes[number][tracker.own(after)][:, None]
            yield BoxMoves(at, to.T, gains.T, self._rows[box], dependent, own_rows[at, box].T)

    def further_bonuses(self, positions: Array) -> Array:
        """What each roll earns on top of any box [roll, position]."""
        earned = np.zeros((len(self._rolls), len(positions)), dtype=np.int64)
        if len(self._bonus_rolls):
            masks, parts = self._split(positions)
            own = self._trackers[-1].own(masks)
            classes = _padded(self._states[-1])[own, parts[-1]]
            earned[self._bonus_rolls] = self._bonuses[:, classes]
        return earned

    def _split(self, positions: Array) -> tuple[Array, list[Array]]:
        """The mask of each position, and for each tracker the index of its state."""
        masks = np.searchsorted(self.start, positions, side="right") - 1
        lanes, parts = positions - self.start[masks], []
        for tracker, sizes in zip(self._trackers[::-1], self._sizes[::-1], strict=True):
            lanes, part = np.divmod(lanes, sizes[tracker.own(masks)])
            parts.append(part)
        return masks, parts[::-1]

    def _rows_of_dependent(self, mask: int) -> Array:
        """The rows [box, roll] of the rolls that depend on what is filled."""
        if mask not in self._own_rows:
            self._own_rows[mask] = self._placed_rows(mask)[:, self._dependent]
        return self._own_rows[mask]

    def _every_step(self, number: int, box: int) -> tuple[Array, Array]:
        """A tracker's steps [its mask, state, points]; nonsense where the box is filled."""
        if (number, box) not in self._all_steps:
            bit = 1 << self._trackers[number].boxes.index(box)
            owns = [own & ~bit for own in range(len(self._sizes[number]))]
            steps = [self._step(number, own, box) for own in owns]
            local, gain = ([each[at].T for each in steps] for at in range(2))
            self._all_steps[number, box] = _padded(local), _padded(gain)
        return self._all_steps[number, box]

    def further_bonus(self, mask: int, lanes: slice) -> tuple[Array, Array]:
        """The rolls that may earn a bonus on top of any box, and what they earn [roll, lane]."""
        if not len(self._bonus_rolls):
            return self._bonus_rolls, np.zeros((0, 1))
        states = self._states[-1][self._trackers[-1].own(mask)]
        return self._bonus_rolls, self._bonuses[:, states[self._parts(mask)[-1][lanes]]]

    def _parts(self, mask: int) -> list[Array]:
        """For each tracker the index of its state in each lane."""
        sizes = [len(s[t.own(mask)]) for t, s in zip(self._trackers, self._states, strict=True)]
        return [each.ravel() for each in np.indices(sizes)]

    def _moved(self, mask: int, box: int, parts: list[Array]) -> tuple[Array, Array]:
        """The positions [points, lane] after the box is filled, and what that earns on top."""
        after = mask | 1 << box
        at = np.full((len(self.points[box]), len(parts[0])), self.start[after])
        extra, stride = np.zeros((1, 1), dtype=np.int64), 1
        for number in reversed(range(len(self._trackers))):
            tracker = self._trackers[number]
            if box in tracker.boxes:
                local, gain = self._step(number, tracker.own(mask), box)
                at += local[:, parts[number]] * stride
                extra = extra + gain[:, parts[number]]
            else:
                at += parts[number] * stride
            stride *= len(self._states[number][tracker.own(after)])
        return at, extra

    def _step(self, number: int, own: int, box: int) -> tuple[Array, Array]:
        """A tracker's step as indices of states [points, state], and what it earns on top."""
        key = (number, own, box)
        if key not in self._steps:
            tracker, states = self._trackers[number], self._states[number]
            index = tracker.boxes.index(box)
            after, gain = tracker.step(index, states[own], self.points[box], own)
            self._steps[key] = np.searchsorted(states[own | 1 << index], after), gain
        return self._steps[key]

    def _placed(self, roll: Roll, mask: int) -> dict[int, int]:
        """The boxes that a roll may fill, with their points, by the rulebook."""
        filled = {key for box, key in enumerate(self._keys) if mask >> box & 1}
        placements = self.form.placing(self._boxes, roll, filled)
        return {self._index[placed.box.key]: placed.points for placed in placements}

    def _rows_of(self, placed: dict[int, int]) -> list[int]:
        """For each box the row of its points; one more than those where it may not be filled."""
        return [
            rows[placed[box]] if box in placed else len(rows) for box, rows in enumerate(self._row)
        ]

    def _placed_rows(self, mask: int) -> Array:
        """For each box [box, roll] the row of what the roll is worth in it."""
        if not self._dependent:
            return self._rows
        rows = self._rows.copy()
        for at in self._dependent:
            rows[:, at] = self._rows_of(self._placed(self._rolls[at], mask))
        return rows

    def _dependent_rolls(self, placed: list[dict[int, int]]) -> list[int]:
        """The rolls whose boxes or points depend on what is filled already (YZ-18)."""
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
        """What the card must remember for the totals that are no plain sums."""
        keys = self._keys
        for row in self.form.rows:
            match row:
                case Total(sum=Bonus() as bonus):
                    alone = (Card.empty(self.form).with_score(key, 1, 0) for key in keys)
                    summed = tuple(at for at, card in enumerate(alone) if card.values[bonus.of])
                    most = max(int(self.points[box][-1]) for box in summed)
                    yield _sum_tracker(bonus, summed, most)
                case Total(sum=Difference() as difference):
                    boxes = (keys.index(difference.more), keys.index(difference.less))
                    yield _difference_tracker(difference, boxes)

    def _further_bonuses(self) -> tuple[list[int], list[list[int]], list[Tracker]]:
        """The rolls that may earn more than their box, what they earn by class, and the class."""
        if self.form.further is no_bonus:
            return [], [], []

        empty, further = dict.fromkeys(self._keys), self.form.further

        def earned(at: int, points: dict[str, int]) -> int:
            return further(empty | points, self._rolls[at])

        most = {key: int(points[-1]) for key, points in zip(self._keys, self.points, strict=True)}
        rolls = [at for at in range(len(self._rolls)) if earned(at, most) != earned(at, {})]
        plain = [0] * len(rolls)
        classes, trackers = [plain], []
        for box, key in enumerate(self._keys):
            by_points = {
                int(p): [earned(at, {key: int(p)}) for at in rolls] for p in self.points[box]
            }
            if any(each != plain for each in by_points.values()):
                classes += [each for each in by_points.values() if each not in classes]
                numbers = {points: classes.index(each) for points, each in by_points.items()}
                trackers.append(_class_tracker(box, numbers))
        if len(trackers) > 1 or self._grand({}, further=1) != 1:
            raise FormNotModelledError("further bonuses are not understood")
        return rolls, np.array(classes).T.tolist(), trackers

    def _reached(self, number: int) -> list[Array]:
        """The states that a tracker may be in, by the mask of its filled boxes."""
        tracker = self._trackers[number]
        states = [np.zeros(1, dtype=np.int64)]
        for own in range(1, 1 << len(tracker.boxes)):
            last = own.bit_length() - 1
            before = own ^ 1 << last
            points = self.points[tracker.boxes[last]]
            states.append(np.unique(tracker.step(last, states[before], points, before)[0]))
        return states

    def _starts(self) -> Array:
        masks = np.arange(1 << len(self.points))
        lanes = np.ones(len(masks), dtype=np.int64)
        for tracker, states in zip(self._trackers, self._states, strict=True):
            lanes *= np.array([len(each) for each in states])[tracker.own(masks)]
        return np.concatenate([[0], np.cumsum(lanes)])

    def _checked(self) -> str:
        """The digest, after some full cards add up here as they do by the rulebook."""
        keys, grands = self._keys, []
        for probe in range(PROBES):
            card = {
                box: int(points[(probe * (box + 3) + box) % len(points)])
                for box, points in enumerate(self.points)
            }
            extra = sum(_followed(tracker, card)[1] for tracker in self._trackers)
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
            (self._bonus_rolls.tolist(), self._bonuses.tolist()),
        )
        return sha256(repr(numbers).encode()).hexdigest()[:16]


def _padded(arrays: Sequence[Array]) -> Array:
    """Arrays of different lengths as one, zeros at their ends."""
    longest = max(map(len, arrays))
    ends = ((0, 0),) * (arrays[0].ndim - 1)
    return np.stack([np.pad(each, ((0, longest - len(each)), *ends)) for each in arrays])


def _followed(tracker: Tracker, filled: Mapping[int, int]) -> tuple[int, int]:
    """A tracker's state once these boxes hold these points, and what that earned on top."""
    state, earned, own = 0, 0, 0
    for index, box in enumerate(tracker.boxes):
        if box in filled:
            points = np.array([filled[box]])
            after, gain = tracker.step(index, np.array([state]), points, own)
            state, earned, own = int(after[0, 0]), earned + int(gain[0, 0]), own | 1 << index
    return state, earned
