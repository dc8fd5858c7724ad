"""How a followed game goes on: each item that comes next in turn, replayed as far as it goes."""

from __future__ import annotations

import logging
from collections.abc import Iterable
from dataclasses import replace
from functools import reduce
from typing import Any, Final

from scoreboard.games import GAMES
from scoreboard.games.engine.game import Outcome, Setup
from scoreboard.games.engine.transcript import (
    Abandoned,
    RecordedEvent,
    Resumed,
    Retraction,
    TranscriptError,
    events_in_force,
)
from scoreboard.message import Message, message
from scoreboard.tournament.hub.replayed_game import ReplayedGame
from scoreboard.tournament.hub.rule_check import rule_violation
from scoreboard.tournament.model.scores import HIGHEST_SCORE
from scoreboard.tournament.protocol.items import (
    DisputedBy,
    Happened,
    Item,
    Opened,
    ResultAlone,
    SignedBy,
    Told,
    item_of,
)

LOG: Final = logging.getLogger(__name__)


def replay_items(replayed_game: ReplayedGame, items: Iterable[Item]) -> ReplayedGame:
    """The game after those of the items, in order, that follow on what it knows without a gap.

    Never refuses: items come from outside, and a game of nonsense must not stop the others. It
    stands still then, and its `fault` says so.
    """
    for item in items:
        if item.sequence == replayed_game.through + 1:
            replayed_game = replace(_after(replayed_game, item), through=item.sequence)
    return replayed_game


def _after(replayed_game: ReplayedGame, item: Item) -> ReplayedGame:
    if replayed_game.fault is not None:
        return replayed_game
    try:
        return _told(replayed_game, item_of(item.body))
    except Exception as error:  # noqa: BLE001 -- a table may send any events, in any order
        LOG.warning("Item %s of game %s: %r", item.sequence, replayed_game.game_id, error)
        fault = message("This game cannot be followed: report its result by hand.")
        return replace(replayed_game, fault=fault)


def _told(replayed_game: ReplayedGame, told: Told) -> ReplayedGame:
    match told:
        case Opened():
            return _opened(replayed_game, told)
        case Happened():
            return _happened(replayed_game, told)
        case ResultAlone():
            return _ended(replayed_game, told)
        case SignedBy() | DisputedBy():
            return replace(replayed_game, voices=(*replayed_game.voices, told))
        case _:
            return replayed_game


def _opened(replayed_game: ReplayedGame, opened: Opened) -> ReplayedGame:
    """Raises TranscriptError for what no hub can follow."""
    if replayed_game.opened is not None:
        raise TranscriptError(message("The game was opened twice."))
    if len(set(opened.players)) < len(opened.players):
        raise TranscriptError(message("Two players of one game have the same name."))
    if opened.game not in GAMES:
        raise TranscriptError(message("No rulebook is called “{game}”.", game=opened.game))
    state = _start(opened)
    return replace(
        replayed_game, opened=opened, state=state, outcome=GAMES[opened.game].outcome(state)
    )


def _ended(replayed_game: ReplayedGame, told: ResultAlone) -> ReplayedGame:
    """Raises TranscriptError where the game is told move by move, or is another one by now."""
    before = replayed_game.opened
    if before is not None and (
        not isinstance(before, ResultAlone)
        or (before.round, before.table, before.number) != (told.round, told.table, told.number)
    ):
        raise TranscriptError(message("A game is told move by move, or by its results alone."))
    ended = () if replayed_game.outcome is None else (replayed_game.outcome,)
    return replace(
        replayed_game,
        opened=told,
        outcome=told,
        retracted=(*replayed_game.retracted, *ended),
        voices=tuple(each for each in replayed_game.voices if isinstance(each, DisputedBy)),
    )


def _happened(replayed_game: ReplayedGame, happened: Happened) -> ReplayedGame:
    """Raises TranscriptError for an event of another rulebook, or out of its order."""
    if replayed_game.rulebook is None or happened.sequence != len(replayed_game.records) + 1:
        raise TranscriptError(
            message("Event {sequence} is not the next one.", sequence=happened.sequence)
        )
    record = happened.record(replayed_game.game_id, replayed_game.rulebook.kinds)
    replayed = replace(replayed_game, records=(*replayed_game.records, record))
    if isinstance(record.event, Abandoned | Resumed):
        return replayed
    disputes = tuple(each for each in replayed_game.voices if isinstance(each, DisputedBy))
    state = _state(replayed, record)
    outcome = replayed_game.rulebook.outcome(state)
    _require_countable(outcome)
    ended = () if replayed_game.outcome is None else (replayed_game.outcome,)
    return replace(
        replayed,
        state=state,
        outcome=outcome,
        violation=None if outcome is None else _violation(replayed),
        retracted=(*replayed_game.retracted, *ended),
        voices=disputes,
    )


def _require_countable(outcome: Outcome | None) -> None:
    """Raises TranscriptError where somebody has more points than any event counts."""
    for place in outcome.ranking if outcome is not None else ():
        if abs(place.points) > HIGHEST_SCORE:
            raise TranscriptError(message("Nobody scores {points}.", points=place.points))


def _state(replayed_game: ReplayedGame, record: RecordedEvent) -> Any:
    """The state with one more record: the last one carried on, or all anew after a move back."""
    if replayed_game.rulebook is None or not isinstance(replayed_game.opened, Opened):
        return replayed_game.state
    if not isinstance(record.event, Retraction):
        return replayed_game.rulebook.evolve(replayed_game.state, record.event)
    events = events_in_force(replayed_game.records)
    return reduce(replayed_game.rulebook.evolve, events, _start(replayed_game.opened))


def _violation(replayed_game: ReplayedGame) -> Message | None:
    """What the rulebook has against a game that has just ended, judged once, act by act."""
    if replayed_game.rulebook is None or not isinstance(replayed_game.opened, Opened):
        return None
    events = events_in_force(replayed_game.records)
    return rule_violation(replayed_game.rulebook, _setup(replayed_game.opened), events)


def _start(opened: Opened) -> Any:
    return GAMES[opened.game].start(_setup(opened))


def _setup(opened: Opened) -> Setup:
    return Setup(opened.players, opened.options)
