"""How each table of the last round does: its results, its running game, what is wrong with it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

from scoreboard.hub.claiming import obstacle
from scoreboard.hub.followed import Followed
from scoreboard.hub.sitting import Results, coming_game, result_words, results_at, seat_words
from scoreboard.hub.table_state import GameProgress, TablePhase, TableState
from scoreboard.phrase import Phrase, phrase
from scoreboard.tournament.draw import TableSeats
from scoreboard.tournament.tournament import Tournament
from scoreboard.tournament.tournament_round import Round

SILENT_AFTER: Final = timedelta(minutes=2)
A_MINUTE: Final = timedelta(minutes=1)


@dataclass(frozen=True, slots=True)
class Signs:
    """What is known of a table beside the tournament: its game, and when it was heard.

    `contradicted` says that its device told two stories of the game.
    """

    followed: Followed | None = None
    progress: GameProgress | None = None
    heard_at: datetime | None = None
    contradicted: bool = False


def table_state(
    state: Tournament, played: Round, table: TableSeats, signs: Signs, now: datetime
) -> TableState:
    """How a table does now."""
    results = results_at(played, table.number)
    game, games = coming_game(state, played, table, results)
    running = signs.progress is not None and signs.progress.number == game
    return TableState(
        number=table.number,
        seats=seat_words(state, table),
        phase=_phase(played, results, running=running, all_played=game > games),
        game=game,
        games=games,
        results=result_words(played, results),
        progress=signs.progress,
        heard_at=signs.heard_at,
        problems=tuple(_problems(state, played, table, signs, now)),
    )


def _phase(played: Round, results: Results, *, running: bool, all_played: bool) -> TablePhase:
    phases = {reported.phase for reported in results.values()}
    if "disputed" in phases:
        return "disputed"
    if played.phase != "running":
        return "drawn" if played.phase == "drawn" else "done"
    if not all_played:
        return "playing" if running else "waiting"
    return "unsigned" if "reported" in phases else "done"


def _problems(
    state: Tournament, played: Round, table: TableSeats, signs: Signs, now: datetime
) -> Iterator[Phrase]:
    for table_number, game in played.disputed:
        if table_number == table.number:
            yield phrase("Game {game} is disputed: have the referee settle it.", game=game)
    if signs.followed is not None and (problem := obstacle(state, table.number, signs.followed)):
        yield problem
    if signs.contradicted:
        yield phrase("Its device told two stories of a game: the first one counts, ask there.")
    if signs.heard_at is not None and now - signs.heard_at > SILENT_AFTER:
        minutes = (now - signs.heard_at) // A_MINUTE
        yield phrase("Its device was not heard for {minutes} minutes.", minutes=minutes)
