"""Frames refuse what is no picture."""

from __future__ import annotations

from datetime import UTC, datetime

import numpy as np
import pytest
from numpy.typing import NDArray

from vision.capture.frame import Frame

NOON = datetime(2026, 11, 21, 12, tzinfo=UTC)


@pytest.mark.parametrize(
    "image",
    [
        np.zeros((4, 4), np.uint8),
        np.zeros((4, 4, 4), np.uint8),
        np.zeros((4, 4, 3), np.float32),
    ],
)
def test_other_shapes_and_types_are_refused(image: NDArray[np.uint8]) -> None:
    """Grey, four channels or fractions are no frame."""
    with pytest.raises(ValueError, match="H x W x 3"):
        Frame(0, NOON, image)


def test_a_time_without_zone_is_refused() -> None:
    """A frame's time is UTC and knows it."""
    with pytest.raises(ValueError, match="zone"):
        Frame(0, NOON.replace(tzinfo=None), np.zeros((4, 4, 3), np.uint8))
