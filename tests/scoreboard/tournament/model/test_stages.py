"""The cut, play-offs and lots."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import replace
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scoreboard.tournament.model.authority import CommandRefusedError
from scoreboard.tournament.model.bracket_layout import bracket_drawings
from scoreboard.tournament.model.calls import CallMatch, TakeMatchBack, following_events
from scoreboard.tournament.model.disputes import Sign
from scoreboard.tournament.model.draw import Draw, random_order
from scoreboard.tournament.model.entrant import Entrant
from scoreboard.tournament.model.entries import EnterLate, Withdraw
from scoreboard.tournament.model.format_text import (
    format_faults,
    printed_settings,
    read_format,
    write_format,
)
from scoreboard.tournament.model.formats import FORMATS
from scoreboard.tournament.model.proposed_draw import (
    ChangeProposed,
    ChangeTables,
    ProposeRound,
    PublishRound,
)
from scoreboard.tournament.model.results import CorrectResult, ReportResult
from scoreboard.tournament.model.round_draw import due_matches, matches_of, undecided_tables
from scoreboard.tournament.model.rounds import (
    CloseRound,
    DrawRound,
    Replan,
    StartRound,
    UndoRound,
)
from scoreboard.tournament.model.settings import ChangeFormat
from scoreboard.tournament.model.stages import Cut, DrawLot, Finish, PlayOff
from scoreboard.tournament.model.standings import cross_table, standings_of, why
from scoreboard.tournament.model.tournament import LotDrawn, decide, evolve
from scoreboard.tournament.model.tournament_format import (
    NextMatch,
    Stage,
    StageSystem,
    TournamentFormat,
)
from scoreboard.tournament.model.tournament_transcript import CODEC
from tests.scoreboard.tournament.model.directing import (
    EVENING,
    FIRST,
    KIM,
    SECOND,
    Directing,
    Flowing,
    begun,
    one_round,
    refusal,
    scores,
)


def test_the_cut_waits_for_what_is_due() -> None:
    form = replace(EVENING, rounds=2, stages=(Stage("Final", 4, games=1),))
    directing = begun(form)
    assert "close the round first" in refusal(directing.state, Cut())
    directing.report(1, FIRST).report(2, SECOND).give(CloseRound())
    assert "Rounds left before the cut: 1; play" in refusal(directing.state, Cut())
    directing.give(Replan(1, **KIM))
    assert "make the cut" in refusal(directing.state, DrawRound(1))
    five = directing.state
    for number in range(1, 6):
        directing.give(Withdraw(number, **KIM))
    assert directing.give(Cut()).state.cuts[0].entrants == (6, 7, 8)
    directing.give(Withdraw(6, **KIM))
    assert "Only 2 are there" in refusal(directing.state, Cut())
    directing.state = five
    directing.give(Cut(), DrawRound(1)).play({1: "1 3, 5 -1, 6 -1, 7 -1"})
    assert "No cut is left" in refusal(directing.state, Cut())
    assert "All rounds are played" in refusal(directing.state, DrawRound(2))
    assert "The cut is made" in refusal(directing.state, EnterLate(Entrant(9, "Zoe"), **KIM))
    assert "is settled" in refusal(directing.state, Replan(3, **KIM))


def test_the_cut_is_made_again_when_somebody_drops_out() -> None:
    form = replace(EVENING, rounds=1, stages=(Stage("Final", 4, games=1),))
    directing = one_round(form).give(Cut())
    assert directing.state.cuts[0].entrants == (1, 5, 6, 7)
    directing.give(Withdraw(5, **KIM), Cut(), DrawRound(1))
    assert directing.round.draw.entrants == (1, 6, 7, 8)
    assert len(directing.state.cuts) == 1


def test_a_shared_place_across_the_cut_is_parted_first() -> None:
    form = replace(EVENING, rounds=1, stages=(Stage("Final", 3, games=1),))
    directing = begun(form).report(1, "1 60, 2 -10, 3 -20, 4 -30")
    directing.report(2, "5 30, 6 -10, 7 -10, 8 -10").give(CloseRound())
    assert "Place 3 is shared across the cut" in refusal(directing.state, Cut())
    before = directing.state
    directing.give(PlayOff((7, 2, 8, 6), **KIM), Cut())
    assert directing.state.cuts[0].entrants == (1, 5, 7)
    assert str(why(standings_of(directing.state), directing.state.names, 2, 7)) == (
        "Player 7 stands above Player 2: only Player 7 reached Final."
    )
    directing.state = before
    directing.give(DrawLot(3))
    drawn = directing.events[-1]
    assert isinstance(drawn, LotDrawn)
    assert drawn.order == random_order((2, 6, 7, 8), 3)
    assert directing.give(Cut()).state.cuts[0].entrants[2] == drawn.order[0]
    assert "nothing to draw lots for" in refusal(directing.state, DrawLot(1))


def test_lots_and_play_offs_are_among_entrants() -> None:
    directing = one_round()
    for command in (PlayOff((1,), **KIM), PlayOff((1, 1), **KIM), DrawLot(1, (2,))):
        assert "two entrants or more" in refusal(directing.state, command)
    assert "entry number 99" in refusal(directing.state, DrawLot(1, (1, 99)))
    assert len(decide(directing.state, DrawLot(1, (1, 2)))) == 1


def test_a_lot_falls_the_same_everywhere() -> None:
    """Whoever is named first, on any Python: the figures stand here."""
    assert random_order((3, 1, 2, 5), 42) == random_order((5, 2, 3, 1), 42) == (2, 5, 3, 1)


def test_stages_may_carry_points_on() -> None:
    final = Stage("Final", 4, games=1, carried=True)
    directing = one_round(replace(EVENING, rounds=1, stages=(final,))).give(Cut(), DrawRound(1))
    directing.play({1: "1 -30, 5 30, 6 0, 7 0"})
    assert [(row.entrant, row.values[0]) for row in standings_of(directing.state).rows[:2]] == [
        (5, 36),
        (1, 30),
    ]


def test_a_round_robin_may_end_in_a_cut() -> None:
    form = replace(FORMATS["round-robin"], stages=(Stage("Final", 2, games=1),))
    directing = Directing(form, 4)
    for number in range(3):
        directing.give(DrawRound(number))
        directing.play_each(lambda seat, _: -seat)
        if number < 2:
            assert f"Rounds left before the cut: {2 - number}" in refusal(directing.state, Cut())
    assert "make the cut" in refusal(directing.state, DrawRound(4))
    directing.give(Cut(), DrawRound(4)).play({1: "1 0, 2 1"})
    assert directing.places == [(1, 2), (2, 1), (3, 3), (4, 4)]


FOUR = Stage("Knockout", 4, games=1, system="knockout")
CUP = replace(EVENING, rounds=1, stages=(FOUR,))
CUP_CALLED = replace(CUP, next_match="called")


def in_stage(form: TournamentFormat = CUP) -> Flowing:
    """Eight players at two tables; of these 1, 5, 6 and 7 are in the knockout, which is drawn."""
    directing = Flowing(form, 8)
    started = one_round(form)
    directing.start, directing.state, directing.events = started.start, started.state, []
    return directing.give(Cut(), DrawRound(9), StartRound())


def win(directing: Directing, winner: int, loser: int, by: int = 9) -> None:
    """Let one win the open match against the other, and both sign."""
    played = next(each for each in reversed(directing.state.rounds) if winner in each.draw.entrants)
    table = played.draw.table_of(winner)
    assert table is not None
    place = (played.number, table.number, 1)
    directing.give(ReportResult(*place, scores(f"{winner} {by}, {loser} {-by}")))
    directing.give(Sign(*place, winner), Sign(*place, loser))


def seats(directing: Directing) -> list[tuple[int, ...]]:
    """Who meets whom in the round drawn last."""
    return [table.seats for table in directing.round.draw.tables]


# -- the law


def played_out(directing: Flowing, rank: Mapping[int, int], seed: int) -> Counter[tuple[int, ...]]:
    """Play a knockout that is drawn to its end; who won against whom, by rank.

    Who wins is the seed's, the order in which matches are called and end is chance's.
    """
    chance, met = Random(seed), Counter[tuple[int, ...]]()
    entrant = {at: each for each, at in rank.items()}
    for number in range(99):
        state = directing.state
        due = [each for each in due_matches(state) if each.table]
        at_play = [each for at in state.current_rounds for each in undecided_tables(state, at)]
        if due and (not at_play or chance.random() < 0.5):
            called = chance.choice(due)
            directing.give(CallMatch(called.seats, called.table))
        elif at_play:
            two = sorted(rank[each] for each in chance.choice(at_play).seats)
            before = sum(many for pair, many in met.items() if sorted(pair) == two)
            result = Random(f"{seed} {two} {before}")
            result.shuffle(two)
            met[tuple(two)] += 1
            win(directing, entrant[two[0]], entrant[two[1]], by=result.randint(1, 40))
        else:
            try:
                if state.current_rounds[0].phase == "running":
                    directing.give(CloseRound())
                directing.give(DrawRound(number), StartRound())
            except CommandRefusedError:
                break
    return met


@settings(max_examples=20, deadline=None)
@given(
    entrants=st.integers(4, 24),
    reach=st.integers(4, 16),
    system=st.sampled_from(("knockout", "double-knockout")),
    flow=st.sampled_from(("by-round", "called", "automatic")),
    seed=st.integers(0, 1 << 32),
)
def test_a_stage_is_the_knockout_of_those_who_reached_it(
    entrants: int, reach: int, system: StageSystem, flow: NextMatch, seed: int
) -> None:
    chance = Random(seed)
    stage = Stage("Knockout", reach, games=1, system=system)
    form = replace(
        FORMATS["yahtzee-duel-swiss"],
        rounds=2,
        games=1,
        next_match=flow,
        third_place=system == "knockout" and chance.random() < 0.5,
        stages=(stage,),
    )
    directing = Flowing(form, entrants)
    for number in range(2):
        directing.give(DrawRound(number), StartRound())
        for table in directing.round.draw.tables:
            directing.report(
                table.number, f"{table.seats[0]} {chance.randint(1, 9)}, {table.seats[1]} 5"
            )
        directing.give(CloseRound())
    if standings_of(directing.state).level:
        directing.give(DrawLot(5))
    directing.give(Cut())
    through = directing.state.cuts[0].entrants
    directing.give(DrawRound(4), StartRound())
    alone = Flowing(replace(form.in_stage(1), stages=()), len(through))
    alone.give(DrawRound(4), StartRound())
    rank = {each: at for at, each in enumerate(through, start=1)}
    met = played_out(directing, rank, seed)
    assert met == played_out(alone, {at: at for at in rank.values()}, seed)
    assert len(directing.state.rounds) == 2 + len(alone.state.rounds)
    for here, there in zip(directing.state.rounds[2:], alone.state.rounds, strict=True):
        names = (matches_of(directing.state, here), matches_of(alone.state, there))
        assert Counter(names[0].values()) == Counter(names[1].values())
    place = {row.entrant: row.place for row in standings_of(alone.state).rows}
    order = standings_of(directing.state).order[: len(through)]
    assert list(order) == sorted(through, key=lambda each: (place[rank[each]], rank[each]))
    assert {len(each.matches) for each in bracket_drawings(directing.state)} == {
        len(each.matches) for each in bracket_drawings(alone.state)
    }


# -- one of four, step by step


def test_the_best_are_kept_apart() -> None:
    directing = in_stage()
    assert directing.state.cuts[0].entrants == (1, 5, 6, 7)
    assert seats(directing) == [(1, 7), (5, 6)]
    assert [str(each) for each in matches_of(directing.state, directing.round).values()] == (
        ["Semi-final", "Semi-final"]
    )
    (drawing,) = bracket_drawings(directing.state)
    assert [[side.seed for side in each.sides] for each in drawing.matches[:2]] == [[1, 4], [2, 3]]
    assert drawing.matches[2].table is None


def test_matches_count_though_the_event_adds_points() -> None:
    directing = in_stage(replace(CUP, stages=(replace(FOUR, games=3),)))
    for table, games in ((1, ("1 1, 7 -1", "1 -90, 7 90", "1 1, 7 -1")), (2, ("5 3, 6 -3",) * 2)):
        directing.report(table, *games)
    directing.give(CloseRound(), DrawRound(1))
    assert seats(directing) == [(1, 5)]
    directing.give(StartRound()).report(1, "1 -2, 5 2", "1 -2, 5 2").give(CloseRound())
    assert "The last match is played" in refusal(directing.state, DrawRound(1))
    standings, names = standings_of(directing.state), directing.state.names
    assert standings.order[:4] == (5, 1, 6, 7)
    said = [
        str(why(standings, names, one, other)) for one, other in ((5, 1), (1, 6), (6, 8), (8, 2))
    ]
    assert said == [
        "Player 5 stands above Player 1: never out, against out in round 3.",
        "Player 1 stands above Player 6: out in round 3 against 2.",
        "Player 6 stands above Player 8: only Player 6 reached Knockout.",
        "Player 8 stands above Player 2: -3 against -10 in points.",
    ]


def test_a_match_that_is_drawn_goes_on() -> None:
    """As in any knockout: the round cannot end before."""
    directing = in_stage().report(1, "1 0, 7 0").report(2, "5 1, 6 -1")
    assert "is drawn: play another game" in refusal(directing.state, CloseRound())
    directing.report(1, "1 -1, 7 1").give(CloseRound(), DrawRound(1))
    assert seats(directing) == [(7, 5)]


def test_matches_are_called_within_the_stage() -> None:
    directing = in_stage(replace(CUP, next_match="called", third_place=True))
    assert due_matches(directing.state) == ()
    win(directing, 1, 7)
    assert "No called match" in refusal(directing.state, TakeMatchBack(1, **KIM))
    win(directing, 5, 6)
    due = due_matches(directing.state)
    assert [(str(each.name), each.seats, each.round) for each in due] == [
        ("Third-place match", (7, 6), 3),
        ("Final", (1, 5), 3),
    ]
    directing.give(CallMatch((1, 5), 1))
    assert (directing.round.stage, directing.round.seed) == (1, 9)
    directing.give(TakeMatchBack(1, **KIM))
    assert len(directing.state.rounds) == 2
    directing.give(CallMatch((7, 6), 2), CallMatch((1, 5), 1))
    win(directing, 5, 1)
    win(directing, 7, 6)
    assert standings_of(directing.state).order[:4] == (5, 1, 7, 6)
    directing.give(Finish())


def test_nothing_is_called_between_the_cut_and_the_draw() -> None:
    """Nor is there a bracket: the cut may still be made again."""
    form = replace(CUP, next_match="automatic")
    directing = one_round(form).give(Cut())
    state = directing.state
    assert (due_matches(state), following_events(state), bracket_drawings(state)) == ((), (), ())
    assert "No called match" in refusal(state, TakeMatchBack(1, **KIM))
    directing.give(Withdraw(5, **KIM), Cut(), DrawRound(1))
    assert seats(directing) == [(1, 8), (6, 7)]
    directing.give(UndoRound(**KIM), Withdraw(7, **KIM), DrawRound(1))
    assert (seats(directing), directing.round.draw.byes) == ([(6, 8)], (1,))


def test_who_meets_whom_follows_from_the_standing() -> None:
    """The stage is not seated by a change of its proposed draw, nor of the drawn one."""
    directing = one_round(CUP).give(Cut())
    by_hand = Draw.parse("1: 1 5 | 2: 6 7")
    directing.give(ProposeRound(1))
    assert "follows from the seeds" in refusal(directing.state, ChangeProposed(2, by_hand))
    directing.give(PublishRound(2))
    assert "follows from the seeds" in refusal(directing.state, ChangeTables(by_hand, **KIM))


def test_a_correction_marks_what_rests_on_it() -> None:
    directing = in_stage(CUP_CALLED)
    directing.give(CorrectResult(1, 1, 1, scores("1 70, 2 -20, 3 -20, 4 -30"), **KIM))
    assert directing.round.corrected_before == (1,)
    win(directing, 1, 7)
    win(directing, 5, 6)
    directing.give(CallMatch((1, 5), 1))
    turned = CorrectResult(2, 2, 1, scores("5 -9, 6 9"), **KIM)
    assert "First undo the call" in refusal(directing.state, turned)


def test_the_record_tells_the_same_again() -> None:
    directing = in_stage(CUP_CALLED)
    win(directing, 1, 7)
    changed = replace(directing.state.format, no_show=-50, winner_bonus=5)
    directing.give(ChangeFormat("Test", changed, **KIM))
    win(directing, 5, 6)
    again = one_round(CUP_CALLED).state
    for event in directing.events:
        again = evolve(again, CODEC.event(CODEC.document(event)))
    assert again == directing.state
    assert [row.values[1] for row in standings_of(again).rows[:4]] == [2, 2, 0, 0]


def test_the_cross_table_has_the_knockout() -> None:
    directing = in_stage().report(1, "1 1, 7 -1").report(2, "5 1, 6 -1").give(CloseRound())
    found = cross_table(directing.state.format, standings_of(directing.state))
    assert found == {1: {7: (2,)}, 7: {1: (0,)}, 5: {6: (2,)}, 6: {5: (0,)}}
    assert cross_table(EVENING, standings_of(one_round().state)) == {}


# -- its settings


@pytest.mark.parametrize(
    ("change", "fault"),
    [
        ({}, ""),
        ({"third_place": True}, ""),
        ({"stages": (replace(FOUR, entrants=5),)}, ""),
        ({"third_place": True, "stages": (replace(FOUR, system="double-knockout"),)}, "Only a"),
        ({"stages": (FOUR, Stage("Final", 3))}, "Knockout is a knockout, which ends the event"),
        ({"stages": (replace(FOUR, carried=True),)}, "Knockout: in a knockout matches alone count"),
    ],
)
def test_what_a_knockout_stage_may_be(change: dict[str, object], fault: str) -> None:
    found = "; ".join(map(str, format_faults(replace(CUP, **change))))  # type: ignore[arg-type]  # by name
    assert found.startswith(fault)
    assert bool(found) == bool(fault)


def test_a_stage_is_written_as_before_there_were_knockouts() -> None:
    final = replace(CUP, stages=(Stage("Final", 4),))
    assert write_format(final).count("system") == 1
    assert write_format(CUP).count("system") == 2
    for form in (final, CUP):
        assert read_format(write_format(form)) == form


def test_the_sheet_prints_the_knockout() -> None:
    printed = [str(each) for each in printed_settings(CUP_CALLED)]
    own = [each for each in printed if each.startswith("Knockout: ")]
    assert own == [
        "Knockout: the best 4.",
        "Knockout: games: 1.",
        "Knockout: knockout; seeded by the standing, a match goes by games won, then by score.",
    ]
    assert "A match is called as soon as both players are free." in printed
