"""When the round that is being played began, for the clock of the board."""

from __future__ import annotations

from datetime import datetime

from scoreboard.hub.desk import HubDesk
from scoreboard.hub.look import Look
from scoreboard.tournament.happenings import RoundStarted


class Beginnings:
    """Looks up once a round when it began. Any thread may ask."""

    def __init__(self, desk: HubDesk) -> None:
        self._desk = desk
        self._known: dict[tuple[str, int, str], datetime | None] = {}

    def of(self, look: Look) -> datetime | None:
        """When the last round began; None where none is being played."""
        last = look.state.last_round
        if last is None or last.phase != "running":
            return None
        key = (look.header.tournament_id, last.number, str(last.draw))
        if key not in self._known:
            self._known[key] = self._looked_up(look.header.tournament_id, last.number)
        return self._known[key]

    def _looked_up(self, tournament_id: str, number: int) -> datetime | None:
        for record in reversed(self._desk.happenings(tournament_id)):
            if record.happening == RoundStarted(number):
                return record.recorded_at
        return None
