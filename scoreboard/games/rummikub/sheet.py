"""The scoresheet: a line a round, what is on the racks now, and the total."""

from __future__ import annotations

from collections.abc import Iterator

from scoreboard.games.engine.scoresheet import Cell, Row, Scoresheet
from scoreboard.games.rummikub.state import State
from scoreboard.message import message


def scoresheet(state: State) -> Scoresheet:
    """The whole sheet; the open round is the last line of the rounds."""
    open_turn = state.round.stage in {"playing", "restoring"} and state.house.judged
    return Scoresheet(
        game="rummikub",
        players=state.players,
        rows=(*_rounds(state), *_racks(state), _total(state)),
        current=state.round.seat if open_turn and not state.ended else None,
        options=state.house.printed,
    )


def _rounds(state: State) -> Iterator[Row]:
    """RK-11, RK-13; what a round brings adds up to 0, which the sheet shows."""
    for number, scores in enumerate(state.scores, start=1):
        shared = sum(each >= 0 for each in scores) > 1
        rule = "RK-13" if shared else "RK-11"
        cells = tuple(Cell(points=each, rule=rule) for each in scores)
        label = message("Round {number}", number=number)
        hint = message("sum {sum}", sum=sum(scores))
        yield Row(f"round-{number}", label, "box", "rounds", cells, hint, rule, signed=True)
    if not state.ended:
        number = len(state.scores) + 1
        cells = tuple(Cell(points=_cost(state, seat)) for seat in state.seats)
        label = message("Round {number}", number=number)
        yield Row(f"round-{number}", label, "box", "rounds", cells, None, "RK-11", signed=True)


def _cost(state: State, seat: int) -> int | None:
    """What is lost at least, as far as racks are told; the winner's gain is not known yet."""
    costs = state.round.costs
    return -costs[seat] if costs and costs[seat] else None  # type: ignore[operator]


def _racks(state: State) -> Iterator[Row]:
    """RK-2; only while a round goes on."""
    if state.ended or not state.house.judged:
        return
    cells = tuple(Cell(points=rack.count.tiles) for rack in state.round.racks)
    label = message("Tiles on the rack")
    yield Row("rack", label, "total", "racks", cells, None, "RK-2")


def _total(state: State) -> Row:
    """RK-14."""
    cells = tuple(Cell(points=total, rule="RK-14") for total in state.totals)
    label = message("Total")
    return Row("grand", label, "total", "totals", cells, None, "RK-14", signed=True)
