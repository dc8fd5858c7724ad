"""The scoresheet for a terminal: plain text with aligned columns."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Sequence
from typing import Final

from scoreboard.games.engine.game import Outcome
from scoreboard.games.engine.scoresheet import Scoresheet
from scoreboard.message import Message, message

GAP: Final = "  "
EMPTY: Final = "."


def printout(
    sheet: Scoresheet, outcome: Outcome | None = None, say: Callable[[Message], str] = str
) -> str:
    """The whole sheet, a ruled line after each block, house rules, and a finished game's ranking.

    `say` puts a phrase into the reader's language. Every line ends with a line break.
    """
    table = [["", *map(_harmless, sheet.players)]]
    table += [
        [
            say(row.label),
            *(EMPTY if cell.points is None else row.shown(cell.points) for cell in row.cells),
        ]
        for row in sheet.rows
    ]
    widths = [max(map(_columns, column)) for column in zip(*table, strict=True)]
    lines = [_line(texts, widths) for texts in table]
    rule = "-" * _columns(lines[0])
    for at in reversed(_block_starts(sheet)):
        lines.insert(at + 1, rule)
    lines += [*_house_rules(sheet, say), *_ranking(outcome, say)]
    return "".join(f"{line.rstrip()}\n" for line in lines)


def _block_starts(sheet: Scoresheet) -> list[int]:
    """The indices of the rows where boxes and totals alternate."""
    kinds = ["", *(row.kind for row in sheet.rows)]
    return [at for at in range(len(sheet.rows)) if kinds[at] != kinds[at + 1]]


def _line(texts: Sequence[str], widths: Sequence[int]) -> str:
    label, *points = texts
    first = label + " " * (widths[0] - _columns(label))
    others = (
        " " * (width - _columns(text)) + text
        for text, width in zip(points, widths[1:], strict=True)
    )
    return GAP.join([first, *others])


def _harmless(name: str) -> str:
    """The name without signs that would steer the terminal."""
    return "".join("?" if unicodedata.category(sign) == "Cc" else sign for sign in name)


def _columns(text: str) -> int:
    """How many columns a terminal gives the text: two for a wide sign, none for a mark."""
    return sum(
        0 if unicodedata.combining(sign) else 2 if unicodedata.east_asian_width(sign) in "WF" else 1
        for sign in text
    )


def _house_rules(sheet: Scoresheet, say: Callable[[Message], str]) -> list[str]:
    """Those that are not at their default: an invisible one would look like a fault."""
    if not sheet.options:
        return []
    return ["", f"{say(message('House rules:'))} {'; '.join(map(say, sheet.options))}"]


def _ranking(outcome: Outcome | None, say: Callable[[Message], str]) -> list[str]:
    if outcome is None:
        return []
    places = [
        say(
            message(
                "{place}. {player}: {points}",
                place=place.place,
                player=_harmless(place.player),
                points=place.points,
            )
        )
        for place in outcome.ranking
    ]
    return ["", *places]
