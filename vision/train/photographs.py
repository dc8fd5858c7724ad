"""The train photographs and the rendered ones, decoded once and kept in memory."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final

import cv2
import numpy as np

from vision.capture.frame import Image
from vision.errors import LabelError
from vision.evaluate.labels import LabelledPhotograph, Source, read_sources
from vision.train.chance import Chance
from vision.train.pipped import Sprite
from vision.train.placed import ANY_WAY_UP, STEEP_DEGREES, UNKNOWN, UPRIGHT, PlacedDie

TRAIN: Final = "train"
RENDERED: Final = "rendered"
RENDERED_SUFFIX: Final = ".jpg"
_RENDERED_SHARE: Final = 0.4
_BARE_SHARE: Final = 0.12  # of the photographs taken, where some show no die at all
# Rendered dice that are hidden for the most part: no one could tell what they show, or that
# they are dice at all.
_LEAST_SEEN, _LEAST_READ = 0.3, 0.6
_LEAST_CONTRAST: Final = 10.0  # between pips and face, in levels of 255: less is lost in the dark
_PILED: Final = "pxl"  # photographs of piles, in which dice lean and nobody says so
_FROM_ABOVE: Final = ("nell-byler__dice_detection",)
# The share of its labelled box's sides that a die fills, where that was drawn loosely.
_FILLED: Final = {"nell-byler__dice_detection": 0.78, _PILED: 0.84}
# Boxes around the pips tell little of the die's size; these photographs' dice are this large.
_PIPS_ONLY_SIZE: Final = 62.0


@dataclass(frozen=True, slots=True, eq=False)
class Picture:
    """One decoded photograph with its dice, and the same at half and quarter size.

    `name` is its file's; `clutter` is what resembles dice on it; `steep` tells whether it
    was taken from above, so that it may be turned any way up.
    """

    source: str
    name: str
    levels: tuple[Image, ...]
    dice: tuple[PlacedDie, ...]
    clutter: tuple[PlacedDie, ...] = ()
    steep: bool = False

    @property
    def upright(self) -> float:
        """How often it should be turned little."""
        return ANY_WAY_UP if self.steep else UPRIGHT

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
    """All photographs by source; each source of real dice is picked as often as any other.

    `cuts` are dice cut out of them, to be laid on other tables.
    """

    def __init__(self, pictures: list[Picture], cuts: Sequence[Sprite] = ()) -> None:
        self.cuts = cuts
        self.by_source: dict[str, list[Picture]] = {}
        for picture in pictures:
            self.by_source.setdefault(picture.source, []).append(picture)
        real = sorted(source for source in self.by_source if source != RENDERED)
        self._real = [each for each in real if any(one.dice for one in self.by_source[each])]
        self._bare = [each for each in real if each not in self._real]

    def pick(self, chance: Chance) -> Picture:
        """One photograph, or a rendered one."""
        rendered = self.by_source.get(RENDERED, [])
        if rendered and (not self._real or chance.happens(_RENDERED_SHARE)):
            return chance.pick(rendered)
        if self._bare and chance.happens(_BARE_SHARE):
            return chance.pick(self.by_source[chance.pick(self._bare)])
        return chance.pick(self.by_source[chance.pick(self._real)])

    def whole(self) -> Pictures:
        """Those whose boxes are the whole dice's."""
        return Pictures([picture for picture in self if picture.sized], self.cuts)

    def with_cuts(self, cuts: Sequence[Sprite]) -> Pictures:
        """The same pictures with dice that were cut out of them."""
        return Pictures(list(self), cuts)

    def __iter__(self) -> Iterator[Picture]:
        return (picture for pictures in self.by_source.values() for picture in pictures)


def read_pictures(folder: Path, split: str = TRAIN, without: str = "") -> Pictures:
    """Decode every photograph of that split, leaving out the source named `without`.

    Raises:
        LabelError: a photograph is missing or cannot be decoded.
    """
    sources = (each for each in read_sources(folder) if each.name != without)
    return Pictures([picture for source in sources for picture in _pictures(source, split)])


def read_bare(folder: Path) -> list[Picture]:
    """Decode the train photographs of labelled pieces that are no dice: all of it is clutter.

    Raises:
        LabelError: there are none, or one cannot be decoded.
    """
    return [
        _bare(source.name, photograph)
        for source in read_sources(folder)
        for photograph in source.photographs
        if photograph.split == TRAIN
    ]


def _bare(source: str, photograph: LabelledPhotograph) -> Picture:
    clutter = tuple(_die(piece.box, 0, whole=True) for piece in photograph.pieces)
    levels = _levels(_decoded(photograph.path))
    return Picture(source, photograph.path.name, levels, (), clutter)


def _pictures(source: Source, split: str) -> list[Picture]:
    chosen = (each for each in source.photographs if each.split == split)
    return [_picture(source.name, photograph) for photograph in chosen]


def _picture(source: str, photograph: LabelledPhotograph) -> Picture:
    levels = _levels(_decoded(photograph.path))
    steep = source in _FROM_ABOVE
    return Picture(source, photograph.path.name, levels, _placed(source, photograph), steep=steep)


def _decoded(path: Path) -> Image:
    image = cv2.imread(str(path), cv2.IMREAD_COLOR)
    if image is None:
        raise LabelError(f"{path} is missing or no picture; fetch or render the data again.")
    return np.asarray(image, np.uint8)


def _levels(image: Image) -> tuple[Image, ...]:
    levels = [image]
    for _ in range(2):
        half = cv2.resize(levels[-1], None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA)
        levels.append(np.asarray(half, np.uint8))
    return tuple(levels)


def _placed(source: str, photograph: LabelledPhotograph) -> tuple[PlacedDie, ...]:
    piled = photograph.path.name.startswith(_PILED)
    filled = _FILLED.get(_PILED if piled else source, 1.0)
    dice = [
        _die(die.box, int(die.label), whole=photograph.whole)
        for die in photograph.pieces
        if not die.optional
    ]
    return tuple(
        replace(
            die,
            width=die.width * filled,
            height=die.height * filled,
            lean_degrees=None if piled else 0.0,
        )
        for die in dice
    )


def _die(box: tuple[float, float, float, float], value: int, *, whole: bool) -> PlacedDie:
    left, top, right, bottom = box
    x, y, width, height = (left + right) / 2, (top + bottom) / 2, right - left, bottom - top
    if not whole:
        y, width, height = y + _PIPS_ONLY_SIZE * 0.12, _PIPS_ONLY_SIZE, _PIPS_ONLY_SIZE
    return PlacedDie(x, y, width, height, value, sized=whole)


def read_rendered(folder: Path, most: int) -> list[Picture]:
    """Decode up to so many of the pictures that `python -m vision.train.rendering dice` wrote.

    Raises:
        LabelError: a picture is missing or cannot be decoded.
    """
    labels = sorted(folder.glob("*.json"))[:most] if folder.is_dir() else []
    return [_rendered(label) for label in labels]


def _rendered(label: Path) -> Picture:
    entry = json.loads(label.read_text(encoding="utf-8"))
    image = _decoded(label.with_suffix(RENDERED_SUFFIX))
    dice = (_rendered_die(die) for die in entry["dice"] if die["visible"] >= _LEAST_SEEN)
    clutter = (_die(tuple(each["box"]), 0, whole=True) for each in entry["clutter"])
    steep = entry["camera"]["elevation_degrees"] >= STEEP_DEGREES
    return Picture(RENDERED, label.stem, _levels(image), tuple(dice), tuple(clutter), steep)


def _rendered_die(entry: dict[str, Any]) -> PlacedDie:
    told = entry["visible"] >= _LEAST_READ and entry["top_contrast"] >= _LEAST_CONTRAST
    value = entry["value"] if told else UNKNOWN
    die = _die(tuple(entry["box"]), value, whole=True)
    corners = np.array(entry["quad"], np.float32)
    return replace(die, corners=corners, lean_degrees=float(entry["lean_degrees"]))
