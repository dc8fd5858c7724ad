"""How far a reader's confidence may be believed: calibration, ranking and their tables.

Pure arithmetic on pairs of a confidence (0 to 1) and whether the reading was right.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import groupby, pairwise
from operator import itemgetter
from statistics import fmean
from typing import Final

BINS: Final = 15
BARS: Final = 20

Judged = tuple[float, bool]
_Shared = tuple[float, float]


@dataclass(frozen=True, slots=True)
class Bin:
    """Readings of similar confidence: how many, from where to where, and what came of them.

    `confidence` is their mean confidence, `right` the share of them that was right.
    """

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
    """What the confidences of some readings are worth.

    `calibration_error` is the expected one over the bins, `auroc` the chance that a right
    reading has the higher confidence than a wrong one, None unless there are both.
    """

    calibration_error: float
    auroc: float | None
    bins: tuple[Bin, ...]
    bars: tuple[Bar, ...]


def reliability(judged: Sequence[Judged]) -> Reliability:
    """Sum up readings by confidence; their order is of no matter, and none at all is no error."""
    bins = equal_mass_bins(judged)
    return Reliability(calibration_error(bins), auroc(judged), bins, histogram(judged))


def equal_mass_bins(judged: Sequence[Judged], most: int = BINS) -> tuple[Bin, ...]:
    """Sort by confidence and cut into at most that many bins, as equal in number as can be.

    A cut through readings of one confidence takes the same share of right ones to both
    sides, so that no order among them tells (adaptive binning: Nguyen and O'Connor 2015).
    """
    shared = _shared(judged)
    count = min(most, len(shared))
    cuts = [len(shared) * each // count for each in range(count + 1)] if count else []
    return tuple(_bin(shared[first:last]) for first, last in pairwise(cuts))


def _shared(judged: Iterable[Judged]) -> list[_Shared]:
    """Give every reading the share of right ones among those of its confidence; ascending."""
    shared: list[_Shared] = []
    for confidence, group in groupby(sorted(judged), key=itemgetter(0)):
        right = [each for _, each in group]
        shared += [(confidence, fmean(right))] * len(right)
    return shared


def _bin(shared: Sequence[_Shared]) -> Bin:
    confidences = [confidence for confidence, _ in shared]
    return Bin(
        readings=len(shared),
        least=confidences[0],
        most=confidences[-1],
        confidence=fmean(confidences),
        right=fmean(right for _, right in shared),
    )


def calibration_error(bins: Iterable[Bin]) -> float:
    """The mean gap between confidence and share of right readings, weighed by the readings.

    Expected calibration error (Guo et al. 2017), 0 to 1; without bins it is 0.
    """
    listed = list(bins)
    readings = sum(each.readings for each in listed)
    gaps = sum(each.readings * abs(each.confidence - each.right) for each in listed)
    return gaps / readings if readings else 0.0


def auroc(judged: Iterable[Judged]) -> float | None:
    """The chance that a right reading has the higher confidence than a wrong one; ties count half.

    The area under the receiver's curve as Mann and Whitney's U; None unless there are both.
    """
    right, wrong = _apart(judged)
    if not right or not wrong:
        return None
    twice = sum(bisect_left(wrong, each) + bisect_right(wrong, each) for each in right)
    return twice / (2 * len(right) * len(wrong))


def histogram(judged: Iterable[Judged], bars: int = BARS) -> tuple[Bar, ...]:
    """Count right and wrong readings in that many equal steps of confidence; 1 is in the last."""
    right, wrong = _apart(judged)
    edges = [each / bars for each in range(bars + 1)]
    return tuple(
        Bar(least, most, _between(right, least, most), _between(wrong, least, most))
        for least, most in pairwise(edges)
    )


def _between(ascending: Sequence[float], least: float, most: float) -> int:
    after = bisect_right if most >= 1 else bisect_left
    return after(ascending, most) - bisect_left(ascending, least)


def _apart(judged: Iterable[Judged]) -> tuple[list[float], list[float]]:
    """The confidences of the right readings and those of the wrong ones, ascending."""
    listed = sorted(judged)
    right = [confidence for confidence, is_right in listed if is_right]
    wrong = [confidence for confidence, is_right in listed if not is_right]
    return right, wrong
