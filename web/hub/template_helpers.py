"""What the hub's templates may say and ask beside what every page may."""

from __future__ import annotations

from datetime import datetime
from typing import Final

from babel.dates import format_time
from flask import Flask, request
from flask_babel import get_locale

from scoreboard.games import GAMES
from scoreboard.message import Message, message
from scoreboard.tournament.model.disputes import objection_told
from scoreboard.tournament.model.entries import replacement_told
from scoreboard.tournament.model.scores import shown_points
from scoreboard.tournament.model.tiebreaks import TIEBREAKS
from web.hub.hub import Hub
from web.hub.public_address import public_address
from web.hub.qr_code import qr_code
from web.hub.sent_form import sent_form
from web.hub.steps import coming_players, round_name, standing_now
from web.hub.visitors import visitor

KEY_DIGITS: Final = 16  # of the hub's key, as people compare it
FORMAT_NAMES: Final[tuple[Message, ...]] = (
    message("Blind high score"),
    message("Club evening"),
    message("Double knockout"),
    message("Knockout"),
    message("League"),
    message("Round robin"),
    message("Rummikub national"),
    message("Tong Tong cup"),
    message("Yahtzee duel Swiss"),
    message("Yahtzee evening"),
)


def add_helpers(app: Flask, hub: Hub) -> None:
    """Let the templates print points, squares, rounds, and know who reads them."""
    app.jinja_env.globals.update(
        address=lambda: public_address(hub.house, request.host_url),
        coming_players=coming_players,
        format_name=format_name,
        games=GAMES,
        house=hub.house,
        objection_told=objection_told,
        replacement_told=replacement_told,
        key_id=hub.service.key[:KEY_DIGITS],
        round_name=round_name,
        sent_form=sent_form,
        shown_points=shown_points,
        square=qr_code,
        standing_now=standing_now,
        tiebreaks=TIEBREAKS,
        visitor=lambda: visitor(hub),
    )
    app.jinja_env.filters["time_of_day"] = time_of_day


def format_name(name: str) -> Message | str:
    """A format's name: those of ours in the reader's language, a director's own as it is."""
    return next((each for each in FORMAT_NAMES if each.template == name), name)


def time_of_day(at: datetime) -> str:
    """A time of today as the reader writes it, in this machine's time zone."""
    return str(format_time(at.astimezone(), "HH:mm", locale=get_locale() or "en"))
