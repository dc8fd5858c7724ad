"""A Rummikub set of unusual inks drawn on tables: five tiles apart, or sets that touch."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime
from functools import cache

import cv2
import numpy as np

from scoreboard.games.rummikub.tiles import COLOURS, Tile, piece
from tests.vision.learn.whole_deck import with_faces
from vision.capture.frame import Image
from vision.learn.prototypes import Likeness, Specimen, learn, specimen, thumbnail
from vision.learn.quads import Format, Quad
from vision.learn.taught_reader import TILE_FACES
from vision.learn.taught_sets import TaughtSet
from vision.train.augmentation import Chance
from vision.train.tiles import photographs
from vision.train.tiles.scenes import HEIGHT, WIDTH, DrawnEdition, draw_tile

SIZE = (900, 640)
WIDE = 84
TALL = WIDE * HEIGHT / WIDTH
NOON = datetime(2026, 11, 22, 12, tzinfo=UTC)
TABLE = ("K1 K2 K3 K4", "R7 B7 O7", "O10 O11 O12 O13")
LIGHTS = ((1.0, 1.0, 1.0), (0.82, 0.95, 1.0), (1.0, 0.92, 0.8))
TABLES = ((62, 98, 142), (52, 74, 96), (88, 96, 70))
# Green, violet, turquoise and brown are inks that the shipped model has never seen.
EDITION = DrawnEdition(
    font="",
    large=False,
    condensed=1.0,
    inks=((0.15, 0.5, 0.2), (0.5, 0.15, 0.6), (0.1, 0.62, 0.62), (0.5, 0.3, 0.12)),
    face=(0.95, 0.93, 0.87),
    disc=4.0,
    word=6.0,
)
# Black, red, blue and orange, as any box has them.
ORDINARY = replace(
    EDITION, inks=((0.22, 0.21, 0.19), (0.85, 0.22, 0.26), (0.14, 0.44, 0.8), (0.99, 0.62, 0.32))
)


def quads(count: int, top: float, gap: float) -> list[Quad]:
    """The corners of tiles in a row; a gap of 0 lets them touch."""
    step = WIDE * (1 + gap)
    corners = np.array([(0, 0), (WIDE, 0), (WIDE, TALL), (0, TALL)], np.float32)
    left = (SIZE[0] - step * (count - 1) - WIDE) / 2
    return [corners + np.array([left + step * at, top], np.float32) for at in range(count)]


def tiles_on_table(
    rows: Sequence[str], scene: int = 0, gap: float = 0.5, edition: DrawnEdition = EDITION
) -> Image:
    """A photograph of rows of tiles, as `K1 K2 K3`, on one of three tables in its light."""
    chance = Chance((scene, len(rows)))
    drawn = np.full((SIZE[1], SIZE[0], 3), TABLES[scene], np.float32)
    for line, row in enumerate(rows):
        faces = row.split()
        for face, quad in zip(faces, quads(len(faces), 40 + line * 1.5 * TALL, gap), strict=True):
            shown = piece(face)
            kind, colour = photographs.JOKER, photographs.NO_COLOUR
            if isinstance(shown, Tile):
                kind, colour = shown.number, COLOURS.index(shown.colour)
            tile = draw_tile(edition, kind, colour, chance).image
            corners = np.array([(0, 0), (WIDTH, 0), (WIDTH, HEIGHT), (0, HEIGHT)], np.float32)
            warp = cv2.getPerspectiveTransform(corners, quad)
            cover = cv2.warpPerspective(np.ones(tile.shape[:2], np.float32), warp, SIZE)
            seen = cv2.warpPerspective(tile.astype(np.float32), warp, SIZE, flags=cv2.INTER_AREA)
            drawn += (seen - drawn) * cover[..., None]
    lit = cv2.GaussianBlur(drawn * np.array(LIGHTS[scene], np.float32), (0, 0), 0.7)
    grains = np.random.default_rng(scene).normal(0, 2.5, lit.shape)
    return np.asarray(np.clip(lit + grains, 0, 255), np.uint8)


def fives() -> list[tuple[str, ...]]:
    """The set's faces as Teach proposes them: five at a time."""
    return [tuple(TILE_FACES[at : at + 5]) for at in range(0, len(TILE_FACES), 5)]


def examples(
    scene: int, sheets: Sequence[Sequence[str]] | None = None, edition: DrawnEdition = EDITION
) -> list[Specimen]:
    """One piece of every face, or of those told, cut out of the photographs of a scene."""
    cut: list[Specimen] = []
    for sheet, faces in enumerate(sheets or fives(), start=1):
        image = tiles_on_table([" ".join(faces)], scene, edition=edition)
        for face, quad in zip(faces, quads(len(faces), 40, 0.5), strict=True):
            cut.append(replace(specimen(image, face, quad, scene), sheet=sheet))
    return cut


@cache
def learned_tiles() -> Likeness:
    """The whole set, learned from two scenes: made once, for it takes ten seconds."""
    return learn([*examples(0), *examples(1)])


@cache
def few_learned() -> Likeness:
    """The tiles of TABLE, learned from two scenes; all others look like nothing on any table."""
    sheets = [row.split() for row in TABLE]
    known = learn([*examples(0, sheets), *examples(1, sheets)])
    return with_faces(known, [face for face in TILE_FACES if face not in known.faces])


@cache
def pictures(edition: DrawnEdition = EDITION) -> dict[str, Image]:
    """Each face laid flat, from the first scene."""
    size = Format.of(TALL / WIDE)
    return {one.face: thumbnail(one, size) for one in examples(0, edition=edition)}


def own_tiles(name: str = "Ours", *, trusted: bool = True, taught_at: datetime = NOON) -> TaughtSet:
    """The set as it is kept."""
    return TaughtSet(name, learned_tiles(), trusted, taught_at, pictures=pictures())


def few_own_tiles(
    name: str = "Ours", *, trusted: bool = True, taught_at: datetime = NOON
) -> TaughtSet:
    """The same, of which only the tiles of TABLE were learned."""
    return TaughtSet(name, few_learned(), trusted, taught_at, pictures=pictures())
