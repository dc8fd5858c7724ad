"""The gate before every page: host, origin, size, and the right that its address asks for.

An address that stands in no list is closed.
"""

from __future__ import annotations

from collections.abc import Iterable
from http import HTTPStatus
from typing import Final

from flask import Flask, Response, abort, g, redirect, request, url_for
from werkzeug.exceptions import BadRequest, Forbidden, Unauthorized
from werkzeug.wrappers import Response as AnyResponse

from scoreboard.message import message
from scoreboard.tournament.hub.tournament_service import NotAllowedError
from web.hub.hub import Hub
from web.hub.keys import same
from web.hub.rights import RIGHTS, Right
from web.hub.visitors import SESSION_LIFETIME, visitor
from web.security import (
    HEADERS,
    READING_METHODS,
    require_known_host,
    require_own_page,
    require_whole_body,
)

LARGEST_FORM_BYTES: Final = 64 * 1024
LARGEST_BYTES: Final = {
    "api.deliver": 4 * 1024 * 1024,
    "entries.upload": 2 * 1024 * 1024,
    "events.take_over": 64 * 1024 * 1024,
}
BEARER: Final = "Bearer "
OF_TABLES: Final = "api."  # they bring a token or a code, and no browser brings either by itself


def guard(app: Flask, hub: Hub) -> None:
    """Check every request of the application and harden every response."""
    app.config.update(
        MAX_CONTENT_LENGTH=LARGEST_FORM_BYTES,
        MAX_FORM_MEMORY_SIZE=max(LARGEST_BYTES.values()),
        SESSION_COOKIE_NAME=hub.keys.cookie,
        SESSION_COOKIE_HTTPONLY=True,
        SESSION_COOKIE_SAMESITE="Lax",
        SESSION_COOKIE_SECURE=hub.house.address.startswith("https://"),
        PERMANENT_SESSION_LIFETIME=SESSION_LIFETIME,
        SESSION_REFRESH_EACH_REQUEST=False,  # see `visitor`
    )

    @app.before_request
    def check() -> AnyResponse | None:
        require_known_host(request, hub.house.allowed_hosts)
        require_whole_body(request)
        endpoint = request.endpoint
        if endpoint is None:  # there is no such page, and that may be told
            return None
        request.max_content_length = LARGEST_BYTES.get(endpoint, LARGEST_FORM_BYTES)
        right = RIGHTS.get(endpoint)
        by_table = endpoint.startswith(OF_TABLES)
        if not by_table:
            require_own_page(request)
        require_text((request.path, *request.args.values()))
        door = _checked(hub, right)
        if door is None and not by_table:
            require_text(request.form.values())  # read only from who may send it
            g.let_in = True
        return door

    @app.after_request
    def harden(response: Response) -> Response:
        response.headers.extend(HEADERS)
        response.headers.setdefault("Cache-Control", "no-store")
        return response


def require_text(typed: Iterable[str]) -> None:
    """Refuse what no keyboard types and no database keeps.

    Raises:
        BadRequest: there is a zero byte in it.
    """
    if any("\0" in each for each in typed):
        raise BadRequest


def bearer() -> str:
    """The token that a table brought, "" for none."""
    given = request.headers.get("Authorization", "")
    return given.removeprefix(BEARER).strip() if given.startswith(BEARER) else ""


def _checked(hub: Hub, right: Right | None) -> AnyResponse | None:
    match right:
        case "anyone":
            return None
        case "viewer":
            return None if visitor(hub).looks else _asked_in("doors.look")
        case "referee":
            return None if visitor(hub).decides else _asked_in("doors.sign_in")
        case "director":
            return None if visitor(hub).directs else _asked_higher(hub)
        case "player":
            _require_player(hub)
        case "table":
            _require_token()
        case None:
            raise Forbidden
    return None


def _asked_higher(hub: Hub) -> AnyResponse:
    """Tell a referee that it is not for them; show the door to everybody else.

    Raises:
        NotAllowedError: it is a referee.
    """
    who = visitor(hub)
    if who.decides:
        raise NotAllowedError(
            message(
                "Only a director may do this, and {name} signed in as a referee. Results are yours "
                "to enter, settle and correct.",
                name=who.name,
            )
        )
    return _asked_in("doors.sign_in")


def _asked_in(endpoint: str) -> AnyResponse:
    """Show the door to who opens a page, and refuse who would change something."""
    if request.method not in READING_METHODS:
        raise Forbidden if request.endpoint is None else Unauthorized
    return redirect(url_for(endpoint, next=request.full_path.rstrip("?")), HTTPStatus.SEE_OTHER)


def _require_player(hub: Hub) -> None:
    asked = request.view_args or {}
    snapshot = hub.service.snapshot(asked["tournament_id"])
    entrant = snapshot.state.entrant(asked["number"])
    if entrant is None:
        abort(HTTPStatus.NOT_FOUND)
    holder = snapshot.state.holders_of(entrant.number)[-1]
    wanted = hub.keys.player(asked["tournament_id"], entrant.number, holder.entered_as)
    if not same(asked["key"], wanted):
        abort(HTTPStatus.NOT_FOUND)


def _require_token() -> None:
    """Whether a token came at all; whose it is, the reception knows."""
    if not bearer():
        raise Unauthorized
