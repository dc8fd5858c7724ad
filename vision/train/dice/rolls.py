"""How surely a whole roll is right: fitted on dev photographs, as read with and without a number.

What a die's confidence is worth was fitted on sources left out of training; this says what the
product of a roll's confidences is worth, and from where a roll is accepted. The gate is not used.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from functools import partial
from itertools import groupby
from operator import attrgetter
from statistics import fmean
from typing import Final

import numpy as np

from vision.capture.frame import Frame
from vision.capture.image_pyramid import Pyramid
from vision.capture.photo import open_photo
from vision.evaluate.labels import Source
from vision.evaluate.scoring import score
from vision.read.confidence import logit, probability
from vision.read.dice import DiceRecogniser
from vision.read.dice_roll import RollThresholds
from vision.train.calibration import even_weights, logistic

FIRST: Final = RollThresholds(offset=0.0, slope=1.0, hidden=0.01, accepted=0.625, counted=0.65)
_ALL_ACCEPTED: Final = replace(FIRST, accepted=0.0, counted=0.0)
_CHOICES: Final = tuple(round(0.4 + 0.025 * step, 3) for step in range(23))
_MOST_NEEDLESS: Final = 0.06


@dataclass(frozen=True, slots=True)
class ReadRoll:
    """A photograph's roll as read: its product, whether it was exact, whether it is asked anyway.

    `group` is its source, `counted` whether the reader was told how many dice lie there.
    """

    group: str
    counted: bool
    product: float
    exact: bool
    asked: bool


def read_rolls(recogniser: DiceRecogniser, sources: Iterable[Source]) -> Iterator[ReadRoll]:
    """Read each photograph twice: without a number, and told how many dice are labelled."""
    for source in sources:
        for photograph in source.photographs:
            frame = Frame(0, datetime.now(UTC), open_photo(photograph.path), single=True)
            for expected in (None, sum(not each.optional for each in photograph.pieces)):
                roll = recogniser.judged(Pyramid(frame.image), expected)
                seen = recogniser.observation(frame, roll, _ALL_ACCEPTED)
                exact = score(photograph, seen, 0.0).exact
                counted = expected is not None
                yield ReadRoll(source.name, counted, roll.product, exact, seen.needs_review)


def fitted(rolls: Sequence[ReadRoll]) -> RollThresholds:
    """Fit offset and slope (Platt, 1999), and choose what loses the players least.

    Every group weighs the same. A silent error counts eight times as much as a needless question.
    From where a counted roll is accepted is chosen apart: the number rules out most errors.
    """
    exact = np.array([each.exact for each in rolls])
    odds = np.array([[logit(each.product)] for each in rolls])
    offset, slope = logistic(
        odds, exact, even_weights([f"{each.group} {each.counted}" for each in rolls])
    )
    found = replace(FIRST, offset=offset + 0.0, slope=slope)  # no "-0.0" in the card
    for name, is_counted in (("accepted", False), ("counted", True)):
        known = [each for each in rolls if each.counted is is_counted]
        if known:
            found = replace(found, **{name: min(_CHOICES, key=partial(_cost, known, found))})
    return found


def _cost(rolls: Sequence[ReadRoll], found: RollThresholds, accepted: float) -> float:
    losses = []
    for _, group in groupby(sorted(rolls, key=attrgetter("group")), key=attrgetter("group")):
        asked = [(each.exact, each.asked or _exactness(each, found) < accepted) for each in group]
        silent = fmean(not exact and not ask for exact, ask in asked)
        needless = fmean(exact and ask for exact, ask in asked)
        losses.append(4 * silent + 0.5 * needless + 2 * max(0.0, needless - _MOST_NEEDLESS))
    return fmean(losses)


def _exactness(roll: ReadRoll, found: RollThresholds) -> float:
    return probability(found.offset + found.slope * logit(roll.product))
