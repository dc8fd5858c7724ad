"""Camera and light: lens, viewpoint, the room around the table, exposure and denoising."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any, Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.capture.frame import Image
from vision.train.rendering.chance import Random, between, by_scale, happens

Vector = NDArray[np.float64]
_NEAREST: Final = 5.0
_SIZES: Final = ((640, 480), (512, 384), (480, 640), (640, 360), (512, 512), (384, 512))
_SIZE_SHARES: Final = (0.34, 0.2, 0.1, 0.1, 0.2, 0.06)


@dataclass(frozen=True, slots=True)
class Lens:
    """A camera that looks at a point of the table; lengths are in sides of a die.

    `field_degrees` is the angle of the picture's longer side; `roll_degrees` turns the picture
    around its middle. `aperture` is the lens's radius and `focus` the distance that is sharp.
    """

    width: int
    height: int
    target: tuple[float, float, float]
    elevation_degrees: float
    azimuth_degrees: float
    roll_degrees: float
    distance: float
    field_degrees: float
    aperture: float
    focus: float

    @property
    def focal_pixels(self) -> float:
        half = np.tan(np.radians(self.field_degrees) / 2)
        return float(max(self.width, self.height) / 2 / half)

    @property
    def eye(self) -> Vector:
        return np.asarray(np.asarray(self.target) - self.distance * self.axes[2])

    @property
    def axes(self) -> Vector:
        """The camera's right, down and forward directions, 3 x 3, one a row."""
        elevation, azimuth = np.radians([self.elevation_degrees, self.azimuth_degrees])
        level = np.array([np.sin(azimuth), -np.cos(azimuth), 0.0])
        forward = -(np.cos(elevation) * level + np.sin(elevation) * np.array([0.0, 0.0, 1.0]))
        right = np.array([np.cos(azimuth), np.sin(azimuth), 0.0])
        down = np.cross(forward, right)
        sine, cosine = np.sin(np.radians(self.roll_degrees)), np.cos(np.radians(self.roll_degrees))
        return np.array([cosine * right + sine * down, cosine * down - sine * right, forward])

    def pixels(self, points: Vector) -> Vector:
        """Where points (N x 3) fall: N x 2, pixels from the picture's left and top."""
        right, down, depth = ((points - self.eye) @ self.axes.T).T
        depth = np.maximum(depth, 1e-3)
        middle = np.array([self.width / 2, self.height / 2])
        return middle + self.focal_pixels * np.stack([right / depth, down / depth], axis=-1)

    def ground(self, pixels: Vector, height: float = 0.0) -> Vector:
        """The points (N x 3) of a level plane that pixels (N x 2) see."""
        off = (pixels - np.array([self.width / 2, self.height / 2])) / self.focal_pixels
        ways = np.column_stack([off, np.ones(len(off))]) @ self.axes
        reach = (height - self.eye[2]) / np.minimum(ways[:, 2], -1e-3)
        return np.asarray(self.eye + ways * reach[:, None])

    def die_pixels(self) -> float:
        """How wide a side of length one at the target is in the picture."""
        return float(self.focal_pixels / self.distance)


def any_lens(random: Random, die_share: float) -> Lens:
    """A camera of a phone, a webcam or a Pi, 20 to 90 degrees above the table.

    `die_share` is a die's side as a share of the picture's longer side.
    """
    # One of a few sizes: the tracer compiles its kernels anew for each
    width, height = _SIZES[int(random.choice(len(_SIZES), p=_SIZE_SHARES))]
    heights = [random.uniform(74, 90), random.uniform(40, 80), random.uniform(20, 40)]
    elevation = float(random.choice(heights, p=[0.35, 0.45, 0.2]))
    longer = max(width, height)
    roll = float(random.choice([random.normal(0, 6), random.uniform(-180, 180)], p=[0.8, 0.2]))
    upward = abs(np.cos(np.radians(roll))) * height + abs(np.sin(np.radians(roll))) * width
    field = _field(random, elevation, float(upward / longer), die_share)
    distance = float(0.5 / np.tan(np.radians(field) / 2) / die_share)
    focus = distance * float(random.choice([1.0, random.normal(1, 0.08)], p=[0.6, 0.4]))
    azimuth = between(random, -180, 180)
    # A lens's radius that blurs what is a tenth out of focus by 0.1 to 3 pixels
    blur = float(random.choice([0.1, random.exponential(0.8)], p=[0.6, 0.4]))
    focal = longer / 2 / np.tan(np.radians(field) / 2)
    return Lens(
        width, height, (0.0, 0.0, 0.3), elevation, azimuth, roll, distance, field,
        float(min(blur, 4.0) / 0.1 * distance / focal / 2 + 1e-4), focus,
    )  # fmt: skip


def _field(random: Random, elevation: float, upward: float, die_share: float) -> float:
    """An angle of the longer side that neither sees the horizon nor comes too near the dice.

    `upward` is how far the picture reaches up and down, as a share of the longer side.
    """
    field = float(random.choice([random.uniform(22, 45), random.uniform(45, 72)]))
    to_horizon = np.tan(np.radians(elevation - 14)) / upward
    to_dice = 0.5 / (_NEAREST * die_share)
    return float(min(field, 2 * np.degrees(np.arctan(min(to_horizon, to_dice)))))


Light = NDArray[np.float32]
_MIDDLE_GREY: Final = 0.2
_LEAST_DEFOCUS_PX: Final = 0.3
_DARKEST: Final = 0.01
_GRAIN: Final = 0.35  # of the logarithm of the light
_SRGB_TOE: Final = 0.0031308


@dataclass(frozen=True, slots=True)
class Exposure:
    """A camera's doings with one picture.

    `stops` is how far it is from a fair exposure; `red` and `blue` are gains relative to green's;
    blur lengths are in pixels; `spot` is the radius of a spotlight's circle in half heights (0:
    none); `falloff` is how much brighter the lamp's side of the table is; `shot` and `dark` set the
    noise's variance, in shares of full white, that grows with the light and that is always there.
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
        return {name: round(value, 4) for name, value in asdict(self).items()}


# Of the demo's tables: a fair picture.
DEMO_EXPOSURE: Final = Exposure(
    stops=0.0, red=1.04, blue=0.95, contrast=0.3, saturation=1.05, vignette=0.25, spot=0.0,
    falloff=0.15, falloff_degrees=30.0, glare=0.01, defocus_px=0.0, motion_px=0.0,
    motion_degrees=0.0, shot=4e-5, dark=1e-6, smoothing=2.0, sharpening=0.4, softness_px=0.45,
    jpeg_quality=95,
)  # fmt: skip


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
    # Linear light as a display shows it, with the camera's contrast and saturation; 0 to 255
    bounded = np.clip(shown, 0, 1)
    bent = np.where(bounded < _SRGB_TOE, 12.92 * bounded, 1.055 * bounded ** (1 / 2.4) - 0.055)
    steep = bent * bent * (3 - 2 * bent)
    bent = bent + how.contrast * (steep - bent)
    grey = bent @ np.array([0.3, 0.59, 0.11])
    bent = grey[..., None] + how.saturation * (bent - grey[..., None])
    return _finish(np.asarray(np.clip(bent * 255, 0, 255), dtype=np.float32), how)


def _glare(light: Light, share: float) -> Light:
    """Bright places spread a veil around them."""
    size = max(light.shape[0] // 12, 3)
    small = cv2.resize(light, None, fx=0.25, fy=0.25, interpolation=cv2.INTER_AREA)
    veil = cv2.GaussianBlur(small, (0, 0), size / 4)
    wide = cv2.resize(veil, (light.shape[1], light.shape[0]))
    return np.asarray(light * (1 - share) + wide * share, dtype=np.float32)


def _blur(light: Light, how: Exposure) -> Light:
    if how.defocus_px > _LEAST_DEFOCUS_PX:
        radius = how.defocus_px
        reach = int(np.ceil(radius)) + 1
        off = np.arange(-reach, reach + 1)
        kernel = np.clip(radius - np.hypot(*np.meshgrid(off, off)) + 0.5, 0, 1)
        light = np.asarray(
            cv2.filter2D(light, -1, np.asarray(kernel / kernel.sum(), dtype=np.float32)),
            dtype=np.float32,
        )
    if how.motion_px > 0:
        light = np.asarray(cv2.filter2D(light, -1, _streak(how)), dtype=np.float32)
    if how.softness_px > 0:
        light = np.asarray(cv2.GaussianBlur(light, (0, 0), how.softness_px), dtype=np.float32)
    return light


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


WIDTH_PIXELS = 640
HEIGHT_PIXELS = 480


@dataclass(frozen=True, slots=True)
class Viewpoint:
    """A camera that looks at the middle of the table.

    `elevation_degrees` is its height over the table's plane (90 looks straight down),
    `azimuth_degrees` 0 is at the player's side, `die_pixels` is how wide a die in the middle of the
    table is in the picture, `field_degrees` the picture's angle from left to right.
    """

    elevation_degrees: float
    azimuth_degrees: float
    die_pixels: float
    field_degrees: float = 27.0

    @property
    def distance(self) -> float:
        """How far the camera is from the middle of the table, in sides of a die."""
        half_width = WIDTH_PIXELS / self.die_pixels / 2
        return float(half_width / np.tan(np.radians(self.field_degrees) / 2))

    @property
    def eye(self) -> NDArray[np.float64]:
        elevation, azimuth = np.radians([self.elevation_degrees, self.azimuth_degrees])
        level = np.cos(elevation) * np.array([np.sin(azimuth), -np.cos(azimuth)])
        return self.distance * np.array([*level, np.sin(elevation)])

    @property
    def up(self) -> NDArray[np.float64]:
        """The direction on the table that points up in the picture."""
        azimuth = np.radians(self.azimuth_degrees)
        return np.array([-np.sin(azimuth), np.cos(azimuth), 0.0])

    def pixel(self, point: NDArray[np.float64]) -> tuple[float, float]:
        """Where a point falls: pixels from the picture's left and from its top."""
        forward = -self.eye / self.distance
        right = np.cross(forward, self.up)
        right /= np.linalg.norm(right)
        down = np.cross(forward, right)
        offset = point - self.eye
        scale = WIDTH_PIXELS / 2 / np.tan(np.radians(self.field_degrees) / 2)
        across, along = offset @ right / (offset @ forward), offset @ down / (offset @ forward)
        return WIDTH_PIXELS / 2 + float(scale * across), HEIGHT_PIXELS / 2 + float(scale * along)


_DARKEST_PAINT: Final = 0.03
_DENOISE_DARKEST: Final = 0.02
# OpenCV sums the differences of the three channels: these are about 0.4 and 0.2 of each.
_DENOISE_GRAIN: Final = (1.2, 0.6)
_STRAY: Final = (0.65, 1.5)  # a pixel's least and most next to the median around it


def denoise(light: Light, paint: Light) -> Light:
    """The light with little of the tracer's grain; both are H x W x 3 and linear."""
    cover = paint + np.float32(_DARKEST_PAINT)
    fallen = _without_strays(np.asarray(light / cover, dtype=np.float32))
    level = np.log(fallen + _DENOISE_DARKEST).astype(np.float32)
    level = np.asarray(cv2.bilateralFilter(level, 7, _DENOISE_GRAIN[0], 1.7), dtype=np.float32)
    level = np.asarray(cv2.bilateralFilter(level, 9, _DENOISE_GRAIN[1], 2.4), dtype=np.float32)
    return np.asarray(np.maximum(np.exp(level) - _DENOISE_DARKEST, 0) * cover, dtype=np.float32)


def _without_strays(fallen: Light) -> Light:
    """Single pixels that a path lit far more or far less than those around come near to them."""
    usual = cv2.medianBlur(np.ascontiguousarray(fallen), 3).mean(axis=2, keepdims=True)
    mine = fallen.mean(axis=2, keepdims=True)
    least, most = _STRAY
    near = np.clip(mine, usual * least - _DENOISE_DARKEST, usual * most + _DENOISE_DARKEST)
    return np.asarray(fallen * (near / np.maximum(mine, 1e-4)), dtype=np.float32)


Tint = tuple[float, float, float]
_CEILING_FROM: Final = 0.6  # radians above the horizon
_HEIGHT: Final = 128
_POINT: Final = 0.6
WIDE: Final = 6.0
_WIDTH: Final = 256


def any_room(random: Random, smallest: float = _POINT) -> Light:
    """A room by day or by lamplight: the light from all around, 128 x 256 x 3.

    The rows run from the zenith to the nadir; a white sheet on the table gives back 1 of it.
    `smallest` is the least radius of a lamp, in rows: light that passed through clear dice
    stays grainy for long where lamps are small.
    """
    rise = np.linspace(np.pi / 2, -np.pi / 2, _HEIGHT)[:, None]
    ceiling, wall, floor = random.uniform([0.3, 0.1, 0.05], [1.0, 0.7, 0.3])
    level = np.where(rise > _CEILING_FROM, ceiling, np.where(rise > 0, wall, floor))
    light = np.repeat(level, _WIDTH, axis=1)[..., None] * np.array(any_tint(random))
    light *= 1 + 0.4 * cv2.resize(random.uniform(-1, 1, (6, 12, 1)), (_WIDTH, _HEIGHT))[..., None]
    for _ in range(int(random.choice([0, 1, 2, 3], p=[0.2, 0.4, 0.25, 0.15]))):
        top, tall = int(random.integers(16, 44)), int(random.integers(10, 24))
        left, wide = int(random.integers(0, _WIDTH)), int(random.integers(12, 52))
        columns = np.arange(left, left + wide) % _WIDTH
        glow = between(random, 4, 25) * np.array(any_tint(random))
        light[top : top + tall, columns] = glow
        if happens(random, 0.6):
            light[top : top + tall, columns[wide // 2 : wide // 2 + 2]] = 0.2
    for _ in range(int(random.choice([0, 1, 2, 4], p=[0.3, 0.3, 0.25, 0.15]))):
        _add_bulb(random, light, by_scale(random, 15, 120), smallest)
    light /= max(float(_on_white_sheet(light).mean()), 1e-9)
    if happens(random, 0.7):
        light = _beside_lamps(random, light, smallest)
    return np.asarray(light + 1e-4, dtype=np.float32)


def _beside_lamps(
    random: Random, light: NDArray[np.float64], smallest: float
) -> NDArray[np.float64]:
    """The room's light dimmed, with one or two lamps that give most of what falls on the table."""
    lamps = np.zeros_like(light)
    for _ in range(int(random.choice([1, 2], p=[0.8, 0.2]))):
        _add_bulb(random, lamps, between(random, 0.3, 1), smallest)
    key = between(random, 0.2, 0.92)
    white = max(float(_on_white_sheet(lamps).mean()), 1e-9)
    return np.asarray(light * (1 - key) + lamps * (key / white))


def any_tint(random: Random) -> Tint:
    """White light, warm as a lamp's or cool as the sky's."""
    warmth = float(random.normal(0.05, 0.16))
    return 1 + warmth, 1.0, float(np.clip(1 - 1.3 * warmth, 0.35, 1.6))


def _add_bulb(random: Random, light: NDArray[np.float64], bright: float, smallest: float) -> None:
    """A round lamp, from one that casts hard shadows to a wide soft one."""
    middle = int(random.integers(2, 50))
    radius = by_scale(random, smallest, 14)
    row, column = np.arange(_HEIGHT)[:, None], np.arange(_WIDTH)[None, :]
    around = (column - int(random.integers(0, _WIDTH)) + _WIDTH // 2) % _WIDTH - _WIDTH // 2
    across = around * np.maximum(np.sin(np.pi * (row + 0.5) / _HEIGHT), 0.02)
    light[np.hypot(row - middle, across) <= radius] = bright * np.array(any_tint(random))


def _on_white_sheet(light: NDArray[np.float64]) -> NDArray[np.float64]:
    """What a level white sheet sends back of it, red, green, blue."""
    angle = (np.arange(_HEIGHT) + 0.5) * np.pi / _HEIGHT
    weight = np.clip(np.cos(angle), 0, None) * np.sin(angle)
    area = (np.pi / _HEIGHT) * (2 * np.pi / _WIDTH)
    return np.asarray((light * weight[:, None, None]).sum(axis=(0, 1)) * area / np.pi)
