"""The hub's pages as a WSGI application."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final

from flask import Blueprint, Flask
from jinja2 import ChoiceLoader, FileSystemLoader
from werkzeug.middleware.proxy_fix import ProxyFix

from web.hub.access_control import guard
from web.hub.faults import explain_faults, page_words
from web.hub.hub import Hub
from web.hub.limits import door_limits
from web.hub.template_helpers import add_helpers
from web.hub.views.api import api_views
from web.hub.views.board import board_views
from web.hub.views.desk import desk_views
from web.hub.views.doors import door_views
from web.hub.views.entries import entry_views
from web.hub.views.event import event_views
from web.hub.views.events import events_views
from web.hub.views.exports import export_views
from web.hub.views.finish import ending_views
from web.hub.views.language import language_views
from web.hub.views.live import live_views
from web.hub.views.people import people_views
from web.hub.views.player import player_views
from web.hub.views.results import result_views
from web.hub.views.rounds import round_views
from web.hub.views.scores import score_views
from web.hub.views.sheets import sheet_views
from web.hub.views.tables import table_views
from web.words import teach

WEB: Final = Path(__file__).parents[1]
VIEWS: Final = (
    api_views,
    board_views,
    desk_views,
    door_views,
    ending_views,
    entry_views,
    event_views,
    events_views,
    export_views,
    live_views,
    people_views,
    player_views,
    result_views,
    round_views,
    score_views,
    sheet_views,
    table_views,
)


class HubApp(Flask):
    """The application, whose log tells no secret that an address holds."""

    def log_exception(self, exc_info: Any) -> None:
        """Log a fault of ours; Flask would write the address down, a player's key included."""
        self.logger.error("Exception at %s", page_words(), exc_info=exc_info)


def create_hub_app(hub: Hub, secret: str) -> Flask:
    """Make the pages of that hub; `secret` signs the sessions. Nothing is started here."""
    app = HubApp(__name__)
    app.secret_key = secret
    app.jinja_loader = ChoiceLoader(
        [FileSystemLoader(WEB / "hub" / "templates"), FileSystemLoader(WEB / "table" / "templates")]
    )
    teach(app)
    add_helpers(app, hub)
    guard(app, hub)
    explain_faults(app)
    app.register_blueprint(_look())
    app.register_blueprint(language_views())
    for views in VIEWS:
        app.register_blueprint(views(hub))
    door_limits(app)
    if hub.house.behind_proxy:
        app.wsgi_app = ProxyFix(app.wsgi_app, x_for=1, x_proto=1)  # type: ignore[method-assign]
    return app


def _look() -> Blueprint:
    """The look that the hub shares with the table: its style and its icon."""
    return Blueprint(
        "look", __name__, static_folder=WEB / "table" / "static", static_url_path="/look"
    )
