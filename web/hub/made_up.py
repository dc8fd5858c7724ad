"""Made-up players and results, for a test event."""

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
from scoreboard.tournament.model.tournament import Command, Tournament

NAMES: Final = (
    "Amira", "Ben", "Carla", "Daniel", "Eun-ji", "Felix", "Grace", "Haruto",
    "Ines", "Jonas", "Kenji", "Lena", "Min-jun", "Nora", "Oskar", "Priya",
)  # fmt: skip
MOST: Final = 99


def made_up_results(state: Tournament, chance: Random) -> list[Command]:
    """A random result for the next game of every running table, signed by all; none at the end.

    Raises:
        CommandRefusedError: no round is under way.
    """
    if state.format.system == "blind":
        handed_in = {each.entrant for each in state.solo}
        missing = (each for each in state.present if each not in handed_in)
        return [SubmitScore(each, chance.randint(1, MOST)) for each in missing]
    running = [each for each in state.rounds if each.phase == "running"]
    if not running:
        raise CommandRefusedError(message("Draw and start a round first: then it can be filled."))
    given: list[Command] = []
    for played, table in ((each, table) for each in running for table in each.draw.tables):
        game, games = coming_game(state, played, table, results_at(played, table.number))
        if game <= games:
            at = (played.number, table.number, game)
            given.append(ReportResult(*at, _scores(state, table, chance)))
            given += (Sign(*at, entrant) for entrant in table.seats)
    return given


def _scores(state: Tournament, table: TableSeats, chance: Random) -> GameScores:
    """Distinct scores; the winner gains what the others lose if they must sum to 0."""
    figures = chance.sample(range(1, MOST + 1), len(table.seats))
    if state.format.zero_sum:
        winner = chance.randrange(len(figures))
        figures = [-each for each in figures]
        figures[winner] -= sum(figures)
    return GameScores(tuple(map(Score, table.seats, figures)))
