"""The circle method: everybody meets everybody once (round robin, Berger tables).

One player stays, the others move round a circle by half its length each round; opposite players
meet. So come the tables that J. Berger published in 1893 and chess still uses: the one who
stays begins every other round, and the others alternate but for one break each.
"""

from __future__ import annotations

Pairs = tuple[tuple[int, int], ...]


def circle_rounds(players: int) -> tuple[Pairs, ...]:
    """Rounds of pairs of the places 0 to `players - 1`, an even number; the first begins.

    Each pair meets once in `players - 1` rounds. The last place is the one that stays: where
    their number is odd, it is nobody's, and its partner has a bye.

    Raises:
        ValueError: the number of players is odd.
    """
    if players % 2:
        raise ValueError(f"the circle method needs an even number of places, not {players}")
    return tuple(_round(number, players) for number in range(players - 1))


def _round(number: int, players: int) -> Pairs:
    circle, stays = players - 1, players - 1
    first = number * (players // 2) % circle
    top = (stays, first) if number % 2 else (first, stays)
    others = (((first + step) % circle, (first - step) % circle) for step in range(1, players // 2))
    return (top, *others)
