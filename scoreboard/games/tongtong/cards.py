"""Tong Tong's cards: numbers 1 to 8 in five colours."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final, Literal, get_args

from scoreboard.errors import NotationError
from scoreboard.message import message

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
                message("“{text}” is no card: write R8, B1, G4, P6 or Y3.", text=text)
            )
        colour = next(each for each in CARD_COLOURS if each == found[1])
        return cls(colour, int(found[2]))

    def __str__(self) -> str:
        return f"{self.colour}{self.number}"


LEADING: Final = Card("R", 8)


@dataclass(frozen=True, slots=True)
class Cards:
    """Some cards in the order told, as in a hand; notation `R8 B1 G4`, `-` for none."""

    cards: tuple[Card, ...] = ()

    @classmethod
    def parse(cls, text: str) -> Cards:
        """Read the notation: cards with blanks between them; `-` or nothing is none.

        Raises:
            NotationError: a part of the text is no card.
        """
        parts = [] if text.strip() == "-" else text.split()
        return cls(tuple(map(Card.parse, parts)))

    def __str__(self) -> str:
        return " ".join(map(str, self.cards)) or "-"

    def __len__(self) -> int:
        return len(self.cards)


def deck(colours: Iterable[CardColour]) -> tuple[Card, ...]:
    """All cards of these colours, each once (TT-1)."""
    return tuple(Card(colour, number) for colour in colours for number in CARD_NUMBERS)
