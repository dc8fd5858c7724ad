"""The part of a picture that is kept: what was read, small enough."""

from __future__ import annotations

import numpy as np
import pytest

from vision.capture.frame import Image
from vision.capture.photo import open_photo
from vision.capture.photo_crop import crop_photo

QUAD = ((100.0, 200.0), (200.0, 200.0), (200.0, 300.0), (100.0, 300.0))


def noise(width: int, height: int) -> Image:
    """A picture that no coder makes small."""
    return np.random.default_rng(7).integers(0, 256, (height, width, 3), np.uint8)


def test_a_picture_is_cut_to_its_pieces() -> None:
    """With a margin around them; where they lie in it is told."""
    jpeg, size, placed = crop_photo(np.zeros((960, 1280, 3), np.uint8), [QUAD, ()], 60_000)
    assert (size, placed) == ((220, 220), [[[60, 60], [160, 60], [160, 160], [60, 160]], []])
    assert open_photo(jpeg).shape == (220, 220, 3)


def test_a_large_part_is_made_smaller() -> None:
    """And its corners with it."""
    far = tuple((x + 900, y + 400) for x, y in QUAD)
    _, size, (near, _) = crop_photo(np.zeros((960, 1280, 3), np.uint8), [QUAD, far], 60_000)
    assert max(size) == 800
    assert near[0] == [round(60 * 800 / 1120, 1)] * 2


@pytest.mark.parametrize("quads", [[], [((-90.0, -90.0), (-80.0, -90.0), (-80.0, -80.0))]])
def test_without_pieces_in_it_the_whole_picture_is_kept(
    quads: list[tuple[tuple[float, float], ...]],
) -> None:
    """Where nothing lies on it, or only beside it."""
    _, size, placed = crop_photo(np.zeros((300, 400, 3), np.uint8), quads, 60_000)
    assert (size, placed) == ((400, 300), [[list(corner) for corner in quad] for quad in quads])


@pytest.mark.parametrize(("width", "height"), [(1280, 960), (1280, 100), (200, 1600)])
def test_whatever_it_shows_fits(width: int, height: int) -> None:
    """Noise, which takes most, of any shape."""
    assert len(crop_photo(noise(width, height), [], 60_000)[0]) <= 60_000
