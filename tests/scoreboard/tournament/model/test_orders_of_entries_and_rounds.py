"""Orders about entries, rounds and tables: what each leads to, what is refused, and its cure."""

from __future__ import annotations

from dataclasses import replace
from inspect import isabstract

from scoreboard.tournament.model import (
    disputes,
    entries,
    results,
    rounds,
    stages,
    tables,
    tournament,
)
from scoreboard.tournament.model.disputes import Settle
from scoreboard.tournament.model.draw import Draw
from scoreboard.tournament.model.entrant import Entrant
from scoreboard.tournament.model.entries import (
    CorrectEntry,
    Enter,
    EnterLate,
    Replace,
    Return,
    Withdraw,
    replacement_told,
)
from scoreboard.tournament.model.event_json import KINDS
from scoreboard.tournament.model.formats import FORMATS
from scoreboard.tournament.model.results import ReportResult
from scoreboard.tournament.model.round_draw import seeding
from scoreboard.tournament.model.rounds import (
    CloseRound,
    DrawByHand,
    DrawRound,
    StartRound,
    UndoRound,
)
from scoreboard.tournament.model.standings import standings_of
from scoreboard.tournament.model.tables import MergeTables, SplitTable
from scoreboard.tournament.model.tournament import Event, may_command
from tests.scoreboard.tournament.model.directing import KIM, Directing, refusal
from tests.scoreboard.tournament.model.eights import (
    EVENING,
    FIRST,
    SECOND,
    TWO_TABLES,
    begun,
    one_round,
    scores,
)


def test_every_event_has_a_stored_name() -> None:
    """One that the table lacked could be decided, and then not be kept."""
    topics = (entries, rounds, tables, results, disputes, stages, tournament)
    defined = {
        each
        for topic in topics
        for each in vars(topic).values()
        if isinstance(each, type) and issubclass(each, Event) and not isabstract(each)
    }
    assert defined == set(KINDS.values())


def test_roles_may_give_what_is_theirs() -> None:
    """Tables report and sign; the referee settles; the director leads."""
    report, settle = ReportResult(1, 1, 1, scores(FIRST)), Settle(1, 1, 1, scores(FIRST), **KIM)
    assert [may_command(role, report) for role in ("table", "referee", "director")] == [True] * 3
    assert [may_command(role, settle) for role in ("table", "referee")] == [False, True]
    assert not may_command("referee", DrawRound(1))


def test_entries_before_and_after_the_first_draw() -> None:
    """Early ones without ado, late ones with who, when and why."""
    directing = Directing(EVENING, 3)
    assert "taken: take 4" in refusal(directing.state, Enter(Entrant(2, "Zoe")))
    assert "tell them apart" in refusal(directing.state, Enter(Entrant(4, "player 2")))
    late = EnterLate(Entrant(4, "Zoe"), **KIM)
    assert "ordinary entry" in refusal(directing.state, late)
    directing.give(DrawRound(1))
    assert "late entry" in refusal(directing.state, Enter(Entrant(4, "Zoe")))
    directing.give(late)
    assert directing.state.present == (1, 2, 3, 4)
    attributed: tuple[object, ...] = (directing.events[-1],)
    assert directing.state.amendments == attributed


def test_who_comes_late_is_in_the_next_draw_and_has_missed_rounds() -> None:
    """What a missed round counts is settled in the format."""
    directing = one_round(replace(EVENING, missed_round=-7))
    directing.give(EnterLate(Entrant(9, "Zoe"), **KIM), DrawRound(1))
    assert 9 in directing.round.draw.entrants
    assert standings_of(directing.state).of(9).values == (-7,)


def test_dropping_out_and_coming_back() -> None:
    """Results stay; the draws to come leave them out until they return."""
    directing = one_round()
    directing.give(Withdraw(1, **KIM))
    assert "has dropped out already" in refusal(directing.state, Withdraw(1, **KIM))
    assert "has not dropped out" in refusal(directing.state, Return(2, **KIM))
    assert "Nobody has the entry number 99" in refusal(directing.state, Withdraw(99, **KIM))
    directing.give(DrawRound(1))
    assert 1 not in directing.round.draw.entrants
    assert directing.places[0] == (1, 1)
    directing.give(UndoRound(**KIM), Return(1, **KIM), DrawRound(1))
    assert 1 in directing.round.draw.entrants


def test_a_replacement_goes_on_under_the_same_number() -> None:
    """With the points won so far."""
    directing = one_round().give(Replace(Entrant(1, "Zoe"), **KIM))
    assert directing.state.names[1] == "Zoe"
    assert directing.places[0] == (1, 1)
    assert "tell them apart" in refusal(directing.state, Replace(Entrant(2, "zoe"), **KIM))


def test_fixed_schedules_take_no_late_entries() -> None:
    """Nor a draw by hand, nor another seed for who has one."""
    for name in ("knockout", "round-robin"):
        directing = Directing(FORMATS[name], 4).give(DrawRound(1))
        assert "is fixed" in refusal(directing.state, EnterLate(Entrant(5, "Zoe"), **KIM))
        assert "seed" in refusal(directing.state, Replace(Entrant(1, "Zoe", seed_rank=3), **KIM))
        directing.give(UndoRound(**KIM))
        by_hand = DrawByHand(Draw.parse("1: 1 2 | 2: 3 4"), **KIM)
        assert "laid down" in refusal(directing.state, by_hand)


def test_the_unseeded_are_ranked_by_the_first_draws_lot() -> None:
    """Seeds first, in their order; the same seed ranks the same."""
    directing = Directing(FORMATS["knockout"])
    for number, rank in ((1, None), (2, 2), (3, None), (4, 1)):
        directing.give(Enter(Entrant(number, f"P{number}", seed_rank=rank)))
    ranked = seeding(directing.state, 5)
    assert ranked[:2] == (4, 2)
    directing.give(DrawRound(5))
    assert seeding(directing.state, 6) == ranked


def test_rounds_follow_one_another() -> None:
    """Draw, start, close; each refusal says what comes first."""
    directing = Directing(EVENING, 8)
    assert "draw round 1 first" in refusal(directing.state, StartRound())
    directing.give(DrawByHand(TWO_TABLES, **KIM))
    report = ReportResult(1, 1, 1, scores(FIRST))
    assert "Round 1 is not closed" in refusal(directing.state, DrawRound(2))
    assert "has not begun: start it first" in refusal(directing.state, CloseRound())
    assert "is not being played" in refusal(directing.state, report)
    directing.give(StartRound())
    assert "is being played already" in refusal(directing.state, StartRound())
    assert "Table 1 has reported 0 of 1 games" in refusal(directing.state, CloseRound())
    directing.report(1, FIRST).report(2, SECOND).give(CloseRound())
    assert "Round 1 is closed: draw the next one" in refusal(directing.state, CloseRound())
    assert "is not being played" in refusal(directing.state, report)


def test_a_bracket_gives_accessible_tables_to_who_needs_them() -> None:
    """The others follow on; too few such tables are told."""
    form = replace(FORMATS["knockout"], accessible_tables=(7,))
    directing = Directing(form)
    for number in range(1, 9):
        needs = number in {3, 6}
        entrant = Entrant(number, f"P{number}", "", number, needs_accessible_table=needs)
        directing.give(Enter(entrant))
    directing.give(DrawRound(1))
    assert {table.number: set(table.seats) for table in directing.round.draw.tables} == {
        1: {1, 8},
        2: {4, 5},
        3: {2, 7},
        7: {3, 6},
    }
    directing.give(UndoRound(**KIM))
    needing = Entrant(1, "P1", "", 1, needs_accessible_table=True)
    directing.give(Replace(needing, **KIM))
    assert "needed: 2, marked: 1; mark more" in refusal(directing.state, DrawRound(1))


def test_who_finds_no_seat_has_a_bye() -> None:
    """Five at tables of four, short ones of three: one sits out, another one the next time."""
    directing = Directing(replace(EVENING, bye=3), 5)
    out = set()
    for number in (1, 2):
        directing.give(DrawRound(number))
        (table,) = directing.round.draw.tables
        losses = ", ".join(f"{seat} -1" for seat in table.seats[1:])
        directing.play({1: f"{table.seats[0]} 3, {losses}"})
        out |= set(directing.round.draw.byes)
    assert len(out) == 2
    assert sum(row.values[0] for row in standings_of(directing.state).rows) == 6


def test_too_few_cannot_be_drawn() -> None:
    """Two at tables of three or more."""
    assert "Only 2 are there" in refusal(Directing(EVENING, 2).state, DrawRound(1))


def test_a_draw_by_hand_seats_everyone_who_is_there() -> None:
    """Nobody is forgotten, no stranger is seated."""
    directing = Directing(EVENING, 8).give(Withdraw(8, **KIM))
    assert "Player 8 does not play" in refusal(directing.state, DrawByHand(TWO_TABLES, **KIM))
    short = DrawByHand(Draw.parse("1: 1 2 3 | 2: 4 5 6"), **KIM)
    assert "Player 7 is not in the draw" in refusal(directing.state, short)
    unknown = DrawByHand(Draw.parse("1: 1 2 3 4 | 2: 5 6 7 9"), **KIM)
    assert "entry number 9" in refusal(directing.state, unknown)


def test_merging_and_splitting_tables() -> None:
    """Before a result; seats move in their order."""
    directing = begun()
    assert "do not fit" in refusal(directing.state, MergeTables(1, 2, **KIM))
    split = SplitTable(1, (3, 4), 3, **KIM)
    directing.give(split)
    assert str(directing.round.draw) == "1: 1 2 | 2: 5 6 7 8 | 3: 3 4"
    assert "into itself" in refusal(directing.state, MergeTables(1, 1, **KIM))
    assert "has no table 9" in refusal(directing.state, MergeTables(1, 9, **KIM))
    assert "Table 3 is taken" in refusal(directing.state, split)
    for leaving, to, fault in (
        ((1, 2), 4, "not all"),
        ((), 4, "not all"),
        ((3,), 4, "does not sit at table 1"),
        ((1,), 0, "numbered from 1"),
    ):
        assert fault in refusal(directing.state, SplitTable(1, leaving, to, **KIM))
    directing.give(MergeTables(3, 2, **KIM))
    assert str(directing.round.draw) == "1: 1 2 | 2: 5 6 7 8 3 4"
    directing.report(1, "1 1, 2 -1")
    assert "has a result already" in refusal(directing.state, MergeTables(1, 2, **KIM))
    directing.report(2, "5 5, 6 -1, 7 -1, 8 -1, 3 -1, 4 -1").give(CloseRound())
    assert "is closed" in refusal(directing.state, MergeTables(1, 2, **KIM))


def test_who_goes_on_for_somebody_holds_the_entry_from_the_coming_round_on() -> None:
    """The round that runs is theirs; what was played before stays the other's."""
    directing = one_round().give(Replace(Entrant(2, "Rita Poe"), **KIM), DrawRound(1))
    assert directing.state.names_in(1)[2] == "Player 2"
    assert directing.state.names_in(2)[2] == "Rita Poe"
    directing.give(Replace(Entrant(2, "Sam Lee"), **KIM))
    assert directing.state.names_in(2)[2] == "Sam Lee"
    assert str(replacement_told(directing.state, 2)) == "for Player 2, from round 2"
    directing.give(UndoRound(**KIM), UndoRound(**KIM))
    assert directing.state.names_in(1)[2] == "Sam Lee"
    assert replacement_told(directing.state, 2) is None


def test_a_corrected_entry_is_the_same_person() -> None:
    """Every round has the new spelling; a name that is taken is refused, and the same entry."""
    directing = one_round()
    right = CorrectEntry(Entrant(2, "Plaÿer 2", seed_rank=2), **KIM)
    directing.give(right)
    assert directing.state.names_in(1)[2] == "Plaÿer 2"
    assert directing.state.holders_of(2)[-1].entered_as == "Player 2"
    assert replacement_told(directing.state, 2) is None
    assert "nothing to correct" in refusal(directing.state, right)
    taken = CorrectEntry(Entrant(2, "player 3", seed_rank=2), **KIM)
    assert "is entry 3 already" in refusal(directing.state, taken)
    directing.give(Replace(Entrant(2, "Rita Poe", seed_rank=2), **KIM), DrawRound(1))
    directing.give(CorrectEntry(Entrant(2, "Rita Pöe", seed_rank=2), **KIM))
    assert (directing.state.names_in(1)[2], directing.state.names_in(2)[2]) == (
        "Plaÿer 2",
        "Rita Pöe",
    )
