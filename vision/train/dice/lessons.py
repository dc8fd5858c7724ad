"""What the dice reader learns from, lesson by lesson, and the survey between lessons."""

from __future__ import annotations

import json
import math
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

import cv2
import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn
from torch.nn import functional

from scoreboard.text_files import write_whole
from vision.capture.frame import Image
from vision.read.detection import DICE, DIE_MARGIN, DIE_SIDE, Candidate, candidates
from vision.train.augmentation import (
    ANY_WAY_UP,
    UNKNOWN,
    Chance,
    PlacedDie,
    Points,
    coarse,
    distort,
    turned_and_stretched,
    warp_of,
    warped,
)
from vision.train.descent import Batch, Descent, as_input
from vision.train.dice.photographs import RENDERED, DicePicture, DicePictures
from vision.train.dice.scenes import DiceScene, DiceStock, any_scene
from vision.train.networks import FACE_CLASSES, DiceFinder, DieReader
from vision.train.training import Crop, Lessons

_SURVEY_AT: Final = 0.25  # of the finder's training
_SURVEYED_BY: Final = 0.3  # of the reader's, which needs what the survey found from then on
NOTHING: Final = 0
_LEAST_SIZE: Final = 14.0  # in pixels: smaller ones in a scene can't be read
_PRINTED: Final = 0.3  # of these, where the drawn table has prints on it
_SMOOTHING: Final = 0.02
_PIPS: Final = 0.2  # of the crops of nothing, where the picture shows dice
# A box's size for the die's: as the finder mostly gives it, and where it is far off
_BOXED, _LOOSE = (0.85, 1.25), (0.5, 1.3)
_LOOSELY: Final = 0.25
_TOO_CLOSE: Final = 0.65  # a box so tight cuts pips off
_SMEARED: Final = 0.03
_FAINTEST: Final = 6.0  # levels by which what can be read differs in the crop's middle
# A die leans (YZ-5) from 7 degrees on; below 3 it is flat, and between them nothing is taught.
_LEVEL_DEGREES, _LEANS_DEGREES, _ON_EDGE_DEGREES = 3.0, 7.0, 26.0


class DiceLessons(Lessons[DiceStock]):
    """Photographs, renders and drawn dice, and clutter once a survey has found it.

    A crop tells the reader the value, 0 for no readable face and UNKNOWN where nothing should be
    learned; the angle as cosine and sine of four times it, clockwise, (0, 0) if unknown; whether
    the die leans: 0, 1, or UNKNOWN; and whether there is a die: 0, 1, or UNKNOWN for a part of it.
    """

    finder = DiceFinder
    reader = DieReader
    maps = 5
    spread = 0.1
    crops = 128
    photographed = 56
    empty = 36
    scene_examples = 120
    crop_examples = 400

    def __init__(self, pictures: DicePictures) -> None:
        self.pictures = pictures

    def stock(self, chance: Chance, *, cut: bool = True) -> DiceStock:
        return DiceStock(chance, self.pictures.cuts if cut else ())

    def scene(self, stock: DiceStock) -> DiceScene:
        return any_scene(self.pictures, stock)

    def piece_crop(self, stock: DiceStock) -> Crop:
        chance = stock.chance
        picture = self.pictures.pick(chance)
        while not picture.dice:
            picture = self.pictures.pick(chance)
        return _taken(picture.levels, chance.pick(picture.dice), picture.upright, chance)

    def empty_crop(self, stock: DiceStock) -> Crop:
        pictures, chance, table = self.pictures, stock.chance, stock.table()
        if table.clutter and chance.happens(_PRINTED):
            return _taken((table.image,), chance.pick(table.clutter), ANY_WAY_UP, chance)
        picture = pictures.pick(chance)
        if picture.dice and chance.happens(_PIPS):
            pip = _part_of(chance.pick(picture.dice), chance)
            return _taken(picture.levels, pip, ANY_WAY_UP, chance)
        if picture.clutter and chance.happens(0.6):
            return _taken(picture.levels, chance.pick(picture.clutter), ANY_WAY_UP, chance)
        for _ in range(20):
            place = _other_place(picture, chance)
            if all(_apart(place, die) for die in picture.dice):
                return _taken(picture.levels, place, ANY_WAY_UP, chance)
        return _taken((table.image,), PlacedDie(128, 128, 60, 60, NOTHING), 0, chance)

    def drawn_crops(self, stock: DiceStock) -> list[Crop]:
        scene = any_scene(self.pictures, stock)
        large = [die for die in scene.pieces if die.size > _LEAST_SIZE]
        return [_taken((scene.image,), die, 1.0, stock.chance) for die in large[:6]]

    def reader_loss(self, network: nn.Module, batch: Batch) -> Tensor:
        images, values, angles, leaning, present = batch
        figures = network(images)
        faces = functional.cross_entropy(
            figures[:, :FACE_CLASSES], values, ignore_index=UNKNOWN, label_smoothing=_SMOOTHING
        )
        aligned = angles.square().sum(1)
        off = (figures[:, FACE_CLASSES:-2] - angles).square().sum(1) * aligned
        angle = off.sum() / aligned.sum().clamp(min=1)
        known = (present >= 0).float()
        die = functional.binary_cross_entropy_with_logits(
            figures[:, -1], present.clamp(min=0), weight=known, reduction="sum"
        )
        die = die / known.sum().clamp(min=1)
        # Nothing is learned of dice that may or may not lean
        logits = figures[:, -2]
        labelled = (leaning >= 0).float()
        lean = functional.binary_cross_entropy_with_logits(
            logits, leaning.clamp(min=0), weight=labelled, reduction="sum"
        )
        return faces + 0.15 * angle + 0.3 * (lean / labelled.sum().clamp(min=1)) + die

    def finder_phases(self, descent: Descent) -> Iterator[tuple[DiceLessons, int]]:
        """Whole dice first; photographs with boxes of pips alone join once dice are found there."""
        file, steps = _survey_file(descent), descent.plan.steps
        if not file.is_file():
            yield DiceLessons(self.pictures.whole()), max(int(steps * _SURVEY_AT), descent.step)
            survey(self.pictures, descent.average, file)
        yield DiceLessons(surveyed(self.pictures, file).whole()), steps

    def reader_phases(self, descent: Descent) -> Iterator[tuple[DiceLessons, int]]:
        """Without the survey's clutter first, then with it."""
        yield self, int(descent.plan.steps * _SURVEYED_BY)
        yield DiceLessons(surveyed(self.pictures, _survey_file(descent))), descent.plan.steps


def _survey_file(descent: Descent) -> Path:
    """Where the finder leaves what it saw on the train photographs, for the reader too."""
    return descent.plan.checkpoint.parent / "survey.json"


def _other_place(picture: DicePicture, chance: Chance) -> PlacedDie:
    height, width = picture.image.shape[:2]
    neighbour = chance.pick(picture.dice) if picture.dice else None
    size = (neighbour.size if neighbour else 60.0) * chance.scale(0.5, 1.6)
    if neighbour is None or chance.happens(0.5):
        size = size if chance.happens(0.4) else max(height, width) * chance.scale(0.01, 0.3)
        return PlacedDie(chance.between(0, width), chance.between(0, height), size, size, NOTHING)
    angle, away = chance.between(0, 2 * np.pi), neighbour.size * chance.between(0.6, 1.1)
    x, y = neighbour.x + np.cos(angle) * away, neighbour.y + np.sin(angle) * away
    return PlacedDie(float(x), float(y), size, size, NOTHING)


def _part_of(die: PlacedDie, chance: Chance) -> PlacedDie:
    """A pip of it, or so: what a finder takes for a die on a large, nearly bare face."""
    size = die.size * chance.between(0.12, 0.28)
    x, y = (each + die.size * chance.between(-0.3, 0.3) for each in (die.x, die.y))
    return PlacedDie(x, y, size, size, NOTHING)


def _apart(place: PlacedDie, die: PlacedDie) -> bool:
    away = float(np.hypot(place.x - die.x, place.y - die.y))
    return away > 0.55 * die.size or (place.size < 0.4 * die.size < away)


def _taken(levels: tuple[Image, ...], die: PlacedDie, upright: float, chance: Chance) -> Crop:
    """Crop one die as the finder might have boxed it, turned, mirrored and distorted."""
    linear = turned_and_stretched(upright, chance)
    size = die.moved(warp_of((0, 0), (0, 0), linear)).size
    boxed = chance.scale(*(_LOOSE if chance.happens(_LOOSELY) else _BOXED))
    factor = DIE_SIDE / (size * DIE_MARGIN * boxed)
    slack = 0.12 if die.sized else 0.18
    x, y = (each + die.size * chance.between(-slack, slack) for each in (die.x, die.y))
    warp = warp_of((x, y), (DIE_SIDE / 2, DIE_SIDE / 2), factor * linear)
    taken = warped(levels, warp, factor, DIE_SIDE)
    is_smeared = die.value != NOTHING and chance.happens(_SMEARED)
    if is_smeared:
        taken = _smeared(taken, size * factor * chance.between(0.33, 0.8), chance)
    image = distort(coarse(taken, chance), chance)
    # The value that can be seen: a die on its edge shows two faces, one in the dark none
    on_edge = die.lean_degrees is not None and die.lean_degrees > _ON_EDGE_DEGREES
    middle = slice(DIE_SIDE // 4, -DIE_SIDE // 4)
    lost = die.value != NOTHING and float(image[middle, middle].std(axis=(0, 1)).max()) < _FAINTEST
    untold = on_edge or lost or boxed < _TOO_CLOSE
    value = NOTHING if is_smeared else UNKNOWN if untold else die.value
    angle = (0.0, 0.0) if is_smeared else angle_of(die.moved(warp).corners)
    leaning = UNKNOWN if is_smeared else _leaning(die)
    present = float(die.value != NOTHING)
    if present and boxed < _TOO_CLOSE:
        present = UNKNOWN  # a part of a die, looks like a pip of a large one
    return Crop(image, (value, angle, leaning, present))


def _smeared(image: Image, length: float, chance: Chance) -> Image:
    """As a die leaves it that moved by that length, in pixels, while the shutter was open."""
    side = 2 * math.ceil(length / 2) + 1
    streak = np.zeros((side, side), np.float32)
    middle, angle = side / 2, chance.between(0, np.pi)
    away = np.array([np.cos(angle), np.sin(angle)]) * length / 2
    start, end = (np.round(middle + way * away).astype(int).tolist() for way in (-1, 1))
    cv2.line(streak, start, end, 1.0, 1, cv2.LINE_AA)
    blurred = cv2.filter2D(image, -1, streak / streak.sum(), borderType=cv2.BORDER_REPLICATE)
    return np.asarray(blurred, np.uint8)


def _leaning(die: PlacedDie) -> float:
    if die.value == NOTHING or die.lean_degrees is None:
        return UNKNOWN
    if die.lean_degrees >= _LEANS_DEGREES:
        return 1.0
    return 0.0 if die.lean_degrees <= _LEVEL_DEGREES else UNKNOWN


def angle_of(corners: Points | None) -> tuple[float, float]:
    """Four times the angle of a face's edges as (cosine, sine), or (0, 0) where it is unknown."""
    if corners is None:
        return (0.0, 0.0)
    edges = np.roll(corners, -1, axis=0) - corners
    fourfold: NDArray[np.float64] = np.exp(4j * np.arctan2(edges[:, 1], edges[:, 0]))
    mean = fourfold.mean()
    return (float(mean.real / abs(mean)), float(mean.imag / abs(mean)))


# What a half-trained finder sees on the train photographs: whole dice around pips, and clutter,
# which it takes for dice and is none: the best of lessons for both networks.

_LONGER: Final = 448
_NEAR: Final = 896
_CELL: Final = 32
_DIE: Final = 0.3
_CLUTTER: Final = 0.1
_MOST_CLUTTER: Final = 8
# Its labels leave out small dice in the background, which are no clutter.
_LABELLED_IN_PART: Final = "N3VERS4YDIE__dice-recognition"


def survey(pictures: DicePictures, finder: nn.Module, file: Path) -> None:
    """Write what the finder sees on each picture."""
    seen = {_key(picture): _seen(picture, finder) for picture in pictures}
    write_whole(file, json.dumps(seen).encode(), 0o644)


def surveyed(pictures: DicePictures, file: Path) -> DicePictures:
    """Give the pictures with what the survey saw; waits for a survey that is under way."""
    while not file.is_file():
        time.sleep(5)
    seen = json.loads(file.read_text(encoding="utf-8"))
    known = [_with(picture, seen.get(_key(picture))) for picture in pictures]
    return DicePictures(known, pictures.cuts)


def _key(picture: DicePicture) -> str:
    return f"{picture.source}/{picture.name}"


def _with(picture: DicePicture, seen: dict[str, Any] | None) -> DicePicture:
    if seen is None:  # rendered since the survey
        return picture
    dice = tuple(
        replace(_die(box, die.value), lean_degrees=die.lean_degrees) if box else die
        for die, box in zip(picture.dice, seen["dice"], strict=True)
    )
    clutter = (*picture.clutter, *(_die(box, 0) for box in seen["clutter"]))
    return replace(picture, dice=dice, clutter=clutter)


def _die(place: list[float], value: int) -> PlacedDie:
    x, y, width, height = place
    return PlacedDie(x, y, width, height, value)


def _seen(picture: DicePicture, finder: nn.Module) -> dict[str, Any]:
    found = find(finder, picture.image, _CLUTTER)
    boxes = [None if die.sized else _around(die, found) for die in picture.dice]
    specks = find(finder, picture.image, _CLUTTER, _NEAR) if picture.source != RENDERED else []
    clutter = _clutter(picture, found)[:_MOST_CLUTTER] + _clutter(picture, specks)[:_MOST_CLUTTER]
    return {"dice": boxes, "clutter": clutter}


def _around(die: PlacedDie, found: list[Candidate]) -> list[float] | None:
    """Give the nearest found box that holds the pips' middle, if there is one."""
    near = [
        each
        for each in found
        if each.score >= _DIE
        and (abs(each.x - die.x) < each.width / 2 and abs(each.y - die.y) < each.height / 2)
    ]
    if not near:
        return None
    return _place(min(near, key=lambda each: float(np.hypot(each.x - die.x, each.y - die.y))))


def _clutter(picture: DicePicture, found: list[Candidate]) -> list[list[float]]:
    if picture.source == _LABELLED_IN_PART:
        return []
    return [
        _place(each)
        for each in found
        if not any(
            float(np.hypot(each.x - die.x, each.y - die.y)) < max(each.size, die.size)
            for die in picture.dice
        )
    ]


def _place(peak: Candidate) -> list[float]:
    return [round(each, 1) for each in (peak.x, peak.y, peak.width, peak.height)]


@torch.no_grad()
def find(
    finder: nn.Module, image: Image, threshold: float, longer: int = _LONGER
) -> list[Candidate]:
    """Find dice with a network in training, the longer side brought to that length."""
    factor = longer / max(image.shape[:2])
    height, width = (max(_CELL, round(side * factor / _CELL) * _CELL) for side in image.shape[:2])
    method = cv2.INTER_AREA if factor < 1 else cv2.INTER_LINEAR
    small = cv2.resize(image, (width, height), interpolation=method)
    pixels = as_input(np.asarray(small, np.uint8)[None]).to(next(finder.parameters()).device)
    maps = finder.eval()(pixels)[0].cpu().numpy()
    maps[0] = 1 / (1 + np.exp(-maps[0]))
    across, down = image.shape[1] / width, image.shape[0] / height
    return [peak.scaled(across, down) for peak in candidates(maps, threshold, DICE)]
