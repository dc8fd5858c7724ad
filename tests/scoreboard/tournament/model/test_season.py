"""Standings over several events."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import pytest

from scoreboard.tournament.model.season import Season, Tie, season_standings

RESULTS = {
    "anna": {"a": (1, 30), "b": (3, 5), "c": (1, 20)},
    "boris": {"a": (2, 20), "b": (1, 40)},
    "chen": {"c": (2, 10), "elsewhere": (1, 99)},
    "dora": {"elsewhere": (1, 99)},
}
SEASON = Season(1, "Winter", ("a", "b", "c"))


@pytest.mark.parametrize(
    ("season", "expected"),
    [
        (SEASON, [("boris", 1, 60), ("anna", 2, 55), ("chen", 3, 10)]),
        (replace(SEASON, best=1), [("boris", 1, 40), ("anna", 2, 30), ("chen", 3, 10)]),
        (
            replace(SEASON, how="average"),
            [("boris", 1, 30), ("anna", 2, Fraction(55, 3)), ("chen", 3, 10)],
        ),
        (
            replace(SEASON, places="10 7/2"),
            [("anna", 1, 20), ("boris", 2, Fraction(27, 2)), ("chen", 3, Fraction(7, 2))],
        ),
    ],
    ids=["points", "best", "average", "places"],
)
def test_each_way_to_count(season: Season, expected: list[tuple[str, int, object]]) -> None:
    """Points, the best of them, their average or a table of places."""
    rows = season_standings(season, RESULTS)
    assert [(row.player, row.place, row.points) for row in rows] == expected


@pytest.mark.parametrize(("tie", "first"), [("best", ["two"]), ("won", ["one"]), ("last", ["two"])])
def test_ties_are_parted_as_the_season_says(tie: Tie, first: list[str]) -> None:
    """By the best event, by events won or by the last one; else the place is shared."""
    results = {"one": {"a": (1, 5), "b": (1, 5)}, "two": {"a": (2, 4), "b": (2, 6)}}
    rows = season_standings(Season(1, "Winter", ("a", "b"), tie=tie), results)
    assert [row.player for row in rows if row.place == 1] == first
    shared = season_standings(Season(1, "Winter", ("a",)), {"x": {"a": (1, 5)}, "y": {"a": (1, 5)}})
    assert [(row.place, row.shared) for row in shared] == [(1, True), (1, True)]
