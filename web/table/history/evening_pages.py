"""The page of an evening, the picture of it that is shared, and a game's race and link."""

from __future__ import annotations

import json
from collections.abc import Sequence
from datetime import UTC
from http import HTTPStatus
from typing import Final
from urllib.parse import quote

from flask import Blueprint, Response, abort, render_template

from scoreboard.games import GAMES
from scoreboard.games.evening import GRADE_WORDS
from scoreboard.games.finished import FinishedGame
from scoreboard.message import Message, message
from web.shared.qr_code import qr_code
from web.shared.words import day
from web.table.history.archive import Archive
from web.table.history.evening import Evenings
from web.table.history.evening_picture import Fonts, draw_evening, evening_texts, luck_words
from web.table.parts import fault_answer


def evening_views(archive: Archive, kept: Evenings) -> Blueprint:
    """`/evening`, `/evening/2026-11-25` with its picture, and a game's race and link."""
    views, fonts = Blueprint("evening", __name__), Fonts()

    @views.get("/evening", right="guest")
    @views.get("/evening/<key>", right="guest")
    def show(key: str | None = None) -> str:
        evening = kept.of(key)
        if evening is None:
            return abort(404) if key else render_template("evening.html", evening=None)
        letters = fonts.missing(evening_texts(evening, fonts))
        return render_template(
            "evening.html",
            evening=evening,
            day=day(evening.at),
            no_font=no_font(letters) if letters else None,
            grades=GRADE_WORDS,
            luck_words=luck_words,
        )

    @views.get("/evening/<key>/evening.png", right="guest")
    def shared(key: str) -> Response:
        evening = kept.of(key) or abort(404)
        best, photo = evening.best, None
        if best is not None and best.photo_step is not None:
            photo = archive.photo(best.game_id, best.photo_step)
        drawn = draw_evening(evening, fonts, None if photo is None else photo.jpeg)
        if letters := fonts.missing(drawn.texts):
            return fault_answer(HTTPStatus.CONFLICT, no_font(letters))
        kept_as = f'inline; filename="tablescore-{evening.key}.png"'
        headers = {"Content-Disposition": kept_as}
        return Response(drawn.file(), mimetype="image/png", headers=headers)

    @views.get("/games/<game_id>/race", right="guest", on_table="watcher")
    def race(game_id: str) -> str:
        return render_template("race.html", game=kept.game(game_id) or abort(404))

    @views.get("/games/<game_id>/bg-stats", right="guest")
    def bg_stats(game_id: str) -> str:
        game = kept.game(game_id) or abort(404)
        link = create_play_link(game.parts, game.beginner)
        return render_template("bg_stats.html", game=game, link=link, code=qr_code(link))

    return views


def no_font(letters: str) -> Message:
    """The reason there is no picture of an evening, and the cure."""
    return message(
        "No font on this machine can write “{letters}”, so there is no image: install one "
        "(fonts-noto-cjk has Chinese, Japanese and Korean), or print this page from your device.",
        letters=letters,
    )


CREATE_PLAY: Final = "https://app.bgstatsapp.com/createPlay.html?data="


def create_play_link(parts: Sequence[FinishedGame], beginner: int) -> str:
    """The link for a finished game, from each player's part of it and the beginner's seat.

    The format is that of https://www.bgstatsapp.com/support/push-plays-to-bg-stats-from-other-apps-
    or-websites/ (version 3.3.2 or higher); a person opens the link, the table sends nothing.
    Names identify the players, so that BG Stats matches each of them once. `winner` and
    `startPlayer` are always set: its Android app is reported to refuse a play without.
    """
    first = parts[0]
    rulebook = GAMES[first.game]
    game = {"name": str(rulebook.title), "sourceGameId": first.game}
    # BG Stats asks for the number that is not given
    number = {} if rulebook.bgg_id is None else {"bggId": rulebook.bgg_id}
    players = [
        {
            "name": part.name,
            "sourcePlayerId": part.name,
            "winner": part.place == 1,
            "startPlayer": part.seat == beginner,
            **({} if part.total is None else {"score": part.total}),
            **({} if part.place is None else {"rank": part.place}),
        }
        for part in sorted(parts, key=lambda part: part.seat)
    ]
    play = {
        "sourceName": "Tablescore",
        "sourcePlayId": first.game_id,
        "playDate": first.finished_at.astimezone(UTC).strftime("%Y-%m-%d %H:%M:%S"),
        "game": {**game, **number, "highestWins": first.better > 0, "noPoints": False},
        "players": players,
    }
    written = json.dumps(play, ensure_ascii=False, separators=(",", ":"))
    return CREATE_PLAY + quote(written, safe="")
