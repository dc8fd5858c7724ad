"""Three ways to set a camera up, rendered for the documentation.

Lengths are in millimetres; x runs to the right along the table's front edge, y away from the
player, z up from the table's top.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.train.rendering.backgrounds import ground_of
from vision.train.rendering.camera import DEMO_EXPOSURE, Lens, Light, expose
from vision.train.rendering.dice_set import paint_die
from vision.train.rendering.evening import read_picture
from vision.train.rendering.geometry import (
    Colour,
    DieShape,
    Material,
    Mesh,
    about,
    box_mesh,
    die_mesh,
    disc_mesh,
    joined,
    moved,
    plain,
    rod_mesh,
    upright,
)
from vision.train.rendering.studio import Part, Scenery, Studio

Point = tuple[float, float, float]
WIDTH, HEIGHT = 960, 640
SAMPLES: Final = 64
JPEG_QUALITY: Final = 84
EXPOSURE: Final = replace(DEMO_EXPOSURE, stops=0.35, vignette=0.1)
DIE_MM: Final = 16
BLACK: Final[Colour] = (38, 39, 42)
STEEL: Final[Colour] = (176, 180, 184)
BATTEN: Final[Colour] = (201, 162, 107)
BOOKS: Final[tuple[Colour, ...]] = (
    (122, 42, 44), (38, 74, 112), (214, 196, 150), (52, 96, 74), (88, 66, 110), (190, 120, 52),
    (70, 72, 78), (150, 52, 60),
)  # fmt: skip


def box(middle: Point, size: Point, turn_degrees: float = 0.0) -> Mesh:
    """A box on the point below its middle."""
    x, y, z = middle
    return moved(
        box_mesh([each / 2 for each in size]),
        upright(np.radians(turn_degrees)),
        np.array([x, y, z + size[2] / 2]),
    )


def rod(start: Point, end: Point, radius: float) -> Mesh:
    """A round rod between two points."""
    return rod_mesh(np.array(start), np.array(end), radius)


def picture_of(page: Path) -> Material:
    """A screenshot as a surface."""
    image = cv2.cvtColor(read_picture(page), cv2.COLOR_BGR2RGB)
    return Material(np.asarray(cv2.flip(image, 0), dtype=np.uint8), 0.3)


def screen(middle: Point, size: tuple[float, float], lean_degrees: float, page: Path) -> list[Part]:
    """A screen on its lower edge, leaning back, with a page on it."""
    width, height = size
    x, y, z = middle
    lean = about(np.array([1.0, 0, 0]), np.radians(90 - lean_degrees))
    corners = np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)]) / 2 * [width - 10, height - 10]
    flat = np.column_stack([corners, np.full(4, 4.6)])
    atlas = np.array([(0, 0), (1, 0), (1, 1), (0, 1)], dtype=np.float64)
    shown = Mesh.of(flat, np.tile([0.0, 0, 1], (4, 1)), atlas, np.array([[0, 1, 2], [0, 2, 3]]))
    up = np.array([x, y, z + height / 2 * np.cos(np.radians(lean_degrees))])
    case = moved(box_mesh([width / 2, height / 2, 4]), lean, up)
    return [(case, plain(BLACK, 0.4)), (moved(shown, lean, up), picture_of(page))]


def room() -> Iterator[Part]:
    """The table and a wall behind it."""
    wood = ground_of("wood", np.random.default_rng(3), 40).material
    yield box((0, 0, -30), (1500, 900, 30)), Material(wood.paint, 0.4, repeats=(3.0, 2.0))
    yield box((0, 900, -1200), (6000, 40, 3600)), plain((206, 202, 192), 0.9)


def dice(random: np.random.Generator, places: NDArray[np.float64], height: float) -> Part:
    """Five dice at rest, each turned anyhow about the upright axis."""
    shape = DieShape(cells=20)
    tops = (
        np.eye(3),
        about(np.array([1.0, 0, 0]), np.pi / 2),
        about(np.array([0, 1.0, 0]), np.pi / 2),
    )
    meshes = [
        moved(
            die_mesh(shape).sized(DIE_MM),
            upright(float(random.uniform(0, 2 * np.pi))) @ tops[number % 3],
            np.array([x, y, height + DIE_MM / 2]),
        )
        for number, (x, y) in enumerate(places)
    ]
    paint = paint_die(shape, (236, 235, 230), (22, 22, 24), (186, 28, 30))
    return joined(meshes), Material(paint, 0.2)


PLACES: Final = np.array([(-60, 20), (-15, -45), (30, 35), (75, -20), (10, -5)])


def arm_and_box(random: np.random.Generator, page: Path) -> Iterator[Part]:
    """A tray below a Pi's camera on an arm; a box with three buttons and four lamps; a tablet."""
    felt = ground_of("felt", random, 30).material
    yield box((0, 0, 0), (320, 240, 4)), felt
    sides = [box((0, side * 124, 0), (336, 8, 28)) for side in (-1, 1)]
    sides += [box((side * 164, 0, 0), (8, 240, 28)) for side in (-1, 1)]
    yield joined(sides), plain((92, 58, 38), 0.5)
    yield dice(random, PLACES, 4)
    post = [box((-287, 40, 0), (120, 120, 14)), box((-287, 40, 14), (20, 20, 356))]
    yield joined([*post, box((-133, 40, 370), (330, 20, 20))]), plain(BATTEN, 0.6)
    yield joined([box((0, 40, 362), (26, 26, 8))]), plain((40, 128, 64), 0.5)
    cable = [box((-140, 40, 391), (300, 16, 1)), box((-298, 40, 40), (1, 16, 340))]
    yield joined([*cable, rod((0, 40, 355), (0, 40, 360), 5)]), plain(BLACK, 0.4)
    yield box((-290, -130, 0), (150, 90, 42)), plain((232, 230, 224), 0.45)
    for x, colour in ((-335, (46, 158, 79)), (-290, (217, 164, 0)), (-245, (208, 59, 47))):
        pressed = moved(disc_mesh(15, 9, 1.5), np.eye(3), np.array([x, -145, 42]))
        yield pressed, plain(colour, 0.3)
    lamps = [rod((x, -105, 42), (x, -105, 46), 5) for x in (-335, -305, -275, -245)]
    yield joined(lamps), plain((240, 226, 190), 0.1)
    yield from screen((330, 60, 2), (250, 180), 24, page)


def phone_on_books(random: np.random.Generator, _page: Path) -> Iterator[Part]:
    """A phone on a stack of books, its camera beyond their edge, a box of cards holding it."""
    yield box((0, 0, 0), (330, 250, 3)), ground_of("felt", random, 30).material
    yield dice(random, PLACES, 3)
    level = 0.0
    for number, colour in enumerate(BOOKS):
        thick = (34, 42, 28, 38, 44, 30, 36, 40)[number]
        size = (210 - 4 * number, 280 - 6 * number)
        turn = float(random.normal(0, 2.5))
        cover = [box((-285, 30, level + at), (*size, 3), turn) for at in (0, thick - 3)]
        back = box((-285 - size[0] / 2 + 2, 30, level), (4, size[1], thick), turn)
        yield joined([*cover, back]), plain(colour, 0.5)
        yield (
            box((-283, 30, level + 3), (size[0] - 8, size[1] - 8, thick - 6), turn),
            plain((236, 230, 214), 0.9),
        )
        level += thick
    yield box((-125, 30, level), (165, 76, 8)), plain(BLACK, 0.15)
    yield rod((-57, 45, level - 1), (-57, 45, level), 6), plain((16, 20, 40), 0.05)
    yield box((-215, 30, level + 8), (60, 90, 30)), plain((180, 50, 48), 0.4)


def webcam_on_lamp(random: np.random.Generator, page: Path) -> Iterator[Part]:
    """A webcam clamped to a desk lamp's arm, its cable to a laptop."""
    yield box((0, 0, 0), (330, 250, 3)), ground_of("leather", random, 30).material
    yield dice(random, PLACES, 3)
    foot = moved(disc_mesh(95, 22, 4), np.eye(3), np.array([-300, 120, 0]))
    elbow, head = (-330.0, 130.0, 330.0), (-20.0, 30.0, 420.0)
    arm = [rod((-300, 120, 20), elbow, 8), rod(elbow, head, 8), rod(elbow, elbow, 17)]
    yield joined([foot, *arm]), plain(STEEL, 0.35, 0.6)
    shade = [box((25, 18, 418), (120, 70, 16), -18), rod(head, (-40, 35, 425), 14)]
    yield joined(shade), plain((230, 228, 220), 0.4)
    webcam = [rod((-45, 36, 382), (25, 14, 382), 17), rod((-10, 26, 375), (-10, 26, 362), 12)]
    clip = box((-10, 26, 395), (26, 30, 26), -18)
    yield joined([*webcam, clip]), plain(BLACK, 0.3)
    way = [(-45, 36, 382), (-180, 80, 352), (-335, 140, 310), (-310, 150, 40), (-250, 260, 3)]
    way += [(60, 270, 3), (240, 200, 3)]
    yield joined([rod(*ends, 2.5) for ends in pairwise(way)]), plain(BLACK, 0.5)
    yield box((370, 20, 0), (310, 215, 14)), plain((150, 152, 156), 0.35)
    yield box((370, 50, 14), (270, 100, 1)), plain(BLACK, 0.6)
    yield from screen((370, 130, 10), (310, 200), 16, page)


Setup = Callable[[np.random.Generator, Path], Iterator[Part]]
SETUPS: Final[Mapping[str, Setup]] = {
    "setup-arm": arm_and_box,
    "setup-phone": phone_on_books,
    "setup-webcam": webcam_on_lamp,
}


def daylight() -> Light:
    """A bright ceiling and a large window behind the player; see `camera.any_room`."""
    light = np.full((128, 256, 3), 0.5, dtype=np.float32)
    light[:44] = (1.0, 0.98, 0.95)
    light[26:58, 20:84] = (6.0, 6.2, 6.5)
    return light


def lens() -> Lens:
    """A viewer in front of the table."""
    return Lens(WIDTH, HEIGHT, (0.0, 0.0, 130.0), 24, -16, 0, 1150, 48, 1e-3, 1150)


def picture(studio: Studio, setup: Setup, page: Path) -> bytes:
    """The set-up as a JPEG file; `page` is a screenshot for its screen."""
    random = np.random.default_rng(7)
    parts = [*room(), *setup(random, page)]
    shown = Scenery(lens(), daylight(), parts, samples=SAMPLES, painted=True)
    image = expose(studio.trace(shown, 1).without_grain(), EXPOSURE, random)
    options = [cv2.IMWRITE_JPEG_QUALITY, JPEG_QUALITY, cv2.IMWRITE_JPEG_PROGRESSIVE, 1]
    return bytes(cv2.imencode(".jpg", image, options)[1].tobytes())
