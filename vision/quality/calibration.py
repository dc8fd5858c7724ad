"""A camera's tray or play area, and a fingerprint of the picture at calibration.

The fingerprint later shows whether the camera moved. It compares the directions of edges on the
tray's rim and outside of it: they stay when the light changes, and neither dice nor hands in the
tray touch them.
"""

from __future__ import annotations

import base64
import tomllib
from dataclasses import dataclass, field, replace
from itertools import product
from typing import Final

import cv2
import numpy as np
import tomli_w
from numpy.typing import NDArray

from vision.capture.frame import Image, PlayArea, downscaled
from vision.errors import CalibrationError
from vision.quality.tray import Outline, TrayCorners

Edges = NDArray[np.float32]
Shift = NDArray[np.float64]

LONGER_SIDE: Final = 192
LEAST_EDGES: Final = 40.0  # pixels of clear edge in a quarter of the picture
_SEEN: Final = 0.4
_INNER: Final = 0.9  # of the tray: further in may be dice and hands
_OUTER: Final = 1.1  # times the tray: further out is not its rim
_FAR: Final = 14  # pixels of the half-size picture that are searched first
_NEAR: Final = 4
_WEAK: Final = 2.5  # grey levels: weaker edges are noise
_NOISE: Final = 3.0  # times the usual slope of the picture


@dataclass(frozen=True, slots=True)
class Comparison:
    """A picture against a fingerprint.

    `shift` is the motion of camera or tray, as a share of the longer side, None if too little
    was found again; `seen` is the share of the known edges found again, `rim` that of the rim.
    """

    shift: float | None
    seen: float
    rim: float


@dataclass(frozen=True, slots=True, eq=False)
class Fingerprint:
    """A small grey copy of the calibrated picture; `str` writes it, `parse` reads it."""

    grey: Image
    outline: Outline
    around: Edges = field(init=False, repr=False)
    parts: tuple[_Part, ...] = field(init=False, repr=False)

    def __post_init__(self) -> None:
        edges = edges_of(self.grey)
        around = np.asarray(edges * (1.0 - _within(self.outline, edges.shape, _INNER)), np.float32)
        rim = np.asarray(around * _within(self.outline, edges.shape, _OUTER), np.float32)
        height, width = edges.shape[:2]
        rows = (slice(0, height // 2), slice(height // 2, height))
        columns = (slice(0, width // 2), slice(width // 2, width))
        parts = (_Part.of(around, rim, quarter) for quarter in product(rows, columns))
        object.__setattr__(self, "around", around)
        object.__setattr__(self, "parts", tuple(each for each in parts if each.known > LEAST_EDGES))

    @classmethod
    def of(cls, image: Image, outline: Outline) -> Fingerprint:
        """Take the fingerprint of a picture with that tray or play area."""
        return cls(_small(image), outline)

    @classmethod
    def parse(cls, text: str, outline: Outline) -> Fingerprint:
        """Read what `str` wrote. Raises ValueError: the text is no fingerprint."""
        packed = np.frombuffer(base64.b64decode(text, validate=True), np.uint8)
        grey = cv2.imdecode(packed, cv2.IMREAD_GRAYSCALE) if packed.size else None
        if grey is None or max(grey.shape) != LONGER_SIDE:
            raise ValueError("the fingerprint is damaged; calibrate the tray again")
        return cls(np.asarray(grey, np.uint8), outline)

    def __str__(self) -> str:
        """The small picture as JPEG in base64, about four thousand letters."""
        encoded = cv2.imencode(".jpg", self.grey, [cv2.IMWRITE_JPEG_QUALITY, 85])[1]
        return base64.b64encode(encoded.tobytes()).decode()

    def compared(self, image: Image) -> Comparison | None:
        """Compare a picture; None if the calibrated one had no edges around the tray.

        A play area has no rim, and its surroundings change: only the shift counts.
        """
        if not self.parts:
            return None
        has_rim = isinstance(self.outline, TrayCorners)
        now = _small(image)
        if now.shape != self.grey.shape:
            return Comparison(None, 0.0, 0.0) if has_rim else None
        edges = edges_of(now)
        far = _far_shift(self.around, edges)
        padded = _padded(edges, _NEAR + 2 * _FAR)
        found = [part.found_in(padded, far) for part in self.parts]
        shares = [share for _, share, _ in found]
        seen = float(np.mean(shares))
        known = sum(part.known_rim for part in self.parts)
        on_rim = sum(amount for _, _, amount in found)
        rim = seen if known < LEAST_EDGES else min(1.0, on_rim / known)
        lengths = sorted(float(np.hypot(*shift)) for shift, share, _ in found if share > _SEEN)
        if len(lengths) < min(2, len(found)):
            return Comparison(None, seen, rim) if has_rim else None
        # the second largest: one quarter alone may be deceived by a hand
        shift = lengths[-2 if len(lengths) > 1 else -1] / LONGER_SIDE
        return Comparison(shift, seen, rim) if has_rim else Comparison(shift, 1.0, 1.0)


@dataclass(frozen=True, slots=True, eq=False)
class _Part:
    """A quarter of the calibrated picture: its place, its edges, and their number."""

    top: int
    left: int
    edges: Edges
    rim: Edges
    known: float
    known_rim: float

    @classmethod
    def of(cls, around: Edges, rim: Edges, quarter: tuple[slice, slice]) -> _Part:
        edges, on_rim = np.ascontiguousarray(around[quarter]), np.ascontiguousarray(rim[quarter])
        amounts = (float(np.square(each).sum()) for each in (edges, on_rim))
        return cls(quarter[0].start, quarter[1].start, edges, on_rim, *amounts)

    def found_in(self, padded: Edges, far: Shift) -> tuple[Shift, float, float]:
        """Its shift, and the share and amount of rim found again, near the whole's shift."""
        height, width = self.edges.shape[:2]
        top = self.top + 2 * _FAR + round(far[1])  # `_NEAR` less than where it should be
        left = self.left + 2 * _FAR + round(far[0])
        searched = padded[top : top + height + 2 * _NEAR, left : left + width + 2 * _NEAR]
        shift, score = _best(self.edges, np.ascontiguousarray(searched), _NEAR)
        column, row = (shift.round().astype(int) + _NEAR).clip(0, 2 * _NEAR)
        there = searched[row : row + height, column : column + width]
        agreeing = np.maximum(np.einsum("ijk,ijk->ij", self.rim, there), 0.0)
        return far.round() + shift, min(1.0, score / self.known), float(agreeing.sum())


def edges_of(grey: Image) -> Edges:
    """At each pixel the direction of the edge there, of length 1 on a clear edge: H x W x 2."""
    smooth = cv2.GaussianBlur(grey, (0, 0), 1.2).astype(np.float32)
    across = cv2.Sobel(smooth, cv2.CV_32F, 1, 0, scale=0.25)
    down = cv2.Sobel(smooth, cv2.CV_32F, 0, 1, scale=0.25)
    slope = cv2.magnitude(across, down)
    weak = max(_WEAK, _NOISE * float(np.median(slope[::3, ::3])))
    clear = slope / (slope * slope + 0.25 * weak * weak)
    clear[slope < 0.5 * weak] = 0.0
    return np.asarray(np.dstack([across * clear, down * clear]), np.float32)


def _small(image: Image) -> Image:
    return np.asarray(cv2.cvtColor(downscaled(image, LONGER_SIDE), cv2.COLOR_BGR2GRAY), np.uint8)


def _within(outline: Outline, shape: tuple[int, ...], scale: float) -> Edges:
    """1 in the outline, scaled around its middle, and 0 outside of it."""
    points = np.array(outline.around) * np.array([shape[1], shape[0]])
    scaled = points.mean(axis=0) + scale * (points - points.mean(axis=0))
    mask = np.zeros((*shape[:2], 1), np.float32)
    cv2.fillPoly(mask, [scaled.round().astype(np.int32)], 1.0)
    return mask


def _far_shift(before: Edges, now: Edges) -> Shift:
    """The shift of the whole picture, to two pixels, right and down."""
    half = (before.shape[1] // 2, before.shape[0] // 2)
    template, searched = (
        np.asarray(cv2.resize(edges, half, interpolation=cv2.INTER_AREA), np.float32)
        for edges in (before, now)
    )
    return 2.0 * _best(template, _padded(searched, _FAR), _FAR)[0]


def _padded(edges: Edges, border: int) -> Edges:
    around = (border, border, border, border)
    return np.asarray(cv2.copyMakeBorder(edges, *around, cv2.BORDER_CONSTANT), np.float32)


def _best(template: Edges, searched: Edges, reach: int) -> tuple[Shift, float]:
    """The template's offset from the middle of the searched picture, and the match's quality."""
    scores = np.asarray(cv2.matchTemplate(searched, template, cv2.TM_CCORR), np.float32)
    _, score, _, (x, y) = cv2.minMaxLoc(scores)
    fine = np.array([_between(scores[y], x), _between(scores[:, x], y)])
    return np.array([x - reach, y - reach]) + fine, float(score)


def _between(scores: NDArray[np.float32], at: int) -> float:
    """The offset of the parabola's top from the highest score, within half a pixel."""
    if not 0 < at < len(scores) - 1:
        return 0.0
    before, here, after = (float(score) for score in scores[at - 1 : at + 2])
    bend = before - 2 * here + after
    return 0.5 * (before - after) / bend if bend < 0 else 0.0


_HEAD: Final = (
    "# Where the dice lie in the camera's picture, written by Tablescore's calibration.\n"
    "# `tablescore calibrate --clear` forgets it, and so does deleting this file.\n"
)
_DIGITS: Final = 5


@dataclass(frozen=True, slots=True)
class Calibration:
    """Where one camera looks; `camera` is its source as for --camera, "" the demo evening.

    `str` writes it as TOML, `parse` reads that.
    """

    camera: str
    outline: Outline
    fingerprint: Fingerprint = field(compare=False, repr=False)

    @classmethod
    def of(cls, camera: str, image: Image, outline: Outline) -> Calibration:
        """Calibrate with a picture in which the tray or the play area has that outline."""
        around = tuple((round(x, _DIGITS), round(y, _DIGITS)) for x, y in outline.around)
        exact = replace(outline, around=around)
        return cls(camera, exact, Fingerprint.of(image, exact))

    @classmethod
    def parse(cls, text: str) -> Calibration:
        """Raises CalibrationError: the text is no calibration."""
        try:
            document = tomllib.loads(text)
            is_area = "area" in document
            points = document["area" if is_area else "corners"]
            around = tuple((float(x), float(y)) for x, y in points)
            outline = (PlayArea if is_area else TrayCorners)(around)
            fingerprint = Fingerprint.parse(document["fingerprint"], outline)
            return cls(str(document["camera"]), outline, fingerprint)
        except (ValueError, KeyError, TypeError) as error:
            raise CalibrationError("This is no calibration of a tray; calibrate again.") from error

    def __str__(self) -> str:
        kind = "area" if isinstance(self.outline, PlayArea) else "corners"
        document = {
            "camera": self.camera,
            kind: self.outline.around,
            "fingerprint": str(self.fingerprint),
        }
        return f"{_HEAD}{tomli_w.dumps(document)}"
