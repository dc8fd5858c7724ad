"""The racks of a round that was played without a device."""

from __future__ import annotations

import pytest

from scoreboard.games.rummikub.racks import RACKS

LEFT = (
    {"numbers": 0, "jokers": 0},
    {"numbers": 12, "jokers": 1},
    {"numbers": 9, "jokers": 2, "unmelded": 1},
    {"numbers": 5, "jokers": 0},
)


@pytest.mark.parametrize(
    ("joker", "unmelded", "scores"),
    [(30, 0, (116, -42, -69, -5)), (50, 100, (276, -62, -209, -5))],
)
def test_penalties_are_the_events(joker: int, unmelded: int, scores: tuple[int, ...]) -> None:
    """A joker and a missing first meld cost what was settled, and are asked for where they do."""
    penalties = {"joker": joker, "unmelded": unmelded}
    assert RACKS.scores(LEFT, penalties) == scores
    asked = {field.name for field in RACKS.fields(penalties)}
    assert ("unmelded" in asked) == bool(unmelded)


def test_with_nobody_out_the_lowest_rack_wins() -> None:
    """It gains what the others hold more than it."""
    racks = [{"numbers": left, "jokers": 0} for left in (10, 12, 25)]
    assert RACKS.scores(racks, {"joker": 30, "unmelded": 0}) == (17, -2, -15)
