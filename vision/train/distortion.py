"""What cameras and lamps do to a picture: light, colour, blur, noise, compression."""

from __future__ import annotations

from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.capture.frame import Image
from vision.train.chance import Chance

Picture = NDArray[np.float32]

WHITE: Final = 255.0
_AS_IT_IS: Final = 0.3
_COARSE: Final = 0.3
_SPECKLED: Final = 0.12


def distort(image: Image, chance: Chance, *, recolour: bool = True) -> Image:
    """Give the picture as another camera under other lamps might have taken it, or as it is.

    Without `recolour` every colour can still be told from the others.
    """
    if chance.happens(_AS_IT_IS):
        return image
    picture = (recoloured(image, chance) if recolour else image).astype(np.float32)
    picture = _relit(picture, chance)
    picture = _blurred(picture, chance)
    return _compressed(_noisy(picture, chance), chance)


def coarse(image: Image, chance: Chance, *, recolour: bool = True) -> Image:
    """Lose detail as something small or distant does when it is enlarged, grain and all."""
    if not chance.happens(_COARSE):
        return image
    shape = (image.shape[1], image.shape[0])
    factor = chance.between(0.3, 0.9)
    small = cv2.resize(image, None, fx=factor, fy=factor, interpolation=cv2.INTER_AREA)
    taken = np.asarray(small, np.uint8)
    taken = distort(taken, chance, recolour=recolour) if chance.happens(0.5) else taken
    return np.asarray(cv2.resize(taken, shape, interpolation=cv2.INTER_LINEAR), np.uint8)


def recoloured(image: Image, chance: Chance) -> Image:
    """Give the picture other colours, or inverted ones, or none, or leave them."""
    if chance.happens(0.35):
        image = _turned_hue(image, chance)
    if chance.happens(0.15):
        image = np.ascontiguousarray(image[:, :, chance.numbers.permutation(3)])
    if chance.happens(0.08):
        image = np.asarray(255 - image, np.uint8)
    if chance.happens(0.08):
        grey = cv2.cvtColor(image, cv2.COLOR_BGR2GRAY)
        image = np.asarray(cv2.cvtColor(grey, cv2.COLOR_GRAY2BGR), np.uint8)
    return np.asarray(image, np.uint8)


def _turned_hue(image: Image, chance: Chance) -> Image:
    hsv = cv2.cvtColor(image, cv2.COLOR_BGR2HSV).astype(np.int16)
    hsv[:, :, 0] = (hsv[:, :, 0] + chance.below(180)) % 180
    hsv[:, :, 1] = np.clip(hsv[:, :, 1] * chance.between(0.3, 1.6), 0, 255)
    return np.asarray(cv2.cvtColor(hsv.astype(np.uint8), cv2.COLOR_HSV2BGR), np.uint8)


def _relit(picture: Picture, chance: Chance) -> Picture:
    contrast, light = chance.between(0.6, 1.3), chance.between(-35.0, 35.0)
    gains = contrast * np.exp(chance.numbers.normal(0, 0.08, 3)).astype(np.float32)
    middle = float(picture.mean())
    picture = np.asarray((picture - middle) * gains + (middle + light), np.float32)
    if chance.happens(0.35):
        picture = picture * _slope(picture.shape, chance)
    if chance.happens(0.15):
        picture = picture + _glare(picture.shape, chance)
    if chance.happens(0.3):
        picture = _gamma(picture, chance.scale(0.5, 2.0))
    if chance.happens(0.08):
        picture = picture * np.float32(chance.between(0.25, 0.7))
    return np.asarray(picture, np.float32)


def _gamma(picture: Picture, power: float) -> Picture:
    return np.asarray(WHITE * (np.clip(picture, 0, WHITE) / WHITE) ** power, np.float32)


def _slope(shape: tuple[int, ...], chance: Chance) -> Picture:
    height, width = shape[:2]
    angle = chance.between(0, 2 * np.pi)
    down, across = np.mgrid[-1 : 1 : height * 1j, -1 : 1 : width * 1j].astype(np.float32)
    along = np.cos(angle) * across + np.sin(angle) * down + chance.between(-0.7, 0.7)
    if chance.happens(0.4):
        along = np.tanh(along * chance.between(2, 20))  # the edge of a hard shadow
    return np.asarray((1 + along * chance.between(0.1, 0.4))[:, :, None], np.float32)


def _glare(shape: tuple[int, ...], chance: Chance) -> Picture:
    height, width = shape[:2]
    down, across = np.mgrid[0:height, 0:width].astype(np.float32)
    radius = max(height, width) * chance.between(0.05, 0.35)
    across -= chance.between(0, width)
    down -= chance.between(0, height)
    spot = np.exp(-(across**2 + down**2) / (2 * radius**2))
    return np.asarray(spot[:, :, None] * chance.between(40, 200), np.float32)


def _blurred(picture: Picture, chance: Chance) -> Picture:
    if chance.happens(0.25):
        picture = np.asarray(
            cv2.GaussianBlur(picture, (0, 0), chance.between(0.4, 1.5)), np.float32
        )
    if chance.happens(0.08):
        picture = np.asarray(cv2.filter2D(picture, -1, _stroke(chance)), np.float32)
    if chance.happens(0.1):
        soft = cv2.GaussianBlur(picture, (0, 0), 1.0)
        picture = np.asarray(picture + (picture - soft) * chance.between(0.5, 2.0), np.float32)
    return picture


def _stroke(chance: Chance) -> Picture:
    length = 3 + 2 * chance.below(3)
    kernel = np.zeros((length, length), np.float32)
    kernel[length // 2] = 1 / length
    turn = cv2.getRotationMatrix2D((length // 2, length // 2), chance.between(0, 180), 1)
    turned = cv2.warpAffine(kernel, turn, (length, length))
    return np.asarray(turned / max(float(turned.sum()), 1e-3), np.float32)


def _noisy(picture: Picture, chance: Chance) -> Picture:
    if chance.happens(0.4):
        noise = chance.numbers.standard_normal(picture.shape, np.float32)
        picture = picture + noise * np.float32(chance.scale(1.5, 16))
    if chance.happens(_SPECKLED):
        speckled, share = (
            chance.numbers.random(picture.shape[:2], np.float32),
            chance.scale(0.003, 0.04),
        )
        dark = share * chance.pick((0.0, 0.5, 0.5, 1.0))
        picture[speckled < share] = WHITE
        picture[speckled < dark] = 0
    return np.asarray(np.clip(picture, 0, WHITE), np.float32)


def _compressed(picture: Picture, chance: Chance) -> Image:
    image = picture.astype(np.uint8)
    if not chance.happens(0.25):
        return image
    quality = [cv2.IMWRITE_JPEG_QUALITY, 25 + chance.below(65)]
    _, packed = cv2.imencode(".jpg", image, quality)
    unpacked = cv2.imdecode(packed, cv2.IMREAD_COLOR)
    return np.asarray(unpacked, np.uint8)
