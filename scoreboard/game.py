"""A game as a record of pure functions; what all rulebooks have in common."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from functools import reduce
from typing import Generic, Literal, TypeVar

from scoreboard.dice import Roll
from scoreboard.option import Option
from scoreboard.phrase import Phrase
from scoreboard.scoresheet import Scoresheet

StateT = TypeVar("StateT")
CommandT = TypeVar("CommandT")
EventT = TypeVar("EventT")

Phase = Literal["starting", "rolling", "choosing", "finished"]


@dataclass(frozen=True, slots=True)
class RollDomain:
    """What a filled-in roll must be: `dice` many, with `containing` among them."""

    dice: int
    containing: Roll = field(default_factory=lambda: Roll(()))

    def admits(self, roll: Roll) -> bool:
        """Whether the roll lies in the domain."""
        return len(roll) == self.dice and not self.containing.missing_from(roll).faces


@dataclass(frozen=True, slots=True)
class KeepDomain:
    """What may be kept: any of the dice of `roll`, none and all included."""

    roll: Roll

    def admits(self, kept: Roll) -> bool:
        """Whether the kept dice all lie in the roll."""
        return not kept.missing_from(self.roll).faces


@dataclass(frozen=True, slots=True)
class Offer(Generic[CommandT]):
    """A command that `decide` accepts now; `key` is what a page sends back to choose it."""

    key: str
    label: Phrase
    rule: str
    command: CommandT
    points: int | None = None


@dataclass(frozen=True, slots=True)
class OpenOffer(Generic[CommandT]):
    """Commands that `decide` accepts for every roll in `domain`; `fill` makes the command."""

    key: str
    label: Phrase
    rule: str
    domain: RollDomain | KeepDomain
    fill: Callable[[Roll], CommandT]


@dataclass(frozen=True, slots=True)
class Turn:
    """Where a game of dice stands, as the table must know it.

    `number` counts the turns of the whole game from 0 (for the start roll-off: the rolls
    made so far); `player` is the seat, None when the game is over; `rolls_made` counts this
    turn's throws and `rolls_allowed` is the most there may be; `roll` is the last throw,
    None before the first; `kept` is what was announced as kept since, None when nothing was
    announced; `start_rolls`, each with its seat, tell how it came to that: they are no part
    of where the game stands, so turns that differ in nothing else are equal.

    Phases: "starting" (throws for the start are awaited), "rolling" (another throw is
    awaited; a box may be filled too once a roll is there), "choosing" (rolling is over: a
    box must be filled), "finished".
    """

    number: int
    phase: Phase
    player: int | None
    rolls_made: int
    rolls_allowed: int
    roll: Roll | None
    kept: Roll | None
    start_rolls: tuple[tuple[int, Roll], ...] = field(default=(), compare=False)


@dataclass(frozen=True, slots=True)
class Place:
    """One player's place in the ranking; equal places are shared, the next is skipped."""

    place: int
    player: str
    points: int


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a game ended: the places, best first."""

    ranking: tuple[Place, ...]


@dataclass(frozen=True, slots=True)
class Setup:
    """What is agreed before the first throw: who plays, in seat order, and the house rules."""

    players: tuple[str, ...]
    options: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Notation(Generic[CommandT, EventT]):
    """A game's acts as lines of text, each a keyword and what follows it.

    `readers` give the command of a line's rest by its keyword, None where it can't be read,
    or raise NotationError; `written` gives the line of an event.
    """

    readers: Mapping[str, Callable[[str], CommandT | None]]
    written: Callable[[EventT], str]


@dataclass(frozen=True, slots=True)
class Game(Generic[StateT, CommandT, EventT]):
    """A rulebook: pure functions over frozen states; `decide` may refuse, `evolve` never does.

    `name` is the stored and written name; `seats` how many may play; `options` the house
    rules; `kinds` the stored name of each event class (declared, so that renaming a class
    never loses an old game); `describe` says in words what an event was, given the state after
    it (for "undo takes back ..."); `turn` tells the table what it is waiting for; `notation`
    reads and writes the game's lines of text.

    `decide` raises RuleViolationError when the rulebook refuses the command.
    """

    name: str
    title: Phrase
    seats: range
    options: tuple[Option, ...]
    kinds: Mapping[str, type[EventT]]
    start: Callable[[Setup], StateT]
    decide: Callable[[StateT, CommandT], tuple[EventT, ...]]
    evolve: Callable[[StateT, EventT], StateT]
    offers: Callable[[StateT], tuple[Offer[CommandT] | OpenOffer[CommandT], ...]]
    scoresheet: Callable[[StateT], Scoresheet]
    outcome: Callable[[StateT], Outcome | None]
    turn: Callable[[StateT], Turn]
    describe: Callable[[StateT, EventT], Phrase]
    notation: Notation[CommandT, EventT]


def replay(game: Game[StateT, CommandT, EventT], setup: Setup, events: Iterable[EventT]) -> StateT:
    """The state that the events lead to from the start; the only way a state is made."""
    return reduce(game.evolve, events, game.start(setup))
