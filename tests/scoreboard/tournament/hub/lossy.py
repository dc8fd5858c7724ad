"""A way between tables and hub that loses, doubles, delays and reorders, by chance alone."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from random import Random

from scoreboard.tournament.protocol.items import Item, Receipt, StoredItems

Deliver = Callable[[int, str, Sequence[Item]], Receipt]


class Device:
    """A table's device: sends of each game what was not acknowledged, until all was."""

    def __init__(self, table: int, games: dict[str, tuple[Item, ...]]) -> None:
        self.table = table
        self._games = games
        self._held = dict.fromkeys(games, StoredItems())

    @property
    def is_done(self) -> bool:
        """Whether every item is acknowledged."""
        return all(
            held.through == len(self._games[game_id]) for game_id, held in self._held.items()
        )

    def sends(self, chance: Random) -> Iterator[tuple[str, tuple[Item, ...]]]:
        """Deliveries of some games, each of what is missing first, not all at once."""
        for game_id, items in self._games.items():
            missing = items[self._held[game_id].through :]
            if missing and chance.random() < 0.5:
                yield game_id, missing[: chance.randint(1, 4)]

    def hears(self, game_id: str, receipt: Receipt) -> None:
        """The hub acknowledges; an old receipt may come late."""
        if receipt.held.through > self._held[game_id].through:
            self._held[game_id] = receipt.held


class LossyWay:
    """Carries deliveries and receipts, each of them never, once, or more often, in any order."""

    def __init__(self, deliver: Deliver, chance: Random) -> None:
        self.deliver = deliver
        self._chance = chance
        self._under_way: list[Callable[[], None]] = []

    def carry(self, device: Device) -> None:
        """Take what a device sends."""
        for game_id, items in device.sends(self._chance):
            self._post(partial(self._arrive, device, game_id, items))

    def pass_by(self) -> None:
        """Some of what is under way arrives."""
        self._chance.shuffle(self._under_way)
        arriving, self._under_way = self._under_way[::2], self._under_way[1::2]
        for arrives in arriving:
            arrives()

    def _arrive(self, device: Device, game_id: str, items: Sequence[Item]) -> None:
        receipt = self.deliver(device.table, game_id, items)
        self._post(partial(device.hears, game_id, receipt))

    def _post(self, arrives: Callable[[], None]) -> None:
        """Lost one time in five, doubled one time in five."""
        self._under_way += [arrives] * self._chance.choice((0, 1, 1, 1, 2))
