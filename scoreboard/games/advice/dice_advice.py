"""The options of a roll, best first, and the cost of each choice.

advice = options(values, card, roll, rolls_left)
advice.best                     # the best choices, several where they are equally good
str(advice.words)               # keep 4 4 4
str(advice.words_on(choice))    # Best: keep 4 4 4 (you kept 1 5). Cost about 11 points.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import reduce
from itertools import combinations
from typing import Final, Literal

from scoreboard.dice import Roll
from scoreboard.games.advice.dice_values import DiceValues, TurnValues
from scoreboard.games.dice.state import Card, State
from scoreboard.message import Message, message

Grade = Literal["best", "good", "okay", "costly"]
GRADE_WORDS: Final[Mapping[Grade, Message]] = {
    "best": message("best"),
    "good": message("good"),
    "okay": message("okay"),
    "costly": message("costly"),
}
GOOD_BELOW: Final = 1.0  # points
OKAY_BELOW: Final = 3.0
SHOWN: Final = 3  # options that are named: as many as are in sight above the buttons


def grade(cost: float, precision: float = 0.0) -> Grade:
    """The name of a decision's cost in points; up to `precision` it is the best."""
    if cost <= precision:
        return "best"
    return "good" if cost < GOOD_BELOW else "okay" if cost < OKAY_BELOW else "costly"


def cost_in_words(cost: float) -> Message:
    """A cost as people say it: it is an average, and its fractions mean nothing."""
    points = round(cost)
    if cost < 1:
        return message("less than a point")
    about = message("about {points} points", points=points)
    return about if points > 1 else message("about a point")


@dataclass(frozen=True, slots=True)
class DiceOption:
    """One way to go on: keep these dice and roll the others, or score this box.

    `worth` is the average of points still to come, this turn's included; `cost` is the best one's
    worth minus this one's. Exactly one of `keep` and `box` (a key) is set; `label` and `points` are
    the box's. To keep all dice is to stop rolling.
    """

    worth: float
    cost: float
    keep: Roll | None = None
    box: str | None = None
    points: int = 0
    label: Message | None = None

    @property
    def key(self) -> str:
        """The choice's name in JSON: `keep 444`, `keep -`, `score aces`."""
        if self.box is not None:
            return f"score {self.box}"
        return f"keep {self.keep}" if self.keep and self.keep.faces else "keep -"

    @property
    def words(self) -> Message:
        if self.box is not None:
            return message(
                "score {points} in {box}", points=self.points, box=self.label or self.box
            )
        if self.keep is None or not self.keep.faces:
            return message("roll all dice again")
        return message("keep {dice}", dice=self.keep.spaced)

    @property
    def done(self) -> Message:
        """The same, said to a player who has chosen it."""
        if self.box is not None:
            return message(
                "you scored {points} in {box}", points=self.points, box=self.label or self.box
            )
        if self.keep is None or not self.keep.faces:
            return message("you rolled all dice again")
        return message("you kept {dice}", dice=self.keep.spaced)


@dataclass(frozen=True, slots=True)
class RollAdvice:
    """All options of a roll, best first; of equal ones a box first, then the more dice kept.

    Worths that differ by at most `precision` count as equal.
    """

    options: tuple[DiceOption, ...]
    precision: float

    @property
    def best(self) -> tuple[DiceOption, ...]:
        """The best option, and those equal to it."""
        return tuple(each for each in self.options if each.cost <= self.precision)

    @property
    def boxes(self) -> tuple[DiceOption, ...]:
        return tuple(each for each in self.options if each.box is not None)

    @property
    def shown(self) -> tuple[DiceOption, ...]:
        return self.options[:SHOWN]

    @property
    def words(self) -> Message:
        """The best choices."""
        return reduce(
            lambda one, two: message("{one} or {two}", one=one, two=two),
            (each.words for each in self.best[:SHOWN]),
        )

    def words_on(self, chosen: DiceOption) -> Message:
        """The best, the player's own choice, and what it cost."""
        return message(
            "Best: {advice} ({own}). Cost {points}.",
            advice=self.words,
            own=chosen.done,
            points=cost_in_words(chosen.cost),
        )


def options(
    values: DiceValues, card: Card, roll: Roll, rolls_left: int, turn: TurnValues | None = None
) -> RollAdvice:
    """Every different keep while rolls are left, and every box; `turn` is `values.turn(card)`."""
    turn = turn or values.turn(card)
    best = turn.of_roll(roll, rolls_left)
    worths = turn.of_boxes(roll)
    found = [
        DiceOption(worth, best - worth, None, placed.box.key, placed.points, placed.box.label)
        for placed in card.form.placing(card.form.boxes, roll, card.filled)
        for worth in [worths[placed.box.key]]
    ]
    if rolls_left:
        for keep in _keeps(roll):
            worth = turn.of_keep(keep, rolls_left)
            found.append(DiceOption(worth, best - worth, keep=keep))
    return RollAdvice(tuple(sorted(found, key=_order)), values.precision)


def advise(values: DiceValues, state: State) -> RollAdvice | None:
    """The options of the player whose turn it is, None while no roll waits for a decision."""
    rolls = state.rolls
    if state.opening != "over" or state.is_finished or rolls.roll is None:
        return None
    left = 0 if rolls.stood else rolls.allowed - rolls.made
    return options(values, state.cards[state.seat], rolls.roll, left)


def _order(option: DiceOption) -> tuple[float, bool, int]:
    kept = 0 if option.keep is None else len(option.keep)
    return (-round(option.worth, 6), option.box is None, -kept)


def _keeps(roll: Roll) -> Iterable[Roll]:
    """The different ways to keep some dice, but not all."""
    faces = roll.ascending.faces
    return (Roll(keep) for n in range(len(faces)) for keep in sorted(set(combinations(faces, n))))
