"""Short addresses of players' pages, for typing: `/p/ACDEF-34679`."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Any, Final
from urllib.parse import urljoin

from flask import Blueprint, request, url_for
from werkzeug.exceptions import NotFound
from werkzeug.wrappers import Response as AnyResponse

from scoreboard.tournament.hub.admission import read_code
from scoreboard.tournament.model.tournament import Tournament
from web.hub.forms import back
from web.hub.hub import Hub, public_address

EVENTS_KEPT: Final = 128


def player_links(hub: Hub, tournament_id: str, state: Tournament) -> dict[int, tuple[str, str]]:
    """The address of every player's page, long and short, by entry number."""
    here, found = public_address(hub.settings, request.host_url), {}
    for number, name in state.entered_as.items():
        at: dict[str, Any] = {"tournament_id": tournament_id, "number": number}
        at |= {"key": hub.keys.player(tournament_id, number, name)}
        code = hub.keys.short(tournament_id, number, name)
        long, short = url_for("player.show", **at), url_for("short.lead", code=code)
        found[number] = (urljoin(here, long), urljoin(here, short))
    return found


def short_views(hub: Hub) -> Blueprint:
    """`/p/<code>`, which leads to a player's own page; QR codes have it in capitals."""
    views = Blueprint("short", __name__)

    @lru_cache(EVENTS_KEPT)
    def codes(tournament_id: str, names: tuple[tuple[int, str], ...]) -> Mapping[str, int]:
        """The entry number of each code of an event; thousands are not worked out every time."""
        return {
            hub.keys.short(tournament_id, number, name).replace("-", ""): number
            for number, name in names
        }

    @views.get("/P/<code>", right="anyone")
    @views.get("/p/<code>", right="anyone")  # the first, which addresses are made of
    def lead(code: str) -> AnyResponse:
        typed = read_code(code).replace("-", "")
        for snapshot in hub.service.tournaments():
            tournament_id, names = snapshot.header.tournament_id, snapshot.state.entered_as
            number = codes(tournament_id, tuple(names.items())).get(typed)
            if number is not None:
                key = hub.keys.player(tournament_id, number, names[number])
                return back("player.show", tournament_id=tournament_id, number=number, key=key)
        raise NotFound

    return views
