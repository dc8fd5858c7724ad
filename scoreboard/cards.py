"""Tong Tong's cards: numbers 1 to 8 in five colours."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final, Literal, get_args

from scoreboard.errors import NotationError
from scoreboard.phrase import phrase

CardColour = Literal["R", "B", "G", "P", "Y"]
CARD_COLOURS: Final[tuple[CardColour, ...]] = get_args(CardColour)
CARD_NUMBERS: Final = range(1, 9)
_CARD: Final = re.compile(r"([RBGPY])([1-8])")


@dataclass(frozen=True, slots=True, order=True)
class Card:
    """A card; notation `R8` red, `B8` blue, `G8` green, `P8` purple, `Y8` yellow (TT-1)."""

    colour: CardColour
    number: int

    @classmethod
    def parse(cls, text: str) -> Card:
        """Read one card.

        Raises:
            NotationError: the text is no card.
        """
        found = _CARD.fullmatch(text.strip().upper())
        if found is None:
            raise NotationError(
                phrase("“{text}” is no card: write R8, B1, G4, P6 or Y3.", text=text)
            )
        colour = next(each for each in CARD_COLOURS if each == found[1])
        return cls(colour, int(found[2]))

    def __str__(self) -> str:
        return f"{self.colour}{self.number}"


LEADING: Final = Card("R", 8)
