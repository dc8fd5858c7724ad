"""Items that the hub has not acknowledged; derived from the table's own store, never copied."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from threading import Lock
from typing import Any, Final

from scoreboard.errors import UnknownGameError
from scoreboard.games import GAMES
from scoreboard.games.engine.game import Game
from scoreboard.table.ports import EventStore
from scoreboard.tournament.client.attendance import TournamentGame
from scoreboard.tournament.protocol.hub_update import Greeting
from scoreboard.tournament.protocol.items import Delivery, Item, Receipt, StoredItems

MOST_AT_ONCE: Final = 200  # items in a delivery: what is lost on the way is little
NOTHING: Final = StoredItems()


class Outbox:
    """Tracks the unsent items of every game of the tournament; thread-safe.

    `games` gives the tournament's games. Acknowledgements are only in memory: after a restart the
    hub reports what it has.
    """

    def __init__(
        self,
        store: EventStore,
        games: Callable[[], Sequence[TournamentGame]],
        rulebooks: Mapping[str, Game[Any, Any, Any]] = GAMES,
    ) -> None:
        self._store = store
        self._games = games
        self._rulebooks = rulebooks
        self._held: dict[str, StoredItems] = {}
        self._touches: dict[str, int] = {}
        self._done_at: dict[str, int] = {}
        self._barred: set[str] = set()
        self._lock = Lock()

    def forget(self) -> None:
        """Forget all acknowledgements: the next hub is another one."""
        with self._lock:
            self._held.clear()
            self._done_at.clear()
            self._barred.clear()

    def touch(self, game_id: str) -> None:
        """A game may have changed."""
        with self._lock:
            self._touches[game_id] = self._touches.get(game_id, 0) + 1

    def bar(self, game_id: str) -> None:
        """Send no more of this game: the hub refuses it."""
        with self._lock:
            self._barred.add(game_id)

    def greeting(self, heard: int) -> Greeting:
        """Every game with its last sequence, and the acknowledged ones.

        A hub restored from a copy lacks items that it has acknowledged: the greeting names these
        games too, without reading them.
        """
        lasts = {game.game_id: len(self._items(game)) for game in self._unsettled()}
        with self._lock:
            held = {game_id: each.through for game_id, each in self._held.items()}
            lasts = {game_id: held[game_id] for game_id in self._done_at if game_id in held} | lasts
            begun = {key: last for key, last in lasts.items() if last and key not in self._barred}
        return Greeting(begun, heard, {key: held.get(key, 0) for key in begun})

    def greeted(self, greeting: Greeting, wanted: Mapping[str, StoredItems]) -> None:
        """The hub wants items of the games `wanted`; of the others in the greeting it has all."""
        with self._lock:
            self._held |= {game_id: StoredItems(last) for game_id, last in greeting.games.items()}
        self.wanted(wanted)

    def wanted(self, wanted: Mapping[str, StoredItems]) -> None:
        """The hub misses items of these games, whatever it acknowledged before."""
        with self._lock:
            self._held |= wanted
            for game_id in wanted:
                self._done_at.pop(game_id, None)

    def acknowledged(self, game_id: str, receipt: Receipt) -> bool:
        """Note a receipt; return whether it differs from the one before."""
        with self._lock:
            before = self._held.get(game_id)
            self._held[game_id] = receipt.held
        return before != receipt.held

    def pending(self) -> Iterator[Delivery]:
        """The next delivery of each game, oldest game first; empty when all is sent.

        A game of many items needs more than one call.
        """
        for game in self._unsettled():
            touches, missing = self._touches.get(game.game_id, 0), self._missing(game)
            if missing:
                yield Delivery(game.game_id, missing[:MOST_AT_ONCE])
            else:
                # All is acknowledged that there was before the touches were counted.
                with self._lock:
                    if game.game_id in self._held:  # a game that was not begun is not done
                        self._done_at[game.game_id] = touches

    def waiting(self) -> int:
        """The number of items not acknowledged."""
        return sum(len(self._missing(game)) for game in self._unsettled())

    def _unsettled(self) -> list[TournamentGame]:
        with self._lock:
            return [
                game
                for game in self._games()
                if game.game_id not in self._barred
                and self._done_at.get(game.game_id) != self._touches.get(game.game_id, 0)
            ]

    def _missing(self, game: TournamentGame) -> tuple[Item, ...]:
        items = self._items(game)
        with self._lock:
            held = self._held.get(game.game_id, NOTHING)
        return missing_from(held, items)

    def _items(self, game: TournamentGame) -> tuple[Item, ...]:
        """The game's items; none if it was not begun.

        The events are read before their notes: a later note comes after them.
        """
        if game.results:
            return game.entered_items()
        try:
            header, records = self._store.header(game.game_id), self._store.events(game.game_id)
        except UnknownGameError:
            return ()
        now = next((one for one in self._games() if one.game_id == game.game_id), game)
        return now.items(header, records, self._rulebooks[header.game].kinds)


def missing_from(held: StoredItems, items: Sequence[Item]) -> tuple[Item, ...]:
    """The items to send next: the gaps first, then all above."""
    gaps = [
        item for item in items if any(gap.first <= item.sequence <= gap.last for gap in held.gaps)
    ]
    return tuple(gaps or (item for item in items if item.sequence > held.through))
