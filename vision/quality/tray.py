"""The tray: its corners, tapped or found in a picture, and the tray seen from straight above."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from scoreboard.message import message
from vision.capture.frame import (
    Frame,
    Image,
    PlayArea,
    Point,
    clockwise,
    downscaled,
    refuse_misplaced,
)
from vision.errors import TrayError

CORNERS: Final = 4
LEAST_AREA: Final = 0.02
LEAST_SIDE: Final = 0.05


@dataclass(frozen=True, slots=True)
class TrayCorners:
    """A tray; `around` are its four corners in the picture, as in a play area, from the top left.

    Raises ValueError: one is outside of the picture, or they are not clockwise around a tray.
    """

    around: tuple[Point, ...]

    def __post_init__(self) -> None:
        if not all(0 <= share <= 1 for point in self.around for share in point):
            raise ValueError("the tray's corners are shares of the picture, from 0 to 1")
        if len(self.around) != CORNERS or not all(turn > 0 for turn in _turns(self.around)):
            raise ValueError("the tray's corners must go clockwise around it, from the top left")

    @classmethod
    def around_taps(cls, taps: Sequence[Point]) -> TrayCorners:
        """The tray of four taps in any order. Raises TrayError: they cannot be a tray's."""
        if len(taps) != CORNERS:
            raise TrayError(message("Tap all four corners of the tray, one after the other."))
        refuse_misplaced(taps, LEAST_SIDE)
        around = clockwise(taps)
        if not all(turn > 0 for turn in _turns(around)):
            raise TrayError(
                message("One corner lies between the others: a tray’s corners stick out.")
            )
        # The share of the picture inside
        if float(cv2.contourArea(np.array(around, np.float32))) < LEAST_AREA:
            raise TrayError(message("That is too small for a tray: take the camera nearer."))
        return cls(around)


Outline = TrayCorners | PlayArea


def narrowed(frame: Frame, outline: Outline | None) -> Frame:
    """The frame for a reader: the tray alone, or with its play area."""
    if isinstance(outline, TrayCorners):
        return replace(frame, image=rectify(frame.image, outline))
    return frame if outline is None else replace(frame, area=outline)


def rectify(image: Image, corners: TrayCorners, most: int | None = None) -> Image:
    """The tray alone, as a rectangle with the mean lengths of its sides.

    With `most` it is shrunk so that no side has more pixels than that.
    """
    matrix, (width, height) = homography(corners, (image.shape[1], image.shape[0]))
    if most is not None and max(width, height) > most:
        scale = most / max(width, height)
        small = max(1, round(width * scale)), max(1, round(height * scale))
        matrix = np.diag([small[0] / width, small[1] / height, 1.0]) @ matrix
        width, height = small
    warped = cv2.warpPerspective(image, matrix, (width, height), flags=cv2.INTER_LINEAR)
    return np.asarray(warped, np.uint8)


def homography(
    corners: TrayCorners, size: tuple[int, int]
) -> tuple[NDArray[np.float64], tuple[int, int]]:
    """The 3 x 3 matrix from a picture of `size` to the tray's own rectangle, and its size."""
    points = np.array(corners.around) * np.array(size)
    top, right, bottom, left = np.linalg.norm(np.roll(points, -1, axis=0) - points, axis=1)
    width, height = max(1, round((top + bottom) / 2)), max(1, round((left + right) / 2))
    target = np.array([(0, 0), (width, 0), (width, height), (0, height)], np.float32)
    matrix = cv2.getPerspectiveTransform(points.astype(np.float32), target)
    return np.asarray(matrix, np.float64), (width, height)


def _turns(around: tuple[Point, ...]) -> list[float]:
    """At each corner the cross product of its sides: above 0 turns clockwise on a screen."""
    points = np.array(around)
    sides = np.roll(points, -1, axis=0) - points
    following = np.roll(sides, -1, axis=0)
    return list(sides[:, 0] * following[:, 1] - sides[:, 1] * following[:, 0])


Quad = NDArray[np.float32]
Mask = NDArray[np.uint8]
Slopes = NDArray[np.float32]

LONGER_SIDE: Final = 400
LEAST_SHARE: Final = 0.16  # of the picture: a die may fill a ninth of it
_BORDER: Final = 3.0
_CANNY: Final = ((15, 45), (30, 90), (60, 160))
_CLUSTERS: Final = (2, 3, 4)
_CLEAR: Final = 4.0  # grey levels a pixel
_ALIGNED: Final = 0.9
_REACH: Final = 3
_SAMPLES: Final = 60
_WORST_SIDE: Final = 0.5
_MEAN_SIDE: Final = 0.72
_FILLED: Final = 0.93
_SURE: Final = 0.95
_SAME: Final = 0.93  # of an outline: this much smaller, it is the same one, drawn differently
_RIM: Final = 1.75  # an outline this much larger is still the same tray's
_ANGLE: Final = 0.72  # cosine: corners between 44 and 136 degrees
_LONGEST: Final = 3.5


@dataclass(frozen=True, slots=True, eq=False)
class _Candidate:
    """Four corners clockwise, in pixels of the small picture, and the support of their sides."""

    quad: Quad
    support: float

    @property
    def area(self) -> float:
        return float(cv2.contourArea(self.quad))

    def overlap(self, other: _Candidate) -> float:
        """The share of the smaller one that both cover."""
        both = cv2.intersectConvexConvex(self.quad, other.quad)[0]
        return float(both) / min(self.area, other.area)


def find_tray(image: Image) -> TrayCorners:
    """Find the outer rim of the rectangular tray that is wholly in the picture.

    Raises TrayError: a person has to tap its corners, as none is distinct, or several are.
    """
    small = np.asarray(cv2.medianBlur(downscaled(image, LONGER_SIDE), 5), np.uint8)
    hulls = list(_hulls(small))
    candidates = _candidates(small, hulls)
    if not candidates:
        raise TrayError(_ROUND_TRAY if _any_round(hulls, small) else _NO_TRAY)
    best = _best(candidates)
    size = np.array([small.shape[1], small.shape[0]])
    shares = np.clip(best.quad / size, 0.0, 1.0)
    return TrayCorners.around_taps([(float(x), float(y)) for x, y in shares])


def _candidates(small: Image, hulls: list[Quad]) -> list[_Candidate]:
    slopes = _slopes(small)
    found = []
    for hull in hulls:
        quad = _quad(hull)
        if quad is not None and _is_tray_shaped(quad, small):
            exact = _settled(quad, slopes)
            support = _support(exact, slopes, 2)
            if min(support) >= _WORST_SIDE and np.mean(support) >= _MEAN_SIDE:
                found.append(_Candidate(exact, float(np.mean(_support(exact, slopes, 1)))))
    return found


def _best(candidates: list[_Candidate]) -> _Candidate:
    """The outer rim of the only tray. Raises TrayError: there are several."""
    surest = max(candidates, key=lambda each: each.support * each.area**0.25)
    if any(each.overlap(surest) < 0.5 for each in candidates):  # noqa: PLR2004 -- next to it
        raise TrayError(_SEVERAL)
    rims = [each for each in candidates if surest.area <= each.area <= _RIM * surest.area]
    sure = [each for each in rims if each.support > _SURE * surest.support]
    outer = max(each.area for each in sure)
    return max((each for each in sure if each.area > _SAME * outer), key=lambda each: each.support)


# -- outlines


def _hulls(small: Image) -> Iterator[Quad]:
    """The convex outlines of all large regions separated by edges or colours."""
    least = LEAST_SHARE * small.shape[0] * small.shape[1]
    for mask in (*_edge_masks(small), *_colour_masks(small)):
        for contour in cv2.findContours(mask, cv2.RETR_LIST, cv2.CHAIN_APPROX_SIMPLE)[0]:
            hull = cv2.convexHull(contour)
            if cv2.contourArea(hull) >= least:
                yield hull.reshape(-1, 2).astype(np.float32)


def _edge_masks(small: Image) -> Iterator[Mask]:
    channels = cv2.split(cv2.cvtColor(small, cv2.COLOR_BGR2LAB))
    for low, high in _CANNY:
        edges = np.zeros(small.shape[:2], np.uint8)
        for channel in channels:
            edges |= cv2.Canny(np.asarray(channel, np.uint8), low, high).astype(np.uint8)
        for width in (3, 5):
            yield np.asarray(cv2.dilate(edges, np.ones((width, width), np.uint8)), np.uint8)


def _colour_masks(small: Image) -> Iterator[Mask]:
    """Patches of like colour, the holes of dice in them closed."""
    lab = cv2.cvtColor(cv2.blur(small, (5, 5)), cv2.COLOR_BGR2LAB)
    points = lab.reshape(-1, 3).astype(np.float32) * np.array([0.6, 1.4, 1.4], np.float32)
    ends = (cv2.TERM_CRITERIA_EPS + cv2.TERM_CRITERIA_MAX_ITER, 12, 0.5)
    cv2.setRNGSeed(7)  # the same picture always gives the same tray
    for clusters in _CLUSTERS:
        start = np.zeros((len(points), 1), np.int32)
        found = cv2.kmeans(points, clusters, start, ends, 1, cv2.KMEANS_PP_CENTERS)[1]
        labels = np.asarray(found, np.int32)
        for cluster in range(clusters):
            mask = (labels.reshape(small.shape[:2]) == cluster).astype(np.uint8)
            opened = cv2.morphologyEx(mask, cv2.MORPH_OPEN, np.ones((9, 9), np.uint8))
            yield np.asarray(opened, np.uint8)


def _quad(hull: Quad) -> Quad | None:
    """The four-sided outline that the hull fills, or None."""
    length = cv2.arcLength(hull, closed=True)
    for share in (0.02, 0.03, 0.05):
        outline = cv2.approxPolyDP(hull, share * length, closed=True)
        corners = np.asarray(outline, np.float32).reshape(-1, 2)
        ratio = cv2.contourArea(hull) / max(1.0, cv2.contourArea(corners))
        if len(corners) == 4 and _FILLED < ratio < 1 / _FILLED:  # noqa: PLR2004 -- a tray's corners
            return corners if cv2.contourArea(corners, oriented=True) > 0 else corners[::-1].copy()
    return None


def _is_tray_shaped(quad: Quad, small: Image) -> bool:
    """Whether it is within the picture, and could be a rectangle seen from above."""
    far = np.array([small.shape[1] - 1, small.shape[0] - 1]) - _BORDER
    if (quad < _BORDER).any() or (quad > far).any():
        return False
    sides = np.roll(quad, -1, axis=0) - quad
    lengths = np.linalg.norm(sides, axis=1)
    units = sides / np.maximum(lengths, 1.0)[:, None]
    cosines = np.abs((units * np.roll(units, 1, axis=0)).sum(axis=1))
    return bool(cosines.max() < _ANGLE and lengths.max() < _LONGEST * lengths.min())


# -- how sure the sides are


def _slopes(small: Image) -> Slopes:
    """The steepest slope of any colour at each pixel, across and down: H x W x 2."""
    smooth = cv2.GaussianBlur(small, (0, 0), 1.0)
    across = cv2.Sobel(smooth, cv2.CV_32F, 1, 0, scale=0.25)
    down = cv2.Sobel(smooth, cv2.CV_32F, 0, 1, scale=0.25)
    steepest = np.argmax(across * across + down * down, axis=2)[..., None]
    parts = [np.take_along_axis(part, steepest, axis=2) for part in (across, down)]
    return np.asarray(np.concatenate(parts, axis=2), np.float32)


def _samples(
    start: Quad, end: Quad, slopes: Slopes, reach: int
) -> tuple[NDArray[np.float64], Quad]:
    """How strongly each point near a side is an edge in its direction: samples x offsets."""
    along = np.linspace(0.06, 0.94, _SAMPLES)[:, None]
    unit = (end - start) / max(1.0, float(np.linalg.norm(end - start)))
    normal = np.array([-unit[1], unit[0]])
    offsets = np.arange(-reach, reach + 1)
    points = (start + along * (end - start))[:, None] + offsets[None, :, None] * normal
    here = _slopes_at(points, slopes)
    size = np.linalg.norm(here, axis=-1)
    across = np.abs(here @ normal)
    clear = (size > _CLEAR) & (across > _ALIGNED * size)
    return np.where(clear, across, 0.0), points


def _slopes_at(points: NDArray[np.float64], slopes: Slopes) -> Slopes:
    columns = np.clip(points[..., 0].round().astype(int), 0, slopes.shape[1] - 1)
    rows = np.clip(points[..., 1].round().astype(int), 0, slopes.shape[0] - 1)
    return np.asarray(slopes[rows, columns], np.float32)


def _support(quad: Quad, slopes: Slopes, reach: int) -> list[float]:
    """For each side the share of it within `reach` of an edge in its direction."""
    sides = zip(quad, np.roll(quad, -1, axis=0), strict=True)
    edges = (_samples(start, end, slopes, reach)[0] for start, end in sides)
    return [float((each.max(axis=1) > 0).mean()) for each in edges]


def _settled(quad: Quad, slopes: Slopes) -> Quad:
    """The corners of straight lines through the steepest points of the sides."""
    lines = []
    for start, end in zip(quad, np.roll(quad, -1, axis=0), strict=True):
        edges, points = _samples(start, end, slopes, _REACH)
        found = edges.max(axis=1) > 0
        if found.sum() < _SAMPLES // 4:
            return quad
        places = points[np.arange(_SAMPLES), edges.argmax(axis=1)][found].astype(np.float32)
        lines.append(cv2.fitLine(places, cv2.DIST_HUBER, 0, 0.01, 0.01).ravel())
    pairs = [(lines[side - 1], lines[side]) for side in range(len(lines))]
    settled = np.array([crossing(*each, 1e-6) or each[0][2:].tolist() for each in pairs], "f4")
    near = np.linalg.norm(settled - quad, axis=1).max() < 4 * _REACH
    return settled if near else quad


def crossing(
    one: NDArray[np.float32], other: NDArray[np.float32], least: float
) -> tuple[float, float] | None:
    """Where two lines of OpenCV's `fitLine` cross; None below that sine of their angle."""
    ways = np.stack([one[:2], -other[:2]], axis=1)
    if abs(np.linalg.det(ways)) < least:
        return None
    x, y = one[2:] + np.linalg.solve(ways, other[2:] - one[2:])[0] * one[:2]
    return float(x), float(y)


def _any_round(hulls: list[Quad], small: Image) -> bool:
    """Whether something large has a clear outline like an ellipse, or many even corners."""
    slopes = _slopes(small)
    far = np.array([small.shape[1] - 1, small.shape[0] - 1]) - _BORDER
    for hull in hulls:
        is_within = (hull >= _BORDER).all() and (hull <= far).all()
        if is_within and len(hull) >= 6 and _quad(hull) is None:  # noqa: PLR2004 -- an ellipse needs five
            even = 4 * np.pi * cv2.contourArea(hull) / cv2.arcLength(hull, closed=True) ** 2
            # A square has 0.79, a slanted circle more
            if even > 0.75 and _rim_support(hull, slopes) > _MEAN_SIDE:  # noqa: PLR2004
                return True
    return False


def _rim_support(hull: Quad, slopes: Slopes) -> float:
    """The share of an outline on edges along it."""
    around = np.vstack([hull, hull[:1]])
    steps = np.linalg.norm(np.diff(around, axis=0), axis=1)
    places = np.linspace(0, steps.sum(), 2 * _SAMPLES, endpoint=False)
    travelled = np.concatenate([[0.0], np.cumsum(steps)])
    points = np.stack([np.interp(places, travelled, around[:, axis]) for axis in (0, 1)], axis=1)
    normals = (np.roll(points, -1, axis=0) - np.roll(points, 1, axis=0))[:, ::-1] * [1, -1]
    normals /= np.maximum(np.linalg.norm(normals, axis=1), 1e-6)[:, None]
    offsets = np.arange(-_REACH, _REACH + 1)[None, :, None]
    here = _slopes_at(points[:, None] + offsets * normals[:, None], slopes)
    across = np.abs((here * normals[:, None]).sum(axis=-1))
    clear = (across > _CLEAR) & (across > _ALIGNED * np.linalg.norm(here, axis=-1))
    return float(clear.any(axis=1).mean())


_NO_TRAY: Final = message("No tray stands out in the picture: tap its four corners.")
_ROUND_TRAY: Final = message(
    "The tray is round or has more than four corners: tap the four corners of the part that "
    "you throw into."
)
_SEVERAL: Final = message("More than one thing looks like a tray: tap the four corners of yours.")
