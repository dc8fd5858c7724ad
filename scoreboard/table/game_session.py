"""The game on the table: its stored records, the state they give, and its turn's clock (RK-7)."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from functools import cache, cached_property, partial, reduce
from itertools import takewhile
from typing import Any, Final

from scoreboard.errors import NotOfferedError
from scoreboard.games import GAMES
from scoreboard.games.engine.game import (
    ExpectedPieces,
    Game,
    Judgement,
    Offer,
    OfferKind,
    OpenOffer,
    Outcome,
    RollDomain,
    Setup,
    Turn,
    replay,
)
from scoreboard.games.engine.transcript import (
    NAMING,
    GameHeader,
    RecordedEvent,
    Retraction,
    is_abandoned,
    records_in_force,
)
from scoreboard.message import Message, listed, message

AnyGame = Game[Any, Any, Any]
AnyOffer = Offer[Any] | OpenOffer[Any]
Ranks = Callable[[GameHeader, Any], Mapping[str, tuple[float, ...]]]
URGENT_SECONDS: Final = 10
SWITCH_CLOCK: Final = "clock"  # chosen as an offer is, though no rulebook has it


def no_ranks(_header: GameHeader, _state: Any) -> Mapping[str, tuple[float, ...]]:
    """The ranks of boxes where none are known: the rulebook’s own order stays."""
    return {}


@dataclass(frozen=True, slots=True)
class PlannedAct:
    """One act among the offers, by its key; for an open offer with its filling."""

    key: str
    filling: Any = None


@dataclass(frozen=True)
class GameSession:
    """A game on the table; `state` comes from replaying its records and is never stored.

    `in_force` are the records of the game's own events that no undo retracted. `ranks` say
    which box is offered first, by its offer's key, the highest; empty for the rulebook's order.
    """

    header: GameHeader
    game: AnyGame
    records: tuple[RecordedEvent, ...]
    in_force: tuple[RecordedEvent, ...]
    state: Any
    is_abandoned: bool = False
    ranks: Ranks = no_ranks

    @classmethod
    def of(
        cls,
        header: GameHeader,
        game: AnyGame,
        records: tuple[RecordedEvent, ...] = (),
        ranks: Ranks = no_ranks,
    ) -> GameSession:
        """The game of these records.

        Raises RuleViolationError (the players or options), TranscriptError (a wrong retraction).
        """
        setup, in_force = Setup(header.players, header.options), records_in_force(records)
        state = replay(game, setup, (record.event for record in in_force))
        return cls(header, game, records, in_force, state, is_abandoned(records), ranks)

    def followed_by(self, records: Sequence[RecordedEvent]) -> GameSession:
        """The game after more records, at the cost of the new ones unless they undo."""
        if any(isinstance(record.event, Retraction) for record in records):
            return GameSession.of(self.header, self.game, (*self.records, *records), self.ranks)
        played = records_in_force(records)
        return replace(
            self,
            records=(*self.records, *records),
            in_force=(*self.in_force, *played),
            state=reduce(self.game.evolve, (record.event for record in played), self.state),
            is_abandoned=is_abandoned(records, before=self.is_abandoned),
        )

    def joined_by(self, player: str) -> GameSession:
        """The game with one player more, who has an empty sheet and whose turn comes last.

        Raises NotOfferedError (it is too late), RuleViolationError (there are too many).
        """
        players = self.header.players
        seats = ((*players[:at], player, *players[at:]) for at in range(len(players), -1, -1))
        if (found := next(filter(None, map(self.seated, seats)), None)) is not None:
            return found
        if self.game.joins:
            why = message("You can join in the first round, but not after the roll for who starts.")
        else:
            why = message("You can’t join this game once it has begun.")
        raise NotOfferedError(
            message("{why} Start a new game with {player}.", why=why, player=player)
        )

    def seated(self, players: tuple[str, ...]) -> GameSession | None:
        """The game with these players; None if what was recorded would have been others' turns.

        Raises RuleViolationError: the rulebook refuses that number of players.
        """
        now = GameSession.of(replace(self.header, players=players), self.game, ranks=self.ranks)
        was = GameSession.of(self.header, self.game)
        for record in self.in_force:
            named = {getattr(record.event, member, None) for member in NAMING}
            if not (self.game.joins and was.at_turn == now.at_turn and named <= {None, *players}):
                return None
            was, now = was.followed_by((record,)), now.followed_by((record,))
        if now.turn.rolls_made and was.at_turn != now.at_turn:
            return None
        return replace(now, records=self.records)

    @property
    def at_turn(self) -> str | None:
        return None if self.turn.player is None else self.header.players[self.turn.player]

    @cached_property
    def turn(self) -> Turn:
        return self.game.turn(self.state)

    @cached_property
    def offers(self) -> Mapping[str, AnyOffer]:
        """The acts that the rulebook accepts now, by key, boxes best first."""
        return {offer.key: offer for offer in self.game.offers(self.state)}

    @cached_property
    def boxes(self) -> tuple[Offer[Any], ...]:
        """The boxes that may be filled now, in the order in which the buttons offer them."""
        boxes = [
            offer
            for key, offer in self.offers.items()
            if OfferKind.SCORE.is_kind_of(key) and isinstance(offer, Offer)
        ]
        ranks = self.ranks(self.header, self.state) if boxes else {}
        return tuple(sorted(boxes, key=lambda box: ranks.get(box.key, ()), reverse=True))

    @cached_property
    def expected(self) -> ExpectedPieces | None:
        """The pieces that the camera looks for now, None where it looks for none."""
        return None if self.turn.awaited is None else self.turn.awaited.expected

    @cached_property
    def awaited_dice(self) -> int | None:
        """How many dice the awaited roll has, None while no roll is awaited."""
        offer = self.offers.get(self.roll_key)
        awaited = self.turn.phase in ("starting", "rolling")
        if awaited and isinstance(offer, OpenOffer) and isinstance(offer.domain, RollDomain):
            return offer.domain.dice
        return None

    @property
    def roll_key(self) -> str:
        """The key of the offer that records a roll: of the roll-off, or of a turn."""
        return OfferKind.START if self.turn.phase == "starting" else OfferKind.ROLL

    @property
    def is_last_roll(self) -> bool:
        """Whether the awaited roll is the turn's last (YZ-4)."""
        return self.turn.rolls_made + 1 >= self.turn.rolls_allowed

    @property
    def awaits_camera(self) -> bool:
        """Whether a roll is awaited, or pieces are."""
        return self.awaited_dice is not None or self.expected is not None

    def confirms(self, key: str) -> bool:
        """Whether the offer of that key is chosen without a filling."""
        return isinstance(self.offers.get(key), Offer)

    @cached_property
    def judged(self) -> Callable[[str, str], Judgement]:
        """The rulebook's cached judgement, by offer's key and notation; may raise NotationError."""
        return cache(partial(self.game.judge, self.state))

    @property
    def is_finished(self) -> bool:
        return self.turn.phase == "finished"

    @property
    def is_under_way(self) -> bool:
        """Whether the game goes on: it is neither over nor closed."""
        return not (self.is_finished or self.is_abandoned)

    @property
    def outcome(self) -> Outcome | None:
        """None while it goes on."""
        return self.game.outcome(self.state)

    @cached_property
    def last_step(self) -> tuple[RecordedEvent, ...]:
        """The records that undo would retract, in order."""
        step = self.in_force[-1].step if self.in_force else None
        same = takewhile(lambda record: record.step == step, reversed(self.in_force))
        return tuple(reversed(tuple(same)))

    @property
    def last_step_text(self) -> Message:
        """The last step as in “Undo ...”; of the KEEP that ended a turn's rolls just that."""
        turn, stood = self.turn, len(self.last_step) > 1
        if stood and turn.phase == "choosing" and turn.roll is not None:
            return message("KEEP ({roll})", roll=turn.roll.spaced)
        return listed(self.game.describe(self.state, record.event) for record in self.last_step)

    @cached_property
    def last_score(self) -> Message | None:
        """The last booked points and their player; None before the first."""
        for record in reversed(self.in_force):
            if isinstance(record.event, self.game.scoring):
                return self.game.describe(self.state, record.event)
        return None

    def is_in_force(self, step: int) -> bool:
        """Whether no undo retracted the act whose first event has this sequence."""
        at = bisect_left(self.in_force, step, key=lambda record: record.step)
        return at < len(self.in_force) and self.in_force[at].step == step

    def outcome_of(self, acts: Sequence[PlannedAct]) -> tuple[object, ...]:
        """The events of the acts, one after the other.

        Raises NotOfferedError (when an act's turn comes), RuleViolationError.
        """
        state = self.state
        events: list[object] = []
        for act in acts:
            for event in self.game.decide(state, self._command(state, act)):
                events.append(event)
                state = self.game.evolve(state, event)
        return tuple(events)

    def _command(self, state: Any, act: PlannedAct) -> Any:
        offer = next((one for one in self.game.offers(state) if one.key == act.key), None)
        match offer:
            case Offer():
                return offer.command
            case OpenOffer() if act.filling is not None:
                command = offer.fill(act.filling)
                if not offer.domain.admits(act.filling):
                    self.game.decide(state, command)  # the rulebook's refusal names the rule
                    raise NotOfferedError(
                        message("{roll} cannot be entered here.", roll=str(act.filling))
                    )
                return command
        raise NotOfferedError(message("That cannot be done now."))


def rulebook(name: str) -> AnyGame:
    """The rulebook of that name. Raises NotOfferedError: there is none."""
    if name not in GAMES:
        raise NotOfferedError(message("There is no game called “{name}” here.", name=name))
    return GAMES[name]


@dataclass(frozen=True, slots=True)
class TurnClock:
    """The time left in the open turn.

    `limit` is the turn's length and `left` the rest, both in seconds, when the clock last started,
    at `since` (aware UTC), or was stopped (None); `time_up` is the key of the offer that is carried
    out in the end; `urgent` when no more than ten seconds are left.
    """

    limit: int
    left: float
    time_up: str
    since: datetime | None = None
    urgent: bool = False

    @property
    def ends_at(self) -> datetime | None:
        """When the time will be up, None while the clock is stopped."""
        return None if self.since is None else self.since + timedelta(seconds=self.left)

    def left_at(self, now: datetime) -> float:
        """The seconds left, never below 0."""
        used = 0.0 if self.since is None else (now - self.since).total_seconds()
        return max(0.0, self.left - used)

    def toggled(self, now: datetime) -> TurnClock:
        """Stopped if it ran, running if it was stopped."""
        if self.since is None:
            return replace(self, since=now)
        return replace(self, left=self.left_at(now), since=None)

    def seen_at(self, now: datetime) -> TurnClock:
        """The clock as it is shown: urgent from ten seconds on."""
        return replace(self, urgent=self.urgent or self.left_at(now) <= URGENT_SECONDS)

    def is_over(self, now: datetime) -> bool:
        return self.since is not None and self.left_at(now) <= 0


def clock_after(
    before: GameSession, clock: TurnClock | None, after: GameSession, now: datetime
) -> TurnClock | None:
    """The clock after a recorded act: the same in the same turn, running in the next one.

    A turn that was made longer has as much more left. It is stopped if nothing was timed before:
    the first turn of a round, a table put back.
    """
    fresh = standing_clock(after)
    if fresh is None or clock is None:
        return fresh
    if after.turn.number == before.turn.number:
        more = fresh.limit - clock.limit
        urgent = clock.urgent and not more
        return replace(fresh, left=clock.left + more, since=clock.since, urgent=urgent)
    return replace(fresh, since=now)


def standing_clock(session: GameSession) -> TurnClock | None:
    """A fresh clock for the open turn, None if turns are not timed."""
    awaited = session.turn.awaited
    if awaited is None or awaited.seconds is None or awaited.time_up is None:
        return None
    return TurnClock(awaited.seconds, float(awaited.seconds), awaited.time_up)
