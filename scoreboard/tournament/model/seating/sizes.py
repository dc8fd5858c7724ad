"""How many sit at each table."""

from __future__ import annotations

from scoreboard.message import message
from scoreboard.tournament.model.draw import DrawError


def table_sizes(
    entrants: int, size: int, smallest: int, largest: int | None = None
) -> tuple[int, ...]:
    """Tables of `size`, and as few others as can be, the largest first; all entrants sit.

    The others have `smallest` to `largest` seats (None: no more than `size`) and differ from
    one another by one at most.

    Raises:
        DrawError: so many can't be spread over tables of these sizes.
    """
    most = size if largest is None else largest
    if not 1 <= smallest <= size <= most:
        raise DrawError(
            message(
                "Tables of {smallest} to {most} leave no room for tables of {size}.",
                smallest=smallest,
                most=most,
                size=size,
            )
        )
    spreads = [
        spread
        for tables in range(1, entrants // smallest + 1)
        if (spread := _spread(entrants, tables, size, (smallest, most))) is not None
    ]
    if entrants and not spreads:
        raise _impossible(entrants, smallest, most)
    return min(spreads, key=lambda spread: _awkwardness(spread, size), default=())


def _spread(
    entrants: int, tables: int, size: int, limits: tuple[int, int]
) -> tuple[int, ...] | None:
    """So many tables with the fewest that are not of `size`; None where it can't be done."""
    missing = tables * size - entrants
    room = size - limits[0] if missing > 0 else limits[1] - size
    others = 0 if not missing else -(-abs(missing) // room) if room else tables + 1
    if others > tables:
        return None
    each, more = divmod(abs(missing), others) if others else (0, 0)
    by = [each + 1] * more + [each] * (others - more)
    sign = -1 if missing > 0 else 1
    spread = [size] * (tables - others) + [size + sign * one for one in by]
    return tuple(sorted(spread, reverse=True))


def _awkwardness(spread: tuple[int, ...], size: int) -> tuple[int, int]:
    """Few tables of another size; among as few, those that differ least."""
    return sum(one != size for one in spread), sum((one - size) ** 2 for one in spread)


def _impossible(entrants: int, smallest: int, largest: int) -> DrawError:
    return DrawError(
        message(
            "{entrants} players can't be spread over tables of {smallest} to {largest}: allow "
            "smaller or larger tables, or give somebody a bye.",
            entrants=entrants,
            smallest=smallest,
            largest=largest,
        )
    )
