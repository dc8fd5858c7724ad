"""The games that this process follows: replayed from what is new, each once."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass, field
from threading import Lock
from typing import Final

from scoreboard.tournament.hub.ports import Deliveries
from scoreboard.tournament.hub.replay import replay_items
from scoreboard.tournament.hub.replayed_game import ReplayedGame
from scoreboard.tournament.protocol.items import Item

MOST_GAMES: Final = 2000  # in memory at once; one that was let go is replayed when asked for


@dataclass(slots=True)
class _Seen:
    """A game, held while it is carried on."""

    followed: ReplayedGame
    lock: Lock = field(default_factory=Lock)


class GameReplays:
    """The games as this process knows them. Any thread may use it.

    Every method that reads raises StoreError where the store is away; nothing is lost by that.
    """

    def __init__(self, deliveries: Deliveries) -> None:
        self._deliveries = deliveries
        self._seen: OrderedDict[str, _Seen] = OrderedDict()
        self._lock = Lock()

    def known(self, game_id: str) -> ReplayedGame:
        """The game as far as this process has read it."""
        return self._of(game_id).followed

    def caught_up(self, game_id: str, through: int | None = None) -> ReplayedGame:
        """The game with all that is held of it, or at least as far as `through`."""
        seen = self._of(game_id)
        with seen.lock:
            if through is None or seen.followed.through < through:
                items = self._deliveries.game(game_id, seen.followed.through)
                seen.followed = replay_items(seen.followed, items)
            return seen.followed

    def heard(self, game_id: str, items: Sequence[Item], through: int) -> ReplayedGame:
        """The game up to `through`, of which these items were just kept, undisputed."""
        seen = self._of(game_id)
        with seen.lock:
            in_order = sorted(items, key=lambda item: item.sequence)
            seen.followed = replay_items(seen.followed, in_order)
        return self.caught_up(game_id, through)

    def _of(self, game_id: str) -> _Seen:
        with self._lock:
            seen = self._seen.get(game_id)
            if seen is None:
                seen = self._seen[game_id] = _Seen(ReplayedGame(game_id))
            self._seen.move_to_end(game_id)
            if len(self._seen) > MOST_GAMES:
                self._seen.popitem(last=False)
            return seen
