"""What a rulebook has against a game that a table tells: each act is decided anew."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import zip_longest
from typing import Any

from scoreboard.errors import NotationError, RuleViolationError
from scoreboard.games.engine.game import Game, Setup
from scoreboard.message import Message, message


def rule_violation(
    game: Game[Any, Any, Any], setup: Setup, events: Sequence[Any]
) -> Message | None:
    """The first event in force that the rulebook would not have recorded, in words.

    Every act is read from its line of notation, the one form of it that all rulebooks know, and
    decided again; what comes of it has to be what the table tells, points and all. None where
    all of it is. Raises whatever a rulebook raises for events out of any order.
    """
    state, at = game.start(setup), 0
    while at < len(events):
        try:
            ruled = _decided(game, state, events[at])
        except (RuleViolationError, NotationError) as refusal:
            told = _described(game, state, events[at])
            return message(
                "The table tells: {told}. The rulebook says: {why}", told=told, why=refusal.message
            )
        for right, told in zip_longest(ruled, events[at : at + len(ruled)]):
            if told != right:
                return message(
                    "The table tells: {told}. By the rulebook it is: {right}.",
                    told=message("nothing") if told is None else _described(game, state, told),
                    right=_described(game, state, right),
                )
            state = game.evolve(state, right)
        at += len(ruled)
    return None


def _decided(game: Game[Any, Any, Any], state: Any, event: Any) -> tuple[Any, ...]:
    """What the act of an event leads to. Raises RuleViolationError and NotationError."""
    keyword, _, rest = game.notation.written(event).partition(" ")
    reader = game.notation.readers.get(keyword)
    command = None if reader is None else reader(rest)
    if command is None:
        raise NotationError(message("Nothing that was done before leads to this."))
    events: tuple[Any, ...] = game.decide(state, command)
    return events


def _described(game: Game[Any, Any, Any], state: Any, event: Any) -> Message:
    return game.describe(game.evolve(state, event), event)
