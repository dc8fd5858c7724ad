"""A tournament: its state, commands and events.

A topic (`entries`, `rounds`, `results`, `disputes`, `stages`) has its commands and events
next to each other: `Command.decide` gives a command's events, or refuses it; `Event.apply` records
an event, and never refuses. The state is the sum of all events.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from functools import reduce
from typing import ClassVar, Final, Literal, TypeVar, dataclass_transform

from scoreboard.message import Message, message
from scoreboard.table.tournament_view import ResultPhase
from scoreboard.tournament.model.authority import DIRECTOR, Attributed, Role, refused
from scoreboard.tournament.model.draw import Draw, TableSeats
from scoreboard.tournament.model.entrant import Entrant, Holder
from scoreboard.tournament.model.format_text import FormatError, format_faults
from scoreboard.tournament.model.scores import GameResult, Points, SeatResult
from scoreboard.tournament.model.tournament_format import KNOCKOUTS, TournamentFormat

RoundPhase = Literal["drawn", "running", "closed"]
PenaltyKind = Literal["warning", "points", "game", "disqualification"]
NumberedT = TypeVar("NumberedT", Entrant, TableSeats)
THE_HUB: Final = 0  # who disagrees where no entrant does: a game went against its rulebook


@dataclass(frozen=True, slots=True)
class Objection:
    """The objector to a result, THE_HUB for none of the entrants, and the reason."""

    entrant: int
    why: str


@dataclass(frozen=True, slots=True)
class Reported:
    """A result with its signatures, objections, and whether it was settled.

    With an objection it does not count until it is settled; with a `request` it does.
    """

    result: GameResult
    signed: frozenset[int] = frozenset()
    objection: Objection | None = None
    settled: bool = False
    request: Objection | None = None

    @property
    def phase(self) -> ResultPhase:
        """The phase of the agreement: signed when all players have signed."""
        if self.objection is not None:
            return "disputed"
        if self.settled:
            return "settled"
        return "signed" if self.signers <= self.signed else "reported"

    @property
    def is_replaceable(self) -> bool:
        """Whether its table may take it back: unsigned, and without objections except the hub's."""
        by_hub = self.objection is not None and self.objection.entrant == THE_HUB
        return not self.signed and (by_hub or self.phase == "reported")

    @property
    def signers(self) -> frozenset[int]:
        """The entrants who are to sign: all who played."""
        return frozenset(each.entrant for each in self.result.awards if each.score.fate == "played")


@dataclass(frozen=True, slots=True)
class Round:
    """One round; `results` are by table and game, `stage` counts the cuts before it.

    `seed` is None if the director seated by hand. `corrected_before` are the earlier rounds that
    were corrected since this one was drawn from their results: the draw is kept, and this is its
    mark. `brought` are everyone's results, computed once it is closed, since the standings need
    them again and again; it follows from the rest and is None before.
    """

    number: int
    draw: Draw
    games: int
    stage: int = 0
    meeting: int = 1
    seed: int | None = None
    phase: RoundPhase = "drawn"
    results: Mapping[tuple[int, int], Reported] = field(default_factory=dict)
    corrected_before: tuple[int, ...] = ()
    brought: Mapping[int, SeatResult] | None = field(default=None, compare=False, repr=False)

    def table(self, number: int) -> TableSeats | None:
        return _numbered(self.draw.tables, number)

    def games_of(self, table: int) -> tuple[GameResult, ...]:
        return self.games_by_table.get(table, ())

    def has_result(self, table: int) -> bool:
        """Whether a game of a table was reported, even if disputed."""
        return any(at == table for at, _ in self.results)

    @property
    def games_by_table(self) -> Mapping[int, tuple[GameResult, ...]]:
        """The results that count of every table, each table's in the order of its games."""
        found: dict[int, dict[int, GameResult]] = {}
        for (table, game), reported in self.results.items():
            if reported.objection is None:
                found.setdefault(table, {})[game] = reported.result
        return {table: tuple(games[at] for at in sorted(games)) for table, games in found.items()}

    @property
    def disputed(self) -> tuple[tuple[int, int], ...]:
        return tuple(sorted(at for at, each in self.results.items() if each.objection is not None))

    @property
    def for_the_referee(self) -> tuple[tuple[int, int, Objection], ...]:
        """Table, game and objection of every result for the referee."""
        return tuple(
            (table, game, objection)
            for (table, game), each in sorted(self.results.items(), key=lambda item: item[0])
            if (objection := each.objection or each.request) is not None
        )


@dataclass(frozen=True, slots=True)
class RoundClock:
    """A round's clock at a moment: seconds left, negative in overtime."""

    round: int
    left: int
    running: bool
    at: datetime

    def left_at(self, now: datetime) -> int:
        """The seconds left at another moment, aware."""
        return self.left - (int((now - self.at).total_seconds()) if self.running else 0)


@dataclass(frozen=True, slots=True)
class ProposedRound:
    """A draw that only officials see until it is published, with its draws before each change."""

    round: Round
    earlier: tuple[Draw, ...] = ()
    publish_at: datetime | None = None


@dataclass_transform(frozen_default=True)
class _Frozen:
    """Every class below it is a frozen dataclass, without a decorator of its own."""

    def __init_subclass__(cls) -> None:
        dataclass(frozen=True)(cls)


class Event(_Frozen, ABC):
    """What happened in a tournament."""

    @abstractmethod
    def apply(self, state: Tournament) -> Tournament:
        """The state after it; knows no rule, only records."""

    @abstractmethod
    def describe(self, state: Tournament) -> Message:
        """The event in a sentence, given the state after it."""


class Command(_Frozen, ABC):
    """A request to a tournament; its `roles` may give it, `after_end` to a finished one, too."""

    roles: ClassVar[frozenset[Role]] = DIRECTOR
    after_end: ClassVar[bool] = False

    @abstractmethod
    def decide(self, state: Tournament) -> tuple[Event, ...]:
        """The events of the command. Raises CommandRefusedError and DrawError."""


class CutMade(Event):
    """These reached the stage, best first, by the standings after a round."""

    stage: int
    entrants: tuple[int, ...]
    after_round: int

    def apply(self, state: Tournament) -> Tournament:
        """A cut that is made again replaces the one before."""
        return replace(state, cuts=(*state.cuts[: self.stage - 1], self))

    def describe(self, state: Tournament) -> Message:
        reached = state.format.stages[self.stage - 1].name
        return message("{names} reached {stage}.", names=state.listed(self.entrants), stage=reached)


class SignUpSet(Event):
    """The director opened the sign-up or closed it (`is_open` and `late` are 1 or 0).

    `places` is 0 without a limit; `late` keeps it open after round 1 is drawn.
    """

    is_open: int
    places: int
    fee: str
    late: int

    def apply(self, state: Tournament) -> Tournament:
        return replace(state, sign_up=self)

    def describe(self, state: Tournament) -> Message:
        if not self.is_open:
            return message("The sign-up was closed.")
        return message(
            "The sign-up was opened; places (0: no limit): {places}.", places=self.places
        )


class PlayedOff(Event, Attributed):
    """The result of a play-off, best first."""

    order: tuple[int, ...]
    after_round: int

    def apply(self, state: Tournament) -> Tournament:
        return replace(state, decisions=(*state.decisions, self))

    def describe(self, state: Tournament) -> Message:
        return message("The play-off, best first: {names}.", names=state.listed(self.order))


class LotDrawn(Event):
    """The result of a lot, best first, from a seed."""

    order: tuple[int, ...]
    seed: int
    after_round: int

    def apply(self, state: Tournament) -> Tournament:
        return replace(state, decisions=(*state.decisions, self))

    def describe(self, state: Tournament) -> Message:
        return message(
            "The lot with seed {seed}, best first: {names}.",
            seed=self.seed,
            names=state.listed(self.order),
        )


@dataclass(frozen=True, slots=True)
class Penalty:
    """A penalty in a stage, and its reason; `points` are taken off the stage's points."""

    entrant: int
    kind: PenaltyKind
    points: Points
    stage: int
    why: str


@dataclass(frozen=True, slots=True)
class SoloScore:
    """A submitted score, played alone."""

    entrant: int
    score: int


def _numbered(things: Sequence[NumberedT], number: int) -> NumberedT | None:
    """The one with a number. Usually they are in that order: a large tournament is not searched."""
    for each in things[max(0, number - 1) : number]:
        if each.number == number:
            return each
    return next((each for each in things if each.number == number), None)


@dataclass(frozen=True, slots=True)
class Tournament:
    """The state of a tournament; made by `opened` and `evolve` only.

    `cuts` are the entrants of each stage, `solo` the scores of a blind tournament, `amendments` all
    corrections, each with who, when and why. `holders` has, by entry number, those who held an
    entry that was replaced or corrected, in their order; `clock` is the one set last, of whichever
    round. `proposed` is the next round while only officials may see it: nothing else of the state
    knows of it. `last_number` is the highest entry number ever used.
    """

    title: str
    format: TournamentFormat
    entrants: tuple[Entrant, ...] = ()
    away: frozenset[int] = frozenset()
    rounds: tuple[Round, ...] = ()
    cuts: tuple[CutMade, ...] = ()
    decisions: tuple[PlayedOff | LotDrawn, ...] = ()
    solo: tuple[SoloScore, ...] = ()
    amendments: tuple[Attributed, ...] = ()
    finished: bool = False
    holders: Mapping[int, tuple[Holder, ...]] = field(default_factory=dict)
    penalties: Mapping[int, Penalty] = field(default_factory=dict)
    clock: RoundClock | None = None
    proposed: ProposedRound | None = None
    sign_up: SignUpSet | None = None
    waiting: tuple[Entrant, ...] = ()
    moved_up: frozenset[int] = frozenset()
    last_number: int = 0

    def entrant(self, number: int) -> Entrant | None:
        """The entry with a number, None where there is none."""
        return _numbered(self.entrants, number)

    @property
    def names(self) -> Mapping[int, str]:
        return {each.number: each.name for each in self.entrants}

    @property
    def teams(self) -> Mapping[int, str]:
        """By entry number, the team of everybody who has one."""
        return {each.number: each.team for each in self.entrants if each.team}

    @property
    def entered_as(self) -> Mapping[int, str]:
        """By entry number, the name that its holder came with: a corrected spelling keeps it."""
        held = {number: each[-1].entered_as for number, each in self.holders.items()}
        return {**self.names, **held}

    def named(self, number: int) -> str:
        """An entrant's name, or the number of one who is not on the list."""
        found = self.entrant(number)
        return str(number) if found is None else found.name

    def listed(self, numbers: Iterable[int]) -> str:
        """Some entrants' names, as `named`, with commas between them."""
        return ", ".join(map(self.named, numbers))

    def names_in(self, round_number: int) -> Mapping[int, str]:
        """The names of a round's holders by entry number."""
        then = {
            number: [each.name for each in held if each.from_round <= round_number]
            for number, held in self.holders.items()
        }
        return {**self.names, **{number: names[-1] for number, names in then.items() if names}}

    def holders_of(self, number: int) -> tuple[Holder, ...]:
        """The holders of an entry number, the first one first. Raises KeyError."""
        if number in self.holders:
            return self.holders[number]
        name = self.names[number]
        return (Holder(name, name),)

    @property
    def numbers(self) -> tuple[int, ...]:
        """All entry numbers, in the order of entry."""
        return tuple(each.number for each in self.entrants)

    @property
    def present(self) -> tuple[int, ...]:
        return tuple(number for number in self.numbers if number not in self.away)

    @property
    def last_round(self) -> Round | None:
        """The round drawn last, None before the first."""
        return self.rounds[-1] if self.rounds else None

    @property
    def current_rounds(self) -> tuple[Round, ...]:
        """The open rounds in order, or the last round if all are closed."""
        return tuple(each for each in self.rounds if each.phase != "closed") or self.rounds[-1:]

    def round_at(self, table: int) -> Round | None:
        """The newest of the current rounds that a table is in, or None."""
        return next((each for each in reversed(self.current_rounds) if each.table(table)), None)

    def round_of(self, entrant: int) -> Round | None:
        """The newest of the current rounds that an entrant is drawn in, or None."""
        current = reversed(self.current_rounds)
        return next((each for each in current if entrant in each.draw.entrants), None)

    @property
    def disqualified(self) -> frozenset[int]:
        every = self.penalties.values()
        return frozenset(each.entrant for each in every if each.kind == "disqualification")

    @property
    def round_clock(self) -> RoundClock | None:
        """The clock of the round that is being played, or None."""
        last, clock = self.last_round, self.clock
        if clock is None or last is None or last.phase == "closed" or clock.round != last.number:
            return None
        return clock

    def drawn_round(self) -> Round:
        """The round drawn last. Raises CommandRefusedError before the first."""
        if self.last_round is None:
            raise refused("No round is drawn yet: draw round 1 first.")
        return self.last_round

    def with_round(self, changed: Round) -> Tournament:
        """The state with another round in the place of the one with its number."""
        at = changed.number - 1
        return replace(self, rounds=(*self.rounds[:at], changed, *self.rounds[at + 1 :]))

    def with_tables(self, number: int, tables: Iterable[TableSeats]) -> Tournament:
        """The state with these tables in a round, and its byes as they were."""
        drawn = self.rounds[number - 1]
        return self.with_round(replace(drawn, draw=Draw(tuple(tables), drawn.draw.byes)))

    @property
    def stage(self) -> int:
        return len(self.cuts)

    @property
    def stage_format(self) -> TournamentFormat:
        """The format as the stage after the last cut is played."""
        return self.format.in_stage(self.stage)

    @property
    def stage_rounds(self) -> tuple[Round, ...]:
        """The rounds since the last cut."""
        return tuple(each for each in self.rounds if each.stage == self.stage)

    @property
    def has_bracket(self) -> bool:
        """Whether a knockout is drawn, as the whole tournament or a stage of it."""
        return self.stage_format.system in KNOCKOUTS and bool(self.stage_rounds)

    @property
    def progress(self) -> tuple[int, int, bool]:
        """How many rounds were drawn and cuts made, and whether it is finished."""
        return len(self.rounds), self.stage, self.finished

    @property
    def draws(self) -> tuple[Draw, ...]:
        return tuple(each.draw for each in self.rounds)


def opened(title: str, form: TournamentFormat) -> Tournament:
    """A tournament without entries. Raises FormatError."""
    if faults := format_faults(form):
        raise FormatError(faults)
    return Tournament(title, form)


def decide(state: Tournament, command: Command) -> tuple[Event, ...]:
    """A command's events in order. Raises CommandRefusedError, and DrawError for no seating."""
    if state.finished and not command.after_end:
        raise refused("The tournament is finished: reopen it first.")
    return command.decide(state)


def evolve(state: Tournament, event: Event) -> Tournament:
    """The state after an event; a proposal is dropped when another round is due, or none."""
    if isinstance(event, Attributed):
        state = replace(state, amendments=(*state.amendments, event))
    after = event.apply(state)
    if state.proposed is None or state.progress == after.progress:
        return after
    return replace(after, proposed=None)


def carried_out(state: Tournament, command: Command) -> Tournament:
    """The state after a command. Raises as `decide` does."""
    return reduce(evolve, decide(state, command), state)


def describe(state: Tournament, event: Event) -> Message:
    """An event in a sentence, given the state after it; with attribution if there is one."""
    sentence = event.describe(state)
    if isinstance(event, Attributed):
        return message("{told} {by}: “{why}”", told=sentence, by=event.by, why=event.why)
    return sentence


def may_command(role: Role, command: Command) -> bool:
    """Whether this role may give the command; the hub asks before it decides."""
    return role in command.roles
