"""Health checks: `/healthz` for watchdogs, and the faults of the machine for its owner.

Flask alone answers long after its back end hangs: a table's own thread is checked, a hub's database
is read. The answer reveals nothing else.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from http import HTTPStatus
from typing import TYPE_CHECKING, Final

from flask import Blueprint, Response, jsonify, make_response

from scoreboard.message import Message
from scoreboard.worker import Worker

if TYPE_CHECKING:
    from hardware.machine import Machine

LOOK_SECONDS: Final = 60.0
LOG: Final = logging.getLogger(__name__)


def health_views(lives: Callable[[], bool], reason: str, right: str) -> Blueprint:
    """`/healthz`, which names the `reason` while nothing `lives`."""
    views = Blueprint("health", __name__)

    @views.get("/healthz", right=right, over_http=True)
    def show() -> Response:
        if lives():
            return jsonify(status="ok")
        LOG.warning("healthz: %s", reason)
        answer = jsonify(status="hangs", reason=reason)
        return make_response(answer, HTTPStatus.SERVICE_UNAVAILABLE)

    return views


class MachineWatch(Worker):
    """Checks the machine's faults from time to time.

    `faults` are those of the last check; each is logged when it comes.
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
