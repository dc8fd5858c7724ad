"""The cut: who reaches the next stage."""

from __future__ import annotations

from collections.abc import Sequence

from scoreboard.message import message
from scoreboard.tournament.model.events import CutMade
from scoreboard.tournament.model.fixed_draw import schedule
from scoreboard.tournament.model.meetings import rounds_left
from scoreboard.tournament.model.refusal import RefusedOrderError
from scoreboard.tournament.model.standings import Standing
from scoreboard.tournament.model.tournament import Tournament
from scoreboard.tournament.model.tournament_format import Stage
from scoreboard.tournament.model.tournament_round import Round
from scoreboard.tournament.model.tournament_standings import standings_of


def cut(state: Tournament) -> CutMade:
    """The cut that is due, from those of the stage before who are there.

    Where fewer are there than the stage is for, all of them go on. It may be made again as long
    as its stage is not drawn, when somebody drops out say.

    Raises:
        RefusedOrderError: no cut is due, too few are there, or a shared place would have to be
            parted.
    """
    last = _closed_round(state)
    stage = _due(state, last)
    rows = _there(state, last.stage)
    _require_enough(state, len(rows))
    through = _best_of_tables(last, rows, stage) if stage.best_of_table else ()
    rest = [row for row in rows if row not in through]
    best = (*through, *_best(rest, stage.entrants - len(through)))
    command = tuple(row.entrant for row in rows if row in best)
    return CutMade(last.stage + 1, command, last.number)


def _due(state: Tournament, last: Round) -> Stage:
    if last.stage >= len(state.format.stages):
        raise RefusedOrderError(message("No cut is left in this format: finish the tournament."))
    _require_played(state, last)
    return state.format.stages[last.stage]


def _require_enough(state: Tournament, there: int) -> None:
    if there < state.format.smallest_table:
        raise RefusedOrderError(
            message("Only {there} are there to go on: bring somebody back.", there=there)
        )


def _closed_round(state: Tournament) -> Round:
    last = state.last_round
    if last is None or last.phase != "closed":
        raise RefusedOrderError(message("A cut follows a closed round: close the round first."))
    return last


def _require_played(state: Tournament, last: Round) -> None:
    if last.stage:
        return
    robin = state.format.system == "round-robin"
    left = len(schedule(state)) - len(state.rounds) if robin else rounds_left(state)
    if left > 0:
        raise RefusedOrderError(
            message("Rounds left before the cut: {left}; play them, or plan fewer.", left=left)
        )


def _there(state: Tournament, stage: int) -> list[Standing]:
    """The standing of those who reached the stage and have not dropped out.

    A cut that is made again is judged by the standing before it.
    """
    before = Tournament(
        state.title,
        state.format,
        state.entrants,
        state.away,
        state.rounds,
        state.cuts[:stage],
        state.decisions,
    )
    rows = standings_of(before).rows
    return [row for row in rows if row.stage == stage and row.entrant not in state.away]


def _best_of_tables(last: Round, rows: Sequence[Standing], stage: Stage) -> tuple[Standing, ...]:
    """The best of each table, as many of each as all tables can send."""
    each = stage.entrants // len(last.draw.tables)
    found: list[Standing] = []
    for table in last.draw.tables:
        there = [row for row in rows if row.entrant in table.seats]
        _require_parted(there, each)
        found += there[:each]
    return tuple(found)


def _best(rows: Sequence[Standing], many: int) -> Sequence[Standing]:
    _require_parted(rows, many)
    return rows[:many]


def _require_parted(rows: Sequence[Standing], many: int) -> None:
    """Whether the last who gets through stands above the first who does not."""
    if 0 < many < len(rows) and rows[many - 1].place == rows[many].place:
        raise RefusedOrderError(
            message(
                "Place {place} is shared across the cut: play it off or draw lots, then cut.",
                place=rows[many].place,
            )
        )
