"""From which figures on to believe and to ask, chosen on scenes that were left out of training."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import groupby
from typing import Final

from vision.evaluate.scoring import ScoredSource
from vision.train.threshold_search import Thresholds, loss, searched
from vision.train.tiles.calibration import Calibration
from vision.train.tiles.cross_validation import SeenPhotograph

FIRST: Final[Mapping[str, float]] = {
    "candidate": 0.12,
    "present": 0.4,
    "absent": 0.25,
    "sure": 0.6,
    "readable": 0.25,
    "smallest_pixels": 12.0,
    "smallest_share": 0.012,
}
_CHOICES: Final[Mapping[str, tuple[float, ...]]] = {
    "present": (0.2, 0.3, 0.4, 0.5, 0.6, 0.7),
    "absent": (0.1, 0.15, 0.2, 0.3, 0.4, 0.5),
    "sure": (0.5, 0.55, 0.6, 0.65, 0.7, 0.75, 0.8, 0.85, 0.9, 0.95),
}
MOST_NEEDLESS: Final = 0.08


def chosen(seen: Sequence[SeenPhotograph], calibration: Calibration) -> Thresholds:
    """Choose what loses the players least."""

    def cost(thresholds: Thresholds) -> float:
        rows = [each.row for each in score_by_scene(seen, calibration, thresholds)]
        return loss(rows, MOST_NEEDLESS)

    return searched(FIRST, _CHOICES, cost)


def score_by_scene(
    seen: Sequence[SeenPhotograph], calibration: Calibration, thresholds: Mapping[str, float]
) -> list[ScoredSource]:
    """Score every scene under these thresholds."""
    limits = calibration.limits(dict(thresholds))
    by_scene = groupby(sorted(seen, key=_scene), key=_scene)
    return [
        ScoredSource(scene, tuple(each.score(limits) for each in photographs))
        for scene, photographs in by_scene
    ]


def _scene(seen: SeenPhotograph) -> str:
    return seen.photograph.scene
