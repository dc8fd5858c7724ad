"""Rendered pictures on disk: drawn once into a cache, then packed small into a folder."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import cv2
import numpy as np

from vision.capture.frame import Image
from vision.train.rendering.scene import Scene

_SHEET_COLUMNS: Final = 9
_SHEET_WIDTH: Final = 208
_SHEET_HEIGHT: Final = 156
_SHEET_QUALITY: Final = 80


@dataclass(frozen=True, slots=True)
class Cache:
    """Pictures by their scene's digest, so that a broken-off run goes on where it stopped."""

    folder: Path
    draw: Callable[[Scene], Image]

    def picture(self, scene: Scene) -> Image:
        """The scene's picture, drawn now when it isn't there yet."""
        path = self.folder / f"{scene.digest}.png"
        if path.exists():
            return read_picture(path)
        image = self.draw(scene)
        self.folder.mkdir(parents=True, exist_ok=True)
        unfinished = path.with_suffix(".part")
        unfinished.write_bytes(cv2.imencode(".png", image)[1].tobytes())
        unfinished.replace(path)
        return image


def read_picture(path: Path) -> Image:
    """Decode a picture file.

    Raises:
        ValueError: it is no picture.
    """
    image = cv2.imdecode(np.frombuffer(path.read_bytes(), dtype=np.uint8), cv2.IMREAD_COLOR)
    if image is None:
        raise ValueError(f"{path} is no picture")
    return np.asarray(image, dtype=np.uint8)


def write_webp(path: Path, image: Image, quality: int) -> None:
    """Pack a picture as WebP, quality 1 to 100."""
    path.parent.mkdir(parents=True, exist_ok=True)
    encoded = cv2.imencode(".webp", image, [cv2.IMWRITE_WEBP_QUALITY, quality])[1]
    path.write_bytes(encoded.tobytes())


def write_contact_sheet(path: Path, pictures: list[Path]) -> None:
    """Write a JPEG of many pictures, small, in rows of nine; cut to 4:3 around the middle."""
    small = [_small(read_picture(one)) for one in pictures]
    missing = -len(small) % _SHEET_COLUMNS
    small += [np.full((_SHEET_HEIGHT, _SHEET_WIDTH, 3), 255, dtype=np.uint8)] * missing
    rows = [
        np.hstack(small[at : at + _SHEET_COLUMNS]) for at in range(0, len(small), _SHEET_COLUMNS)
    ]
    encoded = cv2.imencode(".jpg", np.vstack(rows), [cv2.IMWRITE_JPEG_QUALITY, _SHEET_QUALITY])[1]
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(encoded.tobytes())


def _small(image: Image) -> Image:
    height, width = image.shape[:2]
    share = min(width / _SHEET_WIDTH, height / _SHEET_HEIGHT)
    across, down = round(share * _SHEET_WIDTH), round(share * _SHEET_HEIGHT)
    left, top = (width - across) // 2, (height - down) // 2
    middle = image[top : top + down, left : left + across]
    size = (_SHEET_WIDTH, _SHEET_HEIGHT)
    return np.asarray(cv2.resize(middle, size, interpolation=cv2.INTER_AREA), dtype=np.uint8)


def spread(pictures: Sequence[Path], count: int) -> list[Path]:
    """So many of the pictures, evenly from the first to the last; all when there are fewer."""
    places = np.linspace(0, len(pictures) - 1, min(count, len(pictures)))
    return [pictures[round(float(place))] for place in places]
