"""The scoresheet as the paper has it."""

from __future__ import annotations

from collections.abc import Mapping

from scoreboard.games.dice.form import Box, Placement, Points, Total
from scoreboard.games.dice.rules import possible_placements
from scoreboard.games.dice.state import State
from scoreboard.games.dice.turns import active_seat
from scoreboard.games.engine.scoresheet import Cell, Row, Scoresheet


def scoresheet(state: State) -> Scoresheet:
    """The whole sheet, rows in the paper's order, with what each box would take now."""
    possible = {placed.box.key: placed for placed in possible_placements(state)}
    values = tuple(card.values for card in state.cards)
    return Scoresheet(
        game=state.form.game,
        players=state.players,
        rows=tuple(
            _box_row(state, row, possible) if isinstance(row, Box) else _total_row(row, values)
            for row in state.form.rows
        ),
        current=None if state.opening == "roll-off" else active_seat(state),
        options=state.form.house_rules,
        gone=frozenset(seat for seat, gone in enumerate(state.gone) if gone),
    )


def _box_row(state: State, box: Box, possible: Mapping[str, Placement]) -> Row:
    cells = tuple(
        _open_cell(possible[box.key])
        if seat == state.seat and box.key in possible
        else Cell(points=card[box.key])
        for seat, card in enumerate(state.cards)
    )
    return Row(box.key, box.label, "box", box.section, cells, box.hint, box.rule)


def _open_cell(placed: Placement) -> Cell:
    return Cell(possible=placed.points, offer=f"score:{placed.box.key}", rule=placed.rule)


def _total_row(total: Total, values: tuple[Points, ...]) -> Row:
    cells = tuple(_total_cell(total, each) for each in values)
    return Row(total.key, total.label, "total", total.section, cells, total.hint, total.rule)


def _total_cell(total: Total, values: Points) -> Cell:
    missing = total.missing(values) if total.missing else 0
    return Cell(points=values[total.key], missing=missing or None, rule=total.rule)
