"""A finished game as the link by which the app BG Stats takes in a play.

The format is that of https://www.bgstatsapp.com/support/push-plays-to-bg-stats-from-other-apps-or-
websites/ (version 3.3.2 or higher); nothing is sent by the table: a person opens the link.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from datetime import UTC
from typing import Final
from urllib.parse import quote

from scoreboard.games import GAMES
from scoreboard.games.finished import FinishedGame

CREATE_PLAY: Final = "https://app.bgstatsapp.com/createPlay.html?data="


def create_play_link(parts: Sequence[FinishedGame], beginner: int) -> str:
    """The link for a finished game, from each player's part of it and the beginner's seat.

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
