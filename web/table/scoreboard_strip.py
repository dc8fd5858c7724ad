"""The strip on top of a game: who plays, what everybody has, who leads and whose turn it is."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final
from unicodedata import east_asian_width

from scoreboard.games.engine.scoresheet import Scoresheet

COLOURS = 8  # of players; the ninth has the first one's again
TOTALS_ROW = "grand"  # every game's sheet ends in it
# Up to how many letters wide a name is written how large; what is longer is written smallest.
NAME_SIZES: Final = ((8, "short"), (12, "medium"), (20, "long"))


@dataclass(frozen=True, slots=True)
class PlayerTile:
    """One player on the strip.

    `colour` is 1 to `COLOURS`; `behind` is how much the leaders have more, None before anybody has
    points; who leads is 0 behind. Who left is shown, and leads nobody.
    """

    name: str
    initial: str
    colour: int
    total: str
    behind: int | None
    at_turn: bool
    gone: bool


def player_tiles(sheet: Scoresheet | None) -> tuple[PlayerTile, ...]:
    """Everybody in seat order; nobody without a sheet, and nobody behind in a solo game."""
    if sheet is None:
        return ()
    row = sheet.row(TOTALS_ROW)
    points = [cell.points for cell in row.cells]
    gaps = _gaps(points, sheet.gone)
    return tuple(
        PlayerTile(
            name,
            name[:1].upper(),
            seat % COLOURS + 1,
            row.shown(points[seat] or 0),
            gaps[seat],
            seat == sheet.current,
            seat in sheet.gone,
        )
        for seat, name in enumerate(sheet.players)
    )


def _gaps(points: Sequence[int | None], gone: frozenset[int]) -> list[int | None]:
    """How much each is behind the leaders; nobody is where all have the same, or play alone."""
    here = [each or 0 for seat, each in enumerate(points) if seat not in gone]
    if len(set(here)) < 2:  # noqa: PLR2004 -- two that differ
        return [None] * len(points)
    return [None if seat in gone else max(here) - (each or 0) for seat, each in enumerate(points)]


def name_size(name: str) -> str:
    """How large the name of whoever is at turn can be written: short ones across the room."""
    letters = sum(2 if east_asian_width(letter) in "FW" else 1 for letter in name)
    return next((size for most, size in NAME_SIZES if letters <= most), "longest")
