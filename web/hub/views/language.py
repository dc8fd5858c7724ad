"""The language of this device's pages, chosen at the foot of each."""

from __future__ import annotations

from datetime import timedelta
from http import HTTPStatus
from typing import Final

from flask import Blueprint, redirect, request
from werkzeug.wrappers import Response

from web.hub.views.doors import wanted_page
from web.words import COOKIE, LANGUAGES

KEPT: Final = timedelta(days=365)


def language_views() -> Blueprint:
    """`/language`."""
    views = Blueprint("language", __name__)

    @views.post("/language")
    def choose() -> Response:
        answer = redirect(wanted_page(), HTTPStatus.SEE_OTHER)
        chosen = request.form.get("language", "")
        if chosen in LANGUAGES:
            answer.set_cookie(COOKIE, chosen, max_age=KEPT, httponly=True, samesite="Lax")
        return answer

    return views
