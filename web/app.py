"""The page as a WSGI application, made of one table."""

from __future__ import annotations

from flask import Flask

from web.table import ExportFormat, Facts, GameStanding, GameSummary, Table

__all__ = ["ExportFormat", "Facts", "GameStanding", "GameSummary", "Table", "create_app"]


def create_app(table: Table) -> Flask:
    """Make the page of that table; nothing is started and nothing is remembered here."""
    app = Flask(__name__)
    app.extensions["tablescore"] = table
    return app
