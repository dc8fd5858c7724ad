"""All games at once: as a spreadsheet, as JSON, and as an archive that another table opens."""

from __future__ import annotations

from collections import Counter
from http import HTTPStatus
from tempfile import TemporaryFile
from typing import IO, Final, cast, get_args

from flask import Blueprint, Response, abort, render_template, request, send_file

import web
from scoreboard.games import GAMES
from scoreboard.storage.game_archive import open_archive, pack
from web.table.history.archive import Archive, WholeFormat
from web.table.parts import Parts

LARGEST_ARCHIVE_BYTES: Final = 512 * 1024 * 1024
WHOLE_TYPES: Final = {"csv": "text/csv", "json": "application/json"}


def archive_views(parts: Parts, archive: Archive) -> Blueprint:
    """`/games/all...` and `/games/archive...`."""
    views = Blueprint("archive", __name__)

    @views.get("/games/all.<form>")
    def whole(form: str) -> Response:
        if form not in get_args(WholeFormat):
            abort(HTTPStatus.NOT_FOUND)
        rows = archive.export_all(cast("WholeFormat", form))
        kept_as = f'attachment; filename="tablescore-games.{form}"'
        headers = {"Content-Disposition": kept_as}
        return Response(rows, mimetype=WHOLE_TYPES[form], headers=headers)

    @views.get("/games/archive.zip")
    def packed() -> Response:
        file = cast("IO[bytes]", TemporaryFile())  # noqa: SIM115 -- the answer closes it
        pack(parts.store, file, web.__version__)
        file.seek(0)
        name = f"tablescore-{parts.clock().astimezone():%Y-%m-%d}.zip"
        return send_file(file, "application/zip", as_attachment=True, download_name=name)

    @views.post("/games/archive")
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
