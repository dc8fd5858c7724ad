"""Chooses the dice of the roll among the readings, and estimates how surely all are right.

One number decides whether a person is asked: the probability that every die is found and read
right. It is the product of the dice's confidences and of the chances that dropped readings are no
dice, calibrated (Platt, 1999). A known number of dice rules out all other numbers.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import prod
from typing import Any, Final, Protocol

import numpy as np

from scoreboard.message import Message, message
from vision.capture.frame import Image
from vision.errors import WeightsError
from vision.read.confidence import (
    DICE_WARNINGS,
    PieceReading,
    Thresholds,
    is_overexposed,
    is_smeared,
    logit,
    probability,
)

_SURE: Final = 0.99  # a glared die this surely read still shows its pips
_SECOND: Final = 0.14  # a second value as likely as this is asked about, however likely the roll


class ReadDie(PieceReading, Protocol):
    """The networks' reading of a die; `second` is the second likeliest value's probability."""

    @property
    def second(self) -> float: ...


@dataclass(frozen=True, slots=True)
class RollThresholds:
    """A card's thresholds for whole rolls.

    `offset` and `slope` calibrate the product to the share of exact rolls, `hidden` is the chance
    that a die is not seen at all, and `accepted` the least probability of an exact roll to accept;
    `counted` is the same if the number of dice is known, which leaves few needless questions.
    """

    offset: float
    slope: float
    hidden: float
    accepted: float
    counted: float


def roll_thresholds_of(card: Mapping[str, Any], outdated: Message) -> RollThresholds:
    """The thresholds on a model's card. Raises WeightsError, `outdated`: of another version."""
    try:
        return RollThresholds(**card["roll"])
    except (KeyError, TypeError) as error:
        raise WeightsError(outdated) from error


@dataclass(frozen=True, slots=True)
class JudgedRoll:
    """The readings that are dice, the `dropped` ones, and their joint probability.

    `product` is the uncalibrated probability that these are all dice and that each is read right.
    `expected` is the known number of dice.
    """

    dice: tuple[ReadDie, ...]
    dropped: tuple[ReadDie, ...]
    product: float
    expected: int | None = None

    @property
    def torn(self) -> list[ReadDie]:
        return [each for each in self.dice if each.second >= _SECOND]

    def exactness(self, roll: RollThresholds) -> float:
        """The calibrated probability that every die is found and read right."""
        return probability(roll.offset + roll.slope * logit(self.product))

    def doubts(
        self, image: Image, limits: Thresholds, roll: RollThresholds
    ) -> list[tuple[Message, ReadDie | None]]:
        """Everything a person should check, with the reading that it is about; none if accepted.

        A cocked die is always asked about (YZ-5), and so is one that cannot be read, that has a
        likely second value or that is mostly burnt out, which hides pips without a trace. So are
        smeared dice, whose pips run together, and another number of dice than expected.
        """
        bright = [
            each
            for each in self.dice
            if limits.confidence(each) < _SURE and is_overexposed(each.grey(image))
        ]
        unreadable = any(
            limits.is_leaning(each) or not limits.is_readable(each, image.shape)
            for each in self.dice
        )
        smeared = is_smeared([each.grey(image) for each in self.dice])
        seen = len(self.dice)
        due = seen if self.expected is None else self.expected
        least = roll.accepted if self.expected is None else roll.counted
        accepted = self.exactness(roll) >= least and not self.torn
        if accepted and seen == due and not (bright or smeared or unreadable):
            return []

        def reasons_of(readings: Iterable[ReadDie]) -> list[tuple[Message, ReadDie | None]]:
            return [(DICE_WARNINGS.reason(image, each, limits), each) for each in readings]

        reasons = reasons_of(bright)
        reasons += [(DICE_WARNINGS.blurred, None)] if smeared else []
        if seen != due:
            hidden = message("I see {seen} of {dice} dice: is one hidden?", seen=seen, dice=due)
            strange = message("I see {seen} dice instead of {dice}.", seen=seen, dice=due)
            reasons.append((hidden if seen < due else strange, None))
        elif not accepted:  # the weakest gives the reason, whether or not it alone is doubtful
            trust = [(1 - each.second, each) for each in self.torn] or [
                *((limits.confidence(each), each) for each in self.dice),
                *((1 - limits.presence(each), each) for each in self.dropped),
            ]
            reasons += reasons_of([min(trust, key=lambda each: each[0])[1]] if trust else [])
        both = (*self.dice, *self.dropped)
        return reasons + reasons_of(each for each in both if limits.is_doubtful(each, image.shape))


def judged_roll(
    readings: Sequence[ReadDie],
    off_size: Sequence[ReadDie],
    limits: Thresholds,
    roll: RollThresholds,
    expected: int | None = None,
) -> JudgedRoll:
    """Separate the dice from the other readings; those `off_size` are not the size of dice.

    With a number expected the likeliest are dice, or all that look it if it isn't clear which.
    """
    ordered = sorted(readings, key=lambda each: -limits.presence(each))
    presences = [limits.presence(each) for each in ordered]
    strange = [limits.presence(each) for each in off_size]
    if expected is None:
        count = sum(map(limits.is_piece, ordered))
        product = prod(map(limits.confidence, ordered[:count]))
        product *= prod(1 - each for each in (*presences[count:], *strange))
    else:
        count, product = _counted(presences, strange, expected, roll.hidden)
        pieces = sum(map(limits.is_piece, ordered))
        if pieces > count and product < roll.accepted:  # none is left out by a toss-up
            count, product = pieces, 0.0
        values = (limits.confidence(each) / limits.presence(each) for each in ordered[:count])
        product *= prod(min(1.0, each) for each in values)
    dropped = (*ordered[count:], *off_size)
    return JudgedRoll(tuple(ordered[:count]), dropped, product, expected)


def _counted(
    presences: Sequence[float], strange: Sequence[float], expected: int, hidden: float
) -> tuple[int, float]:
    """The number of likeliest places that are dice given the number of dice, and its probability.

    The probability of a set is its share of that of all sets of dice at some of the places, the
    others being hidden. No die of a set is at a `strange` place.
    """
    numbers = np.array([1.0])  # the probabilities that 0, 1, 2... of the places show dice
    for each in (*presences, *strange):
        numbers = np.append(numbers * (1 - each), 0) + np.append(0, numbers * each)
    most = min(expected, len(presences))
    sets = [
        prod(presences[:count])
        * prod(1 - each for each in (*presences[count:], *strange))
        * hidden ** (expected - count)
        for count in range(most + 1)
    ]
    whole = sum(numbers[count] * hidden ** (expected - count) for count in range(most + 1))
    count = max(range(most + 1), key=lambda count: sets[count])
    return count, float(sets[count] / whole) if whole else 0.0
