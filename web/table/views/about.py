"""What this table is, what of it is simulated, and who may act."""

from __future__ import annotations

from flask import Blueprint, render_template

import web
from web.table.ports import Table


def about_views(table: Table) -> Blueprint:
    """`/about`."""
    views = Blueprint("about", __name__)

    @views.get("/about")
    def show() -> str:
        return render_template(
            "about.html",
            facts=table.facts,
            version=web.__version__,
            addresses=table.addresses(),
            limit=table.live.viewer_limit,
        )

    return views
