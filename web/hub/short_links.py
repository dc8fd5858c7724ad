"""Short addresses of players' pages, for who types: `/p/ACDEF-34679`."""

from __future__ import annotations

from collections.abc import Mapping
from threading import Lock
from typing import Any

from flask import Blueprint, abort, request, url_for
from werkzeug.wrappers import Response as AnyResponse

from scoreboard.tournament.hub.tournament_service import TournamentService
from scoreboard.tournament.model.tournament import Tournament
from web.hub.credentials import Keys
from web.hub.forms import back
from web.hub.hub import Hub, public_address


def player_links(hub: Hub, tournament_id: str, state: Tournament) -> dict[int, tuple[str, str]]:
    """The address of every player's page, long and short, by entry number."""
    here, found = public_address(hub.house, request.host_url), {}
    for number, name in state.entered_as.items():
        at: dict[str, Any] = {"tournament_id": tournament_id, "number": number}
        at |= {"key": hub.keys.player(tournament_id, number, name)}
        code = hub.keys.short(tournament_id, number, name)
        long, short = url_for("player.show", **at), url_for("short.lead", code=code)
        found[number] = (here + long, here + short)
    return found


class ShortLinks:
    """Which player a code is for; the codes of an event are worked out once. Safe for threads."""

    def __init__(self, keys: Keys, service: TournamentService) -> None:
        self._keys = keys
        self._service = service
        self._lock = Lock()
        self._kept: dict[str, tuple[object, Mapping[str, int]]] = {}

    def find(self, code: str) -> tuple[str, int] | None:
        """Event and entry number of the player with this code; None for an unknown one."""
        typed = "".join(sign for sign in code.upper() if sign.isalnum())
        for snapshot in self._service.tournaments():
            tournament_id, state = snapshot.header.tournament_id, snapshot.state
            if (number := self._codes(tournament_id, state).get(typed)) is not None:
                return tournament_id, number
        return None

    def _codes(self, tournament_id: str, state: Tournament) -> Mapping[str, int]:
        with self._lock:
            basis, codes = self._kept.get(tournament_id, (None, {}))
            if basis != (state.entrants, state.holders):
                codes = {
                    self._keys.short(tournament_id, number, name).replace("-", ""): number
                    for number, name in state.entered_as.items()
                }
                self._kept[tournament_id] = (state.entrants, state.holders), codes
            return codes


def short_views(hub: Hub) -> Blueprint:
    """`/p/<code>`, which leads to a player's own page; QR codes have it in capitals."""
    views = Blueprint("short", __name__)
    links = ShortLinks(hub.keys, hub.service)

    @views.get("/P/<code>")
    @views.get("/p/<code>")  # the first, which addresses are made of
    def lead(code: str) -> AnyResponse:
        tournament_id, number = links.find(code) or abort(404)
        name = hub.service.snapshot(tournament_id).state.entered_as[number]
        key = hub.keys.player(tournament_id, number, name)
        return back("player.show", tournament_id=tournament_id, number=number, key=key)

    return views
