"""Pauses grow while the hub is away, and tables do not come back all at once."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from scoreboard.tournament.client.connection import Backoff


def test_pauses_double_up_to_the_longest() -> None:
    """Half a second, one, two, and at most five."""
    pauses, backoff = [], Backoff()
    for _ in range(8):
        backoff = backoff.failed()
        pauses.append(backoff.pause_seconds(0.0))
    assert pauses == [0.5, 1.0, 2.0, 4.0, 5.0, 5.0, 5.0, 5.0]


def test_an_answer_heals() -> None:
    """After an answer the first pause is short again."""
    assert Backoff().failed().failed().healed().failed().pause_seconds(0.0) == 0.5


@given(st.integers(0, 10_000), st.floats(0, 1))
def test_chance_shortens_a_pause_by_half_at_most(failures: int, chance: float) -> None:
    """However often it failed, a pause has bounds."""
    backoff = Backoff(failures=failures)
    whole = backoff.pause_seconds(0.0)
    assert whole / 2 <= backoff.pause_seconds(chance) <= whole <= 5.0
