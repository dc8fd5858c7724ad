"""A knockout at a hub, whose tables learn by the protocol that their next match was called."""

from __future__ import annotations

from dataclasses import replace

import pytest

from scoreboard.tournament.hub.table_api import TableApi
from scoreboard.tournament.model.calls import CallMatch, TakeMatchBack
from scoreboard.tournament.model.draw import TableSeats
from scoreboard.tournament.model.formats import FORMATS
from scoreboard.tournament.model.round_draw import due_matches
from scoreboard.tournament.model.rounds import DrawRound, StartRound
from scoreboard.tournament.model.tournament import Tournament
from scoreboard.tournament.model.tournament_format import NextMatch
from scoreboard.tournament.protocol.hub_update import Greeting, HubUpdate
from scoreboard.tournament.storage.hub_store import SqlHubStore
from tests.scoreboard.tournament.hub.halls import (
    DIRECTOR,
    Hall,
    Ticking,
    entered_event,
    quick_game,
    signed_by,
    token_of,
)
from tests.scoreboard.tournament.model.directing import KIM

DUELS = replace(FORMATS["knockout"], game="rummikub", games=1)


class Knockout(Hall):
    """Eight players at four tables with devices, round 1 of a knockout under way."""

    def start(self, next_match: NextMatch) -> Knockout:
        form = replace(DUELS, next_match=next_match)
        self.event = entered_event(self.service, form)
        self.service.give_all(self.event, (DrawRound(1), StartRound()), DIRECTOR)
        self.join(1, 2, 3, 4)
        return self

    @property
    def state(self) -> Tournament:
        return self.service.snapshot(self.event).state

    def seats(self, number: int, table: int) -> tuple[int, ...]:
        """Who sits at a table in a round; the first one there wins."""
        found = self.state.rounds[number - 1].table(table)
        assert isinstance(found, TableSeats)
        return found.seats

    def play(self, number: int, table: int, *, signed: bool = True) -> None:
        seats = self.seats(number, table)
        answers = signed_by(seats) if signed else ()
        items = quick_game(seats, "+9 -9", *answers, slot=(number, table, 1))
        self.deliver(table, f"game-{number}-{table}", items)

    def update(self, table: int, api: TableApi | None = None) -> HubUpdate:
        return (api or self.table_api).greet(token_of(table), Greeting({}))

    def sits(self, table: int) -> tuple[int, list[int]]:
        seating = self.update(table).sitting
        assert seating is not None
        return seating.round, [each.entrant for each in seating.seats]


@pytest.fixture
def knockout(store: SqlHubStore, clock: Ticking) -> Knockout:
    """The hub of a knockout."""
    return Knockout(store, clock)


def test_a_device_learns_the_match_that_was_called_to_its_table(knockout: Knockout) -> None:
    """It hears of it at once, while another table goes on with the round before."""
    knockout.start("called")
    knockout.play(1, 1)
    knockout.play(1, 2)
    before = knockout.update(1).version
    (due,) = due_matches(knockout.state)
    assert {due.table} <= {1, 2}
    knockout.service.give(knockout.event, CallMatch(due.seats, due.table), DIRECTOR)
    update = knockout.table_api.next_update(token_of(due.table), before, 0.0)
    assert update.version > before
    assert knockout.sits(due.table) == (2, list(due.seats))
    assert knockout.sits(3) == (1, list(knockout.seats(1, 3)))
    left = ({1, 2} - {due.table}).pop()
    winner = knockout.seats(1, left)[0]
    assert knockout.update(left).notice == f"Player {winner} plays next at table {due.table}."
    knockout.play(1, 3)
    knockout.play(2, due.table)
    assert knockout.update(left).notice == "", "they have played there"
    assert knockout.state.rounds[1].results[due.table, 1].phase == "signed"


def test_the_overview_has_each_table_in_its_newest_round(knockout: Knockout) -> None:
    """Four tables, of which one is in the second round."""
    knockout.start("automatic")
    knockout.play(1, 1)
    knockout.play(1, 2)
    (called,) = knockout.state.rounds[1].draw.tables
    tables = {each.number: each for each in knockout.table_api.tables(knockout.event)}
    assert sorted(tables) == [1, 2, 3, 4]
    assert tables[called.number].phase == "waiting"
    assert tables[3].phase == "waiting"


def test_a_signature_calls_the_next_match_in_the_hubs_name(knockout: Knockout) -> None:
    """The record says who did what: the table signed, the hub called and closed."""
    knockout.start("automatic")
    for table in (1, 2, 3):
        knockout.play(1, table)
    knockout.play(1, 4, signed=False)
    assert [each.phase for each in knockout.state.rounds] == ["running", "running"]
    seats = knockout.seats(1, 4)
    items = quick_game(seats, "+9 -9", *signed_by(seats), slot=(1, 4, 1))
    knockout.deliver(4, "game-1-4", items)
    assert [each.phase for each in knockout.state.rounds] == ["closed", "running"]
    told = [
        (each.source, type(each.event).__name__) for each in knockout.service.events(knockout.event)
    ]
    assert told[-4:] == [
        ("table 4", "Signed"),
        ("table 4", "Signed"),
        ("hub by itself", "RoundClosed"),
        ("hub by itself", "MatchCalled"),
    ]


def test_a_hub_that_starts_again_knows_all_open_rounds(
    knockout: Knockout, store: SqlHubStore, clock: Ticking
) -> None:
    """The record replays to the same state, and what a kill cut off in any of them is done."""
    knockout.start("automatic")
    knockout.play(1, 1)
    knockout.play(1, 2)
    again = Knockout(store, clock)
    again.event = knockout.event
    again.table_api.examine_all()
    assert again.state == knockout.state
    assert again.sits(3) == knockout.sits(3)
    exported = knockout.service.export(knockout.event)
    assert '"kind": "match-called"' in exported or '"kind":"match-called"' in exported


def test_a_match_taken_back_frees_its_table(knockout: Knockout) -> None:
    """The device goes back to the round before; a game begun meanwhile says why it counts not."""
    knockout.start("automatic")
    knockout.play(1, 1)
    knockout.play(1, 2)
    (called,) = knockout.state.rounds[1].draw.tables
    begun = quick_game(called.seats, "+9 -9", slot=(2, called.number, 1))
    knockout.deliver(called.number, "game-2", begun[:1])
    knockout.service.give(knockout.event, TakeMatchBack(called.number, **KIM), DIRECTOR)
    assert knockout.sits(called.number)[0] == 1
    knockout.deliver(called.number, "game-2", begun[1:])
    assert len(knockout.state.rounds) == 1
