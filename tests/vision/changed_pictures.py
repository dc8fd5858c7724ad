"""Pictures of the demo evenings, and copies of them as other cameras and programs give them."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np

from vision.capture.frame import Image


def picture(path: Path) -> Image:
    """A picture file's pixels."""
    data = np.frombuffer(path.read_bytes(), dtype=np.uint8)
    return np.asarray(cv2.imdecode(data, cv2.IMREAD_COLOR), dtype=np.uint8)


def as_it_is(image: Image) -> Image:
    """The picture itself."""
    return image


def as_jpeg(image: Image) -> Image:
    """Packed again as a JPEG of quality 80."""
    packed = cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, 80])[1]
    return np.asarray(cv2.imdecode(packed, cv2.IMREAD_COLOR), dtype=np.uint8)


def from_the_other_side(image: Image) -> Image:
    """Turned by 180 degrees: the phone was held from across the table."""
    return np.ascontiguousarray(np.rot90(image, 2))


def is_inside(quad: tuple[tuple[float, float], ...], x: float, y: float) -> bool:
    """Whether a point lies in a quadrangle."""
    return cv2.pointPolygonTest(np.array(quad, np.float32), (x, y), measureDist=False) > 0
