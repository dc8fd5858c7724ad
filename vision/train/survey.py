"""What a half-trained finder sees on the train photographs: whole dice around pips, and clutter.

Clutter is what it takes for dice and is none: the best of lessons for both networks.
"""

from __future__ import annotations

import json
import time
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

import cv2
import numpy as np
import torch
from torch import nn

from vision.capture.frame import Image
from vision.read.detection import DICE, Candidate, candidates
from vision.train.descent import as_input
from vision.train.photographs import RENDERED, Picture, Pictures
from vision.train.placed import PlacedDie

_LONGER: Final = 448
_NEAR: Final = 896
_CELL: Final = 32
_DIE: Final = 0.3
_CLUTTER: Final = 0.1
_MOST_CLUTTER: Final = 8
# Its labels leave out small dice in the background, which are no clutter.
_LABELLED_IN_PART: Final = "N3VERS4YDIE__dice-recognition"


def survey(pictures: Pictures, finder: nn.Module, file: Path) -> None:
    """Write what the finder sees on each picture."""
    seen = {_key(picture): _seen(picture, finder) for picture in pictures}
    file.parent.mkdir(parents=True, exist_ok=True)
    unfinished = file.with_suffix(".part")
    unfinished.write_text(json.dumps(seen), encoding="utf-8")
    unfinished.replace(file)


def surveyed(pictures: Pictures, file: Path) -> Pictures:
    """Give the pictures with what the survey saw; waits for a survey that is under way."""
    while not file.is_file():
        time.sleep(5)
    seen = json.loads(file.read_text(encoding="utf-8"))
    told = [_with(picture, seen.get(_key(picture))) for picture in pictures]
    return Pictures(told, pictures.cuts)


def _key(picture: Picture) -> str:
    return f"{picture.source}/{picture.name}"


def _with(picture: Picture, seen: dict[str, Any] | None) -> Picture:
    if seen is None:  # rendered since the survey
        return picture
    dice = tuple(
        replace(_die(box, die.value), lean_degrees=die.lean_degrees) if box else die
        for die, box in zip(picture.dice, seen["dice"], strict=True)
    )
    clutter = (*picture.clutter, *(_die(box, 0) for box in seen["clutter"]))
    return picture.relabelled(dice, clutter)


def _die(place: list[float], value: int) -> PlacedDie:
    x, y, width, height = place
    return PlacedDie(x, y, width, height, value)


def _seen(picture: Picture, finder: nn.Module) -> dict[str, Any]:
    found = find(finder, picture.image, _CLUTTER)
    boxes = [None if die.sized else _around(die, found) for die in picture.dice]
    specks = find(finder, picture.image, _CLUTTER, _NEAR) if picture.source != RENDERED else []
    clutter = _clutter(picture, found)[:_MOST_CLUTTER] + _clutter(picture, specks)[:_MOST_CLUTTER]
    return {"dice": boxes, "clutter": clutter}


def _around(die: PlacedDie, found: list[Candidate]) -> list[float] | None:
    """Give the nearest found box that holds the pips' middle, if there is one."""
    near = [each for each in found if each.score >= _DIE and _holds(each, die)]
    if not near:
        return None
    return _place(min(near, key=lambda each: float(np.hypot(each.x - die.x, each.y - die.y))))


def _clutter(picture: Picture, found: list[Candidate]) -> list[list[float]]:
    if picture.source == _LABELLED_IN_PART:
        return []
    return [_place(each) for each in found if not any(_near(each, die) for die in picture.dice)]


def _place(peak: Candidate) -> list[float]:
    return [round(each, 1) for each in (peak.x, peak.y, peak.width, peak.height)]


def _holds(peak: Candidate, die: PlacedDie) -> bool:
    return abs(peak.x - die.x) < peak.width / 2 and abs(peak.y - die.y) < peak.height / 2


def _near(peak: Candidate, die: PlacedDie) -> bool:
    return float(np.hypot(peak.x - die.x, peak.y - die.y)) < max(peak.size, die.size)


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
