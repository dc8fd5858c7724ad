"""Who begins a round (RK-2)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from scoreboard.games.rummikub.state import Round


@dataclass(frozen=True, slots=True)
class Start:
    """Where the draw stands: who begins, or else who draws next."""

    beginner: int | None
    drawer: int | None


def start(here: Round) -> Start:
    """The highest number begins; those tied for it draw again, in seat order."""
    numbers = {
        seat: tuple(drawn.tile.number for drawn in here.draws if drawn.seat == seat)
        for seat in range(len(here.racks))
    }
    return _settled(numbers, tuple(numbers), 0)


def _settled(
    numbers: Mapping[int, tuple[int, ...]], contenders: tuple[int, ...], draw: int
) -> Start:
    for seat in contenders:
        if len(numbers[seat]) <= draw:
            return Start(None, seat)
    highest = max(numbers[seat][draw] for seat in contenders)
    tied = tuple(seat for seat in contenders if numbers[seat][draw] == highest)
    return Start(tied[0], None) if len(tied) == 1 else _settled(numbers, tied, draw + 1)
