"""What the rules say of cards that are seen, before anyone confirms them."""

from __future__ import annotations

from collections.abc import Iterable
from functools import reduce

from scoreboard.games.engine.game import Judgement, Remark
from scoreboard.games.tongtong.card_names import named
from scoreboard.games.tongtong.cards import CARD_COLOURS, Card, Cards
from scoreboard.games.tongtong.piles import BONUS, Piles
from scoreboard.games.tongtong.refusals import card_refusal, piles_domain
from scoreboard.games.tongtong.state import State
from scoreboard.message import Message, message


def judgement(state: State, offer: str, pieces: str) -> Judgement:
    """Judge what is seen for that offer: the card that is played, or what lies before a player.

    Raises:
        NotationError: the pieces are no cards.
    """
    cards = Cards.parse(pieces).cards
    return _played(state, cards) if offer == "play" else _piles(state, offer, cards)


def _played(state: State, cards: tuple[Card, ...]) -> Judgement:
    """TT-4: the one card that nobody played yet; what was played may still lie there."""
    fresh = [card for card in cards if card not in state.deal.played]
    label = _playing(state, fresh)
    labels = tuple(map(str, fresh))
    if not fresh:
        return Judgement(label, changed=False)
    if len(fresh) > 1:
        why = message("{cards} are new: tap them in the order played.", cards=listed(fresh))
        return Judgement(label, (Remark("TT-4", why, labels),), labels)
    refusal = card_refusal(state, fresh[0])
    remarks = () if refusal is None else (Remark(refusal.rule, refusal.message, labels),)
    return Judgement(label, remarks, labels, key=f"play:{fresh[0]}")


def _playing(state: State, fresh: list[Card]) -> Message:
    seat = state.deal.seat
    if seat is None or not fresh:
        return message("The trick")
    return message("{player} played {card}", player=state.players[seat], card=listed(fresh))


def _piles(state: State, offer: str, cards: tuple[Card, ...]) -> Judgement:
    """TT-7, TT-9: of each colour the top, and every 6 that was won laid beside it."""
    player = state.players[int(offer.partition(":")[2])]
    tops = [_top(cards, colour) for colour in CARD_COLOURS]
    sixes = sum(card.number == BONUS for card in cards)
    piles = Piles(tuple(top for top in tops if top is not None), sixes)
    label = message("The piles of {player}: {piles}", player=player, piles=str(piles))
    return Judgement(
        label,
        tuple(_faults(state, player, cards, piles)),
        tuple(map(str, cards)),
        filling=str(piles),
    )


def _top(cards: Iterable[Card], colour: str) -> Card | None:
    """The card of that colour that counts: a 6 only where it lies alone."""
    lying = [card for card in cards if card.colour == colour]
    others = [card for card in lying if card.number != BONUS]
    return next(iter(others or lying), None)


def _faults(state: State, player: str, cards: tuple[Card, ...], piles: Piles) -> Iterable[Remark]:
    for colour in CARD_COLOURS:
        lying = [card for card in cards if card.colour == colour and card.number != BONUS]
        if len(lying) > 1:
            why = message("Of each colour one card is the top: {cards}.", cards=listed(lying))
            yield Remark("TT-7", why, tuple(map(str, lying)))
    refusal = piles_domain(state, player).refusal(piles)
    if refusal is not None:
        yield Remark(refusal.rule, refusal.message, tuple(map(str, cards)))


def listed(cards: Iterable[Card]) -> Message:
    """Cards in words, with commas between them."""
    return reduce(lambda one, two: message("{one}, {two}", one=one, two=two), map(named, cards))
