"""Reads the QR code of a result slip in a blurred photograph: its place and size are known.

    text = restored_code(grey)   # grey shows SURROUNDINGS, SCALE pixels a millimetre

What every code shows, its finders above all, reveals its position and the phone's motion.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from itertools import product
from typing import Any, Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.capture.frame import Image
from vision.read.slip_layout import QR_AREA, QR_MODULES, Area

_FINE: Final = 5  # pixels a module
_RIM: Final = 4  # modules of white paper around the code; two belong to QR_AREA
_MODULE: Final = QR_AREA.width / (QR_MODULES + 4)
_MARGIN: Final = (_RIM - 1) * _MODULE  # the code may be a module off its place
SCALE: Final = _FINE / _MODULE
_SIDE: Final = QR_AREA.width + 2 * _MARGIN
SURROUNDINGS: Final = Area(QR_AREA.x - _MARGIN, QR_AREA.y - _MARGIN, _SIDE, _SIDE)
_REACHES: Final = (0.35, 0.6, 0.85, 1.1, 1.4)  # modules that the phone moved to both sides
_TURNS: Final = 12
_SOFT: Final = (0.25, 0.5)  # modules of a lens out of focus
_KERNELS_TRIED: Final = 3
_STEPS: Final = 120

Plane = NDArray[np.float32]
Blur = Callable[[Plane], NDArray[Any]]


def restored_code(grey: Image) -> str:
    """The code's text; empty if it can't be made out.

    Its modules are the values from 0 to 1 that, blurred like the finders, best match the photo
    (projected gradients; Nesterov, 1983).
    """
    known = _known_modules()
    is_known = ~np.isnan(known)
    guess = np.nan_to_num(known, nan=0.5)
    drawn, certain = _drawn(guess), _drawn(is_known)
    seen = _in_place(255 - grey.astype(np.float32), drawn, certain > 0)
    fits = sorted((_fit(seen, blur, drawn, certain) for blur in _blurs()), key=lambda fit: fit[0])
    for _, blur, gain, dark in fits[:_KERNELS_TRIED]:
        wanted = (seen - dark) / gain
        modules = ahead = guess
        for step in range(_STEPS):
            off = blur(blur(_drawn(ahead)) - wanted)
            off = cv2.resize(off, None, fx=1 / _FINE, fy=1 / _FINE, interpolation=cv2.INTER_AREA)
            better = np.where(is_known, guess, np.clip(ahead - 1.5 * off, 0, 1))
            ahead = better + step / (step + 3) * (better - modules)
            modules = better
        picture = np.where(_drawn(np.round(modules)) > 0, 0, 255).astype(np.uint8)
        text, *_ = cv2.QRCodeDetector().detectAndDecode(picture)
        if text:
            return text
    return ""


def _known_modules() -> Plane:
    """The modules common to all codes: 1 dark, 0 light, else not a number; the rim included."""
    modules = np.full((QR_MODULES, QR_MODULES), np.nan, np.float32)
    modules[6] = modules[:, 6] = 1 - np.arange(QR_MODULES) % 2
    far, near = (np.abs(np.mgrid[:side, :side] - side // 2).max(0) for side in (7, 5))
    finder = np.pad(far != 2, ((0, 1), (0, 1)))  # noqa: PLR2004 -- the second ring is light
    modules[:8, :8], modules[:8, -8:], modules[-8:, :8] = finder, finder[:, ::-1], finder[::-1]
    modules[16:21, 16:21] = near != 1
    return np.pad(modules, _RIM)


def _drawn(modules: NDArray[Any]) -> Plane:
    return np.kron(modules, np.ones((_FINE, _FINE), np.float32)).astype(np.float32)


def _in_place(ink: Plane, drawn: Plane, where: NDArray[np.bool_]) -> Plane:
    """The part of `ink` where the known modules are, in their drawn layout."""
    soft = cv2.GaussianBlur(drawn, (0, 0), _FINE / 2)
    shape = np.where(where, soft - soft[where].mean(), 0).astype(np.float32)
    _, _, _, (left, top) = cv2.minMaxLoc(cv2.matchTemplate(ink, shape, cv2.TM_CCORR))
    return ink[top : top + drawn.shape[0], left : left + drawn.shape[1]]


def _blurs() -> Iterator[Blur]:
    """The blurs of a moving phone with a lens out of focus."""
    middle = round((max(_REACHES) + 2 * max(_SOFT)) * _FINE)
    rows, columns = np.mgrid[-middle : middle + 1, -middle : middle + 1][..., None]
    for reach, turn in [(0.0, 0), *product(_REACHES, range(_TURNS))]:
        along = np.linspace(-reach, reach, 41) * _FINE
        angle = np.pi * turn / _TURNS
        down = np.clip(1 - np.abs(rows - along * np.sin(angle)), 0, 1)
        across = np.clip(1 - np.abs(columns - along * np.cos(angle)), 0, 1)
        moved = (down * across).mean(-1).astype(np.float32)
        for soft in _SOFT:
            kernel = cv2.GaussianBlur(moved, (0, 0), soft * _FINE)
            yield partial(cv2.filter2D, ddepth=-1, kernel=kernel, borderType=cv2.BORDER_REPLICATE)


def _fit(seen: Plane, blur: Blur, drawn: Plane, certain: Plane) -> tuple[float, Blur, float, float]:
    """The misfit of the known modules under this blur, and how dark dark is."""
    where = blur(certain) > 0.98  # noqa: PLR2004 -- nothing else reaches there
    expected = np.column_stack([blur(drawn)[where], np.ones(where.sum())])
    (gain, dark), *_ = np.linalg.lstsq(expected, seen[where])
    gain = max(gain, 1.0)
    return float(np.std(expected @ (gain, dark) - seen[where])) / gain, blur, gain, dark
