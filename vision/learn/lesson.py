"""Photographs to learn from, and what each is said to show: by the names of folders or files."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from scoreboard.message import message
from vision.errors import LessonError

STRANGERS: Final = "unknown"  # the folder of pieces that are of no face of the set
_PICTURES: Final = frozenset({".jpg", ".jpeg", ".png", ".webp", ".bmp", ".tif", ".tiff", ".heic"})
_COUNTER: Final = re.compile(r"(.+?)(?:-\d+| ?\(\d+\))")


@dataclass(frozen=True, slots=True)
class TaughtPhoto:
    """One photograph of a lesson.

    `faces` are those that it shows, in reading order; one face alone may be shown by several
    pieces. `fold` counts the photographs of the same faces from 0.
    """

    path: Path
    faces: tuple[str, ...]
    fold: int

    @property
    def shows_strangers(self) -> bool:
        """Whether its pieces are of no face of the set."""
        return self.faces == (STRANGERS,)


def lesson_in(folder: Path) -> tuple[TaughtPhoto, ...]:
    """The photographs in a folder, by the names of their faces and then of their files.

    `FOLDER/R1/anything.jpg` shows the face R1; `FOLDER/R1 R2 R3/anything.jpg` shows three in
    reading order; `FOLDER/R1-2.jpg` or `FOLDER/R1 (2).jpg` is the second photograph of R1.

    Raises:
        LessonError: there is no such folder, or no picture in it.
    """
    if not folder.is_dir():
        raise LessonError(
            message("There is no folder {folder}; check its name.", folder=str(folder))
        )
    named = sorted((_faces(folder, path), path) for path in _pictures(folder))
    if not named:
        raise LessonError(
            message(
                "The folder {folder} holds no pictures: make a folder in it for each face, named "
                "after the face, with one to five photographs.",
                folder=str(folder),
            )
        )
    seen: Counter[tuple[str, ...]] = Counter()
    photos = []
    for faces, path in named:
        photos.append(TaughtPhoto(path, faces, seen[faces]))
        seen[faces] += 1
    return tuple(photos)


def faces_of(photos: tuple[TaughtPhoto, ...]) -> tuple[str, ...]:
    """Every face that is told, each once."""
    told = (face for photo in photos if not photo.shows_strangers for face in photo.faces)
    return tuple(dict.fromkeys(told))


def _pictures(folder: Path) -> list[Path]:
    inside = [path for each in sorted(folder.iterdir()) if each.is_dir() for path in each.iterdir()]
    return [path for path in (*folder.iterdir(), *inside) if _is_picture(path)]


def _is_picture(path: Path) -> bool:
    return path.is_file() and path.suffix.lower() in _PICTURES and not path.name.startswith(".")


def _faces(folder: Path, path: Path) -> tuple[str, ...]:
    """The faces that a picture's folder names, or else its own name without a counter."""
    if path.parent != folder:
        return tuple(path.parent.name.split())
    counted = _COUNTER.fullmatch(path.stem)
    return tuple((counted[1] if counted else path.stem).split())
