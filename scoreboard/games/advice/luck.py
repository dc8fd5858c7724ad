"""How much of a game of dice was luck, and what the decisions cost.

The luck of a roll is the position's worth after it minus that before; the cost of a decision is the
best one's worth minus the chosen one's. So for every player, exactly: the average of the game, plus
all luck, less all costs, is the final score.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from math import exp, lgamma, log
from typing import Final

from scoreboard.dice import FACES, Roll
from scoreboard.games.advice.dice_advice import DiceOption, Grade, RollAdvice, grade, options
from scoreboard.games.advice.dice_values import DiceValues, TurnValues
from scoreboard.games.dice import acts
from scoreboard.games.dice.state import Card, State
from scoreboard.games.engine.game import AnyGame, Setup


@dataclass(frozen=True, slots=True)
class Decision:
    """A decision about a roll.

    `chosen` is the player's own, its cost included; `advice` holds all options. `turn` counts the
    player's turns from 1, `number` the rolls of the turn, as they counted: foul dice rolled again
    and misreadings corrected. An unannounced keep is assumed to be the best one that fits both
    rolls.
    """

    turn: int
    number: int
    roll: Roll
    chosen: DiceOption
    advice: RollAdvice

    @property
    def grade(self) -> Grade:
        return grade(self.chosen.cost, self.advice.precision)


@dataclass(frozen=True, slots=True)
class PlayerLuck:
    """One player's game: `average + luck - cost` is `expected`, and that the score at the end.

    `average` is the game's worth before its first roll, `rolls` the luck of each roll, `expected`
    the points scored and still to come now (for a player who left, as if the turn were still open).
    """

    player: str
    average: float
    expected: float
    rolls: tuple[float, ...]
    decisions: tuple[Decision, ...]
    score: int
    finished: bool

    @property
    def luck(self) -> float:
        """The points that the dice brought beyond the average."""
        return sum(self.rolls)

    @property
    def cost(self) -> float:
        return sum(each.chosen.cost for each in self.decisions)


@dataclass
class _Turn:
    """One turn while its events are read: its rolls, and the announced keeps in between."""

    seat: int
    card: Card
    rolls: list[Roll] = field(default_factory=list)
    kept: list[Roll | None] = field(default_factory=list)
    stood: bool = False
    box: str | None = None

    def after(self, before: State, event: acts.Event, state: State) -> None:
        """Add an event of the turn, with the states around it."""
        match event:
            case acts.DiceRolled(roll):
                if self.rolls:
                    self.kept.append(before.rolls.kept)
                self.rolls.append(roll)
            case acts.FoulDieRerolled() | acts.RollCorrected() if state.rolls.roll is not None:
                self.rolls[-1] = state.rolls.roll
            case acts.CategoryScored(category=category):
                kept = before.rolls.kept
                self.stood = kept is not None and len(kept) == before.form.dice
                self.box = category


def luck_of(
    values: DiceValues, game: AnyGame, setup: Setup, events: Iterable[acts.Event]
) -> tuple[PlayerLuck, ...]:
    """Luck and costs of every player, from the events in force and the values of these rules."""
    state, turns = _played(game, setup, events)
    return tuple(
        _player(values, state, seat, [turn for turn in turns if turn.seat == seat])
        for seat in range(len(state.players))
    )


def last_turn(
    values: DiceValues, game: AnyGame, setup: Setup, events: Iterable[acts.Event]
) -> tuple[str, tuple[Decision, ...]] | None:
    """The last player to fill a box, and the decisions of that turn; None before the first."""
    state, turns = _played(game, setup, events)
    ended = [turn for turn in turns if turn.box is not None]
    if not ended:
        return None
    last = ended[-1]
    number = sum(turn.seat == last.seat for turn in ended)
    return state.players[last.seat], tuple(_decided(values, values.turn(last.card), last, number))


def _played(game: AnyGame, setup: Setup, events: Iterable[acts.Event]) -> tuple[State, list[_Turn]]:
    """The state of the game, and its turns in order."""
    state: State = game.start(setup)
    turns: list[_Turn] = []
    for event in events:
        before, state = state, game.evolve(state, event)
        if isinstance(event, acts.DiceRolled) and not before.rolls.made:
            turns.append(_Turn(state.seat, state.cards[state.seat]))
        if before.opening == "over" or isinstance(event, acts.DiceRolled):
            turns[-1].after(before, event, state)
    return state, turns


def _player(values: DiceValues, state: State, seat: int, turns: list[_Turn]) -> PlayerLuck:
    """One player's turns, each starting from the worth that the last one left."""
    rolls: list[float] = []
    decisions: list[Decision] = []
    card = state.cards[seat]
    to_come = values.of(card)
    for number, turn in enumerate(turns, start=1):
        worths = values.turn(turn.card)
        made = list(_decided(values, worths, turn, number))
        decisions += made
        before = [values.of(turn.card), *(each.chosen.worth for each in made)]
        for at, roll in enumerate(turn.rolls):
            after = worths.of_roll(roll, card.form.rolls_allowed - at - 1)
            rolls.append(after - before[at])
            if turn.box is None:
                to_come = after
    return PlayerLuck(
        state.players[seat],
        values.of(Card.empty(card.form)),
        card.grand + to_come,
        tuple(rolls),
        tuple(decisions),
        card.grand,
        card.is_full,
    )


def _decided(
    values: DiceValues, worths: TurnValues, turn: _Turn, number: int
) -> Iterator[Decision]:
    """The decisions of a turn in order: the keeps, then whether to stop, then the box."""
    most = turn.card.form.rolls_allowed
    for at, kept in enumerate(turn.kept):
        roll, left = turn.rolls[at], most - at - 1
        advice = options(values, turn.card, roll, left, worths)
        keep = _likely(worths, roll, turn.rolls[at + 1], left) if kept is None else kept.ascending
        chosen = next(each for each in advice.options if each.keep == keep)
        yield Decision(number, at + 1, roll, chosen, advice)
    if turn.box is None:
        return
    roll, left = turn.rolls[-1], most - len(turn.rolls)
    if turn.stood:
        advice = options(values, turn.card, roll, left, worths)
        worth, best = worths.of_roll(roll, 0), worths.of_roll(roll, left)
        stood = DiceOption(worth, best - worth, keep=roll)
        yield Decision(number, len(turn.rolls), roll, stood, advice)
        left = 0
    advice = options(values, turn.card, roll, left, worths)
    chosen = next(each for each in advice.boxes if each.box == turn.box)
    yield Decision(number, len(turn.rolls), roll, chosen, advice)


def _likely(worths: TurnValues, roll: Roll, following: Roll, left: int) -> Roll:
    """The best keep that fits both rolls, when no keep was announced."""
    common = sorted((roll.counts & following.counts).elements())
    sizes = range(min(len(common), len(roll) - 1) + 1)
    keeps = (Roll(keep) for size in sizes for keep in combinations(common, size))
    return max(keeps, key=lambda keep: worths.of_keep(keep, left))


CONCENTRATION: Final = 20.0
ALARM: Final = 100.0
_SIDES: Final = len(FACES)


@dataclass(frozen=True, slots=True)
class DiceVerdict:
    """The verdict on a set of dice.

    `counts` are the dice rolled by face, from 1 to 6; `highest` is the most evidence that there
    ever was against fair dice.
    """

    counts: tuple[int, ...]
    highest: float

    @property
    def dice(self) -> int:
        return sum(self.counts)

    @property
    def oddest(self) -> int:
        """The face that came up most too often or too seldom."""
        return max(FACES, key=lambda face: abs(_SIDES * self.counts[face - 1] - self.dice))

    @property
    def is_unusual(self) -> bool:
        """Whether fair dice reach this evidence in at most one table of a hundred."""
        return self.highest >= ALARM


def evidence(counts: Sequence[int]) -> float:
    """The likelihood ratio of these counts, some unfair dice to fair ones."""
    total, rolled = CONCENTRATION * _SIDES, sum(counts)
    weight = lgamma(total) - lgamma(total + rolled) + rolled * log(_SIDES)
    weight += sum(lgamma(CONCENTRATION + count) - lgamma(CONCENTRATION) for count in counts)
    return exp(min(weight, 700.0))  # beyond that a float overflows, and no doubt is left


def verdict(games: Iterable[Sequence[int]]) -> DiceVerdict:
    """Judge dice by their counts in each game, in order of play."""
    counts, highest = [0] * _SIDES, 1.0
    for rolled in games:
        counts = [before + more for before, more in zip(counts, rolled, strict=True)]
        highest = max(highest, evidence(counts))
    return DiceVerdict(tuple(counts), highest)
