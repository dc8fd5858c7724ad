"""The cards that a player has won: a pile a colour, of which the top counts."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from scoreboard.cards import CARD_COLOURS, Card

BONUS: Final = 6


@dataclass(frozen=True, slots=True)
class Piles:
    """The tops by colour, at most one each, and how many 6s were won (TT-7, TT-9)."""

    tops: tuple[Card, ...] = ()
    sixes: int = 0

    def with_won(self, cards: Iterable[Card]) -> Piles:
        """TT-7: of each colour the lowest of the newly won cards lies on top now."""
        won = tuple(cards)
        tops = {card.colour: card for card in self.tops}
        for colour in CARD_COLOURS:
            fresh = [card for card in won if card.colour == colour]
            if fresh:
                tops[colour] = min(fresh)
        sixes = sum(card.number == BONUS for card in won)
        ordered = tuple(tops[colour] for colour in CARD_COLOURS if colour in tops)
        return Piles(ordered, self.sixes + sixes)

    @property
    def sum(self) -> int:
        """TT-8: the tops added; 0 for who won nothing."""
        return sum(card.number for card in self.tops)
