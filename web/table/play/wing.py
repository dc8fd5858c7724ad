"""The pages of the game on the table."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from web.table.parts import StaleError
from web.table.play.actions import act_views, phone_views
from web.table.play.coach import coach_views
from web.table.play.event import tournament_views
from web.table.play.setup import setup_views
from web.table.play.table_page import Beside, Showing, big_screen_views, table_views
from web.table.play.table_words import link_words
from web.table.scoreboard_strip import name_size

if TYPE_CHECKING:
    from flask import Flask

    from scoreboard.tournament.client.tournament_client import TournamentClient
    from web.table.parts import Parts
    from web.table.play.win_chances import WinChances


@dataclass(frozen=True, slots=True)
class PlayWing:
    """The game on the table, and what stands `beside` it.

    `event` is None where the table has no place to remember one, `chances` where the big screen
    shows none. Pages speak if it `speaks`, KEEP held for `long_press` seconds is REROLL.
    """

    beside: Beside
    event: TournamentClient | None = None
    chances: WinChances | None = None
    speaks: bool = True
    long_press: float | None = None

    def add_to(self, app: Flask, parts: Parts) -> None:
        app.jinja_env.globals.update(
            name_size=name_size,
            joins=self.event is not None,
            link_words=link_words,
            speaks=self.speaks,
            long_press=self.long_press,
        )
        showing = Showing(parts, self.beside)
        app.register_error_handler(StaleError, showing.stale)
        for views in (
            table_views(showing),
            big_screen_views(parts, self.beside, self.chances),
            act_views(showing),
            setup_views(showing),
            coach_views(parts, self.beside.coach),
        ):
            app.register_blueprint(views)
        if (phone := self.beside.camera.phone) is not None:
            app.register_blueprint(phone_views(showing, phone))
        if self.event is not None:
            app.register_blueprint(tournament_views(showing, self.event))
