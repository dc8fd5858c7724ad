"""The hub as its pages see it, and the settings of its host."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime
from random import Random
from typing import Any, Final, Literal
from urllib.parse import unquote, urlsplit

from flask import render_template, request

from scoreboard.tournament.hub.admission import Admission
from scoreboard.tournament.hub.registry import Registrar
from scoreboard.tournament.hub.snapshot import TournamentSnapshot
from scoreboard.tournament.hub.table_api import TableApi
from scoreboard.tournament.hub.tournament_service import TournamentService
from scoreboard.tournament.model.draw import Draw
from scoreboard.tournament.model.rounds import RoundStarted
from scoreboard.tournament.storage.hub_store import SqlHubStore
from web.hub.credentials import Keys, Passwords
from web.hub.rankings import Rankings
from web.shared.addresses import is_loopback

Viewers = Literal["open", "code"]
PLAYERS_WATCHING: Final = 300  # own pages that follow at once, a thread each; others look again


class RoundClocks:
    """Start times of rounds, each looked up once; thread-safe."""

    def __init__(self, service: TournamentService) -> None:
        self._service = service
        self._known: dict[tuple[str, int, Draw], datetime | None] = {}

    def of(self, snapshot: TournamentSnapshot) -> datetime | None:
        """When the current round began; None between rounds."""
        last = snapshot.state.last_round
        if last is None or last.phase != "running":
            return None
        key = (snapshot.header.tournament_id, last.number, last.draw)
        if key not in self._known:
            records = reversed(self._service.events(snapshot.header.tournament_id))
            start = RoundStarted(last.number)
            started = (each.recorded_at for each in records if each.event == start)
            self._known[key] = next(started, None)
        return self._known[key]


@dataclass(frozen=True, slots=True)
class HubSettings:
    """The host's settings: who may watch, and the hub's addresses.

    `address` is the one for others, with the scheme and without a slash at its end; `named`: the
    host gave it; if not, `on_network` gives the current ones: a network may come and change them.
    Callers are believed as described by these `proxies`, by address. Tables tell starts of the hub
    apart by its `life`.
    """

    address: str
    allowed_hosts: frozenset[str]
    viewers: Viewers = "open"
    named: bool = False
    proxies: tuple[str, ...] = ()
    viewer_limit: int = 500
    life: str = ""
    on_network: Callable[[], tuple[str, ...]] = tuple

    @property
    def path(self) -> str:
        return unquote(urlsplit(self.address).path)


@dataclass(frozen=True, slots=True)
class Hub:
    """The parts behind the pages; one per process."""

    store: SqlHubStore
    service: TournamentService
    admission: Admission
    table_api: TableApi
    settings: HubSettings
    keys: Keys
    passwords: Passwords
    round_clocks: RoundClocks
    rankings: Rankings
    registrar: Registrar
    clock: Callable[[], datetime]
    chance: Random = field(compare=False)


def here() -> str:
    """The path of this page for links."""
    return request.script_root + request.path


def public_address(settings: HubSettings, asked: str) -> str:
    """The hub's address for links and QR codes: the host's, else the one the visitor used.

    A visitor over this machine's own loopback gets the host's: no phone reaches loopback.
    """
    host = urlsplit(asked).hostname or ""
    if settings.named:
        return settings.address
    here = next(iter(settings.on_network()), settings.address) if is_loopback(host) else asked
    return here.rstrip("/")


def event_page(template: str, snapshot: TournamentSnapshot, **more: Any) -> str:
    """A page, sheet or live part of an event, which knows the event's state and its id."""
    known = {"snapshot": snapshot, "state": snapshot.state, "id": snapshot.header.tournament_id}
    return render_template(template, **known, **more)
