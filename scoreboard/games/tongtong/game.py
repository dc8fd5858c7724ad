"""Tong Tong, a trick-taking card game in three games."""

from __future__ import annotations

from typing import Final

from scoreboard.games.engine.game import Game, Setup
from scoreboard.games.tongtong.acts import KINDS, Command, Event
from scoreboard.games.tongtong.descriptions import describe
from scoreboard.games.tongtong.house import OPTIONS, SEATS, HouseRules
from scoreboard.games.tongtong.lines import NOTATION
from scoreboard.games.tongtong.offers import offers
from scoreboard.games.tongtong.outcome import outcome
from scoreboard.games.tongtong.reading_check import judgement
from scoreboard.games.tongtong.refusals import warning
from scoreboard.games.tongtong.rules import decide
from scoreboard.games.tongtong.sheet import scoresheet
from scoreboard.games.tongtong.state import GAMES, State
from scoreboard.games.tongtong.turn import lying, turn
from scoreboard.games.tongtong.turns import evolve
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
