"""Orders carried out in a room: those that come at once are decided one by one, and kept together.

At a round's end hundreds of tables report and sign within seconds. Were each order a transaction
of its own, each would wait for the disk, and lose races against those of other processes.
"""

from __future__ import annotations

import logging
from collections.abc import Sequence
from dataclasses import dataclass, fields
from threading import Lock
from typing import Final

from scoreboard.errors import ConflictError, ScoreboardError
from scoreboard.tournament.hub.audit_records import Act, next_records
from scoreboard.tournament.hub.ports import Clock, Tournaments
from scoreboard.tournament.hub.refusals import stale
from scoreboard.tournament.hub.rights import require_may
from scoreboard.tournament.hub.snapshot import TournamentSnapshot
from scoreboard.tournament.hub.tournament_cache import TournamentCache, advanced
from scoreboard.tournament.model.hash_chain import SigningKey
from scoreboard.tournament.model.tournament import Command, Event, decide
from scoreboard.tournament.protocol.audit_log import Actor, TournamentRecord
from scoreboard.tournament.protocol.throttle import Throttle
from scoreboard.tournament.storage.batcher import Batcher

MOST_RACES: Final = 100  # lost by one order, before it is given up
LOG: Final = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Given:
    """Orders of somebody, to be carried out one after another, or none of them."""

    orders: Sequence[Command]
    actor: Actor


class CommandHandler:
    """Gives orders in one room. Any thread may use it, and several processes one store."""

    def __init__(
        self,
        cache: TournamentCache,
        tournaments: Tournaments,
        clock: Clock,
        key: SigningKey,
        rest_seconds: float,
    ) -> None:
        self._cache = cache
        self._tournaments = tournaments
        self._clock = clock
        self._key = key
        self._deciding = Lock()  # so that threads of one process need not race
        self._batcher = Batcher(self._decided_anew, id, Throttle(rest_seconds).rest)

    def give(self, given: Given) -> TournamentSnapshot:
        """Carry orders out on whatever they find; raises what refuses them, and ConflictError."""
        return self._batcher.ask(given)

    def give_expecting(self, given: Given, expected: int) -> TournamentSnapshot:
        """Carry orders out on this version; raises what refuses them.

        Raises:
            ConflictError: another version is there by now.
        """
        with self._deciding:
            snapshot = self._cache.caught_up()
            if snapshot.version != expected:
                error = stale(expected, snapshot.version)
                _log_answers(snapshot, [given], [error])
                raise error
            answer = self._carried_out(snapshot, [given])[0]
        if isinstance(answer, Exception):
            raise answer
        return answer

    def _decided_anew(self, asked: Sequence[Given]) -> list[TournamentSnapshot | Exception]:
        """Carry orders out; those that others have outrun are decided on what is there then."""
        with self._deciding:
            for _ in range(MOST_RACES - 1):
                try:
                    return self._carried_out(self._cache.caught_up(), asked)
                except ConflictError:
                    continue
            return self._carried_out(self._cache.caught_up(), asked)

    def _carried_out(
        self, snapshot: TournamentSnapshot, asked: Sequence[Given]
    ) -> list[TournamentSnapshot | Exception]:
        """Decide each on what those before it led to, and keep all of it at once."""
        before, records, answers = (
            snapshot,
            list[TournamentRecord](),
            list[TournamentSnapshot | Exception](),
        )
        for given in asked:
            act = Act(given.actor, self._clock())
            try:
                events = _decided(snapshot, given)
            except ScoreboardError as error:  # told to who gave it; the others' are carried out
                answers.append(error)
            else:
                fresh = next_records(snapshot.version, snapshot.head, act, events, self._key)
                records += fresh
                snapshot = advanced(snapshot, fresh)
                answers.append(snapshot)
        self._tournaments.append(before.header.tournament_id, before.version + 1, records)
        self._cache.kept(snapshot)
        _log_answers(before, asked, answers)
        return answers


def _log_answers(
    before: TournamentSnapshot,
    asked: Sequence[Given],
    answers: Sequence[TournamentSnapshot | Exception],
) -> None:
    """Log what came of orders: what was carried out is on disk by now."""
    if not LOG.isEnabledFor(logging.INFO):
        return
    for given, answer in zip(asked, answers, strict=True):
        who = f"{given.actor.role} {given.actor.name}"
        orders = "; ".join(map(command_words, given.orders))
        if isinstance(answer, Exception):
            kind = type(answer).__name__
            tournament_id = before.header.tournament_id
            LOG.info("refused in %s to %s: %s (%s): %s", tournament_id, who, orders, kind, answer)
        else:
            tournament_id, version = answer.header.tournament_id, answer.version
            LOG.info(
                "carried out in %s for %s: %s, version %s", tournament_id, who, orders, version
            )


def command_words(command: Command) -> str:
    """An order with its numbers, as `Sign round 1 table 3 game 1 entrant 5`: no name, no reason."""
    numbers = [
        f"{each.name} {value}"
        for each in fields(command)
        if isinstance(value := getattr(command, each.name), int) and each.name != "seed"
    ]
    return " ".join((type(command).__name__, *numbers))


def _decided(snapshot: TournamentSnapshot, given: Given) -> tuple[Event, ...]:
    """What all the orders lead to, each decided on what those before it led to."""
    events: list[Event] = []
    for command in given.orders:
        require_may(snapshot.state, given.actor, command)
        for event in decide(snapshot.state, command):
            events.append(event)
            snapshot = snapshot.after(event, snapshot.head)
    return tuple(events)
