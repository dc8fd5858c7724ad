"""Teaching sets on the page: lessons on disk, photographs checked, sets learned and kept."""

from __future__ import annotations

import logging
import shutil
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, replace
from functools import partial
from itertools import count
from pathlib import Path
from threading import Lock, Thread
from typing import IO, Any, Final

from scoreboard.message import Message, message
from vision.capture.frame import Frame, Image
from vision.capture.photo import encode_jpeg, encode_small, open_photo, open_to_read
from vision.errors import LessonError, PhotoError, TaughtSetError
from vision.evaluate.annotation import draw_observation, draw_outlines
from vision.learn.playing_sets import reader_of, taught_deck, taught_tiles
from vision.learn.prototypes import Specimen, thumbnail, upright
from vision.learn.quads import Format, proportion
from vision.learn.school import Examination, Inspected, School, TaughtPhoto, doubt, worst
from vision.learn.taught_sets import NAME, TaughtSet, name_fault
from vision.read.observation import read_photo
from web.table.camera.uploads import FairLock, PictureRefusedError, PictureTurns
from web.table.sets.lessons import (
    LEAST_TESTED,
    MOST_PHOTOS,
    Confusion,
    Entry,
    Lesson,
    LessonPhoto,
    LessonStore,
    Progress,
    Report,
    Step,
    Trial,
)

LOOKING: Final = message("Looking at the photographs")
STUDYING: Final = message("Learning what tells the faces apart")
TRYING: Final = message("Testing it on the photographs from another place")
TRYING_OWN: Final = message("Testing it on its own photographs, one left out at a time")
FAILED: Final = message("Something went wrong while learning; see the log. Try again.")

PHOTO_SIDE: Final = 2400  # pixels: finer photographs teach nothing more
PHOTO_QUALITY: Final = 92
SHOWN_SIDE: Final = 480
SHOWN_QUALITY: Final = 80
TRIAL_SIDE: Final = 1280
UNSTORED: Final = message("It could not be stored: is the disk full or read-only?")
GONE: Final = message("That lesson is gone.")
LOG: Final = logging.getLogger(__name__)


def taught_photos(
    photos: Sequence[LessonPhoto], path: Callable[[int], Path]
) -> tuple[TaughtPhoto, ...]:
    """The photographs as the school takes them, those of the same faces numbered."""
    sheets = defaultdict[tuple[str, ...], Iterator[int]](count)
    return tuple(
        TaughtPhoto(path(each.number), each.faces, next(sheets[each.faces])) for each in photos
    )


def report_of(
    taught: TaughtSet, examination: Examination | None, unknown: tuple[int, int]
) -> Report:
    """The page's report of a set: its test, and how many of the `unknown` pieces were refused."""
    figures: dict[str, Any] = {}
    if examination is not None:
        confused = sorted(examination.confusions.items())
        figures = {
            **asdict(examination.score),
            "tested": len({each.face for each in examination.known}),
            "confusions": tuple(Confusion(*faces, times) for faces, times in confused),
        }
    figures |= {"unknown_refused": unknown[0], "unknown": unknown[1]}
    return Report(taught.trusted, faces=len(taught.likeness.faces), **figures)


class TrainingJobs:
    """The lessons and taught sets behind the page; safe for many threads.

    `open_school` gives what teaches, and takes one of the `turns` to open each photograph;
    `taught` is called after each change of the sets. What is refused is returned as a message.
    """

    def __init__(
        self,
        open_school: Callable[[], School],
        lessons: LessonStore,
        turns: PictureTurns,
        *,
        taught: Callable[[], None],
    ) -> None:
        self._open_school = open_school
        self._lessons = lessons
        self._turns = turns
        self._taught = taught
        self._changing = Lock()
        self._adding = FairLock()  # held from a photograph's number until it is noted
        self._learning: dict[str, Progress] = {}
        self._trials: dict[str, Trial] = {}

    def entries(self) -> tuple[Entry, ...]:
        """Every taught set and every lesson by name, and which a game is read with."""
        sets = self._open_school().sets
        plays = {each.name for each in (taught_deck(sets), taught_tiles(sets)) if each is not None}
        taught, listed = sets.names(), []
        for name in sorted({*taught, *self._lessons.names()}):
            entry = Entry(name, plays=name in plays)
            try:
                entry = replace(entry, lesson=self._lessons.read(name))
            except LessonError as error:
                entry = replace(entry, faults=(error.message,))
            try:
                entry = replace(entry, taught=sets.load(name) if name in taught else None)
            except TaughtSetError as error:
                entry = replace(entry, faults=(*entry.faults, error.message))
            listed.append(entry)
        return tuple(listed)

    def begin(self, name: str, faces: Sequence[str], *, solid: bool = False) -> Message | None:
        """Begin a lesson, of dice if solid."""
        if (fault := name_fault(name)) is not None:
            return fault
        with self._changing:
            if name in self._lessons.names():
                return message("There is already a lesson “{name}”: continue with it.", name=name)
            try:
                self._lessons.write(Lesson(name, tuple(faces), solid=solid))
            except OSError:
                LOG.exception("the lesson %s was not kept", name)
                return UNSTORED
        return None

    def lesson(self, name: str) -> Lesson | None:
        """The current lesson of that name. Raises LessonError if it is damaged."""
        return self._lessons.read(name)

    def add(
        self, name: str, step: Step, faces: Sequence[str], photos: Sequence[IO[bytes]], sender: str
    ) -> tuple[Message, ...]:
        """Check photographs of these faces at once and store them; the reasons for refused ones.

        Others have their turn between two of them. Raises LessonError.
        """
        lesson = self._lessons.read(name)
        if lesson is None:
            return (GONE,)
        faults = []
        try:
            with self._turns.admitted(sender):
                self.drop(name, *(each.number for each in lesson.faulty(step, faces)))
                for photo in photos:
                    with self._adding.turn():
                        faults.append(self._added(name, step, tuple(faces), photo))
                mended = (self._lessons.read(name) or lesson).mended
                self.drop(name, *(each for each in mended if each <= lesson.taken))
        except PictureRefusedError as error:
            return (error.message,)
        return tuple(fault for fault in faults if fault is not None)

    def _added(
        self, name: str, step: Step, faces: tuple[str, ...], photo: IO[bytes]
    ) -> Message | None:
        lesson = self._lessons.read(name)
        if lesson is None:
            return GONE
        # of what is learned from a sixth replaces the worst; a test must not lose its hardest
        kept = faces if step == "test" else ()
        full = [face for face in kept if len(lesson.photos_of(face, step)) >= MOST_PHOTOS]
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
        """Store a photograph and its pieces, and note the findings. Raises PhotoError, OSError."""
        path_of = partial(self._lessons.photo_path, lesson.name)
        with self._turns.turn():  # re-encoded: no larger than is learned from, without metadata
            jpeg = encode_small(open_photo(content.read()), PHOTO_SIDE, PHOTO_QUALITY)
        for same in (*lesson.usable("learn"), *lesson.usable("test")):
            if _content(lesson.name, path_of(same.number)) == jpeg:
                return message(
                    "This photograph is there already, of {faces}: remove it first, or send "
                    "another.",
                    faces=" ".join(same.faces),
                )
        path = path_of(photo.number)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(jpeg)
        seen = self._seen(lesson, photo)
        problem = seen.problem or self._doubt(lesson, seen.specimens)
        for at, one in enumerate(seen.specimens):
            size = Format.of(proportion(one.quad))
            (straight,) = upright([one], size)
            path = self._lessons.piece_path(lesson.name, photo.number, at)
            path.write_bytes(encode_jpeg(thumbnail(straight, size)))
        if problem is not None and seen.outlines:
            with self._turns.turn():
                image = open_photo(self._lessons.photo_path(lesson.name, photo.number))
                drawn = encode_small(draw_outlines(image, seen.outlines), SHOWN_SIDE, SHOWN_QUALITY)
            self._lessons.outlined_path(lesson.name, photo.number).write_bytes(drawn)
        is_tried = lesson.is_tiles and seen.problem is None
        untaught = self._open_school().read_untaught(seen) if is_tried else None
        noted = replace(photo, pieces=len(seen.specimens), problem=problem, untaught=untaught)
        name, at = lesson.name, photo.number
        kept = self._change(name, lambda now: self._without_worst(now.with_photo(noted), at))
        return None if kept else GONE

    def _change(self, name: str, change: Callable[[Lesson], Lesson]) -> bool:
        """Store the lesson as it is changed now; False where it is gone. Raises OSError."""
        with self._changing:
            lesson = self._lessons.read(name)
            if lesson is not None:
                self._lessons.write(change(lesson))
        return lesson is not None

    def _without_worst(self, lesson: Lesson, fresh: int) -> Lesson:
        """The lesson with no more examples of the fresh photograph's faces than are learned from.

        Of a face with one more, the example that looks least like the others is dropped.
        """
        added = [each for each in lesson.photos if (each.number, each.step) == (fresh, "learn")]
        for face in dict.fromkeys(face for each in added for face in each.faces):
            photos = lesson.photos_of(face, "learn")
            shown = [(photo.number, at) for photo in photos for at in photo.showing(face)]
            if len(photos) > MOST_PHOTOS:
                paths = [self._lessons.piece_path(lesson.name, *each) for each in shown]
                lesson = lesson.dropping(*shown[worst([open_photo(path) for path in paths])])
        return lesson

    def _seen(self, lesson: Lesson, photo: LessonPhoto) -> Inspected:
        """The content of a photograph; a faulty one is checked again together with a good one.

        The good one gives the shape of the set's pieces.
        """
        school, path = self._open_school(), partial(self._lessons.photo_path, lesson.name)
        inspect = partial(school.inspect, solid=lesson.solid, tiles=lesson.is_tiles)
        (alone,) = inspect(taught_photos([photo], path))
        good = lesson.usable(photo.step) or lesson.usable("learn")
        if alone.problem is None or not good:
            return alone
        together = taught_photos([good[-1], photo], path)
        return inspect(together)[-1]

    def _doubt(self, lesson: Lesson, specimens: Sequence[Specimen]) -> Message | None:
        known: dict[str, list[Image]] = {}
        for photo in (*lesson.usable("learn"), *lesson.usable("test")):
            for face in dict.fromkeys(photo.faces):
                for at in photo.showing(face):
                    path = self._lessons.piece_path(lesson.name, photo.number, at)
                    if path.is_file():
                        known.setdefault(face, []).append(open_photo(path))
        return doubt(specimens, known)

    def accept(self, name: str, number: int) -> None:
        """Use a photograph that was doubted: a person looked at it."""
        self._change(name, lambda now: self._without_worst(now.accepting(number), number))

    def drop(self, name: str, *numbers: int) -> None:
        with self._changing:
            lesson = self._lessons.read(name)
            if lesson is not None and numbers:
                self._lessons.write(lesson.without(numbers))
                self._lessons.drop_pictures(name, numbers)

    def photo(self, name: str, number: int) -> bytes | None:
        """A small picture of a photograph as JPEG, or None.

        On an unusable one the finds are outlined.
        """
        if outlined := _content(name, self._lessons.outlined_path(name, number)):
            return outlined
        whole = _content(name, self._lessons.photo_path(name, number))
        return whole and encode_small(open_photo(whole), SHOWN_SIDE, SHOWN_QUALITY)

    def piece(self, name: str, number: int, at: int) -> bytes | None:
        """One of a photograph's pieces, laid flat, as JPEG; None when there is none."""
        return _content(name, self._lessons.piece_path(name, number, at))

    def face(self, name: str, at: int) -> bytes | None:
        """A taught set's face as JPEG; None when there is none."""
        return _content(name, self._open_school().sets.folder / name / f"face-{at:02}.jpg")

    def learn(self, name: str) -> Message | None:
        """Begin to learn in the background. Raises LessonError."""
        lesson = self._lessons.read(name)
        if lesson is None:
            return GONE
        if lesson.missing("learn"):
            faces = ", ".join(lesson.missing("learn"))
            return message("There is no photograph yet of {faces}.", faces=faces)
        with self._changing:
            if any(each.running for each in self._learning.values()):
                return message("Another set is being learned: wait until it’s done.")
            # the photographs of the test are opened twice
            opened = len(lesson.usable("learn")) + 2 * len(lesson.usable("test"))
            self._learning[name] = Progress(LOOKING, 0, max(1, opened), running=True)
        Thread(target=self._learn, args=(lesson,), name="learning", daemon=True).start()
        return None

    def _learn(self, lesson: Lesson) -> None:
        name, fault = lesson.name, None
        try:
            report = self._study(lesson)
            self._change(name, lambda newest: replace(newest, report=report))
            self._taught()
        except (LessonError, PhotoError, TaughtSetError) as error:
            LOG.warning("%s was not learned: %s", name, error)
            fault = error.message
        except OSError:
            LOG.exception("%s was not kept", name)
            fault = message("The set could not be stored: is the disk full or read-only?")
        except Exception:  # the thread's edge: without it the page would wait for ever
            LOG.exception("%s was not learned", name)
            fault = FAILED
        self._note(name, fault=fault, running=False)

    def _study(self, lesson: Lesson) -> Report:
        """Learn, examine and keep the set; `progress` tells how far it is."""
        name, school = lesson.name, self._open_school()
        open_one = school.open_photo

        def counted(path: Path) -> Image:
            now = self._learning[name]
            self._note(name, done=min(now.done + 1, now.of))
            return open_one(path)

        school = replace(school, open_photo=counted)
        inspected = self._inspected(school, lesson, "learn")
        counts = school.photographs_a_face(inspected)
        if without := [face for face in lesson.faces if not counts[face]]:
            faces = ", ".join(without)
            raise LessonError(message("There is no photograph yet of {faces}.", faces=faces))
        self._note(name, stage=STUDYING)
        learned = school.learn(name, inspected, solid=lesson.solid)
        unknown = school.refused_untaught(inspected, learned.likeness)
        examination: Examination | None
        if lesson.usable("test"):
            self._note(name, stage=TRYING)
            tested = self._inspected(school, lesson, "test")
            examination = school.examine_held_back(learned, tested)
        else:
            self._note(name, stage=TRYING_OWN)
            examination = school.examine_by_turns(inspected, solid=lesson.solid)
        # only a test on other photographs, of at least half the faces, makes a set trusted
        is_proof = (
            examination is not None
            and examination.held_back
            and len({each.face for each in examination.known}) >= LEAST_TESTED * len(lesson.faces)
        )
        taught = school.keep(learned, examination if is_proof else None)
        return report_of(taught, examination, unknown)

    def _inspected(self, school: School, lesson: Lesson, step: Step) -> tuple[Inspected, ...]:
        """A step's photographs, without the pieces that are no longer learned from."""
        used = lesson.usable(step)
        photos = taught_photos(used, partial(self._lessons.photo_path, lesson.name))
        inspected = school.inspect(photos, solid=lesson.solid, tiles=lesson.is_tiles)
        kept = (
            tuple(one for at, one in enumerate(each.specimens) if at not in photo.dropped)
            for photo, each in zip(used, inspected, strict=True)
        )
        return tuple(
            replace(each, specimens=own) for each, own in zip(inspected, kept, strict=True)
        )

    def _note(self, name: str, **changed: Any) -> None:
        self._learning[name] = replace(self._learning[name], **changed)

    def progress(self, name: str) -> Progress | None:
        """The progress of learning, or the reason it failed; None when nothing is learned."""
        now = self._learning.get(name)
        return now if now is not None and (now.running or now.fault) else None

    def try_out(self, name: str, picture: IO[bytes], sender: str) -> Message | None:
        """Read a picture with the set as it was learned last; `trial` is the result."""
        school = self._open_school()
        try:
            read = reader_of(school.sets.load(name))
            with self._turns.admitted(sender), self._turns.turn():
                image, _ = open_to_read(picture.read())
                seen = read_photo(read, Frame(0, school.clock(), image))
                drawn = encode_small(draw_observation(image, seen), TRIAL_SIDE, SHOWN_QUALITY)
            self._lessons.trial_path(name).write_bytes(drawn)
        except (PictureRefusedError, PhotoError, TaughtSetError) as error:
            return error.message
        except OSError:
            LOG.exception("a trial of %s was not kept", name)
            return UNSTORED
        self._trials[name] = Trial(seen.labels, seen.doubts)
        return None

    def trial(self, name: str) -> Trial | None:
        """The set's reading of the last picture that it was tried on; None before."""
        return self._trials.get(name)

    def trial_picture(self, name: str) -> bytes | None:
        """That picture as JPEG, with its reading drawn on it; None before."""
        return _content(name, self._lessons.trial_path(name))

    def play(self, name: str, *, wanted: bool) -> Message | None:
        """Read tiles with that set from now on, or else with the model."""
        try:
            self._open_school().sets.choose_tiles(name if wanted else "")
        except OSError:
            LOG.exception("the choice of %s was not kept", name)
            return UNSTORED
        self._taught()
        return None

    def delete(self, name: str) -> Message | None:
        """Delete the set and its photographs."""
        learning = self._learning.get(name)
        if learning is not None and learning.running:
            return message("This set is being learned: wait until it’s done.")
        try:
            with self._changing:
                self._lessons.delete(name)
                sets = self._open_school().sets
                if name in sets.names():
                    shutil.rmtree(sets.folder / name)
        except OSError:
            LOG.exception("%s was not deleted", name)
            return message("It could not be deleted: is the disk read-only?")
        self._learning.pop(name, None)
        self._trials.pop(name, None)
        self._taught()
        return None


def _content(name: str, path: Path) -> bytes | None:
    return path.read_bytes() if NAME.fullmatch(name) and path.is_file() else None
