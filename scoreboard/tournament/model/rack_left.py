"""What is left on the racks of Rummikub at the end of a game, reckoned by a format's penalties."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from scoreboard.errors import NotationError
from scoreboard.games.rummikub.state import after_rummikub, after_stalemate
from scoreboard.message import message
from scoreboard.tournament.model.table_result import GameScores, Score
from scoreboard.tournament.model.tournament_format import TournamentFormat

_RACK: Final = re.compile(r"([1-9][0-9]{0,5}) ([0-9]{1,4})((?: J){0,4})( unmelded)?")


@dataclass(frozen=True, slots=True)
class RackLeft:
    """An entrant's rack: its numbers added, its jokers, and whether a first meld was made.

    Notation `7 23 J unmelded`: entrant, sum of the numbers, a J for each joker.
    """

    entrant: int
    numbers: int
    jokers: int = 0
    melded: bool = True

    @classmethod
    def parse(cls, text: str) -> RackLeft:
        """Read the notation.

        Raises:
            NotationError: the text is no rack.
        """
        found = _RACK.fullmatch(text.strip())
        if found is None:
            raise NotationError(
                message("“{text}” is no rack: write it as 7 23 J, or 7 23 unmelded.", text=text)
            )
        return cls(int(found[1]), int(found[2]), found[3].count("J"), found[4] is None)

    def __str__(self) -> str:
        unmelded = "" if self.melded else " unmelded"
        return f"{self.entrant} {self.numbers}{' J' * self.jokers}{unmelded}"

    @property
    def is_empty(self) -> bool:
        """Whether nothing is left."""
        return not self.numbers and not self.jokers

    def cost(self, form: TournamentFormat) -> int:
        """What the rack costs by the format's penalties for jokers and a missing first meld."""
        jokers = self.jokers * form.joker_penalty
        return self.numbers + jokers + (0 if self.melded else form.unmelded_penalty)


def scores_from_racks(
    form: TournamentFormat, racks: Sequence[RackLeft], to_play: int = 0
) -> GameScores:
    """The plus and minus points of a game of Rummikub, in the order of the racks.

    Who is out wins what all others' racks cost (RK-11); with nobody out the lowest rack wins
    what the others hold more than it (RK-13), a remainder going to the first from the seat
    `to_play` on. Raises ValueError where two racks are empty or there are none.
    """
    out = [seat for seat, rack in enumerate(racks) if rack.is_empty]
    if len(out) > 1 or not racks:
        raise ValueError("One rack at most is empty when a game ends.")
    costs = [0 if rack.is_empty else rack.cost(form) for rack in racks]
    earned = after_rummikub(costs, out[0]) if out else after_stalemate(costs, to_play)
    pairs = zip(racks, earned, strict=True)
    return GameScores(tuple(Score(rack.entrant, score) for rack, score in pairs))
