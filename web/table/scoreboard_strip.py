"""The strip on top of a game (who plays, has what, leads, is at turn), and its sheet in panes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final
from unicodedata import east_asian_width

from scoreboard.games.engine.scoresheet import Row, Scoresheet
from scoreboard.storage.profiles import COLOURS, Profile

TOTALS_ROW = "grand"  # every game's sheet ends in it
SHORT_SHEET: Final = 6  # rows
# Up to how many letters wide a name is written how large; what is longer is written smallest.
NAME_SIZES: Final = ((8, "short"), (12, "medium"), (20, "long"), (32, "longest"))


@dataclass(frozen=True, slots=True)
class PlayerTile:
    """One player on the strip.

    `colour` is that of their mark in this game, also in `profile`; `behind` is the leaders' lead,
    None before anyone has points; leaders are 0 behind. A player who left is shown, but is no
    leader.
    """

    name: str
    initial: str
    colour: str
    total: str
    behind: int | None
    at_turn: bool
    gone: bool
    profile: Profile | None = None


def player_tiles(
    sheet: Scoresheet | None, known: Mapping[str, Profile] | None = None
) -> tuple[PlayerTile, ...]:
    """Everybody in seat order, with the known profiles; in a solo game none is behind."""
    if sheet is None:
        return ()
    row = sheet.row(TOTALS_ROW)
    marks = marks_of(sheet.players, known or {})
    points = [cell.points or 0 for cell in row.cells]
    here = [sheet.better * each for seat, each in enumerate(points) if seat not in sheet.gone]
    lead = max(here) if len(set(here)) > 1 else None  # none if all have the same, or play alone
    return tuple(
        PlayerTile(
            name,
            name[:1].upper(),
            marks[name].colour,
            row.shown(points[seat]),
            None if lead is None or seat in sheet.gone else lead - sheet.better * points[seat],
            seat == sheet.current,
            seat in sheet.gone,
            marks[name] if marks[name].profile_id else None,
        )
        for seat, name in enumerate(sheet.players)
    )


def marks_of(names: Sequence[str], known: Mapping[str, Profile]) -> dict[str, Profile]:
    """The marks of those who play together, no two in one colour while there are enough.

    Whose own colour is taken by somebody before them gets a free one, as guests do.
    """
    own = {known[name].colour: name for name in reversed(names) if name in known}
    used, marks = Counter(own.keys()), dict[str, Profile]()
    for name in names:
        mark = known.get(name, Profile("", name, "", name[:1].upper()))
        if own.get(mark.colour) != name:
            mark = replace(mark, colour=min(COLOURS, key=lambda each: used[each]))
            used[mark.colour] += 1
        marks[name] = mark
    return marks


def name_size(name: str) -> str:
    """The size of the name of the player at turn: short ones across the room."""
    letters = sum(2 if east_asian_width(letter) in "FW" else 1 for letter in name)
    return next((size for most, size in NAME_SIZES if letters <= most), "endless")


def sheet_panes(sheet: Scoresheet | None) -> tuple[tuple[Row, ...], ...]:
    """The rows in two panes, split between sections near the middle; a short sheet is one pane."""
    rows = () if sheet is None else sheet.rows
    if len(rows) <= SHORT_SHEET:
        return (rows,) if rows else ()
    borders = [at for at in range(1, len(rows)) if rows[at - 1].section != rows[at].section]
    if not borders:
        return (rows,)
    middle = min(borders, key=lambda at: abs(len(rows) - 2 * at))
    return rows[:middle], rows[middle:]
