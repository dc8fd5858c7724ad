"""Made-up players and results, for an event that only tries the hub out."""

from __future__ import annotations

from random import Random
from typing import Final

from scoreboard.message import message
from scoreboard.tournament.hub.table_updates import coming_game, results_at
from scoreboard.tournament.model.authority import CommandRefusedError
from scoreboard.tournament.model.disputes import Sign
from scoreboard.tournament.model.draw import TableSeats
from scoreboard.tournament.model.results import ReportResult, SubmitScore
from scoreboard.tournament.model.scores import GameScores, Score
from scoreboard.tournament.model.tournament import Command, Tournament, carried_out

NAMES: Final = (
    "Amira", "Ben", "Carla", "Daniel", "Eun-ji", "Felix", "Grace", "Haruto",
    "Ines", "Jonas", "Kenji", "Lena", "Min-jun", "Nora", "Oskar", "Priya",
)  # fmt: skip
MOST: Final = 99


def made_up_results(state: Tournament, chance: Random) -> tuple[Command, ...]:
    """Results by chance for every game that the running rounds lack, signed by all.

    Raises:
        CommandRefusedError: no round is under way.
    """
    if state.format.system == "blind":
        return tuple(SubmitScore(each, chance.randint(1, MOST)) for each in state.present)
    running = [each for each in state.rounds if each.phase == "running"]
    if not running:
        raise CommandRefusedError(message("Draw and start a round first: then it can be filled."))
    given: list[Command] = []
    for last, table in ((each, table) for each in running for table in each.draw.tables):
        results = results_at(last, table.number)
        game, games = coming_game(state, last, table, results)
        while game <= games:
            report = ReportResult(last.number, table.number, game, _scores(state, table, chance))
            own = (report, *(Sign(*_at(report), entrant) for entrant in table.seats))
            for command in own:
                state = carried_out(state, command)
            given += own
            played = state.rounds[last.number - 1]
            game, games = coming_game(state, played, table, results_at(played, table.number))
    return tuple(given)


def _at(report: ReportResult) -> tuple[int, int, int]:
    return report.round, report.table, report.game


def _scores(state: Tournament, table: TableSeats, chance: Random) -> GameScores:
    """Scores that nobody shares; the winner gains what the others lose where they add up to 0."""
    figures = chance.sample(range(1, MOST + 1), len(table.seats))
    if state.format.zero_sum:
        winner = chance.randrange(len(figures))
        figures = [-each for each in figures]
        figures[winner] -= sum(figures)
    return GameScores(tuple(map(Score, table.seats, figures)))
