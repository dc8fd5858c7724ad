"""The acts that a match allows: each command leads to events, or a rule refuses it.

Rules and offers ask the same questions. A refusal is the error that `decide` raises, None if the
act is allowed.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from scoreboard.errors import RuleViolationError, refused
from scoreboard.games.engine.game import FaultDomain
from scoreboard.games.tongtong import acts
from scoreboard.games.tongtong.cards import LEADING, Card, CardColour, Cards, Piles, follows, named
from scoreboard.games.tongtong.house import NAMED
from scoreboard.games.tongtong.state import TRICKS, State, evolve, game_scored
from scoreboard.message import Message, message

HAND: Final = 8


@dataclass(frozen=True, slots=True)
class HandDomain(FaultDomain):
    """Possible hands of a player: eight cards of the deck, none held by others (TT-2).

    `leads`: the player was named as holding red 8 (TT-3).
    """

    deck: tuple[Card, ...]
    elsewhere: frozenset[Card]
    leads: bool

    parse = staticmethod(Cards.parse)

    def fault(self, hand: Cards) -> RuleViolationError | None:
        if not len(hand) == len(set(hand.cards)) == HAND:
            return refused(
                "A hand has eight different cards: check {hand}.", "TT-2", hand=str(hand)
            )
        for card in hand.cards:
            if card not in self.deck:
                return not_in_play(card)
            if card in self.elsewhere:
                return with_another(card, "TT-3" if card == LEADING else "TT-2")
        if self.leads and LEADING not in hand.cards:
            return refused("The leader must hold red 8. Add it, or undo the leader.", "TT-3")
        return None


@dataclass(frozen=True, slots=True)
class PilesDomain(FaultDomain):
    """Possible piles of a player (TT-7, TT-9).

    `others` are the other players' if known for sure.
    """

    colours: tuple[CardColour, ...]
    others: tuple[Piles, ...] = ()

    parse = staticmethod(Piles.parse)

    def fault(self, piles: Piles) -> RuleViolationError | None:
        tops = piles.tops
        for top in tops:
            if top.colour not in self.colours:
                return not_in_play(top)
            if any(top in other.tops for other in self.others):
                return with_another(top, "TT-7")
        if len({top.colour for top in tops}) < len(tops):
            return refused("A colour has one pile and so one top: enter each colour once.", "TT-7")
        return self._sixes_refusal(piles)

    def _sixes_refusal(self, piles: Piles) -> RuleViolationError | None:
        if not piles.open_sixes <= piles.sixes <= len(piles.tops):
            return refused(
                "6s in these piles: at least {least}, at most {most}, not {entered}. Count again.",
                "TT-9",
                least=piles.open_sixes,
                most=len(piles.tops),
                entered=piles.sixes,
            )
        if piles.sixes + sum(each.sixes for each in self.others) > len(self.colours):
            return refused(
                "Together that is more 6s than the {most} in play: count them again.",
                "TT-9",
                most=len(self.colours),
            )
        return None


def not_in_play(card: Card) -> RuleViolationError:
    """TT-1: the card stays in the box."""
    return refused("No {card} is in play: its colour stays in the box.", "TT-1", card=named(card))


def with_another(card: Card, rule: str) -> RuleViolationError:
    """The card is known to be another player's."""
    return refused(
        "Check the card, or undo the wrong entry: {card} is another player’s.",
        rule,
        card=named(card),
    )


Refusal = RuleViolationError | None


def mission_refusal(state: State, name: str) -> Refusal:
    """TT-2, TT-14: three different ones of those that the table draws from."""
    if name not in NAMED:
        return refused("No mission is called “{name}”.", "TT-10", name=name)
    if state.deal.mission is not None:
        return refused("A mission holds until its game is over.", "TT-2")
    if any(game.mission == name for game in state.games):
        return refused("This mission was used already: turn up another card.", "TT-2")
    if NAMED[name] not in state.house.missions:
        return refused("This is no basic card: advanced play has all five.", "TT-14")
    return None


def leader_refusal(state: State, player: str) -> Refusal:
    """TT-3: while the holder of red 8 is unknown, any possible holder may claim it."""
    if refusal := _tricks_refusal(state) or _stranger(state, player):
        return refusal
    if state.deal.opener is not None:
        leader = state.players[state.deal.opener]
        return refused("{player} holds red 8 and leads: undo that first.", "TT-3", player=leader)
    if state.deal.hands[state.players.index(player)].cards:
        return refused("No red 8 is in {player}’s hand: who has it leads.", "TT-3", player=player)
    return None


def hand_refusal(state: State, player: str) -> Refusal:
    """TT-2: hands are shown before the first card, or not at all."""
    if refusal := _tricks_refusal(state) or _stranger(state, player):
        return refusal
    why = message("Hands are entered before the first card: undo the cards first.")
    return RuleViolationError("TT-2", why) if state.deal.played else None


def hand_domain(state: State, player: str) -> HandDomain:
    """The player's possible hands."""
    seat = state.players.index(player)
    return HandDomain(state.deck, state.deal.elsewhere(seat), leads=state.deal.holder == seat)


def piles_refusal(state: State, player: str) -> Refusal:
    """TT-7: piles are entered once at the end, or corrected after the first trick."""
    if refusal := _game_refusal(state) or _stranger(state, player):
        return refusal
    if not state.house.quick:
        if state.deal.taken:
            return None
        return refused("Nothing is won before the first trick is full.", "TT-7")
    if state.players.index(player) in state.deal.entered:
        return refused(
            "The piles of {player} are entered already: undo to change them.", "TT-7", player=player
        )
    return None


def piles_domain(state: State, player: str) -> PilesDomain:
    """The player's possible piles; a correction is judged alone, as others may follow."""
    others = state.deal.entered - {state.players.index(player)} if state.house.quick else ()
    return PilesDomain(state.house.colours, tuple(state.deal.piles[seat] for seat in others))


def card_refusal(state: State, card: Card) -> Refusal:
    """TT-3, TT-4: whether the player in turn can have played this card, and may have."""
    seat = state.deal.seat
    if refusal := _tricks_refusal(state):
        return refusal
    if seat is None:
        return refused("Who holds red 8 leads: say first who that is.", "TT-3")
    if card not in state.deck:
        return not_in_play(card)
    if card in state.deal.played:
        return refused(
            "Each card is there once, and {card} was played already.", "TT-1", card=named(card)
        )
    return _hand_refusal(state, seat, card)


def _hand_refusal(state: State, seat: int, card: Card) -> Refusal:
    player, held = state.players[seat], state.deal.held(seat)
    if card in state.deal.elsewhere(seat):
        return with_another(card, "TT-3" if card == LEADING else "TT-2")
    if held and card not in held:
        return refused("No {card} is in {player}’s hand.", "TT-2", card=named(card), player=player)
    plays = state.deal.trick.plays
    if plays and not follows(card, plays[0].card, held):
        led = named(plays[0].card)
        return refused(
            "{player} must follow {card}: the hand has its colour.", "TT-4", player=player, card=led
        )
    return None


def warning(state: State, command: acts.Command) -> Message | None:
    """TT-4: a card that shows a revoke: its colour was not followed though the hand had it.

    Without entered hands, a revoke shows only when the card of that colour is played.
    """
    seat = state.deal.seat
    if not isinstance(command, acts.PlayCard) or seat is None:
        return None
    card, player = command.card, state.players[seat]
    for number, trick in enumerate(state.deal.taken, start=1):
        led = trick.plays[0].card
        own = next(play.card for play in trick.plays if play.seat == seat)
        if led.colour == card.colour != own.colour:
            return message(
                "{player} held {card} when {led} was led in trick {trick}, and did not follow "
                "(TT-4).",
                player=player,
                card=named(card),
                led=named(led),
                trick=number,
            )
    # TT-3, TT-4: who is known to hold red 8 can follow red
    plays = state.deal.trick.plays
    holds = state.deal.opener == seat and LEADING not in state.deal.played
    if not (plays and holds) or follows(card, plays[0].card, (LEADING,)):
        return None
    return message(
        "{player} holds red 8, so {card} does not follow {led} (TT-4).",
        player=player,
        card=named(card),
        led=named(plays[0].card),
    )


def _stranger(state: State, player: str) -> Refusal:
    if player in state.players:
        return None
    return refused("{player} does not play here.", "TT-1", player=player)


def _game_refusal(state: State) -> Refusal:
    if state.deal.mission is not None:
        return None
    return refused("Turn up a mission card first.", "TT-2")


def _tricks_refusal(state: State) -> Refusal:
    if state.house.quick:
        return refused("At this table only the piles at the end of a game are entered.", "TT-8")
    return _game_refusal(state)


Events = tuple[acts.Event, ...]


def decide(state: State, command: acts.Command) -> Events:
    """A command's own event, and the automatic ones that follow. Raises RuleViolationError."""
    if state.is_finished:
        raise refused("The match is over.", "TT-13")
    match command:
        case acts.MissionChosen(mission):
            _require(mission_refusal(state, mission))
            return (command,)
        case acts.HandShown(player, hand):
            _require(hand_refusal(state, player))
            _require(hand_domain(state, player).fault(hand))
            return (command,)
        case acts.LeaderNamed(player):
            _require(leader_refusal(state, player))
            return (command,)
        case acts.PlayCard(card):
            _require(card_refusal(state, card))
            played = acts.CardPlayed(state.players[state.deal.seat or 0], card)
            after = evolve(state, played)
            trick = after.deal.trick
            if len(trick.plays) < len(state.players):
                return (played,)
            # a full trick is taken at once, and the seventh ends the game (TT-3, TT-5)
            taken = acts.TrickTaken(state.players[trick.winner], state.players[trick.next_leader])
            return (played, taken, *_ended(evolve(after, taken)))
        case acts.PilesEntered(player, piles):
            _require(piles_refusal(state, player))
            _require(piles_domain(state, player).fault(piles))
            return (command, *_ended(evolve(state, command)))


def _ended(state: State) -> Events:
    """TT-8: the game is scored after seven tricks, or when all piles are entered."""
    deal, players = state.deal, len(state.players)
    ended = len(deal.entered) == players if state.house.quick else len(deal.taken) == TRICKS
    return () if deal.mission is None or not ended else (game_scored(state, deal.mission),)


def _require(refusal: Refusal) -> None:
    if refusal is not None:
        raise refusal
