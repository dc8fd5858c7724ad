"""Each player's rounds with the points so far, and the cross table."""

from __future__ import annotations

from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from scoreboard.tournament.model.bracket_layout import (
    bracket_ahead,
    bracket_drawings,
    bracket_pages,
)
from scoreboard.tournament.model.entrant import Entrant
from scoreboard.tournament.model.entries import EnterLate
from scoreboard.tournament.model.formats import FORMATS
from scoreboard.tournament.model.player_rounds import cross_table, player_rounds
from scoreboard.tournament.model.rounds import DrawRound, StartRound
from scoreboard.tournament.model.stages import Cut
from scoreboard.tournament.model.standings import standings_of
from scoreboard.tournament.model.tournament_format import Stage, TournamentFormat
from tests.scoreboard.tournament.model.directing import (
    EVENING,
    FIRST,
    KIM,
    SECOND,
    Directing,
    Evening,
)

CUP = replace(EVENING, rounds=1, stages=(Stage("Final", 4, games=1),))
LEAGUE = replace(FORMATS["league"], rounds=1, meetings=3, counted=1, games=1, zero_sum=False)
SWISS = FORMATS["yahtzee-duel-swiss"]
ROBIN = replace(FORMATS["round-robin"], games=1)


def totals(form: TournamentFormat, *rounds: str, entrants: int) -> dict[int, list[object]]:
    """The points so far of each entrant after each round at one table."""
    directing = Directing(form, entrants)
    for scores in rounds:
        directing.give(DrawRound(1)).play({1: scores})
    found = player_rounds(directing.state, standings_of(directing.state), directing.state.numbers)
    return {number: [each.total for each in own] for number, own in found.items()}


def test_points_begin_anew_in_a_stage() -> None:
    """Those who reached the final have its points apart; the others have no such round."""
    directing = Directing(CUP, entrants=8)
    directing.play_by_hand("1: 1 2 3 4 | 2: 5 6 7 8", {1: FIRST, 2: SECOND}).give(Cut())
    directing.give(DrawRound(1))
    through = directing.round.draw.tables[0].seats
    assert set(through) == {1, 5, 6, 7}
    directing.play({1: "1 -6, 5 3, 6 2, 7 1"})
    found = player_rounds(directing.state, standings_of(directing.state), (1, 2))
    assert [(each.stage, each.points, each.total) for each in found[1]] == [
        (0, 60, 60),
        (1, -6, -6),
    ]
    assert [(each.stage, each.points, each.total) for each in found[2]] == [(0, -10, -10)]
    assert set(found[1][0].opponents) == {2, 3, 4}


def test_points_so_far_are_those_that_count() -> None:
    """Of a league's meetings the best one: a worse one changes nothing."""
    found = totals(LEAGUE, "1 5, 2 1, 3 0", "1 9, 2 0, 3 2", "1 1, 2 0, 3 3", entrants=3)
    assert found == {1: [5, 9, 9], 2: [1, 1, 1], 3: [0, 2, 3]}


def test_a_round_that_runs_counts_nothing_yet() -> None:
    """Its table and opponents stand there; who came later was not there, who sat out had a bye."""
    directing = Directing(SWISS, entrants=3).give(DrawRound(1), StartRound())
    directing.give(EnterLate(Entrant(4, "Late"), **KIM))
    found = player_rounds(directing.state, standings_of(directing.state), (1, 2, 3, 4))
    seated = directing.round.draw.tables[0].seats
    (bye,) = directing.round.draw.byes
    own = found[seated[0]][0]
    assert (own.kind, own.table, own.opponents, own.points) == ("table", 1, (seated[1],), None)
    assert (found[bye][0].kind, found[4][0].kind) == ("bye", "absent")


def test_the_cross_table_has_both_sides_of_a_match() -> None:
    """What one got against the other, and the other way round; empty where none was."""
    directing = Directing(ROBIN, entrants=4).give(DrawRound(1))
    one, other = directing.round.draw.tables[0].seats
    directing.play(
        {t.number: f"{t.seats[0]} 5, {t.seats[1]} 2" for t in directing.round.draw.tables}
    )
    cross = cross_table(ROBIN, standings_of(directing.state))
    assert (cross[one][other], cross[other][one]) == ((2,), (0,))
    assert sum(len(met) for met in cross.values()) == 4


@given(st.integers(0, 10_000))
def test_the_last_total_is_that_of_the_standings(seed: int) -> None:
    """Whatever chance makes of an event; and no match of a knockout's draw is missing."""
    state = Evening(seed).play_on().state
    standings = standings_of(state)
    found = player_rounds(state, standings, state.numbers)
    for number, own in found.items():
        totals = {each.stage: each.total for each in own if each.total is not None}
        for stage, total in totals.items():
            assert total == standings.tables[stage].totals[number]
    tables = [len(played.draw.tables) for played in state.stage_rounds]
    drawn = [match for each in bracket_drawings(state) for match in each.matches if match.table]
    assert len(drawn) == (sum(tables) if state.has_bracket else 0)
    for drawing in (*bracket_pages(state), *bracket_ahead(state)):
        assert drawing.matches
