"""The training set on disk: a numbered picture and its labels each, made once and kept."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from multiprocessing import get_context
from pathlib import Path
from typing import Any, Final

import numpy as np

from vision.train.rendering.exposure import any_exposure, encode, expose, without_grain
from vision.train.rendering.stage import Stage, any_stage
from vision.train.rendering.studio import Shot, Studio, open_studio
from vision.train.rendering.truth import label_picture

# A process that compiled a few hundred kernels holds on to them; a fresh one starts small.
_PICTURES_A_PROCESS: Final = 250
Shoot = Callable[[Stage, int], Shot]


@dataclass(frozen=True, slots=True)
class Photograph:
    """A picture as a JPEG file's bytes, and what it shows."""

    picture: bytes
    labels: dict[str, Any]


def take(seed: int, number: int, shoot: Shoot) -> Photograph:
    """The photograph of that number: seed and number alone decide what is in it."""
    random = np.random.default_rng((seed, number))
    stage = any_stage(random)
    how = any_exposure(random)
    shot = shoot(stage, number)
    image = expose(without_grain(shot.light), how, random)
    labels = label_picture(stage, shot.seen, image, seed, how.as_json())
    return Photograph(encode(image, how), labels)


def missing(folder: Path, numbers: Iterable[int]) -> list[int]:
    """The numbers whose picture or labels are not there yet."""
    return [n for n in numbers if not all(path.exists() for path in _paths(folder, n))]


def keep(folder: Path, number: int, photograph: Photograph) -> None:
    """Write a photograph; its labels last, so that labels always have their picture."""
    folder.mkdir(parents=True, exist_ok=True)
    picture, labels = _paths(folder, number)
    _write(picture, photograph.picture)
    _write(labels, (json.dumps(photograph.labels) + "\n").encode())


def _paths(folder: Path, number: int) -> tuple[Path, Path]:
    return folder / f"{number:05}.jpg", folder / f"{number:05}.json"


def _write(path: Path, content: bytes) -> None:
    unfinished = path.with_suffix(f"{path.suffix}.part")
    unfinished.write_bytes(content)
    unfinished.replace(path)


Take = Callable[[int, int, Studio], Photograph]


def take_dice(seed: int, number: int, studio: Studio) -> Photograph:
    """The photograph of dice of that number."""
    return take(seed, number, studio.shoot)


def take_all(
    folder: Path, seed: int, numbers: Iterable[int], workers: int, take_one: Take = take_dice
) -> Iterator[int]:
    """Take and keep every photograph that is missing, on so many processes; yields its number.

    `take_one` is called in other processes: it must be a module's function.
    """
    wanted = missing(folder, numbers)
    # Not concurrent.futures: its pool of Python 3.11 stands still once its first processes end.
    pool = get_context("spawn").Pool(workers, _start, (folder, seed, take_one), _PICTURES_A_PROCESS)
    with pool:
        yield from pool.imap_unordered(_work, wanted)


class _Worker:
    """What one process works with, opened when it starts and closed when it ends."""

    def __init__(self, folder: Path, seed: int, take_one: Take) -> None:
        self.folder = folder
        self.take_one = take_one
        self.seed = seed
        self.stack = ExitStack()
        self.studio = self.stack.enter_context(open_studio(threads=1))


_worker: list[_Worker] = []


def _start(folder: Path, seed: int, take_one: Take) -> None:
    os.environ["OMP_NUM_THREADS"] = "1"
    _worker.append(_Worker(folder, seed, take_one))


def _work(number: int) -> int:
    (worker,) = _worker
    keep(worker.folder, number, worker.take_one(worker.seed, number, worker.studio))
    return number
