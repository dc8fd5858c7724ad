"""The family's page: who leads this year, what goes on between them, and the last game again."""

from __future__ import annotations

from flask import Blueprint, render_template

from scoreboard.storage.family import people, rivalries
from scoreboard.storage.finished_games import GameKind
from web.table.history.archive import Archive
from web.table.history.evening import Evenings
from web.table.parts import Parts


def home_views(parts: Parts, archive: Archive, evenings: Evenings) -> Blueprint:
    """`/home`."""
    views = Blueprint("home", __name__)

    @views.get("/home", right="guest")
    def show() -> str:
        finished, year = parts.store.finished, f"{parts.clock().astimezone():%Y}"
        everybody, evening = people(finished), evenings.of(None)
        last = evening.games[-1] if evening else None
        return render_template(
            "home.html",
            stage=parts.session.view.stage,
            year=year,
            of_year=people(finished, GameKind(season=year)),
            everybody=everybody,
            rivals=rivalries(everybody.values()),
            last=last,
            again=parts.store.header(last.game_id) if last else None,
            photo=max(archive.pictured(last.game_id), default=None) if last else None,
        )

    return views
