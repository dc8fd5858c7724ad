"""The demo's match of Tong Tong: dealt and played by chance, every step held to the rules."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

import numpy as np

from scoreboard.games.engine.game import Offer, Setup
from scoreboard.games.tongtong.acts import (
    ChooseMission,
    Command,
    GameScored,
    NameLeader,
    PlayCard,
    ShowHand,
    TellPiles,
)
from scoreboard.games.tongtong.cards import BONUS, LEADING, Card, Cards, Piles
from scoreboard.games.tongtong.game import GAME
from scoreboard.games.tongtong.state import Deal, State
from vision.train.rendering.chance import Random

PLAYERS: Final = ("Ann", "Ben", "Cid")
MISSIONS: Final = ("high-12", "low-5", "high-9")
_SEED: Final = 24


@dataclass(frozen=True, slots=True)
class PlayedGame:
    """One game: its mission, the seat that led, and the cards in the order played.

    `piles` lie before the players at the end, and `sixes` are those that they won, by seat.
    """

    mission: str
    leader: int
    played: tuple[Card, ...]
    piles: tuple[Piles, ...]
    sixes: tuple[tuple[Card, ...], ...]

    def lying(self, seat: int) -> tuple[Card, ...]:
        """What lies before a player at the end: the tops, and the other 6s beside them."""
        tops = self.piles[seat].tops
        return (*tops, *(card for card in self.sixes[seat] if card not in tops))


def the_match() -> tuple[PlayedGame, ...]:
    """The demo's own three games, the same ones always."""
    return any_match(np.random.default_rng(_SEED))


def any_match(random: Random) -> tuple[PlayedGame, ...]:
    """Three games of three players who play any card that they may, red 8 first of all."""
    return tuple(_games(random))


def _games(random: Random) -> Iterator[PlayedGame]:
    state = GAME.start(Setup(PLAYERS, {}))
    for mission in MISSIONS:
        state = _after(state, ChooseMission(mission))
        state = _dealt(state, random)
        leader, number = state.deal.opener or 0, len(state.games)
        played: list[Card] = []
        while len(state.games) == number:
            last, card = state, _any_card(state, random)
            played.append(card)
            state = _after(state, PlayCard(card))
        deal = _at_end(last, played[-1])
        sixes = tuple(tuple(_sixes(deal, seat)) for seat in range(len(PLAYERS)))
        yield PlayedGame(mission, leader, tuple(played), deal.piles, sixes)


def _dealt(state: State, random: Random) -> State:
    """Everyone takes eight cards, and shows them to the rulebook."""
    mixed = [state.deck[at] for at in random.permutation(len(state.deck))]
    for seat, player in state.seated():
        hand = sorted(mixed[seat :: len(PLAYERS)])
        state = _after(state, ShowHand(player, Cards(tuple(hand))))
    return state


def _any_card(state: State, random: Random) -> Card:
    """Any card that the rules offer; the first card of each game is red 8."""
    commands = [each.command for each in GAME.offers(state) if isinstance(each, Offer)]
    cards = [each.card for each in commands if isinstance(each, PlayCard)]
    return LEADING if not state.deal.played else cards[int(random.integers(len(cards)))]


def _at_end(before: State, last: Card) -> Deal:
    """How all lies once the game's last card is played."""
    state = before
    for event in GAME.decide(before, PlayCard(last)):
        if isinstance(event, GameScored):
            break
        state = GAME.evolve(state, event)
    return state.deal


def _sixes(deal: Deal, seat: int) -> Iterator[Card]:
    for trick in deal.taken:
        if trick.winner == seat:
            yield from (card for card in trick.cards if card.number == BONUS)


def _after(state: State, command: Command) -> State:
    """The state after a command. Raises RuleViolationError where the rules refuse it."""
    for event in GAME.decide(state, command):
        state = GAME.evolve(state, event)
    return state


def told(games: tuple[PlayedGame, ...], *, quick: bool) -> State:
    """The match as a table tells it: without hands, card by card or only its piles (`quick`).

    Raises:
        RuleViolationError: the rules refuse it.
    """
    state = GAME.start(Setup(PLAYERS, {"mode": "quick"} if quick else {}))
    for game in games:
        for command in _tellings(game, quick=quick):
            state = _after(state, command)
    return state


def _tellings(game: PlayedGame, *, quick: bool) -> Iterator[Command]:
    yield ChooseMission(game.mission)
    if quick:
        yield from map(TellPiles, PLAYERS, game.piles)
        return
    yield NameLeader(PLAYERS[game.leader])
    yield from map(PlayCard, game.played)
