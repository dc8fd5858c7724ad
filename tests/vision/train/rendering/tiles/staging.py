"""Stages of the tests: a few known tiles under a known camera, and what it sees of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import cv2
import numpy as np
from numpy.typing import NDArray

from tests.vision.train.rendering.staging import middles
from vision.train.rendering.backgrounds import PaintedGround
from vision.train.rendering.camera import Lens
from vision.train.rendering.geometry import Material, moved, plain
from vision.train.rendering.slab import Slab, slab_mesh, slab_paint
from vision.train.rendering.studio import table_mesh
from vision.train.rendering.tiles.edition import Edition, any_edition, top_of
from vision.train.rendering.tiles.stage import TileStage
from vision.train.rendering.tiles.tile_poses import TilePose

FROM_ABOVE = Lens(320, 240, (0.0, 0.0, 0.3), 90, 0, 0, 12.0, 40.0, 1e-3, 11.7)
SHAPE = Slab(1.0, 1.43, 0.3, 0.06, 0.06)


def classic() -> Edition:
    """One edition, always the same, cut as SHAPE."""
    return replace(any_edition(np.random.default_rng(0)), shape=SHAPE)


def stage(tiles: Sequence[TilePose], lens: Lens = FROM_ABOVE) -> TileStage:
    """A green table in even light with these tiles; its surfaces are left out."""
    edition, random = classic(), np.random.default_rng(0)
    return TileStage(
        lens=lens,
        room=np.full((128, 256, 3), 1.0, dtype=np.float32),
        edition=edition,
        tiles=tuple(tiles),
        tops=tuple(top_of(edition, tile.printed, 60, random) for tile in tiles),
        body=(),
        ground=PaintedGround("felt", plain((40, 110, 70), 0.9), 0.0),
        manner="rows",
    )


def seen_from_above(staged: TileStage) -> NDArray[np.float32]:
    """What the pixels show where the tiles' tops are level: the later one lies on the earlier."""
    lens = staged.lens
    pixels = middles(lens)
    seen = lens.ground(pixels)
    for tile in staged.tiles:
        tops = lens.ground(pixels, float(tile.place[2]) + SHAPE.thickness)
        local = np.abs((tops - tile.place) @ tile.turn)
        on_top = (local[:, 0] <= SHAPE.width / 2) & (local[:, 1] <= SHAPE.length / 2)
        seen[on_top] = tops[on_top]
    return seen.reshape(lens.height, lens.width, 3).astype(np.float32)


def picture_of(staged: TileStage) -> NDArray[np.uint8]:
    """A picture with contrast everywhere."""
    chequered = np.indices((staged.lens.height, staged.lens.width)).sum(axis=0) // 4 % 2
    return np.repeat((chequered * 200 + 20)[..., None], 3, axis=2).astype(np.uint8)


def dressed(tiles: Sequence[TilePose], lens: Lens = FROM_ABOVE) -> TileStage:
    """The same with its surfaces: a green cloth and the tiles themselves."""
    staged = stage(tiles, lens)
    paints = [slab_paint(top.paint) for top in staged.tops]
    meshes = [
        moved(slab_mesh(SHAPE, 60, top.relief), tile.turn, tile.place)
        for tile, top in zip(staged.tiles, staged.tops, strict=True)
    ]
    surfaces = [(mesh, Material(paint, 0.4)) for mesh, paint in zip(meshes, paints, strict=True)]
    cloth = (table_mesh(lens, 10.0), staged.ground.material)
    return replace(staged, body=(cloth, *surfaces))


def crop(picture: NDArray[np.float32], quad: NDArray[np.float64]) -> NDArray[np.float32]:
    """What is within four corners, 70 x 100 pixels."""
    target = np.array([(0, 0), (70, 0), (70, 100), (0, 100)], np.float32)
    warp = cv2.getPerspectiveTransform(quad.astype(np.float32), target)
    return np.asarray(cv2.warpPerspective(picture, warp, (70, 100)), np.float32)
