"""Films as video files: the camera's sway, light and noise put on the drawn scenes."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import asdict
from pathlib import Path
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.capture.frame import Image
from vision.train.rendering.films import FRAMES_PER_SECOND, Film, Moment, clips
from vision.train.rendering.gallery import Cache
from vision.train.rendering.scene import Scene

WIDTH_PIXELS: Final = 320
HEIGHT_PIXELS: Final = 240
_NOISE_LEVELS: Final = 1.6
_USUAL_FORMAT: Final = ("mp4", "mp4v")
FORMATS: Final = {"edge": ("avi", "MJPG")}  # five times as large: one short clip


class FilmError(OSError):
    """A clip could not be written."""


def write_clips(cache: Cache, out: Path) -> Iterator[str]:
    """Write every clip of `clips` and `truth.json`; gives each clip's file name when it is done.

    Raises:
        FilmError: OpenCV cannot write one.
    """
    films = clips()
    for number, (name, film) in enumerate(films.items()):
        suffix, codec = FORMATS.get(name, _USUAL_FORMAT)
        path = out / f"{name}.{suffix}"
        write_clip(path, frames(film, cache.picture, number), codec)
        yield path.name
    write_truth(out / "truth.json", films)


def frames(film: Film, picture: Callable[[Scene], Image], seed: int) -> Iterator[Image]:
    """The film's frames in order, 240 x 320 x 3, each with fresh noise of the sensor.

    `picture` draws a scene; it is asked once for scenes that follow each other unchanged.
    """
    random = np.random.default_rng(seed)
    scene, small = None, np.zeros((HEIGHT_PIXELS, WIDTH_PIXELS, 3), np.float32)
    for moment in film.moments:
        if moment.scene != scene:
            scene = moment.scene
            small = _small(picture(scene))
        noise = random.normal(0.0, _NOISE_LEVELS, small.shape)
        yield np.clip(_taken(small, moment) + noise, 0, 255).round().astype(np.uint8)


def write_clip(path: Path, pictures: Iterator[Image], codec: str) -> None:
    """Write a video of frames; `codec` is mp4v or MJPG.

    Raises:
        FilmError: OpenCV cannot write it.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    size = (WIDTH_PIXELS, HEIGHT_PIXELS)
    writer = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*codec), FRAMES_PER_SECOND, size)
    if not writer.isOpened():
        raise FilmError(f"{path} cannot be written as {codec}; choose another place or codec")
    for picture in pictures:
        writer.write(picture)
    writer.release()


def write_truth(path: Path, films: dict[str, Film]) -> None:
    """Write what happens in each clip, as JSON."""
    told = {
        name: {
            "frames": len(film.moments),
            "frames_per_second": FRAMES_PER_SECOND,
            "events": [asdict(event) for event in film.truth],
        }
        for name, film in films.items()
    }
    path.write_text(json.dumps(told, indent=1) + "\n", encoding="utf-8")


def _small(image: Image) -> NDArray[np.float32]:
    size = (WIDTH_PIXELS, HEIGHT_PIXELS)
    return cv2.resize(image, size, interpolation=cv2.INTER_AREA).astype(np.float32)


def _taken(small: NDArray[np.float32], moment: Moment) -> NDArray[np.float32]:
    if moment.shift == (0.0, 0.0):
        return small * moment.gain
    matrix = np.array([[1, 0, moment.shift[0]], [0, 1, moment.shift[1]]], np.float32)
    size = (WIDTH_PIXELS, HEIGHT_PIXELS)
    return moment.gain * cv2.warpAffine(small, matrix, size, borderMode=cv2.BORDER_REPLICATE)
