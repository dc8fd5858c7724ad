"""What the table needs from outside, as written contracts."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from datetime import datetime
from typing import Protocol

from scoreboard.games.engine.transcript import GameHeader, GameStatus, RecordedEvent, StoredGame
from scoreboard.table.event import EventView, SeatScore
from scoreboard.table.view import TableView

Clock = Callable[[], datetime]  # the time now, as aware UTC


class EventStore(Protocol):
    """Keeps games and their events; what it returned from is on disk.

    A game in the bin counts as unknown until it is taken back; only `raw` reads it.

    Every method raises StoreError (an OSError too) with a message naming fault and cure
    when the disk is full or cannot be written.
    """

    def open_game(self, header: GameHeader) -> None:
        """Keep a new game's header. Raises ConflictError when the id is taken."""
        ...

    def append(
        self,
        game_id: str,
        expected: int,
        events: Sequence[RecordedEvent],
        standing: GameStatus | None = None,
    ) -> None:
        """Append all of `events` or none, when the game has `expected` events already.

        `standing` is where the game stands after them, kept with them for the list.

        Raises:
            ConflictError: the game has another number of events.
            UnknownGameError: there is no such game (a LookupError too).
            TranscriptError: the game's header cannot be read.
        """
        ...

    def events(self, game_id: str) -> tuple[RecordedEvent, ...]:
        """All events of a game in order.

        Raises:
            UnknownGameError: there is no such game.
            TranscriptError: one of them cannot be read, or is missing.
            SchemaError: the game's rulebook is not known here.
        """
        ...

    def header(self, game_id: str) -> GameHeader:
        """A game's header. Raises UnknownGameError, and TranscriptError for a damaged one."""
        ...

    def headers(self) -> tuple[GameHeader, ...]:
        """All games whose header can be read, newest first."""
        ...

    def games(
        self,
        start: int = 0,
        most: int | None = None,
        ids: Collection[str] | None = None,
        *,
        in_bin: bool = False,
        by_time: bool = False,
    ) -> tuple[StoredGame, ...]:
        """Games newest first, from place `start` on, at most `most`, only those of `ids`.

        The newest is the one that came last, or the one played last `by_time`, as its clock said.

        A game that cannot be read is among them; one that is not there is not. Those of the list,
        or those `in_bin`.
        """
        ...

    def count(self, *, in_bin: bool = False) -> int:
        """How many games there are in the list, or in the bin."""
        ...

    def raw(self, game_id: str) -> str:
        """A game's rows as they are kept, readable or not: JSON, one row a line, the header first.

        Raises:
            UnknownGameError: there is no such game.
        """
        ...

    def keep_standings(self, standings: Mapping[str, tuple[int, GameStatus]]) -> None:
        """Keep where games stand, each after so many events; one that has others is passed over."""
        ...

    def put_in_bin(self, game_id: str, at: datetime) -> None:
        """Move a game from the list into the bin; `at` (aware UTC) is noted with it.

        Raises:
            UnknownGameError: there is no such game in the list.
        """
        ...

    def take_back(self, game_id: str) -> None:
        """Move a game from the bin to its old place in the list.

        Raises:
            UnknownGameError: there is no such game in the bin.
        """
        ...

    def delete(self, game_id: str) -> None:
        """Forget a game and its events, in the list or in the bin. Raises UnknownGameError."""
        ...

    def erase(self, names: Collection[str]) -> None:
        """Delete the people with these names: in all games, of the bin too, they become guests.

        It is the one exception to events that stay as they were recorded.
        """
        ...

    def empty_bin(self, until: datetime) -> tuple[str, ...]:
        """Forget the games that were put into the bin by then; gives their ids."""
        ...


class Announcer(Protocol):
    """Receives what the table shows now; must return quickly and never raise."""

    def announce(self, view: TableView) -> None:
        """Take the newest view."""
        ...


class Notary(Protocol):
    """Keeps the players' answers to a result of an event; what it returned from is on disk.

    `sign`, `dispute` and `enter` give what the table shows of its event from then on.
    """

    def event_view(self) -> EventView | None:
        """How the event stands now; None where the table takes part in none. Never waits long."""
        ...

    def sign(self, game_id: str, entrants: Sequence[int]) -> EventView:
        """These agree to the result.

        Raises:
            NotOfferedError: there is no such result, or one of them spoke already.
            StoreError: it could not be kept.
        """
        ...

    def dispute(self, game_id: str, entrant: int, why: str) -> EventView:
        """One disagrees, and says why.

        Raises:
            NotOfferedError: there is no such result, it is settled, or no reason is given.
            StoreError: it could not be kept.
        """
        ...

    def enter(self, game_id: str, scores: Sequence[SeatScore]) -> EventView:
        """A game ended so; who keeps its score tells no moves. `scores` are in seat order.

        Raises:
            NotOfferedError: that game is not the next one, nor one that was entered and that
                nobody signed.
            StoreError: it could not be kept.
        """
        ...
