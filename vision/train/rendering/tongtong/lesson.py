"""The demo's deck photographed to be taught, and the set that is learned from that.

Three photographs of every face teach it, and a fourth is held back to examine what was learned:
each on another table and in another light, none of them those of the match.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

import numpy as np

from vision.capture.photo import open_photo
from vision.learn.school import Inspected, School
from vision.learn.taught_sets import TaughtSet, TaughtSets
from vision.train.rendering.chance import between
from vision.train.rendering.decks.design import Design
from vision.train.rendering.decks.layouts import in_rows
from vision.train.rendering.decks.photo_session import Shooting, any_setting, fair_exposure
from vision.train.rendering.lens import Lens
from vision.train.rendering.tongtong.photo_session import Take

_SEED: Final = 23
_PHOTOGRAPHS: Final = 3
_A_ROW: Final = 8
_SHARE: Final = 1 / 15  # of a card's width in the picture's
_FIELD: Final = 40.0
_TAUGHT_AT: Final = datetime(2026, 1, 1, tzinfo=UTC)


def teaching_takes(design: Design) -> Iterator[Take]:
    """A row of eight a picture; the pictures are named by what they show, as a lesson's are."""
    for scene in range(_PHOTOGRAPHS):
        yield from _scene(design, scene)


def held_back_takes(design: Design) -> Iterator[Take]:
    """The same once more, to examine by."""
    yield from _scene(design, _PHOTOGRAPHS)


def _scene(design: Design, scene: int) -> Iterator[Take]:
    """Every face once, on one table in one light."""
    random = np.random.default_rng((_SEED, scene))
    setting = any_setting(random, design, _SHARE)
    elevation = between(random, 66, 90)
    for number, first in enumerate(range(0, len(design.faces), _A_ROW)):
        row = design.faces[first : first + _A_ROW]
        lens = _lens(elevation, between(random, -10, 10), float(random.normal(0, 2)))
        laid = tuple(in_rows(random, design, row, _A_ROW))
        shooting = Shooting(f"{' '.join(row)}/{scene}", laid, lens)
        seed = 1000 + 10 * scene + number
        yield Take(design, setting, shooting, fair_exposure(random), seed)


def _lens(elevation: float, azimuth: float, roll: float) -> Lens:
    distance = float(0.5 / np.tan(np.radians(_FIELD) / 2) / _SHARE)
    return Lens(960, 720, (0, 0, 0), elevation, azimuth, roll, distance, _FIELD, 1e-3, distance)


def taught(name: str, photographs: Path, held_back: Path, folder: Path) -> TaughtSet:
    """Learn a folder's photographs, examine it by another's, and keep what was learned in a third.

    Raises:
        LessonError: there are no photographs.
        ValueError: one of them cannot be used, which its text names.
    """
    school = School(TaughtSets(folder), open_photo, lambda: _TAUGHT_AT)
    inspected, examined = (_inspected(school, each) for each in (photographs, held_back))
    likeness = school.learn(inspected)
    examination = school.examine_held_back(likeness, examined)
    return school.keep(name, likeness, inspected, examination)


def _inspected(school: School, folder: Path) -> tuple[Inspected, ...]:
    inspected = school.inspect(school.lesson_in(folder))
    faults = [f"{each.photo.path}: {each.problem}" for each in inspected if each.problem]
    if faults:
        raise ValueError("; ".join(faults))
    return inspected
