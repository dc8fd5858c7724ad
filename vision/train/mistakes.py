"""The photographs that were read worst, and in words what went wrong on each."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from vision.evaluate.scoring import JudgedPiece, PhotoScore, ScoredSource
from vision.read.observation import UNREADABLE


@dataclass(frozen=True, slots=True)
class BadPhoto:
    """A photograph that was not read exactly, with the name of its source."""

    source: str
    score: PhotoScore

    @property
    def mistakes(self) -> int:
        """How many pieces are wrong or missed, and how many were seen where none lie."""
        return self.score.pieces - self.score.right + self.score.false

    @property
    def silent(self) -> bool:
        """Whether nobody was asked to look."""
        return not self.score.needs_review

    def __str__(self) -> str:
        """Tell what went wrong: "said 3 for 5, missed 4 (2 times), false 1"."""
        told = Counter([*_misread(self.score.judged), *_false(self.score)])
        return ", ".join(
            what if times == 1 else f"{what} ({times} times)" for what, times in told.items()
        )


def worst_photos(sources: Iterable[ScoredSource], count: int) -> tuple[BadPhoto, ...]:
    """The photographs with most mistakes, at most `count`; of two alike the silent one first."""
    bad = [
        BadPhoto(source.name, photo)
        for source in sources
        for photo in source.photos
        if not photo.exact
    ]
    bad.sort(key=lambda each: (-each.mistakes, not each.silent, each.source, each.score.file))
    return tuple(bad[:count])


def _misread(pieces: Iterable[JudgedPiece]) -> list[str]:
    return [
        f"said {each.said} for {each.label}" if each.found else f"missed {each.label}"
        for each in pieces
        if not each.right
    ]


def _false(score: PhotoScore) -> list[str]:
    said = [each.said for each in score.detections if each.label is None]
    return [f"false {each if each != UNREADABLE else 'piece'}" for each in said]
