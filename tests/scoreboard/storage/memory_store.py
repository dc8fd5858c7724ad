"""A fake store for tests of what uses one: it keeps games in memory, under the same contract."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from threading import Lock
from typing import Any

from scoreboard.errors import UnknownGameError
from scoreboard.games import GAMES
from scoreboard.games.engine.transcript import (
    NAMING,
    GameHeader,
    GameStatus,
    RecordedEvent,
    StoredGame,
)
from scoreboard.players import guests_for
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
        self._bin: dict[str, datetime] = {}
        self._lock = Lock()

    def close(self) -> None:
        """Nothing to let go of; so that any store can be closed."""

    def open_game(self, header: GameHeader) -> None:
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
        with self._lock:
            header, stored = self._listed(game_id)
            if len(stored) != expected:
                raise moved_on(game_id, len(stored), expected)
            require_successive(game_id, expected, events)
            self._games[game_id] = (header, (*stored, *events))
            if standing is not None and events:
                self._standings[game_id] = (expected + len(events), standing)

    def seat(self, game_id: str, players: Sequence[str]) -> None:
        with self._lock:
            header, stored = self._listed(game_id)
            self._games[game_id] = (replace(header, players=tuple(players)), stored)

    def events(self, game_id: str) -> tuple[RecordedEvent, ...]:
        return self._listed(game_id)[1]

    def header(self, game_id: str) -> GameHeader:
        return self._listed(game_id)[0]

    def headers(self) -> tuple[GameHeader, ...]:
        with self._lock:
            listed = (one for one in reversed(self._games) if one not in self._bin)
            return tuple(self._games[one][0] for one in listed)

    def games(
        self,
        start: int = 0,
        most: int | None = None,
        ids: Collection[str] | None = None,
        *,
        in_bin: bool = False,
        by_time: bool = False,
    ) -> tuple[StoredGame, ...]:
        with self._lock:
            asked = (one for one in reversed(self._games) if (one in self._bin) == in_bin)
            found = [one for one in asked if ids is None or one in ids]
            if by_time:
                found.sort(key=lambda one: self._games[one][0].opened_at, reverse=True)
            end = None if most is None else start + most
            return tuple(map(self._stored, found[start:end]))

    def count(self, *, in_bin: bool = False) -> int:
        with self._lock:
            return len(self._bin) if in_bin else len(self._games) - len(self._bin)

    def raw(self, game_id: str) -> str:
        header, events = self._game(game_id)
        kinds = GAMES[header.game].kinds
        return raw_lines(header_row(header), (event_row(one, kinds) for one in events))

    def keep_standings(self, standings: Mapping[str, tuple[int, GameStatus]]) -> None:
        with self._lock:
            self._standings.update(standings)

    def put_in_bin(self, game_id: str, at: datetime) -> None:
        with self._lock:
            self._listed(game_id)
            self._bin[game_id] = at

    def take_back(self, game_id: str) -> None:
        with self._lock:
            if self._bin.pop(game_id, None) is None:
                raise UnknownGameError(game_id)

    def delete(self, game_id: str) -> None:
        with self._lock:
            self._game(game_id)
            self._forget(game_id)

    def empty_bin(self, until: datetime) -> tuple[str, ...]:
        with self._lock:
            due = tuple(game_id for game_id, at in self._bin.items() if at <= until)
            for game_id in due:
                self._forget(game_id)
            return due

    def erase(self, names: Collection[str]) -> None:
        with self._lock:
            for game_id, (header, events) in self._games.items():
                theirs = [name for name in header.players if name in names]
                guests = guests_for(theirs, header.players)
                players = tuple(guests.get(name, name) for name in header.players)
                renamed = tuple(_renamed(one, guests) for one in events)
                self._games[game_id] = (replace(header, players=players), renamed)

    def _forget(self, game_id: str) -> None:
        del self._games[game_id]
        self._standings.pop(game_id, None)
        self._bin.pop(game_id, None)

    def _stored(self, game_id: str) -> StoredGame:
        header, events = self._games[game_id]
        count, standing = self._standings.get(game_id, (0, None))
        known = StoredGame(game_id, header, standing if count == len(events) else None)
        return replace(known, deleted_at=self._bin.get(game_id))

    def _listed(self, game_id: str) -> tuple[GameHeader, tuple[RecordedEvent, ...]]:
        if game_id in self._bin:
            raise UnknownGameError(game_id, in_bin=True)
        return self._game(game_id)

    def _game(self, game_id: str) -> tuple[GameHeader, tuple[RecordedEvent, ...]]:
        try:
            return self._games[game_id]
        except KeyError as error:
            raise UnknownGameError(game_id) from error


def _renamed(record: RecordedEvent, guests: Mapping[str, str]) -> RecordedEvent:
    event: Any = record.event
    named = {name: getattr(event, name) for name in NAMING if hasattr(event, name)}
    renamed = {name: guests[player] for name, player in named.items() if player in guests}
    return replace(record, event=replace(event, **renamed)) if renamed else record
