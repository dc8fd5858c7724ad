"""The word that a table is told, out of a look at its tournament."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from scoreboard.message import Message, message
from scoreboard.tournament.hub.snapshot import TournamentSnapshot
from scoreboard.tournament.hub.table_schedule import (
    Results,
    result_updates,
    results_at,
    seating_update,
)
from scoreboard.tournament.protocol.hub_update import HubUpdate, LocalizedText
from scoreboard.tournament.protocol.items import Held


def update_for(
    snapshot: TournamentSnapshot, table: int, wanted: Mapping[str, Held], problem: Message | None
) -> HubUpdate:
    """What the table with this number has to know; `problem` is told unless there is more to say.

    Its version is that of the last happening that changed it.
    """
    update = HubUpdate(
        version=snapshot.changes.last(table),
        place=table,
        title=snapshot.header.title,
        wanted=wanted,
    )
    played = snapshot.state.last_round
    seated = None if played is None else played.table(table)
    if played is None or seated is None:
        return _saying(update, problem)
    results = results_at(played, table)
    told = replace(
        update,
        sitting=seating_update(snapshot.state, played, seated, results),
        results=result_updates(played, results),
    )
    return _saying(told, _dispute(results) or problem)


def _saying(update: HubUpdate, notice: Message | None) -> HubUpdate:
    if notice is None:
        return update
    return replace(update, notice=str(notice), said=LocalizedText.of(notice))


def _dispute(results: Results) -> Message | None:
    disputed = [game for game, reported in results.items() if reported.phase == "disputed"]
    if not disputed:
        return None
    return message("Game {game} is disputed: the referee settles it. Play on.", game=disputed[0])
