"""Drawn crops of a slip's boxes: print, handwriting and what a phone makes of them."""

from __future__ import annotations

from typing import Any, Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.capture.frame import Image
from vision.read.slip_layout import BOX_HEIGHT, BOX_WIDTH
from vision.read.slips import CROP_HEIGHT, CROP_WIDTH, LABELS, MARGIN
from vision.train.augmentation import Chance
from vision.train.slips.hands import Hands, Ink, stroke_ink

_FINE: Final = 10  # pixels a millimetre of what is drawn
_AROUND: Final = 2.0  # millimetres more on each side, as the crop may be turned and displaced
_GAP: Final = 7.4 - BOX_WIDTH  # between two boxes
_LETTERS: Final = "AEFHKMNRWXadfhkmnrtuw?#&=%"  # none that some write like a digit
_SHARES: Final = {"": 0.12, "-": 0.07, "?": 0.12}  # of the crops; digits share what is left

Canvas = NDArray[np.float32]


class BoxCrops:
    """An endless supply of crops with their labels; the same seed draws the same ones."""

    def __init__(self, hands: Hands, seed: int | tuple[int, ...]) -> None:
        self.hands = hands
        self.chance = Chance(seed)
        self._labels = np.array(LABELS)
        digits = (1 - sum(_SHARES.values())) / (len(LABELS) - len(_SHARES))
        self._weights = np.array([_SHARES.get(label, digits) for label in LABELS])

    def draw(self) -> tuple[Image, int]:
        """One crop, CROP_HEIGHT x CROP_WIDTH x 1, and the place of its label in LABELS."""
        at = int(self.chance.numbers.choice(len(LABELS), p=self._weights))
        label = LABELS[at]
        chance = self.chance
        height = round((BOX_HEIGHT + 2 * (MARGIN + _AROUND)) * _FINE)
        width = round((BOX_WIDTH + 2 * (MARGIN + _AROUND)) * _FINE)
        ink = np.zeros((height, width), np.float32)
        if label == "?":
            self._unreadable(ink)
        elif label:
            self._write(ink, self.hands.ink(label, chance), label)
        if not label or chance.happens(0.2):
            self._specks(ink)
        self._neighbours(ink)
        printed = _printed_box(ink.shape, chance)
        return photographed(printed, ink, chance), at

    def _write(self, page: Canvas, ink: Ink, label: str) -> None:
        """Put what was written into the box, mostly inside it."""
        chance = self.chance
        if label == "-":
            width = BOX_WIDTH * chance.between(0.25, 0.95)
            size = (width, width * chance.between(0.04, 0.2) + 0.35)
            spread = (0.5, 1.0)
        else:
            tall = BOX_HEIGHT * (chance.between(0.5, 1.05) if chance.happens(0.9) else 0.4)
            ratio = min(ink.shape[1] / ink.shape[0], 1.2) * chance.scale(0.75, 1.3)
            size = (min(tall * ratio, BOX_WIDTH * 1.15), tall)
            spread = (max(0.3, (BOX_WIDTH - size[0]) / 5), max(0.35, (BOX_HEIGHT - size[1]) / 4))
        most = (BOX_WIDTH * 0.4, BOX_HEIGHT * 0.35)
        x, y = (
            float(np.clip(chance.near(0, each), -far, far))
            for each, far in zip(spread, most, strict=True)
        )
        shift = (x, y)
        place(page, ink, size, shift, chance)

    def _unreadable(self, page: Canvas) -> None:
        """What is no digit: crossed out, written over, a letter, a scribble, two in one box."""
        chance, kind = self.chance, self.chance.below(6)
        digits = "0123456789"
        if kind == 0:  # crossed out
            self._write(page, self.hands.ink(chance.pick(digits), chance), "0")
            for _ in range(1 + chance.below(4)):
                place(
                    page,
                    stroke_ink("-", chance),
                    (BOX_WIDTH, 1.2),
                    (0, chance.near(0, 1.2)),
                    chance,
                )
            place(page, stroke_ink("x", chance), (BOX_WIDTH, BOX_HEIGHT * 0.8), (0, 0), chance)
        elif kind == 1:  # scribbled out
            if chance.happens(0.7):
                self._write(page, self.hands.ink(chance.pick(digits), chance), "0")
            _scribble(page, chance)
        elif kind == 2:  # one over another  # noqa: PLR2004
            for digit in chance.numbers.permutation(list("2457"))[:2]:
                self._write(page, self.hands.ink(str(digit), chance), "0")
        elif kind == 3:  # a letter  # noqa: PLR2004
            letter = chance.pick(_LETTERS)
            self._write(page, self.hands.font_ink(chance.pick(self.hands.chosen), letter), "0")
        elif kind == 4:  # two in one box  # noqa: PLR2004
            for side in (-1, 1):
                ink = self.hands.ink(chance.pick("023456789"), chance)
                size = (BOX_WIDTH * 0.42, BOX_HEIGHT * chance.between(0.45, 0.8))
                place(page, ink, size, (side * BOX_WIDTH * 0.24, chance.near(0, 0.4)), chance)
        else:
            self._fragment(page)

    def _fragment(self, page: Canvas) -> None:
        """A plus, or half a digit."""
        chance = self.chance
        if chance.happens(0.7):
            place(page, stroke_ink("+", chance), (4.0, 4.0), (0, 0), chance)
        else:
            ink = self.hands.ink(chance.pick("023456789"), chance)
            half = ink[: len(ink) // 2] if chance.happens(0.5) else ink[len(ink) // 2 :]
            self._write(page, half, "0")

    def _specks(self, page: Canvas) -> None:
        chance = self.chance
        for _ in range(chance.below(3)):
            size = (chance.between(0.2, 0.9), chance.between(0.2, 0.9))
            shift = (chance.near(0, 2.5), chance.near(0, 3))
            place(page, np.ones((6, 6), np.float32), size, shift, chance)

    def _neighbours(self, page: Canvas) -> None:
        """Digits of the boxes at both sides, of which a little reaches in."""
        chance = self.chance
        for side in (-1, 1):
            if chance.happens(0.5):
                ink = self.hands.ink(chance.pick("023456789"), chance)
                size = (BOX_WIDTH * chance.between(0.5, 1.15), BOX_HEIGHT * chance.between(0.5, 1))
                shift = (side * (BOX_WIDTH + _GAP) + chance.near(0, 0.5), chance.near(0, 0.6))
                place(page, ink, size, shift, chance)


def place(
    page: Canvas, ink: Ink, size: tuple[float, float], shift: tuple[float, float], chance: Chance
) -> None:
    """Lay ink of that width and height, in millimetres, over the page, `shift` off its middle."""
    height, width = ink.shape
    turn, lean = np.radians(chance.near(0, 5)), chance.near(0.08, 0.16)
    scale = np.diag([size[0] * _FINE / width, size[1] * _FINE / height])
    turned = np.array([[np.cos(turn), -np.sin(turn)], [np.sin(turn), np.cos(turn)]])
    linear = turned @ np.array([[1, -lean], [0, 1]]) @ scale
    middle = np.array([page.shape[1] / 2, page.shape[0] / 2]) + np.array(shift) * _FINE
    offset = middle - linear @ np.array([width / 2, height / 2])
    warp = np.hstack([linear, offset[:, None]])
    laid = cv2.warpAffine(ink, warp, page.shape[::-1], flags=cv2.INTER_AREA)
    np.maximum(page, waved(np.asarray(laid, np.float32), chance), out=page)


def waved(ink: Canvas, chance: Chance) -> Canvas:
    """The ink bent a little, as no hand writes a form twice (Simard et al., 2003)."""
    reach = chance.between(0, 5)
    small = chance.numbers.normal(0, 1, (2, 5, 4)).astype(np.float32)
    size = (ink.shape[1], ink.shape[0])
    across, down = (cv2.resize(each, size, interpolation=cv2.INTER_CUBIC) * reach for each in small)
    rows, columns = np.mgrid[0 : ink.shape[0], 0 : ink.shape[1]].astype(np.float32)
    bent = cv2.remap(ink, columns + across, rows + down, cv2.INTER_LINEAR)
    return np.asarray(bent, np.float32)


def _scribble(page: Canvas, chance: Chance) -> None:
    count = 6 + chance.below(14)
    middle = np.array([page.shape[1], page.shape[0]]) / 2
    reach = np.array([BOX_WIDTH, BOX_HEIGHT * chance.between(0.3, 1)]) * _FINE * 0.45
    points = middle + chance.numbers.uniform(-1, 1, (count, 2)) * reach
    points[:, 0] = middle[0] + np.abs(points[:, 0] - middle[0]) * np.where(
        np.arange(count) % 2, 1, -1
    )
    line = np.round(points * 16).astype(np.int32)
    cv2.polylines(page, [line], False, 1.0, 2 + chance.below(6), cv2.LINE_AA, 4)  # noqa: FBT003


def _printed_box(shape: tuple[int, ...], chance: Chance) -> Canvas:
    """How dark the print is, from 0 to 1: the box, and its neighbours' edges."""
    page = np.zeros(shape, np.float32)
    dark, thickness = chance.between(0.35, 1.0), 2 + chance.below(3)
    x, y = (MARGIN + _AROUND) * _FINE, (MARGIN + _AROUND) * _FINE
    for step in (-1, 0, 1):
        left = x + step * (BOX_WIDTH + _GAP) * _FINE
        corners = [round(v) for v in (left, y, left + BOX_WIDTH * _FINE, y + BOX_HEIGHT * _FINE)]
        if step == 0 or chance.happens(0.8):
            cv2.rectangle(page, corners[:2], corners[2:], dark, thickness, cv2.LINE_AA)
    if chance.happens(0.5):  # the row above or below
        other = y + chance.pick((-1, 1)) * 10.0 * _FINE
        corner = (round(x + BOX_WIDTH * _FINE), round(other + BOX_HEIGHT * _FINE))
        cv2.rectangle(page, (round(x), round(other)), corner, dark, thickness, cv2.LINE_AA)
    return page


def photographed(printed: Canvas, ink: Canvas, chance: Chance) -> Image:
    """The crop that a phone's picture gives of print and ink on paper."""
    paper = chance.between(130, 250)
    black = chance.between(0.05, 0.35)
    pen = chance.between(0.05, 0.5) if chance.happens(0.92) else chance.between(0.5, 0.68)
    texture = cv2.GaussianBlur(
        chance.numbers.normal(0, 1, printed.shape).astype(np.float32),
        (0, 0),
        chance.between(0.8, 4),
    )
    light = 1 - printed * (1 - black)
    strength = ink * chance.between(0.8, 1.0)
    if chance.happens(0.3):  # a pencil or a dry pen leaves gaps
        strength = strength * np.clip(1 + texture * chance.between(0.2, 1.5), 0.3, 1)
    light = light * (1 - strength * (1 - pen))
    light = light + texture * chance.between(0, 0.03)
    turn, scale = np.radians(chance.near(0, 1.2)), chance.scale(0.96, 1.04)
    linear = np.array([[np.cos(turn), -np.sin(turn)], [np.sin(turn), np.cos(turn)]]) * scale
    linear = linear @ np.array([[1.0, chance.near(0, 0.02)], [chance.near(0, 0.02), 1.0]])
    around = np.array([printed.shape[1], printed.shape[0]]) / 2
    shift = chance.numbers.normal(0, 0.2, 2) * _FINE
    offset = around + shift - linear @ around
    seen = cv2.warpAffine(
        light,
        np.hstack([linear, offset[:, None]]),
        printed.shape[::-1],
        borderMode=cv2.BORDER_REPLICATE,
    )
    edge = round(_AROUND * _FINE)
    seen = seen[edge:-edge, edge:-edge] * paper
    # the phone's own grain and blur come in at its pixels, coarser than ours
    pixels = chance.scale(4, 11)
    small = (
        max(12, round(seen.shape[1] * pixels / _FINE)),
        max(14, round(seen.shape[0] * pixels / _FINE)),
    )
    seen = cv2.resize(seen, small, interpolation=cv2.INTER_AREA)
    if chance.happens(0.6):
        seen = cv2.GaussianBlur(seen, (0, 0), chance.between(0.3, 0.25 * pixels + 0.2))
    if chance.happens(0.25):
        seen = _moved(seen, chance, chance.between(0.3, 1.0) * pixels)
    seen = seen * _shade(seen.shape, chance)
    seen = seen + chance.numbers.normal(0, chance.scale(0.5, 7), seen.shape)
    image = np.clip(seen, 0, 255).astype(np.uint8)
    if chance.happens(0.6):
        quality = [cv2.IMWRITE_JPEG_QUALITY, 30 + chance.below(65)]
        packed = cv2.imencode(".jpg", image, quality)[1]
        image = np.asarray(cv2.imdecode(packed, cv2.IMREAD_GRAYSCALE), np.uint8)
    sized = cv2.resize(image, (CROP_WIDTH, CROP_HEIGHT), interpolation=cv2.INTER_AREA)
    return np.asarray(sized, np.uint8)[:, :, None]


def _moved(seen: NDArray[Any], chance: Chance, reach: float) -> Canvas:
    """Smeared along a line of that many pixels to both sides: the phone was not held still."""
    turn, steps = chance.between(0, np.pi), np.linspace(-reach, reach, 2 * round(2 * reach) + 1)
    size = seen.shape[::-1]
    smeared = np.zeros(seen.shape, np.float32)
    for step in steps:
        shift = np.array([[1, 0, step * np.cos(turn)], [0, 1, step * np.sin(turn)]])
        smeared += cv2.warpAffine(seen, shift, size, borderMode=cv2.BORDER_REPLICATE)
    return smeared / np.float32(len(steps))


def _shade(shape: tuple[int, ...], chance: Chance) -> NDArray[np.float32]:
    """A slope of light, or the edge of a shadow."""
    rows, columns = np.mgrid[-1 : 1 : shape[0] * 1j, -1 : 1 : shape[1] * 1j]
    turn = chance.between(0, 2 * np.pi)
    along = np.cos(turn) * columns + np.sin(turn) * rows + chance.between(-0.8, 0.8)
    if chance.happens(0.15):
        along = np.tanh(along * chance.between(2, 12))
        return np.asarray(1 + along * chance.between(0.05, 0.3), np.float32)
    return np.asarray(1 + along * chance.between(0, 0.12), np.float32)
