"""What became of a result that a table reported."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from scoreboard.wire.bounds import Number, Words

ResultPhase = Literal["reported", "signed", "disputed", "settled"]


@dataclass(frozen=True, slots=True)
class ResultWord:
    """A result of this table as the hub has it.

    `scores` are in the notation of `GameScores` (`4 52, 7 -12`); `signed` are the entrants who
    agreed so far.
    """

    round: Number
    game: Number
    phase: ResultPhase
    scores: Words
    signed: tuple[Number, ...] = ()
