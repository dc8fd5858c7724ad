"""Tournaments opened, shown and commanded over SQLite: by right, kept together, decided anew."""

from __future__ import annotations

import json
import logging
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from threading import Event, Thread

import pytest

from scoreboard.errors import ConflictError
from scoreboard.games.engine.transcript import TranscriptError
from scoreboard.message import message
from scoreboard.tournament.hub.snapshot import TournamentCache
from scoreboard.tournament.hub.tournament_service import (
    CommandBatch,
    CommandHandler,
    NotAllowedError,
    TournamentService,
    command_words,
    event_id,
    player_actor,
    table_actor,
)
from scoreboard.tournament.model.authority import CommandRefusedError
from scoreboard.tournament.model.disputes import Dispute, Sign
from scoreboard.tournament.model.entrant import Entrant
from scoreboard.tournament.model.entries import Enter
from scoreboard.tournament.model.hash_chain import SigningKey, verify, wrongly_signed
from scoreboard.tournament.model.results import CorrectResult, ReportResult
from scoreboard.tournament.model.rounds import CloseRound, DrawRound, StartRound
from scoreboard.tournament.model.tournament import Command
from scoreboard.tournament.model.tournament_transcript import (
    read_links,
    read_transcript,
    write_links,
)
from scoreboard.tournament.protocol.audit_log import Actor, UnknownTournamentError
from scoreboard.tournament.storage.hub_store import SqlHubStore
from scoreboard.tournament.storage.tournaments import Records, SqlTournaments
from tests.scoreboard.storage.racing import race
from tests.scoreboard.tournament.hub.halls import (
    DIRECTOR,
    KEY,
    MORNING,
    REFEREE,
    Ticking,
    begun_event,
    entered_event,
)
from tests.scoreboard.tournament.model.chains import chained
from tests.scoreboard.tournament.model.directing import EVENING, FIRST, KIM, SECOND, scores

ANNA = Entrant(1, "Anna Berg")


def test_an_event_is_opened_with_an_id_for_addresses(service: TournamentService) -> None:
    """The id is made of the title, and two events of one title have two."""
    ids = [service.open("  Zürich Open '26 ", EVENING, DIRECTOR) for _ in range(2)]
    assert ids[0] != ids[1]
    assert all(each.startswith("z-rich-open-26-") for each in ids)
    assert event_id("가나다", MORNING).startswith("event-")
    assert [snapshot.header.tournament_id for snapshot in service.tournaments()] == ids[::-1]
    assert service.snapshot(ids[0]).header.title == "Zürich Open '26"


@pytest.mark.parametrize("title", ["", "   ", "x" * 81, "two\nlines"])
def test_a_title_fits_the_pages(service: TournamentService, title: str) -> None:
    """An empty one, an endless one and one of two lines are refused."""
    with pytest.raises(CommandRefusedError, match="1 to 80 letters"):
        service.open(title, EVENING, DIRECTOR)
    assert service.tournaments() == ()


def test_a_command_leads_to_a_later_look(service: TournamentService) -> None:
    """The look has the new state, version and hash, and says who did it and when."""
    tournament_id = service.open("Cup", EVENING, DIRECTOR)
    before = service.snapshot(tournament_id)
    after = service.give(tournament_id, Enter(ANNA), DIRECTOR)
    assert (before.version, after.version) == (0, 1)
    assert after.state.entrants == (ANNA,)
    assert after.head != before.head
    assert after == service.snapshot(tournament_id)
    (recorded,) = service.events(tournament_id)
    assert recorded.source == "director Seo-yeon"
    assert service.events(tournament_id, after=1) == ()


def test_an_unknown_event_is_named(service: TournamentService) -> None:
    """Looking, commanding, reading and exporting all say so."""
    for act in (
        lambda: service.snapshot("gone"),
        lambda: service.give("gone", StartRound(), DIRECTOR),
        lambda: service.events("gone"),
        lambda: service.export("gone"),
    ):
        with pytest.raises(UnknownTournamentError, match="“gone”"):
            act()


def test_another_desk_sees_the_same(store: SqlHubStore, clock: Ticking) -> None:
    """Two desks over one store, as two processes have them, see each other's commands."""
    one, other = TournamentService(store, clock, KEY), TournamentService(store, clock, KEY)
    tournament_id = begun_event(one)
    assert other.snapshot(tournament_id) == one.snapshot(tournament_id)
    report = ReportResult(1, 1, 1, scores(FIRST))
    given = other.give(tournament_id, report, DIRECTOR)
    assert one.known(tournament_id, given.version) == given
    assert one.snapshot(tournament_id) == given


def test_of_two_equal_commands_one_is_refused(store: SqlHubStore, clock: Ticking) -> None:
    """Two desks report the same game at once: it is reported once."""
    desks = [TournamentService(store, clock, KEY), TournamentService(store, clock, KEY)]
    tournament_id = begun_event(desks[0])
    report = ReportResult(1, 1, 1, scores(FIRST))
    acts = [
        lambda service=service: service.give(tournament_id, report, DIRECTOR)
        for service in desks * 3
    ]
    outcomes = [type(each).__name__ for each in race(acts)]
    assert sorted(outcomes) == [*["CommandRefusedError"] * 5, "NoneType"]
    reported = desks[0].snapshot(tournament_id).state.rounds[0].results
    assert list(reported) == [(1, 1)]


def test_an_export_is_what_was_kept(service: TournamentService) -> None:
    """The chain holds, ends with the look's hash, and adds up to the look's state."""
    tournament_id = begun_event(service)
    exported = service.export(tournament_id)
    links, snapshot = read_links(exported), service.snapshot(tournament_id)
    assert verify(links) is None
    assert links[-1].hash == snapshot.head
    assert read_transcript(exported).state == snapshot.state


def test_another_hub_opens_an_export(
    service: TournamentService, clock: Ticking, other: SqlHubStore
) -> None:
    """It takes the event over to the hash, and goes on from there."""
    tournament_id = begun_event(service)
    there = TournamentService(other, clock, KEY)
    assert there.take_over(service.export(tournament_id)) == tournament_id
    assert there.snapshot(tournament_id) == service.snapshot(tournament_id)
    assert there.export(tournament_id) == service.export(tournament_id)
    reports = (ReportResult(1, 1, 1, scores(FIRST)), ReportResult(1, 2, 1, scores(SECOND)))
    snapshot = there.give_all(tournament_id, (*reports, CloseRound()), DIRECTOR)
    assert snapshot.state.rounds[0].phase == "closed"


def test_each_hub_signs_what_it_records(
    service: TournamentService, clock: Ticking, other: SqlHubStore
) -> None:
    """And keeps what another signed: whose each record is can be told for good."""
    tournament_id = entered_event(service)
    there = TournamentService(other, clock, SigningKey(b"2" * 32))
    there.take_over(service.export(tournament_id))
    there.give(tournament_id, Enter(Entrant(9, "Nine")), DIRECTOR)
    links = read_links(there.export(tournament_id))
    assert [link.key for link in links] == [service.key] * 9 + [there.key]
    assert wrongly_signed(links) is None


def test_a_broken_record_is_not_taken_over(
    service: TournamentService, clock: Ticking, other: SqlHubStore
) -> None:
    """A changed name, or a dropped line, is found by the hashes."""
    lines = service.export(entered_event(service)).splitlines(keepends=True)
    there = TournamentService(other, clock, KEY)
    for text in ("".join(lines).replace("Player 3", "Player 4"), "".join(lines[:3] + lines[4:])):
        with pytest.raises(TranscriptError, match="broken at line"):
            there.take_over(text)
    assert there.tournaments() == ()


FORGERIES = {
    ("1 60 = 60 won 1", "1 60 = 9999 won 1"): r"Line 12 awards “1 60 = 9999 won 1, .* = 60 won 1",
    ("1 60 = 60 won 1", "1 70 = 70 won 1"): "what it tells cannot have happened",
    ('"table": 1', '"table": 7'): "what it tells cannot have happened",
}


@pytest.mark.parametrize(("change", "expected"), FORGERIES.items())
def test_points_that_no_scores_come_to_are_not_taken_over(
    service: TournamentService,
    clock: Ticking,
    other: SqlHubStore,
    change: tuple[str, str],
    expected: str,
) -> None:
    """Whoever reckons all hashes anew still has to award what the scores come to."""
    tournament_id = begun_event(service)
    service.give(tournament_id, ReportResult(1, 1, 1, scores(FIRST)), DIRECTOR)
    kept = [json.dumps(link.document) for link in read_links(service.export(tournament_id))]
    assert change[0] in kept[-1]
    forged = chained(json.loads(each) for each in [*kept[:-1], kept[-1].replace(*change)])
    there = TournamentService(other, clock, KEY)
    with pytest.raises(TranscriptError, match=expected):
        there.take_over(write_links(forged))
    assert there.tournaments() == ()


def test_a_take_over_that_was_cut_short_is_begun_anew(
    service: TournamentService, clock: Ticking, other: SqlHubStore
) -> None:
    """What a kill between the two steps left is unknown, and taken over at the second try."""
    tournament_id = entered_event(service)
    other.tournaments.create(tournament_id, "Winter Open", clock())
    there = TournamentService(other, clock, KEY)
    assert there.tournaments() == ()
    with pytest.raises(UnknownTournamentError):
        there.snapshot(tournament_id)
    assert there.take_over(service.export(tournament_id)) == tournament_id
    assert there.snapshot(tournament_id) == service.snapshot(tournament_id)


class Watched(SqlTournaments):
    """Audit logs that fail the first so many times; they count what is kept."""

    def __init__(self, kept: SqlTournaments) -> None:
        vars(self).update(vars(kept))
        self.faults = 0
        self.appended: list[int] = []
        self.may_append = Event()
        self.may_append.set()
        self.appending = Event()

    def carry_on(
        self, tournament_id: str, after: int, decide: Callable[[Records], Records]
    ) -> None:
        made: list[Records] = []

        def decided(newer: Records) -> Records:
            made.append(decide(newer))
            return made[-1]

        self.appending.set()
        self.may_append.wait()
        if self.faults:
            self.faults -= 1
            raise ConflictError(message("This is another log."))
        super().carry_on(tournament_id, after, decided)
        self.appended += map(len, made)


@pytest.fixture
def tournaments(store: SqlHubStore) -> Watched:
    """The store's logbooks."""
    return Watched(store.tournaments)


@pytest.fixture
def handler(service: TournamentService, tournaments: Watched, clock: Ticking) -> CommandHandler:
    """Commands in the room of an empty event."""
    tournament_id = service.open("Cup", EVENING, DIRECTOR)
    cache = TournamentCache(tournaments, tournaments.records(tournament_id))
    return CommandHandler(cache, tournaments, clock, KEY, 0.0)


def entering(*numbers: int) -> CommandBatch:
    """The director enters these."""
    return CommandBatch([Enter(Entrant(each, f"Player {each}")) for each in numbers], DIRECTOR)


CLOSING = CommandBatch([CloseRound()], DIRECTOR)


def test_commands_that_come_together_are_kept_together(
    handler: CommandHandler, tournaments: Watched
) -> None:
    """While the first is written, the others gather; the one refused among them is told alone."""
    tournaments.may_append.clear()
    first = Thread(target=handler.batcher.ask, args=[entering(1)])
    first.start()
    tournaments.appending.wait()
    acts = [partial(handler.batcher.ask, given) for given in (entering(2), entering(3), CLOSING)]
    outcomes = race([*acts, tournaments.may_append.set])
    first.join()
    assert [type(each) for each in outcomes if each is not None] == [CommandRefusedError]
    assert sum(tournaments.appended) == 3
    assert handler.batcher.ask(entering(4)).version == 4


def test_commands_of_one_giver_are_kept_all_or_none(
    handler: CommandHandler, tournaments: Watched
) -> None:
    """What is refused takes those given with it along."""
    with pytest.raises(CommandRefusedError):
        handler.batcher.ask(CommandBatch([*entering(1, 2).commands, CloseRound()], DIRECTOR))
    assert sum(tournaments.appended) == 0
    assert handler.batcher.ask(entering(1, 2)).version == 2


def test_a_command_is_decided_on_what_others_have_kept_meanwhile(
    handler: CommandHandler, tournaments: Watched, service: TournamentService
) -> None:
    """It is decided once, and kept once, however much another process was faster with."""
    name = handler.cache.snapshot.header.tournament_id
    service.give_all(name, entering(1, 2).commands, DIRECTOR)
    assert handler.batcher.ask(entering(3)).version == 3
    with pytest.raises(CommandRefusedError):  # of the other's, which this one never read
        handler.batcher.ask(entering(2))
    assert tournaments.appended == [1, 0]


def test_a_command_is_carried_out_on_no_shorter_log(
    handler: CommandHandler, tournaments: Watched
) -> None:
    """A log that went back to a copy under a running hub gets no records with a gap."""
    name = handler.cache.snapshot.header.tournament_id
    with pytest.raises(ConflictError):
        tournaments.carry_on(name, 2, lambda newer: newer)
    assert len(tournaments.records(name)) == 1


def test_what_expects_a_version_is_not_carried_out_on_another(handler: CommandHandler) -> None:
    """The version that is there by now is told; what is expected and there is carried out."""
    assert handler.batcher.ask(replace(entering(1), expected=0)).version == 1
    with pytest.raises(ConflictError, match="at version 1, and you have seen 0"):
        handler.batcher.ask(replace(entering(2), expected=0))
    assert handler.batcher.ask(replace(entering(2), expected=1)).version == 2


def logged(caplog: pytest.LogCaptureFixture) -> list[str]:
    """What was logged of commands."""
    found = [
        each.getMessage() for each in caplog.records if each.name.endswith("tournament_service")
    ]
    caplog.clear()
    return found


def test_what_became_of_commands_is_logged(
    handler: CommandHandler, caplog: pytest.LogCaptureFixture
) -> None:
    """Who gave which, and the version that it led to or why it was refused; no entrant's name."""
    caplog.set_level(logging.INFO, "scoreboard")
    handler.batcher.ask(entering(1, 2))
    (done,) = logged(caplog)
    assert done.endswith(" for director Seo-yeon: Enter; Enter, version 2")
    assert done.startswith("carried out in cup-")
    with pytest.raises(CommandRefusedError):
        handler.batcher.ask(CommandBatch([CloseRound()], DIRECTOR))
    (refused,) = logged(caplog)
    assert " to director Seo-yeon: CloseRound (CommandRefusedError): " in refused
    with pytest.raises(ConflictError):
        handler.batcher.ask(replace(entering(3), expected=0))
    (stale,) = logged(caplog)
    assert "(ConflictError): The event is at version 2, and you have seen 0" in stale


def test_nothing_is_logged_before_it_is_kept(
    handler: CommandHandler, tournaments: Watched, caplog: pytest.LogCaptureFixture
) -> None:
    """A command is told once, when it is on disk."""
    caplog.set_level(logging.INFO, "scoreboard")
    tournaments.faults = 1  # it is tried with those that came with it, then alone
    handler.batcher.ask(entering(1))
    assert len(logged(caplog)) == 1
    tournaments.faults = 2
    with pytest.raises(ConflictError):
        handler.batcher.ask(entering(2))
    assert logged(caplog) == []


def test_a_command_is_told_by_its_numbers() -> None:
    """Which result it is about; a seed is noise, and a reason stands in the record."""
    assert command_words(Sign(1, 3, 2, 7)) == "Sign round 1 table 3 game 2 entrant 7"
    assert command_words(Dispute(1, 3, 2, 7, "a wrong die")) == (
        "Dispute round 1 table 3 game 2 entrant 7"
    )
    assert command_words(DrawRound(12345)) == "DrawRound"


REPORT = ReportResult(1, 1, 1, scores(FIRST))
SIGN = Sign(1, 1, 1, 2)
DISPUTE = Dispute(1, 1, 1, 2, "miscounted")
CORRECT = CorrectResult(1, 1, 1, scores("1 30, 2 -10, 3 -10, 4 -10"), **KIM)


@pytest.mark.parametrize(
    ("actor", "commands"),
    [
        (DIRECTOR, (REPORT, SIGN, CORRECT)),
        (REFEREE, (REPORT, SIGN, CORRECT)),
        (table_actor(1), (REPORT, SIGN, DISPUTE)),
        (player_actor(2), (REPORT, SIGN, DISPUTE)),
    ],
)
def test_each_role_has_its_commands(
    service: TournamentService, actor: Actor, commands: tuple[Command, ...]
) -> None:
    """Officials correct; a table and a player report, sign and dispute what is theirs."""
    tournament_id = begun_event(service)
    assert service.give_all(tournament_id, commands, actor).version == 10 + len(commands)


@pytest.mark.parametrize(
    ("actor", "command"),
    [
        (REFEREE, CloseRound()),
        (table_actor(1), CORRECT),
        (table_actor(2), REPORT),
        (player_actor(2), CORRECT),
        (player_actor(5), REPORT),
        (player_actor(3), SIGN),
        (player_actor(3), DISPUTE),
        (Actor("hub", "nightly"), REPORT),
    ],
)
def test_nobody_gives_the_commands_of_others(
    service: TournamentService, actor: Actor, command: Command
) -> None:
    """Neither of another role nor for another table or player; it is refused, not decided."""
    tournament_id = begun_event(service)
    with pytest.raises(NotAllowedError):
        service.give(tournament_id, command, actor)
    assert service.snapshot(tournament_id).version == 10


@pytest.mark.parametrize("actor", [REFEREE, table_actor(1), Actor("hub", "nightly")])
def test_the_director_alone_opens_an_event(service: TournamentService, actor: Actor) -> None:
    """Everyone else is told whose it is to do."""
    with pytest.raises(PermissionError, match="director"):
        service.open("Cup", EVENING, actor)
