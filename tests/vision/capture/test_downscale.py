"""Small copies of pictures."""

from __future__ import annotations

import numpy as np
import pytest

from vision.capture.downscale import downscaled


@pytest.mark.parametrize(
    ("shape", "small"),
    [
        ((480, 640), (240, 320)),
        ((960, 1280), (240, 320)),
        ((4032, 3025), (320, 240)),
        ((200, 300), (213, 320)),
        ((10, 2000), (8, 320)),
        ((1, 1), (320, 320)),
    ],
)
def test_the_longer_side_is_as_asked(shape: tuple[int, int], small: tuple[int, int]) -> None:
    """Whatever the picture's size: the other side follows, and none vanishes."""
    assert downscaled(np.zeros((*shape, 3), np.uint8), 320).shape == (*small, 3)


def test_nothing_of_the_picture_is_left_out() -> None:
    """A bright half stays a bright half, to a pixel."""
    image = np.zeros((900, 1200, 3), np.uint8)
    image[:, 600:] = 200
    small = downscaled(image, 100)
    assert (small[:, :49] == 0).all()
    assert (small[:, 51:] == 200).all()
    assert small.mean() == pytest.approx(100, abs=1)
