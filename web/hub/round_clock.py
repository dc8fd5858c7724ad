"""When the round that is being played began, for the clock of the board."""

from __future__ import annotations

from datetime import datetime

from scoreboard.tournament.hub.snapshot import TournamentSnapshot
from scoreboard.tournament.hub.tournament_service import TournamentService
from scoreboard.tournament.model.rounds import RoundStarted


class RoundClocks:
    """Looks up once a round when it began. Any thread may ask."""

    def __init__(self, service: TournamentService) -> None:
        self._service = service
        self._known: dict[tuple[str, int, str], datetime | None] = {}

    def of(self, snapshot: TournamentSnapshot) -> datetime | None:
        """When the last round began; None where none is being played."""
        last = snapshot.state.last_round
        if last is None or last.phase != "running":
            return None
        key = (snapshot.header.tournament_id, last.number, str(last.draw))
        if key not in self._known:
            self._known[key] = self._looked_up(snapshot.header.tournament_id, last.number)
        return self._known[key]

    def _looked_up(self, tournament_id: str, number: int) -> datetime | None:
        for record in reversed(self._service.events(tournament_id)):
            if record.event == RoundStarted(number):
                return record.recorded_at
        return None
