"""The language of this device's pages: what its reader chose is kept in a cookie."""

from __future__ import annotations

from datetime import timedelta
from http import HTTPStatus
from typing import Final

from flask import Blueprint, redirect, request, url_for
from werkzeug.wrappers import Response

from web.words import COOKIE, LANGUAGES

KEPT: Final = timedelta(days=365)


def language_views() -> Blueprint:
    """`/language`."""
    views = Blueprint("language", __name__)

    @views.post("/language")
    def choose() -> Response:
        answer = redirect(url_for("about.show"), HTTPStatus.SEE_OTHER)
        chosen = request.form.get("language", "")
        if chosen in LANGUAGES:
            answer.set_cookie(COOKIE, chosen, max_age=KEPT, httponly=True, samesite="Lax")
        return answer

    return views
