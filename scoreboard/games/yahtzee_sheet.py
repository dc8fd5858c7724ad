"""The Yahtzee scoresheet as the paper has it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from scoreboard.games.yahtzee_boxes import BOXES, Box, Placement
from scoreboard.games.yahtzee_rules import possible_placements
from scoreboard.games.yahtzee_state import State
from scoreboard.games.yahtzee_turns import active_seat
from scoreboard.phrase import Phrase, phrase
from scoreboard.scoresheet import Cell, Row, Scoresheet

TITLE: Final = phrase("Yahtzee")
LABELS: Final[Mapping[str, Phrase]] = {box.key: box.label for box in BOXES}
_UPPER_TOTALS: Final = (
    ("upper", phrase("Upper sum"), None),
    ("bonus", phrase("Bonus"), phrase("35 points from 63 on")),
    ("upper-total", phrase("Upper total"), None),
)
_CARD_TOTALS: Final = (
    ("lower", phrase("Lower sum"), None),
    ("yahtzee-bonus", phrase("Yahtzee bonus"), phrase("100 points each")),
    ("grand", phrase("Grand total"), None),
)


def scoresheet(state: State) -> Scoresheet:
    """The whole sheet, totals in the paper's order (YZ-19), with what each box would take now."""
    possible = {placed.box.key: placed for placed in possible_placements(state)}
    upper = tuple(_box_row(state, box, possible) for box in BOXES if box.section == "upper")
    lower = tuple(_box_row(state, box, possible) for box in BOXES if box.section == "lower")
    upper_totals = tuple(_total_row(state, "upper", *total) for total in _UPPER_TOTALS)
    card_totals = tuple(_total_row(state, "totals", *total) for total in _CARD_TOTALS)
    return Scoresheet(
        game="yahtzee",
        players=state.players,
        rows=upper + upper_totals + lower + card_totals,
        current=None if state.opening == "roll-off" else active_seat(state),
    )


def _box_row(state: State, box: Box, possible: Mapping[str, Placement]) -> Row:
    cells = tuple(
        _open_cell(possible[box.key])
        if seat == state.seat and box.key in possible
        else Cell(points=card[box.key])
        for seat, card in enumerate(state.cards)
    )
    return Row(box.key, box.label, "box", box.section, cells, box.hint)


def _open_cell(placed: Placement) -> Cell:
    return Cell(possible=placed.points, offer=f"score:{placed.box.key}", rule=placed.rule)


def _total_row(state: State, section: str, key: str, label: Phrase, hint: Phrase | None) -> Row:
    cells = tuple(Cell(points=card.totals[key]) for card in state.cards)
    return Row(key, label, "total", section, cells, hint)
