"""Reads printed result slips in a photograph: their codes, and the scores written on them.

    reader = load_slip_reader()
    for slip in reader.read(open_photo("slips.jpg")):
        slip.code                      # which games of which table; None if it is unreadable
        for row in slip.rows:
            row.score, row.is_sure     # a reading is never a fact: ask where it is not sure

The corner marks give a slip's position; the QR code, read on the slip laid flat, names it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial, reduce
from itertools import combinations_with_replacement, product
from typing import Any, Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.capture.frame import Image
from vision.read.networks import READER, Model, Network, load_model
from vision.read.slip_layout import (
    BOX_HEIGHT,
    BOX_WIDTH,
    DIGITS,
    HEIGHT,
    MARK_SIDE,
    MARKS,
    QR_AREA,
    QR_MODULES,
    WIDTH,
    Area,
    SlipCode,
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
# Each box is read nine times, a little off its place or size (millimetres across and down, and
# times as large): what one look takes for another digit, the others mostly do not
_LOOKS: Final = (
    *((0.0, 0.0, 1.0), (0.3, 0.0, 1.0), (-0.3, 0.0, 1.0), (0.0, 0.3, 1.0), (0.0, -0.3, 1.0)),
    *((0.2, 0.2, 1.0), (-0.2, -0.2, 1.0), (0.0, 0.0, 0.95), (0.0, 0.0, 1.06)),
)
_DOUBTED: Final = {"1": 3}  # most silent errors were a 7 with a short bar: believed as three are
_LIKELY: Final = 0.5  # enough for a score whose game adds up: two would have to be wrong, and fit
_FLAT: Final = np.array(((0, 0), (MARK_SIDE, 0), (MARK_SIDE, MARK_SIDE), (0, MARK_SIDE)))

Points = NDArray[np.float64]
Likely = NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class SlipBox:
    """One box: its place, its label of LABELS, and how far that is believed."""

    area: Area
    label: str
    confidence: float
    is_sure: bool


@dataclass(frozen=True, slots=True)
class SlipRow:
    """The row of a game (from 1) and a seat (from 0), or of the game's sum, below the last seat.

    Its score is the likeliest one, None if nothing is written; unless `is_sure` it is asked.
    """

    game: int
    seat: int
    boxes: tuple[SlipBox, ...]
    score: int | None
    is_sure: bool


@dataclass(frozen=True, slots=True, eq=False)
class SlipReading:
    """A slip: `image` shows it flat, SCALE pixels a millimetre; `code` is None if unreadable."""

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
        layout = code.layout
        grey = _grey(flat)
        rows = [(game, row) for game in range(code.games) for row in range(layout.filled)]
        areas = [_in_place(grey, layout.boxes(*row)) for row in rows]
        crops = [
            _crop(grey, area._replace(x=area.x + across, y=area.y + down), times)
            for across, down, times in _LOOKS
            for row in areas
            for area in row
        ]
        shape = (len(_LOOKS), len(rows), 1 + DIGITS, len(LABELS))
        likely = np.exp(np.log(self.network(np.stack(crops)).reshape(shape) + 1e-9).mean(0))
        likely /= likely.sum(-1, keepdims=True)
        seen = zip(rows, areas, likely, strict=True)
        read = [self.row(code.game + game, seat, area, each) for (game, seat), area, each in seen]
        if code.rows == "S":
            starts = range(0, len(read), layout.filled)
            read = [row for at in starts for row in added_up(read[at : at + layout.filled])]
        return SlipReading(flat, code, tuple(read))

    def row(self, game: int, seat: int, areas: Sequence[Area], likely: Likely) -> SlipRow:
        """Read a row from its boxes' probabilities of LABELS.

        It is accepted as a whole or not at all; then the boxes that spoil it are in doubt.
        """
        labels, likeliest = _likeliest(likely)
        confidences = likeliest ** np.array([_DOUBTED.get(label, 1) for label in labels])
        is_sure = float(np.prod(confidences)) >= self.sure
        least = self.sure ** (1 / len(areas))
        boxes = tuple(
            SlipBox(area, label, float(each), is_sure or bool(each >= least))
            for area, label, each in zip(areas, labels, confidences, strict=True)
        )
        score = int("".join(labels)) if any(labels) else None
        return SlipRow(game, seat, boxes, score, is_sure and score is not None)


def added_up(game: Sequence[SlipRow]) -> Iterator[SlipRow]:
    """The rows of a game that has to add up to 0, its sum's last: believed together if it does.

    If not, those in doubt are asked, and all if none is.
    """
    likely = [float(np.prod([box.confidence for box in row.boxes])) >= _LIKELY for row in game]
    scores = [row.score for row in game]
    *own, below = (each or 0 for each in scores)
    fits = None not in scores[:-1] and sum(own) == below == 0 and likely[-1]
    doubted = not all(row.is_sure for row in game[:-1])
    for row, is_likely in zip(game, likely, strict=True):
        sure = is_likely if fits else doubted and row.is_sure
        boxes = tuple(replace(box, is_sure=True) for box in row.boxes) if sure else row.boxes
        yield replace(row, boxes=boxes, is_sure=sure)


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
    seen = _grey(_laid_flat(photo, to_photo, SURROUNDINGS, CODE_SCALE))
    return SlipCode.parse(restored_code(seen))


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


def _crop(grey: Image, area: Area, times: float) -> Image:
    """A box and MARGIN around it, CROP_HEIGHT x CROP_WIDTH x 1."""
    sides = (BOX_WIDTH + 2 * MARGIN, BOX_HEIGHT + 2 * MARGIN)
    size = [round(side * SCALE * times) for side in sides]
    # getRectSubPix counts from the middles of pixels
    middle = ((area.x + BOX_WIDTH / 2) * SCALE - 0.5, (area.y + BOX_HEIGHT / 2) * SCALE - 0.5)
    part = cv2.getRectSubPix(grey, size, middle)
    crop = cv2.resize(part, (CROP_WIDTH, CROP_HEIGHT), interpolation=cv2.INTER_AREA)
    return np.asarray(crop, np.uint8)[:, :, None]


# The QR code of a slip in a blurred photograph: its place and size are known. What every code
# shows, its finders above all, reveals its position and the phone's motion.

_FINE: Final = 5  # pixels a module
_RIM: Final = 4  # modules of white paper around the code; two belong to QR_AREA
_MODULE: Final = QR_AREA.width / (QR_MODULES + 4)
_CODE_MARGIN: Final = (_RIM - 1) * _MODULE  # the code may be a module off its place
CODE_SCALE: Final = _FINE / _MODULE
_SIDE: Final = QR_AREA.width + 2 * _CODE_MARGIN
SURROUNDINGS: Final = Area(QR_AREA.x - _CODE_MARGIN, QR_AREA.y - _CODE_MARGIN, _SIDE, _SIDE)
_BLUR_REACHES: Final = (0.35, 0.6, 0.85, 1.1, 1.4)  # modules that the phone moved to both sides
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
    seen = _drawn_in_place(255 - grey.astype(np.float32), drawn, certain > 0)
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


def _drawn_in_place(ink: Plane, drawn: Plane, where: NDArray[np.bool_]) -> Plane:
    """The part of `ink` where the known modules are, in their drawn layout."""
    soft = cv2.GaussianBlur(drawn, (0, 0), _FINE / 2)
    shape = np.where(where, soft - soft[where].mean(), 0).astype(np.float32)
    _, _, _, (left, top) = cv2.minMaxLoc(cv2.matchTemplate(ink, shape, cv2.TM_CCORR))
    return ink[top : top + drawn.shape[0], left : left + drawn.shape[1]]


def _blurs() -> Iterator[Blur]:
    """The blurs of a moving phone with a lens out of focus."""
    middle = round((max(_BLUR_REACHES) + 2 * max(_SOFT)) * _FINE)
    rows, columns = np.mgrid[-middle : middle + 1, -middle : middle + 1][..., None]
    for reach, turn in [(0.0, 0), *product(_BLUR_REACHES, range(_TURNS))]:
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
