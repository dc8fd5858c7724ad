"""A scoresheet for a terminal and for other programs: text and JSON values."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from dataclasses import asdict
from typing import Any, Final

from scoreboard.games.engine.game import AnyGame, Outcome
from scoreboard.games.engine.scoresheet import RowKind, Scoresheet

GAP: Final = "  "
EMPTY: Final = "."


def printout(sheet: Scoresheet, outcome: Outcome | None = None) -> str:
    """The sheet, ruled after each block, its house rules, and a finished game's ranking."""
    table = [["", *map(_harmless, sheet.players)]]
    for row in sheet.rows:
        points = (EMPTY if cell.points is None else row.shown(cell.points) for cell in row.cells)
        table.append([str(row.label), *points])
    widths = [max(map(_columns, column)) for column in zip(*table, strict=True)]
    lines = [_line(texts, widths) for texts in table]
    rule = "-" * _columns(lines[0])
    kinds = ["", *(row.kind for row in sheet.rows)]
    for at in reversed([at for at in range(len(sheet.rows)) if kinds[at] != kinds[at + 1]]):
        lines.insert(at + 1, rule)
    if sheet.options:
        lines += ["", f"House rules: {'; '.join(map(str, sheet.options))}"]
    places = () if outcome is None else outcome.ranking
    lines += [""] if places else []
    lines += [f"{each.place}. {_harmless(each.player)}: {each.points}" for each in places]
    return "".join(f"{line.rstrip()}\n" for line in lines)


def _line(texts: Sequence[str], widths: Sequence[int]) -> str:
    label, *points = texts
    first = label + " " * (widths[0] - _columns(label))
    others = (
        " " * (width - _columns(text)) + text
        for text, width in zip(points, widths[1:], strict=True)
    )
    return GAP.join([first, *others])


def _harmless(name: str) -> str:
    return "".join("?" if unicodedata.category(sign) == "Cc" else sign for sign in name)


def _columns(text: str) -> int:
    """A text's width in terminal columns: two for a wide sign, none for a mark."""
    return sum(
        0 if unicodedata.combining(sign) else 2 if unicodedata.east_asian_width(sign) in "WF" else 1
        for sign in text
    )


def summary(game: AnyGame, state: Any) -> dict[str, Any]:
    """The game's figures by the rows' keys, players in seat order.

    `boxes` hold null while empty; `turn` is the number of the open turn counted from 1, null when
    the game is finished; `ranking` is empty before that.
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
        "ranking": [] if outcome is None else [*map(asdict, outcome.ranking)],
    }


def _column(sheet: Scoresheet, seat: int, kind: RowKind) -> dict[str, int | None]:
    return {row.key: row.cells[seat].points for row in sheet.rows if row.kind == kind}
