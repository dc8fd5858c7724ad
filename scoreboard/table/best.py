"""What a lone player plays against: their own best (YZ-20)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from scoreboard.table.ports import EventStore
from scoreboard.table.sitting import AnyGame, Sitting
from scoreboard.transcript import GameHeader


def best_before(store: EventStore, header: GameHeader, games: Mapping[str, AnyGame]) -> int | None:
    """The best points of this player's other finished solo games, None without any.

    Raises:
        StoreError: a game cannot be read.
    """
    if len(header.players) != 1:
        return None
    return max(_results(store, header, games), default=None)


def _results(store: EventStore, header: GameHeader, games: Mapping[str, AnyGame]) -> Iterator[int]:
    for other in store.headers():
        same = (other.game, other.players) == (header.game, header.players)
        if same and other.game_id != header.game_id:
            outcome = Sitting.stored(store, other.game_id, games).outcome
            if outcome is not None:
                yield outcome.ranking[0].points
