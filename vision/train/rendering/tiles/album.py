"""The Rummikub evening as a folder of small pictures, and apart from it the truth for tests."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from hashlib import sha256
from itertools import count
from pathlib import Path
from typing import Any, Final

import cv2
import numpy as np

from vision.capture.frame import Image
from vision.train.rendering.gallery import read_picture, write_webp
from vision.train.rendering.tiles.evening import Step
from vision.train.rendering.tiles.films import Shown, Take, empty_table, film
from vision.train.rendering.tiles.photo_session import Tracing
from vision.train.rendering.tiles.set_up import SetUp, take_picture, the_set_up

_REST_QUALITY: Final = 82
_MOVING_QUALITY: Final = 60
_VERSION: Final = 1  # raised whenever the same take would be drawn differently


@dataclass(frozen=True, slots=True)
class Darkroom:
    """Takes pictures, each only once: a broken-off run goes on where it stopped."""

    folder: Path
    studio: Tracing

    def picture(self, take: Take, set_up: SetUp, seed: int) -> Image:
        """The picture of a take, taken now when it is not there yet."""
        path = self.folder / f"{_digest(take, seed)}.png"
        if path.exists():
            return read_picture(path)
        image = take_picture(take, set_up, self.studio, seed)
        self.folder.mkdir(parents=True, exist_ok=True)
        unfinished = path.with_suffix(".part")
        unfinished.write_bytes(cv2.imencode(".png", image)[1].tobytes())
        unfinished.replace(path)
        return image


def _digest(take: Take, seed: int) -> str:
    lying = [(tile.printed, tile.turn.tolist(), tile.place.tolist()) for tile in take.tiles]
    hand = [mesh.points.sum(axis=0).tolist() for mesh, _ in take.hand]
    drawn = (_VERSION, seed, take.lens, take.samples, lying, hand, take.rack)
    return sha256(repr(drawn).encode()).hexdigest()[:24]


def write_round(darkroom: Darkroom, out: Path, steps: Sequence[Step]) -> Iterator[Shown]:
    """Write the pictures, those of one table after the other.

    They are named by what the table waits for: `lay-0-06/throw0/00.webp` and on, the last one
    at rest; `empty.webp` is the table before.
    """
    set_up, seeds = the_set_up(), count()
    empty = darkroom.picture(empty_table(), set_up, next(seeds))
    write_webp(out / "empty.webp", empty, _REST_QUALITY)
    for shown in film(steps, set_up.edition.shape):
        for number, take in enumerate(shown.takes):
            quality = _MOVING_QUALITY if take.hand else _REST_QUALITY
            image = darkroom.picture(take, set_up, next(seeds))
            write_webp(out / shown.folder / f"{number:02}.webp", image, quality)
        yield shown


def write_truth(path: Path, shown: list[Shown]) -> None:
    """Write what lies on each table at rest: its sets, and the middles of their tops in pixels."""
    told = {each.folder: _truth(each) for each in shown}
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(told, indent=1) + "\n", encoding="utf-8")


def _truth(shown: Shown) -> dict[str, Any]:
    rest, thickness = shown.takes[-1], the_set_up().edition.shape.thickness
    middles = [tile.place + tile.turn[:, 2] * thickness for tile in rest.tiles]
    centres = rest.lens.pixels(np.array(middles)).round(1).tolist()
    return {"sets": [str(each) for each in shown.told.sets], "centres": centres}
