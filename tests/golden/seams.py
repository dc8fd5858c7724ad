"""The one place that imports the code: games put into a store, and a hub whose hour is set.

Everything else of this package speaks the command line, HTTP, the notation, JSON or SQLite.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from random import Random
from typing import Final

import click
from flask import Flask

from scoreboard.games.notation import replay_text
from scoreboard.storage import open_store
from scoreboard.tournament.storage.hub_store import open_hub_store
from web.__main__ import tablescore
from web.hub.app import create_hub_app
from web.hub.hub import HubSettings
from web.hub.startup import hub_of

EVENING: Final = datetime(2026, 11, 21, 19, 30, tzinfo=UTC)
SECRET: Final = "what a golden hub signs with"  # noqa: S105 -- of a hub that nobody runs
HOST: Final = "hub.example"
COMMANDS: Final[click.Group] = tablescore


@dataclass
class Clock:
    """A clock that stands still until it is set."""

    now: datetime = EVENING

    def __call__(self) -> datetime:
        return self.now

    def tick(self) -> None:
        self.now += timedelta(seconds=1)


def fill_store(path: Path, games: Mapping[str, str]) -> None:
    """Keep games of these ids, written in the notation, in a database of games."""
    with closing(open_store(f"sqlite:///{path}")) as store:
        for number, (game_id, text) in enumerate(games.items()):
            played = replay_text(text, game_id)
            opened = EVENING + timedelta(minutes=number)
            store.open_game(replace(played.header, opened_at=opened))
            store.append(game_id, 0, played.records)


@contextmanager
def hub_app(path: Path, clock: Clock) -> Iterator[Flask]:
    """The pages of a hub over this database; nothing in them is left to chance but codes."""
    with closing(open_hub_store(f"sqlite:///{path}")) as store:
        secret = store.people.session_secret(SECRET)
        hub = hub_of(store, HubSettings(f"http://{HOST}", frozenset({HOST})), clock)
        yield create_hub_app(replace(hub, chance=Random(7)), secret)
