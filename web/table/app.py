"""The page as a WSGI application, made of one table."""

from __future__ import annotations

from flask import Flask

from web.security import guard
from web.table.ports import ExportFormat, Facts, GameStanding, GameSummary, Table
from web.table.views.about import about_views
from web.table.views.actions import act_views
from web.table.views.calibrate import calibrate_views
from web.table.views.compare import compare_views
from web.table.views.diagnostics import diagnostic_views
from web.table.views.event import event_views
from web.table.views.event_status import link_words
from web.table.views.faults import explain_faults
from web.table.views.games import game_views
from web.table.views.language import language_views
from web.table.views.setup import setup_views
from web.table.views.table import table_views
from web.table.views.table_page import Showing
from web.table.views.teach import teach_views
from web.words import teach

__all__ = ["ExportFormat", "Facts", "GameStanding", "GameSummary", "Table", "create_app"]


def create_app(table: Table) -> Flask:
    """Make the page of that table; nothing is started and nothing is remembered here."""
    app = Flask(__name__)
    teach(app)
    app.jinja_env.globals.update(joins=table.event is not None, link_words=link_words)
    guard(app, table.allowed_hosts)
    explain_faults(app)
    showing = Showing(table)
    for views in (
        table_views(showing),
        act_views(showing),
        setup_views(showing),
        game_views(showing),
        calibrate_views(table),
        teach_views(table),
        about_views(table),
        compare_views(),
        language_views(),
    ):
        app.register_blueprint(views)
    if table.diagnostics is not None:
        app.register_blueprint(diagnostic_views(table.diagnostics))
    if table.event is not None:
        app.register_blueprint(event_views(showing, table.event))
    return app
