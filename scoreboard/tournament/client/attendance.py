"""All that a table has to remember of its event, as one value that a file can hold."""

from __future__ import annotations

from dataclasses import dataclass, replace

from scoreboard.tournament.client.event_game import EventGame, Note
from scoreboard.tournament.client.ticket import Ticket
from scoreboard.tournament.protocol.hub_update import HubUpdate


@dataclass(frozen=True, slots=True)
class Attendance:
    """The ticket, the games of the event at this table, and the hub's last word."""

    ticket: Ticket
    games: tuple[EventGame, ...] = ()
    word: HubUpdate | None = None

    def with_game(self, game: EventGame) -> Attendance:
        """With one more game."""
        return replace(self, games=(*self.games, game))

    def noted(self, game_id: str, *notes: Note) -> Attendance:
        """After more was said of a game."""
        games = (game.noted(*notes) if game.game_id == game_id else game for game in self.games)
        return replace(self, games=tuple(games))

    def heard(self, update: HubUpdate) -> Attendance:
        """After the hub's word."""
        return replace(self, word=update)
