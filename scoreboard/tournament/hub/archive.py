"""The games of an event, move by move: exported from one hub, taken over by another."""

from __future__ import annotations

import json

from scoreboard.errors import NotationError
from scoreboard.message import message
from scoreboard.tournament.hub.admission import TableSeat
from scoreboard.tournament.hub.tournament_service import TournamentService
from scoreboard.tournament.model.hash_chain import read_document
from scoreboard.tournament.protocol.items import Item
from scoreboard.tournament.storage.deliveries import SqlDeliveries


class Archive:
    """The delivered games, next to the record that the service exports. Safe for threads.

    Only the record decides the event; the games show how its results came about.
    """

    def __init__(self, deliveries: SqlDeliveries, service: TournamentService) -> None:
        self._deliveries = deliveries
        self._service = service

    def export_games(self, tournament_id: str) -> str:
        """All games as JSON lines: table, game id, and the items as they were delivered.

        Raises:
            UnknownTournamentError: there is no such tournament.
            StoreError: the store is away.
        """
        rounds = self._service.snapshot(tournament_id).state.rounds
        lines: list[str] = []
        for table in sorted({table.number for each in rounds for table in each.draw.tables}):
            for game_id in self._deliveries.games_of(str(TableSeat(tournament_id, table))):
                items = [
                    {"sequence": item.sequence, "body": item.body}
                    for item in self._deliveries.game(game_id)
                ]
                lines.append(json.dumps({"table": table, "game_id": game_id, "items": items}))
        return "".join(f"{line}\n" for line in lines)

    def take_over_games(self, tournament_id: str, text: str) -> int:
        """Keep the games that another hub exported, and answer how many there are.

        What is here already stays; nothing is reported again, since the record has the results.

        Raises:
            NotationError: a line is no game; those before it are kept.
            ConflictError: a game is here, of another table or with other items.
            UnknownTournamentError: there is no such tournament.
            StoreError: the store is away.
        """
        self._service.snapshot(tournament_id)
        lines = [line for line in text.split("\n") if line]
        for number, line in enumerate(lines, start=1):
            table, game_id, items = _game(number, line)
            self._deliveries.take(str(TableSeat(tournament_id, table)), game_id, items)
        return len(lines)


def _game(number: int, line: str) -> tuple[int, str, tuple[Item, ...]]:
    """Table, game id and items of a line. Raises NotationError."""
    try:
        match read_document(line):
            case {"table": int(table), "game_id": str(game_id), "items": list(items), **more} if (
                not more
            ):
                return table, game_id, tuple(Item(**each) for each in items)
    except (ValueError, TypeError) as error:
        raise _unread(number) from error
    raise _unread(number)


def _unread(number: int) -> NotationError:
    return NotationError(message("Line {number} is no game of an event.", number=number))
