"""A game as readable text, one act a line: replay and export, inverse to each other.

The first two lines are `game NAME` and `players NAME, NAME`; then follow

    start NAME 55521     roll 55521        keep 555, keep -     reroll-one 3 -> 6
    correct roll 55526   score BOX [50]    leave NAME           undo

A `#` at the start of a line or after a blank begins a comment. A name that could be
misread (it has such a `#`, or a quotation mark) is written in quotation marks, those within
it doubled. Abandoning and taking up a game are the table's and not written;
nor is the option that the first named starts, since the lines show who did.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, Final

from scoreboard.dice import NO_DICE, Roll
from scoreboard.errors import NotationError, RuleViolationError
from scoreboard.game import Game, Setup
from scoreboard.games import GAMES
from scoreboard.games.yahtzee_acts import (
    CategoryScored,
    Command,
    CorrectRoll,
    DiceKept,
    DiceRolled,
    FoulDieRerolled,
    KeepDice,
    LeaveGame,
    PlayerLeft,
    RecordRoll,
    RecordStart,
    RerollFoulDie,
    RollCorrected,
    ScoreCategory,
    StartRolled,
)
from scoreboard.games.yahtzee_boxes import KEYS
from scoreboard.phrase import Phrase, phrase
from scoreboard.players import player_names
from scoreboard.transcript import (
    GameHeader,
    RecordedEvent,
    Retraction,
    undoing,
)

UNREADABLE: Final = "notation"
UNTIMED: Final = datetime(1970, 1, 1, tzinfo=UTC)
_COMMENT: Final = re.compile(r"(?:^|\s)#")
_QUOTED: Final = re.compile(r'(?<![^\s,])"((?:[^"]|"")*)"')
_FOUL: Final = re.compile(r"([1-6])\s*->\s*([1-6])")
_SCORE: Final = re.compile(r"([a-z-]+)(?:\s+([0-9]{1,4}))?")


class ReplayError(NotationError):
    """A line that cannot be replayed.

    `line` counts from 1, `text` is the line as it stands, `rule` the identifier of the rule
    that refuses it, or `notation` where the line cannot be read.
    """

    def __init__(self, line: int, text: str, rule: str, phrase: Phrase) -> None:
        super().__init__(phrase)
        self.line = line
        self.text = text
        self.rule = rule


@dataclass(frozen=True, slots=True)
class Replayed:
    """A written game as it stands after its last line; a text knows no times.

    `records` are the lines' events and retractions, each line a step of its own.
    """

    game: Game[Any, Any, Any]
    header: GameHeader
    records: tuple[RecordedEvent, ...]
    state: Any

    @property
    def setup(self) -> Setup:
        """Who plays, and by which house rules."""
        return Setup(self.header.players, self.header.options)


@dataclass(frozen=True, slots=True)
class _Line:
    """One line that says something, without its comment."""

    number: int
    text: str
    keyword: str
    rest: str

    def refused(self, rule: str, why: Phrase) -> ReplayError:
        return ReplayError(self.number, self.text, rule, why)


def replay_text(text: str, game_id: str = "text") -> Replayed:
    """Play a written game by its rulebook; an unfinished one ends as it stands.

    Raises:
        ReplayError: a line cannot be read, or a rule refuses it.
    """
    lines = _lines(text)
    replaying = _opened(_awaited(lines, "game"), _awaited(lines, "players"), game_id)
    for line in lines:
        replaying.take(line)
    return replaying.replayed


def export_text(header: GameHeader, records: Iterable[RecordedEvent]) -> str:
    """Write a game as text, what was taken back and its `undo`s included.

    Names must be as `player_names` gives them.
    """
    written = (_written(record.event) for record in records)
    players = ", ".join(_quoted(name) for name in header.players)
    lines = [f"game {header.game}", f"players {players}", *(line for line in written if line)]
    return "".join(f"{line}\n" for line in lines)


class _Replaying:
    """A game in replay: the state after each event in force, and all records."""

    def __init__(self, game: Game[Any, Any, Any], header: GameHeader) -> None:
        self.game = game
        self.header = header
        self.records: list[RecordedEvent] = []
        self.states = [game.start(Setup(header.players, header.options))]

    @property
    def replayed(self) -> Replayed:
        """The game as it stands."""
        return Replayed(self.game, self.header, tuple(self.records), self.states[-1])

    def take(self, line: _Line) -> None:
        """Play one line; ReplayError when it cannot be."""
        if (line.keyword, line.rest) == ("undo", ""):
            self._undo(line)
            return
        command = _command(line)
        try:
            events = self.game.decide(self.states[-1], command)
        except RuleViolationError as refusal:
            raise line.refused(refusal.rule, refusal.phrase) from refusal
        self._append(events)
        for event in events:
            self.states.append(self.game.evolve(self.states[-1], event))

    def _undo(self, line: _Line) -> None:
        retractions = undoing(self.records)
        if not retractions:
            raise line.refused(UNREADABLE, phrase("There is nothing to take back."))
        self._append(retractions)
        del self.states[-len(retractions) :]

    def _append(self, events: Iterable[object]) -> None:
        step = len(self.records) + 1
        for event in events:
            sequence = len(self.records) + 1
            self.records.append(
                RecordedEvent(self.header.game_id, sequence, UNTIMED, "hub", step, event)
            )


def _opened(game: _Line, players: _Line, game_id: str) -> _Replaying:
    if game.rest not in GAMES:
        raise game.refused(UNREADABLE, phrase("No game is called “{name}”.", name=game.rest))
    try:
        names = player_names(_unquoted(name.strip()) for name in players.rest.split(","))
        return _Replaying(GAMES[game.rest], GameHeader(game_id, game.rest, names, UNTIMED))
    except NotationError as error:
        raise players.refused(UNREADABLE, error.phrase) from error
    except RuleViolationError as refusal:
        raise players.refused(refusal.rule, refusal.phrase) from refusal


def _lines(text: str) -> Iterator[_Line]:
    for number, raw in enumerate(text.removeprefix("\ufeff").splitlines(), start=1):
        keyword, *rest = _without_comment(raw).split(None, 1) or [""]
        if keyword:
            yield _Line(number, raw, keyword, "".join(rest).strip())


def _without_comment(raw: str) -> str:
    """The line up to its comment; a `#` in a quoted name begins none."""
    masked = _QUOTED.sub(lambda found: "x" * len(found.group()), raw)
    comment = _COMMENT.search(masked)
    return raw if comment is None else raw[: comment.start()]


def _awaited(lines: Iterator[_Line], keyword: str) -> _Line:
    line = next(lines, _Line(1, "", "", ""))
    if line.keyword != keyword:
        raise line.refused(
            UNREADABLE, phrase("A game begins with the lines “game …” and “players …”.")
        )
    return line


def _command(line: _Line) -> Command:
    reader = _READERS.get(line.keyword)
    try:
        command = None if reader is None else reader(line.rest)
    except NotationError as error:
        raise line.refused(UNREADABLE, error.phrase) from error
    if command is None:
        raise line.refused(UNREADABLE, phrase("This line cannot be read."))
    return command


def _read_start(rest: str) -> Command | None:
    match rest.rsplit(None, 1):
        case [name, roll]:
            return RecordStart(_unquoted(name), Roll.parse(roll))
        case _:
            return None


def _read_roll(rest: str) -> Command | None:
    return RecordRoll(Roll.parse(rest)) if rest else None


def _read_keep(rest: str) -> Command | None:
    if rest == "-":
        return KeepDice(NO_DICE)
    return KeepDice(Roll.parse(rest)) if rest else None


def _read_foul(rest: str) -> Command | None:
    found = _FOUL.fullmatch(rest)
    return found and RerollFoulDie(int(found[1]), int(found[2]))


def _read_correction(rest: str) -> Command | None:
    match rest.split():
        case ["roll", roll]:
            return CorrectRoll(Roll.parse(roll))
        case _:
            return None


def _read_score(rest: str) -> Command | None:
    found = _SCORE.fullmatch(rest)
    if found is None or found[1] not in KEYS:
        return None
    return ScoreCategory(found[1], None if found[2] is None else int(found[2]))


def _read_leave(rest: str) -> Command | None:
    return LeaveGame(_unquoted(rest)) if rest else None


_READERS: Final[Mapping[str, Callable[[str], Command | None]]] = {
    "start": _read_start,
    "roll": _read_roll,
    "keep": _read_keep,
    "reroll-one": _read_foul,
    "correct": _read_correction,
    "score": _read_score,
    "leave": _read_leave,
}


def _written(event: object) -> str:  # noqa: PLR0911 -- one arm a member of the closed union
    """The line of an event; none for what the notation does not tell."""
    match event:
        case StartRolled(player, roll):
            return f"start {_quoted(player)} {roll}"
        case DiceRolled(roll):
            return f"roll {roll}"
        case DiceKept(roll):
            return f"keep {roll if roll.faces else '-'}"
        case FoulDieRerolled(was, now):
            return f"reroll-one {was} -> {now}"
        case RollCorrected(roll):
            return f"correct roll {roll}"
        case CategoryScored(category=category, points=points):
            return f"score {category} {points}"
        case PlayerLeft(player):
            return f"leave {_quoted(player)}"
        case Retraction():
            return "undo"
        case _:
            return ""


def _quoted(name: str) -> str:
    if '"' in name or _COMMENT.search(name):
        return '"' + name.replace('"', '""') + '"'
    return name


def _unquoted(text: str) -> str:
    found = _QUOTED.fullmatch(text)
    return text if found is None else found[1].replace('""', '"').strip()
