"""What became of a result that a table reported."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from scoreboard.errors import NotationError
from scoreboard.tournament.model.table_result import GameScores
from scoreboard.tournament.protocol.bounds import Number, Words
from scoreboard.tournament.protocol.documents import WireError

ResultPhase = Literal["reported", "signed", "disputed", "settled"]


@dataclass(frozen=True, slots=True)
class ResultUpdate:
    """A result of this table as the hub has it.

    `scores` are in the notation of `GameScores` (`4 52, 7 -12`); `signed` are the entrants who
    agreed so far.

    Raises:
        WireError: `scores` are none.
    """

    round: Number
    game: Number
    phase: ResultPhase
    scores: Words
    signed: tuple[Number, ...] = ()

    def __post_init__(self) -> None:
        _ = self.game_scores  # refused where they are none

    @property
    def game_scores(self) -> GameScores:
        """The scores as values."""
        try:
            return GameScores.parse(self.scores)
        except NotationError as error:
            raise WireError(error.message) from error
