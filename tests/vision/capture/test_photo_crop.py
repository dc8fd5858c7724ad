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
    """With a margin around them; their corners are told in the pixels of the part."""
    crop = crop_photo(np.zeros((960, 1280, 3), np.uint8), [QUAD, ()], 60_000)
    assert (crop.left, crop.top, crop.width, crop.height) == (40, 140, 220, 220)
    assert open_photo(crop.jpeg).shape == (220, 220, 3)
    assert crop.placed((100, 200)) == (60, 60)


def test_a_large_part_is_made_smaller() -> None:
    """Its corners with it."""
    far = tuple((x + 900, y + 400) for x, y in QUAD)
    crop = crop_photo(np.zeros((960, 1280, 3), np.uint8), [QUAD, far], 60_000)
    assert max(crop.width, crop.height) == 800
    assert crop.placed((100, 200)) == pytest.approx((60 * crop.scale, 60 * crop.scale), abs=0.1)


@pytest.mark.parametrize("quads", [[], [((-90.0, -90.0), (-80.0, -90.0), (-80.0, -80.0))]])
def test_without_pieces_in_it_the_whole_picture_is_kept(quads: list[tuple[()]]) -> None:
    """Where nothing lies on it, or only beside it."""
    crop = crop_photo(np.zeros((300, 400, 3), np.uint8), quads, 60_000)
    assert (crop.width, crop.height, crop.scale) == (400, 300, 1)


@pytest.mark.parametrize(("width", "height"), [(1280, 960), (1280, 100), (200, 1600)])
def test_whatever_it_shows_fits(width: int, height: int) -> None:
    """Noise, which takes most, of any shape."""
    assert len(crop_photo(noise(width, height), [], 60_000).jpeg) <= 60_000
