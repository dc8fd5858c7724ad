"""Table numbers exchanged so that who needs a table with step-free access sits at one."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from itertools import count

from scoreboard.message import message
from scoreboard.tournament.model.draw import Draw, TableSeats
from scoreboard.tournament.model.refusal import RefusedOrderError
from scoreboard.tournament.model.tournament import Tournament


def with_access(state: Tournament, draw: Draw) -> Draw:
    """The draw with the accessible tables given to those who need them; the others follow on.

    Raises:
        RefusedOrderError: more tables are needed than are accessible.
    """
    needing = {each.number for each in state.entrants if each.needs_accessible_table}
    bound = [table for table in draw.tables if needing.intersection(table.seats)]
    if not bound:
        return draw
    given = _given(state, bound)
    others = (number for number in count(1) if number not in given.values())
    tables = (
        replace(table, number=given.get(table.number) or next(others)) for table in draw.tables
    )
    return replace(draw, tables=tuple(sorted(tables, key=lambda table: table.number)))


def _given(state: Tournament, bound: list[TableSeats]) -> Mapping[int, int]:
    """The accessible number for each table that needs one; it keeps its own where that is one."""
    accessible = state.format.accessible_tables
    if len(bound) > len(accessible):
        raise RefusedOrderError(
            message(
                "Accessible tables needed: {needed}, marked: {marked}; mark more of them.",
                needed=len(bound),
                marked=len(accessible),
            )
        )
    given = {table.number: table.number for table in bound if table.number in accessible}
    free = (number for number in accessible if number not in given)
    return given | {table.number: next(free) for table in bound if table.number not in given}
