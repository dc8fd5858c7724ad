"""Games kept in memory: gone when the process ends, for tests and for trying out."""

from __future__ import annotations

from collections.abc import Sequence
from threading import Lock

from scoreboard.errors import UnknownGameError
from scoreboard.store.refusals import moved_on, require_successive, taken
from scoreboard.transcript import GameHeader, RecordedEvent


class MemoryStore:
    """An event store without a disk; keeps the contract of `scoreboard.table.ports.EventStore`."""

    def __init__(self) -> None:
        self._games: dict[str, tuple[GameHeader, tuple[RecordedEvent, ...]]] = {}
        self._lock = Lock()

    def close(self) -> None:
        """Nothing to let go of; so that any store can be closed."""

    def open_game(self, header: GameHeader) -> None:
        """Keep a new game's header.

        Raises:
            ConflictError: the id is taken.
        """
        with self._lock:
            if header.game_id in self._games:
                raise taken(header.game_id)
            self._games[header.game_id] = (header, ())

    def append(self, game_id: str, expected: int, events: Sequence[RecordedEvent]) -> None:
        """Append all of `events` or none, when the game has `expected` events already.

        Raises:
            ConflictError: the game has another number of events.
            UnknownGameError: there is no such game.
        """
        with self._lock:
            header, stored = self._game(game_id)
            if len(stored) != expected:
                raise moved_on(game_id, len(stored), expected)
            require_successive(game_id, expected, events)
            self._games[game_id] = (header, (*stored, *events))

    def events(self, game_id: str) -> tuple[RecordedEvent, ...]:
        """All events of a game in order. Raises UnknownGameError."""
        return self._game(game_id)[1]

    def header(self, game_id: str) -> GameHeader:
        """A game's header. Raises UnknownGameError."""
        return self._game(game_id)[0]

    def headers(self) -> tuple[GameHeader, ...]:
        """All games, newest first."""
        with self._lock:
            return tuple(header for header, _ in reversed(self._games.values()))

    def delete(self, game_id: str) -> None:
        """Forget a game and its events. Raises UnknownGameError."""
        with self._lock:
            self._game(game_id)
            del self._games[game_id]

    def _game(self, game_id: str) -> tuple[GameHeader, tuple[RecordedEvent, ...]]:
        try:
            return self._games[game_id]
        except KeyError as error:
            raise UnknownGameError(game_id) from error
