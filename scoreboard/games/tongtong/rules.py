"""What a match allows: every command is answered by its events, or refused with its rule."""

from __future__ import annotations

from scoreboard.errors import RuleViolationError
from scoreboard.games.tongtong.acts import (
    CardPlayed,
    ChooseMission,
    Command,
    Event,
    HandShown,
    LeaderNamed,
    MissionChosen,
    NameLeader,
    PilesTold,
    PlayCard,
    ShowHand,
    TellPiles,
    TrickTaken,
)
from scoreboard.games.tongtong.cards import Card, Cards
from scoreboard.games.tongtong.piles import Piles
from scoreboard.games.tongtong.refusals import (
    Refusal,
    card_refusal,
    hand_domain,
    hand_refusal,
    leader_refusal,
    mission_refusal,
    piles_domain,
    piles_refusal,
)
from scoreboard.games.tongtong.scoring import game_scored
from scoreboard.games.tongtong.state import TRICKS, State
from scoreboard.games.tongtong.turns import evolve
from scoreboard.message import message

Events = tuple[Event, ...]


def decide(state: State, command: Command) -> Events:
    """The events that a command leads to: its own, and what follows from it by itself.

    Raises:
        RuleViolationError: a rule refuses the command.
    """
    if state.is_finished:
        raise RuleViolationError("TT-13", message("The match is over."))
    match command:
        case ChooseMission(mission):
            _require(mission_refusal(state, mission))
            return (MissionChosen(mission),)
        case ShowHand(player, hand):
            return _hand_shown(state, player, hand)
        case NameLeader(player):
            _require(leader_refusal(state, player))
            return (LeaderNamed(player),)
        case PlayCard(card):
            return _card_played(state, card)
        case TellPiles(player, piles):
            return _piles_told(state, player, piles)


def _hand_shown(state: State, player: str, hand: Cards) -> Events:
    _require(hand_refusal(state, player))
    _require(hand_domain(state, player).refusal(hand))
    return (HandShown(player, hand),)


def _card_played(state: State, card: Card) -> Events:
    """A full trick is taken at once, and the seventh ends the game (TT-3, TT-5)."""
    _require(card_refusal(state, card))
    seat = state.deal.seat or 0
    played = CardPlayed(state.players[seat], card)
    after = evolve(state, played)
    trick = after.deal.trick
    if len(trick.plays) < len(state.players):
        return (played,)
    taken = TrickTaken(state.players[trick.winner], state.players[trick.next_leader])
    return (played, taken, *_ended(evolve(after, taken)))


def _piles_told(state: State, player: str, piles: Piles) -> Events:
    _require(piles_refusal(state, player))
    _require(piles_domain(state, player).refusal(piles))
    told = PilesTold(player, piles)
    return (told, *_ended(evolve(state, told)))


def _ended(state: State) -> Events:
    """TT-8: the game is scored after seven tricks, or when all piles are told."""
    deal = state.deal
    ended = len(deal.told) == len(state.players) if state.house.quick else len(deal.taken) == TRICKS
    if deal.mission is None or not ended:
        return ()
    return (game_scored(state, deal.mission),)


def _require(refusal: Refusal) -> None:
    if refusal is not None:
        raise refusal
