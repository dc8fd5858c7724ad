"""Calibrated confidence of readings and of whole rolls, thresholds, and warnings to players."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, fields
from typing import Any, Final, Protocol

import cv2
import numpy as np

from scoreboard.message import Message, message
from vision.capture.frame import Image
from vision.errors import WeightsError
from vision.read.detection import Candidate
from vision.read.observation import Detection

_SIZE_UNIT: Final = 32.0
_NEVER: Final = math.inf
_SURELY_READ: Final = 0.97  # less sure pieces are read once more


class PieceReading(Protocol):
    """The networks' reading of a candidate: a die or a tile.

    `present` is the reader's probability of a piece, readable or not, `likelihood` that of the
    likeliest face if it is a piece, `leaning` that of a cocked die (0 for a tile), and `size` the
    side, in pixels, that presence was calibrated on. `grey` cuts it out of the picture, and
    `ambiguity` names the other faces that it may show.
    """

    @property
    def candidate(self) -> Candidate: ...
    @property
    def present(self) -> float: ...
    @property
    def likelihood(self) -> float: ...
    @property
    def leaning(self) -> float: ...
    @property
    def size(self) -> float: ...

    def grey(self, image: Image) -> Image: ...
    def ambiguity(self) -> Message: ...
    def detection(self, shape: tuple[int, ...], limits: Thresholds) -> Detection: ...


@dataclass(frozen=True, slots=True)
class ConfidenceModel:
    """Combine finder and reader scores into a calibrated confidence.

    A model's card states the weights, fitted on sources left out of training. `bias`, `finder` and
    `reader` weigh both networks' scores of a piece's presence, `face` the likeliest face's
    probability (a print shows none clearly), and `size` the piece's size, since specks pass for
    pieces more easily. `offset` and `slope` bring the confidence to how often it was right (Platt,
    1999).
    """

    bias: float
    finder: float
    reader: float
    face: float
    size: float
    offset: float
    slope: float

    def presence(self, reading: PieceReading) -> float:
        """The estimated probability of a piece."""
        networks = self.finder * logit(reading.candidate.score)
        networks += self.reader * logit(reading.present)
        face = self.face * logit(reading.likelihood)
        size = self.size * math.log(max(reading.size, 1) / _SIZE_UNIT)
        return probability(self.bias + networks + face + size)

    def confidence(self, reading: PieceReading) -> float:
        """The estimated probability of a piece that shows the likeliest face."""
        both = self.presence(reading) * reading.likelihood
        return probability(self.offset + self.slope * logit(both))


@dataclass(frozen=True, slots=True)
class Thresholds(ConfidenceModel):
    """The thresholds from which a reading is accepted, doubted, or ignored.

    A model's card states them, chosen on sources left out of training. `candidate`: the finder's
    least score; `present`: the least presence of a piece; `absent`: the least presence to ask
    about; `sure`: the least confidence to accept; `readable`: the least to report;
    `smallest_pixels` and `smallest_share` (of the picture's longer side): the least shorter side;
    `leaning`: the least probability of a cocked die to ask about (YZ-5), `cocked`: the least from
    which no value is given.
    """

    candidate: float
    present: float
    absent: float
    sure: float
    readable: float
    smallest_pixels: float
    smallest_share: float
    leaning: float = _NEVER
    cocked: float = _NEVER

    def is_piece(self, reading: PieceReading) -> bool:
        return self.presence(reading) >= self.present

    def is_readable(self, reading: PieceReading, shape: tuple[int, ...]) -> bool:
        is_likely = self.confidence(reading) >= self.readable and reading.leaning < self.cocked
        return is_likely and not self.is_small(reading, shape)

    def is_small(self, reading: PieceReading, shape: tuple[int, ...]) -> bool:
        """Whether it is too small to be read in a picture of that height and width."""
        return reading.candidate.shorter < self.least_side(shape)

    def least_side(self, shape: tuple[int, ...]) -> float:
        """The least shorter side, in pixels, in a picture of that height and width."""
        return max(self.smallest_pixels, self.smallest_share * max(shape[:2]))

    def is_leaning(self, reading: PieceReading) -> bool:
        """Whether it may be a cocked die (YZ-5)."""
        return reading.leaning >= self.leaning

    def is_doubtful(self, reading: PieceReading, shape: tuple[int, ...]) -> bool:
        if not self.is_piece(reading):
            return self.presence(reading) >= self.absent
        unsure = self.confidence(reading) < max(self.sure, self.readable)
        return unsure or self.is_leaning(reading) or self.is_small(reading, shape)

    def reads_again(self, reading: PieceReading) -> bool:
        if self.presence(reading) < self.absent / 2:
            return False
        unsure = self.confidence(reading) < max(_SURELY_READ, self.sure)
        return unsure or self.is_leaning(reading)


def thresholds_of(card: Mapping[str, Any], outdated: Message) -> Thresholds:
    """The thresholds on a model's card. Raises WeightsError, `outdated`: of another version."""
    try:
        weights = {each.name: card["calibration"][each.name] for each in fields(ConfidenceModel)}
        return Thresholds(**weights, **card["thresholds"])
    except (KeyError, TypeError) as error:
        raise WeightsError(outdated) from error


def logit(probability: float) -> float:
    """The logarithm of the odds, clamped to be finite."""
    kept = min(max(probability, 1e-4), 1 - 1e-4)
    return math.log(kept / (1 - kept))


def probability(odds: float) -> float:
    """The probability of odds given by their logarithm."""
    return 1 / (1 + math.exp(-odds))


_DARK: Final = 40.0
_BLURRED: Final = 0.3  # detail as a share of contrast
_GLARING: Final = 250
_LOST: Final = 0.65  # of a piece
_SMEARED: Final = 0.45  # of the detail: strangers' photographs at rest have 0.5 and more
_SMEARED_PIXELS: Final = 48
_DETAILED: Final = 32  # pixels each way
_DIAGONAL: Final = 1.6  # a diagonal's ends are farther apart, and differ by this much more


@dataclass(frozen=True, slots=True)
class Warnings:
    """Warnings about one kind of pieces, and their thresholds.

    A piece is `at_edge` if more than `edge` of its size is beyond the picture, nearly too small
    below `small` pixels, and in glare if the burnt-out share of it is between the two
    `glare_shares`: less is a highlight, more a white piece. Blur is measured on the piece reduced
    to `blur_side` pixels each way, or as it was cut out.
    """

    uncertain: Message
    too_small: Message
    at_edge: Message
    nearly_too_small: Message
    glare: Message
    blurred: Message
    unreadable: Message
    edge: float
    small: float
    glare_shares: tuple[float, float]
    leaning: Message | None = None
    too_bright: Message | None = None
    blur_side: int | None = None

    def of(
        self, image: Image, readings: Sequence[PieceReading], limits: Thresholds
    ) -> tuple[Message, ...]:
        """Everything a person should check, each warning once."""
        doubtful = (each for each in readings if limits.is_doubtful(each, image.shape))
        return tuple(dict.fromkeys(self.reason(image, each, limits) for each in doubtful))

    def reason(self, image: Image, reading: PieceReading, limits: Thresholds) -> Message:
        """Why this piece may be misread."""
        if not limits.is_piece(reading):
            return self.uncertain
        if limits.is_small(reading, image.shape):
            return self.too_small
        if self.leaning is not None and limits.is_leaning(reading):
            return self.leaning
        is_unreadable = limits.confidence(reading) < limits.readable
        unclear = self.unreadable if is_unreadable else reading.ambiguity()
        return self._circumstance(image, reading) or unclear

    def _circumstance(self, image: Image, reading: PieceReading) -> Message | None:
        """The fault of the picture that makes a reading unsure."""
        height, width = image.shape[:2]
        left, top, right, bottom = reading.candidate.box
        if max(-left, -top, right - width, bottom - height) > self.edge * reading.size:
            return self.at_edge
        grey = reading.grey(image)
        if float(grey.mean()) < _DARK:
            return TOO_DARK
        if reading.candidate.shorter < self.small:
            return self.nearly_too_small
        few, many = self.glare_shares
        if self.too_bright is not None and is_overexposed(grey):
            return self.too_bright
        share = float((grey >= _GLARING).mean())
        if few < share < many and float(np.median(grey)) < 0.9 * _GLARING:
            return self.glare
        return self.blurred if _is_blurred(grey, self.blur_side) else None


def is_overexposed(grey: Image) -> bool:
    """Whether most of a piece is burnt out, perhaps with its pips."""
    return int(np.count_nonzero(grey >= _GLARING)) >= _LOST * grey.size


def is_smeared(pieces: Sequence[Image]) -> bool:
    """Whether most of these pieces have far less detail in one direction than in another.

    That is motion blur, of camera or pieces: two pips run into one without a trace. In smaller
    pieces the camera's own lines count for more than the pips.
    """
    shares = [_least_detail(each) for each in pieces if min(each.shape) >= _SMEARED_PIXELS]
    return bool(shares) and float(np.median(shares)) < _SMEARED


def _least_detail(grey: Image) -> float:
    """The least detail of any direction, as a share of the most."""
    small = cv2.resize(grey, (_DETAILED, _DETAILED), interpolation=cv2.INTER_AREA)
    pixels = small.astype(np.float32)
    middle = 2 * pixels[1:-1, 1:-1]
    ends = (
        (pixels[1:-1, 2:], pixels[1:-1, :-2], 1.0),
        (pixels[2:, 1:-1], pixels[:-2, 1:-1], 1.0),
        (pixels[2:, 2:], pixels[:-2, :-2], _DIAGONAL),
        (pixels[2:, :-2], pixels[:-2, 2:], _DIAGONAL),
    )
    details = [float(np.abs(one + other - middle).mean()) / far for one, other, far in ends]
    return min(details) / max(details) if max(details) >= 1 else 1.0  # none of an even patch


def _is_blurred(grey: Image, side: int | None) -> bool:
    """Whether neighbouring pixels differ little compared with the whole piece's contrast."""
    pixels = grey
    if side is not None:
        reduced = cv2.resize(grey, (side, side), interpolation=cv2.INTER_AREA)
        pixels = np.asarray(reduced, np.float32)
    detail = float(np.abs(cv2.Laplacian(pixels, cv2.CV_32F)).mean())
    return detail < _BLURRED * float(pixels.std())


TOO_DARK: Final = message("It’s too dark here: turn on a lamp.")
DICE_WARNINGS: Final = Warnings(
    uncertain=message("There may be another die here."),
    too_small=message("A die is too small to be read: bring the camera nearer."),
    at_edge=message("A die lies at the picture's edge."),
    nearly_too_small=message("A die is nearly too small to be read: bring the camera nearer."),
    glare=message("Light glares on a die: move the lamp or the camera."),
    blurred=message("A die is blurred."),
    unreadable=message("What does this die show?"),
    edge=0.02,
    small=18.0,
    glare_shares=(0.04, 0.7),
    leaning=message("A die leans: re-roll just that die."),
    too_bright=message("A die is too bright, and light may hide its pips: dim the lamp."),
    blur_side=32,
)
TILE_WARNINGS: Final = Warnings(
    uncertain=message("There may be another tile here."),
    too_small=message("A tile is too small to be read: bring the camera nearer."),
    at_edge=message("A tile lies at the picture's edge."),
    nearly_too_small=message("A tile is nearly too small to be read: bring the camera nearer."),
    glare=message("Light glares on a tile: move the lamp or the camera."),
    blurred=message("A tile is blurred."),
    unreadable=message("A tile cannot be read."),
    edge=0.04,
    small=20.0,
    glare_shares=(0.05, 0.7),
)


# The dice of a roll among the readings, and how surely all of them are right.
#
# One number decides whether a person is asked: the probability that every die is found and read
# right. It is the product of the dice's confidences and of the chances that dropped readings are no
# dice, calibrated (Platt, 1999). A known number of dice rules out all other numbers.

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
        product = math.prod(map(limits.confidence, ordered[:count]))
        product *= math.prod(1 - each for each in (*presences[count:], *strange))
    else:
        count, product = _counted(presences, strange, expected, roll.hidden)
        pieces = sum(map(limits.is_piece, ordered))
        if pieces > count and product < roll.accepted:  # none is left out by a toss-up
            count, product = pieces, 0.0
        values = (limits.confidence(each) / limits.presence(each) for each in ordered[:count])
        product *= math.prod(min(1.0, each) for each in values)
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
        math.prod(presences[:count])
        * math.prod(1 - each for each in (*presences[count:], *strange))
        * hidden ** (expected - count)
        for count in range(most + 1)
    ]
    whole = sum(numbers[count] * hidden ** (expected - count) for count in range(most + 1))
    count = max(range(most + 1), key=lambda count: sets[count])
    return count, float(sets[count] / whole) if whole else 0.0
