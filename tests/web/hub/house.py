"""A hub with a store in a temporary folder, and browsers of those who come to it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from random import Random
from typing import Any
from urllib.parse import urlsplit

from argon2 import PasswordHasher
from flask.testing import FlaskClient
from werkzeug.exceptions import HTTPException
from werkzeug.test import TestResponse

from scoreboard.tournament.hub.admission import Admission
from scoreboard.tournament.hub.registry import Registrar
from scoreboard.tournament.hub.snapshot import TournamentSnapshot
from scoreboard.tournament.hub.table_api import TableApi
from scoreboard.tournament.hub.tournament_service import TournamentService
from scoreboard.tournament.model.entrant import Entrant
from scoreboard.tournament.model.entries import Enter
from scoreboard.tournament.model.formats import FORMATS
from scoreboard.tournament.model.results import ReportResult
from scoreboard.tournament.model.rounds import DrawRound, StartRound
from scoreboard.tournament.model.scores import GameScores, Score
from scoreboard.tournament.model.tournament import Command, Round, Tournament
from scoreboard.tournament.model.tournament_format import TournamentFormat
from scoreboard.tournament.protocol.audit_log import Account, AccountRole, Actor
from scoreboard.tournament.storage.hub_store import SqlHubStore
from tests.scoreboard.tournament.hub.halls import KEY
from tests.scoreboard.tournament.storage.temporary import temporary_store
from web.hub.app import create_hub_app
from web.hub.credentials import Keys, Passwords
from web.hub.forms import newest_seen
from web.hub.hub import Hub, HubSettings, RoundClocks, Viewers
from web.hub.rankings import Rankings
from web.shared.faults import PageRule

OWN = {"Origin": "http://localhost"}
PASSWORD = "four plain small words"  # noqa: S105 -- of an account that lives in a test
SECRET = "the secret of this test"  # noqa: S105 -- likewise
QUICK = PasswordHasher(time_cost=1, memory_cost=8, parallelism=1)
NAMES = ("Anna", "Boris", "Chen", "Dora", "Emil", "Fatma", "Gita", "Hugo")
DIRECTOR = Actor("director", "Dana")
SCORES = (30, -5, -10, -15)


@dataclass
class Clock:
    """A clock that a test sets."""

    now: datetime = datetime(2026, 11, 22, 18, 0, tzinfo=UTC)

    def __call__(self) -> datetime:
        """The time."""
        return self.now

    def pass_by(self, **time: float) -> None:
        """Let time pass."""
        self.now += timedelta(**time)


@dataclass
class Hall:
    """A hub as a test meets it: its parts, and browsers."""

    viewers: Viewers = "open"
    viewer_limit: int = 2
    address: str = "http://localhost"
    hasher: PasswordHasher = QUICK
    secret: str = SECRET
    clock: Clock = field(default_factory=Clock)
    store: SqlHubStore = field(default_factory=temporary_store)

    def __post_init__(self) -> None:
        self.service = TournamentService(self.store, self.clock, KEY)
        admission = Admission(self.store.people, self.clock, Random(1))
        table_api = TableApi(self.store, self.service, admission, self.clock)
        settings = HubSettings(
            address=self.address,
            named=bool(urlsplit(self.address).path),
            allowed_hosts=frozenset({"localhost", "127.0.0.1"}),
            viewers=self.viewers,
            viewer_limit=self.viewer_limit,
        )
        self.hub = Hub(
            store=self.store,
            service=self.service,
            admission=admission,
            table_api=table_api,
            settings=settings,
            keys=Keys(self.secret),
            passwords=Passwords(self.hasher),
            round_clocks=RoundClocks(self.service),
            rankings=Rankings(),
            registrar=Registrar(self.store, self.service),
            clock=self.clock,
            chance=Random(7),
        )
        self.app = create_hub_app(self.hub, self.secret)
        self.app.extensions["hub"] = self.hub  # for the browsers' hidden fields

    def account(self, name: str, role: AccountRole) -> None:
        """Somebody who may sign in."""
        self.store.people.add_account(Account(name, role, self.hub.passwords.hashed(PASSWORD)))

    def browser(self, role: AccountRole | None = None) -> Browser:
        """A browser, signed in where a role is named."""
        browser = Browser(self.app.test_client())
        if role is not None:
            name = {"director": "Dana", "referee": "Rolf"}[role]
            if self.store.people.account(name) is None:
                self.account(name, role)
            assert browser.post("/sign-in", name=name, password=PASSWORD).status_code == 303
        return browser

    def event(self, form: TournamentFormat = FORMATS["club-evening"], entrants: int = 8) -> str:
        """An event with entrants, by its id."""
        made = self.service.open("Winter evening", form, DIRECTOR)
        commands = [
            Enter(Entrant(number, name)) for number, name in enumerate(NAMES[:entrants], start=1)
        ]
        self.service.give_all(made, commands, DIRECTOR)
        return made

    def started(self, form: TournamentFormat = FORMATS["club-evening"], entrants: int = 8) -> str:
        """An event whose first round is being played, by its id."""
        made = self.event(form, entrants)
        self.give(made, DrawRound(1), StartRound())
        return made

    def give(self, tournament_id: str, *commands: Command) -> TournamentSnapshot:
        """Commands of the director."""
        return self.service.give_all(tournament_id, commands, DIRECTOR)

    def state(self, tournament_id: str) -> Tournament:
        """The event as it stands."""
        return self.service.snapshot(tournament_id).state

    def last_round(self, tournament_id: str) -> Round:
        """The round drawn last."""
        last = self.state(tournament_id).last_round
        assert last is not None
        return last

    def seats(self, tournament_id: str, table: int = 1) -> tuple[int, ...]:
        """Who sits at a table of the round drawn last."""
        return self.last_round(tournament_id).draw.tables[table - 1].seats

    def results(
        self, tournament_id: str, scores: Sequence[int] = SCORES, game: int = 1
    ) -> list[ReportResult]:
        """A result of each table of the round drawn last, the same by seat at all of them."""
        last = self.last_round(tournament_id)
        return [
            ReportResult(
                last.number, at.number, game, GameScores(tuple(map(Score, at.seats, scores)))
            )
            for at in last.draw.tables
        ]

    def own_page(self, tournament_id: str, number: int) -> str:
        """The address of an entrant's own page."""
        key = self.hub.keys.player(tournament_id, number, NAMES[number - 1])
        return f"/p/{tournament_id}/{number}/{key}"


@dataclass
class Browser:
    """Somebody's browser: what it posts comes from a page of the hub itself."""

    client: FlaskClient

    def get(self, path: str, **headers: str) -> TestResponse:
        """Open a page."""
        return self.client.get(path, headers=headers)

    def post(self, path: str, /, **fields: Any) -> TestResponse:
        """Send a form of a page."""
        return self.post_form(path, fields)

    def post_form(self, path: str, fields: Mapping[str, Any]) -> TestResponse:
        """Send a form whose fields' names are no words of Python, from the page as it is now."""
        return self.client.post(path, data={**self.seen(path), **fields}, headers=OWN)

    def seen(self, path: str) -> dict[str, int]:
        """The hidden field of the form with this address on the newest page; empty without one."""
        app = self.client.application
        try:
            place = path.partition("?")[0]
            rule, asked = app.url_map.bind("localhost").match(place, "POST", return_rule=True)
            assert isinstance(rule, PageRule)
            number = newest_seen(app.extensions["hub"], rule.seen, asked.get("tournament_id", ""))
        except (HTTPException, LookupError):
            return {}
        return {} if number is None else {"seen": number}
