"""The photographs that were read worst, and in words what went wrong on each."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from vision.evaluation import JudgedDie, PhotoScore, ScoredSource
from vision.observation import UNREADABLE


@dataclass(frozen=True, slots=True)
class BadPhoto:
    """A photograph that was not read exactly, with the name of its source."""

    source: str
    score: PhotoScore

    @property
    def mistakes(self) -> int:
        """How many dice are wrong or missed, and how many were seen where none lie."""
        return self.score.pieces - self.score.right + self.score.false

    @property
    def silent(self) -> bool:
        """Whether nobody was asked to look."""
        return not self.score.needs_review

    def __str__(self) -> str:
        """Tell what went wrong: "said 3 for 5, missed 4 (2 times), false 1"."""
        told = Counter([*_misread(self.score.dice), *_false(self.score)])
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


def _misread(dice: Iterable[JudgedDie]) -> list[str]:
    return [
        f"said {die.said} for {die.value}" if die.found else f"missed {die.value}"
        for die in dice
        if not die.right
    ]


def _false(score: PhotoScore) -> list[str]:
    said = [each.said for each in score.detections if each.value is None]
    return [f"false {each if each != UNREADABLE else 'die'}" for each in said]
