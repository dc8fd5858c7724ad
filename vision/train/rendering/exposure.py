"""What a camera makes of light: exposure, blur, noise, colour, sharpening, and JPEG."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any, Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.capture.frame import Image
from vision.train.rendering.chance import Random, between, happens

Light = NDArray[np.float32]
_MIDDLE_GREY: Final = 0.2
_LEAST_DEFOCUS_PX: Final = 0.3
_DARKEST: Final = 0.01
_GRAIN: Final = 0.35  # of the logarithm of the light
_SRGB_TOE: Final = 0.0031308


@dataclass(frozen=True, slots=True)
class Exposure:
    """A camera's doings with one picture.

    `stops` is how far it is from a fair exposure; `red` and `blue` are gains beside green's;
    blur lengths are in pixels; `spot` is the
    radius of a spotlight's circle in half heights (0: none); `falloff` is how much brighter the
    lamp's side of the table is; `shot` and `dark` set the noise's variance, in shares of full
    white, that grows with the light and that is always there.
    """

    stops: float
    red: float
    blue: float
    contrast: float
    saturation: float
    vignette: float
    spot: float
    falloff: float
    falloff_degrees: float
    glare: float
    defocus_px: float
    motion_px: float
    motion_degrees: float
    shot: float
    dark: float
    smoothing: float
    sharpening: float
    softness_px: float
    jpeg_quality: int

    def as_json(self) -> dict[str, Any]:
        """The same as plain figures."""
        return {name: round(value, 4) for name, value in asdict(self).items()}


def any_exposure(random: Random) -> Exposure:
    """Mostly a fair picture; now and then dark, blurred, tinted or noisy."""
    dim = happens(random, 0.15)
    stops = float(random.uniform(-2.5, -0.8) if dim else random.normal(0.05, 0.5))
    warmth = float(random.normal(0, 0.09))
    noisy = float(np.exp(random.uniform(np.log(2e-5), np.log(1.5e-3)))) * (3 if dim else 1)
    return Exposure(
        stops=float(np.clip(stops, -2.5, 1.5)),
        red=1 + warmth,
        blue=1 - warmth + float(random.normal(0, 0.03)),
        contrast=between(random, 0, 0.7),
        saturation=float(random.normal(1.05, 0.15)) if not happens(random, 0.04) else 0.0,
        vignette=float(random.choice([0.0, random.uniform(0, 0.6)])),
        spot=between(random, 0.75, 1.15) if happens(random, 0.03) else 0.0,
        falloff=float(random.choice([0.0, random.uniform(0, 0.6)])),
        falloff_degrees=between(random, 0, 360),
        glare=between(random, 0, 0.05),
        defocus_px=float(random.choice([0.0, random.exponential(0.8)], p=[0.75, 0.25])),
        motion_px=float(random.choice([0.0, random.uniform(1.5, 6)], p=[0.92, 0.08])),
        motion_degrees=between(random, 0, 180),
        shot=noisy,
        dark=noisy * between(random, 0.005, 0.06),
        smoothing=float(random.choice([0.0, random.uniform(2, 9)], p=[0.35, 0.65])),
        sharpening=float(random.choice([0.0, random.uniform(0.2, 1.4)], p=[0.4, 0.6])),
        softness_px=float(random.choice([0.0, random.uniform(0.3, 1.0)], p=[0.5, 0.5])),
        jpeg_quality=int(random.integers(40, 96)),
    )


def without_grain(light: Light) -> Light:
    """The light with less of the tracer's grain.

    Single pixels that a stray path lit far brighter than those around are brought down to them.
    """
    floor = cv2.medianBlur(np.ascontiguousarray(light), 3)
    brightest = floor.max(axis=2, keepdims=True) * 1.8 + 0.05
    over = light.max(axis=2, keepdims=True) / brightest
    calm = np.log(light / np.maximum(over, 1) + _DARKEST).astype(np.float32)
    calm = cv2.bilateralFilter(calm, 5, _GRAIN, 1.3)
    return np.asarray(np.maximum(np.exp(calm) - _DARKEST, 0), dtype=np.float32)


def expose(light: Light, how: Exposure, random: Random) -> Image:
    """The picture, blue-green-red, 8 bits, that the camera takes of the light."""
    metered = float(np.mean(light.mean(axis=2) ** 0.5)) ** 2
    gain = np.clip(_MIDDLE_GREY / max(metered, 1e-6), 0, 4) ** 0.85 * 2**how.stops
    shown = light * np.array([how.red, 1, how.blue], dtype=np.float32) * np.float32(gain)
    shown = _blur(_glare(np.minimum(shown, 12), how.glare), how) * _vignette(shown.shape, how)
    noise = random.standard_normal(shown.shape, dtype=np.float32)
    shown = shown + noise * np.sqrt(how.shot * np.maximum(shown, 0) + how.dark)
    return _finish(_curve(shown, how), how)


def _glare(light: Light, share: float) -> Light:
    """Bright places spread a veil around them."""
    size = max(light.shape[0] // 12, 3)
    small = cv2.resize(light, None, fx=0.25, fy=0.25, interpolation=cv2.INTER_AREA)
    veil = cv2.GaussianBlur(small, (0, 0), size / 4)
    wide = cv2.resize(veil, (light.shape[1], light.shape[0]))
    return np.asarray(light * (1 - share) + wide * share, dtype=np.float32)


def _blur(light: Light, how: Exposure) -> Light:
    if how.defocus_px > _LEAST_DEFOCUS_PX:
        light = np.asarray(cv2.filter2D(light, -1, _disc(how.defocus_px)), dtype=np.float32)
    if how.motion_px > 0:
        light = np.asarray(cv2.filter2D(light, -1, _streak(how)), dtype=np.float32)
    if how.softness_px > 0:
        light = np.asarray(cv2.GaussianBlur(light, (0, 0), how.softness_px), dtype=np.float32)
    return light


def _disc(radius: float) -> Light:
    reach = int(np.ceil(radius)) + 1
    off = np.arange(-reach, reach + 1)
    kernel = np.clip(radius - np.hypot(*np.meshgrid(off, off)) + 0.5, 0, 1)
    return np.asarray(kernel / kernel.sum(), dtype=np.float32)


def _streak(how: Exposure) -> Light:
    reach = int(np.ceil(how.motion_px / 2)) + 1
    kernel = np.zeros((2 * reach + 1, 2 * reach + 1), dtype=np.float32)
    angle = np.radians(how.motion_degrees)
    half = np.array([np.cos(angle), np.sin(angle)]) * how.motion_px / 2
    start, end = (np.rint((reach + sign * half) * 16).astype(int).tolist() for sign in (-1, 1))
    cv2.line(kernel, start, end, 1.0, 1, cv2.LINE_AA, 4)
    kernel += 1e-6
    return np.asarray(kernel / kernel.sum(), dtype=np.float32)


def _vignette(shape: tuple[int, ...], how: Exposure) -> Light:
    across, down = np.linspace(-1, 1, shape[1]), np.linspace(-1, 1, shape[0])
    away = (across[None, :] ** 2 + down[:, None] ** 2) / 2
    angle = np.radians(how.falloff_degrees)
    slope = (np.cos(angle) * across[None, :] + np.sin(angle) * down[:, None]) / 2
    shade = (1 - how.vignette * away) * (1 + how.falloff * slope)
    if how.spot > 0:
        radius = np.hypot(across[None, :] * shape[1] / shape[0], down[:, None])
        shade = shade * (0.03 + 0.97 / (1 + np.exp((radius - how.spot) * 25)))
    return np.asarray(shade[..., None], dtype=np.float32)


def _curve(shown: Light, how: Exposure) -> Light:
    """Linear light as a display shows it, with the camera's contrast and saturation; 0 to 255."""
    bounded = np.clip(shown, 0, 1)
    bent = np.where(bounded < _SRGB_TOE, 12.92 * bounded, 1.055 * bounded ** (1 / 2.4) - 0.055)
    steep = bent * bent * (3 - 2 * bent)
    bent = bent + how.contrast * (steep - bent)
    grey = bent @ np.array([0.3, 0.59, 0.11])
    bent = grey[..., None] + how.saturation * (bent - grey[..., None])
    return np.asarray(np.clip(bent * 255, 0, 255), dtype=np.float32)


def _finish(shown: Light, how: Exposure) -> Image:
    picture = np.ascontiguousarray(shown[..., ::-1])
    if how.smoothing > 0:
        smooth = cv2.bilateralFilter(picture, 5, 2.5 * how.smoothing, 1.5)
        picture = np.asarray(smooth, dtype=np.float32)
    if how.sharpening > 0:
        soft = cv2.GaussianBlur(picture, (0, 0), 1.2)
        picture = picture + how.sharpening * (picture - soft)
    return np.clip(picture, 0, 255).round().astype(np.uint8)


def encode(image: Image, how: Exposure) -> bytes:
    """The picture as the JPEG file that the camera writes."""
    options = [cv2.IMWRITE_JPEG_QUALITY, how.jpeg_quality]
    return bytes(cv2.imencode(".jpg", image, options)[1].tobytes())
