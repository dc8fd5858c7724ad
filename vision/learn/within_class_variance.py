"""How photographs of the same face differ: what a photograph does to all its pieces, and the rest.

A yellow lamp or a soft lens shifts all pieces of a photograph alike; a corner found a little off
shifts one. The two are told apart as speech from its telephone line is (after Kenny, Boulianne,
Ouellet and Dumouchel, "Joint Factor Analysis Versus Eigenchannels in Speaker Recognition", 2007).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

Table = NDArray[np.float64]
_SHRINKAGE: Final = 0.05  # of the mean variance, added to every axis: few pieces lie about spread


@dataclass(frozen=True, slots=True, eq=False)
class WithinClassVariance:
    """How pieces stray from their face's mean, in K directions.

    Along the columns of `whitening` (K x K) what is a piece's own has variance 1 and is
    independent; `shared` (K) are the variances of what all pieces of a photograph share.
    """

    whitening: Table
    shared: Table


def within_class_variance(astray: Table, photograph: NDArray[np.int64]) -> WithinClassVariance:
    """The scatter of pieces (N x K, off their faces' means), each of a numbered photograph."""
    _, number, counts = np.unique(photograph, return_inverse=True, return_counts=True)
    sums = np.zeros((len(counts), astray.shape[1]))
    np.add.at(sums, number.ravel(), astray)
    drifts = sums / counts[:, None]
    rest = astray - drifts[number.ravel()]
    own = rest.T @ rest / max(len(astray) - len(counts), 1)
    whitening = _whitening(own)
    return _turned(whitening, drifts @ whitening, float((1 / counts).mean()))


def _turned(whitening: Table, drifts: Table, noise: float) -> WithinClassVariance:
    """The whitening turned so that the drifts are independent, too; noise is what they owe to it.

    Whitening leaves pieces' own scatter round: turning it changes nothing about that.
    """
    variances, turn = np.linalg.eigh(drifts.T @ drifts / len(drifts))
    return WithinClassVariance(whitening @ turn, np.maximum(variances - noise, 0))


def _whitening(own: Table) -> Table:
    """What makes that scatter (K x K), shrunk a little, the same in every direction."""
    shrunk = own + _SHRINKAGE * np.trace(own) / len(own) * np.eye(len(own))
    return np.asarray(np.linalg.inv(np.linalg.cholesky(shrunk)).T)
