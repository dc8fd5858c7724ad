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

from scoreboard.dice import FACES
from scoreboard.games.advice.card_model import lattice_of
from scoreboard.games.advice.dice_values import LANES, DiceValues, TurnValues
from scoreboard.games.dice.state import Card
from scoreboard.message import Message, message

Array = npt.NDArray[Any]
FUTURES: Final = 5000  # games played to their end for each player
MOST_EXACT: Final = 512  # positions
LAST_TURNS: Final = 3
LIKELY: Final = 0.5
LONGEST_ODDS: Final = 200


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

    def finals(
        self,
        cards: Sequence[Card],
        random: np.random.Generator,
        costs: Sequence[float] = (),
        futures: int = FUTURES,
    ) -> tuple[ScoreProbability, ...]:
        """The distribution of final scores, for every card before its next turn.

        `costs` are the mean costs of each player's decisions in a turn; `futures` is the number of
        games simulated for each if it is not computed exactly.
        """
        numbers = [self._values.model.number(card) for card in cards]
        rests: dict[int, ScoreProbability] = {}
        unknown = []
        for number, card in dict(zip(numbers, cards, strict=True)).items():
            if (exact := self._exactly(number, card.points.count(None))) is not None:
                rests[number] = ScoreProbability(0, exact)
            else:
                unknown.append(number)
        played = self.play(np.repeat(np.array(unknown, np.int64), futures), random)
        for at, number in enumerate(unknown):
            own = played[at * futures : (at + 1) * futures]
            rests[number] = ScoreProbability.of_scores(own)
        return tuple(
            rests[number].more(card.grand - round(cost * card.points.count(None)))
            for number, card, cost in zip(numbers, cards, costs or [0.0] * len(cards), strict=True)
        )

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
        turn, count = self._turn(positions), len(positions)
        lanes, rolls = np.arange(count), len(self._lattice.chance)
        probable = np.repeat(self._lattice.chance[:, None], count, axis=1)
        for levels in reversed(turn.keeps):
            keeps = np.concatenate(levels)
            best = keeps[self._ways.keeps].argmax(axis=1)
            kept = np.zeros_like(keeps, np.float64)
            place = np.take_along_axis(self._ways.keeps, best, axis=1)
            np.add.at(kept, (place, lanes[None]), probable)
            probable = self._ways.after.T @ kept
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
        self._exact.update(zip(positions.tolist(), results, strict=True))


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


def needed(
    players: Sequence[str], cards: Sequence[Card], finals: Sequence[ScoreProbability], seat: int
) -> Message | None:
    """The points that the player at turn needs to reach the leader, and the chance of that.

    None before the last three turns, and for the leader.
    """
    totals = [card.grand for card in cards]
    gap = max(totals) - totals[seat]
    if not gap or cards[seat].points.count(None) > LAST_TURNS:
        return None
    chance, player = finals[seat].at_least(max(totals)), players[seat]
    if chance * LONGEST_ODDS < 1:
        return message(
            "{player} needs {points} more: less than 1 in {odds}",
            player=player,
            points=gap,
            odds=LONGEST_ODDS,
        )
    if chance > LIKELY:
        sure = floor(100 * chance)
        return message(
            "{player} needs {points} more: {percent} %", player=player, points=gap, percent=sure
        )
    odds = round(1 / chance)
    return message(
        "{player} needs {points} more: 1 in {odds}", player=player, points=gap, odds=odds
    )
