"""The table's dependencies as contracts."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from datetime import datetime
from typing import Protocol

from scoreboard.games.engine.transcript import GameHeader, GameStatus, RecordedEvent, StoredGame
from scoreboard.table.tournament_view import SeatScore, TournamentView
from scoreboard.table.view import TableView

Clock = Callable[[], datetime]  # the time now, as aware UTC


class EventStore(Protocol):
    """Stores games and their events; when a method returns, its change is on disk.

    A game in the bin counts as unknown until it is taken back; only `raw` reads it. Every method
    raises StoreError (an OSError too), with fault and cure, when the disk is full or read-only.
    """

    def open_game(self, header: GameHeader) -> None:
        """Store a new game's header. Raises ConflictError: the id is taken."""

    def append(
        self,
        game_id: str,
        expected: int,
        events: Sequence[RecordedEvent],
        standing: GameStatus | None = None,
    ) -> None:
        """Append all of `events` or none, if the game has `expected` events; and its `standing`.

        Raises ConflictError (it has another number of events), UnknownGameError (a LookupError
        too), TranscriptError (its header cannot be read).
        """

    def seat(self, game_id: str, players: Sequence[str]) -> None:
        """Store who plays a listed game, in seat order. Raises UnknownGameError."""

    def events(self, game_id: str) -> tuple[RecordedEvent, ...]:
        """All events of a game in order.

        Raises UnknownGameError, TranscriptError (one cannot be read, or is missing), SchemaError
        (its rulebook is not known here).
        """

    def header(self, game_id: str) -> GameHeader:
        """A game's header. Raises UnknownGameError, and TranscriptError for a damaged one."""

    def headers(self) -> tuple[GameHeader, ...]:
        """All games whose header can be read, newest first."""

    def games(
        self,
        start: int = 0,
        most: int | None = None,
        ids: Collection[str] | None = None,
        *,
        in_bin: bool = False,
        by_time: bool = False,
    ) -> tuple[StoredGame, ...]:
        """Games newest first, at most `most` from place `start` on, only those of `ids`.

        The newest is the last one stored, or the last one played if `by_time`. Unreadable games are
        included; missing ones are not. Those of the list, or those `in_bin`.
        """

    def count(self, *, in_bin: bool = False) -> int:
        """The number of games in the list, or in the bin."""

    def raw(self, game_id: str) -> str:
        """A game's rows, readable or not, as lines of JSON. Raises UnknownGameError."""

    def keep_standings(self, standings: Mapping[str, tuple[int, GameStatus]]) -> None:
        """Keep the status of games, each after that number of events, unless it has another now."""

    def put_in_bin(self, game_id: str, at: datetime) -> None:
        """Move a listed game into the bin at that time (aware UTC). Raises UnknownGameError."""

    def take_back(self, game_id: str) -> None:
        """Move a game from the bin to its old place in the list. Raises UnknownGameError."""

    def delete(self, game_id: str) -> None:
        """Delete a game and its events, in the list or in the bin. Raises UnknownGameError."""

    def erase(self, names: Collection[str]) -> None:
        """Make guests of these people in all games, of the bin too (decision 0033)."""

    def empty_bin(self, until: datetime) -> tuple[str, ...]:
        """Forget the games that were put into the bin by then; gives their ids."""


class Announcer(Protocol):
    """Receives what the table shows now; must return quickly and never raise."""

    def announce(self, view: TableView) -> None: ...


class Notary(Protocol):
    """Stores the players' answers to a tournament's results on disk before it returns.

    `sign`, `dispute` and `enter` give the table's new view of its tournament.
    """

    def event_view(self) -> TournamentView | None:
        """The tournament now, or None. Never waits long."""

    def sign(self, game_id: str, entrants: Sequence[int]) -> TournamentView:
        """These agree to the result.

        Raises NotOfferedError (there is none, or one of them has answered), StoreError.
        """

    def dispute(self, game_id: str, entrant: int, why: str) -> TournamentView:
        """One disagrees, and gives a reason.

        Raises NotOfferedError (no such result, a settled one, or no reason), StoreError.
        """

    def enter(self, game_id: str, scores: Sequence[SeatScore]) -> TournamentView:
        """Enter a game's result without its moves; `scores` are in seat order.

        Raises NotOfferedError (neither the next game, nor an entered one without signatures),
        StoreError.
        """
