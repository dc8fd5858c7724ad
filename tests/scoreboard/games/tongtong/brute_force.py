"""Tong Tong once more, written from the rules page alone: cards are texts, piles lie as they lie.

Slow and plain on purpose, and without a line of the rulebook: what both agree on is likely right.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from random import Random

Pile = list[str]  # from the bottom to the top
SIGNS = {"R": 1, "P": 1, "Y": 1, "B": -1, "G": -1}


@dataclass
class Table:
    """Cards in hands and in piles; `plays` is everything that was played, in order."""

    hands: list[list[str]]
    piles: list[dict[str, Pile]]
    leader: int
    plays: list[tuple[int, str]] = field(default_factory=list)

    @classmethod
    def dealt(cls, colours: str, chance: Random) -> Table:
        """TT-1 to TT-3: eight cards each, and red 8 leads."""
        deck = [f"{colour}{number}" for colour in colours for number in range(1, 9)]
        chance.shuffle(deck)
        hands = [deck[8 * seat : 8 * seat + 8] for seat in range(len(colours))]
        leader = next(seat for seat, hand in enumerate(hands) if "R8" in hand)
        return cls(hands, [{} for _ in hands], leader)

    def play_out(self, chance: Random) -> None:
        """TT-3: seven tricks."""
        for _ in range(7):
            self.trick(chance)

    def trick(self, chance: Random) -> None:
        """TT-4 to TT-7: everyone plays, one takes all, one leads next."""
        lying: list[tuple[int, str]] = []
        four = None
        for step in range(len(self.hands)):
            seat = (self.leader + step) % len(self.hands)
            card = chance.choice(allowed(self.hands[seat], lying[0][1] if lying else None))
            self.hands[seat].remove(card)
            lying.append((seat, card))
            if card[1] == "4":
                four = seat
        best = lying[0]
        for play in lying[1:]:
            if int(play[1][1]) >= int(best[1][1]):
                best = play
        self.win(best[0], [card for _, card in lying])
        self.leader = best[0] if four is None else four
        self.plays += lying

    def win(self, seat: int, cards: list[str]) -> None:
        """TT-7: high cards first, so that the lowest of a colour comes to lie on top."""
        for card in sorted(cards, key=lambda card: -int(card[1])):
            self.piles[seat].setdefault(card[0], []).append(card)

    def sums(self, mission: str) -> list[int]:
        """TT-8, TT-10."""
        signed = mission == "signed-11"
        return [
            sum(int(pile[-1][1]) * (SIGNS[colour] if signed else 1) for colour, pile in own.items())
            for own in self.piles
        ]

    def bonuses(self) -> list[int]:
        """TT-9."""
        return [sum(card[1] == "6" for pile in own.values() for card in pile) for own in self.piles]


def allowed(hand: list[str], led: str | None) -> list[str]:
    """TT-4: what may be played from a hand, onto the card that was led."""
    following = [card for card in hand if led is not None and card[0] == led[0]]
    return following or hand


def mission_points(mission: str, sums: Sequence[int], ranks: Sequence[int]) -> list[int]:
    """TT-10, TT-11: by going down the ranks one by one."""
    kind, bound = mission.split("-")
    limit = int(bound)
    stays = [total > limit if kind == "low" else total < limit for total in sums]
    if kind in {"sum", "signed"}:
        return [total if stay else 0 for total, stay in zip(sums, stays, strict=True)]
    points = [0] * len(sums)
    left = sorted({total for total, stay in zip(sums, stays, strict=True) if stay})
    rank = 0
    while left:
        total = left.pop(0 if kind == "low" else -1)
        sharing = [seat for seat, own in enumerate(sums) if own == total and stays[seat]]
        for seat in sharing:
            points[seat] = (*ranks, 0)[rank]
        rank += len(sharing)
    return points
