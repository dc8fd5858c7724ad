"""Tong Tong, a trick-taking card game in three games."""

from __future__ import annotations

from typing import Final

from scoreboard.games.engine.game import Game, Setup
from scoreboard.games.tongtong.acts import KINDS, NOTATION, Command, Event
from scoreboard.games.tongtong.house import OPTIONS, SEATS, HouseRules
from scoreboard.games.tongtong.rules import decide, warning
from scoreboard.games.tongtong.state import GAMES, State, evolve, outcome
from scoreboard.games.tongtong.view import describe, judgement, lying, offers, scoresheet, turn
from scoreboard.message import message

HIGHEST_SUM: Final = 10  # of a mission whose own sum is earned: the others bust below (TT-16)
TongTong = Game[State, Command, Event]


def start(setup: Setup) -> State:
    """The match before its first mission.

    Raises:
        RuleViolationError: the house rules are none, or do not fit so many players.
    """
    return State.fresh(HouseRules.of(setup), setup.players)


def scores(setup: Setup) -> range:
    """Each mission at its best, and all 6s won, in each game (TT-9 to TT-12)."""
    house = HouseRules.of(setup)
    best = max(
        max(house.points_of(mission)) if mission.ranks else HIGHEST_SUM
        for mission in house.missions
    )
    return range(GAMES * (best + len(house.colours)) + 1)


GAME: Final[TongTong] = Game(
    name="tongtong",
    title=message("Tong Tong"),
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
    warn=warning,
    scores=scores,
)
