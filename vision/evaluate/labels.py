"""Labelled photographs in a folder: `labels.jsonl` next to `images/`, or `values.txt`.

`values.txt` is next to the photographs and has a line for each: “IMG_1.jpg 3 5 5”.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import cv2
import numpy as np

from scoreboard.games.rummikub.tiles import JOKER, Colour, Tile
from scoreboard.text_files import read_text
from vision.errors import LabelError
from vision.read.observation import UNREADABLE, Box

LABELS: Final = "labels.jsonl"
VALUES: Final = "values.txt"
_TYPED: Final = re.compile(r"\s*(.+?\.\w+)[\s:]+([0-6][0-6\s,]*)")
_NOWHERE: Final = (0.0, 0.0, 0.0, 0.0)
TOP_FACE_ONLY: Final = "top face only"
_NO_LABEL: Final = (ValueError, TypeError, AttributeError, OverflowError, RecursionError)
_LETTERS: Final[Mapping[str, Colour]] = {"black": "K", "red": "R", "blue": "B", "orange": "O"}


@dataclass(frozen=True, slots=True)
class LabelledPiece:
    """One piece of a label: its box in pixels of the photograph, and its notation.

    An `optional` piece (a logo face, a tile cut off or hidden) is neither required nor false.
    `shorter` is its own shorter side in pixels if it is turned in its box.
    """

    box: Box
    label: str
    optional: bool = False
    shorter: float | None = None

    @property
    def shorter_side(self) -> float:
        left, top, right, bottom = self.box
        return min(right - left, bottom - top) if self.shorter is None else self.shorter


@dataclass(frozen=True, slots=True)
class LabelledPhotograph:
    """One line of a source's labels: the picture's path and the pieces on it.

    `whole`: the boxes are those of whole pieces; otherwise they are the tight boxes of the top
    faces' pips. `placed`: the boxes are known; otherwise only the values count. `scene` names the
    table if the source does.
    """

    path: Path
    split: str
    pieces: tuple[LabelledPiece, ...]
    whole: bool
    scene: str = ""
    placed: bool = True


@dataclass(frozen=True, slots=True)
class Source:
    """One source of photographs, by the name of its folder."""

    name: str
    photographs: tuple[LabelledPhotograph, ...]


def read_sources(folder: Path) -> tuple[Source, ...]:
    """Read a folder with labels or typed values, or a folder of such folders, in order of names.

    Raises LabelError: there are no labels, or a line of them cannot be read.
    """
    here = [folder / name for name in (LABELS, VALUES) if (folder / name).is_file()]
    below = (each for each in folder.glob("*/*") if each.name in {LABELS, VALUES})
    found = here[:1] or sorted(below)
    if not found:
        raise LabelError(
            f"{folder} holds no {LABELS} and no {VALUES}, and no folder in it does; name another "
            "one, or add --label to type in what its dice show."
        )
    return tuple(Source(each.parent.resolve().name, tuple(_photographs(each))) for each in found)


def lines_of(labels: Path) -> list[str]:
    """The lines of a file of labels. Raises LabelError: it is no text in UTF-8 or as marked."""
    try:
        return read_text(labels).splitlines()
    except UnicodeDecodeError as error:
        raise LabelError(f"{labels} is no text in UTF-8; save it as such.") from error


def _photographs(labels: Path) -> Iterator[LabelledPhotograph]:
    """One a line; crops of single pieces are skipped."""
    for number, line in enumerate(lines_of(labels), start=1):
        if line.strip() and labels.name == VALUES:
            photograph = typed(labels.parent, line)
            if photograph is None:
                raise LabelError(f"Line {number} of {labels} is no label: {HOW_TO_TYPE}")
            yield photograph
        elif line.strip():
            try:
                entry = json.loads(line)
                if entry.get("kind") is None:
                    yield labelled(labels.parent, entry)
            except json.JSONDecodeError as error:
                fault = f"is no JSON: {error.msg} at column {error.colno}"
                raise LabelError(f"Line {number} of {labels} {fault}.") from error
            except KeyError as error:
                raise LabelError(f"Line {number} of {labels} lacks {error}.") from error
            except _NO_LABEL as error:
                raise LabelError(f"Line {number} of {labels} is no label: {error}.") from error


HOW_TO_TYPE: Final = (
    "write the photograph's name and what each die shows, as in “IMG_1.jpg 3 5 5”, or 0 where no "
    "die lies there."
)


def typed(folder: Path, line: str) -> LabelledPhotograph | None:
    """One photograph in that folder with the values of its line, None if the line names none."""
    found = _TYPED.fullmatch(line)
    if found is None:
        return None
    dice = (LabelledPiece(_NOWHERE, value) for value in re.findall("[1-6]", found[2]))
    return LabelledPhotograph(folder / found[1], "", tuple(dice), whole=False, placed=False)


def labelled(folder: Path, entry: Mapping[str, Any]) -> LabelledPhotograph:
    """One photograph of a source in that folder, from its label.

    Raises KeyError, TypeError, ValueError, OverflowError: it is no label.
    """
    tiles = entry.get("tiles")
    return LabelledPhotograph(
        path=folder / "images" / str(entry["file"]),
        split=str(entry["split"]),
        pieces=tuple(map(_die, entry["dice"])) if tiles is None else tuple(map(_tile, tiles)),
        whole=entry.get("box_kind") != TOP_FACE_ONLY,
        scene=str(entry.get("scene", "")),
    )


def _box(entry: Mapping[str, Any]) -> Box:
    left, top = float(entry["x"]), float(entry["y"])
    return (left, top, left + float(entry["w"]), top + float(entry["h"]))


def _die(entry: Mapping[str, Any]) -> LabelledPiece:
    symbol = bool(entry.get("symbol"))
    return LabelledPiece(_box(entry), UNREADABLE if symbol else str(int(entry["value"])), symbol)


def _tile(entry: Mapping[str, Any]) -> LabelledPiece:
    joker = bool(entry.get("joker"))
    piece = JOKER if joker else Tile(_LETTERS[entry["colour"]], int(entry["number"]))
    optional = bool(entry.get("truncated") or entry.get("difficult"))
    quad, shorter = entry.get("quad"), None
    if quad:
        shorter = float(min(cv2.minAreaRect(np.array(quad, np.float32).reshape(-1, 2))[1]))
    return LabelledPiece(_box(entry), str(piece), optional, shorter)
