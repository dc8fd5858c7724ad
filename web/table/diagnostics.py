"""A running table's answers to `tablescore diagnose`, and the note by which it is found.

The note is next to the database and only its owner can read it; its key opens data closed to all
other visitors of the page.
"""

from __future__ import annotations

import json
import logging
import secrets
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from http import HTTPStatus
from http.client import HTTPException
from importlib.metadata import version
from pathlib import Path
from typing import Any, Final
from urllib.request import ProxyHandler, Request, build_opener

from flask import Blueprint, Response, abort, jsonify, request

from scoreboard.text_files import write_whole
from web.table.parts import Parts, newest_jpeg

OWNER_ONLY: Final = 0o600
BEARER: Final = "Bearer "
ANSWER_SECONDS: Final = 5.0
LOG: Final = logging.getLogger(__name__)


class NotRunningError(LookupError):
    """No running table was found, or it did not answer; the text is one sentence."""


@dataclass(frozen=True, slots=True)
class Diagnostics:
    """The owner's questions to a running table; thread-safe.

    `settings` are the ones in use, without secrets; `recent` gives the newest lines of the log. The
    `key` is a secret.
    """

    settings: dict[str, Any]
    parts: Parts
    recent: Callable[[], Sequence[str]]
    key: str = field(default_factory=lambda: secrets.token_urlsafe(32), repr=False)

    def opens(self, authorization: str) -> bool:
        """Whether a request with this header is its owner's."""
        wanted = f"{BEARER}{self.key}"
        return secrets.compare_digest(authorization.encode(), wanted.encode())

    def document(self) -> dict[str, Any]:
        view, facts, newest = self.parts.session.view, self.parts.facts, self.parts.pictures.whole()
        return {
            "version": version("tablescore"),
            "settings": self.settings,
            "camera": {
                "source": str(facts.camera),
                "simulated": facts.camera_simulated,
                "sees": view.status.value,
                "says": _text(view.camera_notice),
                "size": None if newest is None else newest[0].image.shape[1::-1],
                "view": None if view.health is None else view.health.light.value,
                "reasons": [] if view.health is None else list(map(str, view.health.reasons)),
            },
            "pins": {"described": facts.pins, "simulated": facts.buttons_simulated},
            "game": {
                "id": view.game_id,
                "rulebook": view.game,
                "events": view.sequence,
                "stage": view.stage,
                "notice": _text(view.notice),
                "paused": _text(view.paused),
            },
            "log": list(self.recent()),
        }


@dataclass(frozen=True, slots=True)
class RunningReport:
    """A running table's answer: its state, and its newest frame as JPEG if it has one."""

    document: dict[str, Any]
    picture: bytes | None


class RunningNote:
    """The note next to a database: where its table runs, and the key by which it answers."""

    def __init__(self, database: Path) -> None:
        self.path = database.with_suffix(".running.json")

    def write(self, address: str, key: str) -> None:
        """Write the note. One that cannot be written is logged: play goes on."""
        try:
            write_whole(self.path, json.dumps({"address": address, "key": key}).encode())
        except OSError as error:
            fault = "%s cannot be written (%s): diagnose won't find this table"
            LOG.warning(fault, self.path, error.strerror)

    def remove(self) -> None:
        try:
            self.path.unlink(missing_ok=True)
        except OSError as error:
            LOG.warning("%s cannot be removed: %s", self.path, error.strerror)

    def ask(self) -> RunningReport:
        """Ask the table that left the note. Raises NotRunningError without a note or an answer."""
        try:
            noted = json.loads(self.path.read_text(encoding="utf-8"))
            address, key = str(noted["address"]), str(noted["key"])
        except FileNotFoundError as error:
            raise NotRunningError("No table runs with this database.") from error
        except (OSError, ValueError, KeyError, TypeError) as error:
            raise NotRunningError(f"{self.path} cannot be read ({error}).") from error
        try:
            document = _got(f"{address}diagnostics", key)
            picture = _got(f"{address}diagnostics/frame.jpg", key)
            return RunningReport(json.loads(document or b"{}"), picture)
        except (OSError, HTTPException, ValueError) as error:
            raise NotRunningError(
                f"The table noted in {self.path} does not answer ({error})."
            ) from error


def _got(address: str, key: str) -> bytes | None:
    """The table's answer, or None; asked directly, whatever proxy is set."""
    asked = Request(address, headers={"Authorization": f"{BEARER}{key}"})  # noqa: S310 -- our own note's
    with build_opener(ProxyHandler({})).open(asked, timeout=ANSWER_SECONDS) as answer:
        body: bytes = answer.read()
        return None if answer.status == HTTPStatus.NO_CONTENT else body


def _text(sentence: object) -> str | None:
    return None if sentence is None else str(sentence)


def diagnostic_views(diagnostics: Diagnostics) -> Blueprint:
    """`/diagnostics`."""
    views = Blueprint("diagnostics", __name__, url_prefix="/diagnostics")

    @views.before_request
    def require_owner() -> None:
        if not diagnostics.opens(request.headers.get("Authorization", "")):
            abort(HTTPStatus.NOT_FOUND)

    @views.get("", right="stranger")
    def show() -> Response:
        return jsonify(diagnostics.document())

    @views.get("/frame.jpg", right="stranger")
    def frame() -> Response:
        newest = diagnostics.parts.pictures.newest()
        return newest_jpeg(newest.jpeg if newest else None)

    return views
