"""The dice: what their reader is judged by, its card and its page."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, astuple, dataclass, replace
from datetime import UTC, datetime
from functools import partial
from itertools import groupby
from operator import attrgetter
from statistics import fmean
from typing import Any, Final

import numpy as np

from vision.capture.frame import Frame, Pyramid
from vision.capture.photo import open_photo
from vision.evaluate.labels import Source, read_sources
from vision.evaluate.scoring import score
from vision.read.confidence import RollThresholds, Thresholds, judged_roll, logit, probability
from vision.read.detection import DICE, DIE_SIDE, Candidate, Detector, distinct
from vision.read.dice import (
    ADDED,
    NAME,
    DiceRecogniser,
    DieReading,
    by_size,
    distinct_dice,
    read_dice,
    read_dice_closely,
    read_tops,
    seen_again,
)
from vision.read.networks import FINDER, READER, Model
from vision.read.observation import Observation
from vision.train.calibration import even_weights, logistic
from vision.train.dice.lessons import DiceLessons
from vision.train.dice.photographs import DicePictures, gather, read_rendered
from vision.train.networks import FACE_CLASSES
from vision.train.piece import A_DOUBT, FoundPlace, Grouped, PieceKind, TrainingPaths
from vision.train.report import DICE as WORDING

# What a die's confidence is worth was fitted on sources left out of training; this says what the
# product of a roll's confidences is worth, and from where a roll is accepted. The gate is not used.
FIRST_ROLL: Final = RollThresholds(offset=0.0, slope=1.0, hidden=0.01, accepted=0.625, counted=0.65)
_ALL_ACCEPTED: Final = replace(FIRST_ROLL, accepted=0.0, counted=0.0)
_ROLL_CHOICES: Final = tuple(round(0.4 + 0.025 * step, 3) for step in range(23))
_MOST_NEEDLESS_ROLLS: Final = 0.06


@dataclass(frozen=True, slots=True)
class ReadRoll:
    """A photograph's roll as read: its product, whether it was exact, whether it is asked anyway.

    `group` is its source, `counted` whether the reader knew how many dice there are.
    """

    group: str
    counted: bool
    product: float
    exact: bool
    asked: bool


def read_rolls(recogniser: DiceRecogniser, sources: Iterable[Source]) -> Iterator[ReadRoll]:
    """Read each photograph twice: without a number, and with that of the labelled dice."""
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
    found = replace(FIRST_ROLL, offset=offset + 0.0, slope=slope)  # no "-0.0" in the card
    for name, is_counted in (("accepted", False), ("counted", True)):
        known = [each for each in rolls if each.counted is is_counted]
        if known:
            found = replace(found, **{name: min(_ROLL_CHOICES, key=partial(_cost, known, found))})
    return found


def _cost(rolls: Sequence[ReadRoll], found: RollThresholds, accepted: float) -> float:
    losses = []
    for _, group in groupby(sorted(rolls, key=attrgetter("group")), key=attrgetter("group")):
        asked = [(each.exact, each.asked or _exactness(each, found) < accepted) for each in group]
        silent = fmean(not exact and not ask for exact, ask in asked)
        needless = fmean(exact and ask for exact, ask in asked)
        losses.append(4 * silent + 0.5 * needless + 2 * max(0.0, needless - _MOST_NEEDLESS_ROLLS))
    return fmean(losses)


def _exactness(roll: ReadRoll, found: RollThresholds) -> float:
    return probability(found.offset + found.slope * logit(roll.product))


_FIRST: Final[Mapping[str, float]] = {
    "candidate": 0.2,
    "present": 0.5,
    "absent": 0.1,
    "sure": 0.6,
    "readable": 0.25,  # not chosen: hiding right guesses would make their questions look needed
    "leaning": 0.7,
    "cocked": 0.85,
    "smallest_pixels": 11.0,
    "smallest_share": 0.0135,
}
_CHOICES: Final[Mapping[str, tuple[float, ...]]] = {
    "present": (0.3, 0.35, 0.4, 0.45, 0.5, 0.55, 0.6),
    "absent": (0.05, 0.1, 0.15, 0.2, 0.25, 0.3, 0.4),
    "sure": (0.5, 0.55, 0.6, 0.65, 0.7, 0.75, 0.8, 0.85, 0.9, 0.95),
    "leaning": (0.5, 0.6, 0.7, 0.8, 0.9),
}
_SOURCES: Final[Mapping[str, str]] = {
    "Epanemu__GameDiceRecognition": "CC BY 4.0",
    "N3VERS4YDIE__dice-recognition": "CC BY 4.0 (Roboflow, “Rune55”)",
    "matteop65__Dice_Detection_Recognition": "MIT",
    "nell-byler__dice_detection": "BSD-3-Clause",
    "conner-replogle__rummikub-detector": "CC BY 4.0",  # tables without dice
    "rendered": "made by `python -m vision.train.rendering dice`",
}


class DiceKind(PieceKind[DieReading]):
    """Six-sided dice with pips; a group is a source of photographs."""

    name = NAME
    recogniser = DiceRecogniser
    classes = (FACE_CLASSES,)
    parts = ("chances",)
    crop = (DIE_SIDE, DIE_SIDE)
    first = _FIRST
    first_roll = asdict(FIRST_ROLL)
    choices = _CHOICES
    most_needless = 0.05
    sources = _SOURCES
    wording = WORDING
    head = """\
# The dice reader's model card; written by the training command.
name = "dice"
made = {made}
command = "{command}"
input = "a picture of any size, bytes in the order blue, green, red"
finder = "1 x H x W x 3 bytes, H and W multiples of 32 -> score, offsets, log sizes at stride 4"
reader = "N x 48 x 48 x 3 bytes -> 7 probabilities, cosine and sine of four times the angle, \
probabilities of leaning and of a die"
labels = ["?", "1", "2", "3", "4", "5", "6"]
"""

    def lessons(self, paths: TrainingPaths, seed: int, without: str = "") -> DiceLessons:
        return DiceLessons(gather(paths, seed, without))

    def rendered_lessons(self, paths: TrainingPaths) -> DiceLessons:
        return DiceLessons(DicePictures(read_rendered(paths.rendered, paths.most)))

    def groups(self, paths: TrainingPaths) -> list[str]:
        """The sources that have photographs to train on; others are for the record alone."""
        return [each.name for each in _trained_on(paths)]

    def left_out(self, paths: TrainingPaths, group: str) -> list[Grouped]:
        (source,) = (each for each in _trained_on(paths) if each.name == group)
        return [(group, photograph) for photograph in source.photographs]

    def dev(self, paths: TrainingPaths) -> list[Source]:
        dev = [
            Source(each.name, tuple(photo for photo in each.photographs if photo.split == "dev"))
            for each in _trained_on(paths)
        ]
        return [each for each in dev if each.photographs]

    def roll_section(self, model: Model, paths: TrainingPaths) -> Mapping[str, float]:
        """Fitted on the dev photographs of the sources that were trained on."""
        return asdict(fitted(list(read_rolls(DiceRecogniser(model), self.dev(paths)))))

    def places(
        self, model: Model, pyramid: Pyramid, threshold: float
    ) -> tuple[tuple[FoundPlace[DieReading], ...], tuple[FoundPlace[DieReading], ...]]:
        """All places seen, and those of the wide look alone."""
        detector = Detector(model.networks[FINDER], DICE, threshold)
        reader = model.networks[READER]

        def read(found: list[Candidate]) -> tuple[FoundPlace[DieReading], ...]:
            both = (read_dice(reader, pyramid, found), read_dice_closely(reader, pyramid, found))
            return tuple(map(FoundPlace, *(read_tops(reader, pyramid, each) for each in both)))

        # A die that two passes found must not count as a die and as none; a pip is no such die
        found = sorted(detector.find_from_near(pyramid), key=lambda each: -each.score)
        near = distinct(found, replace(DICE, part=0.0, same_distance=0.0))
        return read(near), read(detector.find_at(pyramid, DICE.far))

    def observed(
        self,
        readings: Sequence[DieReading],
        wide: Sequence[DieReading],
        shape: tuple[int, int],
        limits: Thresholds,
    ) -> Observation:
        """Each die once, and doubted as a whole roll."""
        dice = distinct_dice(
            (*readings, *(each for each in wide if limits.confidence(each) >= ADDED)), limits
        )
        same_size, others = by_size(dice, limits)
        same_size, lost = seen_again(same_size, wide, limits, max(shape))
        roll = judged_roll(same_size, (*others, *lost), limits, FIRST_ROLL)
        asked = (
            bool(roll.torn)
            or roll.exactness(FIRST_ROLL) < FIRST_ROLL.accepted
            or any(
                limits.is_leaning(each) or not limits.is_readable(each, shape) for each in roll.dice
            )
        )
        found = tuple(each.detection(shape, limits) for each in roll.dice)
        return Observation(0, self.name, found, (A_DOUBT,) if asked else ())

    def truth(self, label: str) -> tuple[int | None, ...]:
        return (int(label),)

    def plain(self, reading: DieReading) -> list[Any]:
        box = [round(each, 4) for each in astuple(reading.candidate)[:5]]
        chances = [round(each, 5) for each in reading.chances]
        return [box, chances, reading.angle, round(reading.leaning, 5), round(reading.present, 5)]

    def reading(self, plain: Sequence[Any]) -> DieReading:
        box, chances, *others = plain
        return DieReading(Candidate(*box), tuple(chances), *others)


def _trained_on(paths: TrainingPaths) -> list[Source]:
    return [
        source
        for source in read_sources(paths.data)
        if any(each.split == "train" for each in source.photographs)
    ]
