"""One trick: who takes it, and who leads the next."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from scoreboard.games.tongtong.cards import Card

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
        """TT-6: who played the last 4, else the winner."""
        fours = [play.seat for play in self.plays if play.card.number == TAKES_THE_LEAD]
        return fours[-1] if fours else self.winner

    @property
    def cards(self) -> tuple[Card, ...]:
        """What its winner takes."""
        return tuple(play.card for play in self.plays)


NO_TRICK: Final = Trick(())


def follows(card: Card, led: Card, hand: tuple[Card, ...]) -> bool:
    """TT-4: the led colour is followed by who holds one of it; `hand` is before the card."""
    return card.colour == led.colour or all(held.colour != led.colour for held in hand)
