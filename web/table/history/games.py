"""The pages of stored games: list, resume, export, delete, take back; and all of them at once."""

from __future__ import annotations

from collections import Counter
from http import HTTPStatus
from tempfile import TemporaryFile
from typing import IO, Final, cast, get_args

from flask import Blueprint, Response, abort, render_template, request, send_file

import web
from scoreboard.games import GAMES
from scoreboard.message import Message, message
from scoreboard.storage.game_archive import open_archive, pack
from scoreboard.table.requests import Answer, GameDeleted, GameResumed, GameTakenBack
from web.table.history.archive import BIN_STAY, Archive, ExportFormat, GameSummary, WholeFormat
from web.table.parts import Parts, shown, to

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
LARGEST_ARCHIVE_BYTES: Final = 512 * 1024 * 1024
WHOLE_TYPES: Final = {"csv": "text/csv", "json": "application/json"}
FORMATS: Final = cast("tuple[ExportFormat, ...]", get_args(ExportFormat))


def game_views(parts: Parts, archive: Archive) -> Blueprint:
    """`/games`."""
    views = Blueprint("games", __name__, url_prefix="")

    @views.get("/games", right="guest")
    def show() -> Response:
        return _listed(parts, archive, request.args.get("page", 1, type=int))

    @views.post("/games/<game_id>/resume", right="player")
    def resume(game_id: str) -> Response:
        answer = parts.submit(GameResumed(known_game(parts, archive, game_id).game_id))
        return after_list_act(parts, archive, answer, "table.show")

    @views.get("/games/<game_id>/delete", right="owner")
    def ask_delete(game_id: str) -> str:
        return render_template(
            "delete.html", game=known_game(parts, archive, game_id), days=BIN_STAY.days
        )

    @views.post("/games/<game_id>/delete", right="owner")
    def delete(game_id: str) -> Response:
        answer = parts.submit(GameDeleted(known_game(parts, archive, game_id).game_id))
        return after_list_act(parts, archive, answer, "games.show")

    @views.post("/games/<game_id>/take-back", right="owner")
    def take_back(game_id: str) -> Response:
        answer = parts.submit(GameTakenBack(binned_game(archive, game_id).game_id))
        return after_list_act(parts, archive, answer, "games.show")

    @views.get("/games/<game_id>/erase", right="owner")
    def ask_erase(game_id: str) -> str:
        return render_template("delete.html", game=binned_game(archive, game_id))

    @views.post("/games/<game_id>/erase", right="owner")
    def erase(game_id: str) -> Response:
        game = binned_game(archive, game_id)
        answer = parts.submit(GameDeleted(game.game_id, for_good=True))
        return after_list_act(parts, archive, answer, "games.show")

    @views.get("/games/<game_id>/game.<form>", right="guest", on_table="watcher")
    def export(game_id: str, form: str) -> Response:
        return exported(parts, archive, game_id, form)

    return views


def known_game(parts: Parts, archive: Archive, game_id: str) -> GameSummary:
    """The stored game of that id; 404 when there is none."""
    known = archive.summary(game_id, parts.session.view.game_id)
    if known is None:
        abort(404)
    return known


def binned_game(archive: Archive, game_id: str) -> GameSummary:
    """The game of that id in the bin; 404 when there is none."""
    found = [game for game in archive.bin() if game.game_id == game_id]
    return found[0] if found else abort(404)


def after_list_act(parts: Parts, archive: Archive, answer: Answer, endpoint: str) -> Response:
    """Continue when it was done; else show the list with the fault."""
    if answer.verdict in {"done", "unchanged"}:
        return to(endpoint)
    return _listed(parts, archive, 1, HTTPStatus.CONFLICT, answer.notice)


def _listed(
    parts: Parts,
    archive: Archive,
    number: int,
    status: HTTPStatus = HTTPStatus.OK,
    fault: Message | None = None,
) -> Response:
    page = archive.page(number, parts.session.view.game_id)
    return shown(
        "games.html",
        status,
        page=page,
        bin=archive.bin(),
        states=STATES,
        formats=("txt", "json", "csv", "steps.csv"),
        formats_of_damaged=("raw",),
        fault=fault,
    )


def exported(parts: Parts, archive: Archive, game_id: str, form: str) -> Response:
    """The game as a file to keep; 404 when there is no such game or format."""
    if form not in FORMATS:
        abort(404)
    text = archive.export(known_game(parts, archive, game_id).game_id, form)
    kept_as = f'attachment; filename="{game_id}.{form}"'
    return Response(text, mimetype=EXPORTS[form], headers={"Content-Disposition": kept_as})


def archive_views(parts: Parts, archive: Archive) -> Blueprint:
    """`/games/all...` and `/games/archive...`."""
    views = Blueprint("archive", __name__)

    @views.get("/games/all.<form>", right="player")
    def whole(form: str) -> Response:
        if form not in get_args(WholeFormat):
            abort(HTTPStatus.NOT_FOUND)
        rows = archive.export_all(cast("WholeFormat", form))
        kept_as = f'attachment; filename="tablescore-games.{form}"'
        headers = {"Content-Disposition": kept_as}
        return Response(rows, mimetype=WHOLE_TYPES[form], headers=headers)

    @views.get("/games/archive.zip", right="owner")
    def packed() -> Response:
        file = cast("IO[bytes]", TemporaryFile())  # noqa: SIM115 -- the answer closes it
        pack(parts.store, file, web.__version__)
        file.seek(0)
        name = f"tablescore-{parts.clock().astimezone():%Y-%m-%d}.zip"
        return send_file(file, "application/zip", as_attachment=True, download_name=name)

    @views.post("/games/archive", right="owner")
    def take_in() -> str:
        request.max_content_length = LARGEST_ARCHIVE_BYTES
        sent = request.files.get("archive") or abort(HTTPStatus.BAD_REQUEST)
        sent_archive = open_archive(sent.stream)
        fresh = sent_archive.take_in(parts.store)
        kinds = Counter(GAMES[game.header.game].title for game in sent_archive.games)
        names = sorted({name for game in sent_archive.games for name in game.header.players})
        return render_template(
            "archive.html", archive=sent_archive, fresh=fresh, kinds=kinds, names=names
        )

    return views
