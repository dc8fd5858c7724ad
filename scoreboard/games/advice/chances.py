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
from typing import Final

import numpy as np

from scoreboard.dice import FACES, Roll
from scoreboard.games.advice.card_model import Array, lattice_of
from scoreboard.games.advice.dice_values import LANES, DiceValues, TurnValues
from scoreboard.games.dice.state import Card
from scoreboard.message import Message, message

RolledDice = tuple[Roll, int]  # all that lie there, or those kept; and how many rolls are left
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
        return self.rolls[np.sort(dice, axis=1) @ (10 ** np.arange(dice.shape[1]))]


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
        self._sampled: dict[int, ScoreProbability] = {}

    def finals(
        self,
        cards: Sequence[Card],
        random: np.random.Generator,
        futures: int = FUTURES,
        seat: int | None = None,
        dice: RolledDice | None = None,
    ) -> tuple[ScoreProbability, ...]:
        """The distribution of final scores, for every card before its next turn.

        `futures` games are simulated for each that is not computed exactly. In the turn of the card
        at `seat` these `dice` are rolled.
        """
        numbers = [self._values.model.number(card) for card in cards]
        unknown = [
            number
            for number, card in dict(zip(numbers, cards, strict=True)).items()
            if number not in self._sampled
            if self._exactly(number, card.points.count(None)) is None
        ]
        played = self.play(np.repeat(np.array(unknown, np.int64), futures), random)
        for number, own in zip(unknown, played.reshape(-1, futures), strict=True):
            self._sampled[number] = ScoreProbability.of_scores(own)
        rests = [self._sampled.get(at) or ScoreProbability(0, self._exact[at]) for at in numbers]
        if seat is not None and dice is not None:
            rests[seat] = self._after(numbers[seat], *dice, rests[seat])
        return tuple(rest.more(card.grand) for rest, card in zip(rests, cards, strict=True))

    def _after(self, number: int, dice: Roll, left: int, was: ScoreProbability) -> ScoreProbability:
        """The points still to come once these dice are on the table, from those before the turn."""
        turn, keeps = self._turn(np.array([number])), len(dice) < self._lattice.dice
        if number not in self._exact:  # so early a roll moves the average, and hardly the spread
            worth = (turn.of_keep if keeps else turn.of_roll)(dice, left)
            return was.more(round(worth - float(self._values.worths(np.array(number)))))
        before = sum(map(len, self._lattice.kept[: len(dice)]))
        rolls = self._ways.after[before + self._lattice.index[dice.ascending.faces]][:, None]
        last = self._last_rolls(turn, rolls, left - keeps)
        return ScoreProbability(0, self._rests(turn, last)[0])

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
            best = np.concatenate(levels)[ways.keeps[rolls], lanes[:, None]].argmax(axis=1)
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
            levels.append(np.unique(np.hstack([one.to[:, ~one.filled].ravel() for one in moves])))
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
        is_deciding = is_last and card.points.count(None) == 1
        more = message("{points} more", points=goal - card.grand)
        what = self._deciding(card, goal, dice) if is_deciding else more
        odds = message("1 in {odds}", odds=round(1 / chance))
        if chance * LONGEST_ODDS < 1:
            odds = message("less than 1 in {odds}", odds=LONGEST_ODDS)
        elif chance > LIKELY:
            odds = message("{percent} %", percent=floor(100 * chance))
        return message("{player} needs {what}: {odds}", player=players[seat], what=what, odds=odds)

    def _deciding(self, card: Card, goal: int, dice: RolledDice | None) -> Message:
        """What the last box must get: a die, if only one is rolled again, or its points."""
        kept = () if dice is None or not dice[1] else self._kept(card, *dice)
        if len(kept) == card.form.dice - 1:
            ends = self._ways.numbers(np.array([(*kept, face) for face in FACES]))
            _, gains = _scored(self._values.turn(card), ends, np.zeros_like(ends))
            match np.flatnonzero(card.grand + gains >= goal).tolist():
                case [one] if one + 1 in kept:
                    return message("one more {face}", face=FACE_NAMES[one])
                case [one]:
                    return message("a {face}", face=FACE_NAMES[one])
                case [one, other]:
                    names = FACE_NAMES[one], FACE_NAMES[other]
                    return message("a {face} or a {other}", face=names[0], other=names[1])
        box = card.form.boxes[card.points.index(None)]
        points = map(int, self._values.model.points[card.points.index(None)])
        enough = (each for each in points if card.with_score(box.key, each, 0).grand >= goal)
        least = min(enough, default=goal - card.grand)
        return message("{points} in {box}", points=least, box=box.label)

    def _kept(self, card: Card, dice: Roll, left: int) -> tuple[int, ...]:
        """The dice that are kept, those of best play if it is open."""
        if len(dice) < self._lattice.dice:
            return dice.faces
        ways, roll = self._ways, self._lattice.index[dice.ascending.faces]
        best = np.concatenate(self._values.turn(card).keeps[left - 1])[ways.keeps[roll], 0].argmax()
        return tuple(ways.faces[roll][ways.kept[best]].tolist())


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
