"""What the pages need of a hub, and what its host settled."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime
from random import Random
from typing import Literal

from scoreboard.tournament.hub.admission import Admission
from scoreboard.tournament.hub.ports import HubStore
from scoreboard.tournament.hub.table_api import TableApi
from scoreboard.tournament.hub.tournament_service import TournamentService
from web.hub.keys import Keys
from web.hub.passwords import Passwords
from web.hub.rankings import Rankings
from web.hub.round_clock import RoundClocks

Viewers = Literal["open", "code"]


@dataclass(frozen=True, slots=True)
class HubSettings:
    """What the host settled: who may look, and by which addresses the hub is called.

    `address` is what others type, with the scheme and without a slash at its end; `named` says
    that the host gave it. `behind_proxy` believes what a proxy before the hub says of the caller.
    """

    address: str
    allowed_hosts: frozenset[str]
    viewers: Viewers = "open"
    named: bool = False
    behind_proxy: bool = False
    viewer_limit: int = 500


@dataclass(frozen=True, slots=True)
class Hub:
    """All that the pages call; made once a process."""

    store: HubStore
    service: TournamentService
    admission: Admission
    table_api: TableApi
    house: HubSettings
    keys: Keys
    passwords: Passwords
    beginnings: RoundClocks
    rankings: Rankings
    clock: Callable[[], datetime]
    chance: Random = field(compare=False)
