"""What a draw has to honour."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from scoreboard.message import message
from scoreboard.tournament.model.draw import Draw, DrawError


@dataclass(frozen=True, slots=True, kw_only=True)
class Constraints:
    """Everything that the draw of one round has to honour.

    `entrants` are those present, in entry order or in order of standing. `sizes` says how many
    sit at each table; who is too many has a bye. `past` are the draws of the rounds before,
    with whoever was there then. `clubs` names the club of those who have one; mates sit apart
    in round 1. Those in `accessible` sit at one of `accessible_tables`. `rounds_planned` keeps
    room for that many rounds without a second meeting. The same wish gives the same draw.

    Raises:
        DrawError: somebody is present twice, or there are more seats than entrants.
    """

    entrants: tuple[int, ...]
    sizes: tuple[int, ...]
    past: tuple[Draw, ...] = ()
    clubs: Mapping[int, str] = field(default_factory=dict)
    accessible: frozenset[int] = frozenset()
    accessible_tables: frozenset[int] = frozenset()
    seed: int = 0
    rounds_planned: int = 1

    def __post_init__(self) -> None:
        if len(set(self.entrants)) < len(self.entrants):
            raise DrawError(message("Somebody stands in the list of those present twice."))
        if sum(self.sizes) > len(self.entrants) or min(self.sizes, default=1) < 1:
            raise DrawError(
                message(
                    "The tables seat {seats}, and {present} are present: choose other sizes.",
                    seats=sum(self.sizes),
                    present=len(self.entrants),
                )
            )

    @property
    def round_number(self) -> int:
        """The round to be drawn, from 1."""
        return len(self.past) + 1
