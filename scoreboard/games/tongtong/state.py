"""The state of a match: games, deal, totals, places; and how each event changes it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final

from scoreboard.games.engine.game import Outcome, Place
from scoreboard.games.engine.scoresheet import Scores
from scoreboard.games.tongtong.acts import (
    CardPlayed,
    Event,
    GameScored,
    HandShown,
    LeaderNamed,
    MissionChosen,
    PilesEntered,
    TrickTaken,
)
from scoreboard.games.tongtong.cards import LEADING, NO_TRICK, Card, Cards, Piles, Play, Trick, deck
from scoreboard.games.tongtong.house import NAMED, HouseRules, Mission, running_total

GAMES: Final = 3
TRICKS: Final = 7


@dataclass(frozen=True, slots=True)
class Deal:
    """One game of the match; per-player values are in seat order.

    `mission` is None until one is turned up. `hands` are the cards that a player took, none if
    unknown; `holder` was named as holding red 8, `leader` leads since a trick was taken. `taken`
    are the tricks that were, `trick` is the one on the table. `entered` are the seats whose piles
    were entered.
    """

    hands: tuple[Cards, ...]
    piles: tuple[Piles, ...]
    mission: Mission | None = None
    holder: int | None = None
    leader: int | None = None
    taken: tuple[Trick, ...] = ()
    trick: Trick = NO_TRICK
    entered: frozenset[int] = frozenset()

    @classmethod
    def fresh(cls, seats: int) -> Deal:
        """Without cards, and before a mission is turned up (TT-2)."""
        return cls((Cards(),) * seats, (Piles(),) * seats)

    @property
    def opener(self) -> int | None:
        """The leader of the first trick, None while the holder of red 8 is unknown (TT-3)."""
        if self.holder is not None:
            return self.holder
        return next((seat for seat, hand in enumerate(self.hands) if LEADING in hand.cards), None)

    @property
    def seat(self) -> int | None:
        """The seat whose card is awaited, or None (TT-4, TT-6)."""
        leads, played = self.opener if self.leader is None else self.leader, len(self.trick.plays)
        if leads is None or played == len(self.hands):
            return None
        return (leads + played) % len(self.hands)

    @property
    def played(self) -> frozenset[Card]:
        """The cards that were played, those of the open trick too."""
        return frozenset(card for trick in (*self.taken, self.trick) for card in trick.cards)

    def held(self, seat: int) -> tuple[Card, ...]:
        """The rest of a known hand; none if unknown."""
        played = self.played
        return tuple(card for card in self.hands[seat].cards if card not in played)

    def elsewhere(self, seat: int) -> frozenset[Card]:
        """Cards that are known to be other players': in their hands, and red 8 (TT-2, TT-3)."""
        others = {card for at, hand in enumerate(self.hands) if at != seat for card in hand.cards}
        if self.holder not in {None, seat}:
            others.add(LEADING)
        return frozenset(others)

    def with_piles(self, seat: int, piles: Piles) -> Deal:
        return replace(self, piles=(*self.piles[:seat], piles, *self.piles[seat + 1 :]))


@dataclass(frozen=True, slots=True)
class State:
    """A match between two events.

    `games` are those that ended, with their scores; `deal` is the one that is played or prepared;
    `acts` counts the entries so far.
    """

    house: HouseRules
    players: tuple[str, ...]
    deal: Deal
    games: tuple[GameScored, ...] = ()
    acts: int = 0

    @property
    def deck(self) -> tuple[Card, ...]:
        """The cards in play (TT-1)."""
        return deck(self.house.colours)

    @property
    def totals(self) -> tuple[int, ...]:
        """Everyone's total; all start at 0 (TT-12)."""
        return self.games[-1].totals.numbers if self.games else (0,) * len(self.players)

    @property
    def is_finished(self) -> bool:
        """Whether all three games are scored (TT-13)."""
        return len(self.games) == GAMES


def outcome(state: State) -> Outcome | None:
    """The places when all three games are scored, None before."""
    if not state.is_finished:
        return None
    # the total, then each game from the latest on: its points and bonus, before the floor of TT-12
    merits = {
        side: (
            grand(state, side[0]),
            *(
                sum(game.points.numbers[seat] + game.bonuses.numbers[seat] for seat in side)
                for game in reversed(state.games)
            ),
        )
        for side in state.house.sides
    }
    places = [
        Place(
            1 + sum(other > merits[side] for other in merits.values()),
            state.players[seat],
            grand(state, seat),
        )
        for side in sorted(merits, key=merits.__getitem__, reverse=True)
        for seat in side
    ]
    return Outcome(tuple(places))


def grand(state: State, seat: int) -> int:
    """The total that decides the match for this player: with the partner's in team play."""
    side = next(side for side in state.house.sides if seat in side)
    return sum(state.totals[each] for each in side)


def game_scored(state: State, mission: Mission) -> GameScored:
    """Score the game by the players' piles (TT-8 to TT-12)."""
    piles = state.deal.piles
    points = mission.points(piles, state.house.points_of(mission))
    bonuses = tuple(each.sixes for each in piles)
    return GameScored(
        mission=mission.name,
        sums=Scores(tuple(mission.sum_of(each) for each in piles)),
        points=Scores(points),
        bonuses=Scores(bonuses),
        totals=Scores(tuple(map(running_total, state.totals, points, bonuses))),
    )


def evolve(state: State, event: Event) -> State:
    """The state after an event; never refuses, never recomputes the trick's taker."""
    match event:
        case GameScored():
            return replace(state, games=(*state.games, event), deal=Deal.fresh(len(state.players)))
        case TrickTaken(player, leader):
            deal, seat = state.deal, state.players.index
            taken = (*deal.taken, deal.trick)
            after = replace(deal, taken=taken, trick=NO_TRICK, leader=seat(leader))
            won = deal.piles[seat(player)].with_won(deal.trick.cards)  # TT-7
            return replace(state, deal=after.with_piles(seat(player), won))
        case _:
            return replace(state, deal=_entered(state, event), acts=state.acts + 1)


def _entered(
    state: State, event: MissionChosen | HandShown | LeaderNamed | CardPlayed | PilesEntered
) -> Deal:
    """The game after a person's entry."""
    deal, seat = state.deal, state.players.index
    match event:
        case MissionChosen(mission):
            return replace(deal, mission=NAMED[mission])
        case HandShown(player, hand):
            at = seat(player)
            return replace(deal, hands=(*deal.hands[:at], hand, *deal.hands[at + 1 :]))
        case LeaderNamed(player):
            return replace(deal, holder=seat(player))
        case CardPlayed(player, card):
            plays = (*deal.trick.plays, Play(seat(player), card))
            return replace(deal, trick=Trick(plays))
        case PilesEntered(player, piles):
            after = replace(deal, entered=deal.entered | {seat(player)})
            return after.with_piles(seat(player), piles)
