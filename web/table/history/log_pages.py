"""The pages of a game’s log, and the photo behind each score."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from io import BytesIO
from typing import Final

from flask import Blueprint, Response, abort, render_template, send_file, url_for

from scoreboard.message import Message, message
from scoreboard.table.pending_dice import DOUBTFUL_BELOW
from scoreboard.table.requests import TableStatus
from scoreboard.table.view import TableView
from web.table.history.archive import Archive
from web.table.history.game_log import GameLog, LoggedStep
from web.table.history.games import known_game
from web.table.parts import Parts, jpeg, step_of, to
from web.table.scoreboard_strip import player_tiles, sheet_panes

DeviceName = Callable[[str], str | None]  # of the id by which it is stored
CONFIRMED: Final = {
    "button": message("with the buttons"),
    "camera": message("by itself, as the settings say"),
    "clock": message("by the clock"),
    "hub": message("by the event"),
    "page": message("on a page"),
}


def log_views(parts: Parts, archive: Archive, device_name: DeviceName) -> Blueprint:
    """`/games/ID/log`, `/boxes`, `/steps` and `/photos.zip`."""
    views = Blueprint("log", __name__, url_prefix="/games/<game_id>")

    @views.get("/log", right="guest", on_table="watcher")
    def show(game_id: str) -> str:
        game, log = known_game(parts, archive, game_id), archive.log(game_id)
        view = TableView(0, "finished", TableStatus.NOTHING, game_id, scoresheet=log.scoresheet)
        tiles = player_tiles(log.scoresheet)
        return render_template(
            "game_log.html",
            game=game,
            log=log,
            photos=archive.pictured(game_id),
            confirmed=partial(confirmed, device_name),
            running=is_running(parts, game_id),
            view=view,
            tiles=tiles,
            panes=sheet_panes(log.scoresheet.without_offers),
            paper_title=game.title,
        )

    @views.get("/photos.zip", right="guest")
    def photos(game_id: str) -> Response:
        packed = BytesIO(archive.photos_zip(known_game(parts, archive, game_id).game_id))
        return send_file(packed, as_attachment=True, download_name=f"{game_id}-photos.zip")

    @views.get("/boxes/<row>/<int:seat>", right="guest", on_table="watcher")
    def box(game_id: str, row: str, seat: int) -> Response:
        known_game(parts, archive, game_id)
        number = archive.log(game_id).scored.get((row, seat))
        if number is None:
            abort(404)
        return to("log.step", game_id=game_id, number=number)

    _add_steps(views, parts, archive, device_name)
    return views


def _add_steps(views: Blueprint, parts: Parts, archive: Archive, device_name: DeviceName) -> None:
    @views.get("/steps/<int:number>", right="guest", on_table="watcher")
    def step(game_id: str, number: int) -> str:
        game = known_game(parts, archive, game_id)
        log, found = logged(parts, archive, game_id, number)
        pictured = log.pictured(number, archive.pictured(game_id))
        photo = None if pictured is None else archive.photo(game_id, pictured.number)
        at = log.steps.index(found)
        undone = log.later(number) if is_running(parts, game_id) and found.in_force else ()
        return render_template(
            "game_step.html",
            game=game,
            step=found,
            confirmed=partial(confirmed, device_name),
            pictured=pictured,
            photo=photo,
            doubtful_below=DOUBTFUL_BELOW,
            earlier=log.steps[at - 1] if at else None,
            later=log.steps[at + 1] if at + 1 < len(log.steps) else None,
            undone=undone,
            run=parts.live.run,
            view=parts.session.view,
            at=step_of(parts.session.view),
            sheet=sheet_address(parts, game_id, log.box_of(number)),
        )

    @views.get("/steps/<int:number>.jpg", right="guest", on_table="watcher")
    def picture(game_id: str, number: int) -> Response:
        photo = archive.photo(known_game(parts, archive, game_id).game_id, number)
        return jpeg(photo.jpeg if photo else None, "no-store")


def logged(parts: Parts, archive: Archive, game_id: str, number: int) -> tuple[GameLog, LoggedStep]:
    """The log of a stored game and a step of it; 404 where there is none."""
    log = archive.log(known_game(parts, archive, game_id).game_id)
    return log, log.step(number) or abort(404)


def is_running(parts: Parts, game_id: str) -> bool:
    """Whether the game is on the table and not closed, so that steps of it can be undone."""
    view = parts.session.view
    return view.game_id == game_id and view.stage != "abandoned"


def confirmed(device_name: DeviceName, step: LoggedStep) -> Message:
    """Which device or button confirmed a step, in words."""
    if step.source == "page" and step.confirmed_by == "here":
        return message("on the table’s own page")
    device = device_name(step.confirmed_by)
    return CONFIRMED[step.source] if device is None else message("on {device}", device=device)


def sheet_address(parts: Parts, game_id: str, box: tuple[str, int] | None) -> str:
    """The address of the sheet with this game's scores, at the tapped score."""
    fragment = None if box is None else f"score-{box[0]}-{box[1]}"
    if is_running(parts, game_id):
        return url_for("table.show", _anchor=fragment)
    return url_for("log.show", game_id=game_id, _anchor=fragment)
