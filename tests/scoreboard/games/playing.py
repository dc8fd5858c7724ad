"""Ways to bring any game about: line by line, and at random within its offers."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import reduce
from random import Random
from typing import Any, TypeVar

import pytest

from scoreboard.errors import RuleViolationError
from scoreboard.games.engine.game import Game, Offer, OpenOffer

State = TypeVar("State")
Command = TypeVar("Command")
Event = TypeVar("Event")


def read(game: Game[Any, Command, Any], line: str) -> Command:
    """The command of a line of text."""
    keyword, _, rest = line.partition(" ")
    command = game.notation.readers[keyword](rest.strip())
    assert command is not None, line
    return command


def evolved(game: Game[State, Any, Event], state: State, events: Iterable[Event]) -> State:
    """The state after these events."""
    return reduce(game.evolve, events, state)


def entered(game: Game[State, Any, Any], state: State, lines: Iterable[str]) -> State:
    """The state after these lines, none of which may be refused."""
    for line in lines:
        state = evolved(game, state, game.decide(state, read(game, line)))
    return state


def refusal(game: Game[State, Any, Any], state: State, line: str) -> RuleViolationError:
    """Why a line is refused."""
    with pytest.raises(RuleViolationError) as caught:
        game.decide(state, read(game, line))
    return caught.value


def column(game: Game[State, Any, Any], state: State, key: str) -> tuple[int | None, ...]:
    """What a row of the sheet shows, in seat order."""
    return tuple(cell.points for cell in game.scoresheet(state).row(key).cells)


def random_steps(
    game: Game[State, Command, Event],
    state: State,
    command: Callable[[State, Random], Command],
    seed: int,
    most: int,
) -> list[tuple[Event, ...]]:
    """The events of a random game, act by act, up to its end or at most so many acts."""
    chance, steps = Random(seed), list[tuple[Event, ...]]()
    while len(steps) < most and game.outcome(state) is None:
        steps.append(game.decide(state, command(state, chance)))
        state = evolved(game, state, steps[-1])
    return steps


def is_admitted(game: Game[State, Any, Any], state: State, command: object) -> bool:
    """Whether an offer makes this command; an open one is filled with its last member but flags."""
    return any(_makes(offer, command) for offer in game.offers(state))


def _makes(offer: Offer[Any] | OpenOffer[Any], command: Any) -> bool:
    if isinstance(offer, Offer):
        return bool(offer.command == command)
    members = [getattr(command, name) for name in getattr(command, "__match_args__", ())]
    fillings = [each for each in members if not isinstance(each, bool)][-1:]
    return any(offer.fill(each) == command and offer.domain.admits(each) for each in fillings)
