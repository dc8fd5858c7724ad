"""A free score sheet for any game: players write their points, and the columns are added up.

write NAME, 24 write NAME, -6 fix NAME, 24 -9 next NAME end

A table gives a game of its own a name, a number of rounds and a word for them.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Final

from scoreboard.errors import NotationError, RuleViolationError, refused
from scoreboard.games.engine.game import (
    Awaited,
    Choice,
    Entry,
    ExpectedPieces,
    FaultDomain,
    Game,
    Judgement,
    Notation,
    Offer,
    OfferKind,
    OpenOffer,
    Option,
    Outcome,
    OwnValue,
    Remark,
    Setup,
    Turn,
    rounds_option,
    settled,
)
from scoreboard.games.engine.scoresheet import Cell, Row, Scores, Scoresheet
from scoreboard.message import Message, message
from scoreboard.players import by_player, of_player, plain_text, quoted
from scoreboard.typed_numbers import plain_digits

SEATS: Final = range(1, 11)
MOST_ROWS: Final = 99  # a player's entries
MOST_POINTS: Final = 99_999
LONGEST_TITLE: Final = 40
TOO_MUCH: Final = message("That is too much: write at most {most}.", most=MOST_POINTS)
READER: Final = "own"
_ADDEND: Final = re.compile(r"([+-]?[0-9]+)|[^\W\d_]\D*?([0-9]+)")
# 1 200, 1,200, 1.200 and 1'200 may be one number or several, and so may 1,5 and 1.5. Two commas or
# more, as in 8,5,11, part several.
_UNCLEAR: Final = re.compile(
    r"(?<![\w.,'’])(?:([1-9][0-9]{0,2}(?:(?:[^\S\n]+|[.,'’])[0-9]{3})+)(?![0-9])"
    r"|[0-9]+[.,'’][0-9]+(?![0-9]|,[0-9]))"
)

WINNER: Final = Option(
    "winner",
    message("Who wins?"),
    "FS-3",
    (
        Choice("highest", message("The highest total")),
        Choice("lowest", message("The lowest total"), message("the lowest total wins")),
    ),
)


def _short_name(text: str) -> str:
    """A name on one line that no line of text takes for a comment."""
    name = " ".join(plain_text(text).split())
    if len(name) > LONGEST_TITLE or "#" in name:
        raise NotationError.worded(
            "Write up to {most} letters, without #: “{name}”.", most=LONGEST_TITLE, name=name
        )
    return name


NAME: Final = Option(
    "name",
    message("What do you play?"),
    "FS-4",
    (Choice("", message("Just a score sheet")),),
    OwnValue(message("a name of your own, as in Hearts"), _short_name, lambda _name: None),
    proposed="",
)
ROUNDS: Final = rounds_option("FS-3", MOST_ROWS)
WORD: Final = Option(
    "word",
    message("A round is called"),
    "FS-4",
    (
        Choice("round", message("Round")),
        Choice("hand", message("Hand")),
        Choice("deal", message("Deal")),
    ),
    OwnValue(message("a word of your own, as in Lap"), _short_name, lambda _word: None),
)
OPTIONS: Final = (NAME, WINNER, ROUNDS, WORD)


@dataclass(frozen=True, slots=True)
class PointsEntered:
    """The player's points went onto the sheet (FS-1)."""

    player: str
    points: int


@dataclass(frozen=True, slots=True)
class PointsCorrected:
    """The player's column was replaced by this one (FS-5)."""

    player: str
    numbers: Scores


@dataclass(frozen=True, slots=True)
class PlayerNamed:
    """The player's points are awaited (FS-2)."""

    player: str


@dataclass(frozen=True, slots=True)
class SheetEnded:
    """The game is over (FS-3)."""


Event = PointsEntered | PointsCorrected | PlayerNamed | SheetEnded
Command = Event  # what is accepted happened as it was entered
KINDS: Final[Mapping[str, type[Event]]] = {
    "points-entered": PointsEntered,
    "points-corrected": PointsCorrected,
    "player-named": PlayerNamed,
    "sheet-ended": SheetEnded,
}


@dataclass(frozen=True, slots=True)
class State:
    """A sheet: each player's entries, the `seat` awaited, the room in `rows`, and their `word`."""

    players: tuple[str, ...]
    entries: tuple[tuple[int, ...], ...]
    better: int = 1
    rows: int = MOST_ROWS
    word: str = "round"
    printed: tuple[Message, ...] = ()
    seat: int = 0
    turns: int = 0
    ended: bool = False

    @property
    def totals(self) -> tuple[int, ...]:
        """In seat order."""
        return tuple(map(sum, self.entries))

    @property
    def open_seats(self) -> tuple[int, ...]:
        """The seats with room in their column; none once it is over."""
        if self.ended:
            return ()
        return tuple(seat for seat, column in enumerate(self.entries) if len(column) < self.rows)

    def row_name(self, number: int) -> Message:
        """“Hand 3”, counted from 1."""
        match self.word:
            case "round":
                return message("Round {number}", number=number)
            case "hand":
                return message("Hand {number}", number=number)
            case "deal":
                return message("Deal {number}", number=number)
            case word:
                return message("{word} {number}", word=word, number=number)


def start(setup: Setup) -> State:
    """An empty sheet. Raises RuleViolationError: too many players, or there is no such option."""
    chosen = settled(OPTIONS, setup.options)
    rounds = chosen["rounds"].value
    if len(setup.players) not in SEATS:
        raise refused("A free score sheet is for 1 to 10 players.", "FS-1")
    return State(
        setup.players,
        ((),) * len(setup.players),
        better(setup.options),
        MOST_ROWS if rounds == ROUNDS.default else int(rounds),
        chosen["word"].value,
        tuple(each.printed for each in chosen.values() if each.printed),
    )


def better(options: Mapping[str, str]) -> int:
    """FS-3: -1 if the lowest total wins, else 1."""
    return -1 if WINNER.settled(options).value == "lowest" else 1


def decide(state: State, command: Command) -> tuple[Event, ...]:
    """Raises RuleViolationError if the sheet takes no such entry."""
    fault: Message | None = message("The sheet takes no such entry now.")
    name = "" if isinstance(command, SheetEnded) else command.player
    seat = state.players.index(name) if name in state.players else -1
    match command:
        case PointsEntered(points=points) if seat in state.open_seats:
            fault = EntryDomain().fault(points)
        case PointsCorrected(numbers=numbers) if seat in correctable(state):
            fault = CorrectedDomain(state.entries[seat]).fault(numbers)
        case PlayerNamed() if seat in nameable(state):
            fault = None
        case SheetEnded() if may_end(state):
            fault = None
    if fault is not None:
        raise RuleViolationError("FS-1", fault)
    return (command,)


def correctable(state: State) -> tuple[int, ...]:
    """The seats with numbers, while the game goes on (FS-5)."""
    return () if state.ended else tuple(s for s, column in enumerate(state.entries) if column)


def nameable(state: State) -> tuple[int, ...]:
    """The seats that may be called up: not the one that is."""
    return tuple(seat for seat in state.open_seats if seat != state.seat)


def may_end(state: State) -> bool:
    """Whether the sheet has any entry."""
    return not state.ended and any(state.entries)


def evolve(state: State, event: Event) -> State:
    """The sheet after that; the next seat with room is awaited."""
    state = replace(state, turns=state.turns + 1)
    match event:
        case PointsEntered(player, points):
            seat = state.players.index(player)
            after = _with_column(state, seat, (*state.entries[seat], points))
            count = len(state.players)
            around = ((seat + step) % count for step in range(1, count + 1))
            return replace(after, seat=next((s for s in around if s in after.open_seats), seat))
        case PointsCorrected(player, column):
            return _with_column(state, state.players.index(player), column.numbers)
        case PlayerNamed(player):
            return replace(state, seat=state.players.index(player))
        case SheetEnded():
            return replace(state, ended=True)


def _with_column(state: State, seat: int, column: tuple[int, ...]) -> State:
    return replace(state, entries=(*state.entries[:seat], column, *state.entries[seat + 1 :]))


@dataclass(frozen=True, slots=True)
class EntryDomain(FaultDomain):
    """Possible entries: a whole number, or numbers and pieces that are added up."""

    @staticmethod
    def parse(text: str) -> int:
        """Add up numbers (`24`, `-6`) and pieces with one (`R12`, `Sun3`). Raises NotationError."""
        plain = re.sub(r"([+-])\s+(?=[0-9])", r"\1", plain_digits(text))
        if unclear := _UNCLEAR.search(plain):
            parts = re.split(r"[^0-9]+", unclear[0])
            raise NotationError.worded(
                "Is “{typed}” {number} or {sum}? Type whole numbers, with + between those to add.",
                typed=unclear[0],
                number=("" if unclear[1] else ".").join(parts),
                sum=" + ".join(parts),
            )
        return _added(re.sub(r",|(?<=[0-9])(?=\+)", " ", plain).split())

    def fault(self, value: int) -> Message | None:
        return None if abs(value) <= MOST_POINTS else TOO_MUCH


def _added(parts: Sequence[str]) -> int:
    total = 0
    for part in parts:
        found = _ADDEND.fullmatch(part)
        if found is None:
            raise NotationError.worded("“{part}” has no number to add: type the points.", part=part)
        number = found[1] or found[2]
        if len(number.lstrip("+-0")) > len(str(MOST_POINTS)):
            raise NotationError(TOO_MUCH)
        total += int(number)
    if not parts:
        raise NotationError(message("Type the points, as in 24 or -6."))
    return total


@dataclass(frozen=True, slots=True)
class CorrectedDomain(FaultDomain):
    """Possible columns in place of this one: as long, and different (FS-5)."""

    before: tuple[int, ...]

    parse = staticmethod(Scores.parse)

    def fault(self, column: Scores) -> Message | None:
        if len(column) != len(self.before) or column.numbers == self.before:
            return message("Change the number that is wrong, and leave the others as they are.")
        return next(filter(None, map(EntryDomain().fault, column.numbers)), None)


POINTS_HINT: Final = message("One number, or several that are added up, as in 24 or 8 5 11.")


def offers(state: State) -> Iterator[Offer[Command] | OpenOffer[Command]]:
    """The acts accepted now: `write:<seat>`, `fix:<seat>` (open), `for:<seat>`, `end`."""
    order = sorted(state.open_seats, key=lambda seat: seat != state.seat)
    for seat in order:
        player = state.players[seat]
        label = message("{player}’s points", player=player)
        question = message("How many points has {player}?", player=player)
        entry = Entry(question, POINTS_HINT, "numbers")
        fill = partial(PointsEntered, player)
        yield OpenOffer(f"write:{seat}", label, "FS-1", EntryDomain(), fill, entry)
    for seat in nameable(state):
        player = state.players[seat]
        label = message("The cards are {player}’s", player=player)
        yield Offer(OfferKind.FOR.key(seat), label, "FS-2", PlayerNamed(player))
    for seat in correctable(state):
        player, column = state.players[seat], state.entries[seat]
        label = message("Correct {player}’s numbers", player=player)
        hint = message("In the order of the rounds: change the one that is wrong.")
        entry = Entry(label, hint, "numbers", written=str(Scores(column)))
        fix, domain = partial(PointsCorrected, player), CorrectedDomain(column)
        yield OpenOffer(f"fix:{seat}", label, "FS-5", domain, fix, entry, aside=True)
    if may_end(state):
        yield Offer("end", message("The game is over"), "FS-3", SheetEnded())


def scoresheet(state: State) -> Scoresheet:
    """Row by row as it was written; the last open row is empty."""
    longest = max(map(len, state.entries))
    is_level = all(len(column) == longest for column in state.entries)
    fresh = 1 if is_level and state.open_seats else 0
    rows = []
    for row in range(longest + fresh):
        cells = tuple(Cell(points=each[row] if row < len(each) else None) for each in state.entries)
        label = state.row_name(row + 1)
        rows.append(Row(f"round-{row + 1}", label, "box", "rounds", cells, None, "FS-1"))
    totals = tuple(Cell(points=total, rule="FS-1") for total in state.totals)
    rows.append(Row("grand", message("Total"), "total", "totals", totals, None, "FS-1"))
    current = state.seat if state.open_seats else None
    return Scoresheet(
        "free-sheet", state.players, tuple(rows), current, state.printed, better=state.better
    )


def outcome(state: State) -> Outcome | None:
    """FS-3: None until the players end the game."""
    merits = [state.better * total for total in state.totals]
    return Outcome.ranked(state.players, state.totals, merits) if state.ended else None


def turn(state: State) -> Turn:
    """The open turn, for the table."""
    if state.ended:
        return Turn(state.turns, "finished", None)
    if not state.open_seats:
        why = message("That was the last one: check the numbers, then press KEEP.")
        awaited = Awaited(state.row_name(state.rows), why, first="end")
        return Turn(state.turns, "playing", None, awaited=awaited)
    progress = state.row_name(len(state.entries[state.seat]) + 1)
    if state.rows < MOST_ROWS:
        progress = message("{round} of {rounds}", round=progress, rounds=state.rows)
    why = message(
        "{player}’s points: type them, or show cards that you taught and press KEEP.",
        player=state.players[state.seat],
    )
    awaited = Awaited(progress, why, expected=ExpectedPieces(READER, f"write:{state.seat}"))
    return Turn(state.turns, "playing", state.seat, awaited=awaited)


def judgement(state: State, offer: str, pieces: str) -> Judgement:
    """The sum of the pieces that are seen. Raises ValueError: no pieces fill that offer now."""
    found = next((each for each in offers(state) if each.key == offer), None)
    if found is None or not isinstance(found, OpenOffer):
        raise ValueError(f"No pieces fill “{offer}” now.")
    shown = tuple(pieces.split())
    try:
        points = _added(plain_digits(pieces).split())
    except NotationError as error:
        strange = tuple(each for each in shown if _ADDEND.fullmatch(plain_digits(each)) is None)
        return Judgement(found.label, (Remark("FS-1", error.message, strange),), shown)
    label = message(
        "{label}: {pieces} pieces, {points} points",
        label=found.label,
        pieces=len(shown),
        points=points,
    )
    fault = EntryDomain().fault(points)
    remarks = () if fault is None else (Remark("FS-1", fault, shown),)
    return Judgement(label, remarks, shown, filling=str(points))


def describe(_state: State, event: Event) -> Message:
    """The event in words."""
    match event:
        case PointsEntered(player, points):
            return message("{points} points of {player}", points=points, player=player)
        case PointsCorrected(player, column):
            return message("{player}’s numbers: {numbers}", player=player, numbers=str(column))
        case PlayerNamed(player):
            return message("{player} called up", player=player)
        case SheetEnded():
            return message("the end of the game")


def _written(event: Event) -> str:
    match event:
        case PointsEntered(player, points):
            return f"write {quoted(player)}, {points}"
        case PointsCorrected(player, column):
            return f"fix {quoted(player)}, {column}"
        case PlayerNamed(player):
            return f"next {quoted(player)}"
        case SheetEnded():
            return "end"


READERS: Final[Mapping[str, Callable[[str], Command | None]]] = {
    "write": partial(of_player, PointsEntered, EntryDomain.parse),
    "fix": partial(of_player, PointsCorrected, Scores.parse),
    "next": partial(by_player, PlayerNamed),
    "end": lambda rest: None if rest else SheetEnded(),
}

GAME: Final[Game[State, Command, Event]] = Game(
    name="free-sheet",
    title=message("Free score sheet"),
    seats=SEATS,
    options=OPTIONS,
    joins=True,
    kinds=KINDS,
    start=start,
    decide=decide,
    evolve=evolve,
    offers=lambda state: tuple(offers(state)),
    scoresheet=scoresheet,
    outcome=outcome,
    turn=turn,
    describe=describe,
    notation=Notation(READERS, _written),
    rule_texts={
        "FS-1": message("Whoever has points writes them down, and each column is added up."),
        "FS-2": message("The numbers on taught cards are added up for the player called up."),
        "FS-3": message("The players say when the game is over, and which total wins."),
        "FS-4": message("A game with a name of its own has its own statistics and records."),
        "FS-5": message("A wrong number can be corrected in its place as long as the game runs."),
    },
    judge=judgement,
    needs=message("any game that counts points"),
    minutes=30,
    scores=lambda _setup: range(-MOST_ROWS * MOST_POINTS, MOST_ROWS * MOST_POINTS + 1),
    scoring=(PointsEntered, PointsCorrected),
    better=better,
    begins=(PointsEntered,),
    titled_by=NAME.name,
)
