"""Seating by standing: the best at table 1, or spread over the tables, as at a cut."""

from __future__ import annotations

from collections import Counter
from enum import StrEnum
from itertools import count, islice
from random import Random

from scoreboard.tournament.model.draw import Draw, TableSeats
from scoreboard.tournament.model.seating.constraints import Constraints, SeatingHistory, shuffled
from scoreboard.tournament.model.seating.seat_order import open_groups, rotated


class SeatingPattern(StrEnum):
    """How the order of standing is laid over the tables.

    Eight at two tables of four: BLOCKS gives 1-2-3-4 and 5-6-7-8, SNAKE 1-4-5-8 and 2-3-6-7,
    DEALT 1-3-5-7 and 2-4-6-8, as the semi-finals of nationals are seated.
    """

    BLOCKS = "blocks"
    SNAKE = "snake"
    DEALT = "dealt"


def draw_by_standing(
    constraints: Constraints, pattern: SeatingPattern = SeatingPattern.BLOCKS
) -> Draw:
    """Seat the entrants, the best first, at tables 1, 2, ... of the constraints' sizes, in order.

    Byes go to the lowest among those who sat out least often. At a cut (DEALT) the seats are in
    order of standing, so that the best begins; else seats rotate as in `draw_tables`. A final is
    one table. Those who need an accessible table get one: its number is exchanged, and if that is
    not enough, they swap with the nearest in standing.

    Raises:
        DrawError: more need an accessible table than such tables seat.
    """
    chance = Random(constraints.seed)
    surplus = len(constraints.entrants) - sum(constraints.sizes)
    had_byes = Counter(entrant for draw in constraints.past for entrant in draw.byes)
    lowest = {each: -place for place, each in enumerate(constraints.entrants)}
    out = sorted(constraints.entrants, key=lambda each: (had_byes[each], lowest[each]))[:surplus]
    history = SeatingHistory.of(
        tuple(each for each in constraints.entrants if each not in out), constraints.past
    )
    groups = _laid(constraints.sizes, pattern)
    needing = history.accessible_of(constraints)
    opened = open_groups(groups, needing, constraints)
    _let_in(groups, needing, opened)
    numbers = _numbers(groups, needing, constraints)
    had = dict(enumerate(history.seats))
    tables = [
        (
            number,
            sorted(group)
            if pattern is SeatingPattern.DEALT
            else rotated(shuffled(group, chance), had),
        )
        for number, group in zip(numbers, groups, strict=True)
    ]
    return Draw(
        tuple(
            TableSeats(number, tuple(history.entrants[place] for place in group))
            for number, group in sorted(tables)
        ),
        tuple(each for each in constraints.entrants if each in out),
    )


def _laid(sizes: tuple[int, ...], pattern: SeatingPattern) -> list[list[int]]:
    """The places in the standing, from 0, at each table."""
    groups: list[list[int]] = [[] for _ in sizes]
    turns = []  # the table at which the best sits, then that of the second, and so on
    if pattern is SeatingPattern.BLOCKS:
        turns = [at for at, size in enumerate(sizes) for _ in range(size)]
    else:
        for lap in range(max(sizes, default=0)):
            tables = [at for at, size in enumerate(sizes) if lap < size]
            turns += tables[::-1] if pattern is SeatingPattern.SNAKE and lap % 2 else tables
    for place, at in enumerate(turns):
        groups[at].append(place)
    return groups


def _let_in(groups: list[list[int]], needing: frozenset[int], opened: frozenset[int]) -> None:
    """Swap everyone who needs it into an opened group with the nearest who doesn't."""
    for at, group in enumerate(groups):
        for seat, place in enumerate(group):
            if place in needing and at not in opened:
                other, there = min(
                    (
                        (each, there)
                        for there in opened
                        for each in groups[there]
                        if each not in needing
                    ),
                    key=lambda pair: abs(pair[0] - place),
                )
                group[seat] = other
                groups[there][groups[there].index(other)] = place


def _numbers(
    groups: list[list[int]], needing: frozenset[int], constraints: Constraints
) -> list[int]:
    """Table numbers in the order of groups; groups in need exchange theirs for accessible ones."""
    bound = [at for at, group in enumerate(groups) if not needing.isdisjoint(group)]
    staying = [at for at in bound if at + 1 in constraints.accessible_tables]
    moving = [at for at in bound if at not in staying]
    free = (number for number in sorted(constraints.accessible_tables) if number - 1 not in staying)
    given = {at: at + 1 for at in staying} | dict(zip(moving, free, strict=False))
    others = (number for number in count(1) if number not in given.values())
    rest = [at for at in range(len(groups)) if at not in given]
    return [
        number
        for _, number in sorted(
            [*given.items(), *zip(rest, islice(others, len(rest)), strict=True)]
        )
    ]
