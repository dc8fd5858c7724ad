"""Who sits out when there are more entrants than seats."""

from __future__ import annotations

from collections import Counter
from random import Random

from scoreboard.tournament.model.seating.chance import shuffled
from scoreboard.tournament.model.seating.constraints import Constraints


def byes(wish: Constraints, chance: Random) -> tuple[int, ...]:
    """As many as find no seat: those who sat out least often, chosen among equals by chance."""
    surplus = len(wish.entrants) - sum(wish.sizes)
    if not surplus:
        return ()
    had = Counter(entrant for draw in wish.past for entrant in draw.byes)
    out = set(sorted(shuffled(wish.entrants, chance), key=lambda each: had[each])[:surplus])
    return tuple(entrant for entrant in wish.entrants if entrant in out)
