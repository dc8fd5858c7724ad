"""How well a recogniser reads labelled photographs, scored as the data's README says."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from statistics import median, quantiles
from typing import Final

from vision.errors import LabelError
from vision.frame import Frame, Image
from vision.labels import LabelledDie, LabelledPhotograph, Source, read_sources
from vision.observation import Box, Detection, Observation
from vision.recogniser import Recogniser

TOGETHER: Final = "all together"
OpenPhoto = Callable[[Path], Image]


@dataclass(frozen=True, slots=True)
class PhotoScore:
    """One photograph's reading against its label, counted in dice, with the reading's time."""

    pieces: int
    found: int
    right: int
    false: int
    needs_review: bool
    milliseconds: float

    @property
    def exact(self) -> bool:
        """Every die found with its value, and nothing added."""
        return self.right == self.pieces and not self.false


@dataclass(frozen=True, slots=True)
class SourceScore:
    """One source's score.

    `found` and `right` are shares of the labelled dice; `exact`, `silent` (wrong without a
    doubt) and `needless` (doubted though exact) are shares of the photographs;
    `false_per_photo` is a mean; times are those of the reading alone.
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


def evaluate(
    folder: Path, split: str | None, recogniser: Recogniser, open_photo: OpenPhoto
) -> tuple[SourceScore, ...]:
    """Score every source of the folder, and after two or more of them all together.

    `split` takes only the photographs of that split, None takes all; sources without any
    are left out. `open_photo` decodes a photograph, upright and blue-green-red.

    Raises:
        LabelError: there are no labels, one cannot be read, or a photograph is missing.
    """
    scored = [
        (source.name, scores)
        for source in read_sources(folder)
        if (scores := score_photos(source, split, recogniser, open_photo))
    ]
    if not scored:
        raise LabelError(f"{folder} holds no photographs of the split {split}; name another one.")
    rows = [summarise(name, scores) for name, scores in scored]
    if len(rows) > 1:
        rows.append(summarise(TOGETHER, [each for _, scores in scored for each in scores]))
    return tuple(rows)


def score_photos(
    source: Source, split: str | None, recogniser: Recogniser, open_photo: OpenPhoto
) -> list[PhotoScore]:
    """Read and score the photographs of one source."""
    chosen = [each for each in source.photographs if split is None or each.split == split]
    return [_read(photograph, recogniser, open_photo) for photograph in chosen]


def _read(
    photograph: LabelledPhotograph, recogniser: Recogniser, open_photo: OpenPhoto
) -> PhotoScore:
    if not photograph.path.is_file():
        raise LabelError(f"{photograph.path} is missing though a label names it.")
    frame = Frame(0, datetime.now(UTC), open_photo(photograph.path))
    start = time.perf_counter()
    observation = recogniser(frame)
    return score(photograph, observation, (time.perf_counter() - start) * 1000)


def score(
    photograph: LabelledPhotograph, observation: Observation, milliseconds: float
) -> PhotoScore:
    """Score one observation against the photograph's label."""
    matches = match(photograph.dice, observation.detections, whole=photograph.whole)
    real = [die for die in photograph.dice if not die.symbol]
    pairs = [(photograph.dice[die], observation.detections[seen]) for die, seen in matches]
    found = [(die, seen) for die, seen in pairs if not die.symbol]
    return PhotoScore(
        pieces=len(real),
        found=len(found),
        right=sum(seen.label == str(die.value) for die, seen in found),
        false=len(observation.detections) - len(pairs),
        needs_review=observation.needs_review,
        milliseconds=milliseconds,
    )


def match(
    dice: Sequence[LabelledDie], detections: Sequence[Detection], *, whole: bool
) -> list[tuple[int, int]]:
    """Pair labelled dice with detections, closest first and one to one, as index pairs.

    Whole dice belong together when their centres are less than half the die's shorter side
    apart; a label of the top face alone, when its centre lies in the detection's box.
    """
    belongs = _near if whole else _holds
    candidates = sorted(
        (_distance(die.box, seen.box), row, column)
        for row, die in enumerate(dice)
        for column, seen in enumerate(detections)
        if belongs(die.box, seen.box)
    )
    return _one_to_one(candidates)


def _one_to_one(candidates: Iterable[tuple[float, int, int]]) -> list[tuple[int, int]]:
    rows: set[int] = set()
    columns: set[int] = set()
    pairs = []
    for _, row, column in candidates:
        if row not in rows and column not in columns:
            rows.add(row)
            columns.add(column)
            pairs.append((row, column))
    return pairs


def _centre(box: Box) -> tuple[float, float]:
    left, top, right, bottom = box
    return (left + right) / 2, (top + bottom) / 2


def _distance(one: Box, other: Box) -> float:
    (x, y), (other_x, other_y) = _centre(one), _centre(other)
    return float(((x - other_x) ** 2 + (y - other_y) ** 2) ** 0.5)


def _near(die: Box, seen: Box) -> bool:
    left, top, right, bottom = die
    return _distance(die, seen) < min(right - left, bottom - top) / 2


def _holds(die: Box, seen: Box) -> bool:
    x, y = _centre(die)
    left, top, right, bottom = seen
    return left <= x <= right and top <= y <= bottom


def summarise(source: str, scores: Sequence[PhotoScore]) -> SourceScore:
    """Add up one source's photographs; there is at least one."""
    totals: Counter[str] = Counter()
    for each in scores:
        totals.update(pieces=each.pieces, found=each.found, right=each.right, false=each.false)
    times = [each.milliseconds for each in scores]
    pieces = totals["pieces"]
    return SourceScore(
        source=source,
        photos=len(scores),
        pieces=pieces,
        found=totals["found"] / pieces if pieces else 1.0,
        right=totals["right"] / pieces if pieces else 1.0,
        false_per_photo=totals["false"] / len(scores),
        exact=_share(each.exact for each in scores),
        silent=_share(not each.exact and not each.needs_review for each in scores),
        needless=_share(each.exact and each.needs_review for each in scores),
        median_milliseconds=median(times),
        p95_milliseconds=quantiles(times, n=20, method="inclusive")[-1] if times[1:] else times[0],
    )


def _share(truths: Iterable[bool]) -> float:
    listed = list(truths)
    return sum(listed) / len(listed)
