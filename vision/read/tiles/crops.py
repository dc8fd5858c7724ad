"""Upright crops of single tiles, cut from the full picture at the size that the reader takes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import cv2
import numpy as np

from vision.capture.frame import Image
from vision.capture.image_pyramid import Pyramid
from vision.read.tiles.spots import Points, Spot

CROP_WIDTH: Final = 40
CROP_HEIGHT: Final = 56
MARGIN: Final = 1.16  # how much more than the tile is seen


def crops(pyramid: Pyramid, tiles: Sequence[Spot], margin: float = MARGIN) -> Image:
    """Cut every tile out and turn it upright, N x 56 x 40 x 3."""
    cut = [_crop(pyramid, tile, margin) for tile in tiles]
    return np.stack(cut) if cut else np.zeros((0, CROP_HEIGHT, CROP_WIDTH, 3), np.uint8)


def _crop(pyramid: Pyramid, tile: Spot, margin: float) -> Image:
    level = pyramid.above(tile.length * margin / CROP_HEIGHT)
    quad = (tile.quad + 0.5) / 2**level - 0.5
    return upright(pyramid.levels[level], quad, margin)


def upright(image: Image, quad: Points, margin: float = MARGIN) -> Image:
    """The four-cornered part of a picture, corners clockwise from its top left, 56 x 40 x 3."""
    wide, high = CROP_WIDTH / margin, CROP_HEIGHT / margin
    left, top = (CROP_WIDTH - wide) / 2, (CROP_HEIGHT - high) / 2
    target = np.array(
        [(left, top), (left + wide, top), (left + wide, top + high), (left, top + high)],
        np.float32,
    )
    warp = cv2.getPerspectiveTransform(np.asarray(quad, np.float32), target)
    size = (CROP_WIDTH, CROP_HEIGHT)
    cut = cv2.warpPerspective(
        image, warp, size, flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE
    )
    return np.asarray(cut, np.uint8)
