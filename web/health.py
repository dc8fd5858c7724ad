"""Whether all is well: `/healthz` for watchdogs, and the faults of the machine for its owner.

Flask alone answers long after what is behind it hangs: the table is asked by its own thread, the
hub by a read of its database. Whoever asks learns that, and nothing else.
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
from web.clocks import Repeater

if TYPE_CHECKING:
    from hardware.machine import Machine
    from scoreboard.table.inbox import Inbox
    from web.hub.hub import Hub

HANG_SECONDS: Final = 5.0  # ten times what a loaded Pi takes for any act
LOOK_SECONDS: Final = 60.0
LOG: Final = logging.getLogger(__name__)


def table_health(inbox: Inbox, hang_seconds: float = HANG_SECONDS) -> Blueprint:
    """`/healthz` of a table."""
    reason = f"the table’s thread did not answer within {hang_seconds:g} seconds"
    return _health(lambda: inbox.ping(hang_seconds), reason)


def hub_health(hub: Hub, hang_seconds: float = HANG_SECONDS) -> Blueprint:
    """`/healthz` of a hub."""
    asking = ThreadPoolExecutor(1, "healthz")  # however many ask, one waits for the database
    reason = f"the hub’s database did not answer within {hang_seconds:g} seconds, or failed"
    return _health(lambda: asking.submit(hub.store.people.accounts).result(hang_seconds), reason)


def _health(probe: Callable[[], object], reason: str) -> Blueprint:
    views = Blueprint("health", __name__)

    @views.get("/healthz")
    def show() -> Response:
        try:
            probe()
        except (TimeoutError, ScoreboardError) as error:
            LOG.warning("healthz: %s (%s)", reason, error)
            answer = jsonify(status="hangs", reason=reason)
            return make_response(answer, HTTPStatus.SERVICE_UNAVAILABLE)
        return jsonify(status="ok")

    return views


class MachineWatch(Repeater):
    """Looks now and then at what is wrong with the machine, beside the table.

    `faults` are those that were there at the last look; each is logged when it comes.
    """

    def __init__(self, machine: Machine, pause_seconds: float = LOOK_SECONDS) -> None:
        super().__init__("machine", self._look, pause_seconds, at_once=True)
        self._machine = machine
        self.faults: tuple[Message, ...] = ()

    def _look(self) -> None:
        found = self._machine.faults()
        known = {fault.template for fault in self.faults}
        for fault in found:
            if fault.template not in known:
                LOG.warning("%s", fault)
        self.faults = found
