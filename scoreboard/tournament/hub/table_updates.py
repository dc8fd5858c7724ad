"""Updates for a table, derived from a snapshot: its players, its next game, its results."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import reduce

from scoreboard.games import GAMES
from scoreboard.message import Message, message
from scoreboard.tournament.hub.game_options import game_options
from scoreboard.tournament.hub.snapshot import TournamentSnapshot
from scoreboard.tournament.model.draw import TableSeats
from scoreboard.tournament.model.scoring import is_complete, winners
from scoreboard.tournament.model.tournament import Reported, Round, Tournament
from scoreboard.tournament.model.tournament_format import KNOCKOUTS
from scoreboard.tournament.protocol.hub_update import (
    HubUpdate,
    LocalizedText,
    ResultUpdate,
    SeatingUpdate,
    SeatUpdate,
)
from scoreboard.tournament.protocol.items import StoredItems

Results = dict[int, Reported]


def results_at(played: Round, table: int) -> Results:
    """A table's results of a round by game, in order."""
    found: Results = {}
    while (reported := played.results.get((table, len(found) + 1))) is not None:
        found[len(found) + 1] = reported
    return found


def coming_game(
    state: Tournament, played: Round, table: TableSeats, results: Results
) -> tuple[int, int]:
    """The next game of a table, and how many there are; a number above means all are played.

    A match of a knockout that is drawn goes on beyond what was planned.
    """
    counted = tuple(each.result for each in results.values() if each.objection is None)
    form = state.format.in_stage(played.stage)
    complete = is_complete(form, len(table.seats), played.games, counted)
    if complete and form.system in KNOCKOUTS and len(winners(form, counted)) > 1:
        return len(results) + 1, len(results) + 1
    games = max(played.games, len(results))
    return (games if complete else len(results)) + 1, games


def seating_update(
    state: Tournament, played: Round, table: TableSeats, results: Results
) -> SeatingUpdate:
    """A table's players in a round, and their next game."""
    game, games = coming_game(state, played, table, results)
    return SeatingUpdate(
        round=played.number,
        rounds_phase=played.phase,
        game=game,
        games=games,
        rulebook=state.format.game if state.format.game in GAMES else "",
        options=game_options(state.format),
        seats=seat_updates(state, table),
    )


def seat_updates(state: Tournament, table: TableSeats) -> tuple[SeatUpdate, ...]:
    """A table's players, in order."""
    return tuple(SeatUpdate(number, state.named(number)) for number in table.seats)


def result_updates(played: Round, results: Results) -> tuple[ResultUpdate, ...]:
    """A table's results for its device."""
    return tuple(
        ResultUpdate(
            played.number,
            game,
            reported.phase,
            str(reported.result.scores),
            tuple(sorted(reported.signed)),
            played.phase == "running" and reported.is_replaceable,
        )
        for game, reported in results.items()
    )


def update_for(
    snapshot: TournamentSnapshot,
    table: int,
    wanted: Mapping[str, StoredItems],
    problem: Message | None,
) -> HubUpdate:
    """The update for the table with this number; a dispute comes before `problem`.

    Its version is that of the last event that changed it.
    """
    update = HubUpdate(
        version=snapshot.changes.last(table),
        place=table,
        title=snapshot.state.title,
        wanted=wanted,
    )
    played = snapshot.state.round_at(table)
    seated = None if played is None else played.table(table)
    problem = problem or _called_away(snapshot.state, table)
    if played is None or seated is None:
        return _with_notice(update, problem)
    results = results_at(played, table)
    update = replace(
        update,
        sitting=seating_update(snapshot.state, played, seated, results),
        results=result_updates(played, results),
    )
    disputed = [game for game, reported in results.items() if reported.phase == "disputed"]
    if disputed:
        problem = message(
            "Game {game} is disputed: the referee settles it. Play on.", game=disputed[0]
        )
    return _with_notice(update, problem)


def _called_away(state: Tournament, number: int) -> Message | None:
    """The new table of the players last seated here, once called to another one."""
    here = ((each, table) for each in reversed(state.rounds) if (table := each.table(number)))
    last, seated = next(here, (None, None))
    called = [
        message("{name} plays next at table {table}.", name=state.named(seat), table=table.number)
        for each in (state.rounds[last.number :] if last else ())
        for table in each.draw.tables
        for seat in table.seats
        if seated and seat in seated.seats and not each.has_result(table.number)
    ]
    if not called:
        return None
    return reduce(lambda one, two: message("{one} {two}", one=one, two=two), called)


def _with_notice(update: HubUpdate, notice: Message | None) -> HubUpdate:
    if notice is None:
        return update
    return replace(update, notice=str(notice), said=LocalizedText.of(notice))
