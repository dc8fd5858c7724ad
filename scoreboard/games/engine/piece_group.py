"""What lies on the table beside the dice: sets of tiles, tricks and piles of cards."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from scoreboard.message import Message

Pieces = Literal["tiles", "cards"]


@dataclass(frozen=True, slots=True)
class PieceGroup:
    """Tiles or cards that lie together, each in its notation, in the order in which they lie.

    `label` says what they are (“the trick”, a player's piles), None where it is plain to see.
    """

    kind: Pieces
    pieces: tuple[str, ...]
    label: Message | None = None
