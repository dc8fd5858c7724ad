"""The page as a WSGI application, made of one table."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from importlib.metadata import version
from typing import Final
from urllib.parse import parse_qsl, urlencode

from flask import Blueprint, Flask, Response, render_template, request, url_for

from scoreboard.games import GAMES
from scoreboard.message import Message, message
from scoreboard.table.inbox import HANGING_SECONDS, Inbox
from web.shared.faults import FaultTellingApp, health_views, open_static_files
from web.shared.words import add_translations, keep_choice, language_views
from web.table.camera.camera_page import light
from web.table.camera.wing import CameraWing
from web.table.diagnostics import Diagnostics, diagnostic_views
from web.table.history.wing import HistoryWing
from web.table.parts import Parts, explain_faults, to
from web.table.people.device_pages import WATCHING
from web.table.people.wing import PeopleWing
from web.table.photo_marks import crop, tag_place
from web.table.play.wing import PlayWing
from web.table.sets.wing import SetsWing


def about_views(parts: Parts, people: PeopleWing) -> Blueprint:
    """`/about`."""
    views = Blueprint("about", __name__)

    @views.get("/about", right="watcher")
    def show() -> str:
        return render_template(
            "about.html",
            facts=parts.facts,
            addresses=parts.addresses(),
            limit=parts.live.viewer_limit,
            watching_words=WATCHING[people.access.watching],
            https=people.certificate is not None,
            light=light(parts.session.view),
        )

    return views


DISPLAY_COOKIE: Final = "display"
# Every choice by its name, the default first.
CHOICES: Final[dict[str, tuple[Message, dict[str, Message]]]] = {
    "theme": (
        message("Light or dark"),
        {"system": message("Same as device"), "light": message("Light"), "dark": message("Dark")},
    ),
    "text": (message("Text"), {"normal": message("Normal"), "large": message("Larger")}),
    "contrast": (
        message("Contrast"),
        {"system": message("Same as device"), "high": message("High")},
    ),
    "hand": (
        message("KEEP button"),
        {"right": message("On the left"), "left": message("On the right, for left hands")},
    ),
}


def chosen_display(asked: Mapping[str, str]) -> dict[str, str]:
    """The choices of the cookie or the form; the default for missing or invalid ones."""
    return {
        name: asked[name] if asked.get(name) in values else next(iter(values))
        for name, (_, values) in CHOICES.items()
    }


def display_views() -> Blueprint:
    """`/display`."""
    views = Blueprint("display", __name__)

    @views.app_context_processor
    def chosen() -> dict[str, dict[str, str]]:
        cookie = request.cookies.get(DISPLAY_COOKIE, "")
        return {"display": chosen_display(dict(parse_qsl(cookie)))}

    @views.get("/display", right="stranger")
    def show() -> str:
        return render_template("display.html", choices=CHOICES)

    @views.post("/display", right="stranger")
    def choose() -> Response:
        answer = to("table.show")
        keep_choice(answer, DISPLAY_COOKIE, urlencode(chosen_display(request.form)))
        return answer

    return views


def table_health(inbox: Inbox) -> Blueprint:
    """`/healthz` of a table, also for its own watchdog."""
    reason = f"the table’s thread has hung for more than {HANGING_SECONDS:g} seconds, or ended"
    return health_views(lambda: inbox.alive, reason, right="stranger")


OtherWing = CameraWing | SetsWing | HistoryWing | PlayWing


def create_app(
    parts: Parts, people: PeopleWing, wings: Iterable[OtherWing], diagnostics: Diagnostics, key: str
) -> Flask:
    """Make the pages of that table; `diagnostics` answer its owner. Nothing is started here.

    A browser that sends the `key` is at the table's own machine.
    """
    app = FaultTellingApp(__name__)
    app.secret_key = key
    add_translations(app)
    app.jinja_env.globals.update(
        rulebooks=GAMES, version=version("tablescore"), crop=crop, tag_place=tag_place
    )
    explain_faults(app)
    people.add_to(app, parts)  # first: it asks who may come in
    for wing in wings:
        wing.add_to(app, parts)
    open_static_files(app, "stranger")
    app.register_blueprint(about_views(parts, people))
    app.register_blueprint(language_views("stranger", lambda: url_for("table.show")))
    app.register_blueprint(display_views())
    app.register_blueprint(table_health(parts.inbox))
    app.register_blueprint(diagnostic_views(diagnostics))
    return app
