"""Lessons: the material of a taught set, the results, and their folder."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Final, Literal

from scoreboard.message import Message, message
from scoreboard.text_files import write_whole
from scoreboard.tournament.protocol.documents import value_of
from vision.errors import LessonError
from vision.learn.school import STRANGERS
from vision.learn.taught_reader import TILE_COLOURS, is_tile_set
from vision.learn.taught_sets import NAME, TaughtSet

Step = Literal["learn", "test"]  # photographs to learn from, and those held back for the test

MOST_PHOTOS: Final = 5  # of a face, and in one form
MOST_TOGETHER: Final = 12  # faces on one photograph: more, and each is too small to learn from
LEAST_TESTED: Final = 0.5  # of the faces: a test of fewer is too little to trust a set


@dataclass(frozen=True, slots=True)
class LessonPhoto:
    """One photograph of a lesson.

    `faces` are the entered ones, in reading order; `pieces` is how many of them were found,
    `problem` the reason the photograph cannot be used. Pieces whose indices are in `dropped` are no
    longer learned from: better ones came. Numbers are never given twice. Of tiles `untaught` are
    read right without being taught, None if unknown.
    """

    number: int
    step: Step
    faces: tuple[str, ...]
    pieces: int = 0
    problem: Message | None = None
    dropped: tuple[int, ...] = ()
    untaught: int | None = None

    @property
    def is_doubted(self) -> bool:
        """Whether all entered pieces were found, and yet there is a doubt."""
        return self.problem is not None and self.pieces > 0

    def showing(self, face: str) -> Iterator[int]:
        """The indices of its pieces that are of that face and in use."""
        for at in range(self.pieces):
            if at not in self.dropped and self.faces[min(at, len(self.faces) - 1)] == face:
                yield at


@dataclass(frozen=True, slots=True)
class Confusion:
    """How often the face `shown` was taken for another one; `said` is "?" if refused."""

    shown: str
    said: str
    count: int


@dataclass(frozen=True, slots=True)
class Report:
    """The result of learning a set; counts of pieces, all 0 without a test.

    `held_back`: the test's photographs were not learned from; `tested` are the faces on them. Of
    all `pieces` `right` were read right, `asked` doubted, refused or not found, and `silent` wrong
    without a doubt. Of the `strangers` on the photographs `refused` were doubted or refused, as
    were `unknown_refused` of the `unknown` pieces whose own face was forgotten.
    """

    trusted: bool
    held_back: bool = False
    faces: int = 0
    tested: int = 0
    pieces: int = 0
    right: int = 0
    asked: int = 0
    silent: int = 0
    strangers: int = 0
    refused: int = 0
    unknown: int = 0
    unknown_refused: int = 0
    confusions: tuple[Confusion, ...] = ()

    @property
    def tests_enough(self) -> bool:
        return self.tested >= LEAST_TESTED * self.faces


@dataclass(frozen=True, slots=True)
class Lesson:
    """A set that is being taught: its faces in order, its photographs, and the last report.

    `taken` counts all photographs that were ever taken, removed ones included. `solid`: the pieces
    are dice.
    """

    name: str
    faces: tuple[str, ...]
    photos: tuple[LessonPhoto, ...] = ()
    taken: int = 0
    report: Report | None = None
    solid: bool = False

    @property
    def is_tiles(self) -> bool:
        return is_tile_set(self.faces)

    def usable(self, step: Step) -> tuple[LessonPhoto, ...]:
        """The photographs of a step with all entered pieces found."""
        good = (each for each in self.photos if each.step == step and each.problem is None)
        return tuple(each for each in good if not each.dropped or len(each.dropped) != each.pieces)

    def read_untaught(self, step: Step) -> tuple[int, int]:
        """How many tiles on a step's photographs are read right without teaching, of how many."""
        tried = [each for each in self.usable(step) if each.untaught is not None]
        return sum(each.untaught or 0 for each in tried), sum(each.pieces for each in tried)

    def shows_all_colours(self, step: Step) -> bool:
        shown = {face[0] for photo in self.usable(step) for face in photo.faces}
        return shown.issuperset(TILE_COLOURS)

    def faulty(self, step: Step, faces: Sequence[str] = ()) -> tuple[LessonPhoto, ...]:
        """Unusable ones: of exactly these faces, or, with none named, of several."""
        bad = (each for each in self.photos if each.step == step and each.problem is not None)
        if faces:
            return tuple(each for each in bad if each.faces == tuple(faces))
        return tuple(each for each in bad if len(each.faces) > 1)

    @property
    def mended(self) -> tuple[int, ...]:
        """The numbers of unusable ones whose faces were all shown later."""
        return tuple(
            each.number
            for each in self.photos
            if each.problem is not None
            and all(
                any(newer.number > each.number for newer in self.photos_of(face, each.step))
                for face in each.faces
            )
        )

    def photos_of(self, face: str, step: Step) -> tuple[LessonPhoto, ...]:
        return tuple(each for each in self.usable(step) if any(True for _ in each.showing(face)))

    def missing(self, step: Step) -> tuple[str, ...]:
        return tuple(face for face in self.faces if not self.photos_of(face, step))

    def next_together(self, step: Step, most: int) -> tuple[str, ...]:
        """At most `most` of the faces with fewest photographs; none if all have enough."""
        counts = {face: len(self.photos_of(face, step)) for face in self.faces}
        least = min(counts.values(), default=MOST_PHOTOS)
        if least >= MOST_PHOTOS:
            return ()
        return tuple(face for face, count in counts.items() if count == least)[:most]

    def with_photo(self, photo: LessonPhoto) -> Lesson:
        taken = max(self.taken, photo.number)
        return replace(self, photos=(*self.photos, photo), taken=taken)

    def without(self, numbers: Sequence[int]) -> Lesson:
        kept = tuple(each for each in self.photos if each.number not in numbers)
        return replace(self, photos=kept)

    def accepting(self, number: int) -> Lesson:
        """With the photograph of that number used despite any doubt."""
        return self._with(number, lambda one: replace(one, problem=None) if one.is_doubted else one)

    def dropping(self, number: int, at: int) -> Lesson:
        """With one piece of that photograph no longer in use."""
        return self._with(number, lambda one: replace(one, dropped=(*one.dropped, at)))

    def _with(self, number: int, change: Callable[[LessonPhoto], LessonPhoto]) -> Lesson:
        photos = (change(each) if each.number == number else each for each in self.photos)
        return replace(self, photos=tuple(photos))

    def knows(self, faces: Sequence[str], step: Step) -> bool:
        """Whether a photograph may show these: strangers only in the test, alone."""
        if tuple(faces) == (STRANGERS,):
            return step == "test"
        return bool(faces) and set(faces) <= set(self.faces)


@dataclass(frozen=True, slots=True)
class Entry:
    """One name on the list: the set taught under it, its lesson, or what is wrong with them.

    `plays`: a game's cards or tiles are read with it.
    """

    name: str
    taught: TaughtSet | None = None
    lesson: Lesson | None = None
    faults: tuple[Message, ...] = ()
    plays: bool = False

    @property
    def is_tiles(self) -> bool:
        return self.taught is not None and is_tile_set(self.taught.likeness.faces)


@dataclass(frozen=True, slots=True)
class Trial:
    """A taught set's reading of one picture: its pieces in reading order, and doubts."""

    pieces: tuple[str, ...]
    doubts: tuple[Message, ...]


@dataclass(frozen=True, slots=True)
class Progress:
    """Learning's progress: `done` of `of` steps; `fault` is the reason it ended without a set."""

    stage: Message
    done: int
    of: int
    fault: Message | None = None
    running: bool = False


FORMAT: Final = 1
DESCRIPTION: Final = "lesson.json"


class LessonStore:
    """All lessons, one folder each in `folder`, which need not exist yet."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def names(self) -> tuple[str, ...]:
        return tuple(sorted(path.parent.name for path in self.folder.glob(f"*/{DESCRIPTION}")))

    def read(self, name: str) -> Lesson | None:
        """The lesson of that name; None when there is none. Raises LessonError."""
        if not NAME.fullmatch(name):
            return None
        try:
            stored = json.loads((self.folder / name / DESCRIPTION).read_text(encoding="utf-8"))
            if stored["format"] != FORMAT:
                raise ValueError("a lesson of another version")  # noqa: TRY301 -- as all other damage
            return value_of(Lesson, stored)
        except FileNotFoundError:
            return None
        except (OSError, ValueError, KeyError, TypeError) as error:
            raise LessonError(
                message("The lesson “{name}” is damaged: delete it and start again.", name=name)
            ) from error

    def write(self, lesson: Lesson) -> None:
        """Store it; after a power cut the old or the new one is left. Raises OSError."""
        document = {"format": FORMAT, **asdict(lesson)}
        text = json.dumps(document, ensure_ascii=False, indent=1)
        write_whole(self.folder / lesson.name / DESCRIPTION, text.encode())

    def delete(self, name: str) -> None:
        """Delete a lesson and its photographs. Raises OSError."""
        if NAME.fullmatch(name) and (self.folder / name).is_dir():
            shutil.rmtree(self.folder / name)

    def photo_path(self, name: str, number: int) -> Path:
        return self.folder / name / f"photo-{number:04}.jpg"

    def piece_path(self, name: str, number: int, at: int) -> Path:
        """The path of the picture of one of its pieces."""
        return self.folder / name / f"photo-{number:04}-piece-{at:02}.jpg"

    def outlined_path(self, name: str, number: int) -> Path:
        """The path of a photograph with the outlines of its finds."""
        return self.folder / name / f"photo-{number:04}-outlined.jpg"

    def trial_path(self, name: str) -> Path:
        """The path of the last picture that the set was tried on, with its reading drawn on it."""
        return self.folder / name / "trial.jpg"

    def drop_pictures(self, name: str, numbers: Sequence[int]) -> None:
        """Delete the files of these photographs. Raises OSError."""
        for number in numbers:
            for path in (self.folder / name).glob(f"photo-{number:04}*.jpg"):
                path.unlink(missing_ok=True)
