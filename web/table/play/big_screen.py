"""The big screen: everything that players look up, large, and nothing to press.

It is drawn from the same view as the table page and follows it over the same stream of states.
"""

from __future__ import annotations

from functools import partial
from typing import Any

from flask import Blueprint, Response, render_template, request

from web.shared.addresses import is_loopback
from web.shared.live import event_stream
from web.shared.qr_code import qr_code
from web.shared.security import host_name
from web.table.play.table_page import Showing, Table, states
from web.table.scoreboard_strip import player_tiles


def big_screen_views(table: Table) -> Blueprint:
    """`/tv`, `/tv/live`, `/tv/join` and `/tv/chances`."""
    views = Blueprint("tv", __name__)
    showing = Showing(table, "tv_live.html", alike=True)

    @views.get("/tv")
    def show() -> str:
        state = showing.document(table.session.view)
        return render_template(
            "tv_page.html",
            state=state,
            shows_chances=table.chances is not None,
            **_chances(table),
            **joining(table),
        )

    @views.get("/tv/join")
    def join() -> str:
        return render_template("tv_join.html", **joining(table))

    @views.get("/tv/chances")
    def chances() -> str:
        return render_template("tv_chances.html", **_chances(table)).strip()

    @views.get("/tv/live")
    def live() -> Response:
        return event_stream(table.watch, partial(states, showing))

    return views


def _chances(table: Table) -> dict[str, Any]:
    """The chances to win, and everybody's colour."""
    tiles = player_tiles(table.session.view.scoresheet, table.known())
    tile_of = {tile.name: tile for tile in tiles}
    newest = None if table.chances is None else table.chances.newest
    if newest is not None and any(each.name not in tile_of for each in newest.players):
        newest = None  # the table has just gone on to another game
    return {"chances": newest, "tile_of": tile_of}


def joining(table: Table) -> dict[str, Any]:
    """What the screen shows of where a phone joins.

    It is the address under which this screen itself was opened, which is known to work. A screen
    at the table's own machine shows the first one of the network, and `follows` it: a network may
    come after the screen was opened. `open` is false where the table serves this machine alone.
    """
    # whoever comes by it may watch: a code of `/devices` lasts two minutes, and is for one device
    follows = is_loopback(host_name(request.host))
    address = next(iter(table.addresses()), None) if follows else request.host_url
    return {
        "follows": follows,
        "open": table.facts.open_to_network or address is not None,
        "address": address,
        "code": None if address is None else qr_code(address),
    }
