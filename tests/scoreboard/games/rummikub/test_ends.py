"""How a game of Rummikub ends, and how it cannot be set up; tables as in `test_rounds`."""

from __future__ import annotations

import pytest

from scoreboard.errors import RuleViolationError
from scoreboard.games.rummikub.game import GAME
from tests.scoreboard.games.rummikub.playing import begun, played, rows

RANKINGS = """
                  | stop A / round 5 5 -10 / end               | 1 A 5, 1 B 5, 3 C -10
                  | stop A / round -9 4 5 / stop A / round 1 1 -2 / end | 1 B 5, 2 C 3, 3 A -8
clock=30          | round -9 -4 13                      |
rounds=1          | round -9 -4 13                      | 1 C 13, 2 B -4, 3 A -9
rounds=2          | stop A / round -9 4 5 / round 9 -4 -5      | 1 A 0, 1 B 0, 1 C 0
target=20         | round 19 -9 -10                   |
target=20         | round 20 -9 -11                   | 1 A 20, 2 B -9, 3 C -11
target=20         | round 12 -6 -6 / round -4 12 -8   |
target=20         | round -6 12 -6 / round -6 12 -6   | 1 B 24, 2 A -12, 2 C -12
rounds=2 target=9 | round 9 -4 -5                     | 1 A 9, 2 B -4, 3 C -5
"""


@pytest.mark.parametrize(("options", "lines", "places"), rows(RANKINGS))
def test_the_end_of_the_game(options: str, lines: str, places: str) -> None:
    """RK-14, RK-15: by the players, the rounds or the target; equal totals share the place."""
    state = played(f"A B C turns=scores {options}", lines)
    outcome = GAME.outcome(state)
    ranking = () if outcome is None else outcome.ranking
    assert ", ".join(f"{each.place} {each.player} {each.points}" for each in ranking) == places
    assert state.ended == bool(places)


SETUPS_REFUSED = """
Ann             | A B C D E F G   |                    |               | RK-1
A B clock=29    | A B clock=301   | A B clock=on       | A B clock=    | RK-7
A B rounds=0    | A B rounds=100  | A B rounds=9999999999 | A B rounds=-1 | RK-15
A B target=0    | A B target=10000 | A B target=1.5    | A B target=²  | RK-15
A B turns=both  | A B turns=      |                    |               | RK-11
A B building=maybe | A B building= |                   |               | RK-5
A B empty_pool=last | A B empty_pool= |                |               | RK-12
A B bridging=maybe | A B bridging= |                   |               | RK-17
A B joker=40    | A B joker=      |                    |               | RK-10
A B colour=red  |                 |                    |               | options
"""


@pytest.mark.parametrize(
    ("setup", "rule"),
    [(setup, rule) for *setups, rule in rows(SETUPS_REFUSED) for setup in setups if setup],
)
def test_a_game_cannot_be_set_up_so(setup: str, rule: str) -> None:
    """RK-1, RK-5, RK-7, RK-10 to RK-12, RK-15, RK-17: by the rule that the house rule is about."""
    with pytest.raises(RuleViolationError) as caught:
        begun(setup)
    assert caught.value.rule == rule


def test_noughts_do_not_hide_a_number_too_high() -> None:
    """RK-15: 19999 rounds are too many with noughts before them, too."""
    with pytest.raises(RuleViolationError):
        begun("A B rounds=0000000019999")
