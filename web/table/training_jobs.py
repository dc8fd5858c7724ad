"""Where sets are taught on the page: lessons on disk, photographs looked at, sets kept.

As in the wiring, what is heavy is loaded where it is needed.
"""
# ruff: noqa: PLC0415 -- see above

from __future__ import annotations

import logging
import shutil
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from threading import Lock
from typing import IO, TYPE_CHECKING, Final

from scoreboard.message import Message, message
from vision.errors import LessonError, PhotoError, TaughtSetError
from web.table.lesson_api import (
    MOST_PHOTOS,
    Entry,
    Lesson,
    LessonPhoto,
    Progress,
    Report,
    SetStanding,
    Step,
)
from web.table.lesson_store import NAME, LessonStore
from web.table.picture_turns import FairLock, PictureRefusedError, PictureTurns
from web.table.train_worker import TrainWorker, taught_photos

if TYPE_CHECKING:
    from vision.capture.frame import Image
    from vision.learn.prototypes import Specimen
    from vision.learn.school import Inspected, School

LOG: Final = logging.getLogger(__name__)
PHOTO_SIDE: Final = 2400  # pixels: finer photographs teach nothing more
PHOTO_QUALITY: Final = 92
SHOWN_SIDE: Final = 480
SHOWN_QUALITY: Final = 80
UNSTORED: Final = message("It could not be stored: is the disk full or read-only?")
GONE: Final = message("That lesson is gone.")


class TrainingJobs:
    """Keeps the promise of `LessonDesk`; safe for many threads.

    `open_school` gives what teaches, and takes one of the `turns` for each look at a photograph;
    `taught` is called after each change of the sets; `plays` names the set that Tong Tong's cards
    are read with, None without one.
    """

    def __init__(
        self,
        open_school: Callable[[], School],
        lessons: LessonStore,
        turns: PictureTurns,
        *,
        taught: Callable[[], None],
        plays: Callable[[], str | None],
    ) -> None:
        self._open_school = open_school
        self._lessons = lessons
        self._turns = turns
        self._taught = taught
        self._plays = plays
        self._changing = Lock()
        self._adding = FairLock()  # held from a photograph's number until it is noted
        self._learning: dict[str, TrainWorker] = {}

    def entries(self) -> tuple[Entry, ...]:
        """All taught sets and lessons, by name."""
        sets, plays = self._open_school().sets.names(), self._plays()
        names = sorted({*sets, *self._lessons.names()})
        return tuple(self._entry(name, plays, is_set=name in sets) for name in names)

    def _entry(self, name: str, plays: str | None, *, is_set: bool) -> Entry:
        entry = Entry(name, plays=name == plays)
        try:
            entry = replace(entry, lesson=self._lessons.read(name))
        except LessonError as error:
            entry = replace(entry, faults=(error.message,))
        if not is_set:
            return entry
        try:
            return replace(entry, standing=self._standing(name))
        except TaughtSetError as error:
            return replace(entry, faults=(*entry.faults, error.message))

    def _standing(self, name: str) -> SetStanding:
        taught = self._open_school().sets.load(name)
        score = taught.score
        return SetStanding(
            name,
            taught.likeness.faces,
            taught.trusted,
            taught.taught_at,
            None if score is None else score.right,
            None if score is None else score.pieces,
            taught.likeness.solid,
        )

    def begin(self, name: str, faces: Sequence[str], *, solid: bool = False) -> Message | None:
        """Begin a lesson, of dice if solid; gives what stands against it."""
        if not NAME.fullmatch(name):
            return message(
                "“{name}” cannot name a set: use letters, digits, blanks and hyphens, 60 at most.",
                name=name,
            )
        with self._changing:
            if name in self._lessons.names():
                return message("There is a lesson “{name}” already: go on with it.", name=name)
            return self._written(Lesson(name, tuple(faces), solid=solid))

    def lesson(self, name: str) -> Lesson | None:
        """The lesson of that name as it stands. Raises LessonError where it is damaged."""
        return self._lessons.read(name)

    def add(
        self, name: str, step: Step, faces: Sequence[str], photos: Sequence[IO[bytes]], sender: str
    ) -> tuple[Message, ...]:
        """Look at photographs of these faces at once and keep them; gives why some were not taken.

        Between two of them others have their turn.

        Raises:
            LessonError: the lesson is damaged.
        """
        told = tuple(faces)
        lesson = self._lessons.read(name)
        if lesson is None:
            return (GONE,)
        faults = []
        try:
            with self._turns.admitted(sender):
                self._drop(name, [each.number for each in lesson.faulty(step, told)])
                for photo in photos:
                    with self._adding.turn():
                        faults.append(self._added(name, step, told, photo))
        except PictureRefusedError as error:
            return (error.message,)
        return tuple(fault for fault in faults if fault is not None)

    def _added(
        self, name: str, step: Step, faces: tuple[str, ...], photo: IO[bytes]
    ) -> Message | None:
        lesson = self._lessons.read(name)
        if lesson is None:
            return GONE
        full = [face for face in faces if len(lesson.photos_of(face, step)) >= MOST_PHOTOS]
        if full:
            return message(
                "There are {most} photographs of {face} already: take one away first.",
                most=MOST_PHOTOS,
                face=full[0],
            )
        try:
            return self._kept(lesson, LessonPhoto(lesson.taken + 1, step, faces), photo)
        except PhotoError as error:
            return error.message
        except OSError:
            LOG.exception("a photograph of %s was not kept", name)
            return UNSTORED

    def _kept(self, lesson: Lesson, photo: LessonPhoto, content: IO[bytes]) -> Message | None:
        """Store a photograph, look at it, and note what was seen."""
        with self._turns.turn():
            self._store(self._lessons.photo_path(lesson.name, photo.number), content.read())
        seen = self._seen(lesson, photo)
        problem = seen.problem or self._doubt(lesson, seen.specimens)
        self._store_pieces(lesson.name, photo.number, seen.specimens)
        noted = replace(photo, pieces=len(seen.specimens), problem=problem)
        with self._changing:
            newest = self._lessons.read(lesson.name)
            return GONE if newest is None else self._written(newest.with_photo(noted))

    def _store(self, path: Path, content: bytes) -> None:
        """As JPEG no larger than is learned from, and without what the camera wrote beside it.

        Raises:
            PhotoError: it is no photograph.
            OSError: it cannot be written.
        """
        from vision.capture.photo import open_photo
        from vision.watch.pictures import encode_small

        image = open_photo(content)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(encode_small(image, PHOTO_SIDE, PHOTO_QUALITY))

    def _seen(self, lesson: Lesson, photo: LessonPhoto) -> Inspected:
        """What is in a photograph; a faulty one is looked at again beside a good one.

        The good one tells the shape of the set's pieces.
        """
        school, path = self._open_school(), partial(self._lessons.photo_path, lesson.name)
        (alone,) = school.inspect(taught_photos([photo], path), solid=lesson.solid)
        good = lesson.usable(photo.step) or lesson.usable("learn")
        if alone.problem is None or not good:
            return alone
        beside = taught_photos([good[-1], photo], path)
        return school.inspect(beside, solid=lesson.solid)[-1]

    def _store_pieces(self, name: str, number: int, specimens: Sequence[Specimen]) -> None:
        from vision.capture.photo import encode_jpeg
        from vision.learn.prototypes import thumbnail, upright
        from vision.learn.quads import Format, proportion

        for at, one in enumerate(specimens):
            size = Format.of(proportion(one.quad))
            (straight,) = upright([one], size)
            path = self._lessons.piece_path(name, number, at)
            path.write_bytes(encode_jpeg(thumbnail(straight, size)))

    def _doubt(self, lesson: Lesson, specimens: Sequence[Specimen]) -> Message | None:
        """What speaks against a photograph in which all that was told was found."""
        from vision.capture.photo import open_photo
        from vision.learn.school import doubt

        known: dict[str, list[Image]] = {}
        for photo in (*lesson.usable("learn"), *lesson.usable("test")):
            for face in dict.fromkeys(photo.faces):
                for at in photo.showing(face):
                    path = self._lessons.piece_path(lesson.name, photo.number, at)
                    if path.is_file():
                        known.setdefault(face, []).append(open_photo(path))
        return doubt(specimens, known)

    def accept(self, name: str, number: int) -> None:
        """Use a photograph that was doubted: somebody looked at it."""
        with self._changing:
            lesson = self._lessons.read(name)
            if lesson is not None:
                self._lessons.write(lesson.accepting(number))

    def drop(self, name: str, number: int) -> None:
        """Take a photograph away."""
        self._drop(name, [number])

    def _drop(self, name: str, numbers: Sequence[int]) -> None:
        with self._changing:
            lesson = self._lessons.read(name)
            if lesson is not None and numbers:
                self._lessons.write(lesson.without(numbers))
                self._lessons.drop_pictures(name, numbers)

    def photo(self, name: str, number: int) -> bytes | None:
        """A small picture of a photograph as JPEG; None when there is none."""
        path = self._lessons.photo_path(name, number)
        if not NAME.fullmatch(name) or not path.is_file():
            return None
        from vision.capture.photo import open_photo
        from vision.watch.pictures import encode_small

        return encode_small(open_photo(path), SHOWN_SIDE, SHOWN_QUALITY)

    def piece(self, name: str, number: int, at: int) -> bytes | None:
        """One of a photograph's pieces, laid flat, as JPEG; None when there is none."""
        return _content(name, self._lessons.piece_path(name, number, at))

    def face(self, name: str, at: int) -> bytes | None:
        """A taught set's face as JPEG; None when there is none."""
        return _content(name, self._open_school().folder / name / f"face-{at:02}.jpg")

    def learn(self, name: str) -> Message | None:
        """Begin to learn in the background; gives what stands against it.

        Raises:
            LessonError: the lesson is damaged.
        """
        lesson = self._lessons.read(name)
        if lesson is None:
            return GONE
        if lesson.missing("learn"):
            faces = ", ".join(lesson.missing("learn"))
            return message("There is no photograph yet of {faces}.", faces=faces)
        with self._changing:
            if any(each.running for each in self._learning.values()):
                return message("A set is being learned already: wait until it is done.")
            path = partial(self._lessons.photo_path, name)
            learning = TrainWorker(self._open_school(), lesson, path, partial(self._learned, name))
            self._learning[name] = learning
        learning.start()
        return None

    def _learned(self, name: str, report: Report) -> None:
        """Note the report in the lesson, and let the table know."""
        with self._changing:
            lesson = self._lessons.read(name)
            if lesson is not None:
                self._lessons.write(replace(lesson, report=report))
        self._taught()

    def progress(self, name: str) -> Progress | None:
        """How far learning is, or why it failed; None when nothing is learned."""
        learning = self._learning.get(name)
        if learning is None or not (learning.running or learning.progress.fault):
            return None
        return learning.progress

    def delete(self, name: str) -> Message | None:
        """Delete the set and its photographs; gives what stands against it."""
        learning = self._learning.get(name)
        if learning is not None and learning.running:
            return message("This set is being learned just now: wait until it is done.")
        try:
            with self._changing:
                self._lessons.delete(name)
                self._delete_set(name)
        except OSError:
            LOG.exception("%s was not deleted", name)
            return message("It could not be deleted: is the disk read-only?")
        self._learning.pop(name, None)
        self._taught()
        return None

    def _delete_set(self, name: str) -> None:
        sets = self._open_school().sets
        if name in sets.names():
            shutil.rmtree(sets.folder / name)

    def _written(self, lesson: Lesson) -> Message | None:
        try:
            self._lessons.write(lesson)
        except OSError:
            LOG.exception("the lesson %s was not kept", lesson.name)
            return UNSTORED
        return None


def _content(name: str, path: Path) -> bytes | None:
    return path.read_bytes() if NAME.fullmatch(name) and path.is_file() else None
