"""Recorded events: retractions, steps, and JSON."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoreboard.dice import Roll
from scoreboard.errors import ScoreboardError
from scoreboard.games import GAMES
from scoreboard.games.dice.acts import CategoryScored, DiceRolled
from scoreboard.games.dice.yahtzee import GAME
from scoreboard.games.engine.transcript import (
    SOURCES,
    TABLE_KINDS,
    Abandoned,
    EventCodec,
    GameHeader,
    RecordedEvent,
    Resumed,
    Retraction,
    TranscriptError,
    events_in_force,
    is_abandoned,
    undoing,
)

NOON = datetime(2026, 11, 21, 12, tzinfo=UTC)


def records(*events: object, steps: Sequence[int] = ()) -> tuple[RecordedEvent, ...]:
    """These events in order, each its own step unless told."""
    steps = steps or range(1, len(events) + 1)
    return tuple(
        RecordedEvent("g", sequence, NOON, "page", step, event)
        for sequence, (step, event) in enumerate(zip(steps, events, strict=True), start=1)
    )


def test_what_was_taken_back_does_not_count() -> None:
    """A retraction takes back the last event in force, and another the one before."""
    kept = records("a", "b", Retraction(2), "c", Retraction(4), "d")
    assert events_in_force(kept) == ("a", "d")
    assert events_in_force((*kept, *records(*[Resumed()] * 6, Retraction(6))[6:])) == ("a",)


@pytest.mark.parametrize(
    "events",
    [
        ("a", Retraction(2)),
        ("a", Retraction(7)),
        ("a", "b", Retraction(1)),
        ("a", Retraction(1), Retraction(1)),
        ("a", Retraction(1), Retraction(2)),
        (Abandoned(), Retraction(1)),
        (Retraction(1),),
    ],
)
def test_a_retraction_of_anything_else_is_an_error(events: tuple[object, ...]) -> None:
    """Only the last event in force can be taken back, and only once."""
    with pytest.raises(TranscriptError) as refusal:
        events_in_force(records(*events))
    assert isinstance(refusal.value, ValueError)
    assert isinstance(refusal.value, ScoreboardError)


def test_undo_takes_back_a_whole_step() -> None:
    """All events of one act go together, the newest first."""
    kept = records("a", "b", "c", steps=(1, 2, 2))
    assert undoing(kept) == (Retraction(3), Retraction(2))


def test_undo_goes_on_to_the_step_before() -> None:
    """What was taken back is no step any more."""
    kept = records("a", "b", "c", Retraction(3), Retraction(2), steps=(1, 2, 2, 4, 4))
    assert undoing(kept) == (Retraction(1),)
    assert undoing((*kept, *records(*"abcde", Retraction(1))[5:])) == ()


def test_nothing_is_left_to_undo_in_a_fresh_game() -> None:
    """Undo of nothing is nothing."""
    assert undoing(()) == ()
    assert undoing(records(Abandoned(), Resumed())) == ()


@pytest.mark.parametrize(
    ("events", "abandoned"),
    [
        ((), False),
        (("a",), False),
        ((Abandoned(),), True),
        (("a", Abandoned(), Resumed()), False),
        ((Abandoned(), Resumed(), "a", Abandoned()), True),
    ],
)
def test_a_game_is_abandoned_until_it_is_taken_up(
    events: tuple[object, ...],
    abandoned: bool,  # noqa: FBT001 -- a table
) -> None:
    """The last word counts, and play is untouched by it."""
    assert is_abandoned(records(*events)) is abandoned
    assert events_in_force(records(*events)) == tuple(e for e in events if e == "a")


def test_a_time_without_its_zone_is_refused() -> None:
    """An hour that could be any hour is no time."""
    naive = NOON.replace(tzinfo=None)
    with pytest.raises(TranscriptError):
        RecordedEvent("g", 1, naive, "page", 1, "a")
    with pytest.raises(TranscriptError):
        GameHeader("g", "yahtzee", ("North",), naive)


@given(st.integers())
def test_the_tables_own_events_survive_json(of: int) -> None:
    """Retractions, abandoning and resuming are known beside any rulebook's events."""
    for event in (Retraction(of), Abandoned(), Resumed()):
        text = json.dumps(EventCodec.of({}).document(event))
        assert EventCodec.of({}).event(json.loads(text)) == event


def test_stored_names_are_declared() -> None:
    """A class may be renamed; the stored name stays as it is here."""
    codec = EventCodec.of(GAME.kinds)
    assert codec.document(DiceRolled(Roll.parse("33516"))) == {
        "kind": "dice-rolled",
        "roll": "33516",
    }
    assert codec.document(CategoryScored("North", "fours", 20, "YZ-18", 100)) == {
        "kind": "category-scored",
        "player": "North",
        "category": "fours",
        "points": 20,
        "rule": "YZ-18",
        "bonus": 100,
    }
    assert list(GAME.kinds) == [
        "start-rolled",
        "dice-rolled",
        "dice-kept",
        "foul-die-rerolled",
        "roll-corrected",
        "category-scored",
        "player-left",
    ]
    assert list(TABLE_KINDS) == ["retraction", "abandoned", "resumed"]


def test_no_rulebook_takes_a_name_of_the_tables() -> None:
    """A kind means one thing in the store."""
    for game in GAMES.values():
        assert not game.kinds.keys() & TABLE_KINDS.keys()


@pytest.mark.parametrize(
    "document",
    [
        {},
        {"kind": "dice-thrown", "roll": "33516"},
        {"kind": ["dice-rolled"], "roll": "33516"},
        {"kind": "dice-rolled"},
        {"kind": "dice-rolled", "roll": "33516", "by": "North"},
        {"kind": "dice-rolled", "roll": "33517"},
        {"kind": "dice-rolled", "roll": 33516},
        {"kind": "foul-die-rerolled", "was": "1", "now": 2},
        {"kind": "foul-die-rerolled", "was": True, "now": 2},
        {"kind": "player-left", "player": None},
        {"kind": "retraction", "of": 1.0},
    ],
)
def test_a_stored_event_that_is_none_is_refused(document: dict[str, object]) -> None:
    """Unknown kinds, unknown or missing fields and wrong types are told, not guessed at."""
    with pytest.raises(TranscriptError):
        EventCodec.of(GAME.kinds).event(document)


def test_an_event_without_a_declared_kind_is_not_stored() -> None:
    """What could not be read back is not written."""

    @dataclass(frozen=True)
    class Sneezed:
        """No rulebook knows it."""

    with pytest.raises(TranscriptError, match="Sneezed"):
        EventCodec.of(GAME.kinds).document(Sneezed())


def test_sources_are_stored_by_their_names() -> None:
    """Renaming one would leave old games unreadable."""
    assert SOURCES == ("camera", "button", "page", "hub", "clock")
