"""Lessons on disk: a folder each, with what was told, the photographs and the pieces in them."""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any, Final

from scoreboard.message import Message, message
from vision.errors import LessonError
from web.table.lesson_api import Confusion, Lesson, LessonPhoto, Report

FORMAT: Final = 1
DESCRIPTION: Final = "lesson.json"
# as vision.learn.taught_sets wants it, so that what was photographed can be kept as a set
NAME: Final = re.compile(r"\w(?:[\w \-]{0,58}\w)?")


class LessonStore:
    """All lessons, one folder each in `folder`, which need not exist yet."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def names(self) -> tuple[str, ...]:
        """The names of the lessons that are there, in alphabetical order."""
        return tuple(sorted(path.parent.name for path in self.folder.glob(f"*/{DESCRIPTION}")))

    def read(self, name: str) -> Lesson | None:
        """The lesson of that name; None when there is none.

        Raises:
            LessonError: it is damaged, or of another version of Tablescore.
        """
        if not NAME.fullmatch(name):
            return None
        try:
            told = json.loads((self.folder / name / DESCRIPTION).read_text(encoding="utf-8"))
            return _lesson(told)
        except FileNotFoundError:
            return None
        except (OSError, ValueError, KeyError, TypeError) as error:
            raise LessonError(
                message("The lesson “{name}” is damaged: delete it and begin anew.", name=name)
            ) from error

    def write(self, lesson: Lesson) -> None:
        """Keep it; a power cut leaves the old one or the new one.

        Raises:
            OSError: it cannot be written.
        """
        place = self.folder / lesson.name
        place.mkdir(parents=True, exist_ok=True)
        told = json.dumps({"format": FORMAT, **asdict(lesson)}, ensure_ascii=False, indent=1)
        fresh = place / f"{DESCRIPTION}.new"
        fresh.write_text(told, encoding="utf-8")
        fresh.replace(place / DESCRIPTION)

    def delete(self, name: str) -> None:
        """Delete a lesson and its photographs. Raises OSError."""
        if NAME.fullmatch(name) and (self.folder / name).is_dir():
            shutil.rmtree(self.folder / name)

    def photo_path(self, name: str, number: int) -> Path:
        """Where a photograph is kept."""
        return self.folder / name / f"photo-{number:04}.jpg"

    def piece_path(self, name: str, number: int, at: int) -> Path:
        """Where the picture of one of its pieces is kept."""
        return self.folder / name / f"photo-{number:04}-piece-{at:02}.jpg"

    def drop_pictures(self, name: str, numbers: Sequence[int]) -> None:
        """Delete the files of these photographs. Raises OSError."""
        for number in numbers:
            for path in (self.folder / name).glob(f"photo-{number:04}*.jpg"):
                path.unlink(missing_ok=True)


def _lesson(told: Mapping[str, Any]) -> Lesson:
    if told["format"] != FORMAT:
        raise ValueError("a lesson of another version")
    return Lesson(
        name=told["name"],
        faces=tuple(told["faces"]),
        photos=tuple(map(_photo, told["photos"])),
        taken=int(told["taken"]),
        report=_report(told["report"]),
        solid=told["solid"] is True,
    )


def _photo(told: Mapping[str, Any]) -> LessonPhoto:
    return LessonPhoto(
        number=int(told["number"]),
        step=told["step"],
        faces=tuple(told["faces"]),
        pieces=int(told["pieces"]),
        problem=_phrase(told["problem"]),
    )


def _report(told: Mapping[str, Any] | None) -> Report | None:
    if told is None:
        return None
    confusions = tuple(Confusion(**each) for each in told["confusions"])
    return Report(**{**told, "confusions": confusions})


def _phrase(told: Mapping[str, Any] | None) -> Message | None:
    """A phrase again, those in its gaps included."""
    if told is None:
        return None
    return Message(told["template"], tuple((name, _value(value)) for name, value in told["values"]))


def _value(told: Any) -> Any:
    return _phrase(told) if isinstance(told, dict) else told
