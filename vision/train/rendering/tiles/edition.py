"""An edition of the game as somebody might own it: plastic, moulding, numerals, inks and joker.

Lengths are in widths of a tile; places on the top are shares of its width and its length. The
ranges are those measured on photographs of several editions.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray
from PIL import Image as Pillow
from PIL import ImageDraw, ImageFont

from vision.train.rendering.chance import Random, between, happens, pick
from vision.train.rendering.geometry import Picture
from vision.train.rendering.slab import Slab

Ink = NDArray[np.float32]
_FOLDER: Final = Path("/usr/share/fonts")
_SIZE: Final = 240
OWN: Final = ""  # Pillow's own face, which is always there
MOULDED: Final = "moulded"  # heavy strokes, as on extra-large tiles
# How often each heavy face is wanted: tiles wear plain grotesques, seldom one with serifs.
_WANTED: Final = {
    "LiberationSans-Bold.ttf": 5,
    "LiberationSansNarrow-Bold.ttf": 4,
    "NotoSans-Bold.ttf": 3,
    "NotoSansDisplay-Bold.ttf": 3,
    "NotoSansCJK-Bold.ttc": 3,
    "DejaVuSans-Bold.ttf": 2,
    "DejaVuSansCondensed-Bold.ttf": 2,
    "LiberationSerif-Bold.ttf": 1,
    "DejaVuSerif-Bold.ttf": 1,
    "NotoSerif-Bold.ttf": 1,
}


@cache
def faces() -> tuple[tuple[float, str], ...]:
    """The heavy faces that this machine has, each with how often it is wanted."""
    return (*((_WANTED[name], path) for name, path in installed(_WANTED).items()), (1.0, OWN))


def installed(names: Collection[str]) -> dict[str, str]:
    """Where this machine has the faces that it has, in the order of their names."""
    found = {path.name: str(path) for path in _FOLDER.rglob("*") if path.name in names}
    return {name: found[name] for name in names if name in found}


@cache
def glyphs(face: str, text: str, bold: int = 0, size: int = _SIZE) -> NDArray[np.uint8]:
    """A text as large as it is, cut to its ink; `bold` thickens it, in pixels of the size."""
    if face == MOULDED:
        return _moulded_text(text, bold)
    own = face == OWN
    font = ImageFont.load_default(size) if own else ImageFont.truetype(face, size)
    page = Pillow.new("L", ((len(text) + 2) * size, 2 * size))
    stroke = bold + (size // 20 if own else 0)  # Pillow's is a light one
    ImageDraw.Draw(page).text((size, size // 4), text, 255, font, stroke_width=stroke)
    ink = np.asarray(page, np.uint8)
    rows, columns = np.nonzero(ink.max(axis=1))[0], np.nonzero(ink.max(axis=0))[0]
    return ink[rows[0] : rows[-1] + 1, columns[0] : columns[-1] + 1]


# Strokes of moulded numerals, x right and y down in heights of a numeral; its 4 is closed, its 1
# has a flag and no foot
_NUMERALS: Final[dict[str, tuple[tuple[tuple[float, float], ...], ...]]] = {
    "1": (((0.02, 0.24), (0.2, 0.1), (0.24, 0.1), (0.24, 0.9)),),
    "4": (((0.4, 0.9), (0.4, 0.1), (0.36, 0.1), (0.08, 0.66), (0.52, 0.66)),),
    "5": (
        ((0.46, 0.1), (0.13, 0.1), (0.1, 0.47), (0.26, 0.42), (0.4, 0.46), (0.47, 0.56),
         (0.48, 0.68), (0.43, 0.81), (0.3, 0.9), (0.16, 0.87), (0.08, 0.8)),
    ),
    "7": (((0.08, 0.1), (0.48, 0.1), (0.2, 0.9)),),
}  # fmt: skip
_STROKE: Final = 0.2  # of the numeral's height


def _moulded_text(text: str, bold: int) -> NDArray[np.uint8]:
    """Numerals as they are moulded, side by side, cut to their ink."""
    parts, gap = [], np.zeros((_SIZE, _SIZE // 24), np.uint8)
    for letter in text:
        page = np.zeros((_SIZE, _SIZE), np.uint8)
        broad = round(_STROKE * _SIZE) + bold
        for stroke in _strokes(letter):
            corners = (stroke * _SIZE + np.array([_SIZE / 5, 0])).round().astype(np.int32)
            cv2.polylines(page, [corners], isClosed=False, color=255, thickness=broad)
        columns = np.nonzero(page.max(axis=0))[0]
        parts += [page[:, columns[0] : columns[-1] + 1], gap]
    return np.hstack(parts[:-1])


def _strokes(letter: str) -> list[NDArray[np.float64]]:
    if letter in _NUMERALS:
        return [np.array(each) for each in _NUMERALS[letter]]
    if letter in "69":
        bowl, tail = _arc(0.28, 0.65, 0.19, 0.25), [(0.42, 0.1), (0.2, 0.36), (0.1, 0.56)]
        six = [bowl, np.array(tail)]
        return six if letter == "6" else [np.array([0.56, 1.0]) - each for each in six]
    if letter == "8":
        return [_arc(0.28, 0.3, 0.17, 0.2), _arc(0.28, 0.69, 0.2, 0.21)]
    if letter == "0":
        return [_arc(0.28, 0.5, 0.2, 0.4)]
    if letter == "2":
        head = _arc(0.28, 0.31, 0.18, 0.21, (180, 380))
        return [head, np.array([tuple(head[-1]), (0.09, 0.9), (0.49, 0.9)])]
    upper, lower = _arc(0.26, 0.3, 0.17, 0.2, (200, 450)), _arc(0.26, 0.69, 0.2, 0.21, (270, 520))
    return [upper, lower]  # a 3


def text_ink(
    face: str, text: str, box: tuple[float, float, float, float], size: tuple[int, int],
    bold: int = 0,
) -> Ink:  # fmt: skip
    """A text stretched into a box of a top that is that many pixels wide and high.

    The box is left, top, right, bottom in shares of the top's width and height.
    """
    width, height = size
    left, top = round(box[0] * width), round(box[1] * height)
    right, bottom = max(left + 2, round(box[2] * width)), max(top + 3, round(box[3] * height))
    ink = np.zeros((height, width), np.float32)
    shape = (right - left, bottom - top)
    drawn = cv2.resize(glyphs(face, text, bold), shape, interpolation=cv2.INTER_AREA)
    inside = ink[max(top, 0) : bottom, max(left, 0) : right]
    rows, columns = inside.shape
    inside[:] = drawn[max(-top, 0) :, max(-left, 0) :][:rows, :columns].astype(np.float32) / 255
    return ink


def proportion(face: str, text: str, bold: int = 0) -> float:
    """How wide a text is for its height."""
    height, width = glyphs(face, text, bold).shape
    return float(width / height)


_PIXELS: Final = 320


@dataclass(frozen=True, slots=True, eq=False)
class _Pen:
    """Draws on the square, in shares of its side; `line` is the pen's breadth."""

    page: Ink
    line: float

    def path(self, points: NDArray[np.float64], *, closed: bool = False) -> None:
        """A line through points (N x 2)."""
        corners = _places(points)
        broad = max(1, round(self.line * _PIXELS))
        cv2.polylines(self.page, [corners], closed, 1.0, broad, cv2.LINE_AA)

    def area(self, points: NDArray[np.float64], ink: float = 1.0) -> None:
        """A filled area; ink 0 takes away what is there."""
        cv2.fillPoly(self.page, [_places(points)], ink, cv2.LINE_AA)

    def oval(self, x: float, y: float, across: float, down: float, *, filled: bool) -> None:
        points = _arc(x, y, across, down)
        if filled:
            self.area(points)
        else:
            self.path(points, closed=True)


def _places(points: NDArray[np.float64]) -> NDArray[np.int32]:
    return ((np.asarray(points) + 0.5) * _PIXELS).round().astype(np.int32)


def _arc(
    x: float, y: float, across: float, down: float, ends: tuple[float, float] = (0.0, 360.0)
) -> NDArray[np.float64]:
    """A piece of an ellipse between two angles in degrees, clockwise from the right."""
    angle = np.radians(np.linspace(*ends, 48))
    return np.stack([x + across * np.cos(angle), y + down * np.sin(angle)], axis=1)


def joker_ink(design: str, random: Random) -> Ink:
    """A design of `DESIGNS` as ink, 320 x 320; chance draws its features.

    Raises:
        KeyError: there is no such design.
    """
    pen = _Pen(np.zeros((_PIXELS, _PIXELS), np.float32), between(random, 0.018, 0.05))
    DESIGNS[design](pen, random)
    return pen.page


def any_design(random: Random) -> str:
    """A design, faces more often."""
    weights = {"smile": 3.0, "jester": 3.0, "star": 2.0}
    return pick(random, [(weights.get(name, 1.0), name) for name in DESIGNS])


def _features(pen: _Pen, random: Random, size: float, y: float) -> None:
    """Eyes, nose and mouth of a face of some radius."""
    apart, high = size * between(random, 0.28, 0.45), y - size * between(random, 0.15, 0.35)
    tall, filled = size * between(random, 0.08, 0.2), happens(random, 0.6)
    for side in (-1, 1):
        pen.oval(side * apart, high, tall * between(random, 0.6, 1), tall, filled=filled)
        if happens(random, 0.4):
            brow = _arc(side * apart, high - 0.5 * tall, 1.4 * tall, 1.6 * tall, (205, 335))
            pen.path(brow)
    wide, deep = size * between(random, 0.4, 0.65), size * between(random, 0.25, 0.5)
    ends = (between(random, 0, 20), between(random, 160, 180))
    smile = _arc(0, y + 0.15 * size, wide, deep, ends)
    if happens(random, 0.3):
        pen.area(smile)
    else:
        pen.path(smile, closed=happens(random, 0.3))
    if happens(random, 0.6):
        nose = size * between(random, 0.06, 0.14)
        pen.oval(0, y + 0.1 * size, nose, nose * 1.2, filled=happens(random, 0.5))


def _smile(pen: _Pen, random: Random) -> None:
    size = 0.44
    if happens(random, 0.85):
        pen.oval(0, 0, size, size * between(random, 0.95, 1.05), filled=False)
    _features(pen, random, size * between(random, 0.75, 1), 0.0)
    if happens(random, 0.35):
        for at in np.linspace(-0.25, 0.25, int(random.integers(3, 8))):
            top = -(max(0.19 - at**2, 0.0) ** 0.5)
            pen.path(np.array([(at, top), (at * 1.2, top + between(random, 0.06, 0.14))]))


def _jester(pen: _Pen, random: Random) -> None:
    """A face under a cap with three points and their bells, a collar below."""
    pen.path(_arc(0, 0.12, 0.2, 0.26, (0, 180)))
    brim = np.array([(-0.24, 0.06), (0.24, 0.06), (0.2, -0.04), (-0.2, -0.04)])
    pen.path(brim, closed=True)
    _features(pen, random, 0.2, 0.17)
    tips = [(-0.4, between(random, -0.12, 0.1)), (between(random, -0.05, 0.05), -0.42)]
    tips.append((0.4, between(random, -0.12, 0.1)))
    roots = np.linspace(-0.22, 0.22, 4)
    for number, tip in enumerate(tips):
        left, right = (roots[number], -0.03), (roots[number + 1], -0.03)
        bow = (0.6 * tip[0], min(tip[1], -0.1) - 0.14)
        point = np.array([left, bow, tip, right])
        if number % 2 and happens(random, 0.5):
            pen.area(point)
        pen.path(point, closed=True)
        pen.oval(*tip, 0.045, 0.045, filled=happens(random, 0.7))
    if happens(random, 0.6):
        collar = np.linspace(-0.3, 0.3, 9)
        pen.path(np.array([(at, 0.38 + 0.07 * (nth % 2)) for nth, at in enumerate(collar)]))


def _star(pen: _Pen, random: Random) -> None:
    points = int(random.choice([5, 5, 5, 6, 8]))
    outer = 0.44
    inner = outer * between(random, 0.36, 0.55)
    angle = np.arange(2 * points) * np.pi / points - np.pi / 2
    radius = np.where(np.arange(2 * points) % 2 == 0, outer, inner)
    outline = np.stack([radius * np.cos(angle), radius * np.sin(angle)], axis=1)
    if happens(random, 0.5):
        pen.area(outline)
    else:
        pen.path(outline, closed=True)
        if happens(random, 0.5):
            _features(pen, random, inner, 0.0)


def _sun(pen: _Pen, random: Random) -> None:
    """A face with rays, or a flower."""
    size, rays = 0.27, int(random.integers(8, 17))
    pen.oval(0, 0, size, size, filled=False)
    _features(pen, random, size, 0.0)
    for angle in np.arange(rays) * 2 * np.pi / rays:
        way = np.array([np.cos(angle), np.sin(angle)])
        pen.path(np.stack([way * (size + 0.04), way * between(random, 0.38, 0.45)]))


def _cards(pen: _Pen, random: Random) -> None:
    """A ring with a diamond, a heart of strokes, or rings in it."""
    pen.oval(0, 0, 0.43, 0.43, filled=False)
    reach = between(random, 0.2, 0.36)
    for share in (1.0, 0.6) if happens(random, 0.5) else (1.0,):
        corners = np.array([(0, -reach), (reach * 0.75, 0), (0, reach), (-reach * 0.75, 0)])
        pen.path(corners * share, closed=True)


def _letters(pen: _Pen, random: Random) -> None:
    """A large J, or the word."""
    text = "J" if happens(random, 0.5) else "JOKER"
    tall = 0.42 if text == "J" else 0.16
    wide = 0.26 if text == "J" else 0.46
    box = (0.5 - wide, 0.5 - tall, 0.5 + wide, 0.5 + tall)
    pen.page[:] = np.maximum(pen.page, text_ink(OWN, text, box, (_PIXELS, _PIXELS), 8))


def _clown(pen: _Pen, random: Random) -> None:
    """A face with curls at both sides and a small hat."""
    _features(pen, random, 0.3, 0.08)
    pen.path(_arc(0, 0.08, 0.28, 0.32, (-40, 220)))
    for side in (-1, 1):
        for _ in range(int(random.integers(3, 6))):
            x, y = side * between(random, 0.26, 0.38), between(random, -0.18, 0.1)
            pen.oval(x, y, 0.06, 0.06, filled=False)
    hat = np.array([(-0.14, -0.24), (0.14, -0.24), (between(random, -0.08, 0.08), -0.47)])
    if happens(random, 0.5):
        pen.area(hat)
    pen.path(hat, closed=True)


DESIGNS: Final[dict[str, Callable[[_Pen, Random], None]]] = {
    "smile": _smile,
    "jester": _jester,
    "star": _star,
    "sun": _sun,
    "cards": _cards,
    "letters": _letters,
    "clown": _clown,
}


Tint = tuple[float, float, float]
# Ink divided by face, red green blue; in the order black, red, blue, orange, of several editions.
_INKS: Final[tuple[tuple[Tint, ...], ...]] = (
    ((0.22, 0.21, 0.19), (0.10, 0.10, 0.10), (0.30, 0.29, 0.30)),
    ((0.89, 0.30, 0.32), (0.80, 0.12, 0.14), (0.86, 0.20, 0.36), (0.72, 0.12, 0.12)),
    ((0.11, 0.44, 0.84), (0.33, 0.72, 0.83), (0.17, 0.61, 0.77), (0.14, 0.26, 0.66)),
    ((0.99, 0.66, 0.37), (1.0, 0.50, 0.20), (0.98, 0.74, 0.26), (0.95, 0.58, 0.12)),
)
_PLASTICS: Final[tuple[Tint, ...]] = (
    (0.93, 0.89, 0.79), (0.96, 0.94, 0.89), (0.90, 0.84, 0.68),
    (0.97, 0.96, 0.94), (0.88, 0.79, 0.60), (0.95, 0.90, 0.84),
)  # fmt: skip
_LETTERS: Final = "abdeghkmnoprstuvwy"


@dataclass(frozen=True, slots=True, eq=False)
class Edition:
    """What all tiles of one set share.

    `plastic` and `inks` are shares of light from 0 to 1 as a display shows them, the inks in
    the order black, red, blue, orange and relative to the plastic; `digit` and `digit_top`,
    `digit_bottom` are a single digit's width and where the numerals begin and end; `dish` is the
    radius of the dished disc (0: none), `dish_depth`, `word_height` and `engraved` how deep or
    high it, the moulded word and the ink lie. `grain` is how dark wood's grain is (0: plastic), and
    `heart` the width of the heart in a dish below an Okey tile's number (0: none).
    """

    shape: Slab
    plastic: Tint
    roughness: float
    inks: tuple[Tint, ...]
    face: str
    bold: int
    digit: float
    digit_top: float
    digit_bottom: float
    dish: float
    dish_depth: float
    word: str
    word_face: str
    word_height: float
    engraved: float
    joker: NDArray[np.float32]
    joker_width: float
    joker_middle: float
    backs: Tint
    grain: float = 0.0
    heart: float = 0.0


def any_edition(random: Random) -> Edition:
    """Some edition: classic numerals more often than extra-large ones."""
    large = happens(random, 0.33)
    plastic = _near(random, pick(random, [(1.0, each) for each in _PLASTICS]), 0.02)
    top, bottom = _numerals(random, large=large)
    dished = not large and happens(random, 0.75)
    return Edition(
        shape=any_shape(random),
        plastic=plastic,
        roughness=between(random, 0.16, 0.5),
        inks=tuple(_near(random, pick(random, [(1.0, ink) for ink in row]), 0.06) for row in _INKS),
        face=pick(random, faces()),
        bold=int(random.integers(0, 9)),
        digit=between(random, 0.36, 0.46) if large else between(random, 0.26, 0.33),
        digit_top=top,
        digit_bottom=bottom,
        dish=between(random, 0.35, 0.39) if dished else 0.0,
        dish_depth=between(random, 0.012, 0.045),
        word=_word(random) if happens(random, 0.75) else "",
        word_face=pick(random, faces()),
        word_height=between(random, 0.004, 0.016) * float(random.choice([1, 1, -1])),
        engraved=between(random, 0.0, 0.012),
        joker=joker_ink(any_design(random), random),
        joker_width=between(random, 0.62, 0.82) * (1.1 if large else 1.0),
        joker_middle=between(random, 0.34, 0.42),
        backs=_near(random, plastic, 0.01),
    )


def any_shape(random: Random) -> Slab:
    """How the tiles of a set are cut."""
    return Slab(
        width=1.0,
        length=between(random, 1.41, 1.46),
        thickness=float(random.triangular(0.25, 0.28, 0.45)),
        chamfer=between(random, 0.035, 0.07),
        corner_radius=between(random, 0.04, 0.08),
    )


def _numerals(random: Random, *, large: bool) -> tuple[float, float]:
    """Where numerals begin and end, in shares of the top's length."""
    if large:
        return between(random, 0.08, 0.13), between(random, 0.58, 0.66)
    top = between(random, 0.17, 0.215)
    return top, top + between(random, 0.27, 0.33)


def _word(random: Random) -> str:
    count = int(random.integers(6, 10))
    return "".join(str(random.choice(list(_LETTERS))) for _ in range(count)).capitalize()


def _near(random: Random, tint: Tint, spread: float) -> Tint:
    """The tint a little lighter or darker, and less so a little redder, greener or bluer."""
    shift = float(random.normal(0, spread))
    red, green, blue = (
        float(np.clip(part * (1 + shift) + random.normal(0, spread / 3), 0.03, 1.05))
        for part in tint
    )
    return red, green, blue


JOKER: Final = 14  # after the numbers 1 to 13
_WORD: Final = (0.73, 0.84)
_TWO: Final = 9
_NARROWEST: Final = 12


@dataclass(frozen=True, slots=True)
class Printed:
    """What is printed on a tile: its number or JOKER, and its ink's place in COLOURS."""

    kind: int
    colour: int


@dataclass(frozen=True, slots=True, eq=False)
class Top:
    """A tile's top, H x W: paint (red, green, blue), heights in widths of a tile, ink's box.

    The box is left, top, right, bottom in shares of the top.
    """

    paint: Picture
    relief: NDArray[np.float32]
    ink_box: tuple[float, float, float, float]


def top_of(edition: Edition, printed: Printed, pixels: int, random: Random) -> Top:
    """Print one tile of an edition, that many pixels wide."""
    size = (pixels, round(pixels * edition.shape.length))
    ink = _joker(edition, size) if printed.kind == JOKER else _number(edition, printed.kind, size)
    if edition.heart and printed.kind != JOKER:
        ink = np.maximum(ink, _heart(edition, size))
    paint = _plastic(edition.plastic, size, random)
    if edition.grain:
        paint *= _grain(edition, size, random)[..., None]
    worn = ink * between(random, 0.82, 1.0)
    tint = np.array(_near_colour(edition.inks[printed.colour], random))
    paint *= 1 - worn[..., None] * (1 - tint)
    relief = _moulding(edition, size) - edition.engraved * ink
    return Top(_eight_bits(paint), relief.astype(np.float32), _box(ink))


def back_of(edition: Edition, pixels: int, random: Random) -> Picture:
    """A blank back of an edition, that many pixels wide."""
    size = (pixels, round(pixels * edition.shape.length))
    return _eight_bits(_plastic(edition.backs, size, random))


def _number(edition: Edition, number: int, size: tuple[int, int]) -> Ink:
    """The numerals in the upper half, all digits of one width as the edition's eight."""
    text = str(number)
    height = (edition.digit_bottom - edition.digit_top) * edition.shape.length
    stretch = edition.digit / (proportion(edition.face, "8", edition.bold) * height)
    wide = min(0.86, proportion(edition.face, text, edition.bold) * height * stretch)
    if number > _TWO:
        wide *= 0.94  # set a little tighter than type is
    box = (0.5 - wide / 2, edition.digit_top, 0.5 + wide / 2, edition.digit_bottom)
    return text_ink(edition.face, text, box, size, edition.bold)


def _joker(edition: Edition, size: tuple[int, int]) -> Ink:
    width, height = size
    side = max(_NARROWEST, round(edition.joker_width * width))
    ink = np.zeros((height, width), np.float32)
    left, top = (width - side) // 2, max(0, round(edition.joker_middle * height - side / 2))
    drawn = cv2.resize(edition.joker, (side, side), interpolation=cv2.INTER_AREA)
    place = ink[top : top + side, max(left, 0) : max(left, 0) + side]
    place[:] = drawn[: place.shape[0], : place.shape[1]]
    return ink


_HEART_MIDDLE: Final = 0.74  # of the length


def _heart(edition: Edition, size: tuple[int, int]) -> Ink:
    width, height = size
    angle = np.linspace(0, 2 * np.pi, 60)
    across = 16 * np.sin(angle) ** 3
    down = -(13 * np.cos(angle) - 5 * np.cos(2 * angle) - 2 * np.cos(3 * angle) - np.cos(4 * angle))
    points = np.stack([across, down], axis=1) / 32 * edition.heart * width
    points += np.array([0.5 * width, _HEART_MIDDLE * height])
    ink = np.zeros((height, width), np.float32)
    cv2.fillPoly(ink, [(points * 16).round().astype(np.int32)], 1.0, cv2.LINE_AA, 4)
    return ink


def _grain(edition: Edition, size: tuple[int, int], random: Random) -> NDArray[np.float64]:
    """Fibres along the tile, and one piece of wood darker than the next."""
    width, height = size
    fibres = random.normal(0, 1, (5, 28))
    rings = np.sin(np.linspace(0, between(random, 4, 16), 28) + between(random, 0, 6))
    drawn = cv2.resize(fibres * 0.5 + rings, (width, height), interpolation=cv2.INTER_CUBIC)
    return np.asarray(1 - edition.grain * np.clip(0.5 * drawn + random.normal(0, 0.4), -1, 1.2))


def _moulding(edition: Edition, size: tuple[int, int]) -> Ink:
    """The dished disc and the word, in widths of a tile."""
    width, height = size
    relief = np.zeros((height, width), np.float32)
    for radius, middle, depth in (
        (edition.dish, 0.36, edition.dish_depth),
        (0.85 * edition.heart, _HEART_MIDDLE, 0.03),
    ):
        if radius:
            across = (np.arange(width) + 0.5) / width - 0.5
            down = ((np.arange(height) + 0.5) / height - middle) * edition.shape.length
            away = np.hypot(across[None, :], down[:, None]) / radius
            relief -= (depth * np.clip(1 - away**2, 0, None)).astype(np.float32)
    if edition.word:
        top, bottom = _WORD
        word = text_ink(edition.word_face, edition.word, (0.17, top, 0.83, bottom), size)
        relief += edition.word_height * cv2.GaussianBlur(word, (0, 0), max(0.4, width / 180))
    return relief


def _plastic(tint: Tint, size: tuple[int, int], random: Random) -> NDArray[np.float64]:
    """The bare plastic: no two tiles quite the same, none quite even; some wear dirt."""
    width, height = size
    colour = np.array(_near_colour(tint, random))
    clouds = cv2.resize(random.normal(0, 1, (6, 4)), (width, height), interpolation=cv2.INTER_CUBIC)
    paint = colour * (1 + between(random, 0, 0.02) * clouds[..., None])
    if happens(random, 0.15):
        specks = cv2.resize(random.normal(0, 1, (height // 3 + 1, width // 3 + 1)), (width, height))
        dirt = np.clip(specks - 1.6, 0, 1)[..., None]
        paint = paint * (1 - between(random, 0.05, 0.3) * dirt)
    return np.asarray(paint)


def _near_colour(tint: Tint, random: Random) -> list[float]:
    shift = 1 + random.normal(0, 0.012)
    return [max(0.02, float(part * shift + random.normal(0, 0.004))) for part in tint]


def _eight_bits(paint: NDArray[np.float64]) -> Picture:
    return np.asarray(np.clip(paint * 255, 0, 255).round(), np.uint8)


def _box(ink: Ink) -> tuple[float, float, float, float]:
    height, width = ink.shape
    rows, columns = np.nonzero(ink.max(axis=1) > 0.3)[0], np.nonzero(ink.max(axis=0) > 0.3)[0]  # noqa: PLR2004
    left, right = float(columns[0] / width), float((columns[-1] + 1) / width)
    return left, float(rows[0] / height), right, float((rows[-1] + 1) / height)
