"""The dice reader: finds every pipped die in a picture and reads its top face."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from statistics import median
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from scoreboard.message import Message, message
from vision.capture.frame import Frame, Image, Pyramid, calm_grey, downscaled, sharpness
from vision.read.confidence import (
    JudgedRoll,
    ReadDie,
    RollThresholds,
    Thresholds,
    judged_roll,
    roll_thresholds_of,
    thresholds_of,
)
from vision.read.detection import DICE, DIE_MARGIN, Candidate, Detector, die_crops
from vision.read.networks import FINDER, READER, Model, Network, load_card, load_model
from vision.read.observation import UNREADABLE, Detection, Observation

NAME: Final = "dice"
_FACES: Final = 7
_COSINE, _SINE, _LEANING, _PRESENT = 7, 8, 9, 10
_QUARTER_TURN: Final = 90.0
OUTDATED: Final = message(
    "The card of the model “dice” is of another version; install Tablescore again."
)
TOO_LOW: Final = message("The camera is too low: a die's side may pass for its top. Raise it.")
UNSHARP: Final = message("The picture is not sharp: focus the camera, or wipe its lens.")
_SMALL: Final = 320
_SHARP: Final = 0.24  # as the camera's health has it
# Two readings show one die if this much of the smaller box is in the larger, or of both in both
_SAME_PART: Final = 0.5
_SAME_OVERLAP: Final = 0.4
_SIZES: Final = (0.5, 2.0)  # of the sure dice's median: what is smaller or larger is hardly one
_SEVERAL: Final = 3  # sure dice show better what sizes the others have:
_SMALLEST: Final = 0.75  # of the smallest of them
_LARGEST: Final = 1.15  # of the largest
_SPECK: Final = 0.25  # of a sure die's size: what is smaller is nothing
ADDED: Final = 0.8  # the least confidence of what the far pass adds, and of dice to compare sizes
_LIKELY: Final = 0.3  # the same where dice are known to be missing
_SURE: Final = 0.97
_ABSENT: Final = 0.05
_NO_TRACE: Final = 0.002
_ENLARGED: Final = 1.75  # a picture is not looked at any larger
_TOUCHING: Final = 1.0  # of a die's size, between two middles
_DOUBLE: Final = (1.25, 2.3)  # of a die's size: a box around two dice
_DOUBLE_TRACE: Final = 0.02
_NESTED: Final = 0.6  # a reading of less than this share of a die's size is a pip or a face of it
_PIPS: Final = 2.5  # times as large as a pip: the least size of its die
_TRACE: Final = 0.2  # the least presence of one in the far look that shows a weak die again
_SEEN_PIXELS: Final = 10.0  # of the far look: a smaller die may leave no trace in it
_LARGE: Final = 45.0  # pixels of the first pass: nearly bare faces are often seen from far alone
# A box so much higher than wide shows a side below the top face. From a low camera the side is the
# larger of the two and is easily read for the top, whose middle is at this share of the height
_ASLANT: Final = 1.05
_TOP_MIDDLE: Final = 0.3
_TOP_WEIGHT: Final = 0.45  # less than half: in a picture that is upside down it is the side
_SURE_TOP: Final = 0.98  # a side that passed for the top never was as sure as this
_TOP_PIXELS: Final = 50.0  # the least width: of smaller dice a part is too little to read
# Margin and whether it is mirrored. Twice as many crops cost twice as much and gained nothing.
_CLOSE_CROPS: Final = ((1.15, True), (DIE_MARGIN, False), (1.5, True))


@dataclass(frozen=True, slots=True)
class DieReading:
    """A possible die, and the probabilities of no readable face and of 1 to 6.

    `angle` is the top face's, degrees clockwise in [-45, 45); `leaning` is the probability of a
    cocked die, `present` the reader's of a die, readable or not. `is_low`: the upper part of the
    die alone shows another face than the whole, as with a low camera.
    """

    candidate: Candidate
    chances: tuple[float, ...]
    angle: float
    leaning: float
    present: float
    is_low: bool = False

    @property
    def value(self) -> int:
        return max(range(1, len(self.chances)), key=lambda face: self.chances[face])

    @property
    def likelihood(self) -> float:
        return self.chances[self.value]

    @property
    def second(self) -> float:
        return sorted(self.chances[1:])[-2]

    @property
    def size(self) -> float:
        return self.candidate.size

    def grey(self, image: Image) -> Image:
        left, top, right, bottom = (max(0, round(side)) for side in self.candidate.box)
        part = image[top : bottom + 1, left : right + 1]
        part = part if part.size else image
        return np.asarray(cv2.cvtColor(part, cv2.COLOR_BGR2GRAY), np.uint8)

    def ambiguity(self) -> Message:
        if self.is_low:
            return TOO_LOW
        faces = sorted(range(1, len(self.chances)), key=lambda face: -self.chances[face])[:2]
        return message("Is this a {first} or a {second}?", first=min(faces), second=max(faces))

    def detection(self, shape: tuple[int, ...], limits: Thresholds) -> Detection:
        readable = limits.is_readable(self, shape)
        return Detection(
            label=str(self.value) if readable else UNREADABLE,
            confidence=round(limits.confidence(self), 4),
            box=self.candidate.within(shape),
            angle=round(self.angle, 1),
            chances=tuple(round(each, 4) for each in self.chances),
            leaning=round(self.leaning, 4),
        )


@dataclass(frozen=True, slots=True)
class SeenDice:
    """The dice seen so far, each once, and how many are `expected`.

    `near` are all places of the last pass that began anew, `far` those of the far pass, None before
    it, and `maybe` are less sure finds of later passes over a photo. `shrink` is how many pixels of
    the picture make one of the main pass. `live`: other pictures of the roll follow.
    """

    limits: Thresholds
    expected: int | None
    shrink: float
    live: bool = False
    dice: tuple[DieReading, ...] = ()
    near: tuple[DieReading, ...] = ()
    far: tuple[DieReading, ...] | None = None
    maybe: tuple[DieReading, ...] = ()

    def surer(self, least: float) -> list[DieReading]:
        return [each for each in self.dice if self.limits.confidence(each) >= least]

    @property
    def places(self) -> list[Candidate]:
        return [each.candidate for each in self.surer(ADDED)]

    @property
    def lacks(self) -> bool:
        return sum(map(self.limits.is_piece, self.dice)) < (self.expected or 0)

    @property
    def is_clear(self) -> bool:
        """Whether all dice are sure, and none hides a part of another.

        With large dice the least trace of another counts.
        """
        sure = self.surer(_SURE)
        if not sure:
            return False
        is_large = median([each.size for each in sure]) > _LARGE * self.shrink
        trace = _ABSENT if not is_large or len(sure) == self.expected else _NO_TRACE
        if any(self.limits.presence(each) > trace for each in self.dice if each not in sure):
            return False
        if self.expected is not None:
            return len(sure) == self.expected
        size = np.array([each.size for each in self.near])
        nested = size < _NESTED * size[:, None]
        if not nested.any():
            return True
        return not bool((_overlapping([each.candidate for each in self.near]) & nested).any())

    @property
    def may_touch(self) -> bool:
        """Whether one of several touching dice may have been missed.

        For watched dice the next pictures will tell, and an expected number is better evidence.
        """
        sure = self.surer(ADDED)
        if not sure or self.live or self.expected is not None:
            return False
        size = median([each.size for each in sure])
        least, most = (share * size for share in _DOUBLE)
        presence = self.limits.presence
        if any(least < each.size < most and presence(each) > _DOUBLE_TRACE for each in self.near):
            return True
        x, y = np.array([(each.candidate.x, each.candidate.y) for each in sure]).T
        apart = np.hypot(x - x[:, None], y - y[:, None])
        return int((apart < _TOUCHING * size).sum()) > len(sure)  # each is at no distance of itself


@dataclass(frozen=True, slots=True)
class Pass:
    """One look at the whole picture, its longer side brought to `longer` pixels, if it `is_due`.

    One that `begins` forgets what was seen; any other adds dice of at least the confidence `adds`.
    `ends`: no pass follows if all is clear. `around`: it covers only the area around the sure dice.
    """

    longer: int
    is_due: Callable[[SeenDice], bool]
    adds: float = ADDED
    begins: bool = False
    ends: bool = False
    around: bool = False


PASSES: Final = (
    # The number is known, and just as many are sure: 72 of 100 rolls
    Pass(192, lambda seen: seen.expected is not None, begins=True, ends=True),
    Pass(DICE.first, lambda seen: not seen.is_clear, begins=True),
    Pass(DICE.far, lambda seen: not seen.is_clear),
    # From far a die that fills the picture is seen whole, from near dice that touch come apart
    *(Pass(longer, lambda seen: seen.lacks, adds=_LIKELY) for longer in (192, 128, 640, 896)),
    *(Pass(longer, lambda seen: seen.may_touch, around=True) for longer in (640, 896)),
    Pass(192, lambda seen: not seen.places),
    # One die alone may be a pip of a larger one
    Pass(128, lambda seen: len(seen.places) <= 1),
)


def smallest_die(shape: tuple[int, ...]) -> float:
    """A die's least readable shorter side, in pixels of such a picture. Raises WeightsError."""
    return thresholds_of(load_card(NAME), OUTDATED).least_side(shape)


class DiceRecogniser:
    """Reads six-sided dice with pips; keeps the promise of `vision.read.observation.Recogniser`.

    Two networks: a finder on the shrunk picture, and a reader on a crop of each found die from the
    full picture. A doubtful die is read again from crops of three margins, some mirrored, and
    averaged; of a large one seen aslant the upper part is read too, as a side may pass for the top
    face. Readings that overlap a surer die, or are far from the size of the sure ones, are dropped.
    `PASSES` are the finder's passes over the picture, and when each is due; most are not.

    Raises WeightsError: its model cannot be loaded.
    """

    name = NAME

    def __init__(self, model: Model | None = None) -> None:
        model = model or load_model(NAME)
        self._limits = thresholds_of(model.card, OUTDATED)
        self._roll_thresholds = roll_thresholds_of(model.card, OUTDATED)
        self._detector = Detector(model.networks[FINDER], DICE, self._limits.candidate)
        self._reader = model.networks[READER]

    def __call__(self, frame: Frame, expected: int | None = None) -> Observation:
        roll = self.judged(Pyramid(frame.image, frame.area), expected, live=not frame.single)
        return self.observation(frame, roll, self._roll_thresholds)

    def observation(
        self, frame: Frame, roll: JudgedRoll, thresholds: RollThresholds
    ) -> Observation:
        """The observation that reports a roll read in a frame."""
        image, limits = frame.image, self._limits
        dice = sorted(roll.dice, key=lambda each: (each.candidate.x, each.candidate.y))
        reasons = roll.doubts(image, limits, thresholds)
        about = {die: doubt for doubt, die in reversed(reasons)}
        found, maybe = (
            tuple(
                replace(self._detection(each, image, roll), doubt=about.get(each)) for each in seen
            )
            for seen in (dice, [each for each in roll.dropped if each in about])
        )
        doubts = tuple(dict.fromkeys(doubt for doubt, _ in reasons))
        if frame.single and not found and not doubts:
            _, sharp = sharpness(calm_grey(downscaled(image, _SMALL)))
            doubts = (UNSHARP,) if sharp is None or sharp < _SHARP else ()
        return Observation(frame.sequence, self.name, found, doubts, maybe=maybe)

    def _detection(self, die: ReadDie, image: Image, roll: JudgedRoll) -> Detection:
        limits = self._limits
        if roll.expected is not None:  # it need not surely be a die to have a face
            limits = replace(limits, readable=limits.readable * limits.presence(die))
        return die.detection(image.shape, limits)

    def judged(
        self, pyramid: Pyramid, expected: int | None = None, *, live: bool = False
    ) -> JudgedRoll:
        """The roll in a picture, before its confidence is judged; `live`: other pictures follow."""
        limits = self._limits
        sight = SeenDice(limits, expected, pyramid.longer / DICE.first, live=live)
        for look in PASSES:
            if look.is_due(sight) and (look.begins or look.longer <= _ENLARGED * pyramid.longer):
                sight = self._looked(pyramid, look, sight)
                if look.ends and sight.is_clear:
                    break
        similar, others = by_size(sight.dice, limits)
        if expected is None:  # nothing else rules out what was seen but once
            similar, lost = seen_again(similar, sight.far, limits, pyramid.longer)
            dice = [each.candidate for each in similar if limits.is_piece(each)]
            besides = _apart([each.candidate for each in sight.maybe], dice)
            others += [*lost, *(each for each in sight.maybe if each.candidate in besides)]
        return judged_roll(similar, others, limits, self._roll_thresholds, expected)

    def _looked(self, pyramid: Pyramid, look: Pass, before: SeenDice) -> SeenDice:
        limits, detector = self._limits, self._detector
        if look.longer == DICE.first:
            places = detector.find_from_near(pyramid)
        else:
            places = detector.find_at(pyramid, look.longer, before.places if look.around else ())
        if look.begins:
            once = read_dice(self._reader, pyramid, places)
            dice = self._read_closely(pyramid, distinct_dice(once, limits))
            return replace(before, dice=tuple(dice), near=tuple(once))
        sure = [each.candidate for each in before.dice if limits.confidence(each) >= _SURE]
        once = read_dice(self._reader, pyramid, _apart(places, sure))
        closely = self._read_closely(pyramid, once)
        added = [each for each in closely if limits.confidence(each) >= look.adds]
        maybe = [] if before.live else [each for each in closely if limits.is_piece(each)]
        return replace(
            before,
            dice=tuple(distinct_dice((*before.dice, *added), limits)),
            far=tuple(once) if look.longer == DICE.far else before.far,
            maybe=(*before.maybe, *(each for each in maybe if each not in added)),
        )

    def _read_closely(self, pyramid: Pyramid, once: Sequence[DieReading]) -> list[DieReading]:
        """Read doubtful dice again, and the top faces of those seen aslant."""
        limits = self._limits
        again = [each.candidate for each in once if limits.reads_again(each)]
        closer = read_dice_closely(self._reader, pyramid, again)
        better = dict(zip(again, closer, strict=True))
        readings = [better.get(each.candidate, each) for each in once]

        unsure = [
            each
            for each in readings
            if limits.presence(each) > _ABSENT and limits.confidence(each) < _SURE_TOP
        ]
        tops = read_tops(self._reader, pyramid, unsure)
        better = {each.candidate: each for each in tops}
        return [better.get(each.candidate, each) for each in readings]


def distinct_dice(readings: Iterable[DieReading], limits: Thresholds) -> list[DieReading]:
    """Each die once, surest first; overlapping readings are dropped."""
    ordered = sorted(readings, key=lambda each: -limits.presence(each))
    same = _overlapping([each.candidate for each in ordered])
    kept: list[int] = []
    for at in range(len(ordered)):
        if not same[at, kept].any():
            kept.append(at)
    return [ordered[at] for at in kept]


def by_size(
    readings: Sequence[DieReading], limits: Thresholds
) -> tuple[list[DieReading], list[DieReading]]:
    """Readings that are very sure or of the sure dice's size, and others; specks are neither."""
    sizes = [each.size for each in readings if limits.confidence(each) >= ADDED]
    sure = [each.size for each in readings if limits.confidence(each) >= _SURE]
    middle = median(sizes) if sizes else 0.0
    least, most = (share * middle for share in _SIZES) if sizes else (0.0, math.inf)
    if len(sure) >= _SEVERAL:
        least, most = _SMALLEST * min(sure), _LARGEST * max(sure)
    similar = [
        each for each in readings if least <= each.size <= most or limits.confidence(each) >= _SURE
    ]
    return similar, [
        each for each in readings if each not in similar and each.size >= _SPECK * middle
    ]


def seen_again(
    dice: list[DieReading], far: Sequence[DieReading] | None, limits: Thresholds, longer: int
) -> tuple[list[DieReading], list[DieReading]]:
    """The dice, and the weak ones without a trace in the far pass though it shows their size.

    `longer` is the picture's longer side in pixels.
    """
    if far is None:
        return dice, []
    least = _SEEN_PIXELS * longer / DICE.far
    trace = [each.candidate for each in far if limits.presence(each) >= _TRACE]
    weak = [each for each in dice if limits.confidence(each) < ADDED and each.size >= least]
    same = _overlapping([*(each.candidate for each in weak), *trace])[: len(weak), len(weak) :]
    lost = [each for each, row in zip(weak, same, strict=True) if not row.any()]
    return [each for each in dice if each not in lost], lost


def _apart(places: Sequence[Candidate], dice: Sequence[Candidate]) -> list[Candidate]:
    """The places that show none of the dice, or are so much larger that a die may be their pip."""
    same = _overlapping([*dice, *places])[len(dice) :, : len(dice)]
    size = np.array([each.size for each in dice])
    return [
        each
        for each, row in zip(places, same, strict=True)
        if not (row & (each.size < _PIPS * size)).any()
    ]


def _overlapping(places: Sequence[Candidate]) -> NDArray[np.bool_]:
    """Which of N boxes show the same die, N x N."""
    left, top, right, bottom = np.array([each.box for each in places]).reshape(-1, 4).T
    across = np.minimum(right, right[:, None]) - np.maximum(left, left[:, None])
    down = np.minimum(bottom, bottom[:, None]) - np.maximum(top, top[:, None])
    shared = np.clip(across, 0, None) * np.clip(down, 0, None)
    area = (right - left) * (bottom - top)
    smaller, both = np.minimum(area, area[:, None]), area + area[:, None]
    return np.asarray((shared > _SAME_PART * smaller) | (shared > _SAME_OVERLAP * (both - shared)))


def read_dice(reader: Network, pyramid: Pyramid, places: Sequence[Candidate]) -> list[DieReading]:
    """Read every place once."""
    figures = reader(die_crops(pyramid, places)) if places else ()
    return [_reading(*each) for each in zip(places, figures, strict=True)]


def read_dice_closely(
    reader: Network, pyramid: Pyramid, places: Sequence[Candidate]
) -> list[DieReading]:
    """Read every place in crops of three margins, two of them mirrored, and average."""
    if not places:
        return []
    crops = [die_crops(pyramid, places, margin) for margin, _ in _CLOSE_CROPS]
    mirrored = [is_mirrored for _, is_mirrored in _CLOSE_CROPS]
    seen = [cut[:, :, ::-1] if flip else cut for cut, flip in zip(crops, mirrored, strict=True)]
    figures = reader(np.concatenate(seen)).reshape(len(seen), len(places), -1)
    figures[mirrored, :, _SINE] *= -1  # a mirrored face turns the other way
    return [_reading(*each) for each in zip(places, figures.mean(axis=0), strict=True)]


def read_tops(
    reader: Network, pyramid: Pyramid, readings: Sequence[DieReading]
) -> list[DieReading]:
    """Read the upper parts of large dice seen aslant too, and average with weights."""
    aslant = [
        at
        for at, each in enumerate(readings)
        if each.candidate.width >= _TOP_PIXELS
        and each.candidate.height >= _ASLANT * each.candidate.width
    ]
    # The squares around the top faces
    squares = [
        replace(die, y=die.y - die.height / 2 + _TOP_MIDDLE * die.height, height=die.width)
        for die in (readings[at].candidate for at in aslant)
    ]
    tops = read_dice(reader, pyramid, squares)
    found = list(readings)
    for at, top in zip(aslant, tops, strict=True):
        whole = readings[at]
        chances = tuple(
            (1 - _TOP_WEIGHT) * seen + _TOP_WEIGHT * above
            for seen, above in zip(whole.chances, top.chances, strict=True)
        )
        found[at] = replace(whole, chances=chances, is_low=top.value != whole.value)
    return found


def _reading(place: Candidate, figures: NDArray[np.float32]) -> DieReading:
    angle = math.degrees(math.atan2(float(figures[_SINE]), float(figures[_COSINE]))) / 4
    turned = (round(angle, 1) + _QUARTER_TURN / 2) % _QUARTER_TURN - _QUARTER_TURN / 2
    chances = tuple(float(each) for each in figures[:_FACES])
    return DieReading(place, chances, turned, float(figures[_LEANING]), float(figures[_PRESENT]))
