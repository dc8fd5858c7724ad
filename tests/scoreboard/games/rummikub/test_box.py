"""What a box holds, and what tiles on a rack cost."""

from __future__ import annotations

import pytest

from scoreboard.games.rummikub.tiles import CLASSIC, XP, Box, Tiles, points


@pytest.mark.parametrize(
    ("players", "box", "pool"),
    [(2, CLASSIC, 78), (3, CLASSIC, 64), (4, CLASSIC, 50), (5, XP, 90), (6, XP, 76)],
)
def test_the_pool_after_dealing(players: int, box: Box, pool: int) -> None:
    """RK-1, RK-2: the classic box for two to four players, XP for five and six."""
    assert Box.of(players) == box
    assert box.pool_after_dealing(players) == pool


def test_a_box_has_so_many_tiles() -> None:
    """RK-1."""
    assert (len(CLASSIC), len(XP)) == (106, 160)


@pytest.mark.parametrize(
    ("tiles", "joker", "cost"), [("K7 R13 J", 30, 50), ("J", 25, 25), ("-", 30, 0)]
)
def test_what_a_rack_costs(tiles: str, joker: int, cost: int) -> None:
    """RK-10, RK-11."""
    assert points(Tiles.parse(tiles), joker) == cost
