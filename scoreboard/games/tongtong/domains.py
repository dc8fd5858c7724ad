"""What open offers of Tong Tong may be filled with."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from scoreboard.errors import RuleViolationError
from scoreboard.games.tongtong.card_names import named
from scoreboard.games.tongtong.cards import LEADING, Card, CardColour, Cards
from scoreboard.games.tongtong.piles import Piles
from scoreboard.message import message

HAND: Final = 8


@dataclass(frozen=True, slots=True)
class HandDomain:
    """Hands that a player may have: eight cards of the deck, none that others hold (TT-2).

    `leads` tells that the player said to hold red 8 (TT-3).
    """

    deck: tuple[Card, ...]
    elsewhere: frozenset[Card]
    leads: bool

    def parse(self, text: str) -> Cards:
        """Read the cards. Raises NotationError."""
        return Cards.parse(text)

    def admits(self, hand: Cards) -> bool:
        """Whether the hand can be."""
        return self.refusal(hand) is None

    def refusal(self, hand: Cards) -> RuleViolationError | None:
        """Why not, None where it can be."""
        if not len(hand) == len(set(hand.cards)) == HAND:
            return RuleViolationError(
                "TT-2",
                message(
                    "A hand has eight different cards: check those told, {hand}.", hand=str(hand)
                ),
            )
        for card in hand.cards:
            if card not in self.deck:
                return not_in_play(card)
            if card in self.elsewhere:
                return with_another(card, "TT-3" if card == LEADING else "TT-2")
        if self.leads and LEADING not in hand.cards:
            return RuleViolationError(
                "TT-3", message("Who leads holds red 8: add it, or undo who leads.")
            )
        return None


@dataclass(frozen=True, slots=True)
class PilesDomain:
    """Piles that can lie before a player (TT-7, TT-9).

    `others` are those before the other players, where they are known for sure.
    """

    colours: tuple[CardColour, ...]
    others: tuple[Piles, ...] = ()

    def parse(self, text: str) -> Piles:
        """Read the piles. Raises NotationError."""
        return Piles.parse(text)

    def admits(self, piles: Piles) -> bool:
        """Whether the piles can lie so."""
        return self.refusal(piles) is None

    def refusal(self, piles: Piles) -> RuleViolationError | None:
        """Why not, None where they can."""
        return self._tops_refusal(piles.tops) or self._sixes_refusal(piles)

    def _tops_refusal(self, tops: tuple[Card, ...]) -> RuleViolationError | None:
        for top in tops:
            if top.colour not in self.colours:
                return not_in_play(top)
            if any(top in other.tops for other in self.others):
                return with_another(top, "TT-7")
        if len({top.colour for top in tops}) < len(tops):
            return RuleViolationError(
                "TT-7", message("A colour has one pile and so one top: tell each colour once.")
            )
        return None

    def _sixes_refusal(self, piles: Piles) -> RuleViolationError | None:
        if not piles.open_sixes <= piles.sixes <= len(piles.tops):
            return RuleViolationError(
                "TT-9",
                message(
                    "6s in these piles: at least {least}, at most {most}, not {told}. Count again.",
                    least=piles.open_sixes,
                    most=len(piles.tops),
                    told=piles.sixes,
                ),
            )
        if piles.sixes + _sixes(self.others) > len(self.colours):
            return RuleViolationError(
                "TT-9",
                message(
                    "Together that is more 6s than the {most} in play: count them again.",
                    most=len(self.colours),
                ),
            )
        return None


def not_in_play(card: Card) -> RuleViolationError:
    """TT-1: the card lies in the box."""
    return RuleViolationError(
        "TT-1",
        message("No {card} is in play: its colour stays in the box.", card=named(card)),
    )


def with_another(card: Card, rule: str) -> RuleViolationError:
    """The card is known to be another player's."""
    return RuleViolationError(
        rule,
        message("Look again, or undo what was told: {card} is another player’s.", card=named(card)),
    )


def _sixes(piles: Iterable[Piles]) -> int:
    return sum(each.sixes for each in piles)
