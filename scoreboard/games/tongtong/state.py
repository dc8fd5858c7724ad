"""Where a match stands: its games so far, and the cards of the one that is played."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Final

from scoreboard.games.tongtong.acts import GameScored
from scoreboard.games.tongtong.cards import LEADING, Card, Cards, deck
from scoreboard.games.tongtong.house import HouseRules
from scoreboard.games.tongtong.mission import Mission
from scoreboard.games.tongtong.piles import Piles
from scoreboard.games.tongtong.trick import NO_TRICK, Trick

GAMES: Final = 3
TRICKS: Final = 7


@dataclass(frozen=True, slots=True)
class Deal:
    """One game of the match; whatever goes by players is in seat order.

    `mission` is None until one is turned up. `hands` are the cards that a player took, none
    where they are not known; `holder` who said to hold red 8, `leader` who leads since a trick
    was taken. `taken` are the tricks that were, `trick` is the one on the table. `told` are
    the seats whose piles were told.
    """

    hands: tuple[Cards, ...]
    piles: tuple[Piles, ...]
    mission: Mission | None = None
    holder: int | None = None
    leader: int | None = None
    taken: tuple[Trick, ...] = ()
    trick: Trick = NO_TRICK
    told: frozenset[int] = frozenset()

    @classmethod
    def fresh(cls, seats: int) -> Deal:
        """Nobody has cards, and no mission is turned up yet (TT-2)."""
        return cls((Cards(),) * seats, (Piles(),) * seats)

    @property
    def opener(self) -> int | None:
        """Who leads the first trick, None while nobody knows who holds red 8 (TT-3)."""
        if self.holder is not None:
            return self.holder
        return next((seat for seat, hand in enumerate(self.hands) if LEADING in hand.cards), None)

    @property
    def seat(self) -> int | None:
        """Whose card is awaited, None when nobody's (TT-4, TT-6)."""
        leads, played = self.opener if self.leader is None else self.leader, len(self.trick.plays)
        if leads is None or played == len(self.hands):
            return None
        return (leads + played) % len(self.hands)

    @property
    def played(self) -> frozenset[Card]:
        """The cards that were played, those of the open trick too."""
        return frozenset(card for trick in (*self.taken, self.trick) for card in trick.cards)

    def held(self, seat: int) -> tuple[Card, ...]:
        """What is left of a known hand; none where it is not known."""
        played = self.played
        return tuple(card for card in self.hands[seat].cards if card not in played)

    def elsewhere(self, seat: int) -> frozenset[Card]:
        """Cards that are known to be other players': in their hands, and red 8 (TT-2, TT-3)."""
        others = {card for at, hand in enumerate(self.hands) if at != seat for card in hand.cards}
        if self.holder not in {None, seat}:
            others.add(LEADING)
        return frozenset(others)

    def with_piles(self, seat: int, piles: Piles) -> Deal:
        """The same with these piles before a player."""
        return replace(self, piles=(*self.piles[:seat], piles, *self.piles[seat + 1 :]))

    def with_hand(self, seat: int, hand: Cards) -> Deal:
        """The same with this hand known."""
        return replace(self, hands=(*self.hands[:seat], hand, *self.hands[seat + 1 :]))


@dataclass(frozen=True, slots=True)
class State:
    """A match between two events.

    `games` are those that ended, as they were scored; `deal` is the one that is played or
    prepared; `acts` counts what was told of the match so far.
    """

    house: HouseRules
    players: tuple[str, ...]
    deal: Deal
    games: tuple[GameScored, ...] = ()
    acts: int = 0

    @classmethod
    def fresh(cls, house: HouseRules, players: tuple[str, ...]) -> State:
        """Nothing was turned up yet."""
        return cls(house, players, Deal.fresh(len(players)))

    @property
    def deck(self) -> tuple[Card, ...]:
        """The cards in play (TT-1)."""
        return deck(self.house.colours)

    @property
    def totals(self) -> tuple[int, ...]:
        """What everyone has by now; all start at 0 (TT-12)."""
        return self.games[-1].totals.numbers if self.games else (0,) * len(self.players)

    @property
    def is_finished(self) -> bool:
        """Whether all three games are scored (TT-13)."""
        return len(self.games) == GAMES

    @property
    def missions_used(self) -> frozenset[str]:
        """The mission cards that were turned up in this match (TT-2)."""
        return frozenset(game.mission for game in self.games)

    def seated(self) -> Iterator[tuple[int, str]]:
        """The players with their seats."""
        return enumerate(self.players)
