"""Orders carried out in a room: those that come at once are decided one by one, and kept together.

At a round's end hundreds of tables report and sign within seconds. Were each order a transaction
of its own, each would wait for the disk, and lose races against those of other processes.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from threading import Lock
from typing import Final

from scoreboard.errors import ConflictError, ScoreboardError
from scoreboard.gathering import Gathering
from scoreboard.hub.book import Act, next_records
from scoreboard.hub.look import Look
from scoreboard.hub.ports import Clock, Tournaments
from scoreboard.hub.refusals import stale
from scoreboard.hub.rights import require_may
from scoreboard.hub.room import Room, advanced
from scoreboard.logbook import Actor, TournamentRecord
from scoreboard.resting import Resting
from scoreboard.tournament.deciding import decide
from scoreboard.tournament.happenings import Happening
from scoreboard.tournament.orders import Order
from scoreboard.tournament.record_signature import SigningKey

MOST_RACES: Final = 100  # lost by one order, before it is given up


@dataclass(frozen=True, slots=True)
class Given:
    """Orders of somebody, to be carried out one after another, or none of them."""

    orders: Sequence[Order]
    actor: Actor


class Ordering:
    """Gives orders in one room. Any thread may use it, and several processes one store."""

    def __init__(
        self,
        room: Room,
        tournaments: Tournaments,
        clock: Clock,
        key: SigningKey,
        rest_seconds: float,
    ) -> None:
        self._room = room
        self._tournaments = tournaments
        self._clock = clock
        self._key = key
        self._deciding = Lock()  # so that threads of one process need not race
        self._gathering = Gathering(self._decided_anew, id, Resting(rest_seconds).rest)

    def give(self, given: Given) -> Look:
        """Carry orders out on whatever they find; raises what refuses them, and ConflictError."""
        return self._gathering.ask(given)

    def give_expecting(self, given: Given, expected: int) -> Look:
        """Carry orders out on this version; raises what refuses them.

        Raises:
            ConflictError: another version is there by now.
        """
        with self._deciding:
            look = self._room.caught_up()
            if look.version != expected:
                raise stale(expected, look.version)
            answer = self._carried_out(look, [given])[0]
        if isinstance(answer, Exception):
            raise answer
        return answer

    def _decided_anew(self, asked: Sequence[Given]) -> list[Look | Exception]:
        """Carry orders out; those that others have outrun are decided on what is there then."""
        with self._deciding:
            for _ in range(MOST_RACES - 1):
                try:
                    return self._carried_out(self._room.caught_up(), asked)
                except ConflictError:
                    continue
            return self._carried_out(self._room.caught_up(), asked)

    def _carried_out(self, look: Look, asked: Sequence[Given]) -> list[Look | Exception]:
        """Decide each on what those before it led to, and keep all of it at once."""
        before, records, answers = look, list[TournamentRecord](), list[Look | Exception]()
        for given in asked:
            act = Act(given.actor, self._clock())
            try:
                happenings = _decided(look, given)
            except ScoreboardError as error:  # told to who gave it; the others' are carried out
                answers.append(error)
            else:
                fresh = next_records(look.version, look.head, act, happenings, self._key)
                records += fresh
                look = advanced(look, fresh)
                answers.append(look)
        self._tournaments.append(before.header.tournament_id, before.version + 1, records)
        self._room.kept(look)
        return answers


def _decided(look: Look, given: Given) -> tuple[Happening, ...]:
    """What all the orders lead to, each decided on what those before it led to."""
    happenings: list[Happening] = []
    for order in given.orders:
        require_may(look.state, given.actor, order)
        for happening in decide(look.state, order):
            happenings.append(happening)
            look = look.after(happening, look.head)
    return tuple(happenings)
