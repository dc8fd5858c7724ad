"""The definition of a rulebook: a record of pure functions, its house rules, and their results."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from functools import reduce
from typing import Any, ClassVar, Final, Generic, Literal, Protocol, Self, TypeVar

from scoreboard.dice import Roll
from scoreboard.errors import NotationError, RuleViolationError, refused
from scoreboard.games.engine.scoresheet import Scoresheet
from scoreboard.message import Message, message
from scoreboard.typed_numbers import typed_number


@dataclass(frozen=True, slots=True)
class Choice:
    """One value of a house rule: its stored value, its words, and its print on a sheet.

    `printed` is None if the sheet omits it: for the default, and for what the game shows anyway.
    """

    value: str
    label: Message
    printed: Message | None = None


@dataclass(frozen=True, slots=True)
class OwnValue:
    """A value of a table's own: its `hint`, how it is `read` (or NotationError) and `printed`."""

    hint: Message
    read: Callable[[str], str]
    printed: Callable[[str], Message | None]


@dataclass(frozen=True, slots=True)
class Option:
    """A house rule: its stored name, its words, the rule it is about, and its choices.

    The first choice is the default; with `own` a table may write another value. `proposed` is for a
    question that is put to every table, not folded away among the house rules: the choice that a
    form for a new game begins with.
    """

    name: str
    label: Message
    rule: str
    choices: tuple[Choice, ...]
    own: OwnValue | None = None
    proposed: str | None = None

    @property
    def default(self) -> str:
        return self.choices[0].value

    @property
    def at_first(self) -> str:
        return self.default if self.proposed is None else self.proposed

    def settled(self, given: Mapping[str, str]) -> Choice:
        """The choice of these options. Raises RuleViolationError: the value is no choice."""
        value = given.get(self.name, self.default)
        for choice in self.choices:
            if choice.value == value:
                return choice
        if self.own is None:
            raise _unknown(self.rule, self.name, value)
        try:
            read = self.own.read(value)
        except NotationError as error:
            raise RuleViolationError(self.rule, error.message) from error
        return Choice(read, message("{value}", value=read), self.own.printed(read))


def whole_number(numbers: range) -> Callable[[str], str]:
    """A reader of one of these numbers."""

    def read(text: str) -> str:
        number = typed_number(text)
        if number not in numbers:
            least, most = numbers[0], numbers[-1]
            words = message("Write a whole number from {least} to {most}.", least=least, most=most)
            raise NotationError(words)
        return str(number)

    return read


def number_option(  # noqa: PLR0913, PLR0917 -- the words of each
    name: str,
    label: Message,
    rule: str,
    choice: Choice,
    most: int,
    hint: Message,
    printed: Callable[[str], Message],
) -> Option:
    """A house rule that is a number from 1 to `most`, or else the choice."""
    own = OwnValue(hint, whole_number(range(1, most + 1)), printed)
    return Option(name, label, rule, (choice,), own)


def rounds_option(rule: str, most: int) -> Option:
    """The number of rounds, or as many as the players like."""
    return number_option(
        "rounds",
        message("How many rounds"),
        rule,
        Choice("open", message("As many as you like: you say which was the last")),
        most,
        message("a number of rounds"),
        lambda rounds: message("rounds: {rounds}", rounds=rounds),
    )


def settled(options: Iterable[Option], given: Mapping[str, str]) -> dict[str, Choice]:
    """All house rules of a game, by name. Raises RuleViolationError: one is none of its own."""
    choices = {option.name: option.settled(given) for option in options}
    for name, value in given.items():
        if name not in choices:
            raise _unknown("options", name, value)
    return choices


def _unknown(rule: str, name: str, value: str) -> RuleViolationError:
    return refused("This game has no option {name}: {value}.", rule, name=name, value=value)


Pieces = Literal["tiles", "cards"]


@dataclass(frozen=True, slots=True)
class PieceGroup:
    """Tiles or cards that belong together, in notation; `label` is None if it is obvious."""

    kind: Pieces
    pieces: tuple[str, ...]
    label: Message | None = None


StateT = TypeVar("StateT")
CommandT = TypeVar("CommandT")
EventT = TypeVar("EventT")

Phase = Literal["starting", "rolling", "choosing", "playing", "finished"]
Keyboard = Literal["tiles", "cards", "numbers", "letters"]


class OfferKind(StrEnum):
    """The acts with a place of their own on a table or a page.

    An offer's key is its kind, followed by a colon and its object if there are several: `roll`,
    `score:aces`, `leave:0`. Games have further kinds of their own.
    """

    START = "start"
    ROLL = "roll"
    KEEP = "keep"
    STAND = "stand"
    CORRECT = "correct"
    FOUL = "foul"
    SCORE = "score"
    LEAVE = "leave"
    FOR = "for"  # what is seen is another player's

    def key(self, about: object) -> str:
        return f"{self}:{about}"

    def is_kind_of(self, key: str) -> bool:
        return key.partition(":")[0] == self


RECORDS_ROLL: Final = frozenset({OfferKind.START, OfferKind.ROLL})
ABOUT_LAST_ROLL: Final = frozenset({OfferKind.KEEP, OfferKind.CORRECT})


class Domain(Protocol):
    """The possible fillings of an open offer: values with a notation."""

    def parse(self, text: str) -> Any:
        """Raises NotationError if the text is no value."""

    def admits(self, value: Any) -> bool:
        """Whether `decide` accepts the command with this value."""


class FaultDomain(ABC):
    """A domain that explains rejections."""

    __slots__ = ()

    def admits(self, value: Any) -> bool:
        return self.fault(value) is None

    @abstractmethod
    def fault(self, value: Any) -> Any:
        """The reason to reject the value, or None."""


@dataclass(frozen=True, slots=True)
class RollDomain:
    """Rolls of `dice` dice, with `containing` among them."""

    dice: int
    containing: Roll = field(default_factory=lambda: Roll(()))

    parse = staticmethod(Roll.parse)

    def admits(self, roll: Roll) -> bool:
        return len(roll) == self.dice and not self.containing.missing_from(roll).faces


@dataclass(frozen=True, slots=True)
class KeepDomain:
    """Any of the dice of `roll`, none and all included."""

    roll: Roll

    parse = staticmethod(Roll.parse)

    def admits(self, kept: Roll) -> bool:
        return not kept.missing_from(self.roll).faces


@dataclass(frozen=True, slots=True)
class Offer(Generic[CommandT]):
    """A command that `decide` accepts now; a page sends `key` back to choose it.

    Two are equal if they look the same. `aside` marks a rarely needed act, such as a correction,
    which is shown apart. `piece` is the tile or card, in its notation, that is tapped for it;
    `by_lot` marks offers of one kind from which a page may draw, as from a stack of cards.
    """

    key: str
    label: Message
    rule: str
    command: CommandT = field(compare=False)
    points: int | None = None
    aside: bool = False
    piece: str | None = None
    by_lot: bool = False
    entry: ClassVar[None] = None
    overrules: ClassVar[bool] = False


@dataclass(frozen=True, slots=True)
class Entry:
    """How a person fills in an open offer by hand, if it is not a roll of dice.

    `question` asks for it and `hint` explains the format; `written` is the field's initial text,
    several `lines` if each is a part of its own; `keys` are those offered to tap. `pieces` are all
    that can be tapped, each as often as the game has it; `worth` is the cost of each, if costs are
    added up. `needed` is the required sum in the end, points of new sets or tiles of a rack, if
    known. `instead` is the key of an open offer for another form of the same act.
    """

    question: Message
    hint: Message
    keys: Keyboard
    written: str = ""
    lines: bool = False
    pieces: tuple[str, ...] = ()
    worth: tuple[int, ...] = ()
    needed: int | None = None
    instead: str | None = None


@dataclass(frozen=True, slots=True)
class OpenOffer(Generic[CommandT]):
    """Commands that `decide` accepts for every value in `domain`; `fill` makes the command.

    `aside` as for `Offer`; `overrules` marks the one that accepts the pieces seen against the
    remarks of the rulebook.
    """

    key: str
    label: Message
    rule: str
    domain: Domain = field(compare=False)
    fill: Callable[[Any], CommandT] = field(compare=False)
    entry: Entry | None = None
    aside: bool = False
    overrules: bool = False
    points: ClassVar[None] = None
    piece: ClassVar[None] = None
    by_lot: ClassVar[bool] = False


@dataclass(frozen=True, slots=True)
class ExpectedPieces:
    """The pieces that the camera looks for in a game without dice.

    `reader` names the reader of the pieces. `offer` is the key of the offer that the pieces fill,
    or that they confirm if nothing is to be filled in. `lasting` pieces (the table, the trick) stay
    for the next question, which reads them again; a rack or a pile answers one question only.
    """

    reader: str
    offer: str
    lasting: bool = False


@dataclass(frozen=True, slots=True)
class Remark:
    """An objection of the rulebook to the pieces seen: the rule, and the pieces it concerns."""

    rule: str
    text: Message
    pieces: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Judgement:
    """The rulebook's judgement of pieces seen, before they are confirmed.

    `label` is the effect of confirming them; `remarks` is empty if that is allowed; `fresh` are the
    new pieces. `changed` is False if nothing is new. If it depends on the pieces, `key` is the
    offer that confirming chooses, and `filling` its filling.
    """

    label: Message
    remarks: tuple[Remark, ...] = ()
    fresh: tuple[str, ...] = ()
    changed: bool = True
    key: str | None = None
    filling: str | None = None


@dataclass(frozen=True, slots=True)
class SetVerdict:
    """What each piece of a set, in order, stands for (jokers for others), or the set's `fault`."""

    meanings: tuple[str, ...]
    fault: Message | None = None


@dataclass(frozen=True, slots=True)
class Awaited:
    """What a game without dice waits for, in its own words.

    `progress` names the place in the game (“Round 2”), `instruction` the one thing to do now.
    `first` is the key of the offer that KEEP chooses, whatever pieces are seen, and `second`
    REROLL's; None if the button has no such meaning. In a timed turn, `seconds` is its length and
    `time_up` the key of the offer carried out at its end; `large` is then shown in place of the
    clock. `expected` are the pieces that the camera looks for, or None. `pieces` are all those of
    the game, in the notation of its kind, if they are tapped one by one: each keeps its place on
    the page, even once it was `played`.
    """

    progress: Message
    instruction: Message
    second: str | None = None
    seconds: int | None = None
    time_up: str | None = None
    expected: ExpectedPieces | None = None
    pieces: tuple[str, ...] = ()
    played: frozenset[str] = frozenset()
    first: str | None = None
    large: Message | None = None


@dataclass(frozen=True, slots=True)
class Turn:
    """The state of a game as the table must know it.

    `number` counts the turns of the whole game from 0 (for the start roll-off: the rolls made so
    far); `player` is the seat, None when the game is over; `rolls_made` counts this turn's rolls
    and `rolls_allowed` is the most there may be; `roll` is the last roll, None before the first;
    `kept` are the dice announced as kept since, None without an announcement; `start_rolls`, each
    with its seat, are the roll-off; excluded from equality.

    Phases: "starting" (rolls for the start are awaited), "rolling" (another roll is awaited; a box
    may be filled too once there is a roll), "choosing" (rolling is over: a box must be filled),
    "playing" (a game without dice: `awaited` has it in words), "finished".
    """

    number: int
    phase: Phase
    player: int | None
    rolls_made: int = 0
    rolls_allowed: int = 0
    roll: Roll | None = None
    kept: Roll | None = None
    awaited: Awaited | None = None
    start_rolls: tuple[tuple[int, Roll], ...] = field(default=(), compare=False)


@dataclass(frozen=True, slots=True)
class Place:
    """One player's place in the ranking; equal places are shared, the next is skipped."""

    place: int
    player: str
    points: int


@dataclass(frozen=True, slots=True)
class Outcome:
    """The result of a game: the places, best first."""

    ranking: tuple[Place, ...]

    @classmethod
    def ranked(cls, players: Sequence[str], points: Sequence[int], merits: Sequence[Any]) -> Self:
        """Rank players, all in seat order, by their merits: the highest first."""
        seats = sorted(range(len(players)), key=lambda seat: merits[seat], reverse=True)
        better = [sum(merit > own for merit in merits) for own in merits]
        return cls(tuple(Place(better[seat] + 1, players[seat], points[seat]) for seat in seats))


@dataclass(frozen=True, slots=True)
class RollOff:
    """Who starts by the highest number rolled or drawn: the seat, or else who comes next."""

    starter: int | None
    next_seat: int | None

    @classmethod
    def of(cls, seats: Iterable[int], made: Sequence[tuple[int, int]]) -> RollOff:
        """Settle it by the numbers so far and their seats; those tied for the highest go again."""
        numbers = {seat: [number for own, number in made if own == seat] for seat in seats}
        contenders, attempt = tuple(numbers), 0
        while True:
            for seat in contenders:
                if len(numbers[seat]) <= attempt:
                    return cls(None, seat)
            highest = max(numbers[seat][attempt] for seat in contenders)
            contenders = tuple(seat for seat in contenders if numbers[seat][attempt] == highest)
            if len(contenders) == 1:
                return cls(contenders[0], None)
            attempt += 1


@dataclass(frozen=True, slots=True)
class Setup:
    """The agreements before the first roll: the players in seat order, and the house rules."""

    players: tuple[str, ...]
    options: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Notation(Generic[CommandT, EventT]):
    """A game's acts as lines of text, each a keyword and its arguments.

    `readers` give the command of a line's arguments by its keyword, None if unreadable, or raise
    NotationError; `written` gives the line of an event, an empty one for an event that follows from
    the act before it.
    """

    readers: Mapping[str, Callable[[str], CommandT | None]]
    written: Callable[[EventT], str]


@dataclass(frozen=True, slots=True)
class CountField:
    """A count for each player: a number from 0 to `most`, or a box to tick without one.

    `name` is the form field; `label` contains a player's name, None for the first of a row.
    """

    name: str
    heading: Message
    label: Callable[[str], Message] | None = None
    most: int | None = None


@dataclass(frozen=True, slots=True)
class HandCount:
    """The counts that people enter after a game without a device, instead of the scores.

    `name` identifies its form; `fields` and `hint` depend on the penalties of an event, by their
    names, and `scores` gives each player's score from the counts of all, in seat order. It raises
    NotationError for counts that no game ends with.
    """

    name: str
    title: Message
    button: Message
    fields: Callable[[Mapping[str, int]], tuple[CountField, ...]]
    hint: Callable[[Mapping[str, int]], Message]
    scores: Callable[[Sequence[Mapping[str, int]], Mapping[str, int]], tuple[int, ...]]


def _unjudged(_state: object, offer: str, _pieces: str) -> Judgement:
    raise ValueError(f"This game has no pieces that fill “{offer}”.")


@dataclass(frozen=True, slots=True)
class Game(Generic[StateT, CommandT, EventT]):
    """A rulebook: pure functions over frozen states; `decide` may refuse, `evolve` never does.

    `name` is stored and written; `seats` is how many may play; `kinds` are the stored names of the
    event classes, declared so that renaming a class loses no old game; `describe` puts an event
    into words, given the state after it (for "Undo ..."); `rule_texts` are the rules in a sentence
    each, by identifier: the answer to a player's “why?”. `judge` is the effect of confirming
    pieces seen, given the key of the offer that they fill and their notation; it raises
    NotationError if they are none, and so does `judge_sets`, the verdict on each set. `warn` names
    the rule that an accepted command shows to be broken already, or None: the players settle that
    among themselves, so they are asked once and may play on. `scores` are the possible final scores
    of a player, None if unknown; `hand_count` is what people may enter instead of them. `scoring`
    are the events that give one player points. `needs` names what must be on the table, `minutes`
    is about how long a game among four lasts. `better` is 1 if the higher total wins under these
    house rules, -1 if the lower does, so that totals times this are compared. The `player` of the
    first event in `begins` began the game. `five_alike` is the key of the box for five of a kind,
    `bgg_id` the number on BoardGameGeek. With `zero_sum`, the scores of a table add up to 0.
    `penalties` puts the penalties of a tournament into words, by their names. `taught` names the
    pieces that a camera reads, and the page that teaches others. `review` is what can be worked out
    of a finished game: the best "turns", or how it "ends" best. `titled_by` is the house rule that
    gives the game a name of the table's own. `habits` are each seat's figures beyond the points, by
    the keys of `habit_names`, from all states, and the events between them with their times.
    `joins` says that somebody may join while they can still have every turn.
    `bonus` is what an event gives a player on top of its box.

    `decide` raises RuleViolationError when the rulebook refuses the command.
    """

    name: str
    title: Message
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
    describe: Callable[[StateT, EventT], Message]
    notation: Notation[CommandT, EventT]
    rule_texts: Mapping[str, Message]
    pieces_on_table: Callable[[StateT], tuple[PieceGroup, ...]] = lambda _state: ()
    judge: Callable[[StateT, str, str], Judgement] = _unjudged
    judge_sets: Callable[[str], tuple[SetVerdict, ...]] = lambda _pieces: ()
    warn: Callable[[StateT, CommandT], Message | None] = lambda _state, _command: None
    scores: Callable[[Setup], range] | None = None
    hand_count: HandCount | None = None
    needs: Message | None = None
    minutes: int | None = None
    scoring: tuple[type[EventT], ...] = ()
    bonus: Callable[[EventT], int] = lambda _event: 0
    better: Callable[[Mapping[str, str]], int] = lambda _options: 1
    begins: tuple[type[EventT], ...] = ()
    five_alike: str | None = None
    bgg_id: int | None = None
    zero_sum: bool = False
    penalties: Callable[[Mapping[str, int]], tuple[Message, ...]] = lambda _costs: ()
    taught: tuple[Message, Message] | None = None
    review: Literal["turns", "ends"] | None = None
    titled_by: str = ""
    habits: Callable[
        [Sequence[StateT], Sequence[tuple[EventT, datetime]]], Sequence[Mapping[str, int]]
    ] = lambda _states, _steps: ()
    habit_names: Mapping[str, Message] = field(default_factory=dict)
    joins: bool = False

    def title_under(self, options: Mapping[str, str]) -> Message:
        """Its title under these house rules: the table's own, if they give one."""
        own = options.get(self.titled_by)
        return message("{name}", name=own) if own else self.title

    @property
    def has_dice(self) -> bool:
        """Whether it is played with dice, so that rolls can be written and recorded."""
        return OfferKind.ROLL in self.notation.readers


AnyGame = Game[Any, Any, Any]


def replay(game: Game[StateT, CommandT, EventT], setup: Setup, events: Iterable[EventT]) -> StateT:
    """The state that the events lead to from the start; the only way a state is made."""
    return reduce(game.evolve, events, game.start(setup))
