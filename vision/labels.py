"""Labelled photographs as they lie in a folder: `labels.jsonl` beside `images/`."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from vision.errors import LabelError
from vision.observation import Box

LABELS: Final = "labels.jsonl"
TOP_FACE_ONLY: Final = "top face only"


@dataclass(frozen=True, slots=True)
class LabelledDie:
    """One die of a label: its box in pixels of the photograph, and its value.

    `symbol` marks a logo face: such a die is neither required nor false.
    """

    box: Box
    value: int
    symbol: bool = False


@dataclass(frozen=True, slots=True)
class LabelledPhotograph:
    """One line of a source's labels: where the picture lies and what is on it.

    `whole` tells whether the boxes are those of whole dice; otherwise they are the
    tight boxes of the top faces' pips.
    """

    path: Path
    split: str
    dice: tuple[LabelledDie, ...]
    whole: bool


@dataclass(frozen=True, slots=True)
class Source:
    """One source of photographs, by the name of its folder."""

    name: str
    photographs: tuple[LabelledPhotograph, ...]


def read_sources(folder: Path) -> tuple[Source, ...]:
    """Read a folder with `labels.jsonl`, or a folder of such folders, in the order of names.

    Raises:
        LabelError: there are no labels, or a line of them cannot be read.
    """
    folders = [folder] if (folder / LABELS).is_file() else _labelled_folders(folder)
    if not folders:
        raise LabelError(f"{folder} holds no {LABELS}, and no folder in it does; name another one.")
    return tuple(Source(each.resolve().name, tuple(_photographs(each))) for each in folders)


def _labelled_folders(folder: Path) -> list[Path]:
    return sorted(labels.parent for labels in folder.glob(f"*/{LABELS}"))


def _photographs(folder: Path) -> Iterator[LabelledPhotograph]:
    lines = (folder / LABELS).read_text(encoding="utf-8").splitlines()
    for number, line in enumerate(lines, start=1):
        if line.strip():
            yield _photograph(folder, number, line)


def _photograph(folder: Path, number: int, line: str) -> LabelledPhotograph:
    try:
        entry = json.loads(line)
        return LabelledPhotograph(
            path=folder / "images" / str(entry["file"]),
            split=str(entry["split"]),
            dice=tuple(_die(each) for each in entry["dice"]),
            whole=entry.get("box_kind") != TOP_FACE_ONLY,
        )
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise LabelError(f"Line {number} of {folder / LABELS} is no label ({error!r}).") from error


def _die(entry: Mapping[str, Any]) -> LabelledDie:
    left, top = float(entry["x"]), float(entry["y"])
    box = (left, top, left + float(entry["w"]), top + float(entry["h"]))
    symbol = bool(entry.get("symbol"))
    return LabelledDie(box, 0 if symbol else int(entry["value"]), symbol)
