"""Devices at the tables: their state, join codes, disconnecting, and the protocol over HTTP."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from flask import Blueprint, Response, abort, request
from werkzeug.wrappers import Response as AnyResponse

from scoreboard.errors import NotationError
from scoreboard.message import Message, message
from scoreboard.storage.score_photos import MOST_PHOTO_BYTES
from scoreboard.tournament.hub.overview import TablePhase
from scoreboard.tournament.hub.tournament_service import TooMuchError
from scoreboard.tournament.model.tournament import Tournament
from scoreboard.tournament.protocol.documents import text_of, value_from_text
from scoreboard.tournament.protocol.hub_update import Challenge, Greeting, JoinRequest
from scoreboard.tournament.protocol.items import Delivery
from web.hub.access import bearer
from web.hub.forms import back, whole
from web.hub.hub import Hub, event_page
from web.shared.security import whole_number

LARGEST_DELIVERY_BYTES: Final = 4 * 1024 * 1024
MOST_CODES: Final = 400
PHASES: Final[Mapping[TablePhase, Message]] = {
    "drawn": message("seated"),
    "waiting": message("ready to begin"),
    "playing": message("under way"),
    "unsigned": message("not all signed"),
    "disputed": message("disputed"),
    "done": message("done"),
}
LONGEST_WAIT_SECONDS: Final = 25.0  # below the timeouts of proxies and routers


def table_views(hub: Hub) -> Blueprint:
    """`/e/<id>/tables`."""
    views = Blueprint("tables", __name__, url_prefix="/e/<tournament_id>/tables")

    @views.get("", right="director")
    def show(tournament_id: str) -> str:
        snapshot = hub.service.snapshot(tournament_id)
        tables, most = hub.table_api.tables(tournament_id), _most_tables(snapshot.state)
        return event_page("tables.html", snapshot, tables=tables, phases=PHASES, most=most)

    @views.post("/codes", right="director", page="tables.show", seen="nothing")
    def offer(tournament_id: str) -> str:
        snapshot = hub.service.snapshot(tournament_id)
        numbers = asked_tables(_most_tables(snapshot.state))
        codes = [(number, hub.admission.offer_code(tournament_id, number)) for number in numbers]
        return event_page("codes.html", snapshot, codes=codes)

    @views.post("/<int:number>/revoke", right="director", page="tables.show", seen="nothing")
    def revoke(tournament_id: str, number: int) -> AnyResponse:
        hub.service.snapshot(tournament_id)
        hub.admission.revoke(tournament_id, number)
        return back("tables.show", tournament_id=tournament_id)

    return views


def _most_tables(state: Tournament) -> int:
    """The tables of the largest round; before round 1 those that it takes, 4 without entries."""
    expected = -(-len(state.present) // state.format.table_size)
    return max((len(each.draw.tables) for each in state.rounds), default=expected or 4)


def asked_tables(most: int) -> range:
    """The tables in the form, without one all `most`. Raises NotationError for none or too many."""
    typed = request.form
    first = whole("first", typed.get("first", "1"))
    last = whole("last", typed.get("last", typed.get("first", str(most))))
    if not 1 <= first <= last < first + MOST_CODES:
        raise NotationError.worded(
            "Choose 1 to {most} tables, from the first to the last.", most=MOST_CODES
        )
    return range(first, last + 1)


def api_views(hub: Hub) -> Blueprint:
    """`/api/v1`."""
    views = Blueprint("api", __name__, url_prefix="/api/v1")
    table_api = hub.table_api

    @views.post("/join", right="anyone", seen="nothing", tries="join")
    def join() -> Response:
        return _answer(table_api.join(value_from_text(JoinRequest, request.get_data())))

    @views.post("/prove", right="anyone", seen="nothing")
    def prove() -> Response:
        challenge = value_from_text(Challenge, request.get_data())
        return _answer(hub.admission.prove(challenge, request.host))

    @views.post("/greet", right="table", seen="nothing")
    def greet() -> Response:
        return _answer(table_api.greet(bearer(), value_from_text(Greeting, request.get_data())))

    @views.post(
        "/games/<game_id>/items", right="table", most_bytes=LARGEST_DELIVERY_BYTES, seen="nothing"
    )
    def deliver(game_id: str) -> Response:
        delivery = value_from_text(Delivery, request.get_data())
        if delivery.game_id != game_id:
            abort(400)
        return _answer(table_api.deliver(bearer(), delivery))

    @views.post("/photo", right="table", seen="nothing")
    def photo() -> Response:
        return _answer(table_api.take_photo(bearer(), request.get_data(), _anew))

    @views.get("/word", right="table")
    def word() -> Response:
        after = whole_number(request.args.get("after", "0"))
        if after is None:
            abort(400)
        heard = _heard_messages()
        return _answer(table_api.next_update(bearer(), after, _wait_seconds(), heard))

    return views


def _anew(jpeg: bytes) -> bytes:
    """A table's photo, decoded and encoded again. Raises TooMuchError if that fails."""
    from vision.capture import photo  # noqa: PLC0415 -- OpenCV
    from vision.errors import PhotoError  # noqa: PLC0415 -- likewise

    try:
        image = photo.open_photo(jpeg, photo.MOST_FRAME_PIXELS)
        return photo.crop_photo(image, (), MOST_PHOTO_BYTES)[0]
    except PhotoError as error:
        raise TooMuchError(error.message) from error


def _answer(value: object) -> Response:
    return Response(text_of(value), mimetype="application/json")


def _heard_messages() -> tuple[int, ...] | None:
    """The messages that the table has, None from an older one; answers 400 to anything else."""
    named = request.args.get("messages")
    if named is None:
        return None
    numbers = tuple(whole_number(each) for each in named.split(",") if each)
    return tuple(abort(400) if each is None else each for each in numbers)


def _wait_seconds() -> float:
    """How long the table waits, within the limit; answers 400 if it is not a number."""
    try:
        asked = float(request.args.get("wait", "0"))
    except ValueError:
        abort(400)
    return min(max(asked, 0.0), LONGEST_WAIT_SECONDS) if asked == asked else 0.0  # noqa: PLR0124 -- NaN
