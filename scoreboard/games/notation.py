"""A game as readable text, one act a line: replay and export, inverse to each other.

The first two lines are `game NAME` and `players NAME, NAME`; then come the house rules that are not
at their default, each as `option NAME VALUE`, the acts in the game's `Notation`, and `undo`.

A `#` at the start of a line or after a blank begins a comment. A name that could be misread (it has
such a `#`, or a quotation mark) is written in quotation marks, those within it doubled. Closing and
resuming a game are the table's and not written.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import takewhile
from typing import Any, Final

from scoreboard.errors import NotationError, RuleViolationError
from scoreboard.games import GAMES
from scoreboard.games.engine.game import AnyGame, Setup, settled
from scoreboard.games.engine.transcript import (
    Abandoned,
    GameHeader,
    RecordedEvent,
    Resumed,
    Retraction,
    undoing,
)
from scoreboard.message import Message, message
from scoreboard.players import COMMENT, QUOTED, player_names, quoted, unquoted

UNREADABLE: Final = "notation"
LONGEST_LINE: Final = 2_000  # characters: all tiles of a table and a comment have fewer
TOO_LONG: Final = message("This line is longer than any of a game: is the file a game as text?")
UNTIMED: Final = datetime(1970, 1, 1, tzinfo=UTC)


class ReplayError(NotationError):
    """A line, counted from 1, that the rule of that name refuses: `notation` if unreadable."""

    def __init__(self, line: int, text: str, rule: str, message: Message) -> None:
        super().__init__(message)
        self.line = line
        self.text = text
        self.rule = rule


@dataclass(frozen=True, slots=True)
class Replayed:
    """A written game after its last line: its records, a step a line, and `warnings` by line."""

    game: AnyGame
    header: GameHeader
    records: tuple[RecordedEvent, ...]
    state: Any
    warnings: tuple[tuple[int, Message], ...] = ()

    @property
    def setup(self) -> Setup:
        return Setup(self.header.players, self.header.options)


@dataclass(frozen=True, slots=True)
class _Line:
    """One non-empty line, without its comment."""

    number: int
    text: str
    keyword: str
    rest: str

    def refused(self, why: Message, rule: str = UNREADABLE) -> ReplayError:
        return ReplayError(self.number, self.text, rule, why)

    @contextmanager
    def played(self) -> Iterator[None]:
        """Whatever refuses this line raises ReplayError."""
        try:
            yield
        except NotationError as error:
            raise self.refused(error.message) from error
        except RuleViolationError as refusal:
            raise self.refused(refusal.message, refusal.rule) from refusal


def replay_text(text: str, game_id: str = "text") -> Replayed:
    """Play a written game by its rulebook, finished or not. Raises ReplayError."""
    lines = _lines(text)
    named = _awaited(lines, "game")
    if named.rest not in GAMES:
        raise named.refused(message("No game is called “{name}”.", name=named.rest))
    game, players = GAMES[named.rest], _awaited(lines, "players")
    acts = list(lines)
    options = list(takewhile(lambda line: line.keyword == "option", acts))
    agreed = _agreed(game, options)
    with players.played():
        names = player_names(unquoted(name.strip()) for name in players.rest.split(","))
        replaying = _Replaying(game, GameHeader(game_id, game.name, names, UNTIMED, agreed))
    for line in acts[len(options) :]:
        with line.played():
            replaying.take(line)
    return replaying.replayed


def export_text(header: GameHeader, records: Iterable[RecordedEvent]) -> str:
    """Write a game as text, with undone acts and their `undo`s. Names are as of `player_names`."""
    game = GAMES[header.game]
    players = ", ".join(quoted(name) for name in header.players)
    options = [
        f"option {option.name} {header.options[option.name]}"
        for option in game.options
        if header.options.get(option.name, option.default) != option.default
    ]
    lines = [f"game {header.game}", f"players {players}", *options]
    return "".join(f"{line}\n" for line in (*lines, *_acts(game, records)))


def _acts(game: AnyGame, records: Iterable[RecordedEvent]) -> Iterator[str]:
    """The lines of the acts; an event that followed from an act has no line of its own."""
    lines: dict[int, str] = {}
    for record in records:
        match record.event:
            case Retraction(of):
                line = "undo" if lines[of] else ""
            case Abandoned() | Resumed():
                line = ""
            case event:
                line = game.notation.written(event)
        lines[record.sequence] = line
        if line:
            yield line


class _Replaying:
    """A game in replay: the state after each event in force, and all records."""

    def __init__(self, game: AnyGame, header: GameHeader) -> None:
        self.game = game
        self.header = header
        self.records: list[RecordedEvent] = []
        self.warnings: list[tuple[int, Message]] = []
        self.states = [game.start(Setup(header.players, header.options))]

    @property
    def replayed(self) -> Replayed:
        records, warnings = tuple(self.records), tuple(self.warnings)
        return Replayed(self.game, self.header, records, self.states[-1], warnings)

    def take(self, line: _Line) -> None:
        """Play one line. Raises NotationError, RuleViolationError."""
        if (line.keyword, line.rest) == ("undo", ""):
            retractions = undoing(self.records)
            if not retractions:
                raise NotationError(message("There is nothing left to undo."))
            self._append(retractions)
            del self.states[-len(retractions) :]
            return
        reader = self.game.notation.readers.get(line.keyword)
        command = None if reader is None else reader(line.rest)
        if command is None:
            raise NotationError(message("This line cannot be read."))
        warning = self.game.warn(self.states[-1], command)
        events = self.game.decide(self.states[-1], command)
        if warning is not None:
            self.warnings.append((line.number, warning))
        self._append(events)
        for event in events:
            self.states.append(self.game.evolve(self.states[-1], event))

    def _append(self, events: Iterable[object]) -> None:
        step = len(self.records) + 1
        for event in events:
            at = len(self.records) + 1
            self.records.append(RecordedEvent(self.header.game_id, at, UNTIMED, "hub", step, event))


def _agreed(game: AnyGame, lines: Iterable[_Line]) -> dict[str, str]:
    """The house rules of these lines; unknown ones are refused."""
    agreed: dict[str, str] = {}
    for line in lines:
        name, _, value = line.rest.partition(" ")
        agreed[name] = value.strip()
        with line.played():
            settled(game.options, {name: agreed[name]})
    return agreed


def _lines(text: str) -> Iterator[_Line]:
    for number, raw in enumerate(text.removeprefix("\ufeff").splitlines(), start=1):
        if len(raw) > LONGEST_LINE:
            start = raw[:LONGEST_LINE]
            raise ReplayError(number, start, UNREADABLE, TOO_LONG)
        masked = QUOTED.sub(lambda found: "x" * len(found.group()), raw)  # a `#` in a name is none
        comment = COMMENT.search(masked)
        code = raw if comment is None else raw[: comment.start()]
        keyword, *rest = code.split(None, 1) or [""]
        if keyword:
            yield _Line(number, raw, keyword, "".join(rest).strip())


def _awaited(lines: Iterator[_Line], keyword: str) -> _Line:
    line = next(lines, _Line(1, "", "", ""))
    if line.keyword != keyword:
        raise line.refused(message("A game begins with the lines “game …” and “players …”."))
    return line
