"""Grounds under dice, painted: felt, wood, cloth, carpet, print, leather, stone, game boards.

A ground is painted as if seen from above; `scale` is how many pixels a die's side spans, so that
threads, letters and boards have their natural size next to the dice.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.train.rendering.chance import Random, between, happens, pick, pick_name
from vision.train.rendering.dice_set import from_hue, greyish, pastel, vivid
from vision.train.rendering.geometry import PIPS, Colour, Material, Picture

_BLACK: Final[Colour] = (20, 20, 20)
_MARKS: Final = ((0.15, "disc"), (0.1, "word"), (0.07, "spots"), (0.68, "nothing"))
_LETTERS: Final = "abcdefghijklmnopqrstuvwxyzabcdeeinrst     "


def _blank(colour: Colour, height: int, width: int) -> Picture:
    return np.full((height, width, 3), colour, dtype=np.uint8)


def print_news(random: Random, scale: float, pixels: int) -> Picture:
    """Columns of small text with headlines, pictures of dots, and rules between."""
    sheet = _blank(greyish(random, 0.72, 0.95), pixels, pixels)
    column = max(int(random.uniform(2.5, 5) * scale), 40)
    line = max(between(random, 0.16, 0.35) * scale, 5.0)
    for left in range(0, pixels, column):
        row = between(random, 0, 3) * line
        while row < pixels:
            row += _news_piece(random, sheet, (left + 3, int(row)), column - 8, line)
    return sheet


def _news_piece(
    random: Random, sheet: Picture, place: tuple[int, int], width: int, line: float
) -> float:
    """Print one line, headline or picture, and say how far down it reached."""
    ink = greyish(random, 0.05, 0.3)
    if happens(random, 0.03):
        height = int(random.uniform(4, 9) * line)
        _dotted(random, sheet, place, (width, height), ink)
        return height + line
    size = line * (2.6 if happens(random, 0.05) else 1.0)
    words = _words(random, int(width / size * 1.9))
    _text(sheet, words, (place[0], int(place[1] + size)), size, ink)
    return size * 1.25


def _words(random: Random, count: int) -> str:
    return "".join(random.choice(list(_LETTERS), size=max(count, 1)))


def _text(sheet: Picture, words: str, place: tuple[int, int], size: float, ink: Colour) -> None:
    thick = max(round(size / 14), 1)
    cv2.putText(
        sheet, words, place, cv2.FONT_HERSHEY_SIMPLEX, size / 34, ink, thick, cv2.LINE_AA
    )  # fmt: skip


def _dotted(
    random: Random, sheet: Picture, place: tuple[int, int], size: tuple[int, int], ink: Colour
) -> None:
    """A printed picture: a block of colour with circles and bars on it."""
    (left, top), (width, height) = place, size
    cv2.rectangle(sheet, place, (left + width, top + height), pastel(random), -1)
    for _ in range(int(random.integers(3, 12))):
        middle = (left + int(random.uniform(0, width)), top + int(random.uniform(0, height)))
        radius = max(int(random.uniform(0.03, 0.2) * height), 1)
        filled = -1 if happens(random, 0.6) else 2
        cv2.circle(sheet, middle, radius, ink, filled, cv2.LINE_AA)


def print_board(random: Random, scale: float, pixels: int) -> Picture:
    """A game board: coloured fields in rows, with discs, stars of dots and words on them."""
    sheet = _blank(pastel(random), pixels, pixels)
    field = max(int(random.uniform(1.2, 3.5) * scale), 16)
    colours = [vivid(random), pastel(random), greyish(random, 0.85, 0.98), vivid(random)]
    for top in range(0, pixels, field):
        for left in range(0, pixels, field):
            _field(random, sheet, (left, top), field, colours)
    return sheet


def print_hexes(random: Random, scale: float, pixels: int) -> Picture:
    """A game board of six-sided landscapes, round number tokens on most of them."""
    sheet = _blank(pick(random, ((0.5, vivid(random)), (0.5, pastel(random)))), pixels, pixels)
    radius = max(between(random, 1.2, 3) * scale, 10.0)
    lands = [
        from_hue(between(random, 0.02, 0.4), between(random, 0.3, 0.8), between(random, 0.3, 0.8))
        for _ in range(5)
    ]
    for row in range(int(pixels / (1.5 * radius)) + 2):
        for column in range(int(pixels / (1.73 * radius)) + 2):
            middle = np.array([(column + 0.5 * (row % 2)) * 1.73 * radius, row * 1.5 * radius])
            _hex(random, sheet, middle, radius, lands)
    return sheet


def _hex(
    random: Random, sheet: Picture, middle: NDArray[np.float64], radius: float, lands: list[Colour]
) -> None:
    angle = np.pi / 6 + np.arange(6) * np.pi / 3
    outline = middle + 0.95 * radius * np.stack([np.cos(angle), np.sin(angle)], axis=1)
    land = lands[int(random.integers(len(lands)))]
    cv2.fillConvexPoly(sheet, outline.round().astype(np.int32), land, cv2.LINE_AA)
    for _ in range(12):
        speck = (middle + random.normal(0, 0.35 * radius, 2)).round().astype(int).tolist()
        cv2.circle(sheet, speck, max(int(0.09 * radius), 1), _shaded(land, 0.75), -1, cv2.LINE_AA)
    if happens(random, 0.6):
        spot, size = middle.round().astype(int).tolist(), 0.3 * radius
        cv2.circle(sheet, spot, int(size), (236, 226, 196), -1, cv2.LINE_AA)
        place = (int(middle[0] - 0.5 * size), int(middle[1] + 0.4 * size))
        _text(sheet, str(random.integers(2, 13)), place, 1.1 * size, _BLACK)


def _field(
    random: Random, sheet: Picture, place: tuple[int, int], field: int, colours: list[Colour]
) -> None:
    left, top = place
    fill = colours[int(random.choice(4, p=[0.2, 0.4, 0.3, 0.1]))]
    far = (left + field - 1, top + field - 1)
    cv2.rectangle(sheet, place, far, fill, -1)
    cv2.rectangle(sheet, place, far, (40, 40, 40), max(field // 40, 1), cv2.LINE_AA)
    mark = pick(random, _MARKS)
    if mark == "disc":
        middle = (left + field // 2, top + field // 2)
        cv2.circle(sheet, middle, int(field * 0.35), colours[0], -1, cv2.LINE_AA)
    elif mark == "word":
        _text(sheet, _words(random, 5), (left + 3, top + field // 2), field / 4, (30, 30, 30))
    elif mark == "spots":
        # A few dots strewn over a field, in no order that a die has
        for _ in range(int(random.integers(2, 9))):
            across, down = random.uniform(0.1, 0.9, 2) * field
            radius = max(int(field * random.uniform(0.02, 0.06)), 1)
            spot = (left + int(across), top + int(down))
            cv2.circle(sheet, spot, radius, _BLACK, -1, cv2.LINE_AA)


def print_mat(random: Random, scale: float, pixels: int) -> Picture:
    """A playing mat: rings, dots or stripes of one size over a plain ground."""
    dark = happens(random, 0.6)
    ground = greyish(random, 0.08, 0.3) if dark else pastel(random)
    sheet = _blank(ground, pixels, pixels)
    step, colour = max(between(random, 0.35, 3) * scale, 6.0), vivid(random)
    radius = max(int(step * random.uniform(0.08, 0.4)), 1)
    kind = str(random.choice(["dots", "rings", "stripes", "waves"]))
    if kind in ("dots", "rings"):
        thick = -1 if kind == "dots" else max(radius // 5, 1)
        count = int(len(sheet) / step) + 1
        for row in range(count):
            for column in range(count):
                across = (column + 0.5 * (row % 2)) * step
                middle = (int(across), int(row * step))
                cv2.circle(sheet, middle, radius, colour, thick, cv2.LINE_AA)
        return sheet
    rows = np.arange(pixels)[:, None] + (0.2 * step * np.sin(np.arange(pixels) / step * 3))[None, :]
    rows = rows if kind == "waves" else np.arange(pixels)[:, None] + np.zeros((1, pixels))
    sheet[rows % step < radius] = colour
    return sheet


def print_coin(random: Random, metal: Colour) -> Picture:
    """A coin's face: a raised rim, a head or a number, letters around."""
    face = _blank(metal, 160, 160)
    dark = _shaded(metal, 0.55)
    cv2.circle(face, (80, 80), 74, dark, 3, cv2.LINE_AA)
    if happens(random, 0.5):
        _text(face, str(int(random.choice([1, 2, 5, 10, 20, 50]))), (42, 105), 74, dark)
    else:
        cv2.ellipse(face, (80, 76), (26, 34), 12, 0, 360, dark, -1, cv2.LINE_AA)
        cv2.ellipse(face, (84, 126), (34, 22), 0, 180, 360, dark, -1, cv2.LINE_AA)
    for angle in np.arange(0, 2 * np.pi, 0.35):
        spot = (int(80 + 62 * np.cos(angle)), int(80 + 62 * np.sin(angle)))
        cv2.circle(face, spot, 2, dark, -1, cv2.LINE_AA)
    return face


def _shaded(colour: Colour, share: float) -> Colour:
    red, green, blue = (round(part * share) for part in colour)
    return red, green, blue


def print_button(random: Random, colour: Colour) -> Picture:
    """A shirt button: a rim and two or four holes."""
    face = _blank(colour, 128, 128)
    cv2.circle(face, (64, 64), 44, _shaded(colour, 0.75), 4, cv2.LINE_AA)
    turn, holes = random.uniform(0, np.pi), int(random.choice([2, 4, 4]))
    for hole in range(holes):
        angle = turn + 2 * np.pi * hole / holes
        spot = (int(64 + 15 * np.cos(angle)), int(64 + 15 * np.sin(angle)))
        cv2.circle(face, spot, 7, _shaded(colour, 0.25), -1, cv2.LINE_AA)
    return face


def print_chip(random: Random) -> Picture:
    """A gambling chip: stripes around the rim, a ring inside."""
    colour, light = vivid(random), greyish(random, 0.85, 0.98)
    face = _blank(colour, 160, 160)
    for start in range(0, 360, 60):
        cv2.ellipse(face, (80, 80), (80, 80), 0, start, start + 25, light, -1, cv2.LINE_AA)
    cv2.circle(face, (80, 80), 52, colour, -1, cv2.LINE_AA)
    cv2.circle(face, (80, 80), 50, light, 2, cv2.LINE_AA)
    _text(face, str(int(random.choice([1, 5, 10, 25]))), (56, 98), 52, light)
    return face


def print_domino(random: Random, body: Colour, ink: Colour) -> Picture:
    """A domino's face, twice as wide as high: two halves of 0 to 6 pips and a bar."""
    face = _blank(body, 128, 256)
    cv2.line(face, (128, 14), (128, 114), ink, 3, cv2.LINE_AA)
    for left in (0, 128):
        for across, down in PIPS.get(int(random.integers(0, 7)), ()):
            spot = (left + 64 + 32 * across, 64 + 32 * down)
            cv2.circle(face, spot, 11, ink, -1, cv2.LINE_AA)
    return face


def print_tile(random: Random) -> Picture:
    """A numbered tile of a rummy game: 1 to 13 in one of four colours, a ring below."""
    face = _blank(from_hue(0.12, 0.12, 0.93), 192, 144)
    ink = [(200, 30, 36), (24, 70, 160), (24, 24, 26), (226, 140, 30)][int(random.integers(4))]
    number = str(random.integers(1, 14))
    _text(face, number, (74 - 26 * len(number), 100), 84, ink)
    cv2.circle(face, (72, 148), 20, _shaded((235, 228, 210), 0.9), 2, cv2.LINE_AA)
    return face


def print_card(random: Random) -> Picture:
    """A playing card: its index in two corners and as many spots as it counts."""
    face = _blank((248, 247, 243), 210, 150)
    ink = (196, 28, 34) if happens(random, 0.5) else (22, 22, 24)
    count = int(random.integers(1, 11))
    _text(face, str(count), (8, 34), 34, ink)
    rows = -(-count // 2)
    for spot in range(count):
        across = 75 if count % 2 and spot == count - 1 else (50, 100)[spot % 2]
        middle = (across, int(45 + 130 * (spot // 2 + 0.5) / rows))
        cv2.circle(face, middle, 11, ink, -1, cv2.LINE_AA)
    return face


Grid = NDArray[np.float64]
PIXELS: Final = 896
_SPECK: Final = 1.6


@dataclass(frozen=True, slots=True, eq=False)
class PaintedGround:
    """A painted ground: its kind, its material, and by how many degrees dice lean on its bumps."""

    kind: str
    material: Material
    bumpiness_degrees: float


def any_ground(random: Random, scale: float) -> PaintedGround:
    """A ground at that many pixels a side of a die, common ones more often."""
    return ground_of(pick_name(random, _KINDS), random, scale)


def ground_of(kind: str, random: Random, scale: float) -> PaintedGround:
    """A ground of a kind, at that many pixels a side of a die.

    Raises:
        KeyError: there is no such kind.
    """
    _, paint, glosses, bumpiness = _KINDS[kind]
    # Wear and unevenness that any ground has a little of
    painted = paint(random, scale)
    painted = painted * (1 + random.uniform(0, 0.05) * noise(random, 4, 4)[..., None])
    picture = np.clip(painted, 0, 255).round().astype(np.uint8)
    return PaintedGround(kind, Material(picture, float(random.uniform(*glosses))), bumpiness)


def noise(random: Random, across: float, down: float) -> Grid:
    """Smooth noise of standard deviation 1 with about that many bumps across and down."""
    shape = (int(np.clip(down, 2, PIXELS)), int(np.clip(across, 2, PIXELS)))
    coarse = random.standard_normal(shape, dtype=np.float32)
    fine = cv2.resize(coarse, (PIXELS, PIXELS), interpolation=cv2.INTER_CUBIC)
    return np.asarray(fine / max(float(fine.std()), 1e-6), dtype=np.float64)


def _bumps(random: Random, sides: float, scale: float) -> Grid:
    """Noise whose bumps are that many sides of a die apart."""
    count = PIXELS / max(sides * scale, 1.0)
    return noise(random, count, count)


def _embossed(relief: Grid, random: Random, strength: float) -> Grid:
    """A relief's light and shadow from one side, about 1."""
    angle = random.uniform(0, 2 * np.pi)
    down, across = np.gradient(relief)
    slope = np.cos(angle) * across + np.sin(angle) * down
    return np.asarray(1 + strength * slope / max(float(slope.std()), 1e-6))


def _coloured(colour: Colour, shade: Grid) -> Grid:
    return np.asarray(np.array(colour) * shade[..., None])


def _cloth_colour(random: Random) -> Colour:
    if happens(random, 0.3):
        return from_hue(float(random.normal(0.38, 0.03)), 0.7, between(random, 0.2, 0.5))
    if happens(random, 0.35):
        return greyish(random, 0.06, 0.9)
    saturation, value = between(random, 0.3, 0.9), between(random, 0.15, 0.7)
    return from_hue(float(random.random()), saturation, value)


def _felt(random: Random, scale: float) -> Grid:
    fibres = _bumps(random, 0.04, scale) + 0.6 * _bumps(random, 0.12, scale)
    shade = 1 + random.uniform(0.02, 0.07) * fibres + 0.02 * _bumps(random, 1.2, scale)
    return _coloured(_cloth_colour(random), shade)


def _wood_colour(random: Random) -> Colour:
    hue, value = between(random, 0.045, 0.1), between(random, 0.2, 0.9)
    return from_hue(hue, between(random, 0.25, 0.65), value)


def _wood(random: Random, scale: float) -> Grid:
    down = np.linspace(0, PIXELS / scale, PIXELS)[:, None]
    plank = float(random.choice([random.uniform(3, 10), 1000.0], p=[0.6, 0.4]))
    board = np.floor(down / plank + random.random())
    tone = 0.09 * random.normal(size=2000)[board.astype(int) % 2000]
    bent = noise(random, 4, 7) * random.uniform(0.1, 0.7)
    rings = np.sin(2 * np.pi * (down * random.uniform(0.4, 2.2) + bent) + 5 * tone * 30)
    pores = noise(random, 24, PIXELS * 0.7)
    seam = np.where(np.abs(down / plank + 0.5 - np.round(down / plank + 0.5)) < 0.02 / plank, 1, 0)
    depth = random.uniform(0.03, 0.1)
    shade = 1 + depth * rings + random.uniform(0.02, 0.09) * pores + tone - 0.4 * seam
    return _coloured(_wood_colour(random), shade)


def _weave(scale: float, thread: float) -> Grid:
    place = np.arange(PIXELS) * (np.pi / max(thread * scale, 1.1))
    across, down = np.sin(place)[None, :], np.sin(place)[:, None]
    over = np.sign(np.sin(place / 2)[:, None] * np.sin(place / 2)[None, :])
    return np.asarray(np.where(over > 0, np.abs(across), np.abs(down)))


def _threads(random: Random, scale: float) -> Grid:
    fine = PIXELS / max(0.08 * scale, 1.5)
    return noise(random, 12, fine) + noise(random, fine, 12)


def _linen(random: Random, scale: float) -> Grid:
    weave = _weave(scale, between(random, 0.03, 0.12)) - 0.6
    shade = 1 + random.uniform(0.04, 0.14) * weave + 0.035 * _threads(random, scale)
    colour = pastel(random) if happens(random, 0.5) else _cloth_colour(random)
    return _coloured(colour, shade)


def _woven(random: Random, scale: float) -> Grid:
    weave = _weave(scale, between(random, 0.15, 0.5)) - 0.6
    shade = 1 + random.uniform(0.15, 0.5) * weave + 0.05 * _threads(random, scale)
    one, other = _cloth_colour(random), _wood_colour(random)
    mixed = np.clip(0.5 + 0.5 * _bumps(random, 0.6, scale), 0, 1)[..., None]
    return np.asarray((np.array(one) * mixed + np.array(other) * (1 - mixed)) * shade[..., None])


def _checked(random: Random, scale: float) -> Grid:
    side = between(random, 0.3, 3) * scale
    place = np.arange(PIXELS)
    stripe = (place % (2 * side) < side).astype(np.float64)
    amount = (stripe[None, :] + stripe[:, None]) / 2
    if happens(random, 0.3):
        amount = np.abs(stripe[None, :] - stripe[:, None])
    one, other = np.array(_cloth_colour(random)), np.array(greyish(random, 0.7, 0.98))
    cloth = one * amount[..., None] + other * (1 - amount[..., None])
    return np.asarray(cloth * (1 + 0.04 * _threads(random, scale)[..., None]))


def _carpet(random: Random, scale: float) -> Grid:
    knots = _bumps(random, between(random, 0.05, 0.3), scale)
    shade = _embossed(knots, random, between(random, 0.08, 0.3)) * (1 + 0.12 * knots)
    base = np.array(_cloth_colour(random), dtype=np.float64)
    speckle = _bumps(random, between(random, 0.06, 0.4), scale)[..., None]
    other = np.array(_cloth_colour(random)) * 0.5 + base * 0.5
    amount = np.clip(2 * (speckle - random.uniform(0, 1.5)), 0, 1)
    return np.asarray((base * (1 - amount) + other * amount) * shade[..., None])


def _paper(random: Random, scale: float) -> Grid:
    creased = _embossed(_bumps(random, 5, scale), random, between(random, 0, 0.02))
    colour = greyish(random, 0.8, 0.98) if happens(random, 0.7) else pastel(random)
    sheet = _coloured(colour, creased * (1 + 0.008 * _bumps(random, 0.05, scale)))
    if happens(random, 0.5):
        return sheet
    step = max(between(random, 0.25, 0.6) * scale, 4)
    line = (np.arange(PIXELS) % step < max(0.03 * scale, 1)).astype(np.float64) * 0.35
    lines = np.maximum(line[:, None], line[None, :] * float(happens(random, 0.6)))
    return np.asarray(sheet * (1 - lines[..., None] * np.array([0.9, 0.5, 0.25])))


def _leather(random: Random, scale: float) -> Grid:
    creases = np.abs(_bumps(random, between(random, 0.08, 0.25), scale))
    shade = _embossed(creases, random, between(random, 0.04, 0.12))
    colour = _cloth_colour(random) if happens(random, 0.6) else _wood_colour(random)
    return _coloured(colour, shade * (1 + 0.05 * _bumps(random, 2, scale)))


def _lid(random: Random, _scale: float) -> Grid:
    pale, any_grey = greyish(random, 0.75, 0.97), greyish(random, 0.1, 0.75)
    colour = pick(random, ((0.5, pale), (0.25, any_grey), (0.25, vivid(random))))
    return _coloured(colour, 1 + 0.01 * noise(random, 3, 3))


def _marble(random: Random, scale: float) -> Grid:
    bent = (
        _bumps(random, 6, scale) + 0.5 * _bumps(random, 2, scale) + 0.2 * _bumps(random, 0.5, scale)
    )
    veins = np.exp(-np.abs(bent) * random.uniform(3, 9))
    colour = greyish(random, 0.65, 0.97) if happens(random, 0.7) else greyish(random, 0.1, 0.3)
    return _coloured(colour, 1 - random.uniform(0.15, 0.5) * veins + 0.02 * bent)


def _granite(random: Random, scale: float) -> Grid:
    grains = _bumps(random, 0.1, scale) + 0.7 * _bumps(random, 0.3, scale)
    specks = np.where(np.abs(_bumps(random, 0.08, scale)) > _SPECK, -0.4, 0.0)
    return _coloured(greyish(random, 0.25, 0.8), 1 + 0.13 * grains + specks)


def _printed(
    draw: Callable[[Random, float, int], NDArray[np.uint8]],
) -> Callable[[Random, float], Grid]:
    def paint(random: Random, scale: float) -> Grid:
        return np.asarray(draw(random, scale, PIXELS), dtype=np.float64)

    return paint


_Paint = Callable[[Random, float], Grid]
_KINDS: Final[dict[str, tuple[float, _Paint, tuple[float, float], float]]] = {
    "felt": (0.17, _felt, (0.85, 1.0), 0.4),
    "wood": (0.2, _wood, (0.2, 0.8), 0.0),
    "linen": (0.08, _linen, (0.8, 1.0), 0.8),
    "woven": (0.06, _woven, (0.6, 1.0), 1.2),
    "checked": (0.04, _checked, (0.6, 1.0), 0.4),
    "carpet": (0.11, _carpet, (0.9, 1.0), 2.0),
    "paper": (0.07, _paper, (0.6, 1.0), 0.0),
    "news": (0.05, _printed(print_news), (0.6, 1.0), 0.3),
    "leather": (0.07, _leather, (0.25, 0.6), 0.3),
    "lid": (0.09, _lid, (0.15, 0.6), 0.0),
    "marble": (0.03, _marble, (0.08, 0.4), 0.0),
    "granite": (0.03, _granite, (0.1, 0.6), 0.0),
    "board": (0.04, _printed(print_board), (0.3, 0.8), 0.0),
    "hexes": (0.03, _printed(print_hexes), (0.3, 0.8), 0.0),
    "mat": (0.05, _printed(print_mat), (0.6, 0.95), 0.2),
}
