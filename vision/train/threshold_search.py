"""Choosing several thresholds together, one after the other."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from statistics import fmean
from typing import Final

from vision.evaluate.scoring import SourceScore

_ROUNDS: Final = 2
Thresholds = dict[str, float]


def searched(
    first: Mapping[str, float],
    choices: Mapping[str, tuple[float, ...]],
    cost: Callable[[Thresholds], float],
) -> Thresholds:
    """Choose one threshold after the other where the cost is least, and all of them once more."""
    best = dict(first)
    for _ in range(_ROUNDS):
        for name, values in choices.items():
            best = min((best | {name: value} for value in values), key=cost)
    return best


def loss(rows: Sequence[SourceScore], most_needless: float) -> float:
    """What a player loses: a silent error most, and by the source that fares worst, questions."""
    silent = fmean(row.silent for row in rows)
    wrong = fmean(2 - row.right - row.exact for row in rows)
    needless = fmean(row.needless for row in rows)
    too_many = sum(max(0.0, row.needless - most_needless) for row in rows)
    return 4 * silent + wrong + 0.5 * needless + 2 * too_many
