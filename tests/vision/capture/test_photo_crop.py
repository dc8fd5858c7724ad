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
    """With a margin around them; where it begins is told."""
    jpeg, size, place = crop_photo(np.zeros((960, 1280, 3), np.uint8), [QUAD, ()], 60_000)
    assert (size, place) == ((220, 220), (40, 140, 1))
    assert open_photo(jpeg).shape == (220, 220, 3)


def test_a_large_part_is_made_smaller() -> None:
    """And says how much."""
    far = tuple((x + 900, y + 400) for x, y in QUAD)
    _, size, (*_, scale) = crop_photo(np.zeros((960, 1280, 3), np.uint8), [QUAD, far], 60_000)
    assert max(size) == 800
    assert scale == pytest.approx(800 / 1120)


@pytest.mark.parametrize("quads", [[], [((-90.0, -90.0), (-80.0, -90.0), (-80.0, -80.0))]])
def test_without_pieces_in_it_the_whole_picture_is_kept(quads: list[tuple[()]]) -> None:
    """Where nothing lies on it, or only beside it."""
    _, size, place = crop_photo(np.zeros((300, 400, 3), np.uint8), quads, 60_000)
    assert (size, place) == ((400, 300), (0, 0, 1))


@pytest.mark.parametrize(("width", "height"), [(1280, 960), (1280, 100), (200, 1600)])
def test_whatever_it_shows_fits(width: int, height: int) -> None:
    """Noise, which takes most, of any shape."""
    assert len(crop_photo(noise(width, height), [], 60_000)[0]) <= 60_000
