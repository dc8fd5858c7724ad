"""Games kept in memory: gone when the process ends, for tests and for trying out."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from threading import Lock

from scoreboard.errors import UnknownGameError
from scoreboard.games import GAMES
from scoreboard.games.engine.transcript import GameHeader, GameStatus, RecordedEvent, StoredGame
from scoreboard.storage.rows import (
    event_row,
    header_row,
    moved_on,
    raw_lines,
    require_successive,
    taken,
)


class MemoryStore:
    """An event store without a disk; keeps the contract of `scoreboard.table.ports.EventStore`."""

    def __init__(self) -> None:
        self._games: dict[str, tuple[GameHeader, tuple[RecordedEvent, ...]]] = {}
        self._standings: dict[str, tuple[int, GameStatus]] = {}  # after so many events
        self._lock = Lock()

    def close(self) -> None:
        """Nothing to let go of; so that any store can be closed."""

    def open_game(self, header: GameHeader) -> None:
        """Keep a new game's header."""
        with self._lock:
            if header.game_id in self._games:
                raise taken(header.game_id)
            self._games[header.game_id] = (header, ())

    def append(
        self,
        game_id: str,
        expected: int,
        events: Sequence[RecordedEvent],
        standing: GameStatus | None = None,
    ) -> None:
        """Append all of `events` or none, when the game has `expected` events already."""
        with self._lock:
            header, stored = self._game(game_id)
            if len(stored) != expected:
                raise moved_on(game_id, len(stored), expected)
            require_successive(game_id, expected, events)
            self._games[game_id] = (header, (*stored, *events))
            if standing is not None and events:
                self._standings[game_id] = (expected + len(events), standing)

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

    def games(
        self, start: int = 0, most: int | None = None, ids: Collection[str] | None = None
    ) -> tuple[StoredGame, ...]:
        """Games newest first, from place `start` on, at most `most`, only those of `ids`."""
        with self._lock:
            found = [one for one in reversed(self._games) if ids is None or one in ids]
            end = None if most is None else start + most
            return tuple(map(self._stored, found[start:end]))

    def count(self) -> int:
        """How many games there are."""
        return len(self._games)

    def raw(self, game_id: str) -> str:
        """A game's rows as a database would keep them: JSON, one row a line."""
        header, events = self._game(game_id)
        kinds = GAMES[header.game].kinds
        return raw_lines(header_row(header), (event_row(one, kinds) for one in events))

    def keep_standings(self, standings: Mapping[str, tuple[int, GameStatus]]) -> None:
        """Keep where games stand, each after so many events; one that has others is passed over."""
        with self._lock:
            self._standings.update(standings)

    def delete(self, game_id: str) -> None:
        """Forget a game and its events. Raises UnknownGameError."""
        with self._lock:
            self._game(game_id)
            del self._games[game_id]
            self._standings.pop(game_id, None)

    def _stored(self, game_id: str) -> StoredGame:
        header, events = self._games[game_id]
        count, standing = self._standings.get(game_id, (0, None))
        return StoredGame(game_id, header, standing if count == len(events) else None)

    def _game(self, game_id: str) -> tuple[GameHeader, tuple[RecordedEvent, ...]]:
        try:
            return self._games[game_id]
        except KeyError as error:
            raise UnknownGameError(game_id) from error
