"""Who wins: the places after three games (TT-13, TT-15)."""

from __future__ import annotations

from scoreboard.games.engine.game import Outcome, Place
from scoreboard.games.tongtong.state import State

Side = tuple[int, ...]


def outcome(state: State) -> Outcome | None:
    """The places when all three games are scored, None before."""
    if not state.is_finished:
        return None
    merits = {side: _merits(state, side) for side in state.house.sides}
    places = [
        Place(_place(merits[side], list(merits.values())), state.players[seat], grand(state, seat))
        for side in sorted(merits, key=merits.__getitem__, reverse=True)
        for seat in side
    ]
    return Outcome(tuple(places))


def grand(state: State, seat: int) -> int:
    """What decides the match for this player: the own total, with the partner's in team play."""
    side = next(side for side in state.house.sides if seat in side)
    return sum(state.totals[each] for each in side)


def _merits(state: State, side: Side) -> tuple[int, ...]:
    """What is compared one after the other: the total, then each game from the latest on.

    The points of a game are the mission's and the bonus, before the floor of TT-12.
    """
    games = (
        sum(game.points.numbers[seat] + game.bonuses.numbers[seat] for seat in side)
        for game in reversed(state.games)
    )
    return (grand(state, side[0]), *games)


def _place(own: tuple[int, ...], all_merits: list[tuple[int, ...]]) -> int:
    return 1 + sum(merits > own for merits in all_merits)
