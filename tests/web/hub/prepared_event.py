"""A club evening in the middle of its second round, and a hub that serves it."""

from __future__ import annotations

import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from random import Random

from argon2 import PasswordHasher

from scoreboard.tournament.hub.snapshot import TournamentSnapshot
from scoreboard.tournament.hub.tournament_service import TournamentService
from scoreboard.tournament.model.disputes import AwardPenalty, Dispute, Sign
from scoreboard.tournament.model.entrant import Entrant
from scoreboard.tournament.model.entries import Enter, SetSignUp, SignUp
from scoreboard.tournament.model.formats import FORMATS
from scoreboard.tournament.model.results import ReportResult
from scoreboard.tournament.model.rounds import CloseRound, DrawRound, StartRound
from scoreboard.tournament.model.scores import GameScores, Score
from scoreboard.tournament.model.season import Season
from scoreboard.tournament.model.tournament import Command, SignUpSet
from scoreboard.tournament.protocol.audit_log import Account, Actor
from scoreboard.tournament.storage.hub_store import SqlHubStore
from scoreboard.tournament.storage.unrecorded import THE_EVENT
from tests.scoreboard.tournament.hub.halls import KEY
from tests.web.serving import remembered, server_of
from web.hub.app import create_hub_app
from web.hub.credentials import Keys, Passwords
from web.hub.hub import HubSettings
from web.hub.startup import hub_of, secret_of

DIRECTOR = Actor("director", "Director")
PASSWORD = "four plain small words"  # noqa: S105 -- of an account that nobody keeps
CLUBS = ("Harbour", "Hill", "Mill", "Bridge")
QUICK = PasswordHasher(time_cost=1, memory_cost=8, parallelism=1)


@dataclass(frozen=True, slots=True)
class Prepared:
    """An event by its id, and where one of its players looks."""

    event: str
    player: str


def prepare(store: SqlHubStore, names: Sequence[str]) -> Prepared:
    """Lead an event of sixteen to the middle of its second round; one result is disputed."""
    service, chance = TournamentService(store, now, KEY), Random(4)
    hashed = Passwords(QUICK).hashed(PASSWORD)
    store.people.add_account(Account(DIRECTOR.name, "director", hashed))
    made = service.open("Autumn evening", FORMATS["club-evening"], DIRECTOR)
    people = enumerate(names, start=1)
    entrants = [Entrant(number, name, CLUBS[number % 4]) for number, name in people]
    service.give_all(made, [*map(Enter, entrants), DrawRound(7), StartRound()], DIRECTOR)
    for table in range(1, 5):
        for game in (1, 2):
            service.give_all(
                made, signed_game(service.snapshot(made), table, game, chance), DIRECTOR
            )
    service.give_all(made, [CloseRound(), DrawRound(8), StartRound()], DIRECTOR)
    service.give_all(made, signed_game(service.snapshot(made), 1, 1, chance), DIRECTOR)
    service.give_all(made, signed_game(service.snapshot(made), 3, 1, chance)[:2], DIRECTOR)
    tables = service.snapshot(made).state.rounds[-1].draw.tables
    report = signed_game(service.snapshot(made), 2, 1, chance)[0]
    dispute = Dispute(2, 2, 1, tables[1].seats[1], "my rack held 12, not 21")
    service.give_all(made, [report, dispute], DIRECTOR)
    penalty = AwardPenalty(1, "points", "5/2", by="Rolf", at=now(), why="came late, twice")
    service.give_all(made, [penalty], DIRECTOR)
    sign_up = SetSignUp(SignUpSet(1, 16, "5 €, at the door", late=1))
    service.give_all(made, [sign_up, SignUp(Entrant(1, "Quentin"))], DIRECTOR)
    store.entrant_notes.keep(made, "here_as", {THE_EVENT: "open", 2: names[1]})
    store.entrant_notes.keep(made, "note", {3: "asked for a quiet table"})
    store.players.keep_season(Season(0, "Winter season", (made,), "25 18 15"))
    player = tables[2].seats[2]
    key = Keys(secret_of(store)).player(made, player, names[player - 1])
    return Prepared(made, f"/p/{made}/{player}/{key}")


def now() -> datetime:
    """The time in UTC."""
    return datetime.now(UTC)


def signed_game(
    snapshot: TournamentSnapshot, table: int, game: int, chance: Random
) -> list[Command]:
    """A game of the last round at a table, that everyone signs."""
    played = snapshot.state.rounds[-1]
    seats = played.draw.tables[table - 1].seats
    lost = [chance.randint(3, 60) for _ in seats[1:]]
    winner = chance.randrange(len(seats))
    figures = [-each for each in lost]
    figures.insert(winner, sum(lost))
    scores = GameScores(tuple(map(Score, seats, figures)))
    report = ReportResult(played.number, table, game, scores)
    return [report, *(Sign(played.number, table, game, each) for each in seats)]


@contextmanager
def served(store: SqlHubStore) -> Iterator[str]:
    """A hub over that store, at this address."""
    server = server_of(_nothing)
    address = f"http://127.0.0.1:{server.server_port}"
    hub = hub_of(store, HubSettings(address, frozenset({"127.0.0.1"})), now)
    server.app = remembered(create_hub_app(hub, secret_of(store)))
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    yield address
    store.change_feed.close()
    server.shutdown()
    thread.join()
    server.server_close()


def _nothing(*_: object) -> list[bytes]:
    """What answers before the address, and with it the application, is known."""
    return []
