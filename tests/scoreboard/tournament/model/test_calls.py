"""A knockout whose next match is called as soon as both players are free."""

from __future__ import annotations

import json
from dataclasses import replace
from functools import reduce
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scoreboard.tournament.model.authority import CommandRefusedError
from scoreboard.tournament.model.calls import (
    CallMatch,
    MatchCalled,
    TakeMatchBack,
    following_events,
)
from scoreboard.tournament.model.disputes import Dispute, Settle, Sign
from scoreboard.tournament.model.draw import TableSeats
from scoreboard.tournament.model.entrant import Entrant
from scoreboard.tournament.model.entries import CorrectEntry, Enter
from scoreboard.tournament.model.formats import FORMATS
from scoreboard.tournament.model.results import CorrectResult, ReportResult
from scoreboard.tournament.model.round_draw import (
    NO_TABLE,
    DueMatch,
    due_matches,
    matches_of,
    undecided_tables,
)
from scoreboard.tournament.model.rounds import CloseRound, DrawRound, StartRound, UndoRound
from scoreboard.tournament.model.standings import standings_of
from scoreboard.tournament.model.tournament import (
    Event,
    Round,
    decide,
    describe,
    evolve,
)
from scoreboard.tournament.model.tournament_format import NextMatch, System
from scoreboard.tournament.model.tournament_transcript import CODEC
from tests.scoreboard.tournament.model.directing import KIM, Directing, Flowing, refusal, scores

Pair = frozenset[int]
SEED = 3


class Knockout(Flowing):
    """A knockout of one game a match, with what follows by itself after every command."""

    def __init__(
        self,
        entrants: int,
        next_match: NextMatch = "called",
        system: System = "knockout",
        needing: tuple[int, ...] = (),
    ) -> None:
        step_free = tuple(range(1, max(1, len(needing)) + 1))
        form = replace(FORMATS[system], games=1, next_match=next_match, accessible_tables=step_free)
        super().__init__(form)
        for number in range(1, entrants + 1):
            needs = number in needing
            self.give(Enter(Entrant(number, f"Player {number}", "", number, needs)))
        self.give(DrawRound(SEED), StartRound())

    def win(self, winner: int, loser: int) -> Knockout:
        """Let one win the open match against the other, and both sign."""
        played, table = self.at(winner, loser)
        self.give(
            ReportResult(played, table, 1, scores(f"{winner} 9, {loser} 1")),
            *(Sign(played, table, 1, each) for each in (winner, loser)),
        )
        return self

    def at(self, one: int, other: int) -> tuple[int, int]:
        """Round and table of the last match of two."""
        return next(
            (played.number, table.number)
            for played in reversed(self.state.rounds)
            for table in played.draw.tables
            if set(table.seats) == {one, other}
        )

    def call(self, one: int, other: int, table: int = NO_TABLE) -> Knockout:
        """Call the due match of two to the table that is named for it, or to that one."""
        due = self.due[frozenset((one, other))]
        return self.give(CallMatch(due.seats, table or due.table))

    @property
    def due(self) -> dict[Pair, DueMatch]:
        """The due matches by their two."""
        return {frozenset(each.seats): each for each in due_matches(self.state)}

    @property
    def phases(self) -> list[str]:
        """The phases of the rounds, in order."""
        return [each.phase for each in self.state.rounds]


def test_a_semi_final_begins_while_a_quarter_final_is_played() -> None:
    """Both are free: the match is named with a table, and called into a round of its own."""
    event = Knockout(8).win(1, 8)
    assert event.due == {}
    event.win(4, 5)
    (due,) = due_matches(event.state)
    assert (str(due.name), set(due.seats), due.round, due.table) == ("Semi-final", {1, 4}, 2, 2)
    event.call(1, 4)
    assert event.phases == ["running", "running"]
    assert event.at(1, 4) == (2, 2)
    assert str(matches_of(event.state, event.round)[2]) == "Semi-final"
    event.win(1, 4).win(2, 7)
    assert event.phases == ["running", "running"]
    event.win(3, 6).call(2, 3)
    assert event.phases == ["closed", "running"]
    event.win(3, 2).call(1, 3).win(3, 1)
    assert event.phases == ["closed"] * 3
    assert standings_of(event.state).order[:2] == (3, 1)
    assert due_matches(event.state) == ()


def test_round_by_round_nothing_is_due() -> None:
    event = Knockout(4, "by-round").win(1, 4).win(2, 3)
    assert due_matches(event.state) == ()
    assert following_events(event.state) == ()
    assert event.phases == ["running"]
    assert (
        refusal(event.state, CallMatch((1, 2), 1)) == "No match of Player 1, Player 2 is due now."
    )
    event.give(CloseRound(), DrawRound(1))
    assert event.phases == ["closed", "drawn"]
    assert (
        refusal(event.state, TakeMatchBack(1, **KIM))
        == "No called match without a result is at table 1."
    )


def test_a_result_has_to_be_agreed_on() -> None:
    event = Knockout(4).win(1, 4)
    played, table = event.at(2, 3)
    event.give(ReportResult(played, table, 1, scores("2 9, 3 1")), Sign(played, table, 1, 2))
    assert event.due == {}
    event.give(Dispute(played, table, 1, 3, "I had 11"))
    assert event.due == {}
    event.give(Settle(played, table, 1, scores("2 9, 3 1"), **KIM))
    assert set(event.due) == {frozenset((1, 2))}


def test_the_director_closes_a_round_that_lacks_signatures() -> None:
    event = Knockout(8).win(1, 8).win(4, 5).win(2, 7).win(3, 6).call(1, 4).win(1, 4)
    assert event.phases == ["closed", "running"]
    assert refusal(event.state, CloseRound()) == ("Call Player 2, Player 3 first.")
    event.call(2, 3)
    played, table = event.at(2, 3)
    event.give(ReportResult(played, table, 1, scores("2 9, 3 1")))
    assert event.due == {}
    event.give(CloseRound())
    assert set(event.due) == {frozenset((1, 2))}


@pytest.mark.parametrize(
    ("table", "why"),
    [
        (0, "Table 0 is taken: name one that is free."),
        (3, "Table 3 is taken: name one that is free."),
    ],
)
def test_a_table_has_to_be_free(table: int, why: str) -> None:
    event = Knockout(8, next_match="called").win(1, 8).win(4, 5)
    assert refusal(event.state, CallMatch(event.due[frozenset((1, 4))].seats, table)) == why


def test_a_table_has_one_match_in_a_round() -> None:
    """Results stand by round and table: the second match of a round is at another table."""
    event = Knockout(8).win(1, 8).win(4, 5).call(1, 4).win(1, 4).win(2, 7).win(3, 6)
    due, (_, used) = event.due[frozenset((2, 3))], event.at(1, 4)
    assert due.table != used
    assert refusal(event.state, CallMatch(due.seats, used)) == (
        f"Table {used} is taken: name one that is free."
    )


def test_a_called_round_has_the_first_ones_seed_and_its_tables_in_order() -> None:
    """Whoever is called first: the bracket hangs on the seed, every list of tables on the order."""
    event = Knockout(8).win(1, 8).win(4, 5).win(2, 7).win(3, 6)
    event.call(1, 4, table=9).call(2, 3, table=2)
    assert (event.round.number, event.round.seed) == (2, SEED)
    assert [table.number for table in event.round.draw.tables] == [2, 9]


def test_step_free_tables_are_kept_for_who_needs_them() -> None:
    event = Knockout(8, needing=(8,))
    assert event.at(1, 8) == (1, 1)
    event.win(2, 7).win(3, 6).win(1, 8)
    assert event.due[frozenset((2, 3))].table == 3
    event.win(4, 5)
    assert event.due[frozenset((1, 4))].table == 2
    event = Knockout(8, needing=(8,)).win(8, 1).win(2, 7).win(3, 6)
    event.call(2, 3, table=1).win(4, 5)
    assert event.due[frozenset((8, 4))].table == NO_TABLE


def test_a_match_that_no_table_is_free_for_does_not_call_itself() -> None:
    event = Knockout(8, "automatic", needing=(8,)).win(8, 1).win(2, 7).win(3, 6)
    event.give(TakeMatchBack(event.at(2, 3)[1], **KIM)).call(2, 3, table=1).win(4, 5)
    assert (event.at(2, 3)[1], event.due[frozenset((8, 4))].table) == (1, NO_TABLE)


def test_who_always_sits_at_one_table_is_called_there() -> None:
    event = Knockout(8)
    was = next(each for each in event.state.entrants if each.number == 4)
    event.give(CorrectEntry(replace(was, table=7), **KIM)).win(1, 8).win(4, 5)
    assert event.due[frozenset((1, 4))].table == 7
    event.give(CorrectEntry(replace(was, table=3), **KIM))
    assert event.due[frozenset((1, 4))].table == 2, "they still play at table 3"


def test_a_called_match_is_taken_back_before_it_has_a_result() -> None:
    event = Knockout(4)
    assert "No called match" in refusal(event.state, TakeMatchBack(1, **KIM))
    event.win(1, 4).win(2, 3)
    before = event.due
    event.call(1, 2)
    _, table = event.at(1, 2)
    event.give(TakeMatchBack(table, **KIM))
    assert (len(event.state.rounds), event.due) == (1, before)
    event.call(1, 2).give(ReportResult(2, table, 1, scores("1 9, 2 1")))
    assert refusal(event.state, TakeMatchBack(table, **KIM)) == (
        f"No called match without a result is at table {table}."
    )
    assert (
        refusal(event.state, TakeMatchBack(1, **KIM))
        == "No called match without a result is at table 1."
    )


def test_matches_call_themselves_unless_they_were_taken_back() -> None:
    event = Knockout(4, "automatic").win(1, 4)
    assert event.phases == ["running"]
    event.win(2, 3)
    assert event.phases == ["closed", "running"]
    event.give(TakeMatchBack(event.at(1, 2)[1], **KIM))
    assert (event.phases, set(event.due)) == (["closed"], {frozenset((1, 2))})
    event.call(1, 2)
    event.give(UndoRound(**KIM))
    assert (event.phases, set(event.due)) == (["closed"], {frozenset((1, 2))})
    event.give(UndoRound(**KIM)).give(DrawRound(SEED), StartRound()).win(1, 4).win(2, 3)
    assert event.phases == ["closed"], "the pair was taken back"


def test_a_correction_waits_for_the_match_that_its_result_called() -> None:
    event = Knockout(8).win(1, 8).win(4, 5).call(1, 4)
    number, table = event.at(1, 8)
    turned = CorrectResult(number, table, 1, scores("1 1, 8 9"), **KIM)
    _, called = event.at(1, 4)
    assert refusal(event.state, turned) == (
        f"First undo the call to table {called} by this result."
    )
    assert decide(event.state, replace(turned, scores=scores("1 8, 8 7")))
    event.give(TakeMatchBack(called, **KIM), turned)
    assert set(event.due) == {frozenset((8, 4))}


def test_a_correction_after_the_next_result_marks_the_round() -> None:
    """As rounds do: what was played stands, and the bracket has the right ones meet next."""
    event = Knockout(8).win(1, 8).win(4, 5).call(1, 4).win(2, 7).win(3, 6).call(2, 3).win(1, 4)
    number, table = event.at(1, 8)
    event.give(CorrectResult(number, table, 1, scores("1 1, 8 9"), **KIM))
    assert event.state.rounds[1].corrected_before == (1,)
    assert event.due[frozenset((8, 4))].round == 3, "4 has played in round 2"
    event.win(2, 3).call(8, 4).win(8, 4).call(8, 2).win(2, 8)
    assert event.phases == ["closed"] * 4
    event = Knockout(8).win(1, 8).win(4, 5).call(1, 4).win(2, 7)
    number, table = event.at(2, 7)
    event.give(CorrectResult(number, table, 1, scores("2 1, 7 9"), **KIM))
    assert event.state.rounds[1].corrected_before == (), "nobody of that table plays in it"


def test_a_result_that_others_build_on_stands_while_it_is_looked_at() -> None:
    """A signed result is disputed after the call: the referee looks again, the call stands."""
    event = Knockout(8).win(1, 8).win(4, 5).call(1, 4)
    number, table = event.at(1, 8)
    event.give(Dispute(number, table, 1, 8, "I had 11"))
    assert event.state.rounds[0].disputed == ()
    assert event.state.rounds[0].for_the_referee[0][:2] == (table, 1)
    assert event.at(1, 4)[0] == 2


def test_a_round_in_the_middle_is_not_taken_back() -> None:
    event = Knockout(8).win(1, 8).win(4, 5).call(1, 4)
    state, (number, table) = event.state, event.at(1, 4)
    assert [each and each.number for each in map(state.round_of, (1, 8, 2))] == [number, 1, 1]
    assert [each and each.number for each in map(state.round_at, (table, 3, 9))] == [2, 1, None]


def _winner(seed: int, pair: Pair, met_before: int) -> int:
    return Random(f"{seed} {sorted(pair)} {met_before}").choice(sorted(pair))


def _by_round(seed: int, event: Directing) -> Directing:
    """Play round after round: every match is won as `_winner` has it."""
    met: list[Pair] = []
    while True:
        for table in event.round.draw.tables:
            pair = frozenset(table.seats)
            _play(event, event.round.number, table.number, _winner(seed, pair, met.count(pair)))
            met.append(pair)
        event.give(CloseRound())
        try:
            event.give(DrawRound(seed), StartRound())
        except CommandRefusedError:
            return event


def _play(event: Directing, number: int, table: int, winner: int) -> None:
    seated = event.state.rounds[number - 1].table(table)
    assert seated is not None
    points = ", ".join(f"{each} {9 if each == winner else 1}" for each in seated.seats)
    event.give(ReportResult(number, table, 1, scores(points)))
    event.give(*(Sign(number, table, 1, each) for each in seated.seats))


def _open_tables(event: Directing) -> list[tuple[int, TableSeats]]:
    state = event.state
    return [
        (each.number, table) for each in state.rounds for table in undecided_tables(state, each)
    ]


@settings(max_examples=20)
@given(
    st.integers(0, 2**32),
    st.integers(2, 19),
    st.sampled_from(("knockout", "double-knockout")),
    st.sampled_from(("called", "automatic")),
    st.sets(st.integers(1, 19), max_size=1),
)
def test_the_end_is_that_of_whole_rounds(
    seed: int, entrants: int, system: System, next_match: NextMatch, needing: set[int]
) -> None:
    """In any order of results and calls: the same matches in the same rounds, each once.

    Nobody has two matches at once, no table either, and who needs a step-free table has one.
    """
    chance, there = Random(seed), tuple(each for each in needing if each <= entrants)
    event, met = Knockout(entrants, next_match, system, there), list[Pair]()
    while open_tables := _open_tables(event) or due_matches(event.state):
        playing = [table for _, table in _open_tables(event)]
        assert len({table.number for table in playing}) == len(playing)
        assert len({seat for table in playing for seat in table.seats}) == 2 * len(playing)
        due = [each for each in due_matches(event.state) if each.table]
        assert playing or due, "somebody can always go on"
        if due and (not playing or chance.random() < 0.5):
            each = chance.choice(due)
            event.give(CallMatch(each.seats, each.table))
            if chance.random() < 0.2:
                event.give(TakeMatchBack(event.at(*each.seats)[1], **KIM))
            continue
        number, table = chance.choice(_open_tables(event))
        pair, newest = frozenset(table.seats), event.state.round_at(table.number)
        assert newest is event.state.rounds[number - 1], "a device learns what its table plays"
        if pair & set(there):
            assert table.number in event.state.format.accessible_tables
        _play(event, number, table.number, _winner(seed, pair, met.count(pair)))
        met.append(pair)
    assert not open_tables
    assert set(event.phases) == {"closed"}
    whole = _by_round(seed, Knockout(entrants, "by-round", system, there))
    assert [_pairs(each) for each in event.state.rounds] == [
        _pairs(each) for each in whole.state.rounds
    ]
    assert standings_of(event.state) == standings_of(whole.state)
    replayed = reduce(evolve, (_stored(each) for each in event.events), event.start)
    assert replayed == event.state


def _pairs(played: Round) -> set[tuple[int, ...]]:
    return {table.seats for table in played.draw.tables}


def _stored(event: Event) -> Event:
    stored: Event = CODEC.event(json.loads(json.dumps(CODEC.document(event))))
    return stored


def test_a_call_is_told_in_a_sentence() -> None:
    event = Knockout(4).win(1, 4).win(2, 3)
    called = MatchCalled(2, 2, (1, 2), 1)
    state = evolve(event.state, called)
    assert str(describe(state, called)) == (
        "Player 1, Player 2 were called to table 2 for a match of round 2."
    )
    (back,) = decide(state, TakeMatchBack(2, **KIM))
    assert str(describe(evolve(state, back), back)).startswith(
        "The match of Player 1, Player 2 at table 2 was taken back."
    )
