"""Rummikub, classic for two to four players, with the XP set for five and six."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from scoreboard.errors import RuleViolationError
from scoreboard.games.engine.game import Game, Outcome, PieceGroup, Place, Setup
from scoreboard.games.rummikub.acts import KINDS, NOTATION, Command, Event
from scoreboard.games.rummikub.house import MOST_ROUNDS, OPTIONS, HouseRules
from scoreboard.games.rummikub.rules import decide
from scoreboard.games.rummikub.state import Round, State, evolve
from scoreboard.games.rummikub.tiles import Box, points
from scoreboard.games.rummikub.view import describe, judgement, offers, scoresheet, turn
from scoreboard.message import message

SEATS: Final = range(2, 7)


def start(setup: Setup) -> State:
    """A game before its first round (RK-1).

    Raises:
        RuleViolationError: too few or too many players, or an option that there is not.
    """
    house, players = HouseRules.of(setup.options), len(setup.players)
    if players not in SEATS:
        raise RuleViolationError("RK-1", message("Rummikub is for 2 to 6 players."))
    fresh = Round.fresh(players, judged=house.judged)
    return State(setup.players, Box.of(players), house, fresh)


def outcome(state: State) -> Outcome | None:
    """RK-14: the highest total first, equal ones share the place; None before the end."""
    return Outcome(tuple(_places(state))) if state.ended else None


def _places(state: State) -> Iterable[Place]:
    for seat in sorted(state.seats, key=lambda seat: -state.totals[seat]):
        total = state.totals[seat]
        better = sum(each > total for each in state.totals)
        yield Place(better + 1, state.players[seat], total)


def scores(setup: Setup) -> range:
    """Nobody gains or loses more than all tiles of the box cost, in each round (RK-11)."""
    house = HouseRules.of(setup.options)
    most = points(Box.of(len(setup.players)).tiles, house.joker) * (house.rounds or MOST_ROUNDS)
    return range(-most, most + 1)


def lying(state: State) -> tuple[PieceGroup, ...]:
    """The sets on the table."""
    return tuple(
        PieceGroup("tiles", tuple(map(str, laid.pieces))) for laid in state.round.table.sets
    )


GAME: Final[Game[State, Command, Event]] = Game(
    name="rummikub",
    title=message("Rummikub"),
    seats=SEATS,
    options=OPTIONS,
    kinds=KINDS,
    start=start,
    decide=decide,
    evolve=evolve,
    offers=offers,
    scoresheet=scoresheet,
    outcome=outcome,
    turn=turn,
    describe=describe,
    notation=NOTATION,
    lying=lying,
    judge=judgement,
    scores=scores,
)
