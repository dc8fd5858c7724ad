"""What a round brings."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoreboard.games.rummikub.state import after_rummikub, after_stalemate


def test_the_sheets_three_rounds() -> None:
    """RK-11: A -14, B -29, C +4, D +39 after three rounds, each of which sums to 0."""
    rounds = [
        after_rummikub((0, 5, 16, 3), 0),
        after_rummikub((6, 11, 0, 5), 2),
        after_rummikub((32, 13, 2, 0), 3),
    ]
    assert [sum(each) for each in rounds] == [0, 0, 0]
    assert [sum(seat) for seat in zip(*rounds, strict=True)] == [-14, -29, 4, 39]


@pytest.mark.parametrize(
    ("costs", "to_play", "scores"),
    [
        ((4, 10, 17, 9), 0, (24, -6, -13, -5)),
        ((5, 5, 12), 0, (4, 3, -7)),
        ((5, 5, 12), 1, (3, 4, -7)),
        ((5, 5, 12), 2, (4, 3, -7)),
        ((0, 0, 0), 1, (0, 0, 0)),
    ],
)
def test_nobody_out(costs: tuple[int, ...], to_play: int, scores: tuple[int, ...]) -> None:
    """RK-13: the lowest wins; several share, the remainder to who would have played next."""
    assert after_stalemate(costs, to_play) == scores


@given(st.lists(st.integers(0, 200), min_size=2, max_size=6), st.integers(0, 5))
def test_every_round_sums_to_zero(costs: list[int], seat: int) -> None:
    """RK-11, RK-13: the sheet's own check."""
    seat %= len(costs)
    assert sum(after_stalemate(costs, seat)) == 0
    costs[seat] = 0
    assert sum(after_rummikub(costs, seat)) == 0
