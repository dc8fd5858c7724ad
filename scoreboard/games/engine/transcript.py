"""A table's stored history: events in order, retractions, and their JSON.

Events are appended and never edited. Sequences count from 1 within one game, without gaps. Undo
appends one `Retraction` for each event that it undoes, the newest event first.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from functools import cache
from typing import Any, Final, Literal, get_args, get_type_hints

from scoreboard.errors import ScoreboardError
from scoreboard.games.engine.game import AnyGame, Setup, replay
from scoreboard.message import message

Source = Literal["camera", "button", "page", "hub", "clock"]
SOURCES: Final[tuple[Source, ...]] = get_args(Source)
UNKNOWN: Final = ""  # who confirmed an event, if it was not recorded
NAMING: Final = ("player", "leader")  # the members of events that name a player
Kinds = Mapping[str, type[Any]]
Document = dict[str, Any]
GRAND_TOTAL: Final = "grand"
LONGEST_SHOWN: Final = 60  # letters of what is wrong
# What reading or replaying rows that no Tablescore wrote may raise, whatever they contain.
DAMAGE: Final = (
    ArithmeticError,
    AttributeError,
    LookupError,
    RecursionError,
    TypeError,
    ValueError,
)


class TranscriptError(ScoreboardError, ValueError):
    """A stored transcript contradicts itself or cannot be read."""


def damaged(game_id: str) -> TranscriptError:
    """The refusal of an unreadable stored game."""
    return TranscriptError.worded(
        "Game “{game_id}” cannot be read: it is damaged, or a newer Tablescore wrote it. "
        "Export it as raw, then delete it.",
        game_id=game_id,
    )


@dataclass(frozen=True, slots=True)
class Retraction:
    """The event with the sequence `of`, the last one in force, was undone."""

    of: int


@dataclass(frozen=True, slots=True)
class Abandoned:
    """The game was closed unfinished."""


@dataclass(frozen=True, slots=True)
class Resumed:
    """A closed game was resumed."""


TableEvent = Retraction | Abandoned | Resumed
TABLE_KINDS: Final[Kinds] = {"retraction": Retraction, "abandoned": Abandoned, "resumed": Resumed}


@dataclass(frozen=True, slots=True)
class RecordedEvent:
    """One stored event. Raises TranscriptError: `recorded_at` has no time zone.

    `sequence` counts from 1 within its game; `step` is the sequence of the first event of the act
    that caused this one, so that undo covers whole acts; `event` is an event of the game's rulebook
    or a `TableEvent`. `confirmed_by` is its confirmer: `here` (the page on the table's own
    machine), the id of a device, `buttons` (the panel), `camera` (a stated policy), `table` (its
    clock), or `UNKNOWN`. It is not sent to hubs.
    """

    game_id: str
    sequence: int
    recorded_at: datetime
    source: Source
    step: int
    event: object
    confirmed_by: str = UNKNOWN

    def __post_init__(self) -> None:
        require_aware(self.recorded_at)


@dataclass(frozen=True, slots=True)
class GameHeader:
    """What is fixed of an open game. Raises TranscriptError: `opened_at` has no time zone."""

    game_id: str
    game: str
    players: tuple[str, ...]
    opened_at: datetime
    options: Mapping[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        require_aware(self.opened_at)


@dataclass(frozen=True, slots=True)
class GameStatus:
    """A game's status, which follows from all its events; `totals` are in seat order."""

    finished: bool
    abandoned: bool
    totals: tuple[int, ...]

    @classmethod
    def of(cls, game: AnyGame, state: Any, *, abandoned: bool) -> GameStatus:
        """The status of a rulebook's state."""
        totals = tuple(cell.points or 0 for cell in game.scoresheet(state).row(GRAND_TOTAL).cells)
        return cls(game.outcome(state) is not None, abandoned, totals)


@dataclass(frozen=True, slots=True)
class StoredGame:
    """A game in a store's list.

    `header` is None if its row cannot be read; `standing` is None if none is stored for the game's
    present events. `deleted_at` is when a game of the bin was put there.
    """

    game_id: str
    header: GameHeader | None
    standing: GameStatus | None = None
    deleted_at: datetime | None = None


def require_aware(time: datetime) -> None:
    """Check that a time has its zone. Raises TranscriptError."""
    if time.tzinfo is None:
        raise TranscriptError(message("A recorded time needs its time zone."))


def records_in_force(records: Iterable[RecordedEvent]) -> tuple[RecordedEvent, ...]:
    """The game's own events that no later retraction undid, in order.

    Raises TranscriptError: a retraction names anything but the last event then in force.
    """
    standing: list[RecordedEvent] = []
    for record in records:
        match record.event:
            case Abandoned() | Resumed():
                continue
            case Retraction(of):
                if not standing or standing[-1].sequence != of:
                    raise TranscriptError.worded(
                        "Event {sequence} undoes event {of}, which is not the last one.",
                        sequence=record.sequence,
                        of=of,
                    )
                standing.pop()
            case _:
                standing.append(record)
    return tuple(standing)


def events_in_force(records: Iterable[RecordedEvent]) -> tuple[Any, ...]:
    """The events that `game.replay` takes, in order. Raises as `records_in_force`."""
    return tuple(record.event for record in records_in_force(records))


def state_after(game: AnyGame, header: GameHeader, records: Iterable[RecordedEvent]) -> Any:
    """The state after a stored game's records. Raises TranscriptError: they cannot be replayed."""
    setup = Setup(header.players, header.options)
    try:
        return replay(game, setup, events_in_force(records))
    except DAMAGE as error:
        raise damaged(header.game_id) from error


def undoing(records: Iterable[RecordedEvent]) -> tuple[Retraction, ...]:
    """The retractions of one undo, newest event first, if any. Raises as `records_in_force`."""
    standing = records_in_force(records)
    step = standing[-1].step if standing else None
    return tuple(Retraction(one.sequence) for one in reversed(standing) if one.step == step)


def is_abandoned(records: Iterable[RecordedEvent], *, before: bool = False) -> bool:
    """Whether the game was closed, in these records or `before` them, and not resumed."""
    changes = [each.event for each in records if isinstance(each.event, Abandoned | Resumed)]
    return isinstance(changes[-1], Abandoned) if changes else before


def _written(value: object) -> object:
    if isinstance(value, datetime):
        return value.isoformat()
    if isinstance(value, tuple):
        return list(value)
    return str(value) if hasattr(value, "parse") else value  # in its notation


def _read(hint: Any, value: object) -> object:
    if type(value) is hint or (hint == datetime | None and value is None):
        return value
    if isinstance(value, str) and hasattr(hint, "parse"):
        return hint.parse(value)
    if isinstance(value, str) and hint in (datetime, datetime | None):
        return datetime.fromisoformat(value)
    if isinstance(value, list) and hint == tuple[int, ...] and {*map(type, value)} <= {int}:
        return tuple(value)
    raise TypeError(hint)


@dataclass(frozen=True, slots=True)
class EventCodec:
    """Events as JSON values and back: the declared `kind` and one member a field.

    `kinds` are the stored names of the event classes. A value with a notation (a roll, a table of
    sets, a draw) is written in it, a time in ISO 8601.
    """

    kinds: Kinds

    @classmethod
    def of(cls, game: Kinds) -> EventCodec:
        """The codec of a rulebook's kinds, and of the table's own, which are always known."""
        return cls({**TABLE_KINDS, **game})

    def document(self, event: object) -> Document:
        """An event as JSON values. Raises TranscriptError: its class has no declared kind."""
        for kind, event_class in self.kinds.items():
            if type(event) is event_class:
                members = {name: _written(getattr(event, name)) for name in _hints(event_class)}
                return {"kind": kind, **members}
        raise TranscriptError(
            message("An event “{kind}” cannot be stored.", kind=type(event).__qualname__)
        )

    def event(self, document: Mapping[str, Any]) -> Any:
        """Read what `document` wrote. Raises TranscriptError: the kind or a field is wrong."""
        kind = document.get("kind")
        event_class = self.kinds.get(kind) if isinstance(kind, str) else None
        if event_class is None:
            raise TranscriptError(
                message("No event is called “{kind}”.", kind=str(kind)[:LONGEST_SHOWN])
            )
        hints = _hints(event_class)
        members = {key: value for key, value in document.items() if key != "kind"}
        if members.keys() != hints.keys():
            raise _misshapen(kind, ", ".join(sorted(members.keys() ^ hints.keys())))
        read = {name: _member(kind, name, hints[name], value) for name, value in members.items()}
        try:
            return event_class(**read)
        except (ValueError, TypeError) as error:
            raise _misshapen(kind, str(error)) from error


def _member(kind: object, name: str, hint: Any, value: object) -> object:
    try:
        return _read(hint, value)
    except (ValueError, TypeError) as error:
        raise _misshapen(kind, name) from error


_found_hints: Final = cache(get_type_hints)  # finding them takes longer than all other reading


def _hints(event_class: type[Any]) -> Mapping[str, Any]:
    return _found_hints(event_class)  # type: ignore[arg-type]  # mypy takes no class for hashable


def _misshapen(kind: object, names: str) -> TranscriptError:
    return TranscriptError(
        message("An event “{kind}” has a wrong field: {names}.", kind=str(kind), names=names)
    )
