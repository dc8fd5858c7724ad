"""Cards, the piles that players win, and tricks."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Final, Literal, get_args

from scoreboard.errors import NotationError
from scoreboard.message import Message, message

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
        """Read one card. Raises NotationError."""
        found = _CARD.fullmatch(text.strip().upper())
        if found is None:
            why = message("“{text}” is no card: write R8, B1, G4, P6 or Y3.", text=text)
            raise NotationError(why)
        return cls(next(each for each in CARD_COLOURS if each == found[1]), int(found[2]))

    def __str__(self) -> str:
        return f"{self.colour}{self.number}"


LEADING: Final = Card("R", 8)


@dataclass(frozen=True, slots=True)
class Cards:
    """Some cards in the order entered, as in a hand; notation `R8 B1 G4`, `-` for none."""

    cards: tuple[Card, ...] = ()

    @classmethod
    def parse(cls, text: str) -> Cards:
        """Read cards with blanks between them; `-` or nothing is none. Raises NotationError."""
        return cls(tuple(map(Card.parse, [] if text.strip() == "-" else text.split())))

    def __str__(self) -> str:
        return " ".join(map(str, self.cards)) or "-"

    def __len__(self) -> int:
        return len(self.cards)


def deck(colours: Iterable[CardColour]) -> tuple[Card, ...]:
    """All cards of these colours, each once (TT-1)."""
    return tuple(Card(colour, number) for colour in colours for number in CARD_NUMBERS)


_NAMED: Final[Mapping[CardColour, Callable[[int], Message]]] = {
    "R": lambda number: message("red {number}", number=number),
    "B": lambda number: message("blue {number}", number=number),
    "G": lambda number: message("green {number}", number=number),
    "P": lambda number: message("purple {number}", number=number),
    "Y": lambda number: message("yellow {number}", number=number),
}


def named(card: Card) -> Message:
    """One card in words: “red 8”."""
    return _NAMED[card.colour](card.number)


BONUS: Final = 6
_SIXES: Final = re.compile(r"\+([0-9]{1,2})")


@dataclass(frozen=True, slots=True)
class Piles:
    """The tops by colour, at most one each, and how many 6s were won (TT-7, TT-9).

    Notation `R5 B3 +2`: the tops, then the 6s; `-` for a player without any.
    """

    tops: tuple[Card, ...] = ()
    sixes: int = 0

    @classmethod
    def parse(cls, text: str) -> Piles:
        """Read the tops in any order; `+0` may be left out. Raises NotationError."""
        parts = text.split()
        if not parts:
            why = message("Write the tops and how many 6s were won, as in R5 B3 +2; - for none.")
            raise NotationError(why)
        found = _SIXES.fullmatch(parts[-1])
        tops = [] if parts == ["-"] else parts[: len(parts) - bool(found)]
        cards = sorted(map(Card.parse, tops), key=lambda top: CARD_COLOURS.index(top.colour))
        return cls(tuple(cards), int(found[1]) if found else 0)

    def __str__(self) -> str:
        if not (self.tops or self.sixes):
            return "-"
        return " ".join([*map(str, self.tops), f"+{self.sixes}"])

    def with_won(self, cards: Iterable[Card]) -> Piles:
        """TT-7: the lowest newly won card of each colour is the new top."""
        won = sorted(cards, reverse=True)
        tops = {card.colour: card for card in (*self.tops, *won)}
        ordered = tuple(tops[colour] for colour in CARD_COLOURS if colour in tops)
        return Piles(ordered, self.sixes + sum(card.number == BONUS for card in won))

    @property
    def open_sixes(self) -> int:
        """The number of 6s among the tops: at least as many were won (TT-9)."""
        return sum(top.number == BONUS for top in self.tops)

    def sum(self) -> int:
        """TT-8: the tops added; 0 without any."""
        return sum(card.number for card in self.tops)


TAKES_THE_LEAD: Final = 4


@dataclass(frozen=True, slots=True)
class Play:
    """A card that a seat played."""

    seat: int
    card: Card


@dataclass(frozen=True, slots=True)
class Trick:
    """The cards of one trick in the order played; the first one leads (TT-4)."""

    plays: tuple[Play, ...]

    @property
    def winner(self) -> int:
        """TT-5: the highest number whatever its colour; of equal ones the one played later."""
        numbers = [play.card.number for play in self.plays]
        return next(play.seat for play in reversed(self.plays) if play.card.number == max(numbers))

    @property
    def next_leader(self) -> int:
        """TT-6: the player of the last 4, else the winner."""
        fours = [play.seat for play in self.plays if play.card.number == TAKES_THE_LEAD]
        return fours[-1] if fours else self.winner

    @property
    def cards(self) -> tuple[Card, ...]:
        return tuple(play.card for play in self.plays)


NO_TRICK: Final = Trick(())


def follows(card: Card, led: Card, hand: tuple[Card, ...]) -> bool:
    """TT-4: a player who holds the led colour must follow it; `hand` is before the card."""
    return card.colour == led.colour or all(held.colour != led.colour for held in hand)
