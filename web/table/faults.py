"""Error pages in plain words."""

from __future__ import annotations

import logging
from typing import Final

from flask import Flask, Response, jsonify, make_response, render_template, request
from werkzeug.exceptions import HTTPException

from scoreboard.errors import ScoreboardError
from scoreboard.message import Message, message
from web.shared.faults import has_links, plain_answer
from web.shared.security import READING_METHODS
from web.shared.words import translate

UNPROCESSABLE: Final = 422
FAULTS: Final = {
    400: message("The table did not understand that. Go back and try it from the page."),
    403: message(
        "That came from another web site, or from no page at all; only this page may act."
    ),
    404: message("There is no such page at this table."),
    405: message("That address only takes what the page’s own buttons send."),
    413: message("That is too large: a photo may have 25 MB, a form much less."),
    415: message("The table did not understand that. Go back and try it from the page."),
    421: message(
        "The table does not answer to this address. Use the one that it showed at its start, "
        "or allow this name in the settings."
    ),
    500: message("Something went wrong inside the table. What was confirmed is kept."),
}


def explain_faults(app: Flask) -> None:
    """Answer every error of the application with a page, or a script with the same words."""

    @app.errorhandler(HTTPException)
    def refuse(error: HTTPException) -> Response:
        status = error.code or 500
        if status < 500:  # noqa: PLR2004 -- else it is a fault of ours, and logged with its trace
            level = logging.DEBUG if request.method in READING_METHODS else logging.INFO
            page = request.endpoint or "no page"
            app.logger.log(level, "refused with %s: %s %s", status, request.method, page)
        return fault_answer(status, FAULTS.get(status, FAULTS[500 if status >= 500 else 400]))  # noqa: PLR2004

    @app.errorhandler(ScoreboardError)
    def tell(error: ScoreboardError) -> Response:
        app.logger.warning("The page refused an act: %s", error)
        return fault_answer(UNPROCESSABLE, error.message)


def fault_answer(status: int, fault: Message) -> Response:
    """The fault in words with its status."""
    if "application/json" in request.accept_mimetypes.values():
        return make_response(jsonify(verdict="refused", notice=translate(fault)), status)
    if not has_links():
        return plain_answer(status, fault)
    # who asks is not looked up for it: the store may be the fault
    page = render_template("fault.html", status=status, fault=fault, may=lambda _role: False)
    return make_response(page, status)
