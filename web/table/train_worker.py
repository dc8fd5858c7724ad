"""Learning a lesson in the background: every step of it, told as it goes on.

As in the wiring, what is heavy is loaded where it is needed.
"""

from __future__ import annotations

import logging
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from threading import Thread
from typing import TYPE_CHECKING, Final

from scoreboard.message import Message, message
from vision.errors import LessonError, PhotoError, TaughtSetError
from vision.learn.school import TaughtPhoto
from web.table.lesson_api import (
    LEAST_TESTED,
    Confusion,
    Lesson,
    LessonPhoto,
    Progress,
    Report,
    Step,
)

if TYPE_CHECKING:
    from vision.capture.frame import Image
    from vision.learn.prototypes import Likeness
    from vision.learn.school import Examination, Inspected, School
    from vision.learn.taught_sets import TaughtSet

LOG: Final = logging.getLogger(__name__)

LOOKING: Final = message("Looking at the photographs")
STUDYING: Final = message("Learning what tells the faces apart")
TRYING: Final = message("Trying it on the photographs from another place")
TRYING_OWN: Final = message("Trying it on its own photographs, one left out in turn")
FAILED: Final = message("Something went wrong while learning; the log says what. Try it again.")

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
