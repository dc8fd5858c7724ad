"""A named set that was learned, and how far it may be trusted."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from vision.learn.prototypes import Likeness


@dataclass(frozen=True, slots=True)
class Score:
    """What an examination came to: counts of pieces; `held_back` as in Examination."""

    held_back: bool
    pieces: int
    right: int
    asked: int
    silent: int
    strangers: int
    refused: int


@dataclass(frozen=True, slots=True, eq=False)
class TaughtSet:
    """A set that was taught.

    `revision` counts how often the name was taught; `taught_at` is aware UTC; a set that is not
    `trusted` is read with a doubt always. `score` is its examination's, None without one.
    """

    name: str
    likeness: Likeness
    trusted: bool
    taught_at: datetime
    score: Score | None = None
    revision: int = 1
