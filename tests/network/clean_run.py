"""The event as it goes where nothing is ever lost: in one process, without any way between."""

from __future__ import annotations

from contextlib import closing
from itertools import product

from scoreboard.tournament.hub.snapshot import TournamentSnapshot
from scoreboard.tournament.hub.tournament_service import TournamentService
from scoreboard.tournament.model.entrant import Entrant
from scoreboard.tournament.model.entries import Enter
from scoreboard.tournament.model.results import ReportResult
from scoreboard.tournament.model.rounds import CloseRound, DrawRound, StartRound
from scoreboard.tournament.model.scores import GameScores, Score
from scoreboard.tournament.model.stages import Finish
from scoreboard.tournament.model.tournament import Command, Round
from scoreboard.tournament.protocol.audit_log import Actor
from tests.network.director import Plan
from tests.network.quick_games import scores_at
from tests.scoreboard.tournament.hub.halls import KEY
from tests.scoreboard.tournament.storage.temporary import temporary_store
from web.shared.clocks import utc_now

DIRECTOR = Actor("director", "Dana")


def clean_run(plan: Plan) -> TournamentSnapshot:
    """How the event ends."""
    with closing(temporary_store()) as store:
        return _led(TournamentService(store, utc_now, KEY), plan)


def _led(service: TournamentService, plan: Plan) -> TournamentSnapshot:
    event = service.open(plan.title, plan.form, DIRECTOR)

    def give(*commands: Command) -> TournamentSnapshot:
        return service.give_all(event, commands, DIRECTOR)

    give(*(Enter(Entrant(number, name)) for number, name in enumerate(plan.names, start=1)))
    for number in range(1, plan.rounds + 1):
        played = give(DrawRound(plan.seed(number)), StartRound()).state.rounds[-1]
        give(*_reports(played, plan.games), CloseRound())
    return give(Finish())


def _reports(played: Round, games: int) -> list[ReportResult]:
    return [
        ReportResult(
            played.number,
            table.number,
            game,
            _scores(played.number, table.number, game, table.seats),
        )
        for table, game in product(played.draw.tables, range(1, games + 1))
    ]


def _scores(number: int, table: int, game: int, seats: tuple[int, ...]) -> GameScores:
    brought = scores_at((number, table, game), len(seats))
    return GameScores(tuple(map(Score, seats, brought)))
