"""Crops of dice and tiles: the piece in the middle, whatever its size and wherever it lies."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from vision.capture.frame import Image
from vision.capture.image_pyramid import Pyramid
from vision.read.detection import (
    DIE_MARGIN,
    DIE_SIDE,
    TILE_HEIGHT,
    TILE_WIDTH,
    Candidate,
    die_crops,
    tile_crops,
)


@pytest.mark.parametrize("size", [8, 60, 300])
def test_the_die_fills_the_middle_of_its_crop(size: int) -> None:
    """A white square on black keeps its share of the crop at every size."""
    image = np.zeros((480, 640, 3), np.uint8)
    left, top = 320 - size // 2, 240 - size // 2
    image[top : top + size, left : left + size] = 255
    (crop,) = die_crops(Pyramid(image), [Candidate(1, 320, 240, size, size)])
    assert crop.shape == (DIE_SIDE, DIE_SIDE, 3)
    assert crop[24, 24].tolist() == [255, 255, 255]
    assert (crop > 128).mean() == pytest.approx(1 / DIE_MARGIN**2, abs=0.12)


@pytest.mark.parametrize("place", [(0, 0), (99, 79), (-30, 40), (150, 90), (50, 200)], ids=str)
def test_beyond_the_picture_its_edge_is_repeated(place: tuple[int, int]) -> None:
    """A die cut by the edge still gives a whole crop."""
    image = np.full((80, 100, 3), 77, np.uint8)
    (crop,) = die_crops(Pyramid(image), [Candidate(1, *place, 20, 20)])
    assert np.unique(crop).tolist() == [77]


def table_with(tile: Candidate) -> Image:
    """A dark table with a bright tile, its upper left quarter red."""
    image = np.full((400, 500, 3), 40, np.uint8)
    corners = tile.quad
    cv2.fillConvexPoly(image, np.round(corners).astype(np.int32), (230, 230, 230))
    middle = corners.mean(axis=0)
    quarter = [corners[0], (corners[0] + corners[1]) / 2, middle, (corners[0] + corners[3]) / 2]
    cv2.fillConvexPoly(image, np.round(quarter).astype(np.int32), (0, 0, 230))
    return image


def test_a_crop_is_upright() -> None:
    """The red quarter is at the upper left, the table all round."""
    for angle in (0.0, 37.0, 90.0, 200.0, 315.0):
        for length in (60.0, 200.0):
            tile = Candidate(1.0, 240.0, 190.0, length * 0.7, length, angle)
            (crop,) = tile_crops(Pyramid(table_with(tile)), [tile])
            assert crop.shape == (TILE_HEIGHT, TILE_WIDTH, 3)
            red = (crop[:, :, 2] > 150) & (crop[:, :, 0] < 120)
            rows, columns = np.nonzero(red)
            assert (rows.mean() / TILE_HEIGHT, columns.mean() / TILE_WIDTH) == pytest.approx(
                (0.29, 0.29), abs=0.04
            )
            assert crop[0, 0].max() < 90


def test_without_pieces_there_are_no_crops() -> None:
    """An empty stack, not a fault."""
    assert die_crops(Pyramid(np.zeros((10, 10, 3), np.uint8)), []).shape == (0, 48, 48, 3)
    assert tile_crops(Pyramid(np.zeros((64, 64, 3), np.uint8)), []).shape == (0, 56, 40, 3)


def test_beyond_the_edge_the_picture_goes_on() -> None:
    """A tile that is cut off is cropped all the same."""
    tile = Candidate(1.0, 5.0, 5.0, 60.0, 90.0, 0.0)
    (crop,) = tile_crops(Pyramid(table_with(tile)), [tile])
    assert crop.shape == (TILE_HEIGHT, TILE_WIDTH, 3)
