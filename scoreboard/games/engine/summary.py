"""A game as plain figures, for other programs: as JSON values and as a table."""

from __future__ import annotations

from typing import Any, Final

from scoreboard.games.engine.game import Game
from scoreboard.games.engine.scoresheet import RowKind, Scoresheet

FORMULA_STARTS: Final = ("=", "+", "-", "@", "\t", "\r")


def summary(game: Game[Any, Any, Any], state: Any) -> dict[str, Any]:
    """The game's figures under the rows' keys, players in seat order.

    `boxes` hold null while empty; `turn` is the number of the open turn counted from 1,
    null when the game is finished; `ranking` is empty before that.
    """
    sheet, outcome, turn = game.scoresheet(state), game.outcome(state), game.turn(state)
    return {
        "game": game.name,
        "players": [
            {
                "name": name,
                "boxes": _column(sheet, seat, "box"),
                "totals": _column(sheet, seat, "total"),
            }
            for seat, name in enumerate(sheet.players)
        ],
        "turn": turn.number + 1 if outcome is None else None,
        "finished": outcome is not None,
        "ranking": [
            {"place": place.place, "player": place.player, "points": place.points}
            for place in (outcome.ranking if outcome is not None else ())
        ],
    }


def score_table(sheet: Scoresheet) -> tuple[tuple[str, ...], ...]:
    """The sheet as rows of text for a spreadsheet: a head with the names, then a row a line.

    A name that a spreadsheet would take for a formula is neutralised by an apostrophe
    before it; an empty box is an empty text.
    """
    head = ("row", *(neutralised(name) for name in sheet.players))
    rows = (
        (row.key, *("" if cell.points is None else str(cell.points) for cell in row.cells))
        for row in sheet.rows
    )
    return (head, *rows)


def neutralised(text: str) -> str:
    """The text, so that no spreadsheet takes it for a formula."""
    return f"'{text}" if text.startswith(FORMULA_STARTS) else text


def _column(sheet: Scoresheet, seat: int, kind: RowKind) -> dict[str, int | None]:
    return {row.key: row.cells[seat].points for row in sheet.rows if row.kind == kind}
