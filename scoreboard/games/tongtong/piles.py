"""The cards that a player has won: a pile a colour, of which the top counts."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from scoreboard.errors import NotationError
from scoreboard.games.tongtong.cards import CARD_COLOURS, Card
from scoreboard.message import message

BONUS: Final = 6
_SIXES: Final = re.compile(r"\+([0-9]{1,2})")


@dataclass(frozen=True, slots=True)
class Piles:
    """The tops by colour, at most one each, and how many 6s were won (TT-7, TT-9).

    Notation `R5 B3 +2`: the tops, then the 6s; `-` for who won nothing.
    """

    tops: tuple[Card, ...] = ()
    sixes: int = 0

    @classmethod
    def parse(cls, text: str) -> Piles:
        """Read the notation; `+0` may be left out, and the tops come in any order.

        Raises:
            NotationError: there is nothing to read, or a part of the text is neither.
        """
        parts = text.split()
        if not parts:
            raise NotationError(
                message("Write the tops and how many 6s were won, as in R5 B3 +2; - for none.")
            )
        found = _SIXES.fullmatch(parts[-1])
        told = [] if parts == ["-"] else parts[: len(parts) - bool(found)]
        tops = sorted(map(Card.parse, told), key=lambda top: CARD_COLOURS.index(top.colour))
        return cls(tuple(tops), int(found[1]) if found else 0)

    def __str__(self) -> str:
        if not (self.tops or self.sixes):
            return "-"
        return " ".join([*map(str, self.tops), f"+{self.sixes}"])

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
    def open_sixes(self) -> int:
        """How many of the tops are 6s: so many were won at least (TT-9)."""
        return sum(top.number == BONUS for top in self.tops)

    @property
    def sum(self) -> int:
        """TT-8: the tops added; 0 for who won nothing."""
        return sum(card.number for card in self.tops)
