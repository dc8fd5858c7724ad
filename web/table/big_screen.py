"""The big screen: everything that players look up, large, and nothing to press.

It is drawn from the same view as the table page and follows it over the same stream of states.
"""

from __future__ import annotations

from functools import partial

from flask import Blueprint, Response, render_template, request

from web.addresses import is_loopback
from web.live import event_stream
from web.qr_code import qr_code
from web.security import host_name
from web.table.table_page import Showing, Table, states


def big_screen_views(table: Table) -> Blueprint:
    """`/tv` and `/tv/live`."""
    views = Blueprint("tv", __name__)
    showing = Showing(table, "tv_live.html", alike=True)

    @views.get("/tv")
    def show() -> str:
        address = joining_address(table)
        return render_template(
            "tv_page.html",
            state=showing.document(table.session.view),
            address=address,
            code=None if address is None else qr_code(address),
        )

    @views.get("/tv/live")
    def live() -> Response:
        return event_stream(table.live.watch, partial(states, showing))

    return views


def joining_address(table: Table) -> str | None:
    """What a phone opens to join; None where no other device reaches the table.

    It is the address under which this screen itself was opened, which is known to work: a screen
    at the table's own machine shows the first one of the network.
    """
    # whoever comes by it may watch: a code of `/devices` lasts two minutes, and is for one device
    if is_loopback(host_name(request.host)):
        return next(iter(table.addresses()), None)
    return request.host_url
