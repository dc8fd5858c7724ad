"""A table's part in a tournament: its file next to the database, the hub over HTTP, its pages."""

from __future__ import annotations

import secrets
import socket
from collections.abc import Callable
from typing import TYPE_CHECKING, Final

from flask import Blueprint, Response, abort, request
from werkzeug.datastructures import FileStorage

from scoreboard.errors import NotationError, ScoreboardError
from scoreboard.message import Message, message
from scoreboard.table.requests import (
    ResultDisputed,
    ResultEntered,
    ResultSigned,
    TournamentGameBegun,
)
from scoreboard.table.tournament_view import SeatScore, TournamentResult
from scoreboard.tournament.client.attendance import AttendanceBook, AttendanceFile
from scoreboard.tournament.client.http_hub import HttpHub
from scoreboard.tournament.client.tournament_client import TournamentClient
from scoreboard.tournament.model.scores import HIGHEST_SCORE
from scoreboard.typed_numbers import typed_number
from web.shared.addresses import announced_hubs
from web.shared.clocks import utc_now
from web.shared.security import LARGEST_PHOTO_BYTES, whole_number
from web.table.parts import Parts, shown, to
from web.table.play.demo import ending_the_demo
from web.table.play.table_page import Showing

if TYPE_CHECKING:
    from scoreboard.table.ports import EventStore

NO_LINK_SEEN: Final = message(
    "No table’s QR code can be read in this picture: go closer, with the whole code in it."
)


def open_tournament_client(database: str, store: EventStore) -> TournamentClient | None:
    """The client, if a file can remember its tournament. Raises StoreError for a damaged one."""
    file = _attendance_file(database)
    if file is None:
        return None
    return TournamentClient(
        AttendanceBook(file),
        store,
        HttpHub,
        utc_now,
        tournament_game_id,
        table=socket.gethostname(),
        find=announced_hubs,
    )


def tournament_games(database: str) -> frozenset[str]:
    """The ids of this database's games at its tournament. Raises StoreError for a damaged file."""
    file = _attendance_file(database)
    attendance = None if file is None else file.read()
    return frozenset(() if attendance is None else (game.game_id for game in attendance.games))


def _attendance_file(database: str) -> AttendanceFile | None:
    from scoreboard.storage import database_path  # noqa: PLC0415 -- it loads the database's library

    path = database_path(database)
    return None if path is None else AttendanceFile(path.with_suffix(".event.json"))


def tournament_game_id(round_number: int, table: int, number: int) -> str:
    """A name for a game of an event, of which every hub knows many."""
    return f"r{round_number}-t{table}-g{number}-{secrets.token_hex(5)}"


def tournament_views(showing: Showing, client: TournamentClient) -> Blueprint:
    """`/event` and its acts."""
    views = Blueprint("event", __name__, url_prefix="/event")
    _add_joining(views, showing, client)
    _add_acts(views, showing)
    _add_entering(views, showing)

    @views.get("/", right="watcher")
    def show() -> Response:
        return tournament_page(showing)

    @views.post("/message/away", right="player")
    def put_away() -> Response:
        number = whole_number(request.form.get("number", ""))
        if number is None:
            abort(400)
        client.put_away(number)
        return to("table.show")

    return views


def _add_joining(views: Blueprint, showing: Showing, client: TournamentClient) -> None:
    parts = showing.parts

    def carried_out(act: Callable[[], None]) -> Response:
        try:
            act()
        except ScoreboardError as error:
            return tournament_page(showing, error.message)
        return to("table.show")

    def join(address: str, code: str = "") -> None:
        client.join(address, code)
        for ending in ending_the_demo(parts.session.view) if parts.facts.demo else ():
            parts.submit(ending)

    @views.post("/join", right="owner")
    def join_by_address() -> Response:
        typed = request.form
        return carried_out(lambda: join(typed.get("address", ""), typed.get("code", "")))

    @views.post("/scan", right="owner")
    def join_by_code() -> Response:
        request.max_content_length = LARGEST_PHOTO_BYTES
        return carried_out(lambda: join(scanned_link(parts, request.files.get("photo"))))

    @views.get("/leave", right="owner")
    def ask_leave() -> Response:
        tournament = parts.session.view.event
        if tournament is None:
            return to("event.show")
        return shown("event_leave.html", event=tournament, unsent=client.unsent())

    @views.post("/leave", right="owner")
    def leave() -> Response:
        return carried_out(client.leave)


def scanned_link(parts: Parts, photo: FileStorage | None) -> str:
    """The link in the QR code on a photo, without one on what the table's own camera sees.

    Raises PhotoError, NotationError if there is no link of a hub on it.
    """
    from vision.capture.photo import open_to_read, qr_code_text  # noqa: PLC0415 -- OpenCV

    newest = parts.pictures.whole()
    if photo is not None:
        image = open_to_read(photo.read())[0]
    elif newest is not None:
        image = newest[0].image
    else:
        raise NotationError(NO_LINK_SEEN)
    text = qr_code_text(image)
    if "/join/" not in text:
        raise NotationError(NO_LINK_SEEN)
    return text


def _add_acts(views: Blueprint, showing: Showing) -> None:
    @views.post("/begin", right="player")
    def begin() -> Response:
        showing.parts.expected()
        return showing.submit(TournamentGameBegun(request.form.get("game", "")))

    @views.post("/sign", right="player")
    def sign() -> Response:
        game_id, _, entrants = request.form.get("who", "").partition("=")
        showing.parts.expected()
        return showing.submit(ResultSigned(game_id, numbers(entrants)))

    @views.get("/dispute", right="player")
    def ask_dispute() -> Response:
        view, run = showing.parts.session.view, showing.parts.live.run
        result = None if view.event is None else view.event.result(request.args.get("game"))
        if result is None:
            abort(404)
        return shown("event_dispute.html", result=result, view=view, run=run)

    @views.post("/dispute", right="player")
    def dispute() -> Response:
        game_id, _, entrant = request.form.get("who", "").partition("=")
        showing.parts.expected()
        why = request.form.get("why", "")
        return showing.submit(ResultDisputed(game_id, numbers(entrant)[0], why))


def _add_entering(views: Blueprint, showing: Showing) -> None:
    def enterable(game_id: str) -> TournamentResult | None:
        tournament = showing.parts.session.view.event
        return None if tournament is None else tournament.enterable(game_id)

    @views.get("/result", right="player")
    def ask_result() -> Response:
        result = enterable(request.args.get("game", ""))
        if result is None:  # somebody signed on another device, or the game was begun
            return to("table.show")
        return _result_page(result)

    @views.post("/result", right="player")
    def enter() -> Response:
        game_id = request.form.get("game", "")
        result = enterable(game_id)
        if result is None:
            return showing.submit(ResultEntered(game_id, ()))  # whose answer is why
        scores: list[SeatScore] = []
        for at, seat in enumerate(result.signatures):
            try:
                scores.append(_typed_score(at, seat.player))
            except NotationError as error:
                return _result_page(result, error.message, f"score-{at}")
        answer = showing.parts.submit(ResultEntered(game_id, tuple(scores)))
        if answer.verdict == "refused":
            return _result_page(result, answer.notice)
        return showing.answer(answer)


def _typed_score(at: int, player: str) -> SeatScore:
    match request.form.get(f"fate-{at}"):
        case "forfeit" | "no-show" as fate:
            return SeatScore(fate=fate)
    typed = request.form.get(f"score-{at}", "").strip()
    points = typed_number(typed)
    if not typed:
        raise NotationError(
            message("Enter the score of {name}, or choose why there is none.", name=player)
        )
    if points is None or abs(points) > HIGHEST_SCORE:
        raise NotationError(
            message("Enter a whole number like 52 or -12: “{typed}” is not a score.", typed=typed)
        )
    return SeatScore(points)


def _result_page(
    result: TournamentResult, fault: Message | None = None, wrong: str = ""
) -> Response:
    """The form for a result alone: as it was entered, or as typed with the fault of a field."""
    template = "event_result.html"
    return shown(template, result=result, fault=fault, wrong=wrong, highest=HIGHEST_SCORE)


def tournament_page(showing: Showing, fault: Message | None = None) -> Response:
    """The tournament's page, or the form that joins one, with its typed values."""
    parts, view = showing.parts, showing.parts.session.view
    return shown(
        "event.html",
        event=view.event,
        view=view,
        run=parts.live.run,
        fault=fault,
        sees=not (parts.facts.demo or showing.extras.camera.uploads)
        and bool(parts.pictures.whole()),
        address=request.values.get("address", ""),
        code=request.values.get("code", ""),
    )


def numbers(text: str) -> tuple[int, ...]:
    """Entry numbers with commas between them; 400 where they are none."""
    parts = (whole_number(part) for part in text.split(","))
    return tuple(abort(400) if part is None else part for part in parts)
