"""Games of the tournament, replayed by the hub from the tables' items, and checked."""

from __future__ import annotations

import logging
from collections import OrderedDict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, fields, replace
from functools import reduce
from itertools import zip_longest
from threading import Lock
from typing import Any, Final

from scoreboard.errors import NotationError, RuleViolationError
from scoreboard.games import GAMES
from scoreboard.games.engine.game import AnyGame, Outcome, Setup
from scoreboard.games.engine.transcript import (
    Abandoned,
    RecordedEvent,
    Resumed,
    Retraction,
    TranscriptError,
    events_in_force,
)
from scoreboard.message import Message, message
from scoreboard.tournament.model.scores import HIGHEST_SCORE
from scoreboard.tournament.protocol.items import (
    DisputedBy,
    EventItem,
    Item,
    Opened,
    ResultAlone,
    SignedBy,
    item_of,
)
from scoreboard.tournament.storage.deliveries import SqlDeliveries

LOG: Final = logging.getLogger(__name__)
MOST_GAMES: Final = 2000  # in memory at once; one that was let go is replayed when asked for
ResultAnswer = SignedBy | DisputedBy
OpeningItem = Opened | ResultAlone


@dataclass(frozen=True, slots=True)
class ReplayedGame:
    """A game up to its item `through`; made by `carried_on` alone.

    `opened` identifies the game, in the item that began it: the result itself if its device sends
    no moves, and then that result is the `outcome` too. `state` is the rulebook's, and `outcome`
    the game's, None while it goes on. `answers` are the current game's signatures and disputes:
    undoing a move voids the signatures, and an end that it undid is among the `retracted`. `fault`
    is the reason it is followed no further, with the cure, `cause` the item and its fault in the
    words of a program. `violation` is its rulebook's objection to the finished game, or None.
    """

    game_id: str
    through: int = 0
    opened: OpeningItem | None = None
    records: tuple[RecordedEvent, ...] = ()
    state: Any = None
    outcome: Outcome | ResultAlone | None = None
    retracted: tuple[Outcome | ResultAlone, ...] = ()
    answers: tuple[ResultAnswer, ...] = ()
    fault: Message | None = None
    cause: str = ""
    violation: Message | None = None

    @property
    def has_ended(self) -> bool:
        """Whether it is over, or was."""
        return self.outcome is not None or bool(self.retracted)

    @property
    def number(self) -> int:
        """Its number in its round, from 1; 0 before that is known."""
        return 0 if self.opened is None else self.opened.number

    def is_among(self, entrants: Sequence[int]) -> bool:
        """Whether only these play."""
        return self.opened is not None and set(self.opened.entrants) <= set(entrants)

    @property
    def rulebook(self) -> AnyGame | None:
        """None before it is known, and if only the result is reported."""
        return GAMES.get(self.opened.game) if isinstance(self.opened, Opened) else None


def rule_violation(game: AnyGame, setup: Setup, events: Sequence[Any]) -> Message | None:
    """The first event in force that the rulebook would not have recorded, in words.

    Every act is read from its line of notation, the one form of it that all rulebooks know, and
    decided again; its events have to be the table's, points and all. None if they are. Raises any
    exception of a rulebook for events out of order.
    """
    state, at = game.start(setup), 0
    while at < len(events):
        try:
            ruled = _decided(game, state, events[at])
        except (RuleViolationError, NotationError) as refusal:
            return message(
                "The table tells: {told}. The rulebook says: {why}",
                told=_described(game, state, events[at]),
                why=refusal.message,
            )
        for right, event in zip_longest(ruled, events[at : at + len(ruled)]):
            if event != right:
                sent = message("nothing") if event is None else _described(game, state, event)
                due = _described(game, state, right)
                if sent == due:  # people read no difference: a program's author has to
                    sent, due = _members(sent, event, right), _members(due, right, event)
                return message(
                    "The table tells: {told}. By the rulebook it is: {right}.", told=sent, right=due
                )
            state = game.evolve(state, right)
        at += len(ruled)
    return None


def _decided(game: AnyGame, state: Any, event: Any) -> tuple[Any, ...]:
    """The events of an event's act. Raises RuleViolationError and NotationError."""
    keyword, _, rest = game.notation.written(event).partition(" ")
    reader = game.notation.readers.get(keyword)
    command = None if reader is None else reader(rest)
    if command is None:
        raise NotationError(message("Nothing that was done before leads to this."))
    events: tuple[Any, ...] = game.decide(state, command)
    return events


def _members(sentence: Message, event: Any, other: Any) -> Message:
    """An event with the members that differ from the other, of the same sentence."""
    pairs = {each.name: getattr(event, each.name) for each in fields(event)}
    own = (f"{key} {one}" for key, one in pairs.items() if one != getattr(other, key, None))
    return message("{sentence} ({members})", sentence=sentence, members=", ".join(own))


def _described(game: AnyGame, state: Any, event: Any) -> Message:
    return game.describe(game.evolve(state, event), event)


def replay_items(replay: ReplayedGame, items: Iterable[Item]) -> ReplayedGame:
    """The game after those of the items, in order, that continue it without a gap.

    Never raises: items come from outside, and a game of nonsense must not stop the others. Such a
    game stops, and its `fault` is the reason.
    """
    for item in items:
        if item.sequence == replay.through + 1:
            replay = replace(replay, through=item.sequence)
            if replay.fault is None:
                replay = _after(replay, item)
    return replay


def _after(replay: ReplayedGame, item: Item) -> ReplayedGame:
    try:
        match content := item_of(item.body):
            case Opened():
                return _opened(replay, content)
            case ResultAlone():
                return _ended(replay, content)
            case EventItem() | SignedBy() | DisputedBy() if replay.opened is None:
                raise TranscriptError(message("The game is not opened yet."))  # noqa: TRY301 -- as all others
            case EventItem():
                return _happened(replay, content)
            case SignedBy() | DisputedBy():
                return replace(replay, answers=(*replay.answers, content))
            case _:
                return replay
    except Exception as error:  # noqa: BLE001 -- a table may send any events, in any order
        LOG.warning("Item %s of game %s: %r", item.sequence, replay.game_id, error)
        fault = message("This game cannot be followed: report its result by hand.")
        return replace(replay, fault=fault, cause=f"Item {item.sequence}: {error}")


def _opened(replay: ReplayedGame, opened: Opened) -> ReplayedGame:
    """Raises TranscriptError for an opening that no hub can follow."""
    if replay.opened is not None:
        raise TranscriptError(message("The game was opened twice."))
    if len(set(opened.players)) < len(opened.players):
        raise TranscriptError(message("Two players of one game have the same name."))
    if opened.game not in GAMES:
        raise TranscriptError(message("No rulebook is called “{game}”.", game=opened.game))
    state = _start(opened)
    outcome = GAMES[opened.game].outcome(state)
    return replace(replay, opened=opened, state=state, outcome=outcome)


def _ended(replay: ReplayedGame, result: ResultAlone) -> ReplayedGame:
    """Raises TranscriptError if moves were delivered, or it is another game by now."""
    before = replay.opened
    slot = result.round, result.table, result.number
    if before is not None and (
        isinstance(before, Opened) or (before.round, before.table, before.number) != slot
    ):
        raise TranscriptError(message("A game is told move by move, or by its results alone."))
    return _gone_on(replay, opened=result, outcome=result)


def _gone_on(replay: ReplayedGame, **changes: Any) -> ReplayedGame:
    """The continued game: an end that it had is retracted, and it is unsigned."""
    ended = () if replay.outcome is None else (replay.outcome,)
    answers = tuple(each for each in replay.answers if isinstance(each, DisputedBy))
    return replace(replay, retracted=(*replay.retracted, *ended), answers=answers, **changes)


def _happened(replay: ReplayedGame, new: EventItem) -> ReplayedGame:
    """Raises TranscriptError for another rulebook's event, a wrong order, or absurd points."""
    if replay.rulebook is None or new.sequence != len(replay.records) + 1:
        raise TranscriptError.worded("Event {sequence} is not the next one.", sequence=new.sequence)
    record = new.record(replay.game_id, replay.rulebook.kinds)
    replayed = replace(replay, records=(*replay.records, record))
    if isinstance(record.event, Abandoned | Resumed):
        return replayed
    state = _state(replayed, record)
    outcome = replay.rulebook.outcome(state)
    for place in outcome.ranking if outcome is not None else ():
        if abs(place.points) > HIGHEST_SCORE:
            raise TranscriptError(message("Nobody scores {points}.", points=place.points))
    violation = None
    if outcome is not None and isinstance(replayed.opened, Opened):
        # judged once, act by act
        setup, events = _setup(replayed.opened), events_in_force(replayed.records)
        violation = rule_violation(replay.rulebook, setup, events)
    return _gone_on(replayed, state=state, outcome=outcome, violation=violation)


def _state(replay: ReplayedGame, record: RecordedEvent) -> Any:
    """The state with one more record: the last one carried on, or all anew after a move back."""
    if replay.rulebook is None or not isinstance(replay.opened, Opened):
        return replay.state
    if not isinstance(record.event, Retraction):
        return replay.rulebook.evolve(replay.state, record.event)
    return reduce(replay.rulebook.evolve, events_in_force(replay.records), _start(replay.opened))


def _start(opened: Opened) -> Any:
    return GAMES[opened.game].start(_setup(opened))


def _setup(opened: Opened) -> Setup:
    return Setup(opened.players, opened.options)


@dataclass(slots=True)
class _Seen:
    """A game, held while it is carried on."""

    replay: ReplayedGame
    lock: Lock = field(default_factory=Lock)


class GameReplays:
    """The games as this process knows them. Thread-safe.

    Every method that reads raises StoreError if the store is away, without losing anything.
    """

    def __init__(self, deliveries: SqlDeliveries) -> None:
        self._deliveries = deliveries
        self._seen: OrderedDict[str, _Seen] = OrderedDict()
        self._lock = Lock()

    def known(self, game_id: str) -> ReplayedGame:
        """The game as far as this process has read it."""
        return self._of(game_id).replay

    def caught_up(
        self, game_id: str, through: int | None = None, kept: Sequence[Item] = ()
    ) -> ReplayedGame:
        """The game with all of its held items, or at least as far as `through`.

        `kept` are items that this process has just kept, so that they need not be read.
        """
        seen = self._of(game_id)
        with seen.lock:
            seen.replay = replay_items(seen.replay, sorted(kept, key=lambda item: item.sequence))
            if through is None or seen.replay.through < through:
                items = self._deliveries.game(game_id, seen.replay.through)
                seen.replay = replay_items(seen.replay, items)
            return seen.replay

    def opened(self, game_id: str) -> OpeningItem | None:
        """The beginning of the game, without replaying it; None before that is known."""
        if (known := self.known(game_id).opened) is not None:
            return known
        return replay_items(ReplayedGame(game_id), self._deliveries.game(game_id, most=1)).opened

    def _of(self, game_id: str) -> _Seen:
        with self._lock:
            seen = self._seen.get(game_id)
            if seen is None:
                seen = self._seen[game_id] = _Seen(ReplayedGame(game_id))
            self._seen.move_to_end(game_id)
            if len(self._seen) > MOST_GAMES:
                self._seen.popitem(last=False)
            return seen
