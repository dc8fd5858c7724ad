"""`/healthz`, by which a watchdog knows whether a table or a hub still works.

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

if TYPE_CHECKING:
    from scoreboard.table.inbox import Inbox
    from web.hub.hub import Hub

HANG_SECONDS: Final = 5.0  # ten times what a loaded Pi takes for any act
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
