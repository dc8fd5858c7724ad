"""What the table needs from outside, as written contracts."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Protocol

from scoreboard.table.view import TableView
from scoreboard.transcript import GameHeader, RecordedEvent


class EventStore(Protocol):
    """Keeps games and their events; what it returned from is on disk.

    Every method raises StoreError (an OSError too) with a phrase naming fault and cure
    when the disk is full or cannot be written.
    """

    def open_game(self, header: GameHeader) -> None:
        """Keep a new game's header. Raises ConflictError when the id is taken."""
        ...

    def append(self, game_id: str, expected: int, events: Sequence[RecordedEvent]) -> None:
        """Append all of `events` or none, when the game has `expected` events already.

        Raises:
            ConflictError: the game has another number of events.
            UnknownGameError: there is no such game (a LookupError too).
        """
        ...

    def events(self, game_id: str) -> tuple[RecordedEvent, ...]:
        """All events of a game in order. Raises UnknownGameError."""
        ...

    def header(self, game_id: str) -> GameHeader:
        """A game's header. Raises UnknownGameError."""
        ...

    def headers(self) -> tuple[GameHeader, ...]:
        """All games, newest first."""
        ...

    def delete(self, game_id: str) -> None:
        """Forget a game and its events. Raises UnknownGameError."""
        ...


class Announcer(Protocol):
    """Is told what the table shows now; must return quickly and never raise."""

    def announce(self, view: TableView) -> None:
        """Take the newest view."""
        ...


class Clock(Protocol):
    """Tells the time."""

    def __call__(self) -> datetime:
        """Now, as aware UTC."""
        ...


def nobody_reads() -> None:
    """Read the table again where there is no camera: nothing happens."""
