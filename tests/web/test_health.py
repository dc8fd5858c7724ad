"""`/healthz`: what a watchdog learns of a table and of a hub, whether they work or hang."""

from __future__ import annotations

from dataclasses import replace
from threading import Event
from typing import Any

import pytest
from flask import Blueprint, Flask

from scoreboard.errors import StoreError
from scoreboard.message import message
from scoreboard.table.requests import TableStatus, TableStatusChanged
from tests.scoreboard.table.test_inbox import Receiver, running
from tests.web.hub.house import Hall
from tests.web.table_fake import FakeTable, view_of
from web.health import hub_health, table_health
from web.table.access import Access
from web.table.app import create_app


def answer_of(views: Blueprint) -> tuple[int, Any]:
    """What a watchdog is answered."""
    app = Flask(__name__)
    app.register_blueprint(views)
    answer = app.test_client().get("/healthz")
    return answer.status_code, answer.get_json()


def test_a_table_whose_thread_hangs_is_not_well() -> None:
    """Flask still answers then; once the thread is back, all is well."""
    receiver = Receiver()
    with running(receiver) as inbox:
        assert answer_of(table_health(inbox)) == (200, {"status": "ok"})
        receiver.open.clear()
        inbox.post(TableStatusChanged(TableStatus.MOVING))
        status, document = answer_of(table_health(inbox, 0.05))
        assert (status, document["status"]) == (503, "hangs")
        assert document["reason"] == "the table’s thread did not answer within 0.05 seconds"
        receiver.open.set()
        assert answer_of(table_health(inbox)) == (200, {"status": "ok"})


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


def test_a_watchdog_on_the_network_needs_no_right_and_no_https() -> None:
    """Where nobody may even watch."""
    receiver = Receiver()
    with running(receiver) as inbox:
        table = FakeTable(view_of()).table(
            inbox=inbox, access=Access.forgetful("closed"), certificate=object()
        )
        answer = (
            create_app(table)
            .test_client()
            .get("/healthz", environ_overrides={"REMOTE_ADDR": "192.0.2.9"})
        )
    assert (answer.status_code, answer.get_json()) == (200, {"status": "ok"})
