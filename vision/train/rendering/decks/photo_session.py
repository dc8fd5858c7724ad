"""Photographs of laid pieces, with what they show: taken once, and kept."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.train.rendering.backgrounds import PIXELS, PaintedGround, any_ground
from vision.train.rendering.camera import (
    Exposure,
    Lens,
    Light,
    any_exposure,
    any_room,
    encode,
    expose,
)
from vision.train.rendering.chance import Random, between, happens
from vision.train.rendering.clutter import Thing
from vision.train.rendering.decks.designs import Design
from vision.train.rendering.geometry import (
    Colour,
    DieShape,
    Material,
    Picture,
    atlas_place,
    die_mesh,
    moved,
    plain,
    prism_mesh,
    upright,
)
from vision.train.rendering.studio import DiceStage, Studio
from vision.train.rendering.tiles.tile_poses import overlap
from vision.train.rendering.training_photos import Photograph, keep

Vector = NDArray[np.float64]
_GAP: Final = 0.16
_GAP_OF_DICE: Final = 0.7  # their sides are seen too
_EDGE: Final = 0.11
_CELLS: Final = 16
_TRIES: Final = 200
_FRESH_STARTS: Final = 30
_ROUND: Final = 5  # points along a corner


@dataclass(frozen=True, slots=True)
class Laid:
    """A piece on the table: its face, its middle and its turn, radians anticlockwise."""

    face: str
    x: float
    y: float
    heading: float

    def corners(self, length: float, grown: float = 0.0) -> Vector:
        """Its corners on the table, 4 x 2, clockwise from its top left, perhaps grown a little."""
        wide, high = 0.5 + grown, length / 2 + grown
        square = np.array([(-wide, high), (wide, high), (wide, -high), (-wide, -high)])
        return np.asarray(square @ upright(self.heading)[:2, :2].T + [self.x, self.y])


def in_rows(random: Random, design: Design, faces: Sequence[str], across: int) -> list[Laid]:
    """The faces in reading order, that many a row, laid by hand: never quite straight."""
    rows = -(-len(faces) // across)
    wide, high = 2.2 if design.is_die else 1.55, design.length * 1.1 + 0.3
    middle = (min(across, len(faces)) - 1) / 2, (rows - 1) / 2
    laid = []
    for number, face in enumerate(faces):
        down, right = divmod(number, across)
        x, y = (right - middle[0]) * wide, (middle[1] - down) * high
        nudge = random.normal(0, 0.05, 2)
        turn = float(random.normal(0, 0.035))
        laid.append(Laid(face, x + float(nudge[0]), y + float(nudge[1]), turn))
    return laid


def scattered(
    random: Random, design: Design, faces: Sequence[str], half: tuple[float, float]
) -> list[Laid]:
    """The faces anywhere within the half width and depth, turned anyhow, none touching another.

    Raises:
        RuntimeError: there is not room for all.
    """
    for _ in range(_FRESH_STARTS):
        laid = _thrown(random, design, faces, half)
        if len(laid) == len(faces):
            return laid
    raise RuntimeError("the table is too small for so many pieces")


def _thrown(
    random: Random, design: Design, faces: Sequence[str], half: tuple[float, float]
) -> list[Laid]:
    laid: list[Laid] = []
    gap = _GAP_OF_DICE if design.is_die else _GAP
    for _ in range(_TRIES):
        if len(laid) == len(faces):
            break
        x, y = (between(random, -side, side) for side in half)
        one = Laid(faces[len(laid)], x, y, between(random, 0, 2 * np.pi))
        own, *others = (each.corners(design.length, gap / 2) for each in (one, *laid))
        if not any(overlap(own, other) for other in others):
            laid.append(one)
    return laid


def piece(design: Design, laid: Laid, roughness: float) -> Thing:
    """The piece as a thing on the table."""
    if design.is_die:
        die = die_mesh(DieShape(edge_radius=_EDGE, pip_depth=0.0, cells=_CELLS))
        shape = moved(die, np.eye(3), np.array([0, 0, 0.5]))
    else:
        shape = prism_mesh(_outline(design), design.height, bevel=0.004)
    mesh = moved(shape, upright(laid.heading), np.array([laid.x, laid.y, 0.0]))
    paint = _around(design, laid.face) if design.is_die else design.paint(laid.face)
    half = (0.5, design.length / 2, design.height / 2)
    middle = (laid.x, laid.y, design.height / 2)
    return Thing("card", mesh, Material(paint, roughness), middle, half, laid.heading)


def _around(design: Design, top: str) -> Picture:
    """The atlas of a die that shows a face on top, the others around it in their order."""
    others = [face for face in design.faces if face != top]
    faces = [design.paint(face)[::-1] for face in (top, *others)]
    size = faces[0].shape[0]
    atlas = np.zeros((2 * size, 3 * size, 3), np.uint8)
    for number, face in enumerate(faces, start=1):
        column, row = atlas_place(number)
        atlas[row * size : (row + 1) * size, column * size : (column + 1) * size] = face
    return atlas


def _outline(design: Design) -> Vector:
    """A rectangle with round corners, anticlockwise."""
    wide, high, radius = 0.5, design.length / 2, design.corner
    turn = np.linspace(0, np.pi / 2, _ROUND)
    parts = []
    for number, (right, up) in enumerate(((1, 1), (-1, 1), (-1, -1), (1, -1))):
        middle = np.array([right * (wide - radius), up * (high - radius)])
        angle = turn + number * np.pi / 2
        parts.append(middle + radius * np.stack([np.cos(angle), np.sin(angle)], axis=1))
    return np.vstack(parts)


_SIZE: Final = (800, 600)
_PLAIN: Final = ("felt", "wood", "linen", "leather", "lid", "marble", "granite", "carpet")
_DISTINCT: Final = 16.0  # in Lab: how much a table differs from the edges of the pieces
TEACHING: Final = 3
EVENINGS: Final = 5
_A_PHOTO: Final = 8
_A_ROW: Final = 8
_FIELD: Final = 38.0
_MARGIN: Final = 5.0


@dataclass(frozen=True, slots=True, eq=False)
class Setting:
    """A table and its light: what stays while several photographs are taken."""

    ground: PaintedGround
    room: Light
    repeats_over: float
    gloss: float


@dataclass(frozen=True, slots=True)
class Shooting:
    """One photograph to take: its name, its pieces, and its viewpoint."""

    name: str
    laid: tuple[Laid, ...]
    lens: Lens


def take_deck(folder: Path, design: Design, seed: int, studio: Studio) -> Iterator[str]:
    """Take whatever is missing of a deck's photographs; yields each name when it is kept.

    `teaching/<scene>/` shows rows of eight in the order that the labels tell, in three scenes;
    `evening/<scene>/` shows eight scattered ones a picture, in five others, each card once a scene.
    """
    for scene in range(TEACHING):
        random = np.random.default_rng((seed, scene))
        setting = any_setting(random, design, 1 / 15)
        # The sheets of one scene: rows of eight faces, seen from above or, flat ones, aslant
        elevation, shots = between(random, 78 if design.is_die else 64, 90), []
        for number, first in enumerate(range(0, len(design.faces), _A_ROW)):
            faces = design.faces[first : first + _A_ROW]
            laid = in_rows(random, design, faces, _A_ROW)
            lens = _lens(random, 1 / 15.5, elevation, between(random, -12, 12), random.normal(0, 2))
            shots.append(Shooting(f"teaching/{scene}/{number}", tuple(laid), lens))
        yield from _take(folder, design, setting, shots, studio, random)
    for scene in range(EVENINGS):
        random = np.random.default_rng((seed, 100 + scene))
        setting = any_setting(random, design, 1 / 15)
        yield from _take(folder, design, setting, _evening(random, design, scene), studio, random)


def any_setting(random: Random, design: Design, share: float) -> Setting:
    """A plain table, distinct from the edges of the pieces, and its light."""
    repeats_over = 1.15 / share
    ground = any_ground(random, PIXELS / repeats_over)
    while ground.kind not in _PLAIN or not _stands_out(ground, design.papers):
        ground = any_ground(random, PIXELS / repeats_over)
    return Setting(ground, any_room(random), repeats_over, between(random, 0.3, 0.6))


def _stands_out(ground: PaintedGround, papers: Sequence[Colour]) -> bool:
    table = ground.material.paint.reshape(-1, 3).mean(axis=0)
    both = np.array([[table, *papers]], np.float32) / 255
    lab = cv2.cvtColor(both, cv2.COLOR_RGB2Lab)[0]
    return bool(np.linalg.norm(lab[1:] - lab[0], axis=1).min() >= _DISTINCT)


def _evening(random: Random, design: Design, scene: int) -> list[Shooting]:
    """All faces in any order, eight a picture, seen from anywhere at 45 degrees or more."""
    all_faces = design.faces * design.copies
    order = [all_faces[at] for at in random.permutation(len(all_faces))]
    shots = []
    for number, first in enumerate(range(0, len(order), _A_PHOTO)):
        shown = order[first : first + _A_PHOTO]
        shots.append(_from_anywhere(random, design, shown, f"evening/{scene}/{number}"))
    return shots


def _from_anywhere(random: Random, design: Design, faces: Sequence[str], name: str) -> Shooting:
    """The faces scattered, all of them within the picture."""
    while True:
        laid = scattered(random, design, faces, (5.6, 3.6) if not design.is_die else (4.0, 4.0))
        elevation, azimuth = between(random, 45, 90), between(random, -180, 180)
        # flat pieces may be seen from any side; who photographs dice holds the camera upright
        roll = float(random.normal(0, 8)) - (0 if design.is_die else azimuth)
        lens = _lens(random, 1 / 17.5, elevation, azimuth, roll)
        corners = np.vstack([one.corners(design.length) for one in laid])
        pixels = lens.pixels(np.column_stack([corners, np.zeros(len(corners))]))
        if ((pixels > _MARGIN) & (pixels < np.array(_SIZE) - _MARGIN)).all():
            return Shooting(name, tuple(laid), lens)


def _lens(random: Random, share: float, elevation: float, azimuth: float, roll: float) -> Lens:
    distance = float(0.5 / np.tan(np.radians(_FIELD) / 2) / share)
    blur = between(random, 0.1, 0.8)
    aperture = blur / 0.1 * distance / (0.5 * max(_SIZE) / np.tan(np.radians(_FIELD) / 2)) / 2
    target = (between(random, -0.4, 0.4), between(random, -0.3, 0.3), 0.0)
    return Lens(
        *_SIZE, target, elevation, azimuth, float(roll), distance, _FIELD, aperture, distance
    )


def _take(  # noqa: PLR0913, PLR0917 -- a photograph is all of these
    folder: Path,
    design: Design,
    setting: Setting,
    shootings: Sequence[Shooting],
    studio: Studio,
    random: Random,
) -> Iterator[str]:
    for number, each in enumerate(shootings):
        how = fair_exposure(random)
        seed = int(random.integers(2**31))
        if (folder / f"{each.name}.json").exists():
            continue
        shot = studio.shoot(stage(design, setting, each), seed + number)
        image = expose(shot.without_grain(), how, np.random.default_rng(seed))
        keep(folder / each.name, Photograph(encode(image, how), labels(design, each)))
        yield each.name


def stage(design: Design, setting: Setting, shooting: Shooting) -> DiceStage:
    """The table with the pieces, ready to be traced."""
    things = tuple(piece(design, laid, setting.gloss) for laid in shooting.laid)
    return DiceStage(
        shooting.lens, setting.room, (), (), (), things, setting.ground, None, None,
        plain((128, 96, 70), 0.5), setting.repeats_over, None, (0, 0, 0), (0, 0, 0), "laid",
    )  # fmt: skip


def fair_exposure(random: Random) -> Exposure:
    """What a phone makes of it: neither dark nor smeared, with a white balance of its own."""
    drawn = any_exposure(random)
    return replace(
        drawn,
        stops=float(np.clip(random.normal(-0.05, 0.3), -0.9, 0.4)),
        saturation=float(np.clip(random.normal(1.05, 0.13), 0.75, 1.4)),
        spot=0.0,
        defocus_px=between(random, 0.3, 1.1) if happens(random, 0.25) else 0.0,
        motion_px=between(random, 1.2, 2.2) if happens(random, 0.08) else 0.0,
        shot=min(drawn.shot, 6e-4),
        dark=min(drawn.dark, 2e-5),
        jpeg_quality=max(drawn.jpeg_quality, 60),
    )


def labels(design: Design, shooting: Shooting) -> dict[str, Any]:
    """Each piece's face and corners in pixels, clockwise from the top left of the upright piece."""
    pieces = []
    for one in shooting.laid:
        corners = np.column_stack([one.corners(design.length), np.full(4, design.height)])
        quad = shooting.lens.pixels(corners).round(2).tolist()
        pieces.append({"face": one.face, "quad": quad})
    return {"pieces": pieces}
