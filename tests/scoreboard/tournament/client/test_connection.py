"""One step of the way, and both threads of it, with a hub in this process."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Literal

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scoreboard.games import GAMES
from scoreboard.tournament.client.attendance import Attendance, AttendanceBook, AttendanceFile, Note
from scoreboard.tournament.client.connection import (
    MOST_AT_ONCE,
    Backoff,
    HubConnection,
    Outbox,
    missing_from,
)
from scoreboard.tournament.client.http_hub import HubAwayError
from scoreboard.tournament.protocol.hub_update import HubUpdate
from scoreboard.tournament.protocol.items import Delivery, Gap, Item, StoredItems
from tests.scoreboard.storage.memory_store import MemoryStore
from tests.scoreboard.tournament.client.fakes import (
    FAULTS,
    GAME,
    HEADER,
    PATIENCE_SECONDS,
    TICKET,
    TOKEN,
    UPDATE,
    BadWay,
    FakeHub,
    Fault,
    QuietListener,
    happened,
    wait_for,
)
from tests.scoreboard.tournament.storage.temporary import temporary_store

QUICK = Backoff(first_seconds=0.001, longest_seconds=0.01)


class Party:
    """A table's way to a hub with one game of so many events."""

    def __init__(self, events: int = 0, token: str = TOKEN) -> None:
        self.hub = FakeHub()
        self.way = BadWay(self.hub)
        self.store = MemoryStore()
        self.store.open_game(HEADER)
        self.outbox = Outbox(self.store, lambda: (GAME,))
        self.listener = QuietListener()
        self.link = HubConnection(
            self.way, token, self.outbox, self.listener, backoff=QUICK, wait_seconds=0.05
        )
        self.play(events)

    def play(self, events: int) -> None:
        start = len(self.store.events("g1")) + 1
        for sequence in range(start, start + events):
            self.store.append("g1", sequence - 1, [happened(sequence)])
        self.outbox.touch("g1")


def test_a_greeting_tells_what_there_is(caplog: pytest.LogCaptureFixture) -> None:
    """The last sequence of every game that the hub may miss something of; then it is delivered."""
    caplog.set_level(logging.INFO, "scoreboard")
    party = Party(events=4)
    party.link.exchange()
    assert [dict(greeting.games) for greeting in party.hub.greetings] == [{"g1": 5}]
    assert party.listener.connected == [True]
    assert [update.version for update in party.listener.updates] == [1]
    assert logged(caplog) == [
        "greeted the hub, event version 1; wanted: g1",
        "delivered items 1-5 of game g1: held 5",
    ]


def test_a_long_game_goes_in_portions() -> None:
    """More than a delivery holds is sent in several."""
    party = Party(events=2 * MOST_AT_ONCE + 10)
    assert party.outbox.waiting() == 2 * MOST_AT_ONCE + 11
    party.link.exchange()
    assert party.hub.deliveries.held("g1") == StoredItems(2 * MOST_AT_ONCE + 11)
    assert party.outbox.waiting() == 0


def test_what_the_hub_wants_is_sent_again() -> None:
    """An update that names what is missing is answered with it."""
    party = Party(events=3)
    party.link.exchange()
    party.hub.store = temporary_store()
    party.hub.publish(replace(UPDATE, version=2, wanted={"g1": StoredItems()}))
    party.link.listen()
    party.link.exchange()
    assert len(party.hub.items("g1")) == 4


def test_a_hub_in_another_life_is_told_everything_again() -> None:
    """It was put back from a copy between two requests, and none failed."""
    party = Party(events=3)
    party.link.exchange()
    party.hub.store = temporary_store()
    party.hub.publish(replace(UPDATE, life="another"))
    party.link.listen()
    party.link.exchange()
    assert len(party.hub.items("g1")) == 4
    party.link.listen()
    party.link.exchange()
    assert len(party.hub.greetings) == 2


def test_an_old_word_changes_nothing() -> None:
    """What the hub said before is not heard again."""
    party = Party()
    party.link.exchange()
    party.link.listen()
    assert len(party.listener.updates) == 1


def test_a_game_that_the_hub_does_not_take_holds_up_nothing(
    caplog: pytest.LogCaptureFixture,
) -> None:
    """It is told and logged, and not sent again; nothing is lost on the table."""
    caplog.set_level(logging.INFO, "scoreboard")
    party = Party(events=2)
    party.hub.barred.add("g1")
    party.link.exchange()
    party.link.exchange()
    assert "another table" in str(party.listener.faults[-1])
    assert party.outbox.waiting() == 0
    assert logged(caplog)[-1] == (
        "delivery of items 1-3 of game g1 refused: That game is another table's."
    )


def test_after_a_failure_the_hub_is_greeted_anew() -> None:
    """The hub may be another one by then, restored from a copy."""
    party = Party(events=1)
    party.link.exchange()
    party.way.faults = ["cut"]
    party.play(1)
    with pytest.raises(HubAwayError):
        party.link.exchange()
    party.link.exchange()
    assert len(party.hub.greetings) == 2


def test_gaps_are_filled_first() -> None:
    """Then comes what lies above; where the gaps are not ours, all above is sent."""
    items = GAME.items(HEADER, [happened(n) for n in range(1, 6)], {})
    sequences = [each.sequence for each in missing_from(StoredItems(1, (Gap(2, 3),)), items)]
    assert sequences == [2, 3]
    assert [each.sequence for each in missing_from(StoredItems(4), items)] == [5, 6]
    assert len(missing_from(StoredItems(0, (Gap(90, 91),)), items)) == 6


def test_both_threads_carry_on_through_a_bad_way() -> None:
    """What is played while the way is bad is there soon after; words are heard meanwhile."""
    party = Party(events=5)
    party.way.faults = ["lost", "cut", "none", "doubled", "delayed", "lost", "cut"]
    party.link.start()
    try:
        wait_for(lambda: len(party.hub.items("g1")) == 6)
        party.play(3)
        party.link.wake()
        wait_for(lambda: len(party.hub.items("g1")) == 9)
        party.hub.publish(replace(UPDATE, version=2, title="Later"))
        wait_for(lambda: party.listener.updates[-1].title == "Later")
    finally:
        party.link.stop(PATIENCE_SECONDS)
    assert False in party.listener.connected
    assert party.hub.deliveries.disputes() == ()


class Rounds(Outbox):
    """An outbox that counts how often somebody looks what is to be sent."""

    looked = 0

    def pending(self) -> Iterator[Delivery]:
        self.looked += 1
        return super().pending()


class Listened(FakeHub):
    """A hub that counts how often it was listened to."""

    listened = 0

    def next_update(
        self, token: str, after: int, wait_seconds: float, heard: tuple[int, ...] = ()
    ) -> HubUpdate:
        self.listened += 1
        return super().next_update(token, after, wait_seconds, heard)


def test_a_link_with_nothing_to_send_rests() -> None:
    """However often it listens meanwhile, it greets once and looks no oftener than it sends."""
    party, hub = Party(events=5), Listened()
    outbox = Rounds(party.store, lambda: (GAME,))
    link = HubConnection(hub, TOKEN, outbox, party.listener, backoff=QUICK, wait_seconds=0.01)
    outbox.touch("g1")
    link.start()
    try:
        wait_for(lambda: hub.listened >= 8)
    finally:
        link.stop(PATIENCE_SECONDS)
    assert len(hub.items("g1")) == 6
    assert len(hub.greetings) == 1
    assert outbox.looked <= 3


def test_a_revoked_table_says_so_and_goes_on_asking() -> None:
    """The fault stands with the players; should the director relent, the way is there again."""
    party = Party(events=1)
    party.hub.tokens.clear()
    party.link.start()
    try:
        wait_for(lambda: any(party.listener.faults))
        party.hub.tokens.add(TOKEN)
        wait_for(lambda: len(party.hub.items("g1")) == 2)
    finally:
        party.link.stop(PATIENCE_SECONDS)


def test_pauses_double_up_to_the_longest() -> None:
    """Half a second, one, two, and at most five."""
    pauses, backoff = [], Backoff()
    for _ in range(8):
        backoff = backoff.failed()
        pauses.append(backoff.pause_seconds(0.0))
    assert pauses == [0.5, 1.0, 2.0, 4.0, 5.0, 5.0, 5.0, 5.0]


@given(st.integers(0, 10_000), st.floats(0, 1))
def test_chance_shortens_a_pause_by_half_at_most(failures: int, chance: float) -> None:
    """However often it failed, a pause has bounds."""
    backoff = Backoff(failures=failures)
    whole = backoff.pause_seconds(0.0)
    assert whole / 2 <= backoff.pause_seconds(chance) <= whole <= 5.0


def logged(caplog: pytest.LogCaptureFixture) -> list[str]:
    """What the way to the hub logged, and that the token stands nowhere in it."""
    assert TOKEN not in caplog.text
    return [record.getMessage() for record in caplog.records]


def test_a_hub_that_stays_away_is_logged_once(caplog: pytest.LogCaptureFixture) -> None:
    """An evening without network does not fill the log; that it is back is told too."""
    caplog.set_level(logging.INFO, "scoreboard")
    party = Party(events=1)
    party.way.faults = ["lost"] * 6
    party.link.start()
    try:
        wait_for(lambda: len(party.hub.items("g1")) == 2)
    finally:
        party.link.stop(PATIENCE_SECONDS)
    lines = logged(caplog)
    away = [line for line in lines if line.startswith("no exchange with the hub (HubAwayError)")]
    assert len(away) == 1
    assert lines.index(away[0]) < lines.index("delivered items 1-2 of game g1: held 2")


def test_a_photo_is_sent_where_the_hub_wants_it() -> None:
    """After a receipt that asks for photos the newest goes, and the next one not at once."""
    party = Party(2)
    party.link.offer_photo(b"one")
    party.link.exchange()
    assert party.hub.photos == []  # the hub's receipt wants none, as an older hub's
    party.hub.photo_seconds = 3600
    party.play(1)
    party.link.offer_photo(b"two")
    party.link.exchange()
    party.link.offer_photo(b"three")
    party.link.exchange()
    assert party.hub.photos == [b"two"]


def test_a_refused_photo_holds_nothing_up() -> None:
    """Items go on being delivered, and no further photo is tried until the hub asks again."""
    party = Party(1)
    party.hub.photo_seconds = 1
    party.link.exchange()
    party.hub.photo_seconds = 0
    party.link.offer_photo(b"one")
    party.link.exchange()
    party.play(1)
    party.link.exchange()
    assert party.hub.photos == []
    assert len(party.hub.items("g1")) == 3


Act = Literal["play", "sign", "dispute", "send", "restart"]
acts = st.lists(st.sampled_from(["play", "sign", "dispute", "send", "restart"]), max_size=30)
FEWER = settings(max_examples=50)  # each writes through to the disk many times
faults = st.lists(st.sampled_from(FAULTS), max_size=20)


class PlayingTable:
    """A table whose store is a disk: all else is made anew from it when the table restarts."""

    def __init__(self, folder: Path, way: BadWay) -> None:
        self._file = AttendanceFile(folder / "event.json")
        self._way = way
        self.store = MemoryStore()
        self._file.write(Attendance(TICKET, (GAME,)))
        self.store.open_game(HEADER)
        self.restart()

    def restart(self) -> None:
        """Only what is on disk is known."""
        self.book = AttendanceBook(self._file)
        self.outbox = Outbox(self.store, lambda: self.book.games)
        self.link = HubConnection(self._way, TOKEN, self.outbox, QuietListener())

    def do(self, act: Act) -> None:
        events = len(self.store.events("g1"))
        match act:
            case "play":
                self.store.append("g1", events, [happened(events + 1)])
                self.outbox.touch("g1")
            case "sign":
                self.note(Note(events, 7))
            case "dispute":
                self.note(Note(events, 3, "miscounted"))
            case "send":
                self.send()
            case "restart":
                self.restart()

    def note(self, note: Note) -> None:
        self.book.change(lambda now: now.changed("g1", lambda game: game.noted(note)))
        self.outbox.touch("g1")

    def send(self) -> None:
        try:
            self.link.exchange()
        except HubAwayError:
            return

    @property
    def all_items(self) -> tuple[Item, ...]:
        game, records = self.book.games[0], self.store.events("g1")
        return game.items(HEADER, records, GAMES["yahtzee"].kinds)


@FEWER
@given(acts, faults)
def test_everything_arrives_once_and_in_order(acts: list[Act], faults: list[Fault]) -> None:
    """Lost, cut, doubled or delayed, with restarts between: the hub has what the table told."""
    hub = FakeHub()
    with TemporaryDirectory() as folder:
        table = PlayingTable(Path(folder), BadWay(hub, list(faults)))
        for act in acts:
            table.do(act)
        for _ in range(len(faults) + 1):
            table.send()
        assert hub.items("g1") == table.all_items
        assert hub.deliveries.disputes() == ()
        assert table.outbox.waiting() == 0


@FEWER
@given(st.integers(0, 30), st.integers(0, 31))
def test_a_hub_that_lost_its_end_gets_it_again(played: int, lost_after: int) -> None:
    """A hub restored from an older copy asks for what it misses, and gets it."""
    with TemporaryDirectory() as folder:
        way = BadWay(FakeHub())
        table = PlayingTable(Path(folder), way)
        for _ in range(played):
            table.do("play")
        table.send()
        older = FakeHub()
        kept = way.hub.items("g1")[:lost_after]
        if kept:
            older.deliveries.take("5", "g1", kept)
        way.hub, way.faults = older, ["lost"]
        table.do("play")
        table.send()
        table.send()
        assert older.items("g1") == table.all_items


@FEWER
@given(st.lists(st.sampled_from(["play", "sign"]), max_size=20))
def test_what_was_told_stays_as_it_was(acts: list[Act]) -> None:
    """Every look at a game begins with what every earlier look had."""
    with TemporaryDirectory() as folder:
        table = PlayingTable(Path(folder), BadWay(FakeHub()))
        looks = [table.all_items]
        for act in acts:
            table.do(act)
            looks.append(table.all_items)
        for earlier, later in pairwise(looks):
            assert later[: len(earlier)] == earlier
