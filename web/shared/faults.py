"""Faults while a fault is explained, and answers that no page can be drawn for."""

from __future__ import annotations

from typing import Any

from flask import Flask, Response
from flask.globals import request_ctx

from scoreboard.message import Message
from web.shared.words import translate


class FaultTellingApp(Flask):
    """An application that explains also what goes wrong while it explains a fault.

    An answer that needs the form or the database may find that these are the fault.
    """

    def handle_user_exception(self, e: Exception) -> Any:
        """The answer to an exception, or to what its handler raises instead."""
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
