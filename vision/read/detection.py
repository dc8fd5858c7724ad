"""Finds pieces in a picture and crops them: one detector for dice and tiles.

A finder network runs on the shrunk picture, first at one scale, then at others if the candidates
ask for them. Its maps become boxes of dice or quadrangles of tiles, each piece once.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.capture.frame import Image, Pyramid
from vision.read.networks import Network
from vision.read.observation import Box

Maps = NDArray[np.float32]
Points = NDArray[np.float32]
Figures = NDArray[np.float64]

STRIDE: Final = 4
SIZE_UNIT: Final = 16.0
_LARGEST_EXPONENT: Final = 4.0
_CELL: Final = 32
_LIKELY: Final = 0.35  # candidates of this score count when the scale of a nearer pass is chosen
_SURE: Final = 0.5
_FEW: Final = 0.1  # this share of small pieces asks for a nearer pass
_REACH: Final = 0.5  # of a width: two candidates of one piece are no farther apart across
_HALF_TURN: Final = 180.0
_QUARTER_TURN: Final = 90.0
MOST_SHEAR: Final = 1.5
_SMALLER: Final = 0.45  # of the smallest sure piece: what is smaller is none
_LARGER: Final = 2.0  # of the largest


@dataclass(frozen=True, slots=True)
class Candidate:
    """A possible piece: a score of 0 to 1, its middle and its sides in pixels.

    A die's box has no `angle`. A tile has one, of its upper edge: degrees clockwise from upright in
    [0, 360). The finder doesn't know which end is the top: it gives angles below 180, and the
    reader turns over those that are upside down. A tile seen aslant is no rectangle: its foot is a
    share `shear` of its height, the distance of foot and top, to the right of its top.
    """

    score: float
    x: float
    y: float
    width: float
    height: float
    angle: float | None = None
    shear: float = 0.0

    @property
    def size(self) -> float:
        return max(self.width, self.height) if self.angle is None else self.height

    @property
    def shorter(self) -> float:
        return min(self.width, self.height) if self.angle is None else self.width

    @property
    def turn(self) -> float:
        return self.angle or 0.0

    @property
    def quad(self) -> Points:
        """The corners, 4 x 2, clockwise from the top left of the upright piece."""
        turn = math.radians(self.turn)
        right, down = math.cos(turn), math.sin(turn)
        wide = (right * self.width / 2, down * self.width / 2)
        along, across = self.height / 2, self.shear * self.height / 2
        high = (right * across - down * along, down * across + right * along)
        ends = ((-1, -1), (1, -1), (1, 1), (-1, 1))  # along the width, and along the height
        corners = [
            (self.x + i * wide[0] + j * high[0], self.y + i * wide[1] + j * high[1])
            for i, j in ends
        ]
        return np.array(corners, np.float32)

    @property
    def box(self) -> Box:
        """Left, top, right, bottom."""
        if self.angle is None:
            right, down = self.width / 2, self.height / 2
            return (self.x - right, self.y - down, self.x + right, self.y + down)
        (left, top), (right, bottom) = self.quad.min(axis=0), self.quad.max(axis=0)
        return float(left), float(top), float(right), float(bottom)

    @classmethod
    def of_corners(cls, quad: Points, score: float) -> Candidate:
        """The candidate whose corners are nearest to these, in the order of `quad`."""
        top, right, below, left = np.asarray(quad, np.float64)
        across, down = (right + below - top - left) / 2, (below + left - top - right) / 2
        width = float(np.hypot(*across))
        along = across / width
        height = float(along[0] * down[1] - along[1] * down[0])
        x, y = ((top + right + below + left) / 4).tolist()
        angle = math.degrees(math.atan2(along[1], along[0])) % 360
        return cls(score, x, y, width, height, angle, float(along @ down) / height)

    def within(self, shape: tuple[int, ...]) -> Box:
        """The part of the box in a picture of that height and width, in tenths of a pixel."""
        height, width = (float(side) for side in shape[:2])
        left, top, right, bottom = self.box
        left, top = max(0.0, left), max(0.0, top)
        right, bottom = min(width, right), min(height, bottom)
        return round(left, 1), round(top, 1), round(right, 1), round(bottom, 1)

    def scaled(self, across: float, down: float | None = None) -> Candidate:
        """The candidate in a picture `across` times as wide and `down` times as high."""
        down = across if down is None else down
        width, height = self.width * across, self.height * down
        return replace(self, x=self.x * across, y=self.y * down, width=width, height=height)

    def turned_over(self) -> Candidate:
        return replace(self, angle=(self.turn + _HALF_TURN) % 360)


Chosen = Callable[[Sequence[Candidate]], Sequence[Candidate]]


@dataclass(frozen=True, slots=True)
class Search:
    """How one kind of pieces is searched for.

    Passes: `first`, `far` and `nearest` are the longer side, in pixels, that the picture is brought
    to. The far pass is for pieces larger than `large` pixels of the first pass. Pieces below
    `small` pixels of the first pass ask for a nearer pass, which brings them to `comfortable`, up
    to `enlarged` times the picture's own pixels. The picture is `stretched` to whole cells of the
    finder, or filled up to them: a turned tile doesn't survive stretching.

    Candidates: those smaller than both `speck_pixels` and `speck_share` of the longer side are
    dropped. Two are the same piece if their middles are nearer than `same_distance` of the shorter
    side, or their boxes overlap by `same_overlap` (intersection over union). One that is smaller
    than `part` of another that contains it, and scores more than `part` of its own score, is a pip
    or a face of it; one within `part_of_large` of a sure large piece is the word or number on it.
    The `most` best are kept.
    """

    first: int
    far: int
    nearest: int
    large: float
    small: float
    comfortable: float
    enlarged: float
    stretched: bool
    same_distance: float
    most: int
    same_overlap: float | None = None
    part: float = 0.0
    part_of_large: float = 0.0
    speck_pixels: float = 0.0
    speck_share: float = 0.0


DICE: Final = Search(
    first=448,
    far=256,
    nearest=1280,
    large=0.0,  # a nearly bare face is mostly seen from far, whatever its size
    small=18.0,
    comfortable=30.0,
    enlarged=1.75,
    stretched=True,
    same_distance=0.4,
    most=90,
    same_overlap=0.5,
    part=0.55,
    speck_pixels=7.0,  # less than what is reported as too small
    speck_share=0.008,
)
TILES: Final = Search(
    first=640,
    far=320,
    nearest=1600,
    large=120.0,
    small=26.0,
    comfortable=40.0,
    enlarged=1.5,
    stretched=False,
    same_distance=0.45,
    most=220,
    part_of_large=0.5,
)


@dataclass(frozen=True, slots=True)
class Detector:
    """Finds the candidates of a picture with scores of at least `threshold`."""

    finder: Network
    search: Search
    threshold: float

    def find(self, pyramid: Pyramid, surely: Chosen | None = None) -> list[Candidate]:
        """Find possible pieces, best first, in pixels of the picture.

        `surely` picks the certain pieces of the likely candidates. Then only these choose the scale
        of the nearer pass, and candidates far from their sizes are dropped.
        """
        least = self.search.large * pyramid.longer / self.search.first
        # From near, parts of a piece that fills the picture pass for pieces
        large = [each for each in self._search(pyramid, self.search.far) if each.size > least]
        near = self.find_from_near(pyramid, large, surely)
        best = sorted((*large, *near), key=lambda each: -each.score)
        return distinct(best, self.search)[: self.search.most]

    def find_from_near(
        self, pyramid: Pyramid, large: Sequence[Candidate] = (), surely: Chosen | None = None
    ) -> list[Candidate]:
        """The finds of the first pass and a nearer one, except parts of the large pieces.

        Each pass gives a piece once.
        """
        search = self.search
        found = self._margins(large, self._search(pyramid, search.first))
        shrink = pyramid.longer / search.first
        likely = [each for each in (*large, *found) if each.score >= _LIKELY]
        sure = surely(likely) if surely is not None and likely else []
        sizes = [each.size / shrink for each in sure or found if sure or each.score >= _LIKELY]
        nearer = 2 * search.first  # where there is no piece at all
        if sizes:
            small = float(np.quantile(sizes, _FEW))
            nearer = search.first
            if small < search.small:
                nearer = min(search.nearest, _cells(search.first * search.comfortable / small))
        nearer = min(nearer, _cells(pyramid.longer * search.enlarged))
        if nearer > search.first:
            found += self._margins(large, self._search(pyramid, nearer))
        if sure:
            least = _SMALLER * min(each.size for each in sure)
            most = _LARGER * max(each.size for each in sure)
            found = [each for each in found if least <= each.size <= most]
        return found

    def find_at(
        self, pyramid: Pyramid, longer: int, around: Sequence[Candidate] = ()
    ) -> list[Candidate]:
        """The finds of one pass with the picture's longer side at that many pixels.

        With places to look `around`, only the part of the picture that shows them and their
        neighbours.
        """
        if not around:
            return self._search(pyramid, longer)
        boxes, image = np.array([each.box for each in around]), pyramid.image
        margin = max(each.size for each in around)
        left, top = np.maximum(boxes[:, :2].min(axis=0) - margin, 0).astype(int).tolist()
        right, bottom = (boxes[:, 2:].max(axis=0) + margin).astype(int).tolist()
        part = Pyramid(image[top:bottom, left:right])
        found = self._search(part, max(_CELL, _cells(longer * part.longer / pyramid.longer)))
        moved = [replace(each, x=each.x + left, y=each.y + top) for each in found]
        area = pyramid.area
        return [each for each in moved if area is None or area.holds(each.x, each.y, image.shape)]

    def _margins(self, large: Sequence[Candidate], found: Sequence[Candidate]) -> list[Candidate]:
        """Those that are no part of a sure large piece."""
        share = self.search.part_of_large
        sure = [whole for whole in large if whole.score >= _SURE]
        return [
            each
            for each in found
            if not any(
                math.hypot(each.x - whole.x, each.y - whole.y) < share * whole.size
                and each.size < share * whole.size
                for whole in sure
            )
        ]

    def _search(self, pyramid: Pyramid, longer: int) -> list[Candidate]:
        """Run the finder once, and give candidates of the play area in the picture's own pixels."""
        small, across, down = _brought(pyramid, longer, stretched=self.search.stretched)
        maps = self.finder(small[None])[0]
        speck = max(self.search.speck_pixels, self.search.speck_share * pyramid.longer)
        found = (
            each.scaled(across, down) for each in candidates(maps, self.threshold, self.search)
        )
        large = [each for each in found if each.size >= speck]
        area, shape = pyramid.area, pyramid.image.shape
        # Tiles mostly face the camera: the end that is higher in the picture is taken for the top.
        # The finder calls one that leans a little to the left nearly upside down: read twice
        return [
            each.turned_over() if _QUARTER_TURN < each.turn < 3 * _QUARTER_TURN else each
            for each in large
            if area is None or area.holds(each.x, each.y, shape)
        ]


def _cells(longer: float) -> int:
    return round(longer / _CELL) * _CELL


def _brought(pyramid: Pyramid, longer: int, *, stretched: bool) -> tuple[Image, float, float]:
    """The picture with that longer side, and its scales; `stretched` to whole cells each way.

    Otherwise its edge is repeated up to them.
    """
    shrink = pyramid.longer / longer
    height, width = pyramid.image.shape[:2]
    sides = (width / shrink, height / shrink)
    size = [max(_CELL, _cells(side)) if stretched else max(1, round(side)) for side in sides]
    source = pyramid.levels[pyramid.above(shrink)]
    small = cv2.resize(source, size, interpolation=cv2.INTER_LINEAR)
    right, below = (-side % _CELL for side in size)
    filled = cv2.copyMakeBorder(small, 0, below, 0, right, cv2.BORDER_REPLICATE)
    scales = (width / size[0], height / size[1]) if stretched else (shrink, shrink)
    return np.asarray(filled, np.uint8), *scales


def candidates(maps: Maps, threshold: float, search: Search) -> list[Candidate]:
    """Read the finder's C x H x W maps: local maxima of at least `threshold`, best first.

    The maps are the score, the middle's place right and down of the cell's middle in cells, the
    logarithms of width and height in units of 16 pixels, and for tiles the cosine and sine of
    twice the angle, and the shear.
    """
    score = maps[0]
    highest = cv2.dilate(score, np.ones((3, 3), np.uint8))
    rows, columns = np.nonzero((score >= threshold) & (score >= highest))
    order = np.argsort(-score[rows, columns], kind="stable")
    rows, columns = rows[order], columns[order]
    figures = maps[:, rows, columns]
    scores, right, down, _, _, *turn = figures.astype(np.float64)
    width, height = np.exp(np.minimum(figures[3:5], _LARGEST_EXPONENT)) * SIZE_UNIT
    x, y = (columns + 0.5 + right) * STRIDE, (rows + 0.5 + down) * STRIDE
    fields = [scores, x, y, width, height]
    if turn:
        cosine, sine, shear = turn
        fields.append(np.degrees(np.arctan2(sine, cosine)) / 2 % _HALF_TURN)
        fields.append(shear.clip(-MOST_SHEAR, MOST_SHEAR))
    rows_of = zip(*(column.tolist() for column in fields), strict=True)
    return distinct([Candidate(*each) for each in rows_of], search)


def distinct(found: Sequence[Candidate], search: Search) -> list[Candidate]:
    """Drop duplicates and parts of a better candidate; best comes first."""
    if not found:
        return []
    figures = np.array(
        [(each.x, each.y, each.width, each.height, each.shorter) for each in found]
    ).T
    # For each place only those within its reach across are compared: a carpet has thousands
    x, reach = figures[0], _REACH * figures[2]
    order = np.argsort(x)
    first, last = (np.searchsorted(x, x + way * reach, sorter=order) for way in (-1, 1))
    dropped = np.zeros(len(found), np.bool_)
    for at in range(len(found)):
        if not dropped[at]:
            near = order[first[at] : last[at]]
            dropped[near[_same(figures[:, near], figures[:, at : at + 1], search)]] = True
            dropped[at] = False
    best = [each for each, drop in zip(found, dropped.tolist(), strict=True) if not drop]
    return _wholes(best, search.part) if search.part else best


def _same(near: Figures, one: Figures, search: Search) -> NDArray[np.bool_]:
    """Which of N show the same piece as one; each 5 x N of x, y, width, height, shorter side."""
    across, down = np.abs(near[:2] - one[:2])
    close = np.hypot(across, down) < search.same_distance * np.minimum(near[4], one[4])
    if search.same_overlap is None:
        return np.asarray(close)
    shared = _shared(across, near[2], one[2]) * _shared(down, near[3], one[3])
    area, whole = near[2] * near[3], one[2] * one[3]
    return np.asarray(close | (shared > search.same_overlap * (area + whole - shared)))


def _shared(apart: Figures, lengths: Figures, other: Figures) -> Figures:
    """The overlap of two boxes' sides whose middles are that far apart."""
    return np.clip((lengths + other) / 2 - apart, 0, np.minimum(lengths, other))


def _wholes(found: Sequence[Candidate], part: float) -> list[Candidate]:
    """Those that are no pip or face of another candidate with a similar score."""
    figures = np.array([(each.score, each.x, each.y, each.width, each.height) for each in found])
    score, x, y, width, height = figures.T
    size = np.maximum(width, height)
    across, down = (np.abs(each[:, None] - each[None]) for each in (x, y))
    inside = (across < width / 2) & (down < height / 2)
    is_part = inside & (score > part * score[:, None]) & (size[:, None] < part * size)
    return [each for each, row in zip(found, is_part, strict=True) if not row.any()]


# Crops of single pieces, cut from the full picture at the size that the reader takes. A crop
# shows a margin more than the piece; beyond the picture its edge is repeated.

DIE_SIDE: Final = 48
DIE_MARGIN: Final = 1.3
TILE_WIDTH: Final = 40
TILE_HEIGHT: Final = 56
TILE_MARGIN: Final = 1.16


def die_crops(pyramid: Pyramid, dice: Sequence[Candidate], margin: float = DIE_MARGIN) -> Image:
    """Cut every die out as a square, N x 48 x 48 x 3; there is at least one."""
    return np.stack([_square(pyramid, die, margin) for die in dice])


def _square(pyramid: Pyramid, die: Candidate, margin: float) -> Image:
    level = pyramid.above(die.size * margin / DIE_SIDE)
    side = max(4, round(die.size * margin / 2**level))
    left, top = (round(middle / 2**level - side / 2) for middle in (die.x, die.y))
    image = pyramid.levels[level]
    height, width = image.shape[:2]
    part = image[max(0, top) : max(1, top + side), max(0, left) : max(1, left + side)]
    part = part if part.size else image[-1:, -1:]
    edge = (-top, top + side - height, -left, left + side - width)
    above, below, before, after = (max(0, beyond) for beyond in edge)
    padded = cv2.copyMakeBorder(part, above, below, before, after, cv2.BORDER_REPLICATE)
    method = cv2.INTER_AREA if side > DIE_SIDE else cv2.INTER_LINEAR
    return np.asarray(cv2.resize(padded, (DIE_SIDE, DIE_SIDE), interpolation=method), np.uint8)


def tile_crops(pyramid: Pyramid, tiles: Sequence[Candidate], margin: float = TILE_MARGIN) -> Image:
    """Cut every tile out and turn it upright, N x 56 x 40 x 3; there is at least one."""
    cut = []
    for tile in tiles:
        level = pyramid.above(tile.height * margin / TILE_HEIGHT)
        cut.append(upright(pyramid.levels[level], (tile.quad + 0.5) / 2**level - 0.5, margin))
    return np.stack(cut)


def upright(image: Image, quad: Points, margin: float = TILE_MARGIN) -> Image:
    """The four-cornered part of a picture, corners clockwise from its top left, 56 x 40 x 3."""
    wide, high = TILE_WIDTH / margin, TILE_HEIGHT / margin
    left, top = (TILE_WIDTH - wide) / 2, (TILE_HEIGHT - high) / 2
    target = np.array(
        [(left, top), (left + wide, top), (left + wide, top + high), (left, top + high)], np.float32
    )
    warp = cv2.getPerspectiveTransform(np.asarray(quad, np.float32), target)
    size, edge = (TILE_WIDTH, TILE_HEIGHT), cv2.BORDER_REPLICATE
    return np.asarray(cv2.warpPerspective(image, warp, size, borderMode=edge), np.uint8)
