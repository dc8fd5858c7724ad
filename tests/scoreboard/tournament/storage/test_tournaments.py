"""Logbooks of tournaments, in every store."""

from __future__ import annotations

from contextlib import nullcontext
from datetime import datetime, timedelta, timezone
from functools import partial

import pytest

from scoreboard.errors import ConflictError, NotationError
from scoreboard.tournament.model.season import Season
from scoreboard.tournament.protocol.audit_log import (
    OutdatedError,
    TournamentSummary,
    UnknownTournamentError,
)
from scoreboard.tournament.storage.hub_store import SqlHubStore
from tests.scoreboard.storage.racing import race
from tests.scoreboard.tournament.storage.samples import DIRECTOR, MORNING, record


@pytest.fixture
def open_hub(hub: SqlHubStore) -> SqlHubStore:
    """A store with one tournament."""
    hub.tournaments.create("open", "Winter Open", MORNING)
    return hub


def test_what_was_kept_is_given_back(open_hub: SqlHubStore) -> None:
    """Records come back equal and in order: times to the microsecond, bodies, both hashes."""
    kept = tuple(record(sequence) for sequence in range(1, 6))
    open_hub.tournaments.append("open", 0, kept[:2])
    open_hub.tournaments.append("open", 2, kept[2:])
    assert open_hub.tournaments.records("open") == kept
    assert open_hub.tournaments.records("open", after=3) == kept[3:]
    assert open_hub.tournaments.records("open", after=5) == ()


def test_the_newest_tournament_comes_first(hub: SqlHubStore) -> None:
    """Tournaments are listed from the last created to the first, with name and time."""
    for tournament_id in ("b", "c", "a"):
        hub.tournaments.create(tournament_id, f"Cup {tournament_id}", MORNING)
    assert [header.tournament_id for header in hub.tournaments.headers()] == ["a", "c", "b"]
    assert hub.tournaments.headers()[0] == TournamentSummary("a", "Cup a", MORNING)


def test_an_id_is_taken_once(open_hub: SqlHubStore) -> None:
    """A second tournament with the same id is refused and changes nothing."""
    with pytest.raises(ConflictError, match="“open” is stored"):
        open_hub.tournaments.create("open", "Another", MORNING)
    assert [header.name for header in open_hub.tournaments.headers()] == ["Winter Open"]


@pytest.mark.parametrize("expected", [0, 1, 3])
def test_a_slower_writer_is_refused(open_hub: SqlHubStore, expected: int) -> None:
    """Records that follow on another number of records than stored are not kept."""
    open_hub.tournaments.append("open", 0, [record(1), record(2)])
    with pytest.raises(ConflictError, match="someone else was faster"):
        open_hub.tournaments.append("open", expected, [record(expected + 1)])
    assert len(open_hub.tournaments.records("open")) == 2


@pytest.mark.parametrize("gap", [True, False])
def test_all_records_are_kept_or_none(open_hub: SqlHubStore, *, gap: bool) -> None:
    """A gap among the records keeps all out, and nothing to append is accepted; neither is news."""
    with pytest.raises(ConflictError) if gap else nullcontext():
        open_hub.tournaments.append("open", 0, [record(1), record(3)] if gap else [])
    assert open_hub.tournaments.records("open") == ()
    assert open_hub.change_feed.latest() == 1


def test_an_unknown_tournament_is_named(hub: SqlHubStore) -> None:
    """Every question about a tournament that is not there says which."""
    with pytest.raises(UnknownTournamentError, match="nowhere"):
        hub.tournaments.records("nowhere")
    with pytest.raises(LookupError, match="nowhere"):
        hub.tournaments.append("nowhere", 0, [record(1)])


def test_a_kept_body_changes_no_more(open_hub: SqlHubStore) -> None:
    """Whoever changes a body after it was kept, or one that was given back, changes nothing."""
    body = {"kind": "renamed", "names": ["Zoë"]}
    open_hub.tournaments.append("open", 0, [record(1, **body)])
    body["names"] = []
    given = open_hub.tournaments.records("open")[0].body
    given["names"].append("Mallory")
    assert open_hub.tournaments.records("open")[0].body["names"] == ["Zoë"]


def test_a_body_that_is_no_json_is_refused(open_hub: SqlHubStore) -> None:
    """A number that JSON does not know keeps the record out."""
    with pytest.raises(ValueError, match="JSON"):
        open_hub.tournaments.append("open", 0, [record(1, points=float("nan"))])
    assert open_hub.tournaments.records("open") == ()


def test_times_are_utc(hub: SqlHubStore) -> None:
    """A time without its zone, or of another, is refused before it is kept."""
    for wrong in (datetime(2026, 1, 1), MORNING.astimezone(timezone(timedelta(hours=9)))):  # noqa: DTZ001 -- the fault
        with pytest.raises(NotationError, match="UTC"):
            hub.tournaments.create("open", "Winter Open", wrong)


def test_one_writer_of_many_wins(open_hub: SqlHubStore) -> None:
    """Of directors who append after the same record exactly one is heard."""

    def append() -> None:
        open_hub.tournaments.append("open", 0, [record(1)])

    refused = [error for error in race([append] * 8) if error is not None]
    assert [type(error) for error in refused] == [ConflictError] * 7
    assert open_hub.tournaments.records("open") == (record(1),)
    assert open_hub.tournaments.records("open")[0].actor == DIRECTOR


@pytest.mark.parametrize("kind", ["tournament", "message", "season"])
def test_of_writers_who_saw_the_same_one_is_heard(open_hub: SqlHubStore, kind: str) -> None:
    """What was seen is checked in one step with the write, whatever process writes."""

    def write(number: int) -> None:
        match kind:
            case "tournament":
                open_hub.tournaments.create(f"cup-{number}", "Cup", MORNING, seen=1)
            case "message":
                open_hub.messages.send("open", "all", "Lunch", MORNING, "Dana", seen=0)
            case _:
                open_hub.players.keep_season(Season(0, "Spring", ("open",)), seen=0)

    outcomes = race([partial(write, number) for number in range(8)])
    assert [type(each) for each in outcomes if each] == [OutdatedError] * 7
