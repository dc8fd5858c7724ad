"""What tables say and hear: protocol v1 over HTTP; the token is theirs alone."""

from __future__ import annotations

from typing import Final

from flask import Blueprint, Response, abort, request

from scoreboard.tournament.protocol.documents import text_of, value_from_text
from scoreboard.tournament.protocol.hub_update import Greeting, JoinRequest
from scoreboard.tournament.protocol.items import Delivery
from web.hub.access_control import bearer
from web.hub.hub import Hub
from web.security import whole_number

LONGEST_WAIT_SECONDS: Final = 25.0  # below what proxies and routers bear


def api_views(hub: Hub) -> Blueprint:
    """`/api/v1`."""
    views = Blueprint("api", __name__, url_prefix="/api/v1")
    table_api = hub.table_api

    @views.post("/join")
    def join() -> Response:
        return _told(table_api.join(value_from_text(JoinRequest, request.get_data())))

    @views.post("/greet")
    def greet() -> Response:
        return _told(table_api.greet(bearer(), value_from_text(Greeting, request.get_data())))

    @views.post("/games/<game_id>/items")
    def deliver(game_id: str) -> Response:
        delivery = value_from_text(Delivery, request.get_data())
        if delivery.game_id != game_id:
            abort(400)
        return _told(table_api.deliver(bearer(), delivery))

    @views.get("/word")
    def word() -> Response:
        after, wait = _after(), _wait_seconds()
        return _told(table_api.hear_word(bearer(), after, wait))

    return views


def _told(value: object) -> Response:
    return Response(text_of(value), mimetype="application/json")


def _after() -> int:
    """The version that the table has heard; 400 for none."""
    given = whole_number(request.args.get("after", "0"))
    return abort(400) if given is None else given


def _wait_seconds() -> float:
    """How long the table would wait, as far as it may; 400 for no number."""
    try:
        asked = float(request.args.get("wait", "0"))
    except ValueError:
        abort(400)
    return min(max(asked, 0.0), LONGEST_WAIT_SECONDS) if asked == asked else 0.0  # noqa: PLR0124 -- NaN
