"""All games at once: as a spreadsheet, as JSON, and as an archive that another table opens."""

from __future__ import annotations

from collections import Counter
from http import HTTPStatus
from tempfile import TemporaryFile
from typing import IO, Final, cast, get_args

from flask import Blueprint, Response, abort, render_template, request, send_file

import web
from scoreboard.games import GAMES
from scoreboard.storage import SqlStore
from scoreboard.storage.game_archive import open_archive, pack
from web.table.history.archive import WholeFormat
from web.table.play.table_page import Table

LARGEST_ARCHIVE_BYTES: Final = 512 * 1024 * 1024
WHOLE_TYPES: Final = {"csv": "text/csv", "json": "application/json"}


def archive_views(table: Table, store: SqlStore) -> Blueprint:
    """`/games/all...` and `/games/archive...`."""
    views = Blueprint("archive", __name__)

    @views.get("/games/all.<form>")
    def whole(form: str) -> Response:
        if form not in get_args(WholeFormat):
            abort(HTTPStatus.NOT_FOUND)
        parts = table.archive.export_all(cast("WholeFormat", form))
        kept_as = f'attachment; filename="tablescore-games.{form}"'
        headers = {"Content-Disposition": kept_as}
        return Response(parts, mimetype=WHOLE_TYPES[form], headers=headers)

    @views.get("/games/archive.zip")
    def packed() -> Response:
        file = cast("IO[bytes]", TemporaryFile())  # noqa: SIM115 -- the answer closes it
        pack(store, file, web.__version__)
        file.seek(0)
        name = f"tablescore-{table.clock().astimezone():%Y-%m-%d}.zip"
        return send_file(file, "application/zip", as_attachment=True, download_name=name)

    @views.post("/games/archive")
    def take_in() -> str:
        request.max_content_length = LARGEST_ARCHIVE_BYTES
        sent = request.files.get("archive") or abort(HTTPStatus.BAD_REQUEST)
        archive = open_archive(sent.stream)
        fresh = archive.take_in(store)
        kinds = Counter(GAMES[game.header.game].title for game in archive.games)
        names = sorted({name for game in archive.games for name in game.header.players})
        return render_template(
            "archive.html", archive=archive, fresh=fresh, kinds=kinds, names=names
        )

    return views
