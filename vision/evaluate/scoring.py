"""Scores of readers on labelled photographs: accuracy, confusions, calibration of confidence."""

from __future__ import annotations

import math
import time
from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import groupby, pairwise
from operator import itemgetter
from pathlib import Path
from statistics import fmean, median, quantiles
from typing import Final

from scoreboard.games.rummikub.tiles import COLOURS, JOKER, NUMBERS
from vision.capture.frame import Frame, Image, PlayArea
from vision.errors import LabelError, PhotoError
from vision.evaluate.labels import LabelledPhotograph, LabelledPiece, Source, read_sources
from vision.read.observation import (
    UNREADABLE,
    Box,
    Detection,
    Observation,
    Recogniser,
    read_photo,
    scaled,
)

NOTHING: Final = "nothing"
NOT_FOUND: Final = "not found"
_FACES: Final = ("1", "2", "3", "4", "5", "6")
_NUMBERS: Final = (*map(str, NUMBERS), str(JOKER))
_COLOURS: Final = (*COLOURS, str(JOKER))
Pair = tuple[str | None, str | None]


@dataclass(frozen=True, slots=True)
class Confusion:
    """Confusion matrix: `counts` by label `shown` and label `read_as`, zeros left out."""

    aspect: str
    values: tuple[str, ...]
    counts: Mapping[tuple[str, str], int]

    @property
    def shown(self) -> tuple[str, ...]:
        return (*self.values, NOTHING)

    @property
    def read_as(self) -> tuple[str, ...]:
        return (*self.values, UNREADABLE, NOT_FOUND)

    def row(self, shown: str) -> tuple[int, ...]:
        """The counts of a shown label, by `read_as`."""
        return tuple(self.counts.get((shown, read_as), 0) for read_as in self.read_as)


def confusions(pairs: Sequence[Pair]) -> tuple[Confusion, ...]:
    """Count pairs of a piece's label (None: no piece) and its reading (None: not found).

    Dice are counted by their faces; tiles by their numbers, and again by their colours.
    """
    if all(label in {*_FACES, UNREADABLE, None} for pair in pairs for label in pair):
        return (_counted("face", _FACES, pairs, slice(None)),)
    return (
        _counted("number", _NUMBERS, pairs, slice(1, None)),
        _counted("colour", _COLOURS, pairs, slice(1)),
    )


def _counted(aspect: str, values: tuple[str, ...], pairs: Iterable[Pair], part: slice) -> Confusion:
    def named(label: str | None, missing: str) -> str:
        if not label:
            return missing
        return label if label in {UNREADABLE, str(JOKER)} else label[part]

    counts = Counter((named(shown, NOTHING), named(read_as, NOT_FOUND)) for shown, read_as in pairs)
    return Confusion(aspect, values, dict(counts))


BINS: Final = 15
BARS: Final = 20

Judged = tuple[float, bool]


@dataclass(frozen=True, slots=True)
class Bin:
    """Readings of similar confidence: number, range, mean confidence, and the share right."""

    readings: int
    least: float
    most: float
    confidence: float
    right: float


@dataclass(frozen=True, slots=True)
class Bar:
    """How many right and wrong readings have a confidence from `least` up to `most`."""

    least: float
    most: float
    right: int
    wrong: int


@dataclass(frozen=True, slots=True)
class Reliability:
    """How well confidences match accuracy, as `reliability` and `auroc` measure it."""

    calibration_error: float
    auroc: float | None
    bins: tuple[Bin, ...]
    bars: tuple[Bar, ...]


def reliability(judged: Sequence[Judged]) -> Reliability:
    """Sum up readings by confidence, in any order; no readings mean no error.

    The error is the expected calibration error (Guo et al. 2017), 0 to 1: the mean gap between
    confidence and accuracy, weighted by bin size.
    """
    bins = equal_mass_bins(judged)
    gaps = sum(each.readings * abs(each.confidence - each.right) for each in bins)
    error = gaps / len(judged) if judged else 0.0
    return Reliability(error, auroc(judged), bins, histogram(judged))


def equal_mass_bins(judged: Sequence[Judged]) -> tuple[Bin, ...]:
    """Sort by confidence and cut into at most BINS bins of nearly equal size.

    A cut through readings of one confidence gives both sides the same share of right ones, so that
    their order does not matter (adaptive binning: Nguyen and O'Connor 2015).
    """
    shared: list[tuple[float, float]] = []  # each confidence, the share of right ones at it
    for confidence, group in groupby(sorted(judged), key=itemgetter(0)):
        right = [each for _, each in group]
        shared += [(confidence, fmean(right))] * len(right)
    count = min(BINS, len(shared))
    cuts = [len(shared) * each // count for each in range(count + 1)] if count else []
    return tuple(
        Bin(
            readings=last - first,
            least=shared[first][0],
            most=shared[last - 1][0],
            confidence=fmean(confidence for confidence, _ in shared[first:last]),
            right=fmean(right for _, right in shared[first:last]),
        )
        for first, last in pairwise(cuts)
    )


def auroc(judged: Iterable[Judged]) -> float | None:
    """The chance that a right reading has the higher confidence than a wrong one; ties count half.

    The area under the receiver's curve as Mann and Whitney's U; None unless there are both.
    """
    listed = sorted(judged)
    right, wrong = ([each for each, was in listed if was is kind] for kind in (True, False))
    if not right or not wrong:
        return None
    twice = sum(bisect_left(wrong, each) + bisect_right(wrong, each) for each in right)
    return twice / (2 * len(right) * len(wrong))


def histogram(judged: Iterable[Judged]) -> tuple[Bar, ...]:
    """Count right and wrong readings in BARS equal steps of confidence; 1 is in the last."""
    edges = [each / BARS for each in range(BARS + 1)]
    counts = Counter((bisect_right(edges, each, hi=BARS), is_right) for each, is_right in judged)
    return tuple(
        Bar(least, most, counts[bar, True], counts[bar, False])
        for bar, (least, most) in enumerate(pairwise(edges), start=1)
    )


TOGETHER: Final = "all together"
LEAST_SIDE: Final = 20.0
OpenPhoto = Callable[[Path], tuple[Image, float]]


@dataclass(frozen=True, slots=True)
class JudgedDetection:
    """One detection and the label of the piece under it, None where none is labelled."""

    read_as: str
    confidence: float
    box: Box
    label: str | None = None

    @property
    def right(self) -> bool:
        """Whether there is a piece and its label was read; "?" never is right."""
        return self.label is not None and self.read_as == self.label


@dataclass(frozen=True, slots=True)
class JudgedPiece:
    """One labelled piece and its reading, None when it was not found.

    `shorter_side` is that of its box in pixels, None if the box only holds the pips.
    """

    label: str
    box: Box
    read_as: str | None = None
    shorter_side: float | None = None

    @property
    def found(self) -> bool:
        return self.read_as is not None

    @property
    def right(self) -> bool:
        return self.read_as == self.label

    @property
    def large(self) -> bool:
        """Whether its shorter side is at least LEAST_SIDE, as assumed for a box of pips."""
        return self.shorter_side is None or self.shorter_side >= LEAST_SIDE


@dataclass(frozen=True, slots=True)
class PhotoScore:
    """One photograph's reading against its label, without optional pieces."""

    needs_review: bool
    milliseconds: float
    file: str = ""
    judged: tuple[JudgedPiece, ...] = ()
    detections: tuple[JudgedDetection, ...] = ()

    @property
    def right(self) -> int:
        """The number of pieces found and read right."""
        return sum(piece.right for piece in self.judged)

    @property
    def false(self) -> int:
        """The number of detections of no labelled piece."""
        return sum(each.label is None for each in self.detections)

    @property
    def exact(self) -> bool:
        """Whether every piece was found and read right, and nothing added."""
        return self.right == len(self.judged) and not self.false


@dataclass(frozen=True, slots=True)
class SourceScore:
    """One source's score.

    `found` and `right` are shares of the labelled pieces; `exact`, `silent` (wrong without a doubt)
    and `needless` (doubted though exact) are shares of the photographs; `false_per_photo` is a
    mean; times are those of the reading alone. `right_of_20px` is the share of the `pieces_of_20px`
    labelled ones whose shorter side has LEAST_SIDE pixels or more; dice labelled by their pips
    alone all count.
    """

    source: str
    photos: int
    pieces: int
    found: float
    right: float
    false_per_photo: float
    exact: float
    silent: float
    needless: float
    median_milliseconds: float
    p95_milliseconds: float
    pieces_of_20px: int
    right_of_20px: float


@dataclass(frozen=True, slots=True)
class ScoredSource:
    """One source's name and its photographs' scores; there is at least one."""

    name: str
    photos: tuple[PhotoScore, ...]

    @property
    def row(self) -> SourceScore:
        """The sums of all its photographs."""
        photos, times = self.photos, [each.milliseconds for each in self.photos]
        judged = [piece for each in photos for piece in each.judged]
        large = [piece.right for piece in judged if piece.large]
        slowest = quantiles(times, n=20, method="inclusive")[-1] if times[1:] else times[0]
        return SourceScore(
            source=self.name,
            photos=len(photos),
            pieces=len(judged),
            found=_share(piece.found for piece in judged),
            right=_share(piece.right for piece in judged),
            false_per_photo=sum(each.false for each in photos) / len(photos),
            exact=_share(each.exact for each in photos),
            silent=_share(not each.exact and not each.needs_review for each in photos),
            needless=_share(each.exact and each.needs_review for each in photos),
            median_milliseconds=median(times),
            p95_milliseconds=slowest,
            pieces_of_20px=len(large),
            right_of_20px=_share(large),
        )

    @property
    def reliability(self) -> Reliability:
        return reliability(
            [(each.confidence, each.right) for photo in self.photos for each in photo.detections]
        )

    @property
    def confusions(self) -> tuple[Confusion, ...]:
        """One table for dice, two for tiles: numbers and colours."""
        pairs: list[Pair] = []
        for photo in self.photos:
            pairs += ((piece.label, piece.read_as) for piece in photo.judged)
            pairs += ((None, each.read_as) for each in photo.detections if each.label is None)
        return confusions(pairs)


def evaluate(
    folder: Path,
    split: str | None,
    recogniser: Recogniser,
    open_photo: OpenPhoto,
    *,
    counted: bool = False,
) -> tuple[ScoredSource, ...]:
    """Score every source of the folder, and after two or more of them all together.

    `split` selects the photographs of that split, None all; sources without any are left out.
    `open_photo` decodes a photograph for reading, as `open_to_read` does. `counted`: the recogniser
    gets the number of labelled pieces.

    Raises LabelError: there are no labels, one cannot be read, or a photograph is missing.
    """
    scored = [
        ScoredSource(source.name, tuple(scores))
        for source in read_sources(folder)
        if (scores := score_photos(source, split, recogniser, open_photo, counted=counted))
    ]
    if not scored:
        of_split = "" if split is None else f" of the split {split}"
        raise LabelError(f"{folder} holds no photographs{of_split}; name another one.")
    return (*scored, together(scored)) if scored[1:] else tuple(scored)


def together(scored: Iterable[ScoredSource]) -> ScoredSource:
    """All photographs of those sources as one; there is at least one source."""
    return ScoredSource(TOGETHER, tuple(photo for each in scored for photo in each.photos))


def score_photos(  # noqa: PLR0913 -- three of them are options
    source: Source,
    split: str | None,
    recogniser: Recogniser,
    open_photo: OpenPhoto,
    *,
    counted: bool = False,
    within: bool = False,
    clock: Callable[[], float] = time.perf_counter,
) -> list[PhotoScore]:
    """Read and score the photographs of one source, timed by a clock of seconds.

    `counted`: the recogniser gets the number not optional; `within`: a play area around all pieces.
    """
    scores = []
    for photograph in source.photographs:
        if split is None or photograph.split == split:
            if not photograph.path.is_file():
                raise LabelError(f"{photograph.path} is missing though a label names it.")
            try:
                image, shrunk = open_photo(photograph.path)
            except PhotoError as error:
                raise LabelError(f"{photograph.path}: {error}") from error
            boxes = [piece.box for piece in photograph.pieces if within]
            size = shrunk * image.shape[1], shrunk * image.shape[0]
            area = PlayArea.around_boxes(boxes, size)
            frame = Frame(0, datetime.now(UTC), image, single=True, area=area)
            pieces = sum(not piece.optional for piece in photograph.pieces)
            start = clock()
            observation = read_photo(recogniser, frame, pieces if counted else None)
            milliseconds = (clock() - start) * 1000
            scores.append(score(photograph, scaled(observation, shrunk), milliseconds))
    return scores


def score(
    photograph: LabelledPhotograph, observation: Observation, milliseconds: float
) -> PhotoScore:
    """Score one observation against the photograph's label."""
    whole, found = photograph.whole, observation.detections
    matches = match(photograph.pieces, found, whole=whole, placed=photograph.placed)
    read_as = {row: found[column].label for row, column in matches}
    owner = {column: photograph.pieces[row] for row, column in matches}
    judged = tuple(
        JudgedPiece(piece.label, piece.box, read_as.get(row), piece.shorter_side if whole else None)
        for row, piece in enumerate(photograph.pieces)
        if not piece.optional
    )
    detections = []
    for column, seen in enumerate(found):
        piece = owner.get(column)
        if piece is None or not piece.optional:
            label = None if piece is None else piece.label
            detections.append(JudgedDetection(seen.label, seen.confidence, seen.box, label))
    return PhotoScore(
        needs_review=observation.needs_review,
        milliseconds=milliseconds,
        file=photograph.path.name,
        judged=judged,
        detections=tuple(detections),
    )


def match(
    pieces: Sequence[LabelledPiece],
    detections: Sequence[Detection],
    *,
    whole: bool,
    placed: bool = True,
) -> list[tuple[int, int]]:
    """Pair labelled pieces with detections, closest first and one to one, as index pairs.

    A detection matches a whole piece if their centres are less than half the piece's shorter side
    apart, and a label of the top face alone if the label's centre is in the detection's box. Pieces
    that are not `placed` match detections of their value first, then any others.
    """
    candidates = []
    for row, piece in enumerate(pieces):
        x, y = (piece.box[0] + piece.box[2]) / 2, (piece.box[1] + piece.box[3]) / 2
        for column, seen in enumerate(detections):
            left, top, right, bottom = seen.box
            away = math.hypot(x - (left + right) / 2, y - (top + bottom) / 2)
            is_within = left <= x <= right and top <= y <= bottom
            if not placed:
                candidates.append((float(piece.label != seen.label), row, column))
            elif away < piece.shorter_side / 2 if whole else is_within:
                candidates.append((away, row, column))
    pairs: dict[int, int] = {}
    for _, row, column in sorted(candidates):
        if row not in pairs and column not in pairs.values():
            pairs[row] = column
    return list(pairs.items())


def _share(truths: Iterable[bool]) -> float:
    """The share of true ones; all of none."""
    listed = list(truths)
    return sum(listed) / len(listed) if listed else 1.0
