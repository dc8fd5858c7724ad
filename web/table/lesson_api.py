"""Teaching a set as the page meets it: lessons, what came of them, and who keeps them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import IO, Final, Literal, Protocol

from scoreboard.message import Message
from vision.learn.school import STRANGERS

Step = Literal["learn", "test"]  # photographs to learn from, and those held back for the test

MOST_PHOTOS: Final = 5  # of a face, and in one form
MOST_TOGETHER: Final = 12  # faces on one photograph: more, and each is too small to learn from
LEAST_TESTED: Final = 0.5  # of the faces: a test of fewer says too little to trust a set


@dataclass(frozen=True, slots=True)
class LessonPhoto:
    """One photograph of a lesson.

    `faces` are told in reading order; `pieces` is how many of them were found, `problem` why the
    photograph cannot be used. Numbers are never given twice.
    """

    number: int
    step: Step
    faces: tuple[str, ...]
    pieces: int = 0
    problem: Message | None = None

    @property
    def is_doubted(self) -> bool:
        """Whether all that was told was found, and yet something speaks against it."""
        return self.problem is not None and self.pieces > 0

    def showing(self, face: str) -> Iterator[int]:
        """The indices of its pieces that are of that face."""
        for at in range(self.pieces):
            if self.faces[min(at, len(self.faces) - 1)] == face:
                yield at


@dataclass(frozen=True, slots=True)
class Confusion:
    """How often the face `shown` was taken for another one; `said` is "?" where it was refused."""

    shown: str
    said: str
    count: int


@dataclass(frozen=True, slots=True)
class Report:
    """What came of learning a set; counts of pieces.

    `held_back` says that the test's photographs were none of those learned from; `tested` are the
    faces on them. `right` are read right of all `pieces`, `asked` doubted, refused or not found,
    `silent` wrong without a doubt. Of the `strangers` on the photographs `refused` were doubted or
    refused, as were `unknown_refused` of the `unknown` pieces whose own face was forgotten.
    """

    trusted: bool
    held_back: bool
    faces: int
    tested: int
    pieces: int
    right: int
    asked: int
    silent: int
    strangers: int
    refused: int
    unknown: int
    unknown_refused: int
    confusions: tuple[Confusion, ...] = ()

    @property
    def tests_enough(self) -> bool:
        """Whether enough of the faces were tested for the set to be trusted."""
        return self.tested >= LEAST_TESTED * self.faces


@dataclass(frozen=True, slots=True)
class Lesson:
    """A set that is being taught: its faces in order, its photographs, and the last report.

    `taken` counts all photographs that were ever taken, those taken away included. `solid` says
    that the pieces are dice.
    """

    name: str
    faces: tuple[str, ...]
    photos: tuple[LessonPhoto, ...] = ()
    taken: int = 0
    report: Report | None = None
    solid: bool = False

    def usable(self, step: Step) -> tuple[LessonPhoto, ...]:
        """The photographs of a step in which all that was told was found."""
        return tuple(each for each in self.photos if each.step == step and each.problem is None)

    def faulty(self, step: Step, faces: Sequence[str]) -> tuple[LessonPhoto, ...]:
        """Those told to show just these faces that cannot be used."""
        return tuple(
            each
            for each in self.photos
            if each.step == step and each.problem is not None and each.faces == tuple(faces)
        )

    def faulty_groups(self, step: Step) -> tuple[LessonPhoto, ...]:
        """The photographs of several faces that cannot be used."""
        return tuple(
            each
            for each in self.photos
            if each.step == step and each.problem is not None and len(each.faces) > 1
        )

    def photos_of(self, face: str, step: Step) -> tuple[LessonPhoto, ...]:
        """The photographs that show a face."""
        return tuple(each for each in self.usable(step) if face in each.faces)

    def missing(self, step: Step) -> tuple[str, ...]:
        """The faces that no photograph shows yet."""
        shown = {face for each in self.usable(step) for face in each.faces}
        return tuple(face for face in self.faces if face not in shown)

    def next_together(self, step: Step, most: int) -> tuple[str, ...]:
        """So many of the faces that have fewest photographs; none where all have enough."""
        counts = {face: len(self.photos_of(face, step)) for face in self.faces}
        least = min(counts.values(), default=MOST_PHOTOS)
        if least >= MOST_PHOTOS:
            return ()
        return tuple(face for face, count in counts.items() if count == least)[:most]

    def with_photo(self, photo: LessonPhoto) -> Lesson:
        """With one photograph more."""
        taken = max(self.taken, photo.number)
        return replace(self, photos=(*self.photos, photo), taken=taken)

    def without(self, numbers: Sequence[int]) -> Lesson:
        """Without the photographs of these numbers."""
        kept = tuple(each for each in self.photos if each.number not in numbers)
        return replace(self, photos=kept)

    def accepting(self, number: int) -> Lesson:
        """With the photograph of that number used whatever was doubted about it."""
        photos = (
            replace(each, problem=None) if each.number == number and each.is_doubted else each
            for each in self.photos
        )
        return replace(self, photos=tuple(photos))

    def knows(self, faces: Sequence[str], step: Step) -> bool:
        """Whether a photograph may be told to show these: strangers only in the test, alone."""
        if tuple(faces) == (STRANGERS,):
            return step == "test"
        return bool(faces) and set(faces) <= set(self.faces)


@dataclass(frozen=True, slots=True)
class SetStanding:
    """A taught set as the page lists it; `right` of `pieces` in its test, None without one.

    `solid` says that the pieces are dice.
    """

    name: str
    faces: tuple[str, ...]
    trusted: bool
    taught_at: datetime
    right: int | None = None
    pieces: int | None = None
    solid: bool = False


@dataclass(frozen=True, slots=True)
class Entry:
    """One name on the list: the set taught under it, its lesson, or what is wrong with them.

    `plays` says that Tong Tong's cards are read with it.
    """

    name: str
    standing: SetStanding | None = None
    lesson: Lesson | None = None
    faults: tuple[Message, ...] = ()
    plays: bool = False


@dataclass(frozen=True, slots=True)
class Progress:
    """How far learning is: `done` of `of` steps; `fault` says why it ended without a set."""

    stage: Message
    done: int
    of: int
    fault: Message | None = None


class LessonApi(Protocol):
    """What the page of teaching can do; every member may be called from any thread."""

    def entries(self) -> tuple[Entry, ...]:
        """All taught sets and lessons, by name."""
        ...

    def begin(self, name: str, faces: Sequence[str], *, solid: bool) -> Message | None:
        """Begin a lesson, of dice if solid; gives what stands against it."""
        ...

    def lesson(self, name: str) -> Lesson | None:
        """The lesson of that name as it stands.

        Raises:
            LessonError: it is damaged.
        """
        ...

    def add(
        self, name: str, step: Step, faces: Sequence[str], photos: Sequence[IO[bytes]], sender: str
    ) -> tuple[Message, ...]:
        """Look at photographs of these faces at once and keep them; gives why some were not taken.

        Each is read only when it is the turn of the `sender`, an address. Earlier ones of the same
        faces that cannot be used are replaced. What is wrong with a picture that was taken stands
        in the lesson.
        """
        ...

    def accept(self, name: str, number: int) -> None:
        """Use a photograph that was doubted."""
        ...

    def drop(self, name: str, number: int) -> None:
        """Take a photograph away."""
        ...

    def photo(self, name: str, number: int) -> bytes | None:
        """A small picture of a photograph as JPEG; None when there is none."""
        ...

    def piece(self, name: str, number: int, at: int) -> bytes | None:
        """One of a photograph's pieces, laid flat, as JPEG; None when there is none."""
        ...

    def face(self, name: str, at: int) -> bytes | None:
        """A taught set's face as JPEG; None when there is none."""
        ...

    def learn(self, name: str) -> Message | None:
        """Begin to learn in the background; gives what stands against it."""
        ...

    def progress(self, name: str) -> Progress | None:
        """How far learning is, or why it failed; None when nothing is learned."""
        ...

    def delete(self, name: str) -> Message | None:
        """Delete the set and its photographs; gives what stands against it."""
        ...
