"""How a followed game goes on: each item that comes next in turn, replayed as far as it goes."""

from __future__ import annotations

import logging
from collections.abc import Iterable
from dataclasses import replace
from functools import reduce
from typing import Any, Final

from scoreboard.delivery import Item
from scoreboard.game import Outcome, Setup
from scoreboard.games import GAMES
from scoreboard.hub.followed import Followed
from scoreboard.hub.judging import rule_violation
from scoreboard.phrase import Phrase, phrase
from scoreboard.tournament.table_result import HIGHEST_SCORE
from scoreboard.transcript import (
    Abandoned,
    RecordedEvent,
    Resumed,
    Retraction,
    TranscriptError,
    events_in_force,
)
from scoreboard.wire.told import (
    DisputedBy,
    Happened,
    Opened,
    ResultAlone,
    SignedBy,
    Told,
    told_by,
)

LOG: Final = logging.getLogger(__name__)


def carried_on(followed: Followed, items: Iterable[Item]) -> Followed:
    """The game after those of the items, in order, that follow on what it knows without a gap.

    Never refuses: items come from outside, and a game of nonsense must not stop the others. It
    stands still then, and its `fault` says so.
    """
    for item in items:
        if item.sequence == followed.through + 1:
            followed = replace(_after(followed, item), through=item.sequence)
    return followed


def _after(followed: Followed, item: Item) -> Followed:
    if followed.fault is not None:
        return followed
    try:
        return _told(followed, told_by(item.body))
    except Exception as error:  # noqa: BLE001 -- a table may send any events, in any order
        LOG.warning("Item %s of game %s: %r", item.sequence, followed.game_id, error)
        fault = phrase("This game cannot be followed: report its result by hand.")
        return replace(followed, fault=fault)


def _told(followed: Followed, told: Told) -> Followed:
    match told:
        case Opened():
            return _opened(followed, told)
        case Happened():
            return _happened(followed, told)
        case ResultAlone():
            return _ended(followed, told)
        case SignedBy() | DisputedBy():
            return replace(followed, voices=(*followed.voices, told))
        case _:
            return followed


def _opened(followed: Followed, opened: Opened) -> Followed:
    """Raises TranscriptError for what no hub can follow."""
    if followed.opened is not None:
        raise TranscriptError(phrase("The game was opened twice."))
    if len(set(opened.players)) < len(opened.players):
        raise TranscriptError(phrase("Two players of one game have the same name."))
    if opened.game not in GAMES:
        raise TranscriptError(phrase("No rulebook is called “{game}”.", game=opened.game))
    state = _start(opened)
    return replace(followed, opened=opened, state=state, outcome=GAMES[opened.game].outcome(state))


def _ended(followed: Followed, told: ResultAlone) -> Followed:
    """Raises TranscriptError where the game is told move by move, or is another one by now."""
    before = followed.opened
    if before is not None and (
        not isinstance(before, ResultAlone)
        or (before.round, before.table, before.number) != (told.round, told.table, told.number)
    ):
        raise TranscriptError(phrase("A game is told move by move, or by its results alone."))
    ended = () if followed.outcome is None else (followed.outcome,)
    return replace(
        followed,
        opened=told,
        outcome=told,
        retracted=(*followed.retracted, *ended),
        voices=tuple(each for each in followed.voices if isinstance(each, DisputedBy)),
    )


def _happened(followed: Followed, happened: Happened) -> Followed:
    """Raises TranscriptError for an event of another rulebook, or out of its order."""
    if followed.rulebook is None or happened.sequence != len(followed.records) + 1:
        raise TranscriptError(
            phrase("Event {sequence} is not the next one.", sequence=happened.sequence)
        )
    record = happened.record(followed.game_id, followed.rulebook.kinds)
    replayed = replace(followed, records=(*followed.records, record))
    if isinstance(record.event, Abandoned | Resumed):
        return replayed
    disputes = tuple(each for each in followed.voices if isinstance(each, DisputedBy))
    state = _state(replayed, record)
    outcome = followed.rulebook.outcome(state)
    _require_countable(outcome)
    ended = () if followed.outcome is None else (followed.outcome,)
    return replace(
        replayed,
        state=state,
        outcome=outcome,
        violation=None if outcome is None else _violation(replayed),
        retracted=(*followed.retracted, *ended),
        voices=disputes,
    )


def _require_countable(outcome: Outcome | None) -> None:
    """Raises TranscriptError where somebody has more points than any event counts."""
    for place in outcome.ranking if outcome is not None else ():
        if abs(place.points) > HIGHEST_SCORE:
            raise TranscriptError(phrase("Nobody scores {points}.", points=place.points))


def _state(followed: Followed, record: RecordedEvent) -> Any:
    """The state with one more record: the last one carried on, or all anew after a move back."""
    if followed.rulebook is None or not isinstance(followed.opened, Opened):
        return followed.state
    if not isinstance(record.event, Retraction):
        return followed.rulebook.evolve(followed.state, record.event)
    events = events_in_force(followed.records)
    return reduce(followed.rulebook.evolve, events, _start(followed.opened))


def _violation(followed: Followed) -> Phrase | None:
    """What the rulebook has against a game that has just ended, judged once, act by act."""
    if followed.rulebook is None or not isinstance(followed.opened, Opened):
        return None
    events = events_in_force(followed.records)
    return rule_violation(followed.rulebook, _setup(followed.opened), events)


def _start(opened: Opened) -> Any:
    return GAMES[opened.game].start(_setup(opened))


def _setup(opened: Opened) -> Setup:
    return Setup(opened.players, opened.options)
