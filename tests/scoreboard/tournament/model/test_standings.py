"""Standings: every tie-break worked out by hand, reasons in words, ratings and seasons."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoreboard.tournament.model.bracket_layout import (
    bracket_ahead,
    bracket_drawings,
    bracket_pages,
)
from scoreboard.tournament.model.entrant import Entrant
from scoreboard.tournament.model.entries import EnterLate, Replace
from scoreboard.tournament.model.formats import FORMATS
from scoreboard.tournament.model.rounds import CloseRound, DrawRound, StartRound
from scoreboard.tournament.model.scores import (
    CountedGames,
    Points,
    ResultTable,
    SeatResult,
    counted,
    result_table,
)
from scoreboard.tournament.model.season import (
    RatedGame,
    Rating,
    Season,
    Tie,
    rated,
    rated_games,
    season_standings,
)
from scoreboard.tournament.model.stages import Cut
from scoreboard.tournament.model.standings import (
    Standings,
    cross_table,
    player_rounds,
    staged_standings,
    standings_of,
    why,
    with_earlier,
)
from scoreboard.tournament.model.tiebreaks import TIEBREAKS
from scoreboard.tournament.model.tournament_format import Stage, TournamentFormat
from tests.scoreboard.tournament.model.directing import (
    EVENING,
    FIRST,
    KIM,
    SECOND,
    Directing,
    Evening,
    begun,
)

NAMES = dict(enumerate("ABCDEF", start=1))


def duels(*rounds: Sequence[tuple[int, ...]]) -> ResultTable:
    """The results of duels: `(1, 2)` is won by 1, `(1, 2, 0)` drawn, `(5,)` a bye worth 2."""
    results: dict[int, list[SeatResult]] = {}
    for number, matches in enumerate(rounds, start=1):
        for match in matches:
            for entrant, result in _results(number, match).items():
                results.setdefault(entrant, []).append(result)
    return result_table(sorted(results), results)


def _results(number: int, match: tuple[int, ...]) -> Mapping[int, SeatResult]:
    match match:
        case (one,):
            return {one: SeatResult(number, (), 2)}
        case (one, other):
            return {one: SeatResult(number, (other,), 2, 1), other: SeatResult(number, (one,), 0)}
    one, other, _ = match
    half = Fraction(1, 2)
    return {one: SeatResult(number, (other,), 1, half), other: SeatResult(number, (one,), 1, half)}


def standings(results: ResultTable, tiebreaks: tuple[str, ...]) -> Standings:
    """The standings of a single stage."""
    return staged_standings((results,), tiebreaks)


def values(name: str, given: ResultTable, *level: int) -> dict[int, Points]:
    """The values of one tie-break."""
    return dict(TIEBREAKS[name].values(given, level or tuple(given.results)))


#   1 beats 2, 3 beats 4 | 1 draws 3, 2 beats 4 | 1 beats 4, 2 draws 3
FOUR = duels([(1, 2), (3, 4)], [(1, 3, 0), (2, 4)], [(1, 4), (2, 3, 0)])


HALF = Fraction(1, 2)


@pytest.mark.parametrize(
    ("name", "level", "expected"),
    [
        ("points", (), {1: 5, 2: 3, 3: 4, 4: 0}),
        ("wins", (), {1: 2 + HALF, 2: 1 + HALF, 3: 2, 4: 0}),
        ("buchholz", (), {1: 7, 2: 9, 3: 8, 4: 12}),
        ("buchholz-cut-1", (), {1: 7, 2: 9, 3: 8, 4: 9}),
        ("buchholz-median", (), {1: 3, 2: 4, 3: 3, 4: 4}),
        ("sonneborn-berger", (), {1: 3 + 2 + 0, 2: 0 + 2, 3: 0 + Fraction(8, 2), 4: 0}),
        ("head-to-head", (1, 2), {1: 1, 2: -1}),
        ("head-to-head", (2, 3), {2: 0, 3: 0}),
        ("head-to-head", (1, 2, 4), {1: 2, 2: 0, 4: -2}),
    ],
)
def test_the_values_of_four(name: str, level: tuple[int, ...], expected: dict[int, Points]) -> None:
    assert values(name, FOUR, *level) == expected


@pytest.mark.parametrize("name", ["score", "best-game"])
@pytest.mark.parametrize(("better", "order"), [(1, (1, 2, 3)), (-1, (2, 1, 3))])
def test_scores_part_by_what_the_rules_call_better(
    name: str, better: int, order: tuple[int, ...]
) -> None:
    games = {1: ((40, 5), 45), 2: ((7, 1), 8), 3: ((), 0)}
    results = {each: [SeatResult(1, (), 2, 1, *own)] for each, own in games.items()}
    table = standings(replace(result_table(games, results), better=better), (name,))
    assert table.order == order
    assert re.search(r"(45|8|40|1) against (45|8|7|5)\b", str(why(table, NAMES, 1, 2)))
    score = 0 if better > 0 else 45  # as bad as the worst
    assert table.columns(table.of(3)) == {name: None if name == "best-game" else score}


def test_every_tiebreak_is_a_column() -> None:
    table = standings(FOUR, ("points", "head-to-head", "buchholz", "best-game", "lasted", "lot"))
    assert {row.entrant: table.columns(row) for row in table.rows} == {
        1: {"points": 5, "head-to-head": None, "buchholz": 7, "best-game": None},
        3: {"points": 4, "head-to-head": None, "buchholz": 8, "best-game": None},
        2: {"points": 3, "head-to-head": None, "buchholz": 9, "best-game": None},
        4: {"points": 0, "head-to-head": None, "buchholz": 12, "best-game": None},
    }
    level = standings(duels([(1, 3, 0), (2, 4, 0)], [(1, 2)]), ("points", "head-to-head"))
    assert [level.columns(row)["head-to-head"] for row in level.rows] == [None, 0, 0, 0]


def test_head_to_head_counts_where_all_have_met() -> None:
    unmet = duels([(1, 2), (3, 4)])
    assert values("head-to-head", unmet, 1, 2, 3) == {1: 0, 2: 0, 3: 0}


def test_a_bye_stands_as_an_opponent_of_equal_points() -> None:
    three = duels([(1, 2), (3,)], [(1, 3), (2,)])
    assert values("points", three) == {1: 4, 2: 2, 3: 2}
    assert values("buchholz", three) == {1: 2 + 2, 2: 4 + 2, 3: 2 + 4}


def test_best_game_and_score() -> None:
    own = {
        1: [
            SeatResult(1, (2,), 30, games=(50, -20), score=30),
            SeatResult(2, (2,), 5, games=(5,), score=9),
        ],
        2: [
            SeatResult(1, (1,), -30, games=(-50, 20), score=-30),
            SeatResult(2, (1,), -5, games=(-5,)),
        ],
        3: [],
    }
    found = result_table((1, 2, 3), own)
    best = values("best-game", found)
    assert (best[1], best[2]) == (50, 20)
    assert best[3] < -(10**6)
    assert values("score", found) == {1: 39, 2: -30, 3: 0}


def test_lasting_in_a_knockout() -> None:
    two = duels([(1, 2), (3, 4)], [(1, 3), (2, 4)], [(2, 3)])
    once = values("lasted", replace(two, losses_allowed=1))
    assert [once[2], once[3], once[4]] == [1, 2, 1]
    twice = values("lasted", replace(two, losses_allowed=2))
    assert (twice[3], twice[4]) == (3, 2)
    assert once[1] == twice[1] == twice[2] > 3
    assert len(set(values("lasted", two).values())) == 1


def test_the_latest_play_off_or_lot_of_all_who_are_level_decides() -> None:
    found = replace(FOUR, play_offs=((1, 2, 3), (2, 1)), lots=((4, 3),), earlier={1: 2, 2: 1})
    assert values("play-off", found, 1, 2) == {2: 2, 1: 1}
    assert values("play-off", found, 1, 3) == {1: 3, 3: 1}
    assert values("play-off", found, 3, 4) == {3: 0, 4: 0}
    assert values("lot", found, 3, 4) == {4: 2, 3: 1}
    assert values("earlier", found, 1, 2) == {1: -2, 2: -1}


def test_places_are_shared_and_the_next_is_skipped() -> None:
    found = standings(duels([(1, 2), (3, 4, 0)]), ("points",))
    assert [(row.place, row.entrant, row.shared) for row in found.rows] == [
        (1, 1, False),
        (2, 3, True),
        (2, 4, True),
        (4, 2, False),
    ]
    assert found.level == ((3, 4),)
    assert found.of(2).values == (0,)
    with pytest.raises(KeyError):
        found.of(9)


def test_each_tiebreak_parts_only_whom_the_ones_before_left_level() -> None:
    found = duels([(1, 2), (3,)], [(2, 3), (1,)], [(3, 1), (2,)])
    assert standings(found, ("points", "head-to-head")).level == ((1, 2, 3),)
    lots = replace(found, lots=((3, 1, 2),))
    ranked = standings(lots, ("points", "head-to-head", "lot"))
    assert ranked.order == (3, 1, 2)
    assert ranked.of(1).values == (4, 0, 2)


@pytest.mark.parametrize(
    ("name", "more", "less", "reason"),
    [
        ("points", 5, Fraction(7, 2), "5 against 3½ in points"),
        ("wins", 3, 2, "3 against 2 in games won"),
        ("score", 300, 200, "a score of 300 against 200 in all games"),
        ("head-to-head", 1, -1, "ahead by 1 against -1 where they met"),
        ("buchholz", 9, 8, "9 against 8 in their opponents’ points"),
        ("buchholz-cut-1", 9, 8, "9 against 8 in their opponents’ points without the weakest"),
        (
            "buchholz-median",
            9,
            8,
            "9 against 8 in their opponents’ points without the weakest and the strongest",
        ),
        (
            "sonneborn-berger",
            5,
            4,
            "5 against 4 in the points of the opponents they beat, half counted where drawn",
        ),
        ("best-game", 50, 20, "a best game of 50 against 20"),
        ("lasted", 3, 2, "out in round 3 against 2"),
        ("lasted", 1_000_000, 2, "never out, against out in round 2"),
        ("earlier", -1, -2, "place 1 against 2 in the stage before"),
        ("play-off", 2, 1, "the play-off decided"),
        ("lot", 2, 1, "the lot decided"),
    ],
)
def test_every_tiebreak_has_its_reason(name: str, more: Points, less: Points, reason: str) -> None:
    assert str(TIEBREAKS[name].reason(more, less)) == reason


def test_the_best_meetings_or_scores_count() -> None:
    own = [
        SeatResult(1, (), 5, meeting=1),
        SeatResult(2, (), 5, meeting=1),
        SeatResult(3, (), -8, meeting=2),
        SeatResult(4, (), 9, meeting=3),
    ]
    assert counted(own, CountedGames()) == 11
    assert counted(own, CountedGames(2, "meeting")) == 19
    assert counted(own, CountedGames(2)) == 14
    assert counted(own, CountedGames(9, "meeting")) == 11
    assert result_table((1,), {1: own}, carried={1: 100}).totals == {1: 111}


def test_the_stage_before_decides_ahead_of_play_off_and_lot() -> None:
    assert with_earlier(("points", "wins")) == ("points", "wins", "earlier")
    assert with_earlier(("points", "lot")) == ("points", "earlier", "lot")
    assert with_earlier(("earlier", "points")) == ("earlier", "points")


matches = st.lists(
    st.permutations(range(1, 7)).map(
        lambda command: [command[:2], command[2:4], [*command[4:], 0]]
    ),
    min_size=1,
    max_size=5,
)
orders = st.lists(st.sampled_from(sorted(TIEBREAKS)), min_size=1, max_size=5, unique=True)


@given(matches, orders)
def test_more_tiebreaks_only_refine(rounds: list[list[list[int]]], names: list[str]) -> None:
    found = duels(*([tuple(match) for match in each] for each in rounds))
    short, long = standings(found, tuple(names[:-1] or names)), standings(found, tuple(names))
    for one in found.results:
        for other in found.results:
            if short.of(one).place < short.of(other).place:
                assert long.of(one).place < long.of(other).place


@given(matches, matches, st.sets(st.integers(1, 6), min_size=1), orders, st.integers(1, 7))
def test_the_best_stand_as_among_all(
    qualifying: list[list[list[int]]],
    final: list[list[list[int]]],
    through: set[int],
    names: list[str],
    best: int,
) -> None:
    every, last = (duels(*([tuple(match) for match in each] for each in rounds))
                   for rounds in (qualifying, final))  # fmt: skip
    reached = result_table(sorted(through), {each: last.results[each].values() for each in through})
    whole = staged_standings((every, reached), tuple(names))
    assert (
        staged_standings((every, reached), tuple(names), best=best).rows[:best]
        == (whole.rows[:best])
    )


def test_nobody_stands_nowhere() -> None:
    found = standings(result_table((), {}), ("points",))
    assert (found.rows, found.order, found.level) == ((), (), ())


ratings = st.builds(Rating, st.floats(500, 2500), st.floats(30, 350), st.floats(0.03, 0.12))


def test_glickman_s_example() -> None:
    """1500 give or take 200 against three opponents, as his paper works it out."""
    games = [(Rating(1400, 30), 1.0), (Rating(1550, 100), 0.0), (Rating(1700, 300), 0.0)]
    after = rated(Rating(1500, 200), games)
    assert after.value == pytest.approx(1464.06, abs=0.01)
    assert after.deviation == pytest.approx(151.52, abs=0.01)
    assert after.volatility == pytest.approx(0.05999, abs=0.00001)


def test_the_rating_does_not_shift_the_volatility() -> None:
    """The same games 400 points higher change the volatility as much: the library's fault."""
    games = [(Rating(1500, 50), 0.0)] * 5
    higher = [(Rating(1900, 50), 0.0)] * 5
    low, high = rated(Rating(1700, 80), games), rated(Rating(2100, 80), higher)
    assert low.volatility == pytest.approx(high.volatility)
    assert high.value - low.value == pytest.approx(400)


@given(ratings, ratings)
def test_who_wins_gains_and_who_loses_loses(one: Rating, other: Rating) -> None:
    lost, drawn, won = (rated(one, [(other, outcome)]).value for outcome in (0, 0.5, 1))
    assert lost < drawn < won
    assert lost < one.value < won


@given(ratings, st.integers(0, 500))
def test_who_rests_is_less_certain_but_not_less_than_a_newcomer(one: Rating, many: int) -> None:
    rested = one.rested(many)
    assert rested.value == one.value
    assert one.deviation <= rested.deviation + 1e-9 <= 350 + 1e-9


def test_a_table_of_four_is_six_comparisons() -> None:
    directing = begun().report(1, FIRST).report(2, "5 6, 6 -3, 7 -3, 8 no-show")
    assert rated_games(directing.state) == ()
    directing.give(CloseRound(), Replace(Entrant(1, "Zoe"), **KIM))
    games = rated_games(directing.state)
    assert len(games) == 6 + 3
    assert RatedGame("Player 1", "Player 4", 1) in games
    assert RatedGame("Player 6", "Player 7", 0.5) in games
    assert not {"Zoe", "Player 8"} & {name for game in games for name in (game.one, game.other)}


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
    directing = Directing(SWISS, entrants=3).give(DrawRound(1), StartRound())
    directing.give(EnterLate(Entrant(4, "Late"), **KIM))
    found = player_rounds(directing.state, standings_of(directing.state), (1, 2, 3, 4))
    seated = directing.round.draw.tables[0].seats
    (bye,) = directing.round.draw.byes
    own = found[seated[0]][0]
    assert (own.kind, own.table, own.opponents, own.points) == ("table", 1, (seated[1],), None)
    assert (found[bye][0].kind, found[4][0].kind) == ("bye", "absent")


def test_the_cross_table_has_both_sides_of_a_match() -> None:
    directing = Directing(ROBIN, entrants=4).give(DrawRound(1))
    one, other = directing.round.draw.tables[0].seats
    directing.play_each(lambda _, at: -at)
    cross = cross_table(ROBIN, standings_of(directing.state))
    assert (cross[one][other], cross[other][one]) == ((2,), (0,))
    assert sum(len(met) for met in cross.values()) == 4


@given(st.integers(0, 10_000))
def test_the_last_total_is_that_of_the_standings(seed: int) -> None:
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
            [("boris", 1, 30), ("anna", 2, Fraction(55, 3)), ("chen", None, 10)],
        ),
        (
            replace(SEASON, how="average", least=3, best=2),
            [("anna", 1, 25), ("boris", None, 30), ("chen", None, 10)],
        ),
        (
            replace(SEASON, how="average", events=("a", "b", "c", "not yet", "nor this")),
            [("boris", 1, 30), ("anna", 2, Fraction(55, 3)), ("chen", None, 10)],
        ),
        (
            replace(SEASON, places="10 7/2"),
            [("anna", 1, 20), ("boris", 2, Fraction(27, 2)), ("chen", 3, Fraction(7, 2))],
        ),
    ],
    ids=["points", "best", "average", "at least", "half of those held", "places"],
)
def test_each_way_to_count(season: Season, expected: list[tuple[str, int | None, object]]) -> None:
    """An average ranks who came to half of the events held, or to as many as the season wants."""
    rows = season_standings(season, RESULTS)
    assert [(row.player, row.place, row.points) for row in rows] == expected


@pytest.mark.parametrize(("tie", "first"), [("best", ["two"]), ("won", ["one"]), ("last", ["two"])])
def test_ties_are_parted_as_the_season_says(tie: Tie, first: list[str]) -> None:
    results = {"one": {"a": (1, 5), "b": (1, 5)}, "two": {"a": (2, 4), "b": (2, 6)}}
    rows = season_standings(Season(1, "Winter", ("a", "b"), tie=tie), results)
    assert [row.player for row in rows if row.place == 1] == first
    shared = season_standings(Season(1, "Winter", ("a",)), {"x": {"a": (1, 5)}, "y": {"a": (1, 5)}})
    assert [(row.place, row.shared) for row in shared] == [(1, True), (1, True)]
