"""`/healthz`, the faults of the machine, and the clock that measures at the table."""

from __future__ import annotations

import time
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from threading import Event
from typing import Any

import pytest
from flask import Blueprint

from hardware.machine import MEGABYTE, Machine
from scoreboard.errors import StoreError
from scoreboard.message import message
from scoreboard.table.inbox import HANGING_SECONDS, Inbox
from scoreboard.table.requests import TableStatus, TableStatusChanged
from tests.patience import PATIENCE_SECONDS
from tests.scoreboard.table.fakes import EVENING, FakeClock
from tests.scoreboard.table.test_inbox import Receiver, running
from tests.web.hub.house import Hall
from tests.web.table_fake import FakeTable, forgetful_access, view_of
from web.hub.app import hub_health
from web.shared.clocks import steady_clock
from web.shared.faults import FaultTellingApp, MachineWatch
from web.table.app import table_health


def answer_of(views: Blueprint) -> tuple[int, Any]:
    """What a watchdog is answered."""
    app = FaultTellingApp(__name__)
    app.register_blueprint(views)
    answer = app.test_client().get("/healthz")
    return answer.status_code, answer.get_json()


def test_a_table_whose_thread_hangs_is_not_well() -> None:
    """Flask still answers then; once the thread is back, all is well."""
    receiver, now = Receiver(), [0.0]
    inbox = Inbox(receiver, lambda: now[0])
    inbox.start()
    assert answer_of(table_health(inbox)) == (200, {"status": "ok"})
    receiver.open.clear()
    inbox.post(TableStatusChanged(TableStatus.MOVING))
    assert receiver.waiting.wait(PATIENCE_SECONDS)
    now[0] += HANGING_SECONDS + 1
    status, document = answer_of(table_health(inbox))
    assert (status, document["status"]) == (503, "hangs")
    assert document["reason"] == "the table’s thread has hung for more than 20 seconds, or ended"
    receiver.open.set()
    inbox.submit(TableStatusChanged(TableStatus.MOVING))
    assert answer_of(table_health(inbox)) == (200, {"status": "ok"})
    inbox.stop()


class Database:
    """The hub's store, as far as the question goes: it hangs, or fails."""

    def __init__(self, fault: Exception | None) -> None:
        self.people = self
        self.open = Event()
        self._fault = fault

    def accounts(self) -> tuple[()]:
        """Wait until the test lets go, or fail at once."""
        if self._fault is not None:
            raise self._fault
        self.open.wait()
        return ()


@pytest.mark.parametrize("fault", [None, StoreError(message("The disk of /home/dana is full."))])
def test_a_hub_whose_database_hangs_or_fails_is_not_well(fault: Exception | None) -> None:
    """The reason names no place and no person."""
    hall, database = Hall(), Database(fault)
    assert hall.app.test_client().get("/healthz").get_json() == {"status": "ok"}
    hub = replace(hall.hub, store=database)  # type: ignore[arg-type]  # see above
    status, document = answer_of(hub_health(hub, 0.05))
    database.open.set()
    assert status == 503
    assert document == {
        "status": "hangs",
        "reason": "the hub’s database did not answer within 0.05 seconds, or failed",
    }


def test_the_machines_faults_are_looked_for_and_logged_once(
    caplog: pytest.LogCaptureFixture,
) -> None:
    """At the start and then again and again, beside the table."""
    looks: list[int] = []

    def free(_folder: Path) -> int:
        looks.append(9 - len(looks))
        return looks[-1] * MEGABYTE

    watch = MachineWatch(Machine(Path("/"), lambda _question: "", free), 0.001)
    watch.start()
    while len(looks) < 3:
        time.sleep(0.001)
    watch.stop()
    assert [str(fault)[:9] for fault in watch.faults] == [f"Only {looks[-1]} MB"]
    assert [line[:9] for line in caplog.messages] == ["Only 9 MB"]


@pytest.mark.parametrize("path", ["/", "/devices"])
def test_only_an_owner_is_told_of_the_machine(path: str) -> None:
    """The others cannot mend it."""
    fault = message("Only {free} MB are free.", free=7)
    app = FakeTable(view_of()).app(machine_faults=lambda: (fault,))
    client = app.test_client()
    assert "Only 7 MB are free." in client.get(path).text
    elsewhere = client.get(path, environ_overrides={"REMOTE_ADDR": "192.0.2.9"})
    assert "Only 7 MB are free." not in elsewhere.text


def test_a_watchdog_on_the_network_needs_no_right_and_no_https() -> None:
    """Where nobody may even watch."""
    receiver = Receiver()
    with running(receiver) as inbox:
        app = FakeTable(view_of()).app(
            inbox=inbox, access=forgetful_access("closed"), certificate=object()
        )
        answer = app.test_client().get("/healthz", environ_overrides={"REMOTE_ADDR": "192.0.2.9"})
    assert (answer.status_code, answer.get_json()) == (200, {"status": "ok"})


def test_it_goes_on_while_the_time_of_day_jumps() -> None:
    """It begins with the time of day, and counts what passes from there."""
    wall, passed = FakeClock(), [100.0]
    steady = steady_clock(wall, lambda: passed[0])
    assert steady() == EVENING
    wall.advance(9000 * 24 * 3600)
    passed[0] += 1.5
    assert steady() == EVENING + timedelta(seconds=1.5)
