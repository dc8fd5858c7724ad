"""How well a learned set is read: on photographs held back, or on its own, one left out in turn."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from contextlib import nullcontext
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from vision.capture.frame import Image
from vision.learn.lesson import STRANGERS
from vision.learn.lesson_check import Inspected, OpenPhoto, Turn
from vision.learn.piece_reader import ReadPiece, read_pieces, read_quads
from vision.learn.prototypes import Likeness, Specimen, learn
from vision.learn.quads import Quad, overlap
from vision.learn.verdict import Verdict

ENOUGH: Final = 0.95  # of the pieces right: less is not trusted
_SAME: Final = 0.5


@dataclass(frozen=True, slots=True)
class Answer:
    """What one piece of an examination was taken for; no verdict where it was not even found."""

    path: Path
    face: str
    verdict: Verdict | None

    @property
    def is_right(self) -> bool:
        """Whether the face was told, perhaps with a doubt."""
        verdict = self.verdict
        return verdict is not None and not verdict.strange and verdict.face == self.face

    @property
    def is_silent(self) -> bool:
        """Whether it was taken for another face without any doubt."""
        verdict = self.verdict
        return verdict is not None and verdict.sure and verdict.face != self.face


@dataclass(frozen=True, slots=True)
class Examination:
    """All answers; `held_back` says that the photographs were none of those learned from."""

    answers: tuple[Answer, ...]
    held_back: bool

    @property
    def known(self) -> tuple[Answer, ...]:
        """The answers about pieces of the set."""
        return tuple(each for each in self.answers if each.face != STRANGERS)

    @property
    def strangers(self) -> tuple[Answer, ...]:
        """The answers about pieces that are of no face of the set."""
        return tuple(each for each in self.answers if each.face == STRANGERS)

    @property
    def right(self) -> int:
        """How many pieces of the set were read right, with or without a doubt."""
        return sum(each.is_right for each in self.known)

    @property
    def asked(self) -> int:
        """How many of the set's pieces were doubted, refused or not found."""
        return sum(each.verdict is None or not each.verdict.sure for each in self.known)

    @property
    def refused(self) -> int:
        """How many strangers were not taken for a face of the set without a doubt."""
        return sum(not each.is_silent for each in self.strangers)

    @property
    def silent(self) -> tuple[Answer, ...]:
        """What was taken for another face, or a stranger for a face, without any doubt."""
        return tuple(each for each in self.answers if each.is_silent)

    @property
    def confusions(self) -> Counter[tuple[str, str]]:
        """What was said for what, whatever the doubt: (shown, said), `?` for refused."""
        wrong = (each for each in self.known if not each.is_right)
        return Counter((each.face, _said(each.verdict)) for each in wrong)

    @property
    def passed(self) -> bool:
        """Whether the set may be trusted: nearly all right, and nothing wrong without a doubt."""
        known = len(self.known)
        return known > 0 and self.right >= ENOUGH * known and not self.silent


def _said(verdict: Verdict | None) -> str:
    return "?" if verdict is None or verdict.strange else verdict.face


def examine_held_back(
    likeness: Likeness,
    inspected: Iterable[Inspected],
    open_photo: OpenPhoto,
    turn: Turn = nullcontext,
) -> Examination:
    """Read photographs that were not learned from as the table will: the whole picture.

    One of them is in memory at a time; `turn` is entered for each.
    """
    answers: list[Answer] = []
    for each in inspected:
        if each.problem is None:
            with turn():
                answers += _answers(likeness, each, open_photo(each.photo.path))
    return Examination(tuple(answers), held_back=True)


def _answers(likeness: Likeness, each: Inspected, image: Image) -> Iterator[Answer]:
    read = read_pieces(image, likeness)
    for one in each.specimens:
        yield Answer(each.photo.path, one.face, _verdict_at(read, one.place))


def _verdict_at(read: Sequence[ReadPiece], place: Quad) -> Verdict | None:
    """The verdict on the piece at a place, None where none was read."""
    best = max(read, key=lambda each: overlap(each.quad, place), default=None)
    if best is None or overlap(best.quad, place) < _SAME:
        return None
    return best.verdict


def examine_by_turns(inspected: Sequence[Inspected], *, solid: bool = False) -> Examination | None:
    """Learn without one photograph of each face, and read that one; each in its turn.

    None where some face has one photograph alone: nothing would be left to learn it from.
    """
    told = [(each.photo.path, one) for each in inspected for one in each.specimens]
    folds = sorted({one.fold for _, one in told})
    answers: list[Answer] = []
    for fold in folds:
        others = [one for _, one in told if one.fold != fold]
        if {one.face for one in others} != {one.face for _, one in told}:
            return None
        likeness = learn(others, solid=solid)
        answers += (
            Answer(path, one.face, _verdict(likeness, one))
            for path, one in told
            if one.fold == fold
        )
    return Examination(tuple(answers), held_back=False)


def _verdict(likeness: Likeness, one: Specimen) -> Verdict:
    (read,) = read_quads(one.pyramid, likeness, [one.quad])
    return read.verdict


def refused_untaught(likeness: Likeness, inspected: Iterable[Inspected]) -> tuple[int, int]:
    """How many pieces are refused or doubted once their own face is forgotten, and of how many."""
    refused = [
        not _verdict(likeness.without(one.face), one).sure
        for each in inspected
        for one in each.specimens
        if len(likeness.faces) > 2  # noqa: PLR2004 -- two must remain to compare with
    ]
    return sum(refused), len(refused)
