"""Admission of tables: a code for one place, spent once, in exchange for the table's token."""

from __future__ import annotations

import logging
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta
from random import Random
from typing import Final
from unicodedata import normalize

from scoreboard.errors import ConflictError, NotationError
from scoreboard.message import message
from scoreboard.tournament.protocol.audit_log import JoinRefusedError
from scoreboard.tournament.protocol.hub_update import Challenge, JoinRequest, Proof, proof_of
from scoreboard.tournament.storage.people import SqlPeople
from scoreboard.typed_numbers import MOST_DIGITS, plain_digits

CODE_LASTS: Final = timedelta(hours=12)
TOKEN_LASTS: Final = timedelta(days=120)  # a league meets for a season
BELIEVED_FOR: Final = timedelta(seconds=30)
LOG: Final = logging.getLogger(__name__)
SIGNS: Final = "ACDEFGHJKMNPQRTUVWXY34679"  # no 0 and O, 1 and I and L, 2 and Z, 5 and S, 8 and B
HALF: Final = 4  # 25^8 codes: none is guessed before it expires


def read_code(text: str) -> str:
    """A typed code in its drawn form: small letters, blanks or a missing dash are fine."""
    signs = "".join(filter(str.isalnum, normalize("NFKC", plain_digits(text)).upper()))
    return f"{signs[:HALF]}-{signs[HALF:]}"


@dataclass(frozen=True, slots=True)
class TableSeat:
    """A table of a tournament: `winter-open-1f2e/7`. Raises NotationError for a number below 1."""

    tournament_id: str
    table: int

    def __post_init__(self) -> None:
        if self.table < 1:
            raise NotationError(message("Tables are numbered from 1."))

    @classmethod
    def parse(cls, text: str) -> TableSeat:
        """Read the notation. Raises NotationError."""
        tournament_id, slash, number = text.rpartition("/")
        if not slash or not number.isascii() or not number.isdecimal() or len(number) > MOST_DIGITS:
            raise NotationError(message("“{text}” is no place at an event.", text=text))
        return cls(tournament_id, int(number))

    def __str__(self) -> str:
        return f"{self.tournament_id}/{self.table}"


class Admission:
    """Lets tables in, by an unpredictable `random`; thread-safe. All raise StoreError."""

    def __init__(self, people: SqlPeople, clock: Callable[[], datetime], random: Random) -> None:
        self._people = people
        self._clock = clock
        self._random = random
        self._let_in: dict[str, tuple[TableSeat, datetime]] = {}  # and when it was looked up

    def offer_code(self, tournament_id: str, table: int) -> str:
        """A new code for this place, good for 12 hours; older ones end. Raises NotationError."""
        place, now = TableSeat(tournament_id, table), self._clock()
        self._people.forget_expired(now)
        while True:
            code = "-".join("".join(self._random.choices(SIGNS, k=HALF)) for _ in range(2))
            try:
                self._people.offer_code(code, str(place), now + CODE_LASTS)
            except ConflictError:
                continue  # one in a hundred thousand millions
            LOG.info("offered a code for table %s", place)
            return code

    def join(self, request: JoinRequest) -> TableSeat:
        """Let the table in by its code, and return its place; the same request has the same answer.

        Raises JoinRefusedError if the code is unknown, expired or spent, the table was shut out
        since, or it has a place already; then the code is good for another table.
        """
        code, now = read_code(request.code), self._clock()
        name = self._people.place_of(code)
        if name is None:
            raise JoinRefusedError.worded(
                "No table joins by this code: check each letter and figure. If a newer code "
                "was made for the table, take that one."
            )
        held = self._people.table_of(request.token, now)
        if held not in {None, name}:
            raise JoinRefusedError.worded(
                "This device is table {table} already: leave that event first, or take another "
                "device. The code stays good.",
                table=TableSeat.parse(str(held)).table,
            )
        self._people.join(code, name, request.token, now, now + TOKEN_LASTS)
        if self._people.table_of(request.token, now) != name:
            raise JoinRefusedError
        return TableSeat.parse(name)

    def table_of(self, token: str) -> TableSeat | None:
        """The place whose table has this token, looked up twice a minute; None for no valid one."""
        now = self._clock()
        place, at = self._let_in.get(token, (None, now))
        if place is not None and at <= now < at + BELIEVED_FOR:
            return place
        name = self._people.table_of(token, now)
        if name is None:
            self._let_in.pop(token, None)
            return None
        place = TableSeat.parse(name)
        self._let_in[token] = place, now
        return place

    def prove(self, asked: Challenge, host: str) -> Proof:
        """Prove to a table, which asked for `host`, that this hub knows its token."""
        place = str(TableSeat(asked.tournament_id, asked.place))
        known = self._people.token_hashes(place, self._clock())
        return Proof(tuple(proof_of(each, asked.nonce, host) for each in known))

    def revoke(self, tournament_id: str, table: int) -> None:
        """Shut out any table at this place; other processes may accept it for half a minute."""
        self._people.revoke_tokens(str(TableSeat(tournament_id, table)))
        self._let_in.clear()
        LOG.info("shut out table %s", TableSeat(tournament_id, table))
