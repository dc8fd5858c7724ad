"""The pages of stored games: list, resume, export, delete, take back; and how a game ends early."""

from __future__ import annotations

from http import HTTPStatus
from typing import Final, cast, get_args

from flask import (
    Blueprint,
    Response,
    abort,
    redirect,
    render_template,
    request,
    url_for,
)
from werkzeug.wrappers import Response as AnyResponse

from scoreboard.games.engine.game import OfferKind
from scoreboard.message import Message, message
from scoreboard.table.requests import (
    Answer,
    Chosen,
    GameAbandoned,
    GameDeleted,
    GameResumed,
    GameTakenBack,
)
from web.table.history.archive import BIN_STAY, ExportFormat, GameSummary
from web.table.play.table_page import STATUSES, Showing, StaleError, Table, step_of

STATES: Final = {
    "on the table": message("on the table"),
    "unfinished": message("unfinished"),
    "abandoned": message("closed"),
    "finished": message("finished"),
    "damaged": message("cannot be read"),
}
EXPORTS: Final = {
    "txt": "text/plain",
    "json": "application/json",
    "csv": "text/csv",
    "steps.csv": "text/csv",
    "raw": "text/plain",
}
FORMATS: Final = cast("tuple[ExportFormat, ...]", get_args(ExportFormat))


def game_views(showing: Showing) -> Blueprint:
    """`/games`, `/abandon` and `/leave`."""
    views, table = Blueprint("games", __name__, url_prefix=""), showing.table
    views.register_error_handler(StaleError, showing.stale)

    @views.get("/games")
    def show() -> str:
        return _listed(table, request.args.get("page", 1, type=int))

    @views.post("/games/<game_id>/resume")
    def resume(game_id: str) -> AnyResponse:
        answer = table.submit(GameResumed(known_game(table, game_id).game_id))
        return after_list_act(table, answer, "table.show")

    @views.get("/games/<game_id>/delete")
    def ask_delete(game_id: str) -> str:
        return render_template("delete.html", game=known_game(table, game_id), days=BIN_STAY.days)

    @views.post("/games/<game_id>/delete")
    def delete(game_id: str) -> AnyResponse:
        answer = table.submit(GameDeleted(known_game(table, game_id).game_id))
        return after_list_act(table, answer, "games.show")

    @views.post("/games/<game_id>/take-back")
    def take_back(game_id: str) -> AnyResponse:
        answer = table.submit(GameTakenBack(binned_game(table, game_id).game_id))
        return after_list_act(table, answer, "games.show")

    @views.get("/games/<game_id>/erase")
    def ask_erase(game_id: str) -> str:
        return render_template("delete.html", game=binned_game(table, game_id))

    @views.post("/games/<game_id>/erase")
    def erase(game_id: str) -> AnyResponse:
        game = binned_game(table, game_id)
        answer = table.submit(GameDeleted(game.game_id, for_good=True))
        return after_list_act(table, answer, "games.show")

    @views.get("/games/<game_id>/game.<form>")
    def export(game_id: str, form: str) -> Response:
        return exported(table, game_id, form)

    _add_endings(views, showing)
    return views


def _add_endings(views: Blueprint, showing: Showing) -> None:
    table = showing.table

    @views.get("/abandon")
    def ask_abandon() -> str:
        view = table.session.view
        return render_template("abandon.html", view=view, run=table.live.run, step=step_of(view))

    @views.post("/abandon")
    def abandon() -> AnyResponse:
        return showing.submit(GameAbandoned(showing.expected()))

    @views.get("/leave")
    def ask_leave() -> str:
        return leave_page(table)

    @views.post("/leave")
    def leave() -> AnyResponse:
        offer = request.form.get("offer", "")
        if not OfferKind.LEAVE.is_kind_of(offer):
            abort(400)
        answer = table.submit(Chosen(offer, showing.expected()))
        if answer.verdict in {"done", "unchanged"}:
            return showing.answer(answer)
        return Response(leave_page(table, answer.notice), STATUSES[answer.verdict])


def leave_page(table: Table, fault: Message | None = None) -> str:
    """The question who leaves, with what was wrong with the answer to it before."""
    view = table.session.view
    leavers = tuple(offer for offer in view.offers if OfferKind.LEAVE.is_kind_of(offer.key))
    return render_template(
        "leave.html",
        view=view,
        run=table.live.run,
        step=step_of(view),
        leavers=leavers,
        fault=fault,
    )


def known_game(table: Table, game_id: str) -> GameSummary:
    """The stored game of that id; 404 when there is none."""
    known = table.archive.summary(game_id, table.session.view.game_id)
    if known is None:
        abort(404)
    return known


def binned_game(table: Table, game_id: str) -> GameSummary:
    """The game of that id in the bin; 404 when there is none."""
    found = [game for game in table.archive.bin() if game.game_id == game_id]
    return found[0] if found else abort(404)


def after_list_act(table: Table, answer: Answer, endpoint: str) -> AnyResponse:
    """Go on when it was done; else show the list with what was wrong."""
    if answer.verdict in {"done", "unchanged"}:
        return redirect(url_for(endpoint), HTTPStatus.SEE_OTHER)
    return Response(_listed(table, 1, answer.notice), HTTPStatus.CONFLICT)


def _listed(table: Table, number: int, fault: Message | None = None) -> str:
    page = table.archive.page(number, table.session.view.game_id)
    return render_template(
        "games.html",
        page=page,
        bin=table.archive.bin(),
        states=STATES,
        formats=("txt", "json", "csv", "steps.csv"),
        formats_of_damaged=("raw",),
        fault=fault,
    )


def exported(table: Table, game_id: str, form: str) -> Response:
    """The game as a file to keep; 404 when there is no such game or format."""
    if form not in FORMATS:
        abort(404)
    text = table.archive.export(known_game(table, game_id).game_id, form)
    kept_as = f'attachment; filename="{game_id}.{form}"'
    return Response(text, mimetype=EXPORTS[form], headers={"Content-Disposition": kept_as})
