"""The pages of the game on the table."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from web.table.parts import StaleError
from web.table.play.actions import act_views, phone_views
from web.table.play.coach import coach_views
from web.table.play.setup import setup_views
from web.table.play.table_page import Extras, Showing, big_screen_views, table_views
from web.table.play.table_words import link_words
from web.table.play.tournament import tournament_views
from web.table.scoreboard_strip import name_size

if TYPE_CHECKING:
    from flask import Flask

    from scoreboard.tournament.client.tournament_client import TournamentClient
    from web.table.parts import Parts
    from web.table.play.win_chances import WinChances


@dataclass(frozen=True, slots=True)
class PlayWing:
    """The game on the table, and the `extras` of its page.

    `tournament` is None where the table has no place to remember one, `chances` where the big
    screen shows none. Pages speak if it `speaks`, KEEP held for `long_press` seconds is REROLL.
    """

    extras: Extras
    tournament: TournamentClient | None = None
    chances: WinChances | None = None
    speaks: bool = True
    long_press: float | None = None

    def add_to(self, app: Flask, parts: Parts) -> None:
        app.jinja_env.globals.update(
            name_size=name_size,
            joins=self.tournament is not None,
            at_event=lambda: parts.session.view.event is not None,
            link_words=link_words,
            speaks=self.speaks,
            long_press=self.long_press,
        )
        showing = Showing(parts, self.extras)
        app.register_error_handler(StaleError, showing.stale)
        for views in (
            table_views(showing),
            big_screen_views(parts, self.extras, self.chances),
            act_views(showing),
            setup_views(showing),
            coach_views(parts, self.extras.coach),
        ):
            app.register_blueprint(views)
        if (phone := self.extras.camera.phone) is not None:
            app.register_blueprint(phone_views(showing, phone))
        if self.tournament is not None:
            app.register_blueprint(tournament_views(showing, self.tournament))
