"""The match of Tong Tong as a folder of small pictures with the set that reads them, and the truth.

The truth stays apart: it is for tests.
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

import cv2
import numpy as np

from vision.learn.taught_sets import TaughtSet
from vision.train.rendering.decks.photo_session import Shooting
from vision.train.rendering.gallery import read_picture, write_webp
from vision.train.rendering.tongtong.deck import BUNTING
from vision.train.rendering.tongtong.lesson import held_back_takes, taught, teaching_takes
from vision.train.rendering.tongtong.match import PlayedGame, the_match
from vision.train.rendering.tongtong.photo_session import (
    LENS,
    Take,
    Tracing,
    of_the_match,
    take_picture,
)
from vision.train.rendering.tongtong.tables import Shown, tables

_QUALITY: Final = 80
_VERSION: Final = 1  # raised whenever the same take would be drawn differently
_FIRST_SEED: Final = 100


@dataclass(frozen=True, slots=True)
class Darkroom:
    """Takes pictures into a folder, each only once: a broken-off run goes on where it stopped."""

    folder: Path
    studio: Tracing

    def picture(self, take: Take) -> Path:
        """The file with the picture of a take, taken now when it is not there yet."""
        path = self.folder / f"{_digest(take)}.png"
        if not path.exists():
            image = take_picture(take, self.studio)
            path.parent.mkdir(parents=True, exist_ok=True)
            unfinished = path.with_suffix(".part")
            unfinished.write_bytes(cv2.imencode(".png", image)[1].tobytes())
            unfinished.replace(path)
        return path


def _digest(take: Take) -> str:
    drawn = (_VERSION, take.design.name, take.seed, take.shooting, take.exposure)
    return sha256(repr(drawn).encode()).hexdigest()[:16]


def write_lesson(darkroom: Darkroom, out: Path) -> TaughtSet:
    """Teach the deck from photographs, and write the set anew; raises as `lesson.taught`."""
    shutil.rmtree(out / BUNTING.name, ignore_errors=True)  # else it would count as a later revision
    with TemporaryDirectory() as folder:
        lesson, held_back = (Path(folder) / name for name in ("lesson", "held back"))
        _copy(darkroom, teaching_takes(BUNTING), lesson)
        _copy(darkroom, held_back_takes(BUNTING), held_back)
        return taught(BUNTING.name, lesson, held_back, out)


def _copy(darkroom: Darkroom, takes: Iterable[Take], folder: Path) -> None:
    """Photographs as a lesson has them, in folders named after what they show."""
    for take in takes:
        photograph = folder / f"{take.shooting.name}.png"
        photograph.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(darkroom.picture(take), photograph)


def write_match(darkroom: Darkroom, out: Path) -> Iterator[Shown]:
    """Write the pictures, each named by what the table waits for: `play-02/throw0/00.webp`."""
    for seed, shown in enumerate(tables(the_match()), _FIRST_SEED):
        take = of_the_match(BUNTING, Shooting(shown.step, shown.laid, LENS), seed)
        image = read_picture(darkroom.picture(take))
        write_webp(out / shown.step / "throw0" / "00.webp", image, _QUALITY)
        yield shown


def write_truth(path: Path, shown: Sequence[Shown]) -> None:
    """Write how the match went, and what lies on each table: its cards and their middles."""
    told = {
        "games": [_played(game) for game in the_match()],
        "tables": {each.step: _lying(each) for each in shown},
    }
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(told, indent=1) + "\n", encoding="utf-8")


def _played(game: PlayedGame) -> dict[str, Any]:
    return {
        "mission": game.mission,
        "leader": game.leader,
        "played": " ".join(map(str, game.played)),
        "piles": list(map(str, game.piles)),
    }


def _lying(shown: Shown) -> dict[str, Any]:
    middles = np.array([(one.x, one.y, 0.0) for one in shown.laid])
    return {
        "cards": " ".join(one.face for one in shown.laid),
        "fresh": " ".join(map(str, shown.fresh)),
        "centres": LENS.pixels(middles).round(1).tolist(),
    }
