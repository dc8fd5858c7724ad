"""Reads printed result slips in a photograph: their codes, and the scores written on them.

    reader = load_slip_reader()
    for slip in reader.read(open_photo("slips.jpg")):
        slip.code                      # which games of which table; None if it is unreadable
        for row in slip.rows:
            row.score, row.is_sure     # a reading is never a fact: ask where it is not sure

The corner marks give a slip's position; the QR code, read on the slip laid flat, names it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import reduce
from itertools import combinations_with_replacement
from typing import Any, Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.capture.frame import Image
from vision.read import slip_qr
from vision.read.networks import READER, Model, Network, load_model
from vision.read.slip_layout import (
    BOX_HEIGHT,
    BOX_WIDTH,
    DIGITS,
    HEIGHT,
    MARK_SIDE,
    MARKS,
    QR_AREA,
    WIDTH,
    Area,
    SlipCode,
    SlipLayout,
)

MODEL: Final = "slips"
LABELS: Final = ("0", "1", "2", "3", "4", "5", "6", "7", "8", "9", "", "-", "?")
_EMPTY: Final = LABELS.index("")
_MINUS: Final = LABELS.index("-")
MARGIN: Final = 1.0  # millimetres around a box that the reader sees too
CROP_WIDTH: Final = 34
CROP_HEIGHT: Final = 42
SCALE: Final = 8  # pixels a millimetre of a slip laid flat
_MOST_SIDE: Final = 4200  # pixels of a photograph; more shows nothing more
_FEWEST_MARKS: Final = 3
_MOST_SIDES_OFF: Final = 5  # of a mark, from where it ought to be; the next slip is twelve away
_REACH: Final = 1.4  # millimetres that a row of boxes may be off its place on bent paper
_FLAT: Final = np.array(((0, 0), (MARK_SIDE, 0), (MARK_SIDE, MARK_SIDE), (0, MARK_SIDE)))

Points = NDArray[np.float64]
Likely = NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class SlipBox:
    """One box: its place, its label of LABELS, and the label's probability."""

    area: Area
    label: str
    confidence: float
    is_sure: bool


@dataclass(frozen=True, slots=True)
class SlipRow:
    """The row of a game (from 1) and a seat (from 0).

    Its score is the likeliest one, None if nothing is written; unless `is_sure` it is asked.
    """

    game: int
    seat: int
    boxes: tuple[SlipBox, ...]
    score: int | None
    is_sure: bool


@dataclass(frozen=True, slots=True, eq=False)
class SlipReading:
    """A slip in a photograph: `image` shows it laid flat, SCALE pixels a millimetre."""

    image: Image
    code: SlipCode | None
    rows: tuple[SlipRow, ...]


@dataclass(frozen=True, slots=True, eq=False)
class SlipReader:
    """Finds and reads slips; `sure` is the least probability to accept a score."""

    network: Network
    sure: float

    def read(self, photo: Image) -> tuple[SlipReading, ...]:
        """Every slip with at least three visible corner marks, in no order."""
        longest = max(photo.shape[:2])
        if longest > _MOST_SIDE:
            size = [round(side * _MOST_SIDE / longest) for side in photo.shape[1::-1]]
            photo = np.asarray(cv2.resize(photo, size, interpolation=cv2.INTER_AREA), np.uint8)
        return tuple(self._slip(photo, to_photo) for to_photo in _found(photo))

    def _slip(self, photo: Image, to_photo: Points) -> SlipReading:
        flat = _laid_flat(photo, to_photo)
        code = _code(photo, to_photo)
        if code is None:
            return SlipReading(flat, None, ())
        layout = SlipLayout(code.games, code.seats)
        grey = _grey(flat)
        rows = [(game, seat) for game in range(code.games) for seat in range(code.seats)]
        areas = [_in_place(grey, layout.boxes(*row)) for row in rows]
        crops = [_crop(grey, area) for row in areas for area in row]
        likely = self.network(np.stack(crops)).reshape(len(rows), 1 + DIGITS, len(LABELS))
        seen = zip(rows, areas, likely, strict=True)
        read = [self.row(code.game + game, seat, area, each) for (game, seat), area, each in seen]
        return SlipReading(flat, code, tuple(read))

    def row(self, game: int, seat: int, areas: Sequence[Area], likely: Likely) -> SlipRow:
        """Read a row from its boxes' probabilities of LABELS.

        It is accepted as a whole or not at all; then the boxes that spoil it are in doubt.
        """
        labels, confidences = _likeliest(likely)
        is_sure = float(np.prod(confidences)) >= self.sure
        least = self.sure ** (1 / len(areas))
        boxes = tuple(
            SlipBox(area, label, float(each), is_sure or bool(each >= least))
            for area, label, each in zip(areas, labels, confidences, strict=True)
        )
        score = int("".join(labels)) if any(labels) else None
        return SlipRow(game, seat, boxes, score, is_sure and score is not None)


def _likeliest(likely: Likely) -> tuple[tuple[str, ...], NDArray[np.float32]]:
    """The labels of a row's boxes that form a number, or nothing, and each one's probability.

    `likely` are probabilities, boxes x LABELS. A number has no gap, and may begin in any box.
    """
    digits = likely[1:, :10].argmax(1)
    columns = np.arange(DIGITS)
    rows = np.array(
        [
            (sign, *np.where((first <= columns) & (columns < end), digits, _EMPTY))
            for first, end in combinations_with_replacement(range(1 + DIGITS), 2)
            for sign in ((_EMPTY, _MINUS) if first < end else (_EMPTY,))
        ]
    )
    confidences = likely[np.arange(1 + DIGITS), rows]
    best = int(confidences.prod(1).argmax())
    return tuple(LABELS[each] for each in rows[best]), confidences[best]


def load_slip_reader() -> SlipReader:
    """The reader of `models/slips`. Raises WeightsError."""
    model: Model = load_model(MODEL)
    return SlipReader(model.networks[READER], model.card["thresholds"]["sure"])


def _grey(image: Image) -> Image:
    return np.asarray(cv2.cvtColor(image, cv2.COLOR_BGR2GRAY), np.uint8)


def _found(photo: Image) -> list[Points]:
    """From millimetres of each slip to pixels of the photograph, 3 x 3."""
    grey = _grey(photo)
    asked = cv2.aruco.DetectorParameters()
    asked.cornerRefinementMethod = cv2.aruco.CORNER_REFINE_SUBPIX
    asked.minMarkerPerimeterRate = 0.015
    asked.adaptiveThreshWinSizeMax = 53
    asked.adaptiveThreshConstant = 12
    asked.perspectiveRemovePixelPerCell = 8
    asked.perspectiveRemoveIgnoredMarginPerCell = 0.3  # where a blurred photo mixes modules
    asked.maxErroneousBitsInBorderRate = 0.6
    asked.errorCorrectionRate = 1.0
    all_marks = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_50)
    # these four differ in seven modules or more
    marks = cv2.aruco.Dictionary(all_marks.bytesList[: len(MARKS)], all_marks.markerSize, 2)
    corners, numbers, _ = cv2.aruco.ArucoDetector(marks, asked).detectMarkers(grey)
    free = [
        (int(number), np.asarray(corner[0], np.float64))
        for corner, number in zip(corners, () if numbers is None else numbers.ravel(), strict=True)
    ]
    found = []
    while free:
        slip = reduce(lambda known, _: _with_nearest(known, free), range(3), {free[0][0]: free[0]})
        free = [each for each in free if all(each is not used for used in slip.values())]
        if len(slip) >= _FEWEST_MARKS:
            found.append(_homography(slip.values()))
    return found


Mark = tuple[int, Points]


def _with_nearest(known: dict[int, Mark], free: Sequence[Mark]) -> dict[int, Mark]:
    """The marks of a slip, completed by the nearest free ones to the expected places."""
    to_photo = _homography(known.values())
    others = [mark for mark in free if mark[0] not in known]
    off = [_sides_off(mark, to_photo) for mark in others]
    if not off or min(off) > _MOST_SIDES_OFF:
        return known
    nearest = others[int(np.argmin(off))]
    return {**known, nearest[0]: nearest}


def _sides_off(mark: Mark, to_photo: Points) -> float:
    number, corners = mark
    flat = (_FLAT + MARKS[number])[None]
    off = np.linalg.norm(cv2.perspectiveTransform(flat, to_photo)[0] - corners, axis=1).mean()
    return float(off / np.linalg.norm(corners[1] - corners[0]))


def _homography(marks: Iterable[Mark]) -> Points:
    pairs = [(_FLAT + MARKS[number], corners) for number, corners in marks]
    flat, seen = (np.concatenate(side) for side in zip(*pairs, strict=True))
    if len(pairs) < _FEWEST_MARKS:  # the perspective of so few would be mostly noise
        affine, *_ = np.linalg.lstsq(np.column_stack([flat, np.ones(len(flat))]), seen)
        return np.vstack([affine.T, (0.0, 0.0, 1.0)])
    found, _ = cv2.findHomography(flat, seen)
    return np.asarray(found, np.float64)


def _laid_flat(
    photo: Image, to_photo: Points, area: Area | None = None, scale: float = SCALE
) -> Image:
    """That area of the slip, or all of it, at that many pixels a millimetre."""
    x, y, width, height = area or Area(0, 0, WIDTH, HEIGHT)
    size = (round(width * scale), round(height * scale))
    to_flat = np.array(((1 / scale, 0, x), (0, 1 / scale, y), (0, 0, 1)))
    flags = cv2.INTER_AREA | cv2.WARP_INVERSE_MAP
    return np.asarray(cv2.warpPerspective(photo, to_photo @ to_flat, size, flags=flags), np.uint8)


def _code(photo: Image, to_photo: Points) -> SlipCode | None:
    """The QR code's content, read directly or restored from its blur."""
    detector: Any = cv2.QRCodeDetector()
    around = Area(QR_AREA.x - 1, QR_AREA.y - 1, QR_AREA.width + 2, QR_AREA.height + 2)
    for scale in (12, 20):
        text, *_ = detector.detectAndDecode(_grey(_laid_flat(photo, to_photo, around, scale)))
        if (code := SlipCode.parse(text)) is not None:
            return code
    seen = _grey(_laid_flat(photo, to_photo, slip_qr.SURROUNDINGS, slip_qr.SCALE))
    return SlipCode.parse(slip_qr.restored_code(seen))


def _in_place(grey: Image, row: Sequence[Area]) -> tuple[Area, ...]:
    """A row's boxes aligned with their printed lines: paper bends."""
    reach = round(_REACH * SCALE)
    left, top = row[0].x, row[0].y
    width, height = row[-1].x + BOX_WIDTH - left, BOX_HEIGHT
    lines = np.zeros((round(height * SCALE) + 5, round(width * SCALE) + 5), np.float32)
    for box in row:
        corner = (round((box.x - left) * SCALE) + 2, 2)
        other = (corner[0] + round(BOX_WIDTH * SCALE), 2 + round(BOX_HEIGHT * SCALE))
        cv2.rectangle(lines, corner, other, 1.0, 2)
    x, y = round(left * SCALE) - 2 - reach, round(top * SCALE) - 2 - reach
    part = grey[y : y + lines.shape[0] + 2 * reach, x : x + lines.shape[1] + 2 * reach]
    light = cv2.blur(part, (4 * SCALE + 1, 4 * SCALE + 1)).astype(np.float32)
    dark = np.clip(light - part, 0, 40)  # thick ink counts no more than a printed line
    _, _, _, (across, down) = cv2.minMaxLoc(cv2.matchTemplate(dark, lines, cv2.TM_CCORR))
    shift = ((across - reach) / SCALE, (down - reach) / SCALE)
    return tuple(box._replace(x=box.x + shift[0], y=box.y + shift[1]) for box in row)


def _crop(grey: Image, area: Area) -> Image:
    """A box and MARGIN around it, CROP_HEIGHT x CROP_WIDTH x 1."""
    size = (round((BOX_WIDTH + 2 * MARGIN) * SCALE), round((BOX_HEIGHT + 2 * MARGIN) * SCALE))
    # getRectSubPix counts from the middles of pixels
    middle = ((area.x + BOX_WIDTH / 2) * SCALE - 0.5, (area.y + BOX_HEIGHT / 2) * SCALE - 0.5)
    part = cv2.getRectSubPix(grey, size, middle)
    crop = cv2.resize(part, (CROP_WIDTH, CROP_HEIGHT), interpolation=cv2.INTER_AREA)
    return np.asarray(crop, np.uint8)[:, :, None]
