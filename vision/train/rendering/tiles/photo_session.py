"""Photographs of tiles by number: what is in one is decided by its seed and number alone."""

from __future__ import annotations

from dataclasses import replace
from typing import Final, Protocol

import numpy as np

from vision.train.rendering.denoise import denoise
from vision.train.rendering.exposure import Exposure, any_exposure, encode, expose, without_grain
from vision.train.rendering.studio import Scenery, Shot
from vision.train.rendering.tiles.stage import any_stage, scenery
from vision.train.rendering.tiles.truth import label_picture
from vision.train.rendering.training_photos import Photograph

_LEAST_SATURATION: Final = 0.65
_KIND: Final = 7  # keeps these seeds apart from those of other kinds of pictures


class Tracing(Protocol):
    """Whatever traces painted surfaces; a Studio does."""

    def trace(self, shown: Scenery, seed: int) -> Shot:
        """The light that comes into the camera."""
        ...


def take_tiles(seed: int, number: int, studio: Tracing) -> Photograph:
    """The photograph of tiles of that number."""
    random = np.random.default_rng((_KIND, seed, number))
    stage, how = any_stage(random), in_colour(any_exposure(random))
    shot = studio.trace(scenery(stage), number)
    light = without_grain(shot.light) if shot.paint is None else denoise(shot.light, shot.paint)
    image = expose(light, how, random)
    labels = label_picture(stage, shot.seen, image, f"{number:05}.jpg")
    return Photograph(encode(image, how), labels)


def in_colour(how: Exposure) -> Exposure:
    """The same in colour: without it nobody can tell what a tile is."""
    return replace(how, saturation=max(how.saturation, _LEAST_SATURATION))
