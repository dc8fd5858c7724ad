"""Results by player: rounds with the points so far, and the cross table of duels."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Literal

from scoreboard.tournament.model.result_table import CountedGames, SeatResult, counted
from scoreboard.tournament.model.scores import GameResult, Points
from scoreboard.tournament.model.standings import Standings, counted_games
from scoreboard.tournament.model.tournament import Tournament
from scoreboard.tournament.model.tournament_format import TournamentFormat

PlayerRoundKind = Literal["table", "bye", "absent"]


@dataclass(frozen=True, slots=True)
class PlayerRound:
    """A round of one entrant: who was at the table, its games, and what it brought.

    `points` and `total`, those of the stage so far, are None while the round counts nothing yet;
    `table` is None without a seat. `games` are the table's results that count, in order.
    """

    round: int
    stage: int
    kind: PlayerRoundKind
    table: int | None = None
    opponents: tuple[int, ...] = ()
    games: tuple[GameResult, ...] = ()
    points: Points | None = None
    total: Points | None = None


def player_rounds(
    state: Tournament, standings: Standings, entrants: Iterable[int]
) -> Mapping[int, tuple[PlayerRound, ...]]:
    """The rounds of some entrants, in the stages that they reached; totals end as the standings'.

    `standings` are those of the state: see `standings_of`.
    """
    found: dict[int, list[PlayerRound]] = {number: [] for number in entrants}
    running: dict[tuple[int, int], list[SeatResult]] = {}
    for played in state.rounds:
        table = standings.tables[played.stage]
        counting = CountedGames() if played.stage else counted_games(state.format)
        games = played.games_by_table
        seated = {seat: seats for seats in played.draw.tables for seat in seats.seats}
        for entrant, rounds in found.items():
            results = table.results.get(entrant)
            if results is None:
                continue
            own, total = results.get(played.number), None
            if own is not None:
                so_far = running.setdefault((played.stage, entrant), [])
                so_far.append(own)
                # what a stage brought along, and what was taken away, stands in its total alone
                before = table.totals[entrant] - counted(results.values(), counting)
                total = before + counted(so_far, counting)
            seats = seated.get(entrant)
            bye: PlayerRoundKind = "bye" if entrant in played.draw.byes else "absent"
            rounds.append(
                PlayerRound(
                    played.number,
                    played.stage,
                    "table" if seats else bye,
                    seats.number if seats else None,
                    tuple(each for each in seats.seats if each != entrant) if seats else (),
                    games.get(seats.number, ()) if seats else (),
                    None if own is None else own.points,
                    total,
                )
            )
    return {number: tuple(own) for number, own in found.items()}


def cross_table(
    form: TournamentFormat, standings: Standings
) -> Mapping[int, Mapping[int, tuple[Points, ...]]]:
    """What each entrant got against each other one in duels, in order of rounds.

    Of duels before any cut and those of a knockout after it; empty where there are none.
    """
    duels = [
        table
        for stage, table in enumerate(standings.tables)
        if (form.lays_down(stage) if stage else form.two_player)
    ]
    found: dict[int, dict[int, tuple[Points, ...]]] = {
        number: {} for table in duels[:1] for number in table.results
    }
    for table in duels:
        for entrant in table.results:
            for own, _, opponent in table.met(entrant):
                found[entrant][opponent] = (*found[entrant].get(opponent, ()), own.points)
    return found
