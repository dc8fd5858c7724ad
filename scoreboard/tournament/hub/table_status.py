"""How each table of the last round does: its results, its running game, what is wrong with it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Final

from scoreboard.message import Message, message
from scoreboard.tournament.hub.derived_commands import obstacle
from scoreboard.tournament.hub.replayed_game import ReplayedGame
from scoreboard.tournament.hub.table_schedule import (
    Results,
    coming_game,
    result_updates,
    results_at,
    seat_updates,
)
from scoreboard.tournament.hub.table_state import GameProgress, TablePhase, TableState
from scoreboard.tournament.model.draw import TableSeats
from scoreboard.tournament.model.tournament import Round, Tournament
from scoreboard.tournament.protocol.items import ResultAlone

SILENT_AFTER: Final = timedelta(minutes=2)
A_MINUTE: Final = timedelta(minutes=1)


@dataclass(frozen=True, slots=True)
class Signs:
    """What is known of a table beside the tournament: the game that it plays or played last.

    `contradicted` says that its device told two stories of the game.
    """

    followed: ReplayedGame | None = None
    progress: GameProgress | None = None
    contradicted: bool = False


def table_state(state: Tournament, played: Round, table: TableSeats, signs: Signs) -> TableState:
    """How a table does, whether or not it was heard lately."""
    results = results_at(played, table.number)
    game, games = coming_game(state, played, table, results)
    running = signs.progress is not None and signs.progress.number == game
    return TableState(
        number=table.number,
        seats=seat_updates(state, table),
        phase=_phase(played, results, running=running, all_played=game > games),
        game=game,
        games=games,
        results=result_updates(played, results),
        progress=signs.progress,
        problems=(*_disputed(results), *_problems(state, table, signs)),
        result_alone=bool(signs.followed and isinstance(signs.followed.opened, ResultAlone)),
    )


def with_hearing(table: TableState, heard_at: datetime | None, now: datetime) -> TableState:
    """The same table, with when its device was heard last, which may be a problem too."""
    silent = () if heard_at is None else tuple(_silence(now - heard_at))
    return replace(table, heard_at=heard_at, problems=(*table.problems, *silent))


def _phase(played: Round, results: Results, *, running: bool, all_played: bool) -> TablePhase:
    phases = {reported.phase for reported in results.values()}
    if "disputed" in phases:
        return "disputed"
    if played.phase != "running":
        return "drawn" if played.phase == "drawn" else "done"
    if not all_played:
        return "playing" if running else "waiting"
    return "unsigned" if "reported" in phases else "done"


def _disputed(results: Results) -> Iterator[Message]:
    for game, reported in results.items():
        if reported.phase == "disputed":
            yield message("Game {game} is disputed: have the referee settle it.", game=game)


def _problems(state: Tournament, table: TableSeats, signs: Signs) -> Iterator[Message]:
    if signs.followed is not None and (problem := obstacle(state, table.number, signs.followed)):
        yield problem
    if signs.contradicted:
        yield message("Its device told two stories of a game: the first one counts, ask there.")


def _silence(lasting: timedelta) -> Iterator[Message]:
    if lasting > SILENT_AFTER:
        yield message(
            "Its device was not heard for {minutes} minutes: look after its network.",
            minutes=lasting // A_MINUTE,
        )
