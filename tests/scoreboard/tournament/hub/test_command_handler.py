"""Orders in one room: kept together, refused one by one, decided anew when others are faster."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from datetime import datetime
from functools import partial
from threading import Event, Thread

import pytest

from scoreboard.errors import ConflictError
from scoreboard.message import message
from scoreboard.tournament.hub.ports import HubStore, Tournaments
from scoreboard.tournament.hub.snapshot import TournamentCache
from scoreboard.tournament.hub.tournament_service import (
    MOST_RACES,
    CommandHandler,
    Given,
    TournamentService,
    command_words,
)
from scoreboard.tournament.model.authority import CommandRefusedError
from scoreboard.tournament.model.disputes import Dispute, Sign
from scoreboard.tournament.model.entrant import Entrant
from scoreboard.tournament.model.entries import Enter
from scoreboard.tournament.model.rounds import CloseRound, DrawRound
from scoreboard.tournament.protocol.audit_log import TournamentHeader, TournamentRecord
from tests.scoreboard.storage.racing import race
from tests.scoreboard.tournament.hub.clocks import Ticking
from tests.scoreboard.tournament.hub.events import DIRECTOR, KEY
from tests.scoreboard.tournament.model.eights import EVENING


class Outrun:
    """Logbooks in which others are faster the first so many times; they count what is kept."""

    def __init__(self, kept: Tournaments) -> None:
        self._kept = kept
        self.races = 0
        self.appended: list[int] = []
        self.may_append = Event()
        self.may_append.set()
        self.appending = Event()

    def create(self, tournament_id: str, name: str, at: datetime) -> None:
        """Begin a logbook."""
        self._kept.create(tournament_id, name, at)

    def headers(self) -> tuple[TournamentHeader, ...]:
        """All tournaments."""
        return self._kept.headers()

    def records(self, tournament_id: str, after: int = 0) -> tuple[TournamentRecord, ...]:
        """The records of a tournament."""
        return self._kept.records(tournament_id, after)

    def append(
        self, tournament_id: str, expected: int, records: Sequence[TournamentRecord]
    ) -> None:
        """Append the records, unless somebody is faster."""
        self.appending.set()
        self.may_append.wait()
        if self.races:
            self.races -= 1
            raise ConflictError(message("Somebody was faster."))
        self._kept.append(tournament_id, expected, records)
        self.appended.append(len(records))


@pytest.fixture
def tournaments(store: HubStore) -> Outrun:
    """The store's logbooks."""
    return Outrun(store.tournaments)


@pytest.fixture
def ordering(service: TournamentService, tournaments: Outrun, clock: Ticking) -> CommandHandler:
    """Orders in the room of an empty event."""
    tournament_id = service.open("Cup", EVENING, DIRECTOR)
    cache = TournamentCache(tournaments, tournaments.records(tournament_id))
    return CommandHandler(cache, tournaments, clock, KEY, 0.0)


def entering(*numbers: int) -> Given:
    """The director enters these."""
    return Given([Enter(Entrant(each, f"Player {each}")) for each in numbers], DIRECTOR)


CLOSING = Given([CloseRound()], DIRECTOR)


def test_orders_that_come_together_are_kept_together(
    ordering: CommandHandler, tournaments: Outrun
) -> None:
    """While the first is written, the others gather; the one refused among them is told alone."""
    tournaments.may_append.clear()
    first = Thread(target=ordering.give, args=[entering(1)])
    first.start()
    tournaments.appending.wait()
    acts = [partial(ordering.give, given) for given in (entering(2), entering(3), CLOSING)]
    outcomes = race([*acts, tournaments.may_append.set])
    first.join()
    assert [type(each) for each in outcomes if each is not None] == [CommandRefusedError]
    assert sum(tournaments.appended) == 3
    assert ordering.give(entering(4)).version == 4


def test_orders_of_one_giver_are_kept_all_or_none(
    ordering: CommandHandler, tournaments: Outrun
) -> None:
    """What is refused takes those given with it along."""
    with pytest.raises(CommandRefusedError):
        ordering.give(Given([*entering(1, 2).orders, CloseRound()], DIRECTOR))
    assert sum(tournaments.appended) == 0
    assert ordering.give(entering(1, 2)).version == 2


def test_an_order_is_decided_anew_when_others_were_faster(
    ordering: CommandHandler, tournaments: Outrun
) -> None:
    """However many races are lost but the last that are run, it is kept once."""
    tournaments.races = MOST_RACES - 1
    assert ordering.give(entering(1)).version == 1
    assert tournaments.appended == [1]


def test_an_order_that_always_loses_is_given_up(
    ordering: CommandHandler, tournaments: Outrun
) -> None:
    """Who gave it is told that others were faster."""
    tournaments.races = 2 * MOST_RACES  # it is tried with those beside it, then alone
    with pytest.raises(ConflictError):
        ordering.give(entering(1))
    assert tournaments.races == 0
    assert tournaments.appended == []


def test_what_expects_a_version_is_never_decided_anew(
    ordering: CommandHandler, tournaments: Outrun
) -> None:
    """The first lost race is told, and so is a version that is no more."""
    tournaments.races = 1
    with pytest.raises(ConflictError, match="faster"):
        ordering.give_expecting(entering(1), expected=0)
    assert ordering.give_expecting(entering(1), expected=0).version == 1
    with pytest.raises(ConflictError, match="at version 1, and you have seen 0"):
        ordering.give_expecting(entering(2), expected=0)


def told(caplog: pytest.LogCaptureFixture) -> list[str]:
    """What was logged of orders."""
    found = [each.getMessage() for each in caplog.records if each.name.endswith("command_handler")]
    caplog.clear()
    return found


def test_what_became_of_orders_is_logged(
    ordering: CommandHandler, caplog: pytest.LogCaptureFixture
) -> None:
    """Who gave which, and the version that it led to or why it was refused; no entrant's name."""
    caplog.set_level(logging.INFO, "scoreboard")
    ordering.give(entering(1, 2))
    (done,) = told(caplog)
    assert done.endswith(" for director Seo-yeon: Enter; Enter, version 2")
    assert done.startswith("carried out in cup-")
    with pytest.raises(CommandRefusedError):
        ordering.give(Given([CloseRound()], DIRECTOR))
    (refused,) = told(caplog)
    assert " to director Seo-yeon: CloseRound (CommandRefusedError): " in refused
    with pytest.raises(ConflictError):
        ordering.give_expecting(entering(3), 0)
    (stale,) = told(caplog)
    assert "(ConflictError): The event is at version 2, and you have seen 0" in stale


def test_nothing_is_logged_before_it_is_kept(
    ordering: CommandHandler, tournaments: Outrun, caplog: pytest.LogCaptureFixture
) -> None:
    """An order that another outruns is told once, when it is on disk."""
    caplog.set_level(logging.INFO, "scoreboard")
    tournaments.races = 3
    ordering.give(entering(1))
    assert len(told(caplog)) == 1
    tournaments.races = 2 * MOST_RACES
    with pytest.raises(ConflictError):
        ordering.give(entering(2))
    assert told(caplog) == []


def test_an_order_is_told_by_its_numbers() -> None:
    """Which result it is about; a seed is noise, and a reason stands in the record."""
    assert command_words(Sign(1, 3, 2, 7)) == "Sign round 1 table 3 game 2 entrant 7"
    assert command_words(Dispute(1, 3, 2, 7, "a wrong die")) == (
        "Dispute round 1 table 3 game 2 entrant 7"
    )
    assert command_words(DrawRound(12345)) == "DrawRound"
