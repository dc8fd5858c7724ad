"""The next round: which it is, who plays in it, and who sits with whom."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from scoreboard.message import Message, message
from scoreboard.tournament.model.access_to_tables import with_access
from scoreboard.tournament.model.draw import Draw, DrawError
from scoreboard.tournament.model.fixed_draw import draw_fixed
from scoreboard.tournament.model.meetings import coming_meeting, rounds_left
from scoreboard.tournament.model.refusal import RefusedOrderError
from scoreboard.tournament.model.seating import (
    Constraints,
    Manner,
    draw_by_standing,
    draw_tables,
    table_sizes,
)
from scoreboard.tournament.model.swiss_draw import paired
from scoreboard.tournament.model.tournament import Tournament
from scoreboard.tournament.model.tournament_format import (
    LAID_DOWN,
    Seating,
    StageSeating,
    TournamentFormat,
)
from scoreboard.tournament.model.tournament_standings import standings_of

MANNERS: Final[Mapping[Seating | StageSeating, Manner]] = {
    "snake": Manner.SNAKE,
    "blocks": Manner.BLOCKS,
    "odd-even": Manner.DEALT,
}


@dataclass(frozen=True, slots=True)
class NextRound:
    """The round that is due: where it stands in the event, and who plays in it.

    `entrants` are in entry order, in a later stage in the order of standing.
    """

    number: int
    stage: int
    meeting: int
    games: int
    entrants: tuple[int, ...]


def next_round(state: Tournament) -> NextRound:
    """The round that is due.

    Raises:
        RefusedOrderError: none is, or the one before is not closed.
    """
    form, last = state.format, state.last_round
    if form.system == "blind":
        raise RefusedOrderError(message("A blind event has no rounds: hand the scores in."))
    if last is not None and last.phase != "closed":
        raise RefusedOrderError(
            message("Round {round} is not closed: close it, or undo it.", round=last.number)
        )
    number = len(state.rounds) + 1
    if state.stage:
        return _stage_round(state, number)
    meeting = 1 if form.system in LAID_DOWN else coming_meeting(state)
    if meeting > form.meetings:
        raise RefusedOrderError(_all_played(form))
    return NextRound(number, 0, meeting, form.games, state.present)


def drawn(state: Tournament, coming: NextRound, seed: int) -> Draw:
    """Who sits with whom in the round that is due; the same seed gives the same draw.

    Raises:
        RefusedOrderError: too few are there, or all matches are played.
        DrawError: so many cannot be seated as the format asks.
    """
    if len(coming.entrants) < state.format.smallest_table:
        raise RefusedOrderError(
            message(
                "Only {there} are there to play: enter more, or allow smaller tables.",
                there=len(coming.entrants),
            )
        )
    if coming.stage:
        seating = state.format.stages[coming.stage - 1].seating
        return draw_by_standing(_wish(state, coming, coming.entrants, seed), MANNERS[seating])
    if state.format.system in LAID_DOWN:
        return with_access(state, draw_fixed(state, seed))
    if state.format.system == "swiss":
        return paired(state, coming.entrants, seed)
    return _tables(state, coming, seed)


def seats_for(form: TournamentFormat, entrants: int) -> tuple[int, ...]:
    """Table sizes for so many; where they cannot all sit, as few as can be have a bye.

    Raises:
        DrawError: not even one table can be filled.
    """
    for seated in range(entrants, form.smallest_table - 1, -1):
        try:
            return table_sizes(seated, form.table_size, form.smallest_table)
        except DrawError:
            continue
    return table_sizes(entrants, form.table_size, form.smallest_table)


def _stage_round(state: Tournament, number: int) -> NextRound:
    stage = state.format.stages[state.stage - 1]
    last = state.last_round
    if last is not None and last.stage == state.stage:
        raise RefusedOrderError(_all_played(state.format, after=state.stage))
    there = tuple(each for each in state.cuts[-1].entrants if each not in state.away)
    return NextRound(number, state.stage, 1, stage.games, there)


def _all_played(form: TournamentFormat, after: int = 0) -> Message:
    if len(form.stages) > after:
        return message(
            "All rounds before {stage} are played: make the cut.", stage=form.stages[after].name
        )
    return message("All rounds are played: finish the tournament, or plan more rounds.")


def _tables(state: Tournament, coming: NextRound, seed: int) -> Draw:
    form = state.format
    if not form.by_standing_from or coming.number < form.by_standing_from:
        return draw_tables(_wish(state, coming, coming.entrants, seed))
    playing = set(coming.entrants)
    command = tuple(each for each in standings_of(state).order if each in playing)
    return draw_by_standing(_wish(state, coming, command, seed), MANNERS[form.seating])


def _wish(state: Tournament, coming: NextRound, command: tuple[int, ...], seed: int) -> Constraints:
    form = state.format
    clubs = {each.number: each.club for each in state.entrants if each.club}
    needing = {each.number for each in state.entrants if each.needs_accessible_table}
    return Constraints(
        entrants=command,
        sizes=seats_for(form, len(command)),
        past=state.draws,
        clubs=clubs if form.mates_apart else {},
        accessible=frozenset(needing & set(command)),
        accessible_tables=frozenset(form.accessible_tables),
        seed=seed,
        rounds_planned=len(state.rounds) + (1 if coming.stage else rounds_left(state)),
    )
