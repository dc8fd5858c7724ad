"""The pieces of one photograph judged together: each tells the others what its light does."""

from __future__ import annotations

from typing import Final

import numpy as np

from vision.learn.descriptor import Figures
from vision.learn.prototypes import Likeness

_ROUNDS: Final = 3


def distances_together(figures: Figures, likeness: Likeness) -> Figures:
    """How far the crops of one photograph (N x D) lie from each face, N x F, as `distances` has it.

    What a piece shares with the others is taken off it: the mean of how far these lie from what
    they are taken for, as far as the set's photographs are known to drift. No piece has a say
    about itself, so one that lies there alone is judged as ever.
    """
    placed = likeness.placed(figures)
    apart = likeness.apart(placed, likeness.shared)
    for _ in range(_ROUNDS if len(placed) > 1 else 0):
        apart = _without_drift(placed, apart, likeness)
    return apart


def _without_drift(placed: Figures, apart: Figures, likeness: Likeness) -> Figures:
    """The distances once more, by what the last ones tell of the drift."""
    nearest = np.sort(apart, axis=1)
    says = 1 - nearest[:, 0] / np.maximum(nearest[:, 1], 1e-9)  # the doubtful have little to say
    astray = (placed - likeness.prototypes[apart.argmin(axis=1)]) * says[:, None]
    known = likeness.shared / (1 + (says.sum() - says)[:, None] * likeness.shared)
    drift = (astray.sum(axis=0) - astray) * known
    rows = zip(placed - drift, known, strict=True)
    return np.concatenate([likeness.apart(place[None], doubt) for place, doubt in rows])
