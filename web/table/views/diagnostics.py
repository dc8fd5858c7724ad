"""What `tablescore diagnose` asks a running table; there is no such page for anybody else."""

from __future__ import annotations

from http import HTTPStatus

from flask import Blueprint, Response, abort, jsonify, request

from web.table.diagnostics import Diagnostics
from web.table.views.table import jpeg


def diagnostic_views(diagnostics: Diagnostics) -> Blueprint:
    """`/diagnostics`."""
    views = Blueprint("diagnostics", __name__, url_prefix="/diagnostics")

    @views.before_request
    def require_owner() -> None:
        if not diagnostics.opens(request.headers.get("Authorization", "")):
            abort(HTTPStatus.NOT_FOUND)

    @views.get("")
    def show() -> Response:
        return jsonify(diagnostics.document())

    @views.get("/frame.jpg")
    def frame() -> Response:
        picture = diagnostics.picture()
        return (
            Response(status=HTTPStatus.NO_CONTENT) if picture is None else jpeg(picture, "no-store")
        )

    return views
