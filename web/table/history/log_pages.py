"""The pages of a game’s log, and the photo behind each score."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache, partial
from io import BytesIO
from typing import Any, Final

from flask import Blueprint, Response, abort, render_template, request, send_file, url_for

from scoreboard.games import GAMES
from scoreboard.games.advice.best_ends import best_play, games_ended
from scoreboard.games.advice.best_turns import TurnReview, best_turn, counted, replay_turn, reviews
from scoreboard.games.engine.game import Setup, replay
from scoreboard.games.engine.transcript import GameHeader
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


Coaches = Callable[[str], bool]  # whether players of that game switched the coach on just now
TOO_LONG: Final = message("This turn has too many possibilities to work out here.")
IN_TOURNAMENT: Final = message("There are no hints while the table takes part in an event.")
_best_turn = lru_cache(64)(best_turn)  # the same one for each step of a page


def best_views(parts: Parts, archive: Archive, coaches: Coaches) -> Blueprint:
    """`/games/<id>/best`: only what is over, and nothing in an event."""
    views = Blueprint("best", __name__, url_prefix="/games/<game_id>/best")

    @views.get("", right="player")
    def show(game_id: str) -> str:
        header, events = _played(parts, archive, game_id)
        if parts.session.view.event is not None:
            return _page(header, fault=IN_TOURNAMENT)
        if GAMES[header.game].review == "ends":
            return _page(header, ended=games_ended(events), turns={})
        turns = _reviews(header, events, coached=coaches(header.game_id))
        return _page(header, turns=turns, coach_off=not coaches(header.game_id))

    @views.get("/<int:number>", right="player")
    def one(game_id: str, number: int) -> str:
        header, events = _played(parts, archive, game_id)
        if parts.session.view.event is not None:
            return _page(header, fault=IN_TOURNAMENT)
        if GAMES[header.game].review == "ends":
            start = GAMES[header.game].start(Setup(header.players, header.options))
            return _page(header, end=best_play(start, events, number) or abort(404))
        review = _reviews(header, events, coached=coaches(header.game_id)).get(number) or abort(404)
        try:
            return _turn_page(header, review, number, request.args.get("step", 0, type=int))
        except TimeoutError:
            return _page(header, fault=TOO_LONG)

    return views


def _played(parts: Parts, archive: Archive, game_id: str) -> tuple[GameHeader, tuple[Any, ...]]:
    header, events = archive.played(known_game(parts, archive, game_id).game_id)
    return (header, events) if GAMES[header.game].review else abort(404)


def _reviews(
    header: GameHeader, events: tuple[Any, ...], *, coached: bool
) -> dict[int, TurnReview]:
    """The turns by number: all of finished rounds, and of the open one the last.

    That one shows a rack still in play, so it is included only with the coach on.
    """
    game, setup = GAMES[header.game], Setup(header.players, header.options)
    found = dict(enumerate(reviews(game.start(setup), events), start=1))
    open_round = len(replay(game, setup, events).scores) + 1
    last = len(found) if coached else 0
    return {at: review for at, review in found.items() if review.number < open_round or at == last}


def _turn_page(header: GameHeader, review: TurnReview, number: int, step: int) -> str:
    """The table after that many moves of the best turn, and the tiles still on the rack."""
    shown = replay_turn(review.standing, _best_turn(review.standing), step)
    worth = counted(header.options)
    return _page(header, review=review, number=number, points=worth, **shown._asdict())


def _page(header: GameHeader, **shown: object) -> str:
    return render_template("best.html", header=header, title=GAMES[header.game].title, **shown)
