"""What may be done now: exactly the commands that the rules accept."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from scoreboard.games.engine.game import Entry, Offer, OpenOffer
from scoreboard.games.tongtong.acts import (
    ChooseMission,
    Command,
    NameLeader,
    PlayCard,
    ShowHand,
    TellPiles,
)
from scoreboard.games.tongtong.card_names import named
from scoreboard.games.tongtong.mission import MISSIONS
from scoreboard.games.tongtong.refusals import (
    card_refusal,
    hand_domain,
    hand_refusal,
    leader_refusal,
    mission_refusal,
    piles_domain,
    piles_refusal,
)
from scoreboard.games.tongtong.state import State
from scoreboard.message import message

AnyOffer = Offer[Command] | OpenOffer[Command]


def offers(state: State) -> tuple[AnyOffer, ...]:
    """Every act that the rules accept now.

    The keys: `mission:<name>`, `leader:<seat>`, `play:<card>`; `hand:<seat>` and `piles:<seat>`
    (open, to be filled with cards and with piles). Hands need not be told, and piles only
    where no cards are.
    """
    if state.is_finished:
        return ()
    return (
        *_missions(state),
        *_leaders(state),
        *_plays(state),
        *_hands(state),
        *_piles(state),
    )


def _missions(state: State) -> Iterator[AnyOffer]:
    """TT-2, TT-14."""
    for mission in MISSIONS:
        if mission_refusal(state, mission.name) is None:
            key, command = f"mission:{mission.name}", ChooseMission(mission.name)
            yield Offer(key, mission.title, "TT-14", command)


def _leaders(state: State) -> Iterator[AnyOffer]:
    """TT-3."""
    for seat, player in state.seated():
        if leader_refusal(state, player) is None:
            label = message("{player} holds red 8", player=player)
            yield Offer(f"leader:{seat}", label, "TT-3", NameLeader(player))


def _plays(state: State) -> Iterator[AnyOffer]:
    """TT-4."""
    for card in state.deck:
        if card_refusal(state, card) is None:
            yield Offer(f"play:{card}", named(card), "TT-4", PlayCard(card))


def _hands(state: State) -> Iterator[AnyOffer]:
    """TT-2."""
    for seat, player in state.seated():
        if hand_refusal(state, player) is None:
            known = state.deal.hands[seat]
            yield OpenOffer(
                f"hand:{seat}",
                message("The hand of {player}", player=player),
                "TT-2",
                hand_domain(state, player),
                partial(ShowHand, player),
                Entry(
                    message("Which eight cards does {player} hold?", player=player),
                    message("R, B, G, P or Y for the colour and the number, as in R8 B1 G4"),
                    "cards",
                    written=str(known) if known.cards else "",
                ),
                aside=True,
            )


def _piles(state: State) -> Iterator[AnyOffer]:
    """TT-7, TT-9."""
    for seat, player in state.seated():
        if piles_refusal(state, player) is None:
            yield OpenOffer(
                f"piles:{seat}",
                message("The piles of {player}", player=player),
                "TT-7",
                piles_domain(state, player),
                partial(TellPiles, player),
                Entry(
                    message("What lies on top of {player}’s piles?", player=player),
                    message("the top of each pile, then + and how many 6s were won: R5 B3 +2"),
                    "cards",
                    written="" if state.house.quick else str(state.deal.piles[seat]),
                ),
                aside=not state.house.quick,
            )
