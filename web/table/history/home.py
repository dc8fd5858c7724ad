"""The family's page: who leads this year, what goes on between them, and the last game again."""

from __future__ import annotations

from flask import Blueprint, render_template

from scoreboard.storage.family import people, rivalries
from scoreboard.storage.finished_games import GameKind
from web.table.history.archive import Archive
from web.table.history.evening import Evenings
from web.table.parts import Parts

IN_PLAY = frozenset({"starting", "rolling", "choosing", "playing"})


def home_views(parts: Parts, archive: Archive, evenings: Evenings) -> Blueprint:
    """`/home`."""
    views = Blueprint("home", __name__)

    @views.get("/home", right="guest")
    def show() -> str:
        finished, now, view = parts.store.finished, parts.clock().astimezone(), parts.session.view
        everybody, evening = people(finished), evenings.of(None)
        last = evening.games[-1] if evening else None
        return render_template(
            "home.html",
            playing=view if view.stage in IN_PLAY else None,
            year=now.year,
            of_year=people(finished, GameKind(season=str(now.year))),
            everybody=everybody,
            rivals=rivalries(everybody.values()),
            evening=evening,
            last=last,
            again=parts.store.header(last.game_id) if last else None,
            photo=max(archive.pictured(last.game_id), default=None) if last else None,
        )

    return views
