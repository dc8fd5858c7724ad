"""The draw of a round at tables: no pair meets twice while a design exists."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from random import Random
from typing import Final

from scoreboard.tournament.model.draw import Draw, TableSeats
from scoreboard.tournament.model.seating.accessible import numbered, open_groups
from scoreboard.tournament.model.seating.byes import byes
from scoreboard.tournament.model.seating.chance import shuffled
from scoreboard.tournament.model.seating.clubs_apart import dealt
from scoreboard.tournament.model.seating.constraints import Constraints
from scoreboard.tournament.model.seating.costs import Costs
from scoreboard.tournament.model.seating.development import Groups
from scoreboard.tournament.model.seating.embedding import Embedding, embedding, fitted
from scoreboard.tournament.model.seating.history import SeatingHistory
from scoreboard.tournament.model.seating.local_search import settle
from scoreboard.tournament.model.seating.partial_seating import PartialSeating
from scoreboard.tournament.model.seating.plan import plan
from scoreboard.tournament.model.seating.seat_order import rotated

_SPARE_ROUNDS: Final = 4  # rounds of the plan looked at beyond those planned


@dataclass(frozen=True, slots=True)
class _Start:
    """Groups to begin with, and the rounds that the plan they come from still holds."""

    groups: list[list[int]]
    later: tuple[list[list[int]], ...] = ()


def draw_tables(wish: Constraints) -> Draw:
    """Seat everybody for the next round: strangers while a design exists.

    In this order: those who need it sit at an accessible table; meetings are repeated as seldom
    as can be; mates of a club sit apart in round 1; short tables go round; seats and the right
    to begin go round. Where `wish.past` came from this function with as many tables, the rounds
    are those of a construction (see `plan`), so that no pair meets twice in as many rounds as
    it gives; else swaps find the best that they can in a fixed number of steps.

    Raises:
        DrawError: more need an accessible table than such tables seat.
    """
    chance = Random(wish.seed)
    out = frozenset(byes(wish, chance))
    sitting = tuple(each for each in wish.entrants if each not in out)
    facts = SeatingHistory.of(sitting, wish.past)
    groups = _groups(wish, facts, chance)
    return seated(wish, facts, groups, chance)


def seated(
    wish: Constraints, facts: SeatingHistory, groups: list[list[int]], chance: Random
) -> Draw:
    """The draw with these groups: numbered by chance, the seats rotated."""
    had = dict(enumerate(facts.seats))
    tables = tuple(
        TableSeats(
            number,
            tuple(facts.entrants[place] for place in rotated(shuffled(group, chance), had)),
        )
        for number, group in numbered(groups, facts.accessible_of(wish), wish, chance)
    )
    return Draw(tables, tuple(each for each in wish.entrants if each not in facts.places))


def _groups(wish: Constraints, facts: SeatingHistory, chance: Random) -> list[list[int]]:
    costs = Costs.of(wish, facts)
    start = _start(wish, facts, costs, chance)
    room = PartialSeating(
        start.groups,
        costs.reserving(start.later),
        open_groups(start.groups, costs.barred, wish),
    )
    return settle(room, chance)


def _start(wish: Constraints, facts: SeatingHistory, costs: Costs, chance: Random) -> _Start:
    """The round of a plan that costs least; where there is none, what the dealing gives."""
    best, least = None, 0
    for start in _planned(wish, facts, costs):
        groups = start.groups
        cost = PartialSeating(groups, costs, open_groups(groups, costs.barred, wish)).total
        if best is None or cost < least:
            best, least = start, cost
        if not least:
            break
    return _Start(dealt(wish, facts, chance)) if best is None else best


def _planned(wish: Constraints, facts: SeatingHistory, costs: Costs) -> Iterator[_Start]:
    """Every round that some past draw's plan offers, those of the oldest draw first."""
    if not wish.sizes:
        return
    size, tables = max(wish.sizes), len(wish.sizes)
    rounds = plan(tables, size, max(wish.rounds_planned, wish.round_number) + _SPARE_ROUNDS)
    for anchor in wish.past:
        if len(anchor.tables) == tables and max(map(_members, anchor.tables)) <= size:
            laid = embedding(anchor, wish.past, facts, size)
            yield from _offered(wish, costs, rounds, laid)


def _offered(
    wish: Constraints, costs: Costs, rounds: tuple[Groups, ...], laid: Embedding
) -> Iterator[_Start]:
    """The unused rounds of a plan laid over the players, each with those it leaves for later."""
    unused = [groups for each in rounds if not costs.repeats(groups := laid.groups(each))]
    left = wish.rounds_planned - wish.round_number
    for number, groups in enumerate(unused):
        later = [other for at, other in enumerate(unused) if at != number]
        yield _Start(fitted(groups, wish.sizes, laid.homeless), tuple(later[: max(left, 0)]))


def _members(table: TableSeats) -> int:
    return len(table.seats)
