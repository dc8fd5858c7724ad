"""Where sets are taught on the page: lessons on disk, photographs looked at, sets kept.

As in the wiring, what is heavy is loaded where it is needed.
"""

from __future__ import annotations

import logging
import shutil
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from threading import Lock, Thread
from typing import IO, TYPE_CHECKING, Final

from scoreboard.message import Message, message
from vision.errors import LessonError, PhotoError, TaughtSetError
from vision.learn.school import TaughtPhoto
from web.table.lessons import (
    LEAST_TESTED,
    MOST_PHOTOS,
    NAME,
    Confusion,
    Entry,
    Lesson,
    LessonPhoto,
    LessonStore,
    Progress,
    Report,
    SetStanding,
    Step,
)
from web.table.uploads import FairLock, PictureRefusedError, PictureTurns

if TYPE_CHECKING:
    from vision.capture.frame import Image
    from vision.learn.prototypes import Likeness, Specimen
    from vision.learn.school import Examination, Inspected, School
    from vision.learn.taught_sets import TaughtSet


LOOKING: Final = message("Looking at the photographs")
STUDYING: Final = message("Learning what tells the faces apart")
TRYING: Final = message("Testing it on the photographs from another place")
TRYING_OWN: Final = message("Testing it on its own photographs, one left out at a time")
FAILED: Final = message("Something went wrong while learning; see the log. Try again.")

PhotoPath = Callable[[int], Path]


def taught_photos(
    photos: Sequence[LessonPhoto], path: Callable[[int], Path]
) -> tuple[TaughtPhoto, ...]:
    """The photographs as the school takes them, those of the same faces counted."""
    seen: Counter[tuple[str, ...]] = Counter()
    told = []
    for each in photos:
        told.append(TaughtPhoto(path(each.number), each.faces, seen[each.faces]))
        seen[each.faces] += 1
    return tuple(told)


@dataclass(frozen=True, slots=True, eq=False)
class LearnedLesson:
    """What was learned of a lesson, and what its test said."""

    inspected: tuple[Inspected, ...]
    likeness: Likeness
    unknown: tuple[int, int]
    examination: Examination | None


class TrainWorker:
    """One lesson being learned by a thread of its own.

    `learned` is called with the report once the set is kept.
    """

    def __init__(
        self,
        school: School,
        lesson: Lesson,
        photo_path: PhotoPath,
        learned: Callable[[Report], None],
    ) -> None:
        self._school = replace(school, open_photo=self._counted(school.open_photo))
        self._lesson = lesson
        self._photo_path = photo_path
        self._learned = learned
        self._progress = Progress(LOOKING, 0, max(1, self._looks()))
        self._thread = Thread(target=self._run, name="learning", daemon=True)
        self.running = True

    @property
    def progress(self) -> Progress:
        """How far it is."""
        return self._progress

    def start(self) -> None:
        """Begin; call it once."""
        self._thread.start()

    def _run(self) -> None:
        fault = self._fault()
        if fault is not None:
            self._progress = replace(self._progress, fault=fault)
        self.running = False

    def _fault(self) -> Message | None:
        """Learn; gives what stopped it."""
        try:
            self._study()
        except (LessonError, PhotoError, TaughtSetError) as error:
            LOG.warning("%s was not learned: %s", self._lesson.name, error)
            return error.message
        except OSError:
            LOG.exception("%s was not kept", self._lesson.name)
            return message("The set could not be stored: is the disk full or read-only?")
        except Exception:  # the thread's edge: without it the page would wait for ever
            LOG.exception("%s was not learned", self._lesson.name)
            return FAILED
        return None

    def _study(self) -> None:
        inspected = self._inspected("learn")
        self._require_every_face(inspected)
        self._stage(STUDYING)
        likeness = self._school.learn(inspected, solid=self._lesson.solid)
        unknown = self._school.refused_untaught(inspected, likeness)
        examination = self._examination(inspected, likeness)
        studied = LearnedLesson(inspected, likeness, unknown, examination)
        taught = self._kept(studied)
        self._learned(report_of(studied, taught))

    def _inspected(self, step: Step) -> tuple[Inspected, ...]:
        photos = taught_photos(self._lesson.usable(step), self._photo_path)
        return self._school.inspect(photos, solid=self._lesson.solid)

    def _require_every_face(self, inspected: Sequence[Inspected]) -> None:
        counts = self._school.photographs_a_face(inspected)
        without = [face for face in self._lesson.faces if not counts[face]]
        if without:
            raise LessonError(
                message("There is no photograph yet of {faces}.", faces=", ".join(without))
            )

    def _examination(
        self, inspected: Sequence[Inspected], likeness: Likeness
    ) -> Examination | None:
        if not self._lesson.usable("test"):
            self._stage(TRYING_OWN)
            return self._school.examine_by_turns(inspected, solid=self._lesson.solid)
        self._stage(TRYING)
        return self._school.examine_held_back(likeness, self._inspected("test"))

    def _kept(self, studied: LearnedLesson) -> TaughtSet:
        """Keep the set; a test that says too little leaves it untrusted."""
        counts = counts_for_trust(studied.examination, len(self._lesson.faces))
        examination = studied.examination if counts else None
        return self._school.keep(
            self._lesson.name, studied.likeness, studied.inspected, examination
        )

    def _looks(self) -> int:
        """How many photographs will be opened: those of the test are read once more."""
        return len(self._lesson.usable("learn")) + 2 * len(self._lesson.usable("test"))

    def _stage(self, stage: Message) -> None:
        self._progress = replace(self._progress, stage=stage)

    def _counted(self, open_photo: Callable[[Path], Image]) -> Callable[[Path], Image]:
        """Opens photographs, and counts them; a second look at one is not counted beyond all."""

        def opened(path: Path) -> Image:
            progress = self._progress
            self._progress = replace(progress, done=min(progress.done + 1, progress.of))
            return open_photo(path)

        return opened


def counts_for_trust(examination: Examination | None, faces: int) -> bool:
    """Whether a test may make a set trusted: on other photographs, of at least half its faces."""
    if examination is None or not examination.held_back:
        return False
    return len({each.face for each in examination.known}) >= LEAST_TESTED * faces


def report_of(studied: LearnedLesson, taught: TaughtSet) -> Report:
    """What the page tells of a set that was learned."""
    examination, (refused, of) = studied.examination, studied.unknown
    faces = len(taught.likeness.faces)
    if examination is None:
        return Report(taught.trusted, False, faces, 0, 0, 0, 0, 0, 0, 0, of, refused)  # noqa: FBT003
    known, strangers = examination.known, examination.strangers
    return Report(
        trusted=taught.trusted,
        held_back=examination.held_back,
        faces=faces,
        tested=len({each.face for each in known}),
        pieces=len(known),
        right=examination.right,
        asked=examination.asked,
        silent=len(examination.silent),
        strangers=len(strangers),
        refused=examination.refused,
        unknown=of,
        unknown_refused=refused,
        confusions=tuple(
            Confusion(shown, said, count)
            for (shown, said), count in sorted(examination.confusions.items())
        ),
    )


# ruff: noqa: PLC0415 -- see above


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
                return message("There is already a lesson “{name}”: continue with it.", name=name)
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
                "There are already {most} photographs of {face}: remove one first.",
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
        return _content(name, self._open_school().sets.folder / name / f"face-{at:02}.jpg")

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
                return message("Another set is being learned: wait until it’s done.")
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
            return message("This set is being learned: wait until it’s done.")
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
