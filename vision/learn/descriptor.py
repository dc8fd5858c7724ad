"""A piece's crop as figures that other light, another white balance or a soft lens hardly change.

The print is described by the ways in which its edges run, cell by cell, each cell beside those
around it (after Dalal and Triggs, "Histograms of Oriented Gradients for Human Detection", 2005),
in the logarithm of the light, where a gain is only a sum. Its colours are told apart from the
piece's own commonest part, so that paper under a yellow lamp is paper still.
"""

from __future__ import annotations

from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.capture.frame import Image

Figures = NDArray[np.float32]

_TOE: Final = 0.05  # of full white: in the logarithm, noise would fill what is darker
_SOFT: Final = 0.8  # pixels of blur, and for colours
_SOFT_COLOUR: Final = 1.0
_CELL: Final = 4  # pixels
_WAYS: Final = 8
_AROUND: Final = 2.0  # cells
_FAINT: Final = 0.25  # of a piece's mean edge: what is fainter is not raised to full strength
_COLOUR_CELL: Final = 6
_COMMONEST: Final = (35, 65)  # percentiles of lightness between which most of a piece lies
_GREY: Final = 0.05  # a piece whose colours differ less has none


def describe(crops: Image) -> Figures:
    """The figures of crops (N x height x width x 3), N x D."""
    return np.stack([_figures(crop) for crop in crops])


def _figures(crop: Image) -> Figures:
    shown = np.asarray(crop, np.float32) / np.float32(255)
    edges, colours = _edges(shown), _colours(shown)
    # both weigh the same, however many cells they have
    edges /= max(float(edges.std()), 1e-6) * edges.size**0.5
    return np.concatenate([edges, colours]).astype(np.float32)


def _edges(shown: Figures) -> Figures:
    """How strongly edges run in each of eight ways in each cell, beside the cells around it."""
    strength, way = _gradient(np.log(cv2.GaussianBlur(shown, (0, 0), _SOFT) + _TOE))
    ways = [_in_cells(strength * _share(way, number)) for number in range(_WAYS)]
    cells = np.stack(ways, axis=2)
    whole = np.sqrt((cells**2).sum(axis=2))
    beside = cv2.GaussianBlur(whole, (0, 0), _AROUND) + _FAINT * whole.mean() + 1e-4
    return np.asarray(np.sqrt(np.maximum(cells / beside[..., None], 0)).ravel(), np.float32)


def _gradient(light: Figures) -> tuple[Figures, Figures]:
    """The steepest of the three colours' slopes at each pixel: how steep, and which way (0 to 8).

    Yellow on white is an edge in blue alone.
    """
    across, down = (
        cv2.Sobel(light, cv2.CV_32F, dx, 1 - dx, scale=1 / 8).reshape(-1, 3) for dx in (1, 0)
    )
    steep = np.hypot(across, down)
    rows, best = np.arange(len(steep)), steep.argmax(axis=1)
    way = np.arctan2(down[rows, best], across[rows, best]) % np.pi * (_WAYS / np.pi)
    size = light.shape[:2]
    return steep[rows, best].reshape(size), way.astype(np.float32).reshape(size)


def _share(way: Figures, number: int) -> Figures:
    """How much of an edge belongs to one of the ways: all on it, none from the next one on."""
    off = np.abs(way - np.float32(number))
    return np.asarray(np.maximum(1 - np.minimum(off, _WAYS - off), 0), np.float32)


def _in_cells(plane: Figures) -> Figures:
    """Each cell's mean, with a little of its neighbours': a small shift changes little."""
    height, width = (max(2, round(side / _CELL)) for side in plane.shape)
    soft = cv2.GaussianBlur(np.ascontiguousarray(plane), (0, 0), _CELL / 2)
    cells = cv2.resize(soft, (width, height), interpolation=cv2.INTER_AREA)
    return np.asarray(cells, np.float32)


def _colours(shown: Figures) -> Figures:
    """The two colour contrasts to the piece's commonest part, cell by cell, whatever their size.

    Last come those of that part itself, as they are: papers may differ, though lamps do too.
    """
    light = np.log(cv2.GaussianBlur(shown, (0, 0), _SOFT_COLOUR) + _TOE)
    blue, green, red = cv2.split(light)
    contrast = np.stack([red - green, blue - (red + green) / 2], axis=2)
    whole = light.mean(axis=2)
    low, high = np.percentile(whole, _COMMONEST)
    paper = np.median(contrast[(whole >= low) & (whole <= high)], axis=0)
    height, width = (max(2, side // _COLOUR_CELL) for side in whole.shape)
    cells = cv2.resize(contrast - paper, (width, height), interpolation=cv2.INTER_AREA)
    size = np.sqrt((cells**2).sum(axis=2).mean())
    beside = np.asarray(cells / (size + _GREY), np.float32).ravel() / cells.size**0.5
    return np.concatenate([beside, paper]).astype(np.float32)
