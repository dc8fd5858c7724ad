"""What tables deliver, in memory."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from threading import RLock

from scoreboard.tournament.protocol.items import (
    Dispute,
    DisputedDeliveryError,
    Held,
    Item,
    held_from,
)
from scoreboard.tournament.storage.deduplication import sift
from scoreboard.tournament.storage.encoding import read, written
from scoreboard.tournament.storage.memory_change_log import MemoryChangeLog
from scoreboard.tournament.storage.refusals import of_another_table


@dataclass(slots=True)
class _Game:
    """A game's table, and its items as written."""

    table: str
    items: dict[int, str] = field(default_factory=dict)

    def held(self) -> Held:
        return held_from(0, self.items)


class MemoryDeliveries:
    """Keeps the contract of `scoreboard.tournament.hub.ports.Deliveries`."""

    def __init__(self, lock: RLock, change_log: MemoryChangeLog) -> None:
        self._lock = lock
        self._change_log = change_log
        self._games: dict[str, _Game] = {}
        self._disputes: dict[tuple[str, int, str], Dispute] = {}

    def take(self, table: str, game_id: str, items: Sequence[Item]) -> Held:
        """Keep the items that are not held yet, and answer what is held of the game now.

        Raises:
            DisputedDeliveryError: items differ from the held ones of their sequences.
            ConflictError: the game is another table's; nothing is kept.
            ValueError: a body is not JSON; nothing is kept.
        """
        offered = [(item.sequence, written(item.body)) for item in items]
        with self._lock:
            game = self._games.get(game_id)
            if game is None:
                game = self._games[game_id] = _Game(table)
            if game.table != table:
                raise of_another_table(game_id, game.table)
            sifted = sift(game.items, offered)
            game.items.update(sifted.new)
            held = game.held()
            if sifted.new:
                self._change_log.publish("game", game_id, held.through)
            disputes = [self._dispute(game_id, table, *one) for one in sifted.disputed]
        if disputes:
            raise DisputedDeliveryError(disputes, held)
        return held

    def held(self, game_id: str) -> Held:
        """What is held of a game; nothing of an unknown one."""
        with self._lock:
            return self._games[game_id].held() if game_id in self._games else Held()

    def game(self, game_id: str, after: int = 0) -> tuple[Item, ...]:
        """The held items above the sequence `after`, in order, those above gaps too."""
        with self._lock:
            items = dict(self._games[game_id].items) if game_id in self._games else {}
        return tuple(
            Item(sequence, read(body))
            for sequence, body in sorted(items.items())
            if sequence > after
        )

    def table_of(self, game_id: str) -> str | None:
        """The table that delivers of a game; None for an unknown one."""
        with self._lock:
            return self._games[game_id].table if game_id in self._games else None

    def games_of(self, table: str) -> tuple[str, ...]:
        """The ids of the games that a table delivered of, first delivered first."""
        with self._lock:
            return tuple(game_id for game_id, game in self._games.items() if game.table == table)

    def disputes(self) -> tuple[Dispute, ...]:
        """What was offered for sequences that hold something else, each once, oldest first."""
        with self._lock:
            return tuple(self._disputes.values())

    def _dispute(self, game_id: str, table: str, sequence: int, held: str, offered: str) -> Dispute:
        key = (game_id, sequence, offered)
        if key not in self._disputes:
            self._disputes[key] = Dispute(game_id, sequence, table, read(held), read(offered))
            self._change_log.publish("dispute", game_id, sequence)
        return self._disputes[key]
