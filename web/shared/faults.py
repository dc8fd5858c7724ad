"""The application of a table or a hub: what its addresses declare, and faults of its faults."""

from __future__ import annotations

from typing import Any

from flask import Flask, Response, request
from flask.globals import request_ctx
from werkzeug.routing import Rule

from scoreboard.message import Message
from web.shared.words import translate


class PageRule(Rule):
    """An address, with what is declared where it is added.

    `right` is who may ask for it, `on_table` who may while it is about the game on the table.
    `page` is the endpoint of the page that holds a form, `most_bytes` how large that may be.
    `waiting`: for players without a place, too; `binned`: for events in the bin, too.
    `over_http`: without https, too, at a table that has it.
    """

    def __init__(  # noqa: PLR0913 -- one for each thing that an address may declare
        self,
        string: str,
        *,
        right: str | None = None,
        on_table: str | None = None,
        page: str | None = None,
        most_bytes: int | None = None,
        waiting: bool = False,
        binned: bool = False,
        over_http: bool = False,
        **options: Any,
    ) -> None:
        super().__init__(string, **options)
        self.right = right
        self.on_table = on_table
        self.page = page
        self.most_bytes = most_bytes
        self.waiting = waiting
        self.binned = binned
        self.over_http = over_http


def asked_rule() -> PageRule | None:
    """The address of the current request; None where there is no such page."""
    rule = request.url_rule
    return rule if isinstance(rule, PageRule) else None


def open_static_files(app: Flask, right: str) -> None:
    """Give everybody of that right the styles and scripts, which Flask adds by itself."""
    for rule in app.url_map.iter_rules():
        if isinstance(rule, PageRule) and rule.endpoint.rpartition(".")[2] == "static":
            rule.right, rule.over_http = right, True


class FaultTellingApp(Flask):
    """An application that also explains faults raised while explaining a fault.

    An answer that needs the form or the database may find that these are the fault.
    """

    url_rule_class: type[Rule] = PageRule

    def handle_user_exception(self, e: Exception) -> Any:
        """The answer to an exception, or to the one its handler raises instead."""
        try:
            return super().handle_user_exception(e)
        except Exception as another:
            if another is e:  # nobody handles it
                raise
            return super().handle_user_exception(another)


def has_links() -> bool:
    """Whether a page can link to others: not for a request without a valid host."""
    return request_ctx.url_adapter is not None


def plain_answer(status: int, fault: Message) -> Response:
    """The fault as a line of text."""
    return Response(f"{translate(fault)}\n", status, mimetype="text/plain")
