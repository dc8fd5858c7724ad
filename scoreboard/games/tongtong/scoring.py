"""What a game of the match is worth to everyone."""

from __future__ import annotations

from scoreboard.games.engine.scores import Scores
from scoreboard.games.tongtong.acts import GameScored
from scoreboard.games.tongtong.mission import Mission, running_total
from scoreboard.games.tongtong.state import State


def game_scored(state: State, mission: Mission) -> GameScored:
    """Score the game by the piles that lie before the players (TT-8 to TT-12)."""
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
