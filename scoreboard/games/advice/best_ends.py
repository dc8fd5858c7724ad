"""The best possible end of a finished game of Tong Tong with all hands entered.

All cards are known, and everyone plays for the total that decides the match: each takes the card
that ends best for their own side (max^n, Luckhardt and Irani, AAAI 1986). Seven tricks can be
played in too many ways, so only the end is searched: the last three tricks of three players, the
last two of more.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import reduce
from typing import Final

from scoreboard.games.tongtong.acts import Event, GameScored, PilesEntered, PlayCard
from scoreboard.games.tongtong.cards import Play
from scoreboard.games.tongtong.rules import card_refusal, decide
from scoreboard.games.tongtong.state import TRICKS, State, evolve, grand

_FEW: Final = 3  # players


@dataclass(frozen=True, slots=True)
class BestPlay:
    """The best `plays` from `trick` on in game `number`; both count from 1.

    `totals` are the totals then, `ended` the actual ones, in seat order. Its notation is the plays,
    such as `2:R8 3:B4` by seat. There are none unless all hands were entered, or if piles were
    corrected.
    """

    number: int
    trick: int
    plays: tuple[Play, ...]
    totals: tuple[int, ...]
    ended: tuple[int, ...]

    def __str__(self) -> str:
        return " ".join(f"{play.seat + 1}:{play.card}" for play in self.plays) or "-"


def best_play(state: State, events: Iterable[Event], number: int) -> BestPlay | None:
    """The best end of that game of a match that starts as `state`; None while it is not over."""
    tricks = 3 if len(state.players) == _FEW else 2
    fork, corrected = state, False
    for event in events:
        deal = state.deal
        if len(deal.taken) == TRICKS - tricks and not deal.trick.plays:
            fork = state
        state = evolve(state, event)
        if len(state.games) < number - 1:
            continue
        corrected |= isinstance(event, PilesEntered)
        if isinstance(event, GameScored) and len(state.games) == number:
            best, plays = state, tuple[Play, ...]()
            if not corrected and all(hand.cards for hand in deal.hands):
                played = [play for trick in deal.taken for play in trick.plays]
                best, plays = _best(fork, tuple(played[-tricks * len(state.players) :]))
            seats = range(len(state.players))
            totals = [tuple(grand(each, seat) for seat in seats) for each in (best, state)]
            return BestPlay(number, TRICKS - tricks + 1, plays, *totals)
    return None


def games_ended(events: Iterable[Event]) -> int:
    """How many games of the match are over."""
    return sum(isinstance(event, GameScored) for event in events)


def _best(state: State, played: tuple[Play, ...]) -> tuple[State, tuple[Play, ...]]:
    """The end of the game and the plays up to it; of equal ones those that were `played`."""
    seat = state.deal.seat
    if seat is None:
        return state, ()
    found = list[tuple[State, tuple[Play, ...]]]()
    cards = [card for card in state.deal.held(seat) if card_refusal(state, card) is None]
    for card in sorted(cards, key=lambda card: Play(seat, card) not in played[:1]):
        play = Play(seat, card)
        after = reduce(evolve, decide(state, PlayCard(card)), state)
        end, plays = after, tuple[Play, ...]()
        if len(after.games) == len(state.games):
            end, plays = _best(after, played[1:] if play in played[:1] else ())
        found.append((end, (play, *plays)))
    return max(found, key=lambda each: grand(each[0], seat))
