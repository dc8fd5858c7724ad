"""Whatever goes wrong, in plain words: a page for people, a document for tables."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from typing import Final
from urllib.parse import urlsplit

from flask import Flask, Response, jsonify, make_response, render_template, request
from werkzeug.exceptions import HTTPException

from scoreboard.errors import ConflictError, ScoreboardError, StoreError
from scoreboard.message import Message, message
from scoreboard.tournament.hub.refusals import NotAllowedError, TooMuchError, UnknownTokenError
from scoreboard.tournament.model.format_text import FormatError
from scoreboard.tournament.protocol.audit_log import (
    JoinRefusedError,
    UnknownAccountError,
    UnknownTournamentError,
)
from scoreboard.tournament.protocol.documents import WireError, document_of
from scoreboard.tournament.protocol.hub_update import LocalizedText, Refused
from web.hub.sent_form import page_again
from web.table.faults import has_links, plain_answer
from web.words import translate

FAULTS: Final = {
    400: message("The hub did not understand that. Go back and try it from the page."),
    401: message("Sign in first: only the director and the referee may do this."),
    403: message("That came from another web site, or you may not do it. Sign in, or ask."),
    404: message("There is no such page at this hub. Check the address, or scan the code again."),
    405: message("That address only takes what the page’s own buttons send."),
    413: message("That is too large. A list of entries may have 2 MB, an exported event 64 MB."),
    415: message("The hub did not understand that. Go back and try it from the page."),
    421: message(
        "The hub does not answer to this address. Use the one that it showed at its start, or "
        "name this one with --address."
    ),
    429: message("Too many tries. Wait a minute, then try again."),
    500: message("Something went wrong inside the hub. What was confirmed is kept."),
    503: message("The hub cannot answer just now. Try again in a moment."),
}
SERVER_FAULT: Final = 500
KINDS: Final[Sequence[tuple[type[Exception], int, str]]] = (
    (UnknownTournamentError, 404, "unknown"),
    (UnknownAccountError, 404, "unknown"),
    (UnknownTokenError, 401, "unknown-token"),
    (NotAllowedError, 403, "not-allowed"),
    (JoinRefusedError, 403, "refused"),
    (TooMuchError, 413, "too-large"),
    (WireError, 400, "misread"),
    (ConflictError, 409, "conflict"),
    (StoreError, 503, "store"),
)
NAMES: Final = {401: "unknown-token", 403: "refused", 404: "unknown", 413: "too-large"}
TOLD: Final = ("tournament_id", "number", "round_number", "table", "game", "game_id")
NAMES_OF_MORE: Final = {421: "address", 429: "too-often", 503: "busy"}


def page_words() -> str:
    """What was asked for, for the log: `POST player.sign (winter-open-1f2e, 3)`.

    An address may hold a player's key, the set-up secret or a code for a table: only what is
    known to be none of these is told.
    """
    values = request.view_args or {}
    told = ", ".join(str(values[name]) for name in TOLD if name in values)
    return f"{request.method} {request.endpoint or 'no page'}{f' ({told})' if told else ''}"


def explain_faults(app: Flask) -> None:
    """Answer every error of the application with a page, or a document under `/api/`."""

    @app.errorhandler(HTTPException)
    def refuse(error: HTTPException) -> Response:
        status = error.code or SERVER_FAULT
        if status < SERVER_FAULT:
            level = logging.DEBUG if request.endpoint is None else logging.INFO
            app.logger.log(level, "refused with %s: %s", status, page_words())
        said = FAULTS.get(status, FAULTS[500 if status >= SERVER_FAULT else 400])
        kind = (NAMES | NAMES_OF_MORE).get(status, "fault")
        return fault_answer(status, kind, (said,))

    @app.errorhandler(ScoreboardError)
    def tell(error: ScoreboardError) -> Response:
        status, kind = kind_of(error)
        if status >= SERVER_FAULT:
            app.logger.warning("The hub could not answer: %s", error)
        else:
            # not its words: they may quote what was typed
            name, said = type(error).__name__, error.message.template
            app.logger.info("refused with %s: %s (%s): %s", status, page_words(), name, said)
        if not wants_document() and (page := page_again(app, error, status)) is not None:
            return page
        faults = error.faults if isinstance(error, FormatError) else (error.message,)
        return fault_answer(status, kind, faults)


def kind_of(error: ScoreboardError) -> tuple[int, str]:
    """The status and the name of a fault that the scoreboard tells."""
    for kind, status, name in KINDS:
        if isinstance(error, kind):
            return status, name
    return 422, "refused"


def wants_document() -> bool:
    """Whether a program asks, and not somebody who looks at pages."""
    return "application/json" in request.accept_mimetypes.values()


def fault_answer(status: int, kind: str, faults: Sequence[Message]) -> Response:
    """The faults in words, with their status."""
    if request.path.startswith("/api/"):
        # only the table knows its readers' language: it is told in English, and in parts
        told = Refused(kind, str(faults[0]), LocalizedText.of(faults[0]))
        return make_response(jsonify(document_of(told)), status)
    if wants_document():
        return make_response(jsonify(error=kind, message=translate(faults[0])), status)
    if not has_links():
        return plain_answer(status, faults[0])
    page = render_template("fault.html", status=status, faults=faults, back=_page_before())
    return make_response(page, status)


def _page_before() -> str:
    """Where the visitor came from, as far as it is a page of this hub."""
    before = urlsplit(request.referrer or "")
    if before.netloc == request.host and before.path != request.path:
        return before.path
    return "/"
