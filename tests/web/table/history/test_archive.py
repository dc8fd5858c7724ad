"""The games' file is backed up when a game ends, and folded up while nobody waits for it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import replace
from datetime import datetime, timedelta
from pathlib import Path
from queue import Empty, Queue
from typing import Any

import pytest

from scoreboard.errors import StoreError
from scoreboard.message import message
from scoreboard.storage import open_store
from scoreboard.table.ports import Clock
from tests.patience import PATIENCE_SECONDS
from tests.scoreboard.storage.records import header
from tests.scoreboard.table.fakes import FakeClock
from tests.scoreboard.tournament.client.fakes import wait_for
from tests.web.table_fake import NOON, view_of
from web.table.history.archive import Upkeep

PLAYING = replace(view_of(), game_id="g", sequence=3)
FINISHED = replace(PLAYING, stage="finished", sequence=4)
LONG = 3600.0


class FakeStore:
    """Tells what it was asked for."""

    def __init__(self) -> None:
        self.asked: Queue[str] = Queue()
        self.emptied: Queue[datetime] = Queue()
        self.full = False
        self.backed_up = True
        self.newest: datetime | None = None

    def checkpoint(self) -> None:
        self.asked.put("checkpoint")

    def back_up(self, today: datetime) -> Path | None:
        self.asked.put(f"backup {today:%Y}")
        if self.full:
            raise StoreError(message("The disk is full."))
        return None

    def is_backed_up(self) -> bool:
        return self.backed_up

    def backed_up_at(self) -> datetime | None:
        return self.newest

    def empty_bin(self, until: datetime) -> tuple[str, ...]:
        self.emptied.put(until)
        if self.full:
            raise StoreError(message("The disk is full."))
        return ()

    def next(self, seconds: float = 10) -> str:
        return self.asked.get(timeout=seconds)


@contextmanager
def keeping(
    store: Any, pause_seconds: float = LONG, clock: Clock = lambda: NOON
) -> Iterator[Upkeep]:
    """The thread, while it runs."""
    upkeep = Upkeep(store, clock, pause_seconds)
    upkeep.start()
    try:
        yield upkeep
    finally:
        upkeep.stop()


@pytest.mark.parametrize("end", ["finished", "abandoned"])
def test_a_game_that_ends_is_backed_up(end: Any) -> None:
    """Played to its end or put away: once, and the file is whole then."""
    store = FakeStore()
    with keeping(store) as upkeep:
        upkeep.announce(PLAYING)
        upkeep.announce(replace(FINISHED, stage=end))
        assert (store.next(), store.next()) == ("backup 2026", "checkpoint")
        upkeep.announce(replace(FINISHED, stage=end, version=9))
    with pytest.raises(Empty):
        store.next(0)


def test_a_table_that_cannot_record_is_backed_up() -> None:
    """What is open may be all that is left."""
    store = FakeStore()
    with keeping(store) as upkeep:
        upkeep.announce(PLAYING)
        upkeep.announce(replace(PLAYING, paused=message("It was deleted.")))
        assert store.next() == "backup 2026"


def test_what_was_recorded_is_folded_in_soon() -> None:
    """Once, and again only after more was recorded; a look at an old game makes no backup.

    It would push out the one of an evening that was played.
    """
    store = FakeStore()
    with keeping(store, 0.01) as upkeep:
        upkeep.announce(PLAYING)
        assert store.next() == "checkpoint"
        upkeep.announce(replace(PLAYING, sequence=4))
        assert store.next() == "checkpoint"
        upkeep.announce(replace(FINISHED, game_id="old", sequence=90))
        assert store.next() == "checkpoint"


@pytest.mark.parametrize(
    ("newest", "age"),
    [
        (None, "There is no backup yet."),
        (NOON - timedelta(hours=30), "less than two days old"),
        (NOON - timedelta(days=9, hours=3), "The newest backup is 9 days old."),
    ],
)
def test_a_backup_that_fails_is_reported(
    newest: datetime | None, age: str, caplog: pytest.LogCaptureFixture
) -> None:
    """To the owner with the age of the newest one, until the next that is good; and in the log."""
    store = FakeStore()
    store.newest = newest
    with keeping(store) as upkeep:
        upkeep.announce(PLAYING)
        store.full = True
        upkeep.announce(FINISHED)
        assert (store.next(), store.next()) == ("backup 2026", "checkpoint")
        (fault,) = map(str, upkeep.faults)
        assert "backup failed (The disk is full.)" in fault
        assert age in fault
        assert "The disk is full." in caplog.text
        store.full = False
        upkeep.announce(PLAYING)
        upkeep.announce(replace(FINISHED, sequence=6))
        assert (store.next(), store.next()) == ("backup 2026", "checkpoint")
        assert upkeep.faults == ()


def test_what_no_backup_has_is_backed_up_at_the_start_and_once_a_day() -> None:
    """A power cut broke it off, or the game went on for days."""
    store, clock = FakeStore(), FakeClock(NOON)
    store.backed_up = False
    with keeping(store, 0.01, clock):
        assert (store.next(), store.next()) == ("backup 2026", "checkpoint")
        clock.advance(24 * 3600)
        assert store.next() == "backup 2026"
    with pytest.raises(Empty):
        store.next(0)


def test_the_bin_is_looked_through_at_the_start_and_once_a_day() -> None:
    """Each time for what was put there seven days before, or earlier."""
    store, clock = FakeStore(), FakeClock(NOON)
    with keeping(store, 0.01, clock) as upkeep:
        assert store.emptied.get(timeout=PATIENCE_SECONDS) == NOON - timedelta(days=7)
        clock.advance(23 * 3600)
        for sequence in (1, 2):  # between two checkpoints the thread looked at the clock
            upkeep.announce(replace(PLAYING, sequence=sequence))
            assert store.next() == "checkpoint"
        assert store.emptied.empty()
        clock.advance(3600)
        assert store.emptied.get(timeout=PATIENCE_SECONDS) == NOON - timedelta(days=6)


def test_a_bin_that_cannot_be_emptied_is_reported_in_the_log(
    caplog: pytest.LogCaptureFixture,
) -> None:
    """The thread lives on, and tries again a day later."""
    store, clock = FakeStore(), FakeClock(NOON)
    store.full = True
    with keeping(store, 0.01, clock):
        store.emptied.get(timeout=PATIENCE_SECONDS)
        clock.advance(24 * 3600)
        store.emptied.get(timeout=PATIENCE_SECONDS)
    assert "The disk is full." in caplog.text


def test_a_game_is_gone_for_good_after_seven_days_in_the_bin(tmp_path: Path) -> None:
    """Not a second earlier."""
    with closing(open_store(f"sqlite:///{tmp_path}/games.db")) as store:
        for game_id, age in (("early", timedelta(days=7)), ("late", timedelta(days=6, hours=23))):
            store.open_game(header(game_id))
            store.put_in_bin(game_id, NOON - age)
        with keeping(store):
            wait_for(lambda: store.count(in_bin=True) == 1)
        assert [one.game_id for one in store.games(in_bin=True)] == ["late"]
