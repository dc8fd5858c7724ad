"""The page as a WSGI application, made of one table."""

from __future__ import annotations

import secrets
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import timedelta
from http import HTTPStatus

from flask import Blueprint, Flask, redirect, render_template, request, url_for
from werkzeug.wrappers import Response

import web
from scoreboard.errors import NotationError, RuleViolationError
from scoreboard.games import DICE_GAMES, GAMES
from scoreboard.games.engine.game import Offer, OfferKind, Setup, replay
from scoreboard.message import Message
from web.health import table_health
from web.security import guard
from web.table.access import admit
from web.table.actions import act_views
from web.table.archive_pages import archive_views
from web.table.best_turns import best_views
from web.table.big_screen import big_screen_views
from web.table.calibrate import calibrate_views
from web.table.camera_page import camera_views
from web.table.coach import coach_views
from web.table.device_pages import (
    WATCHING,
    device_views,
    explain_refusals,
    show_asked_codes,
)
from web.table.diagnostics import Diagnostics, diagnostic_views
from web.table.display import add_display
from web.table.evening import evening_views
from web.table.event import event_views
from web.table.faults import FaultTellingApp, explain_faults
from web.table.games import game_views
from web.table.https import https_views, install_views, require_https
from web.table.log_pages import log_views
from web.table.phone import phone_views
from web.table.players import player_views
from web.table.scoreboard_strip import name_size
from web.table.setup import setup_views
from web.table.statistics_pages import statistics_views
from web.table.table_page import Showing, Table, table_views
from web.table.table_words import link_words
from web.table.teach import teach_views
from web.words import COOKIE, LANGUAGES, add_translations


def about_views(table: Table) -> Blueprint:
    """`/about`."""
    views = Blueprint("about", __name__)

    @views.get("/about")
    def show() -> str:
        return render_template(
            "about.html",
            facts=table.facts,
            addresses=table.addresses(),
            limit=table.live.viewer_limit,
            watching_words=WATCHING[table.access.watching],
            https=table.certificate is not None,
        )

    return views


@dataclass(frozen=True, slots=True)
class Column:
    """One game's boxes for the roll, the best first; only those that take points."""

    title: Message
    boxes: tuple[tuple[Message, int, str], ...]


def compare_views() -> Blueprint:
    """`/compare`."""
    views = Blueprint("compare", __name__)

    @views.get("/compare")
    def show() -> str:
        roll = request.args.get("roll", "").strip() or "33355"
        try:
            columns, fault = tuple(compared(roll)), None
        except (NotationError, RuleViolationError) as error:
            columns, fault = (), error.message
        return render_template("compare.html", roll=roll, columns=columns, fault=fault)

    return views


def compared(roll: str) -> Iterator[Column]:
    """The roll on an empty card of each game of dice, under the sheets' rules.

    Raises:
        NotationError: the text is no roll.
        RuleViolationError: it has not as many dice as a roll.
    """
    setup = Setup(("-",), {"start": "first"})
    for game in DICE_GAMES.values():
        command = game.notation.readers[OfferKind.ROLL](roll)
        state = replay(game, setup, game.decide(game.start(setup), command))
        labels = {OfferKind.SCORE.key(row.key): row.label for row in game.scoresheet(state).rows}
        boxes = tuple(
            (labels[offer.key], offer.points, offer.rule)
            for offer in game.offers(state)
            if isinstance(offer, Offer) and offer.points
        )
        yield Column(game.title, boxes)


def language_views() -> Blueprint:
    """`/language`."""
    views = Blueprint("language", __name__)

    @views.post("/language")
    def choose() -> Response:
        answer = redirect(url_for("about.show"), HTTPStatus.SEE_OTHER)
        chosen = request.form.get("language", "")
        if chosen in LANGUAGES:
            answer.set_cookie(
                COOKIE,
                chosen,
                max_age=timedelta(days=365),
                secure=request.is_secure,
                httponly=True,
                samesite="Lax",
            )
        return answer

    return views


def create_app(table: Table, diagnostics: Diagnostics | None = None, key: str = "") -> Flask:
    """Make the page of that table; `diagnostics` answer its owner. Nothing is started here.

    Whoever knows the `key` is at the table's own machine; without one it is made up.
    """
    app = FaultTellingApp(__name__)
    app.secret_key = key or secrets.token_urlsafe()
    add_translations(app)
    add_display(app)
    app.jinja_env.globals.update(
        name_size=name_size,
        rulebooks=GAMES,
        joins=table.event is not None,
        sets_camera=table.camera is not None,
        teaches=table.lessons is not None,
        coaches=table.coach is not None,
        has_phone=table.phone is not None,
        keeps_games=table.store is not None,
        has_statistics=table.store is not None and table.statistics is not None,
        has_certificate=table.certificate is not None,
        link_words=link_words,
        machine_faults=table.machine_faults,
        speaks=table.speaks,
        long_press=table.long_press,
        version=web.__version__,
    )
    guard(app, table.allowed_hosts)
    if table.certificate is not None:
        require_https(app)  # before anything asks who somebody is
    admit(app, table.access, lambda: table.session.view.game_id)
    explain_faults(app)
    explain_refusals(app, table)
    show_asked_codes(app, table)
    showing = Showing(table)
    for views in (
        table_views(showing),
        big_screen_views(table),
        act_views(showing),
        setup_views(showing),
        game_views(showing),
        best_views(table),
        log_views(showing),
        about_views(table),
        compare_views(),
        coach_views(table),
        language_views(),
        device_views(table),
        install_views(),
        table_health(table.inbox),
    ):
        app.register_blueprint(views)
    for views in _optional_views(showing, diagnostics):
        app.register_blueprint(views)
    return app


def _optional_views(showing: Showing, diagnostics: Diagnostics | None) -> Iterator[Blueprint]:
    """The pages of what not every table has."""
    table = showing.table
    if table.certificate is not None:
        yield https_views(table.certificate)
    if table.phone is not None:
        yield phone_views(showing, table.phone)
    if table.tray is not None:
        yield calibrate_views(table.tray, table.live.run)
    if table.camera is not None:
        yield camera_views(table.camera, table)
    if table.lessons is not None:
        yield teach_views(table.lessons, table.pictures)
    if table.store is not None:
        yield archive_views(table, table.store)
        yield player_views(table, table.store.profiles)
    if table.store is not None and table.statistics is not None:
        yield evening_views(table, table.store, table.statistics)
        yield statistics_views(table.statistics)
    if diagnostics is not None:
        yield diagnostic_views(diagnostics)
    if table.event is not None:
        yield event_views(showing, table.event)
