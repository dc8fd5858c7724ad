"""The photographs and renders that dice are learned from, and real dice cut out of them."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.capture.frame import Image
from vision.errors import LabelError
from vision.evaluate.labels import LabelledPhotograph, read_sources
from vision.train.augmentation import (
    ANY_WAY_UP,
    STEEP_DEGREES,
    UNKNOWN,
    UPRIGHT,
    Chance,
    PlacedDie,
    halved,
    recoloured,
    turned_and_stretched,
    warp_of,
    warped,
)
from vision.train.dice.drawn import SIDE, Sprite
from vision.train.piece import TrainingPaths

TRAIN: Final = "train"
RENDERED: Final = "rendered"
RENDERED_SUFFIX: Final = ".jpg"
_RENDERED_SHARE: Final = 0.4
_BARE_SHARE: Final = 0.12  # of the photographs taken, where some show no die at all
# Rendered dice that are hidden for the most part: no one could tell what they show, or that
# they are dice at all.
_LEAST_SEEN, _LEAST_READ = 0.3, 0.6
_LEAST_CONTRAST: Final = 10.0  # between pips and face, in levels of 255: less is lost in the dark
_PILED: Final = "pxl"  # photographs of piles, in which dice lean without a label
_FROM_ABOVE: Final = ("nell-byler__dice_detection",)
# The share of its labelled box's sides that a die fills, where that was drawn loosely.
_FILLED: Final = {"nell-byler__dice_detection": 0.78, _PILED: 0.84}
# Boxes around the pips tell little of the die's size; these photographs' dice are this large.
_PIPS_ONLY_SIZE: Final = 62.0


@dataclass(frozen=True, slots=True, eq=False)
class DicePicture:
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
        return self.levels[0]

    @property
    def sized(self) -> bool:
        return all(die.sized for die in self.dice)


class DicePictures:
    """All photographs by source; each source of real dice is picked as often as any other.

    `cuts` are dice cut out of them, to be laid on other tables.
    """

    def __init__(self, pictures: list[DicePicture], cuts: Sequence[Sprite] = ()) -> None:
        self.cuts = cuts
        self.by_source: dict[str, list[DicePicture]] = {}
        for picture in pictures:
            self.by_source.setdefault(picture.source, []).append(picture)
        real = sorted(source for source in self.by_source if source != RENDERED)
        self._real = [each for each in real if any(one.dice for one in self.by_source[each])]
        self._bare = [each for each in real if each not in self._real]

    def pick(self, chance: Chance) -> DicePicture:
        rendered = self.by_source.get(RENDERED, [])
        if rendered and (not self._real or chance.happens(_RENDERED_SHARE)):
            return chance.pick(rendered)
        if self._bare and chance.happens(_BARE_SHARE):
            return chance.pick(self.by_source[chance.pick(self._bare)])
        return chance.pick(self.by_source[chance.pick(self._real)])

    def whole(self) -> DicePictures:
        """Those whose boxes are the whole dice's."""
        return DicePictures([picture for picture in self if picture.sized], self.cuts)

    def __iter__(self) -> Iterator[DicePicture]:
        return (picture for pictures in self.by_source.values() for picture in pictures)


def read_pictures(folder: Path, split: str = TRAIN, without: str = "") -> DicePictures:
    """Decode every photograph of that split, leaving out the source named `without`.

    Raises:
        LabelError: a photograph is missing or cannot be decoded.
    """
    sources = (each for each in read_sources(folder) if each.name != without)
    return DicePictures(
        [
            _picture(source.name, photograph)
            for source in sources
            for photograph in source.photographs
            if photograph.split == split
        ]
    )


def read_bare(folder: Path) -> list[DicePicture]:
    """Decode the train photographs of labelled pieces that are no dice: all of it is clutter.

    Raises:
        LabelError: there are none, or one cannot be decoded.
    """
    pictures = []
    for source in read_sources(folder):
        for photograph in (each for each in source.photographs if each.split == TRAIN):
            clutter = tuple(_die(piece.box, 0, whole=True) for piece in photograph.pieces)
            levels = halved(_decoded(photograph.path))
            name = photograph.path.name
            pictures.append(DicePicture(source.name, name, levels, (), clutter))
    return pictures


def _picture(source: str, photograph: LabelledPhotograph) -> DicePicture:
    levels = halved(_decoded(photograph.path))
    steep = source in _FROM_ABOVE
    piled = photograph.path.name.startswith(_PILED)
    filled = _FILLED.get(_PILED if piled else source, 1.0)
    dice = []
    for each in (piece for piece in photograph.pieces if not piece.optional):
        die = _die(each.box, int(each.label), whole=photograph.whole)
        width, height, lean = die.width * filled, die.height * filled, None if piled else 0.0
        dice.append(replace(die, width=width, height=height, lean_degrees=lean))
    numerals = tuple(_die(each.box, 0, whole=True) for each in photograph.pieces if each.optional)
    return DicePicture(source, photograph.path.name, levels, tuple(dice), numerals, steep)


def _decoded(path: Path) -> Image:
    image = cv2.imread(str(path), cv2.IMREAD_COLOR)
    if image is None:
        raise LabelError(f"{path} is missing or no picture; fetch or render the data again.")
    return np.asarray(image, np.uint8)


def _die(box: tuple[float, float, float, float], value: int, *, whole: bool) -> PlacedDie:
    left, top, right, bottom = box
    x, y, width, height = (left + right) / 2, (top + bottom) / 2, right - left, bottom - top
    if not whole:
        y, width, height = y + _PIPS_ONLY_SIZE * 0.12, _PIPS_ONLY_SIZE, _PIPS_ONLY_SIZE
    return PlacedDie(x, y, width, height, value, sized=whole)


def read_rendered(folder: Path, most: int | None) -> list[DicePicture]:
    """Decode at most `most` of the pictures that `python -m vision.train.rendering dice` wrote.

    Raises:
        LabelError: a picture is missing or cannot be decoded.
    """
    labels = sorted(folder.glob("*.json"))[:most] if folder.is_dir() else []
    return [_rendered(label) for label in labels]


def _rendered(label: Path) -> DicePicture:
    entry = json.loads(label.read_text(encoding="utf-8"))
    image = _decoded(label.with_suffix(RENDERED_SUFFIX))
    dice = (_rendered_die(die) for die in entry["dice"] if die["visible"] >= _LEAST_SEEN)
    clutter = (_die(tuple(each["box"]), 0, whole=True) for each in entry["clutter"])
    steep = entry["camera"]["elevation_degrees"] >= STEEP_DEGREES
    return DicePicture(RENDERED, label.stem, halved(image), tuple(dice), tuple(clutter), steep)


def _rendered_die(entry: dict[str, Any]) -> PlacedDie:
    legible = entry["visible"] >= _LEAST_READ and entry["top_contrast"] >= _LEAST_CONTRAST
    value = entry["value"] if legible else UNKNOWN
    die = _die(tuple(entry["box"]), value, whole=True)
    corners = np.array(entry["quad"], np.float32)
    return replace(die, corners=corners, lean_degrees=float(entry["lean_degrees"]))


_Outline = NDArray[np.int32]

_DIE: Final = 76.0  # of the sprite's side: the longer side of a die that is cut out
_SMALLEST: Final = 26.0  # pixels of the photograph: smaller dice would be blurred when laid near
_MOST: Final = 400  # of each source: more of the same camera's dice teach little
_ROUNDS: Final = 3
_COVERED: Final = 100
_ENLARGED: Final = 1.4  # times its own size, at most, a die is laid
# What is cut must fill its box and the hull about it so far, or the cut went through the die.
_CUT_FILLED: Final = (0.55, 0.98)
_WHOLE: Final = 0.88
_OFF: Final = 0.14  # of its side: how far the hull's sides may lie from the labelled ones
_ALONE: Final = 1.15  # times both sides' mean: dice nearer than that hide each other


def cut_out(pictures: Iterable[DicePicture], chance: Chance) -> list[Sprite]:
    """Cut dice out of photographs, evenly from all sources as far as they have enough.

    Only those that lie apart from others in a box known to be theirs, and that come out whole.
    """
    by_source: dict[str, list[DicePicture]] = {}
    for picture in pictures:
        if picture.source != RENDERED:
            by_source.setdefault(picture.source, []).append(picture)
    return [sprite for each in by_source.values() for sprite in _some(each, chance)]


def _some(pictures: list[DicePicture], chance: Chance) -> list[Sprite]:
    places = [(picture, die) for picture in pictures for die in _apart(picture)]
    order = chance.numbers.permutation(len(places))
    sprites: list[Sprite] = []
    for each in order:
        picture, die = places[each]
        sprite = _cut(picture, die, chance)
        if sprite is not None:
            sprites.append(sprite)
        if len(sprites) == _MOST:
            break
    return sprites


def _apart(picture: DicePicture) -> Iterator[PlacedDie]:
    """The readable dice that are large enough and stand alone."""
    for die in picture.dice:
        usable = die.sized and die.value != UNKNOWN and die.size >= _SMALLEST
        others = [other for other in picture.dice if other is not die]
        if usable and all(
            float(np.hypot(die.x - other.x, die.y - other.y))
            >= _ALONE * (die.size + other.size) / 2
            for other in others
        ):
            yield die


def _cut(picture: DicePicture, die: PlacedDie, chance: Chance) -> Sprite | None:
    factor = _DIE / die.size
    warp = warp_of((die.x, die.y), (SIDE / 2, SIDE / 2), np.diag([factor, factor]))
    height, width = picture.image.shape[:2]
    across, down = die.width * 0.6, die.height * 0.6
    if not (across < die.x < width - across and down < die.y < height - down):
        return None
    window = warped(picture.levels[:2], warp, factor, SIDE)
    hull = _hull(window, die.width * factor, die.height * factor)
    if hull is None:
        return None
    sprite = _turned(recoloured(window, chance), hull, die, picture.upright, chance)
    return replace(sprite, finest=_ENLARGED * die.size)


def _hull(window: Image, width: float, height: float) -> _Outline | None:
    """The outline of the die in the window's middle, if it differs from its table."""
    mask = np.full((SIDE, SIDE), cv2.GC_BGD, np.uint8)
    middle = (SIDE // 2, SIDE // 2)
    for scale, kind in ((1.12, cv2.GC_PR_BGD), (0.9, cv2.GC_PR_FGD), (0.55, cv2.GC_FGD)):
        half = (round(width * scale / 2), round(height * scale / 2))
        corner, other = ((middle[0] + s * half[0], middle[1] + s * half[1]) for s in (-1, 1))
        cv2.rectangle(mask, corner, other, int(kind), -1)
    models = np.zeros((2, 1, 65), np.float64)
    cv2.grabCut(
        window, mask, (0, 0, SIDE, SIDE), models[0], models[1], _ROUNDS, cv2.GC_INIT_WITH_MASK
    )
    inner = ((mask == cv2.GC_FGD) | (mask == cv2.GC_PR_FGD)).astype(np.uint8)
    outlines, _ = cv2.findContours(inner, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    largest = np.asarray(max(outlines, key=cv2.contourArea), np.int32)
    hull = np.asarray(cv2.convexHull(largest), np.int32)
    return hull if _is_whole(largest, hull, width, height) else None


def _is_whole(largest: _Outline, hull: _Outline, width: float, height: float) -> bool:
    area = cv2.contourArea(hull)
    left, top, across, down = cv2.boundingRect(hull)
    sides = (left, top, left + across, top + down)
    wanted = (SIDE - width, SIDE - height, SIDE + width, SIDE + height)
    off = max(abs(side - each / 2) for side, each in zip(sides, wanted, strict=True))
    filled = _CUT_FILLED[0] < area / max(1.0, across * down) < _CUT_FILLED[1]
    return filled and cv2.contourArea(largest) > _WHOLE * area and off < _OFF * _DIE


def _turned(
    window: Image, hull: _Outline, die: PlacedDie, upright: float, chance: Chance
) -> Sprite:
    """The die on a clear ground, turned as its photograph may be."""
    mask = np.zeros((SIDE, SIDE), np.uint8)
    cv2.fillConvexPoly(mask, hull, 255, cv2.LINE_AA)
    cover = cv2.GaussianBlur(mask, (0, 0), 0.8)
    middle = (SIDE / 2, SIDE / 2)
    warp = warp_of(middle, middle, turned_and_stretched(upright, chance))
    picture = cv2.warpAffine(np.dstack([window, cover]), warp, (SIDE, SIDE))
    left, top, width, height = cv2.boundingRect((picture[:, :, 3] > _COVERED).astype(np.uint8))
    x, y = left + width / 2, top + height / 2
    placed = replace(die, x=x, y=y, width=width, height=height, corners=None)
    return Sprite(np.asarray(picture, np.uint8), placed)


def gather(paths: TrainingPaths, seed: int, without: str = "") -> DicePictures:
    """Decode all but the source named `without`, and cut dice out of the photographs.

    Raises:
        LabelError: a photograph is missing or cannot be decoded.
    """
    photographs = list(read_pictures(paths.data, without=without))
    bare = [] if paths.bare is None else read_bare(paths.bare)
    pictures = [*photographs, *bare, *read_rendered(paths.rendered, paths.most)]
    return DicePictures(pictures, cut_out(photographs, Chance((seed, len(photographs)))))
