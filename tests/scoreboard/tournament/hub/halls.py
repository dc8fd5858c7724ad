"""A hub with its clock, its events and tables that have joined, for its tests."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import UTC, datetime, timedelta
from random import Random

from scoreboard.games.notation import replay_text
from scoreboard.tournament.hub.admission import Admission
from scoreboard.tournament.hub.table_api import TableApi
from scoreboard.tournament.hub.tournament_service import TournamentService
from scoreboard.tournament.model.draw import Draw, TableSeats
from scoreboard.tournament.model.entrant import Entrant
from scoreboard.tournament.model.entries import Enter
from scoreboard.tournament.model.hash_chain import SigningKey
from scoreboard.tournament.model.rounds import StartRound
from scoreboard.tournament.model.tournament import Reported
from scoreboard.tournament.model.tournament_format import TournamentFormat
from scoreboard.tournament.protocol.audit_log import Actor
from scoreboard.tournament.protocol.hub_update import JoinRequest
from scoreboard.tournament.protocol.items import (
    Delivery,
    DisputedBy,
    EventItem,
    Item,
    Opened,
    Receipt,
    SignedBy,
    body_of,
)
from scoreboard.tournament.storage.hub_store import SqlHubStore
from tests.scoreboard.tournament.model.directing import EVENING, KIM, TWO_TABLES, DrawByHand

MORNING = datetime(2026, 11, 22, 9, 0, tzinfo=UTC)
DIRECTOR = Actor("director", "Seo-yeon")
REFEREE = Actor("referee", "Kim")
KEY = SigningKey(bytes(32))


class Ticking:
    """A clock that goes on by a second whenever somebody looks at it, or as far as it is told."""

    def __init__(self) -> None:
        self._now = MORNING

    def __call__(self) -> datetime:
        self._now += timedelta(seconds=1)
        return self._now

    def pass_by(self, **units: float) -> None:
        self._now += timedelta(**units)


def entered_event(
    service: TournamentService, form: TournamentFormat = EVENING, entrants: int = 8
) -> str:
    """An event with its entries; answers its id."""
    tournament_id = service.open("Winter Open", form, DIRECTOR)
    entries = [
        Enter(Entrant(number, f"Player {number}", seed_rank=number))
        for number in range(1, entrants + 1)
    ]
    service.give_all(tournament_id, entries, DIRECTOR)
    return tournament_id


def begun_event(service: TournamentService, form: TournamentFormat = EVENING) -> str:
    """Eight players at two tables, round 1 under way."""
    tournament_id = entered_event(service, form)
    service.give_all(tournament_id, (DrawByHand(TWO_TABLES, **KIM), StartRound()), DIRECTOR)
    return tournament_id


def token_of(table: int) -> str:
    """The token of the device at a table."""
    return f"token-of-table-{table:-<40}"


def seats_of(table: int) -> tuple[int, ...]:
    """Who sits at a table of four."""
    return tuple(range(4 * table - 3, 4 * table + 1))


class Hall:
    """A hub as one process has it: its desk, its joining and its reception over a store."""

    def __init__(self, store: SqlHubStore, clock: Callable[[], datetime]) -> None:
        self.store = store
        self.service = TournamentService(store, clock, KEY)
        self.admission = Admission(store.people, clock, Random(1))
        self.table_api = TableApi(store, self.service, self.admission, clock)
        self.event = ""

    def begin(self) -> Hall:
        """Eight players at two tables, whose devices have joined; round 1 is under way."""
        self.event = begun_event(self.service)
        self.join(1, 2)
        return self

    def begin_tables(self, tables: int, form: TournamentFormat = EVENING) -> Hall:
        """Four players at each of so many tables, whose devices have joined; round 1 goes on."""
        self.event = entered_event(self.service, form, 4 * tables)
        draw = Draw(tuple(TableSeats(each, seats_of(each)) for each in range(1, tables + 1)))
        self.service.give_all(self.event, (DrawByHand(draw, **KIM), StartRound()), DIRECTOR)
        self.join(*range(1, tables + 1))
        return self

    def join(self, *tables: int) -> None:
        for table in tables:
            code = self.admission.offer_code(self.event, table)
            self.table_api.join(JoinRequest(code, f"Table {table}", token_of(table)))

    def deliver(self, table: int, game_id: str, items: Sequence[Item]) -> Receipt:
        return self.table_api.deliver(token_of(table), Delivery(game_id, tuple(items)))

    def reported(self, table: int = 1, game: int = 1) -> Reported:
        """What the event has of a table's game in round 1; fails where it has no result."""
        return self.service.snapshot(self.event).state.rounds[0].results[table, game]

    def has_result(self, table: int = 1) -> bool:
        return (table, 1) in self.service.snapshot(self.event).state.rounds[0].results


ResultAnswer = SignedBy | DisputedBy
ROUND_ONE = (1, 1, 1)


def names(entrants: Sequence[int]) -> str:
    """The players of a game, as its text has them."""
    return ", ".join(f"Player {entrant}" for entrant in entrants)


def entered_text(entrants: Sequence[int], *rounds: str) -> str:
    """A game of Rummikub of one round, of which only the end is entered.

    Each of `rounds` but the last is taken back again.
    """
    acts = "\nundo\n".join(f"round {points}" for points in rounds)
    head = f"game rummikub\nplayers {names(entrants)}\noption turns scores\noption rounds 1"
    return f"{head}\n{acts}\n"


def items_of(
    text: str,
    entrants: Sequence[int],
    *answers: ResultAnswer,
    slot: tuple[int, int, int] = ROUND_ONE,
) -> tuple[Item, ...]:
    """All that a device tells of a game; `slot` is the round, the table and the game's number."""
    replayed = replay_text(text)
    header = replayed.header
    opened = Opened(
        header.game, header.players, MORNING, *slot, tuple(entrants), dict(header.options)
    )
    kinds = replayed.game.kinds
    happened = (EventItem.of(record, kinds) for record in replayed.records)
    bodies = [body_of(content) for content in (opened, *happened, *answers)]
    return tuple(Item(sequence, body) for sequence, body in enumerate(bodies, start=1))


def quick_game(
    entrants: Sequence[int],
    points: str,
    *answers: ResultAnswer,
    slot: tuple[int, int, int] = ROUND_ONE,
) -> tuple[Item, ...]:
    """A game of a handful of items, which ends with these points in seat order."""
    return items_of(entered_text(entrants, points), entrants, *answers, slot=slot)


def signed_by(entrants: Sequence[int]) -> tuple[SignedBy, ...]:
    """Everybody agrees."""
    return tuple(map(SignedBy, entrants))


def some_points(chance: Random, players: int) -> str:
    """Points of a round of Rummikub: one gains what the others lose."""
    lost = [chance.randint(1, 60) for _ in range(players - 1)]
    return " ".join([f"+{sum(lost)}", *(f"-{each}" for each in lost)])
