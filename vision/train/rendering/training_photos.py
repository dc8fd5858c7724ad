"""The training set on disk: a numbered picture and its labels each, made once and kept."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, replace
from multiprocessing import get_context
from pathlib import Path
from typing import Any, Final

import cv2
import numpy as np
from numpy.typing import NDArray

from scoreboard.text_files import write_whole
from vision.capture.frame import Image
from vision.train.rendering.camera import any_exposure, encode, expose
from vision.train.rendering.geometry import die_mesh, edges, normal
from vision.train.rendering.studio import DiceStage, StagedDie, Studio, any_stage, open_studio

Vector = NDArray[np.float64]
LEANING_DEGREES: Final = 5.0
_HULL_CELLS: Final = 8
_INNER: Final = 0.8
_FLAT: Final = 40
_SKIN: Final = 0.006
_LEAST_VISIBLE: Final = 0.02


@dataclass(frozen=True, slots=True)
class LabelledDie:
    """A die in a picture; places are pixels from left and top and may lie outside.

    `box` is left, top, right, bottom of its whole outline; `quad` the four corners of the face
    that looks up most, in order around it; `visible` and `top_visible` are the shares of the
    outline and of that face that nothing hides and the picture's edge doesn't cut off.
    """

    box: tuple[float, float, float, float]
    quad: tuple[tuple[float, float], ...]
    value: int
    lean_degrees: float
    visible: float
    top_visible: float
    style: str

    @property
    def side_pixels(self) -> float:
        """The box's shorter side."""
        left, top, right, bottom = self.box
        return min(right - left, bottom - top)

    def as_json(self) -> dict[str, Any]:
        return {
            "box": _rounded(self.box),
            "quad": [[round(x, 2), round(y, 2)] for x, y in self.quad],
            "value": self.value,
            "lean_degrees": round(self.lean_degrees, 2),
            "leaning": self.lean_degrees >= LEANING_DEGREES,
            "visible": round(self.visible, 3),
            "top_visible": round(self.top_visible, 3),
            "side_px": round(self.side_pixels, 2),
            "style": self.style,
        }


def label_dice(stage: DiceStage, seen: NDArray[np.float32]) -> list[LabelledDie]:
    """The dice of which something can be seen.

    `seen` is the point of the table (H x W x 3) that each pixel shows.
    """
    smooth = (replace(one.shape, cells=_HULL_CELLS, pip_depth=0.0) for one in stage.sets)
    hulls = [np.asarray(die_mesh(shape).points, dtype=np.float64) for shape in smooth]
    labelled = [_label(stage, die, hulls[die.dressed], seen) for die in stage.dice]
    return [one for one in labelled if one.visible > _LEAST_VISIBLE]


def label_picture(
    stage: DiceStage, seen: NDArray[np.float32], image: Image, seed: int, camera: Mapping[str, Any]
) -> dict[str, Any]:
    """All that is known about a picture (blue-green-red), ready to be written as JSON."""
    grey = np.asarray(cv2.cvtColor(image, cv2.COLOR_BGR2GRAY), dtype=np.uint8)
    return {
        "width": stage.lens.width,
        "height": stage.lens.height,
        "seed": seed,
        "dice": [
            one.as_json() | {"top_contrast": round(top_contrast(grey, one.quad), 1)}
            for one in label_dice(stage, seen)
        ],
        "clutter": [
            {
                "box": _rounded(_box(stage.lens.pixels(one.mesh.points.astype(np.float64)))),
                "kind": one.kind,
            }
            for one in stage.things
        ],
        "ground": stage.ground.kind,
        "manner": stage.manner,
        "tray": stage.rim is not None,
        "hand": stage.hand is not None,
        "camera": {
            "elevation_degrees": round(stage.lens.elevation_degrees, 1),
            "field_degrees": round(stage.lens.field_degrees, 1),
            **camera,
        },
    }


def top_contrast(grey: NDArray[np.uint8], quad: Sequence[tuple[float, float]]) -> float:
    """How far apart the dark and the light parts of a top face are, 0 to 255.

    Where it is near nothing, glare, darkness or blur has taken the pips away.
    """
    corners = np.array(quad, dtype=np.float32)
    inner = corners.mean(axis=0) + _INNER * (corners - corners.mean(axis=0))
    square = np.array([(0, 0), (_FLAT, 0), (_FLAT, _FLAT), (0, _FLAT)], dtype=np.float32)
    turn = cv2.getPerspectiveTransform(inner.astype(np.float32), square)
    face = cv2.warpPerspective(grey, turn, (_FLAT, _FLAT), borderMode=cv2.BORDER_REPLICATE)
    dark, light = np.percentile(cv2.blur(face, (3, 3)), (1.5, 98.5))
    return float(light - dark)


def _label(
    stage: DiceStage, die: StagedDie, hull: Vector, seen: NDArray[np.float32]
) -> LabelledDie:
    outline = stage.lens.pixels(die.points(hull))
    mine = _on_die(die, seen, _box(outline))
    place = die.die.pose.top
    quad = stage.lens.pixels(die.points(_face(place)))
    dressed = stage.sets[die.dressed]
    return LabelledDie(
        box=_box(outline),
        quad=tuple((float(x), float(y)) for x, y in quad),
        value=dressed.shape.layout.number(place),
        lean_degrees=die.die.pose.lean_degrees,
        visible=_share(int(mine.sum()), _area(outline)),
        top_visible=_top_visible(quad, mine),
        style=dressed.name,
    )


def _rounded(box: tuple[float, float, float, float]) -> list[float]:
    return [round(place, 2) for place in box]


def _on_die(
    die: StagedDie, seen: NDArray[np.float32], box: tuple[float, float, float, float]
) -> NDArray[np.bool_]:
    mine = np.zeros(seen.shape[:2], dtype=np.bool_)
    left, top, right, bottom = (max(int(place), 0) for place in box)
    part = (slice(top, bottom + 1), slice(left, right + 1))
    local = (seen[part] - np.asarray(die.die.pose.position)) @ die.die.pose.rotation
    mine[part] = np.abs(local).max(axis=2, initial=0) < (0.5 + _SKIN) * die.die.size
    return mine


def _face(place: int) -> Vector:
    across, up = (edge / 2 for edge in edges(place))
    middle = normal(place) / 2
    return np.array(
        [middle - across - up, middle + across - up, middle + across + up, middle - across + up]
    )


def _box(points: Vector) -> tuple[float, float, float, float]:
    (left, top), (right, bottom) = points.min(axis=0), points.max(axis=0)
    return float(left), float(top), float(right), float(bottom)


def _area(points: Vector) -> float:
    return float(cv2.contourArea(cv2.convexHull(points.astype(np.float32))))


def _share(pixels: int, area: float) -> float:
    return float(np.clip(pixels / max(area, 1e-9), 0, 1))


def _top_visible(quad: Vector, mine: NDArray[np.bool_]) -> float:
    """The share of the face's inner part that is in the picture and shows this die."""
    inner = quad.mean(axis=0) + _INNER * (quad - quad.mean(axis=0))
    mask = pixels_within(inner, mine.shape)
    shown = _share(int((mine & mask).sum()), int(mask.sum()))
    return shown * float(np.clip(area_in_picture(inner, mine.shape) / _area(inner), 0, 1))


def pixels_within(quad: Vector, shape: tuple[int, ...]) -> NDArray[np.bool_]:
    """Which pixels of a picture of that shape lie within four corners."""
    mask = np.zeros(shape, dtype=np.uint8)
    corners = np.clip((quad - 0.5) * 16, -1e6, 1e6).round().astype(np.int32)
    cv2.fillConvexPoly(mask, corners, 1, cv2.LINE_8, 4)
    return np.asarray(mask > 0)


def area_in_picture(quad: Vector, shape: tuple[int, ...]) -> float:
    """The area of a quadrangle, in pixels, inside a picture of that shape."""
    height, width = shape
    picture = np.array([(0, 0), (width, 0), (width, height), (0, height)], dtype=np.float32)
    return float(cv2.intersectConvexConvex(quad.astype(np.float32), picture)[0])


# A process that compiled a few hundred kernels holds on to them; a fresh one starts small.
_PICTURES_A_PROCESS: Final = 250


@dataclass(frozen=True, slots=True)
class Photograph:
    """A picture as a JPEG file's bytes, and what it shows."""

    picture: bytes
    labels: dict[str, Any]


def take_dice(seed: int, number: int, studio: Studio) -> Photograph:
    """The photograph of that number: seed and number alone decide what is in it."""
    random = np.random.default_rng((seed, number))
    stage = any_stage(random)
    how = any_exposure(random)
    shot = studio.shoot(stage, number)
    image = expose(shot.without_grain(), how, random)
    labels = label_picture(stage, shot.seen, image, seed, how.as_json())
    return Photograph(encode(image, how), labels)


def missing(folder: Path, numbers: Iterable[int]) -> list[int]:
    """The numbers whose picture or labels are not there yet."""
    wanted = {n: folder / f"{n:05}" for n in numbers}
    return [
        n
        for n, path in wanted.items()
        if not all(path.with_suffix(each).exists() for each in (".jpg", ".json"))
    ]


def keep(path: Path, photograph: Photograph) -> None:
    """Write path.jpg and, last, path.json, so that labels always have their picture."""
    write_whole(path.with_suffix(".jpg"), photograph.picture, 0o644)
    write_whole(path.with_suffix(".json"), f"{json.dumps(photograph.labels)}\n".encode(), 0o644)


Take = Callable[[int, int, Studio], Photograph]


def take_all(
    folder: Path, seed: int, numbers: Iterable[int], workers: int, take_one: Take = take_dice
) -> Iterator[int]:
    """Take and keep every photograph that is missing, on that many processes; yields its number.

    `take_one` is called in other processes: it must be a module's function.
    """
    wanted = missing(folder, numbers)
    # Not concurrent.futures: its pool of Python 3.11 stops once its first processes end.
    pool = get_context("spawn").Pool(workers, _start, (folder, seed, take_one), _PICTURES_A_PROCESS)
    with pool:
        yield from pool.imap_unordered(_work, wanted)


_opened = ExitStack()  # what one process works with, until it ends
_work_of: list[Callable[[int], None]] = []


def _start(folder: Path, seed: int, take_one: Take) -> None:
    os.environ["OMP_NUM_THREADS"] = "1"
    studio = _opened.enter_context(open_studio(threads=1))
    _work_of.append(lambda number: keep(folder / f"{number:05}", take_one(seed, number, studio)))


def _work(number: int) -> int:
    (work,) = _work_of
    work(number)
    return number
