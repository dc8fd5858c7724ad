"""Whether all is well: `/healthz` for watchdogs, and the faults of the machine for its owner.

Flask alone answers long after what is behind it hangs: a table's own thread is looked at, a hub's
database is read. Whoever asks learns that, and nothing else.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from http import HTTPStatus
from typing import TYPE_CHECKING, Final

from flask import Blueprint, Response, jsonify, make_response

from scoreboard.errors import ScoreboardError
from scoreboard.message import Message
from scoreboard.table.inbox import HANGING_SECONDS
from scoreboard.worker import Worker

if TYPE_CHECKING:
    from hardware.machine import Machine
    from scoreboard.table.inbox import Inbox
    from web.hub.hub import Hub

HANG_SECONDS: Final = 5.0  # ten times what a loaded Pi takes for any act
LOOK_SECONDS: Final = 60.0
LOG: Final = logging.getLogger(__name__)


def table_health(inbox: Inbox) -> Blueprint:
    """`/healthz` of a table: what its own watchdog goes by, too."""
    reason = f"the table’s thread has hung for more than {HANGING_SECONDS:g} seconds, or ended"
    return _health(lambda: inbox.alive, reason)


def hub_health(hub: Hub, hang_seconds: float = HANG_SECONDS) -> Blueprint:
    """`/healthz` of a hub."""
    asking = ThreadPoolExecutor(1, "healthz")  # however many ask, one waits for the database
    reason = f"the hub’s database did not answer within {hang_seconds:g} seconds, or failed"

    def answers() -> bool:
        try:
            asking.submit(hub.store.people.accounts).result(hang_seconds)
        except (TimeoutError, ScoreboardError) as error:
            LOG.warning("the hub’s database: %s", error or "no answer")
            return False
        return True

    return _health(answers, reason)


def _health(lives: Callable[[], bool], reason: str) -> Blueprint:
    views = Blueprint("health", __name__)

    @views.get("/healthz")
    def show() -> Response:
        if lives():
            return jsonify(status="ok")
        LOG.warning("healthz: %s", reason)
        answer = jsonify(status="hangs", reason=reason)
        return make_response(answer, HTTPStatus.SERVICE_UNAVAILABLE)

    return views


class MachineWatch(Worker):
    """Looks now and then at what is wrong with the machine, beside the table.

    `faults` are those that were there at the last look; each is logged when it comes.
    """

    def __init__(self, machine: Machine, pause_seconds: float = LOOK_SECONDS) -> None:
        super().__init__("machine", self._look, pause_seconds)
        self._machine = machine
        self.faults: tuple[Message, ...] = ()

    def _look(self) -> None:
        found = self._machine.faults()
        known = {fault.template for fault in self.faults}
        for fault in found:
            if fault.template not in known:
                LOG.warning("%s", fault)
        self.faults = found
