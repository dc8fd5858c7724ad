"""The colours of tiles, weighed against each other.

White balance differs more between photographs than the four inks do within one: what the reader
says of each tile alone is weighed against how like the other tiles' inks this one is (a mixture
of four Gaussians fitted by expectation and maximisation, Dempster et al. 1977, whose means start
from what the reader says).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

import numpy as np
from numpy.typing import NDArray

from vision.read.tiles.face_reader import TileReading

Figures = NDArray[np.float64]

# Measured on rendered tiles and on the training photographs, in the order of COLOURS: how much
# darker ink is than face (logarithms of blue, green, red), and how far that strays in a picture.
_MEANS: Final = np.array(
    [(-1.79, -1.61, -1.48), (-1.24, -1.33, -0.20), (-0.31, -0.77, -1.89), (-1.09, -0.44, -0.07)]
)
_STRAYING: Final = np.array([(0.063, 0.036, 0.020), (0.036, 0.045, 0.023), (0.020, 0.023, 0.058)])

_FEWEST: Final = 5  # tiles: fewer tell nothing about each other
_WEIGHT: Final = 0.15  # of the likeness beside the reader's word: both look at the same pixels
_KNOWN: Final = 1.0  # so many tiles weigh as much as what is known of inks beforehand
_ROUNDS: Final = 5
_FLOOR: Final = 1e-4
_LEGIBLE: Final = 0.5


def compared(readings: Sequence[TileReading]) -> list[TileReading]:
    """The same readings, their colours weighed against each other; too few are left as they are."""
    coloured = [at for at, each in enumerate(readings) if _counts(each)]
    if len(coloured) < _FEWEST:
        return [*readings]
    said = np.array([readings[at].inks for at in coloured]) + _FLOOR
    inks = np.array([readings[at].ink for at in coloured])
    weighed = dict(zip(coloured, _weighed(inks, said), strict=True))
    return [
        replace(each, inks=tuple(weighed[at].tolist())) if at in weighed else each
        for at, each in enumerate(readings)
    ]


def _counts(reading: TileReading) -> bool:
    """Whether a number can be read on it: a joker's picture may have inks of its own."""
    return reading.present >= _LEGIBLE and max(reading.kinds[1:-1]) >= _LEGIBLE


def _weighed(inks: Figures, said: Figures) -> Figures:
    """The chances of four colours for N inks, N x 4, from what the reader said of each alone."""
    precision = np.linalg.inv(_STRAYING)
    chances = said / said.sum(axis=1, keepdims=True)
    for _ in range(_ROUNDS):
        away = inks[:, None] - _means(inks, chances)
        unlike = np.einsum("nci,ij,ncj->nc", away, precision, away) / 2
        odds = np.log(said) - _WEIGHT * unlike
        chances = np.exp(odds - odds.max(axis=1, keepdims=True))
        chances /= chances.sum(axis=1, keepdims=True)
    return np.asarray(chances)


def _means(inks: Figures, chances: Figures) -> Figures:
    """Where the picture's four inks lie, 4 x 3: all shifted by its light, each by its own tiles."""
    away = inks[:, None] - _MEANS
    shift = np.einsum("nc,nci->i", chances, away) / (chances.sum() + 2 * _KNOWN)
    count = chances.sum(axis=0)[:, None]
    return np.asarray((chances.T @ inks + _KNOWN * (_MEANS + shift)) / (count + _KNOWN))
