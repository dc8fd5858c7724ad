"""Fitting what turns a network's figures into probabilities.

After Guo et al., "On Calibration of Modern Neural Networks" (2017), and Platt (1999).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

_TEMPERATURES: Final = np.exp(np.linspace(np.log(0.4), np.log(2.5), 60))
_NEWTON_STEPS: Final = 40


def even_weights(sources: Sequence[str]) -> Floats:
    """Weights under which every source counts the same, 1 in the mean."""
    counts = Counter(sources)
    return np.array([1 / counts[each] for each in sources]) * len(sources) / len(counts)


def temperature(chances: Floats, truths: NDArray[np.int64], weights: Floats) -> float:
    """The temperature at which N x C probabilities make the N truths likeliest."""

    def loss(tried: float) -> float:
        right = at_temperature(chances, tried)[np.arange(len(truths)), truths]
        return float(-(np.log(right + 1e-9) * weights).mean())

    best = _TEMPERATURES[int(np.argmin([loss(each) for each in _TEMPERATURES]))]
    return round(float(best), 3)


def at_temperature(chances: Floats, temperature: float) -> Floats:
    """The N x C probabilities that the same logits give at another temperature."""
    softer = np.maximum(chances, 1e-9) ** (1 / temperature)
    return np.asarray(softer / softer.sum(axis=1, keepdims=True))


def logistic(inputs: Floats, outcomes: NDArray[np.bool_], weights: Floats) -> tuple[float, ...]:
    """Fit a logistic regression by Newton's steps: the bias, then a weight for each input."""
    columns = np.hstack([np.ones((len(inputs), 1)), inputs])
    found = np.zeros(columns.shape[1])
    for _ in range(_NEWTON_STEPS):
        chance = 1 / (1 + np.exp(-columns @ found))
        steepness = (chance * (1 - chance) * weights)[:, None]
        curvature = (columns * steepness).T @ columns + 0.1 * np.eye(columns.shape[1])
        slope = columns.T @ (weights * (outcomes - chance)) - 0.1 * found
        found += np.linalg.solve(curvature, slope)
    return tuple(round(float(each), 3) for each in found)


def logit(chances: Floats) -> Floats:
    """Give the logarithm of the odds, kept finite."""
    kept = np.clip(chances, 1e-4, 1 - 1e-4)
    return np.asarray(np.log(kept / (1 - kept)))
