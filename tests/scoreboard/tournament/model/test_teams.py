"""Teams: their places by their players' points before any cut."""

from __future__ import annotations

from dataclasses import replace

import pytest

from scoreboard.tournament.model.disputes import AwardPenalty
from scoreboard.tournament.model.entrant import Entrant
from scoreboard.tournament.model.entries import Enter
from scoreboard.tournament.model.rounds import DrawRound
from scoreboard.tournament.model.stages import Cut
from scoreboard.tournament.model.standings import team_standings
from scoreboard.tournament.model.tournament_format import Stage
from tests.scoreboard.tournament.model.directing import EVENING, KIM, Directing

FORM = replace(EVENING, rounds=1, stages=(Stage("Final", 4, games=1),))
TEAMS = ("Reds", "Blues", "reds", "Blues", "Reds", "Greens", "Greens", "")


def evening(counted: int = 0) -> Directing:
    """Eight of three teams after a round; a spelling differs, and the last has no team."""
    directing = Directing(replace(FORM, team_counted=counted))
    for number, team in enumerate(TEAMS, start=1):
        directing.give(Enter(Entrant(number, f"Player {number}", team=team)))
    scores = {1: "1 20, 2 40, 3 -30, 4 -30", 2: "5 15, 6 15, 7 -5, 8 -25"}
    return directing.play_by_hand("1: 1 2 3 4 | 2: 5 6 7 8", scores)


def places(directing: Directing) -> list[tuple[int, str, object]]:
    """The standings in short."""
    return [(row.place, row.team, row.points) for row in team_standings(directing.state)]


@pytest.mark.parametrize(
    ("counted", "expected"),
    [
        (0, [(1, "Blues", 10), (2, "Greens", 10), (3, "Reds", 5)]),  # 40 against 15
        (1, [(1, "Blues", 40), (2, "Reds", 20), (3, "Greens", 15)]),
        (2, [(1, "Reds", 35), (2, "Blues", 10), (3, "Greens", 10)]),
        (9, [(1, "Blues", 10), (2, "Greens", 10), (3, "Reds", 5)]),
    ],
)
def test_the_best_of_each_team_are_added(
    counted: int, expected: list[tuple[int, str, object]]
) -> None:
    directing = evening(counted)
    assert places(directing) == expected
    reds = next(row for row in team_standings(directing.state) if row.team == "Reds")
    assert reds.players == ((1, 20), (5, 15), (3, -30))
    assert reds.counted == min(counted or 3, 3)


def test_a_stage_changes_nothing_and_the_disqualified_are_left_out() -> None:
    directing = evening(1)
    before = places(directing)
    directing.give(Cut(), DrawRound(1)).play_each(lambda each, _: {1: 90}.get(each, -30))
    assert places(directing) == before
    directing.give(AwardPenalty(2, "disqualification", **KIM))
    assert places(directing) == [(1, "Reds", 20), (2, "Greens", 15), (3, "Blues", -30)]


def test_equal_teams_share_a_place_and_nobody_without_one_has_any() -> None:
    directing = Directing(FORM)
    for number, team in enumerate(("Reds", "Blues", "Reds", "Blues"), start=1):
        directing.give(Enter(Entrant(number, f"Player {number}", team=team)))
    directing.play_by_hand("1: 1 2 3 4", {1: "1 5, 2 5, 3 -5, 4 -5"})
    assert places(directing) == [(1, "Reds", 0), (1, "Blues", 0)]
    assert team_standings(Directing(FORM, 4).state) == ()
