"""One photographed piece made many: the same face as other lights and cameras would show it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.capture.frame import Image
from vision.capture.image_pyramid import Pyramid
from vision.learn.crops import Format, cut
from vision.learn.quads import Quad, sides

Random = np.random.Generator
# Of the shorter side: how far the corners of a found piece are off.
FLAT_ASTRAY: Final = 0.022
SOLID_ASTRAY: Final = 0.05  # which part of a die is its upper face is guessed, step by step


@dataclass(frozen=True, slots=True)
class Lighting:
    """A light and a lens: what they do alike to all pieces of one photograph.

    `gamma`, `tints` (one a channel), `contrast` and `saturation` act on a picture of 0 to 1,
    `blur` is in pixels of a crop, `noise` its standard deviation.
    """

    gamma: float
    tints: tuple[float, float, float]
    contrast: float
    saturation: float
    blur: float
    noise: float


def any_lighting(random: Random) -> Lighting:
    """One as another evening, lamp or camera may bring it."""
    tints = np.exp(random.normal(0, [0.1, 0.03, 0.1]) + random.normal(0, 0.15))
    return Lighting(
        gamma=float(np.exp(random.normal(0, 0.16))),
        tints=(float(tints[0]), float(tints[1]), float(tints[2])),
        contrast=float(random.uniform(-0.2, 0.45)),
        saturation=float(np.exp(random.normal(0, 0.17))),
        blur=float(random.uniform(0, 1.3)),
        noise=float(random.uniform(0, 0.03)),
    )


def varied(  # noqa: PLR0913, PLR0917 -- a piece, and what is done to it
    pyramid: Pyramid,
    quad: Quad,
    size: Format,
    lightings: Sequence[Lighting],
    astray: float,
    random: Random,
) -> Image:
    """The piece at a quad under each lighting, N x height x width x 3.

    `astray` is how far its corners are off, of its shorter side.
    """
    reach = astray * min(sides(quad))
    quads = [_astray(quad, reach, random) for _ in lightings]
    crops = cut(pyramid, quads, size)
    return np.stack([_lit(*each, random) for each in zip(crops, lightings, strict=True)])


def _astray(quad: Quad, reach: float, random: Random) -> Quad:
    """Its corners a little off: together, and each by itself."""
    off = random.normal(0, 0.6, (1, 2)) + random.normal(0, 0.8, (4, 2))
    return np.asarray(quad + off * reach, np.float32)


def _lit(crop: Image, how: Lighting, random: Random) -> Image:
    """Under another light, through another lens; how light falls off is each piece's own."""
    shown = (crop.astype(np.float32) / 255) ** how.gamma
    shown *= np.array(how.tints, np.float32) * _slope(crop.shape, random)
    steep = shown * shown * (3 - 2 * np.clip(shown, 0, 1))
    shown += how.contrast * (steep - shown)
    grey = shown.mean(axis=2, keepdims=True)
    shown = grey + how.saturation * (shown - grey)
    if how.blur > 0.3:  # noqa: PLR2004 -- pixels: less changes nothing
        shown = cv2.GaussianBlur(shown, (0, 0), how.blur)
    shown = shown + random.normal(0, how.noise, shown.shape)
    return np.asarray(np.clip(shown * 255, 0, 255), np.uint8)


def _slope(shape: tuple[int, ...], random: Random) -> NDArray[np.float32]:
    across, down = np.linspace(-1, 1, shape[1]), np.linspace(-1, 1, shape[0])
    slope = random.normal(0, 0.1, 2)
    ramp = np.exp(slope[0] * across[None, :] + slope[1] * down[:, None])
    return np.asarray(ramp[..., None], np.float32)
