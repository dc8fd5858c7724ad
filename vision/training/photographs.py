"""The train photographs, decoded once and kept in memory."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

import cv2
import numpy as np

from vision.errors import LabelError
from vision.frame import Image
from vision.labels import LabelledPhotograph, Source, read_sources
from vision.training.chance import Chance
from vision.training.placed import PlacedDie

TRAIN: Final = "train"
# Boxes around the pips tell little of the die's size; these photographs' dice are this large.
_PIPS_ONLY_SIZE: Final = 62.0


@dataclass(frozen=True, slots=True, eq=False)
class Picture:
    """One decoded photograph with its dice, and the same at half and quarter size.

    `clutter` is what resembles dice on it.
    """

    source: str
    levels: tuple[Image, ...]
    dice: tuple[PlacedDie, ...]
    clutter: tuple[PlacedDie, ...] = ()

    @property
    def image(self) -> Image:
        """The photograph at its own size."""
        return self.levels[0]

    @property
    def sized(self) -> bool:
        """Whether the boxes are those of whole dice."""
        return all(die.sized for die in self.dice)

    def relabelled(self, dice: tuple[PlacedDie, ...], clutter: tuple[PlacedDie, ...]) -> Picture:
        """The same photograph with other boxes, and with its clutter."""
        return replace(self, dice=dice, clutter=clutter)


class Pictures:
    """All photographs by source; each source is picked as often as any other."""

    def __init__(self, pictures: list[Picture]) -> None:
        self.by_source: dict[str, list[Picture]] = {}
        for picture in pictures:
            self.by_source.setdefault(picture.source, []).append(picture)

    def pick(self, chance: Chance) -> Picture:
        """One photograph."""
        return chance.pick(self.by_source[chance.pick(sorted(self.by_source))])

    def whole(self) -> Pictures:
        """Those whose boxes are the whole dice's."""
        return Pictures([picture for picture in self if picture.sized])

    def __iter__(self) -> Iterator[Picture]:
        return (picture for pictures in self.by_source.values() for picture in pictures)


def read_pictures(folder: Path, split: str = TRAIN, without: str = "") -> Pictures:
    """Decode every photograph of that split, leaving out the source named `without`.

    Raises:
        LabelError: a photograph is missing or cannot be decoded.
    """
    sources = (each for each in read_sources(folder) if each.name != without)
    return Pictures([picture for source in sources for picture in _pictures(source, split)])


def _pictures(source: Source, split: str) -> list[Picture]:
    chosen = (each for each in source.photographs if each.split == split)
    return [_picture(source.name, photograph) for photograph in chosen]


def _picture(source: str, photograph: LabelledPhotograph) -> Picture:
    image = cv2.imread(str(photograph.path), cv2.IMREAD_COLOR)
    if image is None:
        raise LabelError(f"{photograph.path} is missing or no picture; fetch the data again.")
    levels = [np.asarray(image, np.uint8)]
    for _ in range(2):
        half = cv2.resize(levels[-1], None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA)
        levels.append(np.asarray(half, np.uint8))
    return Picture(source, tuple(levels), tuple(_placed(photograph)))


def _placed(photograph: LabelledPhotograph) -> list[PlacedDie]:
    return [
        _die(die.box, die.value, whole=photograph.whole)
        for die in photograph.dice
        if not die.symbol
    ]


def _die(box: tuple[float, float, float, float], value: int, *, whole: bool) -> PlacedDie:
    left, top, right, bottom = box
    x, y, width, height = (left + right) / 2, (top + bottom) / 2, right - left, bottom - top
    if not whole:
        y, width, height = y + _PIPS_ONLY_SIZE * 0.12, _PIPS_ONLY_SIZE, _PIPS_ONLY_SIZE
    return PlacedDie(x, y, width, height, value, sized=whole)
