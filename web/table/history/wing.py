"""The pages of earlier games."""

from __future__ import annotations

from dataclasses import dataclass

from flask import Flask

from web.shared.words import spoken_day
from web.table.history import games
from web.table.history.archive import Archive
from web.table.history.evening import Evenings
from web.table.history.evening_pages import evening_views
from web.table.history.statistics import Statistics
from web.table.history.statistics_pages import home_views, statistics_views
from web.table.parts import Parts


@dataclass(frozen=True, slots=True)
class HistoryWing:
    """Earlier games; `device_name` names who confirmed a step, `coaches` is where hints may be."""

    archive: Archive
    statistics: Statistics
    device_name: games.DeviceName
    coaches: games.Coaches

    def add_to(self, app: Flask, parts: Parts) -> None:
        evenings = Evenings(parts.store, self.statistics)
        app.jinja_env.globals.update(
            profile_of=lambda name: parts.known().get(name),
            spoken=lambda at: spoken_day(at, parts.clock()),
        )
        for views in (
            home_views(parts, self.archive, evenings),
            games.game_views(parts, self.archive),
            games.best_views(parts, self.archive, self.coaches),
            games.lay_views(parts),
            games.log_views(parts, self.archive, self.device_name),
            games.archive_views(parts, self.archive),
            evening_views(self.archive, evenings),
            statistics_views(self.statistics),
        ):
            app.register_blueprint(views)
