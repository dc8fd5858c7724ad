"""Labelled photographs of tiles: corners from the upright tile's top left, and what is printed."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import cv2
import numpy as np
from numpy.typing import NDArray

from scoreboard.games.rummikub.tiles import COLOURS
from scoreboard.text_files import read_text
from vision.capture.frame import Image
from vision.errors import LabelError
from vision.evaluate.labels import LABELS, LabelledPhotograph, labelled
from vision.read.detection import TILE_HEIGHT, TILE_WIDTH, Points, upright
from vision.train.augmentation import Chance, halved

JOKER: Final = 14  # after the numbers 1 to 13; 0 is nothing readable
NO_COLOUR: Final = -1
_HELD_BACK: Final = 12  # of this many rendered photographs one is kept for judging
_LETTERS: Final = {"black": "K", "red": "R", "blue": "B", "orange": "O"}
_UPPER: Final = slice(round(0.17 * TILE_HEIGHT), round(0.5 * TILE_HEIGHT))
_LOWER: Final = slice(round(0.5 * TILE_HEIGHT), round(0.83 * TILE_HEIGHT))
_INNER: Final = slice(round(0.2 * TILE_WIDTH), round(0.8 * TILE_WIDTH))


@dataclass(frozen=True, slots=True, eq=False)
class PlacedTile:
    """A tile in a picture: corners clockwise from the number side's left one, kind and colour.

    `kind` is its number, JOKER, or 0 where it cannot be read; `colour` the index in COLOURS, or
    NO_COLOUR. One that is not `clear` is cut off or hidden: nothing is learned from it.
    """

    corners: Points
    kind: int
    colour: int
    clear: bool = True

    @property
    def middle(self) -> Points:
        return np.asarray(self.corners.mean(axis=0), np.float32)

    @property
    def x(self) -> float:
        return float(self.middle[0])

    @property
    def y(self) -> float:
        return float(self.middle[1])

    @property
    def width(self) -> float:
        """The mean length of its upper and lower edge."""
        return math.hypot(*self._sides[0])

    @property
    def height(self) -> float:
        """How far its foot is from its top, square to its upper edge."""
        (right, rise), (aside, down) = self._sides
        return (right * down - rise * aside) / math.hypot(right, rise)

    @property
    def angle(self) -> float:
        """How far it is turned from upright, degrees clockwise in [0, 360)."""
        (right, rise), _ = self._sides
        return math.degrees(math.atan2(rise, right)) % 360

    @property
    def shear(self) -> float:
        """How far its foot is to the right of its top, for its height."""
        (right, rise), (aside, down) = self._sides
        return (right * aside + rise * down) / (right * down - rise * aside)

    @property
    def outline(self) -> Points:
        """Its corners as the finder gives them: opposite edges of one length, from any view."""
        across, down = np.array(self._sides)
        around = (-across - down, across - down, across + down, down - across)
        return np.asarray([self.middle + each / 2 for each in around], np.float32)

    @property
    def _sides(self) -> tuple[tuple[float, float], tuple[float, float]]:
        """The means of its upper and lower, and of its left and right edge."""
        # Numbers, not arrays: this is asked for a hundred times a scene
        (a, b), (c, d), (e, f), (g, h) = self.corners.tolist()
        return ((c + e - a - g) / 2, (d + f - b - h) / 2), (
            (e + g - a - c) / 2,
            (f + h - b - d) / 2,
        )

    def moved(self, warp: NDArray[np.float64]) -> PlacedTile:
        """After the 3 x 3 perspective, or 2 x 3 affine, warp of its picture."""
        whole = warp if len(warp) == 3 else np.vstack([warp, (0, 0, 1)])  # noqa: PLR2004
        corners = cv2.perspectiveTransform(self.corners[None], whole)[0]
        return PlacedTile(np.asarray(corners, np.float32), self.kind, self.colour, self.clear)


@dataclass(frozen=True, slots=True, eq=False)
class TilePicture:
    """A photograph, halved again and again, with its tiles."""

    source: str
    name: str
    scene: str
    levels: tuple[Image, ...]
    tiles: tuple[PlacedTile, ...]

    @property
    def image(self) -> Image:
        return self.levels[0]


def read_tiled(folder: Path, split: str) -> list[TilePicture]:
    """All photographs of a split from a folder of sources, crops of single tiles left out.

    Raises:
        LabelError: a photograph is missing, or a line is no label.
    """
    found = sorted(labels.parent for labels in folder.glob(f"*/{LABELS}"))
    if not found:
        raise LabelError(f"{folder} holds no folder with {LABELS}; name another one.")
    return [picture for each in found for picture in _pictures(each, split)]


def _pictures(folder: Path, split: str) -> Iterator[TilePicture]:
    lines = read_text(folder / LABELS).splitlines()
    for number, line in enumerate(lines, start=1):
        with _refusing(f"Line {number} of {folder / LABELS} is no label."):
            entry = json.loads(line)
            if entry["split"] == split and entry.get("kind") is None:
                yield _picture(folder, entry)


@contextmanager
def _refusing(fault: str) -> Iterator[None]:
    """Tell of labels that are none."""
    try:
        yield
    except LabelError:
        raise
    except (ValueError, KeyError, TypeError) as error:
        raise LabelError(fault) from error


def read_rendered(folder: Path, most: int | None = None) -> list[TilePicture]:
    """The complete rendered photographs to learn from, by number, at most `most`.

    Raises:
        LabelError: a picture is missing, or its labels are none.
    """
    found = [path for path in _sidecars(folder) if not _is_held_back(path)]
    pictures = []
    for path in found[:most]:
        with _refusing(f"{path} holds no labels."):
            pictures.append(_picture(folder, json.loads(path.read_text(encoding="utf-8"))))
    return pictures


def held_back(folder: Path) -> list[LabelledPhotograph]:
    """The rendered photographs that no training may see, to judge by: every twelfth.

    Raises:
        LabelError: the labels of one are none.
    """
    found = [path for path in _sidecars(folder) if _is_held_back(path)]
    return [labelled(folder, json.loads(path.read_text(encoding="utf-8"))) for path in found]


def _sidecars(folder: Path) -> list[Path]:
    return sorted((folder / "images").glob("*.json"))


def _is_held_back(path: Path) -> bool:
    return int(path.stem) % _HELD_BACK == _HELD_BACK - 1


def _picture(folder: Path, entry: Mapping[str, Any]) -> TilePicture:
    path = folder / "images" / str(entry["file"])
    image = cv2.imread(str(path), cv2.IMREAD_COLOR)
    if image is None:
        raise LabelError(f"{path} is missing or no picture; fetch the data again.")
    levels = halved(np.asarray(image, np.uint8))
    known = bool(entry.get("oriented"))
    tiles = tuple(_tile(levels[0], each, oriented=known) for each in entry["tiles"])
    return TilePicture(folder.name, path.name, str(entry.get("scene", "")), levels, tiles)


def _tile(image: Image, entry: Mapping[str, Any], *, oriented: bool) -> PlacedTile:
    clear = not (entry.get("truncated") or entry.get("difficult"))
    kind = JOKER if entry.get("joker") else int(entry["number"])
    letter = _LETTERS.get(str(entry.get("colour")))
    joker = letter is None or kind == JOKER
    colour = NO_COLOUR if joker else [*COLOURS].index(letter)  # type: ignore[arg-type]
    return PlacedTile(_corners(image, entry, oriented=oriented), kind, colour, clear)


def _corners(image: Image, entry: Mapping[str, Any], *, oriented: bool) -> Points:
    """The corners from the upright tile's top left: by the labels, or else by its ink."""
    quad = entry.get("quad")
    if not quad:
        left, top = float(entry["x"]), float(entry["y"])
        right, bottom = left + float(entry["w"]), top + float(entry["h"])
        quad = [(left, top), (right, top), (right, bottom), (left, bottom)]
    outline = np.array(quad, np.float32)
    if oriented:
        return outline
    corners = np.asarray(cv2.boxPoints(cv2.minAreaRect(outline)), np.float32)
    sides = [float(np.hypot(*(corners[at] - corners[at - 1]))) for at in (1, 2)]
    standing = corners if sides[0] < sides[1] else np.roll(corners, -1, axis=0)
    turned = np.roll(standing, -2, axis=0)
    return standing if _ink(image, standing) >= _ink(image, turned) else turned


def _ink(image: Image, corners: Points) -> float:
    """How much more differs from the face in the upper half than in the lower."""
    crop = upright(image, corners).astype(np.float32)[:, _INNER]
    face = np.median(crop.reshape(-1, 3), axis=0)
    off = np.abs(crop - face).sum(axis=2)
    return float(off[_UPPER].sum() - off[_LOWER].sum())


_RENDERED: Final = 0.7  # of the pictures taken: they show more editions than the photographs do


@dataclass(frozen=True, slots=True)
class TilePictures:
    """Photographs and rendered pictures; at least one of them."""

    photographs: Sequence[TilePicture]
    rendered: Sequence[TilePicture]

    def pick(self, chance: Chance) -> TilePicture:
        """One of them by chance: mostly rendered ones, however many there are of either kind."""
        if not self.photographs or (self.rendered and chance.happens(_RENDERED)):
            return chance.pick(self.rendered)
        return chance.pick(self.photographs)
