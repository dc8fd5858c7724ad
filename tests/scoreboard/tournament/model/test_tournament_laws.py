"""What holds for all topics, and laws of every event played by chance."""

from __future__ import annotations

from dataclasses import replace
from functools import reduce
from importlib import import_module
from inspect import isabstract
from pkgutil import iter_modules
from random import Random

from hypothesis import given, settings
from hypothesis import strategies as st

from scoreboard.tournament import model
from scoreboard.tournament.model.authority import CommandRefusedError
from scoreboard.tournament.model.disputes import Settle
from scoreboard.tournament.model.hash_chain import verify
from scoreboard.tournament.model.results import CorrectResult, ReportResult
from scoreboard.tournament.model.rounds import CloseRound, DrawRound, StartRound, UndoRound
from scoreboard.tournament.model.scoring import seat_results
from scoreboard.tournament.model.stages import Finish, Reopen
from scoreboard.tournament.model.standings import standings_of, why
from scoreboard.tournament.model.tournament import Event, describe, evolve, may_command
from scoreboard.tournament.model.tournament_transcript import (
    KINDS,
    TournamentEvent,
    TournamentHeader,
    Transcript,
    read_transcript,
)
from tests.scoreboard.tournament.model.chains import links_of, write_transcript
from tests.scoreboard.tournament.model.directing import (
    FIRST,
    KIM,
    NOON,
    SECOND,
    Directing,
    Evening,
    begun,
    refusal,
    scores,
    some_scores,
)

seeds = st.integers(0, 2**32)
laws = settings(max_examples=40)


def transcript_of(evening: Directing) -> Transcript:
    """An event as it would be exported."""
    records = (
        TournamentEvent(number, NOON, "director", event)
        for number, event in enumerate(evening.events, start=1)
    )
    header = TournamentHeader("t", evening.start.title, evening.start.format, NOON)
    return Transcript(header, tuple(records))


@laws
@given(seeds)
def test_a_replay_gives_the_live_state(seed: int) -> None:
    """Every event has its sentence, and what a round brought follows from its results."""
    evening = Evening(seed).play_on()
    assert reduce(evolve, evening.events, evening.start) == evening.state
    assert all(str(describe(evening.state, event)).strip() for event in evening.events)
    for played in evening.state.rounds:
        if played.phase == "closed":
            assert played.brought == seat_results(evening.state.format, played)


@laws
@given(seeds)
def test_an_exported_event_is_read_back(seed: int) -> None:
    transcript = transcript_of(Evening(seed).play_on())
    text = write_transcript(transcript)
    assert read_transcript(text) == transcript
    assert write_transcript(read_transcript(text)) == text
    assert verify(links_of(transcript)) is None


@laws
@given(seeds)
def test_standings_are_a_total_preorder_that_why_agrees_with(seed: int) -> None:
    state = Evening(seed).play_on().state
    found = standings_of(state)
    assert sorted(found.order) == sorted(state.numbers)
    for row in found.rows:
        assert row.place == 1 + sum(other.place < row.place for other in found.rows)
        assert row.shared == (sum(other.place == row.place for other in found.rows) > 1)
    for above, below in zip(found.rows, found.rows[1:], strict=False):
        sentence = str(why(found, state.names, below.entrant, above.entrant))
        assert sentence == str(why(found, state.names, above.entrant, below.entrant))
        one, other = state.names[above.entrant], state.names[below.entrant]
        shared = above.place == below.place
        assert sentence.startswith(f"{one} and {other} share" if shared else f"{one} stands above")


@laws
@given(seeds)
def test_the_order_of_results_within_a_round_does_not_matter(seed: int) -> None:
    evening, chance = Evening(seed), Random(seed)
    if evening.state.format.system == "blind":
        return
    evening.draw(seed)
    evening.give(StartRound())
    form, before = evening.state.format, evening.state
    first = [
        ReportResult(1, table.number, 1, some_scores(form, table.seats, chance, decided=True))
        for table in evening.round.draw.tables
    ]
    after = evening.give(*first).state
    for _ in range(3):
        chance.shuffle(first)
        evening.state = before
        assert evening.give(*first).state == after
        assert standings_of(evening.state) == standings_of(after)


@laws
@given(seeds, st.integers(0, 3))
def test_undoing_a_round_restores_what_was(seed: int, rounds: int) -> None:
    evening = Evening(seed)
    if evening.state.format.system == "blind":
        return
    for number in range(rounds):
        if not evening._next(number):
            return
    before = evening.state
    try:
        evening.draw(seed)
    except CommandRefusedError:
        return
    evening.give(StartRound())
    evening.play_results()
    evening.give(UndoRound(**KIM))
    assert replace(evening.state, amendments=()) == replace(before, amendments=())
    assert evening.state.amendments[: len(before.amendments)] == before.amendments


def test_every_event_has_a_stored_name() -> None:
    names = (each.name for each in iter_modules(model.__path__, f"{model.__name__}."))
    defined = {
        each
        for topic in map(import_module, names)
        for each in vars(topic).values()
        if isinstance(each, type) and issubclass(each, Event) and not isabstract(each)
    }
    assert defined == set(KINDS.values())


def test_roles_may_give_what_is_theirs() -> None:
    report, settle = ReportResult(1, 1, 1, scores(FIRST)), Settle(1, 1, 1, scores(FIRST), **KIM)
    assert [may_command(role, report) for role in ("table", "referee", "director")] == [True] * 3
    assert [may_command(role, settle) for role in ("table", "referee")] == [False, True]
    assert not may_command("referee", DrawRound(1))


def test_what_is_finished_stands_until_it_is_reopened() -> None:
    directing = begun()
    assert "is not closed" in refusal(directing.state, Finish())
    assert "is not finished" in refusal(directing.state, Reopen(**KIM))
    directing.report(1, FIRST).report(2, SECOND).give(CloseRound(), Finish())
    correct = CorrectResult(1, 1, 1, scores("1 0, 2 0, 3 0, 4 0"), **KIM)
    assert "reopen it first" in refusal(directing.state, correct)
    directing.give(Reopen(**KIM), correct, Finish())
    assert directing.state.finished
    assert directing.places[0] == (1, 5)
