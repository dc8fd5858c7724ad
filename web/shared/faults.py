"""The application of a table or a hub: what its addresses declare, its faults, and its health.

Flask alone answers `/healthz` long after its back end hangs: a table's own thread is checked, a
hub's database is read. The answer reveals nothing else.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from http import HTTPStatus
from typing import TYPE_CHECKING, Any, Final

from flask import Blueprint, Flask, Response, jsonify, make_response, request
from flask.globals import request_ctx
from werkzeug.routing import Rule

from scoreboard.message import Message
from scoreboard.worker import Worker
from web.shared.words import translate

if TYPE_CHECKING:
    from hardware.machine import Machine

LOOK_SECONDS: Final = 60.0
LOG: Final = logging.getLogger(__name__)


class PageRule(Rule):
    """An address, with what is declared where it is added.

    `right` is who may ask for it, `on_table` who may while it is about the game on the table.
    `page` is the endpoint of the page that holds a form, `most_bytes` how large that may be, and
    `seen` what of a hub it must have seen newest: the event's record, "messages", "events" or
    "seasons"; "nothing" if it changes no event or names what it means, or twice is once.
    `tries` is how often it may be tried at a hub, by the name of its rates.
    `waiting`: for players without a place, too; `binned`: for events in the bin, too.
    `over_http`: without https, too, at a table that has it.
    """

    right: str | None = None
    on_table: str | None = None
    page: str | None = None
    seen: str = "record"
    tries: str = ""
    most_bytes: int | None = None
    waiting: bool = False
    binned: bool = False
    over_http: bool = False

    def __init__(self, string: str, **options: Any) -> None:
        declared = PageRule.__annotations__.keys() & options.keys()
        vars(self).update({name: options.pop(name) for name in declared})
        super().__init__(string, **options)


def asked_rule() -> PageRule | None:
    """The address of the current request; None where there is no such page."""
    rule = request.url_rule
    return rule if isinstance(rule, PageRule) else None


def open_static_files(app: Flask, right: str) -> None:
    """Give everybody of that right the styles and scripts, which Flask adds on its own."""
    for rule in app.url_map.iter_rules():
        if isinstance(rule, PageRule) and rule.endpoint.rpartition(".")[2] == "static":
            rule.right, rule.over_http = right, True


class FaultTellingApp(Flask):
    """An application that also explains a fault of explaining one, as of a form or the database."""

    url_rule_class: type[Rule] = PageRule

    def handle_user_exception(self, e: Exception) -> Any:
        """The answer to an exception, or to the one its handler raises instead."""
        try:
            return super().handle_user_exception(e)
        except Exception as another:
            if another is e:  # there is no handler
                raise
            return super().handle_user_exception(another)


def has_links() -> bool:
    """Whether a page can link to others: not for a request without a valid host."""
    return request_ctx.url_adapter is not None


def plain_answer(status: int, fault: Message) -> Response:
    """The fault as a line of text."""
    return Response(f"{translate(fault)}\n", status, mimetype="text/plain")


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
    """Checks the machine's faults from time to time, and logs each that comes."""

    def __init__(self, machine: Machine, rest_seconds: float = LOOK_SECONDS) -> None:
        super().__init__("machine", self._look, rest_seconds)
        self._machine = machine
        self.faults: tuple[Message, ...] = ()

    def _look(self) -> None:
        found = self._machine.faults()
        known = {fault.template for fault in self.faults}
        for fault in found:
            if fault.template not in known:
                LOG.warning("%s", fault)
        self.faults = found
