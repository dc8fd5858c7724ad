"""The big screen: everything that players look up, large, and nothing to press.

It is drawn from the table page's view and follows its stream of states.
"""

from __future__ import annotations

from functools import partial
from typing import Any

from flask import Blueprint, Response, render_template, request

from web.shared.addresses import is_loopback
from web.shared.live import event_stream
from web.shared.qr_code import qr_code
from web.shared.security import host_name
from web.table.parts import Parts
from web.table.play.table_page import Beside, Showing, states
from web.table.play.win_chances import WinChances
from web.table.scoreboard_strip import player_tiles


def big_screen_views(parts: Parts, beside: Beside, win_chances: WinChances | None) -> Blueprint:
    """`/tv`, `/tv/live`, `/tv/join` and `/tv/chances`."""
    views = Blueprint("tv", __name__)
    showing = Showing(parts, beside, "tv_live.html", alike=True)

    @views.get("/tv", right="watcher")
    def show() -> str:
        state = showing.document(parts.session.view)
        return render_template(
            "tv_page.html",
            state=state,
            shows_chances=win_chances is not None,
            **_chances(parts, win_chances),
            **joining(parts),
        )

    @views.get("/tv/join", right="watcher")
    def join() -> str:
        return render_template("tv_join.html", **joining(parts))

    @views.get("/tv/chances", right="watcher")
    def chances() -> str:
        return render_template("tv_chances.html", **_chances(parts, win_chances)).strip()

    @views.get("/tv/live", right="watcher")
    def live() -> Response:
        return event_stream(parts.watch, partial(states, showing))

    return views


def _chances(parts: Parts, win_chances: WinChances | None) -> dict[str, Any]:
    """The chances to win, and everybody's colour."""
    tiles = player_tiles(parts.session.view.scoresheet, parts.known())
    tile_of = {tile.name: tile for tile in tiles}
    newest = None if win_chances is None else win_chances.newest
    if newest is not None and any(each.name not in tile_of for each in newest.players):
        newest = None  # the table has just gone on to another game
    return {"chances": newest, "tile_of": tile_of}


def joining(parts: Parts) -> dict[str, Any]:
    """The screen's data for joining by phone.

    It is the address under which this screen itself was opened, which is known to work. A screen at
    the table's own machine shows the first one of the network, and `follows` it: a network may come
    after the screen was opened. `open` is false if the table serves this machine alone.
    """
    # whoever comes by it may watch: a code of `/devices` lasts two minutes, and is for one device
    follows = is_loopback(host_name(request.host))
    address = next(iter(parts.addresses()), None) if follows else request.host_url
    return {
        "follows": follows,
        "open": parts.facts.open_to_network or address is not None,
        "address": address,
        "code": None if address is None else qr_code(address),
    }
