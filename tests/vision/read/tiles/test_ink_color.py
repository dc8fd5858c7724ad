"""Ink against face, measured on drawn crops."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from vision.read.detection import TILE_HEIGHT, TILE_WIDTH
from vision.read.tiles import inks_of


@pytest.mark.parametrize("light", [1.0, 0.5])
def test_the_ink_is_told_by_its_own_face(light: float) -> None:
    """The same in half the light: only their ratio counts."""
    crop = np.full((TILE_HEIGHT, TILE_WIDTH, 3), 220, np.uint8)
    cv2.putText(crop, "7", (10, 30), cv2.FONT_HERSHEY_SIMPLEX, 0.9, (40, 30, 180), 3)
    ((blue, green, red),) = inks_of((crop[None] * light).astype(np.uint8))
    assert (blue, green, red) == pytest.approx(np.log(np.array([40, 30, 180]) / 220), abs=0.15)
