"""Each thread in the background outlives whatever goes wrong in it, and the owner hears of it."""

from __future__ import annotations

import queue
import re
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, closing, contextmanager
from functools import partial
from itertools import count
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

import scoreboard
from hardware.buttons import Buttons
from hardware.keys import KeyDevice
from hardware.speaker import Speaker
from scoreboard.message import Message, message
from scoreboard.table.inbox import Inbox
from scoreboard.table.requests import Action, Answer, TableStatus, TableStatusChanged
from scoreboard.tournament.client.attendance import AttendanceBook, AttendanceFile
from scoreboard.tournament.client.connection import Backoff, HubConnection, Outbox
from scoreboard.tournament.client.tournament_client import TournamentClient
from scoreboard.tournament.storage.change_feed import ChangeFeed
from scoreboard.tournament.storage.hub_store import open_hub_store
from scoreboard.worker import Worker, worker_faults
from tests.hardware.fake_evdev import FakeEvdev, Keypad
from tests.hardware.test_speaker import view as telling
from tests.scoreboard.storage.memory_store import MemoryStore
from tests.scoreboard.table.fakes import FakeClock
from tests.scoreboard.tournament.client.fakes import TOKEN, UPDATE, FakeHub, QuietListener, wait_for
from tests.web.hub.house import Hall
from tests.web.table.camera.test_camera_watch import NotingPipeline, ScriptedCamera
from tests.web.table.history.test_archive import FINISHED, PLAYING, FakeStore
from tests.web.table.history.test_photo_keeper import FakePhotos, OnePicture, confirmed
from tests.web.table.play.test_win_chances import playing
from tests.web.table_fake import NOON
from web.table.camera.camera_watch import CameraWatch
from web.table.history.archive import Upkeep
from web.table.history.photo_keeper import PhotoKeeper
from web.table.play.win_chances import WinChances

FAULTS = (ValueError, OSError, MemoryError)
Prod = Callable[[], object]
Told = Callable[[], object]
Running = Iterator[tuple[Prod, Told]]


class Act:
    """What a thread does: it fails as long as there is an error, else gives a result."""

    def __init__(self) -> None:
        self.error: type[Exception] | None = None
        self.calls = 0
        self.result: Any = None

    def __call__(self, *_parts: object, **_named: object) -> Any:
        """Do it."""
        self.calls += 1
        if self.error is not None:
            raise self.error("odd")
        return self.result


def nothing() -> None:
    """Nothing makes it work: it does so by itself."""


@contextmanager
def a_worker(act: Act, _folder: Path) -> Running:
    """The one that the others are made of."""
    worker = Worker("part", act)
    worker.start()
    yield nothing, worker_faults
    worker.stop()


@contextmanager
def upkeep_of(act: Act, _folder: Path, part: str) -> Running:
    """One thing of what is done for the games' file."""
    store: Any = FakeStore()
    setattr(store, part, act)
    act.result = ()
    clock = FakeClock(NOON)
    upkeep = Upkeep(store, clock, 0.001, *([act] if part == "count" else ()))
    upkeep.start()

    def prod() -> None:
        clock.advance(24 * 3600)
        upkeep.announce(PLAYING)
        upkeep.announce(FINISHED)

    yield prod, lambda: upkeep.faults
    upkeep.stop()


@contextmanager
def photos(act: Act, _folder: Path) -> Running:
    """The photos behind scores."""
    kept: Any = FakePhotos()
    kept.add = act
    keeper = PhotoKeeper(kept, OnePicture(), 50)
    keeper.start()
    yield lambda: keeper.keep(confirmed()), lambda: keeper.faults
    keeper.stop()


@contextmanager
def chances(act: Act, _folder: Path) -> Running:
    """The chances to win, whose table is looked for in a folder."""
    act.result = ()
    shown = WinChances(np.random.default_rng(1), SimpleNamespace(glob=act))  # type: ignore[arg-type]  # all that is asked of it
    shown.start()
    views = [playing("yams", 1, "Anna", name) for name in ("Ben", "Cleo")]
    numbers = count()
    yield lambda: shown.announce(views[next(numbers) // 50 % 2]), worker_faults
    shown.stop()


@contextmanager
def camera(act: Act, _folder: Path) -> Running:
    """The pictures."""
    scripted: Any = ScriptedCamera(())
    scripted.capture = act
    with watched(scripted, NotingPipeline) as told:
        yield nothing, told


@contextmanager
def reader(act: Act, _folder: Path) -> Running:
    """What reads the pictures, while it is loaded; it is loaded once."""
    act.error, act.result = FAULTS[0], NotingPipeline()
    with watched(ScriptedCamera(()), act) as told:
        yield nothing, told


@contextmanager
def watched(given: ScriptedCamera, opened: Callable[[], NotingPipeline]) -> Iterator[Told]:
    """Whether the table says that it sees nothing."""
    posted: list[Any] = []
    watch = CameraWatch(given, opened, first_pause_seconds=0.001)
    watch.start(posted.append)
    yield lambda: posted and posted[-1].status is TableStatus.LOST
    watch.stop()


@contextmanager
def speaker(act: Act, _folder: Path) -> Running:
    """What is told aloud."""
    act.result = "Hello"
    loud = Speaker(act, "en", "true")
    loud.start()
    numbers = count(1)
    yield lambda: loud.announce(telling(next(numbers), message("Hello"))), worker_faults
    loud.stop()


class FakeContact:
    """A button whose state cannot be had."""

    when_activated = when_deactivated = close = staticmethod(nothing)

    def __init__(self, act: Act) -> None:
        self._act = act

    @property
    def is_active(self) -> bool:
        """Whether it is down, or a fault."""
        return bool(self._act())


@contextmanager
def buttons(act: Act, _folder: Path) -> Running:
    """The buttons on pins."""
    contact = FakeContact(act)
    wired = Buttons({Action.KEEP: lambda: contact}, lambda *_: None, clock=lambda: NOON)
    wired.start()
    yield contact.when_activated, worker_faults
    wired.close()


@contextmanager
def keys(act: Act, _folder: Path) -> Running:
    """The keys of a keypad."""
    act.result = FakeEvdev(Keypad("/dev/input/event0", "Big Buttons", ()))
    device = KeyDevice("none", {"KEY_R": Action.KEEP}, load=act, retry_seconds=0.001)
    device.start()
    yield nothing, worker_faults
    device.close()


@contextmanager
def changes(act: Act, folder: Path) -> Running:
    """What wakes those who watch a hub."""

    class Feed(ChangeFeed):
        def since(self, _after: int) -> Any:
            act()
            return ()

    with closing(open_hub_store(f"sqlite:///{folder}/hub.db")) as hub:
        feed = Feed(hub._database)
        with feed.subscribed(lambda _versions: True):
            yield feed._news.set, worker_faults
        feed.close()


@contextmanager
def event(act: Act, folder: Path) -> Running:
    """What follows the event that the table is at."""

    class Client(TournamentClient):
        def settle(self) -> None:
            act()

    book = AttendanceBook(AttendanceFile(folder / "event.json"))
    client = Client(book, MemoryStore(), lambda _address: FakeHub(), FakeClock(), lambda *_: "g")
    client.start(lambda _request: None)
    yield lambda: client.received(UPDATE), worker_faults
    client.stop()


@contextmanager
def link(act: Act, _folder: Path) -> Running:
    """The way to the hub."""
    act.result = UPDATE
    hub: Any = SimpleNamespace(greet=act, next_update=act, deliver=nothing)
    listener = QuietListener()
    outbox = Outbox(MemoryStore(), tuple)
    backoff = Backoff(first_seconds=0.001, longest_seconds=0.01)
    connection = HubConnection(hub, TOKEN, outbox, listener, backoff=backoff)
    connection.start()
    yield connection.wake, lambda: listener.connected and not listener.connected[-1]
    connection.stop()


@contextmanager
def inbox(act: Act, _folder: Path) -> Running:
    """The table itself."""
    told: queue.SimpleQueue[object] = queue.SimpleQueue()
    act.result = answer = Answer()

    def notify(notice: Message) -> Answer:
        told.put(notice)
        return answer

    session: Any = SimpleNamespace(receive=act, notify=notify)
    worked = Inbox(session)
    worked.start()

    def heard() -> bool:
        return not told.empty() and told.get() is not None

    yield lambda: worked.post(TableStatusChanged(TableStatus.STILL)), heard
    worked.stop()


UPKEEP = ("count", "back_up", "is_backed_up", "checkpoint", "empty_bin")
PARTS: dict[str, Callable[[Act, Path], AbstractContextManager[tuple[Prod, Told]]]] = {
    "worker": a_worker,
    **{f"upkeep: {part}": partial(upkeep_of, part=part) for part in UPKEEP},
    **{
        part.__name__: part
        for part in (photos, chances, camera, reader, speaker, buttons, keys, changes, event)
    },
    "link": link,
    "inbox": inbox,
}


@pytest.mark.parametrize("part", PARTS)
def test_a_thread_goes_on_after_every_fault_and_the_owner_is_told(
    part: str, tmp_path: Path
) -> None:
    """Until it works again."""
    act = Act()
    with PARTS[part](act, tmp_path) as (prod, told):

        def prodded(held: Callable[[], object]) -> None:
            wait_for(lambda: (prod(), bool(held()))[1])

        for error in (*FAULTS, None):
            act.error, act.calls = error, 0
            prodded(lambda: act.calls > (1 if act.error else 0))
            prodded(told if error else lambda: not told())


def test_a_director_reads_what_fails_at_the_hub() -> None:
    """On every page, and nobody else does."""
    act, hall = Act(), Hall()
    act.error = ValueError
    with closing(hall.store), a_worker(act, Path()):
        wait_for(lambda: bool(worker_faults()))
        assert "In the background “part” fails (odd)." in hall.browser("director").get("/").text
        assert "In the background" not in hall.browser("referee").get("/").text


def test_no_thread_is_begun_by_hand() -> None:
    """But a worker's, and those that do one thing and end."""
    root = Path(scoreboard.__file__).parents[1]
    begun = {
        file.relative_to(root).as_posix()
        for package in ("scoreboard", "vision", "hardware", "web")
        for file in (root / package).rglob("*.py")
        if re.search(r"\bThread\(", file.read_text("utf-8"))
    }
    do_one_thing = {"table_build.py", "live_parts.py", "coach.py", "training_jobs.py"}
    assert {Path(file).name for file in begun} == {"worker.py"} | do_one_thing
