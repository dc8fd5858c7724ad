"""All steps of teaching a set, from a folder of photographs to a kept set."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from contextlib import nullcontext
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from vision.capture.frame import Image
from vision.learn.examination import (
    Examination,
    examine_by_turns,
    examine_held_back,
    refused_untaught,
)
from vision.learn.lesson import TaughtPhoto, faces_of, lesson_in
from vision.learn.lesson_check import Inspected, OpenPhoto, Turn, inspect
from vision.learn.prototypes import Likeness, learn, thumbnail, upright
from vision.learn.taught_set import Score, TaughtSet
from vision.learn.taught_sets import TaughtSets


@dataclass(frozen=True, slots=True)
class School:
    """Where sets are taught and kept.

    `clock` gives the time in UTC; `turn` is entered for as long as a photograph is in memory.
    """

    sets: TaughtSets
    open_photo: OpenPhoto
    clock: Callable[[], datetime]
    turn: Turn = nullcontext

    @property
    def folder(self) -> Path:
        """Where the taught sets are."""
        return self.sets.folder

    def lesson_in(self, folder: Path) -> tuple[TaughtPhoto, ...]:
        """The photographs in a folder. Raises LessonError where there are none."""
        return lesson_in(folder)

    def inspect(
        self, photos: Sequence[TaughtPhoto], *, solid: bool = False
    ) -> tuple[Inspected, ...]:
        """Find the told pieces, dice if solid, or say what is wrong with a photograph."""
        return inspect(photos, self.open_photo, solid=solid, turn=self.turn)

    def photographs_a_face(self, inspected: Sequence[Inspected]) -> Counter[str]:
        """How many photographs can be used of each face that is told; 0 stands for none."""
        counts = Counter(dict.fromkeys(faces_of(tuple(each.photo for each in inspected)), 0))
        for each in inspected:
            counts.update({one.face for one in each.specimens})
        return counts

    def learn(self, inspected: Iterable[Inspected], *, solid: bool = False) -> Likeness:
        """Learn from every piece that was found. Raises ValueError for fewer than two faces."""
        return learn([one for each in inspected for one in each.specimens], solid=solid)

    def refused_untaught(
        self, inspected: Iterable[Inspected], likeness: Likeness
    ) -> tuple[int, int]:
        """Of how many pieces how many are refused or doubted once their own face is forgotten."""
        return refused_untaught(likeness, inspected)

    def examine_held_back(self, likeness: Likeness, inspected: Sequence[Inspected]) -> Examination:
        """Read photographs that were held back."""
        return examine_held_back(likeness, inspected, self.open_photo, self.turn)

    def examine_by_turns(
        self, inspected: Sequence[Inspected], *, solid: bool = False
    ) -> Examination | None:
        """Read the lesson's own photographs, one of each face left out in turn; None without."""
        return examine_by_turns(inspected, solid=solid)

    def keep(
        self,
        name: str,
        likeness: Likeness,
        inspected: Sequence[Inspected],
        examination: Examination | None,
    ) -> TaughtSet:
        """Store the set, trusted if it passed on photographs held back; gives it with its revision.

        Raises:
            TaughtSetError: the name cannot be kept.
            OSError: it cannot be written.
        """
        trusted = examination is not None and examination.held_back and examination.passed
        score = None if examination is None else score_of(examination)
        taught = TaughtSet(name, likeness, trusted, self.clock(), score)
        straight = upright([one for each in inspected for one in each.specimens], likeness.size)
        pictures: dict[str, Image] = {}
        for one in straight:
            pictures.setdefault(one.face, thumbnail(one, likeness.size))
        return self.sets.save(taught, pictures)


def score_of(examination: Examination) -> Score:
    """What an examination came to."""
    return Score(
        held_back=examination.held_back,
        pieces=len(examination.known),
        right=examination.right,
        asked=examination.asked,
        silent=len(examination.silent),
        strangers=len(examination.strangers),
        refused=examination.refused,
    )
