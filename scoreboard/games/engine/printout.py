"""A scoresheet for a terminal and for other programs: text, JSON values, a table."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Sequence
from typing import Any, Final

from scoreboard.games.engine.game import Game, Outcome
from scoreboard.games.engine.scoresheet import RowKind, Scoresheet
from scoreboard.message import Message, message

GAP: Final = "  "
EMPTY: Final = "."


def printout(
    sheet: Scoresheet, outcome: Outcome | None = None, translate: Callable[[Message], str] = str
) -> str:
    """The whole sheet, a ruled line after each block, house rules, and a finished game's ranking.

    `translate` puts a message into the reader's language. Every line ends with a line break.
    """
    table = [["", *map(_harmless, sheet.players)]]
    table += [
        [
            translate(row.label),
            *(EMPTY if cell.points is None else row.shown(cell.points) for cell in row.cells),
        ]
        for row in sheet.rows
    ]
    widths = [max(map(_columns, column)) for column in zip(*table, strict=True)]
    lines = [_line(texts, widths) for texts in table]
    rule = "-" * _columns(lines[0])
    kinds = ["", *(row.kind for row in sheet.rows)]
    for at in reversed([at for at in range(len(sheet.rows)) if kinds[at] != kinds[at + 1]]):
        lines.insert(at + 1, rule)
    if sheet.options:
        lines += [
            "",
            f"{translate(message('House rules:'))} {'; '.join(map(translate, sheet.options))}",
        ]
    places = () if outcome is None else outcome.ranking
    lines += [""] if places else []
    lines += [
        translate(
            message(
                "{place}. {player}: {points}",
                place=place.place,
                player=_harmless(place.player),
                points=place.points,
            )
        )
        for place in places
    ]
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


FORMULA_STARTS: Final = ("=", "+", "-", "@", "\t", "\r")


def summary(game: Game[Any, Any, Any], state: Any) -> dict[str, Any]:
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
        "ranking": [
            {"place": place.place, "player": place.player, "points": place.points}
            for place in (outcome.ranking if outcome is not None else ())
        ],
    }


def score_table(sheet: Scoresheet) -> tuple[tuple[str, ...], ...]:
    """The sheet as rows of text for a spreadsheet: a head with the names, then a row a line.

    A name that a spreadsheet would take for a formula gets an apostrophe in front; an empty box is
    an empty text.
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
