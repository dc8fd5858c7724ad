"""Items on their way: what a table sends of one game, and what the hub has of it then."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from msgspec import Meta

from scoreboard.tournament.protocol.bounds import MOST_ITEMS, GameId, Number
from scoreboard.tournament.protocol.items import Held, Item


@dataclass(frozen=True, slots=True)
class Delivery:
    """Items of one game, in any order, as often as need be."""

    game_id: GameId
    items: Annotated[tuple[Item, ...], Meta(max_length=MOST_ITEMS)]

    def __str__(self) -> str:
        """As `items 12-14 of game g1`."""
        numbers = [item.sequence for item in self.items]
        span = f"items {min(numbers)}-{max(numbers)}" if numbers else "no items"
        return f"{span} of game {self.game_id}"


@dataclass(frozen=True, slots=True)
class Receipt:
    """What the hub holds of the game now.

    `disputed` are the items of the delivery whose sequences hold something else: sending them
    again changes nothing, the referee decides.
    """

    held: Held
    disputed: tuple[Number, ...] = ()

    def __str__(self) -> str:
        """As `held 14, disputed: 12, 13`."""
        disputed = ", ".join(map(str, self.disputed))
        return f"held {self.held}{f', disputed: {disputed}' if disputed else ''}"
