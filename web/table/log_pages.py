"""The log of a game, the photo behind each score, and the way back to a step."""

from __future__ import annotations

from functools import partial
from http import HTTPStatus
from io import BytesIO
from typing import Final

from flask import Blueprint, Response, abort, redirect, render_template, send_file, url_for
from werkzeug.wrappers import Response as AnyResponse

from scoreboard.message import Message, message
from scoreboard.table.pending_dice import DOUBTFUL_BELOW
from scoreboard.table.requests import StepsUndone, TableStatus
from scoreboard.table.view import TableView
from web.table.game_log import GameLog, LoggedStep
from web.table.games import known_game
from web.table.scoreboard_strip import player_tiles
from web.table.table_page import Showing, StaleError, Table, jpeg, sheet_panes, step_of

CONFIRMED: Final = {
    "button": message("with the buttons"),
    "camera": message("by itself, as the settings say"),
    "clock": message("by the clock"),
    "hub": message("by the event"),
    "page": message("on a page"),
}


def log_views(showing: Showing) -> Blueprint:
    """`/games/ID/log`, `/boxes`, `/steps` and `/photos.zip`."""
    views, table = Blueprint("log", __name__, url_prefix="/games/<game_id>"), showing.table
    views.register_error_handler(StaleError, showing.stale)

    @views.get("/log")
    def show(game_id: str) -> str:
        game, log = known_game(table, game_id), table.archive.log(game_id)
        view = TableView(0, "finished", TableStatus.NOTHING, game_id, scoresheet=log.scoresheet)
        tiles = player_tiles(log.scoresheet)
        return render_template(
            "game_log.html",
            game=game,
            log=log,
            photos=table.archive.pictured(game_id),
            confirmed=partial(confirmed, table),
            running=is_running(table, game_id),
            view=view,
            tiles=tiles,
            panes=sheet_panes(log.scoresheet.without_offers),
            paper_title=game.title,
        )

    @views.get("/photos.zip")
    def photos(game_id: str) -> Response:
        packed = BytesIO(table.archive.photos_zip(known_game(table, game_id).game_id))
        return send_file(packed, as_attachment=True, download_name=f"{game_id}-photos.zip")

    @views.get("/boxes/<row>/<int:seat>")
    def box(game_id: str, row: str, seat: int) -> AnyResponse:
        known_game(table, game_id)
        number = table.archive.log(game_id).scored.get((row, seat))
        if number is None:
            abort(404)
        return redirect(url_for("log.step", game_id=game_id, number=number), HTTPStatus.SEE_OTHER)

    @views.get("/steps/<int:number>")
    def step(game_id: str, number: int) -> str:
        game, (log, found) = known_game(table, game_id), logged(table, game_id, number)
        pictured = log.pictured(number, table.archive.pictured(game_id))
        photo = None if pictured is None else table.archive.photo(game_id, pictured.number)
        at = log.steps.index(found)
        undone = log.later(number) if is_running(table, game_id) and found.in_force else ()
        return render_template(
            "game_step.html",
            game=game,
            step=found,
            confirmed=partial(confirmed, table),
            pictured=pictured,
            photo=photo,
            doubtful_below=DOUBTFUL_BELOW,
            earlier=log.steps[at - 1] if at else None,
            later=log.steps[at + 1] if at + 1 < len(log.steps) else None,
            undone=undone,
            run=table.live.run,
            view=table.session.view,
            at=step_of(table.session.view),
            sheet=sheet_address(table, game_id, log.box_of(number)),
        )

    @views.get("/steps/<int:number>.jpg")
    def picture(game_id: str, number: int) -> Response:
        photo = table.archive.photo(known_game(table, game_id).game_id, number)
        return abort(404) if photo is None else jpeg(photo.jpeg, "no-store")

    @views.post("/steps/<int:number>/back")
    def back(game_id: str, number: int) -> AnyResponse:
        if table.session.view.game_id != game_id:
            raise StaleError(f"{game_id} is not on the table any more.")
        return showing.submit(StepsUndone(number, showing.expected()))

    return views


def logged(table: Table, game_id: str, number: int) -> tuple[GameLog, LoggedStep]:
    """The log of a stored game and a step of it; 404 where there is none."""
    log = table.archive.log(known_game(table, game_id).game_id)
    return log, log.step(number) or abort(404)


def is_running(table: Table, game_id: str) -> bool:
    """Whether the game is on the table and not closed, so that steps of it can be undone."""
    view = table.session.view
    return view.game_id == game_id and view.stage != "abandoned"


def confirmed(table: Table, step: LoggedStep) -> Message:
    """Which device or button confirmed a step, in words."""
    if step.source == "page" and step.confirmed_by == "here":
        return message("on the table’s own page")
    device = table.access.devices.name_of(step.confirmed_by)
    return CONFIRMED[step.source] if device is None else message("on {device}", device=device)


def sheet_address(table: Table, game_id: str, box: tuple[str, int] | None) -> str:
    """Where the sheet with this game's scores is, at the score that was tapped."""
    fragment = None if box is None else f"score-{box[0]}-{box[1]}"
    if is_running(table, game_id):
        return url_for("table.show", _anchor=fragment)
    return url_for("log.show", game_id=game_id, _anchor=fragment)
