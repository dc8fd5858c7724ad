"""All games at once: as a spreadsheet, as JSON, and as an archive that another table opens."""

from __future__ import annotations

import hashlib
import shutil
from collections import Counter
from http import HTTPStatus
from tempfile import TemporaryFile
from typing import IO, Final, cast, get_args
from weakref import finalize

from flask import (
    Blueprint,
    Response,
    abort,
    redirect,
    render_template,
    request,
    send_file,
    url_for,
)
from werkzeug.wrappers import Response as AnyResponse

import web
from scoreboard.games import GAMES
from scoreboard.message import message
from scoreboard.storage import SqlStore
from scoreboard.storage.game_archive import open_archive, pack
from web.table.archive import WholeFormat
from web.table.table_page import Table

LARGEST_ARCHIVE_BYTES: Final = 512 * 1024 * 1024
WHOLE_TYPES: Final = {"csv": "text/csv", "json": "application/json"}


class _HeldArchive:
    """The file that was opened last, until another is or the table stops."""

    def __init__(self) -> None:
        self._held: tuple[str, IO[bytes]] | None = None

    def hold(self, stream: IO[bytes]) -> tuple[str, IO[bytes]]:
        """Keep a copy of an upload; gives it with the key that asks for it again."""
        file = cast("IO[bytes]", TemporaryFile())  # noqa: SIM115 -- held for the next request
        shutil.copyfileobj(stream, file)
        file.seek(0)
        if self._held is not None:
            self._held[1].close()
        finalize(self, file.close)
        self._held = (hashlib.file_digest(file, "sha256").hexdigest(), file)  # type: ignore[arg-type]  # typeshed wants more of a file than is used
        return self._held

    def of(self, key: str) -> IO[bytes] | None:
        """The file of that key, None where another was opened meanwhile."""
        return self._held[1] if self._held is not None and self._held[0] == key else None


def archive_views(table: Table, store: SqlStore) -> Blueprint:
    """`/games/all...` and `/games/archive...`."""
    views, held = Blueprint("archive", __name__), _HeldArchive()

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
    def look_into() -> str:
        request.max_content_length = LARGEST_ARCHIVE_BYTES
        sent = request.files.get("archive") or abort(HTTPStatus.BAD_REQUEST)
        key, file = held.hold(sent.stream)
        archive = open_archive(file)
        kinds = Counter(game.header.game for game in archive.games)
        return render_template(
            "archive.html",
            archive=archive,
            fresh=archive.fresh(store),
            kinds=[(GAMES[name].title, count) for name, count in kinds.most_common()],
            names=sorted({name for game in archive.games for name in game.header.players}),
            key=key,
        )

    @views.post("/games/archive/take-in")
    def take_in() -> AnyResponse:
        file = held.of(request.form.get("key", ""))
        if file is None:
            fault = message("Another archive was opened meanwhile. Open yours again.")
            page = render_template("fault.html", status=HTTPStatus.CONFLICT, fault=fault)
            return Response(page, HTTPStatus.CONFLICT)
        open_archive(file).take_in(store)
        return redirect(url_for("games.show"), HTTPStatus.SEE_OTHER)

    return views
