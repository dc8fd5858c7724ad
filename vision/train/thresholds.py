"""From which figures on to believe and to ask, chosen on sources that were left out of training."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import groupby
from operator import attrgetter
from typing import Final

from vision.evaluate.scoring import ScoredSource
from vision.train.calibration import Calibration
from vision.train.cross_validation import SeenPhotograph
from vision.train.threshold_search import Thresholds, loss, searched

FIRST: Final[Mapping[str, float]] = {
    "candidate": 0.1,
    "present": 0.2,
    "absent": 0.1,
    "sure": 0.6,
    "readable": 0.25,  # not chosen: hiding right guesses would make their questions look needed
    "leaning": 0.7,
    "cocked": 0.85,
    "smallest_pixels": 11.0,
    "smallest_share": 0.0135,
}
_CHOICES: Final[Mapping[str, tuple[float, ...]]] = {
    "present": (0.2, 0.25, 0.3, 0.35, 0.4, 0.45, 0.5),
    "absent": (0.05, 0.1, 0.15, 0.2, 0.25, 0.3, 0.4),
    "sure": (0.5, 0.55, 0.6, 0.65, 0.7, 0.75, 0.8, 0.85, 0.9, 0.95),
    "leaning": (0.5, 0.6, 0.7, 0.8, 0.9),
}
MOST_NEEDLESS: Final = 0.05


def chosen(seen: Sequence[SeenPhotograph], calibration: Calibration) -> Thresholds:
    """Choose what loses the players least."""

    def cost(thresholds: Thresholds) -> float:
        rows = [each.row for each in score_by_source(seen, calibration, thresholds)]
        return loss(rows, MOST_NEEDLESS)

    return searched(FIRST, _CHOICES, cost)


def score_by_source(
    seen: Sequence[SeenPhotograph], calibration: Calibration, thresholds: Mapping[str, float]
) -> list[ScoredSource]:
    """Score every source under these thresholds."""
    limits = calibration.limits(dict(thresholds))
    by_source = groupby(sorted(seen, key=attrgetter("source")), key=attrgetter("source"))
    return [
        ScoredSource(source, tuple(each.score(limits) for each in photographs))
        for source, photographs in by_source
    ]
