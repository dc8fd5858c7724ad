"""How a match moves on: what each event changes."""

from __future__ import annotations

from dataclasses import replace

from scoreboard.games.tongtong.acts import (
    CardPlayed,
    Event,
    GameScored,
    HandShown,
    LeaderNamed,
    MissionChosen,
    PilesTold,
    TrickTaken,
)
from scoreboard.games.tongtong.mission import NAMED
from scoreboard.games.tongtong.state import Deal, State
from scoreboard.games.tongtong.trick import NO_TRICK, Play, Trick


def evolve(state: State, event: Event) -> State:
    """The state after an event; never refuses, never asks again who took what."""
    match event:
        case GameScored():
            fresh = Deal.fresh(len(state.players))
            return replace(state, games=(*state.games, event), deal=fresh)
        case TrickTaken(player, leader):
            return replace(state, deal=_trick_taken(state, player, leader))
        case _:
            return replace(state, deal=_told(state, event), acts=state.acts + 1)


def _told(
    state: State, event: MissionChosen | HandShown | LeaderNamed | CardPlayed | PilesTold
) -> Deal:
    """The game after what a person told of it."""
    deal, seat = state.deal, state.players.index
    match event:
        case MissionChosen(mission):
            return replace(deal, mission=NAMED[mission])
        case HandShown(player, hand):
            return deal.with_hand(seat(player), hand)
        case LeaderNamed(player):
            return replace(deal, holder=seat(player))
        case CardPlayed(player, card):
            plays = (*deal.trick.plays, Play(seat(player), card))
            return replace(deal, trick=Trick(plays))
        case PilesTold(player, piles):
            told = replace(deal, told=deal.told | {seat(player)})
            return told.with_piles(seat(player), piles)


def _trick_taken(state: State, player: str, leader: str) -> Deal:
    """TT-7: what was won goes onto the winner's piles."""
    deal, seat = state.deal, state.players.index(player)
    after = replace(
        deal,
        taken=(*deal.taken, deal.trick),
        trick=NO_TRICK,
        leader=state.players.index(leader),
    )
    return after.with_piles(seat, deal.piles[seat].with_won(deal.trick.cards))
