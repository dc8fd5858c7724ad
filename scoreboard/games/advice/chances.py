"""How a game of dice may end: each player's final score, and the chance to win.

All players are assumed to play by the table of values. If few positions can follow, their
probabilities are computed exactly; otherwise games are simulated to their end, all in lockstep.

    futures = DiceFutures(values)
    finals = futures.finals(cards, random=np.random.default_rng())
    win_chances(finals)            # (0.62, 0.38)
    finals[0].at_least(300)        # the chance of 300 points or more
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache, partial
from itertools import product
from math import floor
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from scoreboard.dice import FACES, Roll
from scoreboard.games.advice.card_model import lattice_of
from scoreboard.games.advice.dice_values import LANES, DiceValues, TurnValues
from scoreboard.games.dice.state import Card
from scoreboard.message import Message, message

Array = npt.NDArray[Any]
FUTURES: Final = 5000  # games played to their end for each player
MOST_EXACT: Final = 512  # positions
LAST_TURNS: Final = 3
LIKELY: Final = 0.5
SURE: Final = 1e-9  # of what cannot fail, or cannot come, but for rounding
LONGEST_ODDS: Final = 200
FACE_NAMES: Final = (
    message("one"),
    message("two"),
    message("three"),
    message("four"),
    message("five"),
    message("six"),
)


@dataclass(frozen=True, slots=True)
class ScoreProbability:
    """How probable each score is: `probability[i]` is that of `low + i` points."""

    low: int
    probability: Array

    @classmethod
    def of_scores(cls, scores: Array) -> ScoreProbability:
        low = int(scores.min())
        return cls(low, np.bincount(scores - low) / len(scores))

    def at_least(self, points: int) -> float:
        return float(self.probability[max(0, points - self.low) :].sum())

    def more(self, points: int) -> ScoreProbability:
        return ScoreProbability(self.low + points, self.probability)


@dataclass(frozen=True, slots=True)
class RolledDice:
    """A turn under way: its last roll, how many are `left`, and the dice kept, None if unknown."""

    roll: Roll
    left: int
    kept: Roll | None = None


@dataclass(frozen=True)
class _Ways:
    """The dice of one number in arrays: `keeps` [roll, which] is the place of every keep of a roll.

    `kept` [which, die] are the dice of it, `faces` [roll, die], `rolls` the roll of each code, and
    `after` [keep, roll] the probability of each roll once the others are rolled.
    """

    keeps: Array
    kept: Array
    faces: Array
    rolls: Array
    after: Array

    def numbers(self, dice: Array) -> Array:
        codes = np.sort(dice, axis=1) @ (10 ** np.arange(dice.shape[1]))
        return self.rolls[codes]


@cache
def _ways(dice: int) -> _Ways:
    lattice = lattice_of(dice)
    first = np.cumsum([0, *map(len, lattice.kept)])
    kept = np.array(list(product((False, True), repeat=dice)))
    faces = np.array(lattice.kept[-1])
    chosen = [[tuple(roll[each].tolist()) for each in kept] for roll in faces]
    keeps = np.array([[first[len(k)] + lattice.index[k] for k in row] for row in chosen])
    powers = 10 ** np.arange(dice)
    rolls = np.zeros(1 + max(FACES) * int(powers.sum()), dtype=np.int64)
    rolls[faces @ powers] = np.arange(len(faces))
    after = np.concatenate(lattice.before_roll(np.eye(len(faces))))
    return _Ways(keeps, kept, faces, rolls, after)


def _scored(turn: TurnValues, rolls: Array, lanes: Array) -> tuple[Array, Array]:
    """The next position of each of these rolls in that position, and its points."""
    best = np.argmax([each[rolls, lanes] for each in turn.boxes], axis=0)
    to, gains = np.empty(len(rolls), np.int64), turn.further[rolls, lanes]
    for box, moves in enumerate(turn.moves):
        (here,) = np.nonzero(best == box)
        to[here], gain = moves.taken(rolls[here], lanes[here])
        gains[here] += gain
    return to, gains


class DiceFutures:
    """Distribution of final scores from any position; exact results are cached."""

    def __init__(self, values: DiceValues) -> None:
        self._values = values
        self._lattice = values.model.lattice
        self._ways = _ways(self._lattice.dice)
        self._full = int(values.model.start[-2])  # from here on nothing is empty
        self._exact: dict[int, Array] = {}
        self._sampled: dict[int, ScoreProbability] = {}  # of the last cards

    def finals(
        self,
        cards: Sequence[Card],
        random: np.random.Generator,
        costs: Sequence[float] = (),
        futures: int = FUTURES,
        rolled: tuple[int, RolledDice] | None = None,
    ) -> tuple[ScoreProbability, ...]:
        """The distribution of final scores, for every card before its next turn.

        `costs` are the mean costs of each player's decisions in a turn; `futures` is the number of
        games simulated for each if it is not computed exactly; `rolled` is whose turn is under way,
        as an index of the cards, and its dice.
        """
        numbers = [self._values.model.number(card) for card in cards]
        rests, unknown = dict[int, ScoreProbability](), list[int]()
        for number, card in dict(zip(numbers, cards, strict=True)).items():
            if (exact := self._exactly(number, card.points.count(None))) is not None:
                rests[number] = ScoreProbability(0, exact)
            elif number not in self._sampled:
                unknown.append(number)
        played = self.play(np.repeat(np.array(unknown, np.int64), futures), random)
        for at, number in enumerate(unknown):
            own = played[at * futures : (at + 1) * futures]
            self._sampled[number] = ScoreProbability.of_scores(own)
        self._sampled = {each: self._sampled[each] for each in numbers if each not in rests}
        own_rests = [(rests | self._sampled)[number] for number in numbers]
        if rolled is not None:
            seat, dice = rolled
            own_rests[seat] = self._after(numbers[seat], dice, own_rests[seat])
        return tuple(
            rest.more(card.grand - round(cost * card.points.count(None)))
            for rest, card, cost in zip(own_rests, cards, costs or [0.0] * len(cards), strict=True)
        )

    def _after(self, number: int, dice: RolledDice, rest: ScoreProbability) -> ScoreProbability:
        """The points still to come once these dice are on the table, from those before the turn."""
        turn, kept, left = self._turn(np.array([number])), dice.kept, dice.left
        if number not in self._exact:  # so early a roll moves the average, and hardly the spread
            worth = turn.of_roll(dice.roll, left) if kept is None else turn.of_keep(kept, left)
            return rest.more(round(worth - float(self._values.worths(np.array(number)))))
        if kept is None:
            probable = np.zeros((len(self._lattice.chance), 1))
            probable[self._lattice.index[dice.roll.ascending.faces]] = 1
        else:
            before = sum(map(len, self._lattice.kept[: len(kept)]))
            place = before + self._lattice.index[kept.ascending.faces]
            probable = self._ways.after[place][:, None]
            left = 0 if len(kept) == self._lattice.dice else left - 1
        return ScoreProbability(0, self._rests(turn, self._last_rolls(turn, probable, left))[0])

    def play(self, positions: Array, random: np.random.Generator) -> Array:
        """The points still to come in each of these games."""
        positions, rest = positions.copy(), np.zeros(len(positions), np.int64)
        while len(going := np.flatnonzero(positions < self._full)):
            order = going[np.argsort(positions[going], kind="stable")]
            for here, games, lanes in self._blocks(positions, order):
                turn = self._turn(here)
                to, gains = _scored(turn, self._rolled(turn, lanes, random), lanes)
                positions[games] = to
                rest[games] += gains
        return rest

    def _blocks(self, positions: Array, order: Array) -> Iterator[tuple[Array, Array, Array]]:
        """The different positions of sorted games in parts: positions, games, each one's place."""
        every, place = np.unique(positions[order], return_inverse=True)
        for low in range(0, len(every), LANES):
            first, last = np.searchsorted(place, (low, low + LANES))
            yield every[low : low + LANES], order[first:last], place[first:last] - low

    def _turn(self, positions: Array) -> TurnValues:
        worths = partial(self._values.worths, dtype=np.float32)
        return TurnValues.of(self._values.model, positions, worths)

    def _rolled(self, turn: TurnValues, lanes: Array, random: np.random.Generator) -> Array:
        ways, shape = self._ways, (len(lanes), self._lattice.dice)
        rolls = ways.numbers(random.integers(1, 1 + len(FACES), shape))
        for levels in reversed(turn.keeps):
            keeps = np.concatenate(levels)
            best = keeps[ways.keeps[rolls], lanes[:, None]].argmax(axis=1)
            fresh = random.integers(1, 1 + len(FACES), shape)
            rolls = ways.numbers(np.where(ways.kept[best], ways.faces[rolls], fresh))
        return rolls

    def _exactly(self, number: int, empty: int) -> Array | None:
        """The probability of each number of points still to come, None if too many may come."""
        if number in self._exact:
            return self._exact[number]
        levels, most = [np.array([number])], max(MOST_EXACT, 1 << empty)
        for _ in range(empty):
            moves = self._values.model.moves(levels[-1])
            levels.append(
                np.unique(np.concatenate([each.to[:, ~each.filled].ravel() for each in moves]))
            )
            if sum(map(len, levels)) > most:
                return None
        for level in reversed(levels):
            fresh = np.array([each for each in level.tolist() if each not in self._exact])
            for low in range(0, len(fresh), LANES):
                self._work_out(fresh[low : low + LANES])
        return self._exact[number]

    def _work_out(self, positions: Array) -> None:
        """Cache the probabilities of these equally full positions, from those of fuller ones."""
        if positions[0] >= self._full:
            self._exact.update((each, np.ones(1)) for each in positions.tolist())
            return
        turn = self._turn(positions)
        chance = np.repeat(self._lattice.chance[:, None], len(positions), axis=1)
        rests = self._rests(turn, self._last_rolls(turn, chance, len(turn.keeps)))
        self._exact.update(zip(positions.tolist(), rests, strict=True))

    def _last_rolls(self, turn: TurnValues, probable: Array, left: int) -> Array:
        """The probability of each last roll [roll, position] from those now on the table."""
        for levels in reversed(turn.keeps[:left]):
            keeps = np.concatenate(levels)
            best = keeps[self._ways.keeps].argmax(axis=1)
            kept = np.zeros_like(keeps, np.float64)
            place = np.take_along_axis(self._ways.keeps, best, axis=1)
            np.add.at(kept, (place, np.arange(keeps.shape[1])[None]), probable)
            probable = self._ways.after.T @ kept
        return probable

    def _rests(self, turn: TurnValues, probable: Array) -> list[Array]:
        """The probabilities of the points to come from each position, by those of its last roll."""
        rolls, count = probable.shape
        lanes = np.arange(count)
        every, places = np.repeat(np.arange(rolls), count), np.tile(lanes, rolls)
        to, gains = _scored(turn, every, places)
        ways = np.stack([places, to, gains], axis=1)
        different, which = np.unique(ways, axis=0, return_inverse=True)
        weights = np.bincount(which.ravel(), probable.ravel())
        longest = np.zeros(count, np.int64)
        sizes = [gain + len(self._exact[after]) for _, after, gain in different.tolist()]
        np.maximum.at(longest, different[:, 0], sizes)
        results = [np.zeros(size) for size in longest]
        for (lane, after, gain), weight in zip(different.tolist(), weights, strict=True):
            rest = self._exact[after]
            results[lane][gain : gain + len(rest)] += weight * rest
        return results

    def needed(
        self,
        players: Sequence[str],
        cards: Sequence[Card],
        finals: Sequence[ScoreProbability],
        seat: int,
        dice: RolledDice | None = None,
    ) -> Message | None:
        """What the player at turn needs to win, or to reach the leader, and how likely it is.

        None before the last three turns, for the leader, and once it is settled.
        """
        card, others = cards[seat], [each for at, each in enumerate(cards) if at != seat]
        is_last = all(other.is_full for other in others)
        goal = max(other.grand for other in others) + is_last
        chance = finals[seat].at_least(goal)
        if card.grand >= goal or not SURE < chance < 1 - SURE:
            return None
        if card.points.count(None) > LAST_TURNS:
            return None
        what = message("{points} more", points=goal - card.grand)
        if is_last and card.points.count(None) == 1:
            what = self._deciding(card, goal, dice) or what
        if chance * LONGEST_ODDS < 1:
            words = message("{what}: less than 1 in {odds}", what=what, odds=LONGEST_ODDS)
        elif chance > LIKELY:
            words = message("{what}: {percent} %", what=what, percent=floor(100 * chance))
        else:
            words = message("{what}: 1 in {odds}", what=what, odds=round(1 / chance))
        return message("{player} needs {what}", player=players[seat], what=words)

    def _deciding(self, card: Card, goal: int, dice: RolledDice | None) -> Message | None:
        """What the last box must get: a die, if only one is rolled again, or its points."""
        form, box = card.form, card.points.index(None)
        key = form.keys[box]
        kept = None if dice is None or not dice.left else dice.kept or self._best_keep(card, dice)
        if kept is not None and len(kept) == form.dice - 1:
            faces = [face for face in FACES if self._wins(card, Roll((*kept.faces, face)), goal)]
            first, *others = (FACE_NAMES[face - 1] for face in faces)
            if len(faces) == 1 and faces[0] in kept.faces:
                return message("one more {face}", face=first)
            if len(faces) == 1:
                return message("a {face}", face=first)
            if len(faces) == 2:  # noqa: PLR2004 -- as many as a short sentence names
                return message("a {face} or a {other}", face=first, other=others[0])
        points = (int(each) for each in self._values.model.points[box])
        enough = (each for each in points if card.with_score(key, each, 0).grand >= goal)
        least = next(enough, None)
        label = form.boxes[box].label
        return None if least is None else message("{points} in {box}", points=least, box=label)

    def _best_keep(self, card: Card, dice: RolledDice) -> Roll:
        """The dice that best play keeps of these."""
        turn, ways = self._values.turn(card), self._ways
        roll = self._lattice.index[dice.roll.ascending.faces]
        worths = np.concatenate(turn.keeps[dice.left - 1])[ways.keeps[roll], 0]
        return Roll(tuple(ways.faces[roll][ways.kept[worths.argmax()]].tolist()))

    def _wins(self, card: Card, roll: Roll, goal: int) -> bool:
        """Whether the roll brings the card to the goal in its last box."""
        form = card.form
        bonus = form.further(card.values, roll)
        placements = form.placing(form.boxes, roll.ascending, card.filled)
        scores = (card.with_score(each.box.key, each.points, bonus) for each in placements)
        return any(score.grand >= goal for score in scores)


def win_chances(finals: Sequence[ScoreProbability]) -> tuple[float, ...]:
    """Each player's chance to win; those who tie share it. Together they make 1."""
    low = min(each.low for each in finals)
    high = max(each.low + len(each.probability) for each in finals)
    own = np.zeros((len(finals), high - low))
    for row, each in zip(own, finals, strict=True):
        row[each.low - low :][: len(each.probability)] = each.probability
    below = np.cumsum(own, axis=1) - own
    # k others at the same score leave 1/(k + 1): the integral of t^k from 0 to 1, by Gauss's rule
    nodes, weights = np.polynomial.legendre.leggauss(len(finals) // 2 + 1)
    chances = np.zeros(len(finals))
    for node, weight in zip((nodes + 1) / 2, weights / 2, strict=True):
        factors = below + own * node
        for seat in range(len(finals)):
            chances[seat] += weight * (own[seat] * np.delete(factors, seat, 0).prod(axis=0)).sum()
    return tuple((chances / chances.sum()).tolist())


def per_cents(chances: Sequence[float]) -> tuple[int, ...]:
    """Chances as whole per cents that sum to 100: the largest remainders are rounded up."""
    exact = [100 * each for each in chances]
    whole = [floor(each + 1e-9) for each in exact]
    by_rest = sorted(range(len(exact)), key=lambda at: whole[at] - exact[at])
    for at in by_rest[: 100 - sum(whole)]:
        whole[at] += 1
    return tuple(whole)
