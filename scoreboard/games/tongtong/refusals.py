"""What speaks against an act, and what may fill it: rules and offers both ask here.

Each refusal is the error that `decide` raises, None where nothing speaks against the act.
"""

from __future__ import annotations

from scoreboard.errors import RuleViolationError
from scoreboard.games.tongtong.acts import Command, PlayCard
from scoreboard.games.tongtong.card_names import named
from scoreboard.games.tongtong.cards import LEADING, Card
from scoreboard.games.tongtong.domains import HandDomain, PilesDomain, not_in_play, with_another
from scoreboard.games.tongtong.mission import NAMED
from scoreboard.games.tongtong.state import State
from scoreboard.games.tongtong.trick import follows
from scoreboard.message import Message, message

Refusal = RuleViolationError | None


def mission_refusal(state: State, name: str) -> Refusal:
    """TT-2, TT-14: three different ones of those that the table draws from."""
    if name not in NAMED:
        return RuleViolationError("TT-10", message("No mission is called “{name}”.", name=name))
    if state.deal.mission is not None:
        return RuleViolationError("TT-2", message("A mission holds until its game is over."))
    if name in state.missions_used:
        return RuleViolationError(
            "TT-2", message("This mission was used already: turn up another card.")
        )
    if NAMED[name] not in state.house.missions:
        return RuleViolationError(
            "TT-14", message("This is no basic card: advanced play has all five.")
        )
    return None


def leader_refusal(state: State, player: str) -> Refusal:
    """TT-3: once nobody is known to hold red 8, whoever may hold it can say so."""
    refusal = _tricks_refusal(state) or _stranger(state, player)
    if refusal is not None:
        return refusal
    if state.deal.opener is not None:
        leader = state.players[state.deal.opener]
        return RuleViolationError(
            "TT-3", message("{player} holds red 8 and leads: undo that first.", player=leader)
        )
    if state.deal.hands[state.players.index(player)].cards:
        return RuleViolationError(
            "TT-3", message("No red 8 is in {player}’s hand: who has it leads.", player=player)
        )
    return None


def hand_refusal(state: State, player: str) -> Refusal:
    """TT-2: hands are shown before the first card, or not at all."""
    refusal = _tricks_refusal(state) or _stranger(state, player)
    if refusal is None and state.deal.played:
        refusal = RuleViolationError(
            "TT-2", message("Hands are told before the first card: undo the cards first.")
        )
    return refusal


def hand_domain(state: State, player: str) -> HandDomain:
    """What hand the player may have."""
    seat = state.players.index(player)
    return HandDomain(state.deck, state.deal.elsewhere(seat), leads=state.deal.holder == seat)


def piles_refusal(state: State, player: str) -> Refusal:
    """TT-7: piles are told once at the end, or set right after the first trick."""
    refusal = _game_refusal(state) or _stranger(state, player)
    if refusal is not None:
        return refusal
    if not state.house.quick:
        return None if state.deal.taken else _nothing_lies()
    if state.players.index(player) in state.deal.told:
        return RuleViolationError(
            "TT-7", message("The piles of {player} are told: undo to change them.", player=player)
        )
    return None


def piles_domain(state: State, player: str) -> PilesDomain:
    """What may lie before the player; a correction is judged by itself, as others may follow."""
    others = (
        ()
        if not state.house.quick
        else tuple(
            state.deal.piles[seat]
            for seat in state.deal.told
            if seat != state.players.index(player)
        )
    )
    return PilesDomain(state.house.colours, others)


def card_refusal(state: State, card: Card) -> Refusal:
    """TT-3, TT-4: whether whose turn it is can have played this card, and may have."""
    seat = state.deal.seat
    refusal = _tricks_refusal(state)
    if refusal is not None:
        return refusal
    if seat is None:
        return RuleViolationError("TT-3", message("Who holds red 8 leads: tell first who that is."))
    return _deck_refusal(state, card) or _hand_refusal(state, seat, card)


def _deck_refusal(state: State, card: Card) -> Refusal:
    if card not in state.deck:
        return not_in_play(card)
    if card in state.deal.played:
        return RuleViolationError(
            "TT-1",
            message("Each card is there once, and {card} was played already.", card=named(card)),
        )
    return None


def _hand_refusal(state: State, seat: int, card: Card) -> Refusal:
    player, held = state.players[seat], state.deal.held(seat)
    if card in state.deal.elsewhere(seat):
        return with_another(card, "TT-3" if card == LEADING else "TT-2")
    if held and card not in held:
        return RuleViolationError(
            "TT-2", message("No {card} is in {player}’s hand.", card=named(card), player=player)
        )
    plays = state.deal.trick.plays
    if plays and not follows(card, plays[0].card, held):
        led = named(plays[0].card)
        return RuleViolationError(
            "TT-4",
            message(
                "{player} must follow {card}: the hand has its colour.", player=player, card=led
            ),
        )
    return None


def warning(state: State, command: Command) -> Message | None:
    """TT-4: what a card shows of a colour that was not followed though the hand had it.

    Where hands are not told, nobody knows of a revoke before the card of that colour is played.
    """
    seat = state.deal.seat
    if not isinstance(command, PlayCard) or seat is None:
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
    return _leader_warning(state, seat, card)


def _leader_warning(state: State, seat: int, card: Card) -> Message | None:
    """TT-3, TT-4: who is known to hold red 8 can follow red."""
    plays = state.deal.trick.plays
    holds = state.deal.opener == seat and LEADING not in state.deal.played
    if not (plays and holds) or follows(card, plays[0].card, (LEADING,)):
        return None
    return message(
        "{player} holds red 8, so {card} does not follow {led} (TT-4).",
        player=state.players[seat],
        card=named(card),
        led=named(plays[0].card),
    )


def _stranger(state: State, player: str) -> Refusal:
    if player in state.players:
        return None
    return RuleViolationError("TT-1", message("{player} does not play here.", player=player))


def _game_refusal(state: State) -> Refusal:
    if state.deal.mission is not None:
        return None
    return RuleViolationError("TT-2", message("Turn up a mission card first."))


def _tricks_refusal(state: State) -> Refusal:
    if state.house.quick:
        return RuleViolationError(
            "TT-8", message("At this table only the piles at the end of a game are told.")
        )
    return _game_refusal(state)


def _nothing_lies() -> RuleViolationError:
    return RuleViolationError("TT-7", message("Nothing is won before the first trick is full."))
