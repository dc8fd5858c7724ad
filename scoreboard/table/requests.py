"""Requests to the table's inbox, and their answers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from enum import Enum
from typing import Final, Literal

from scoreboard.dice import Roll
from scoreboard.games.engine.game import OfferKind
from scoreboard.message import Message, message
from scoreboard.table.proposal import Health, Proposal
from scoreboard.table.tournament_view import SeatScore


class Action(Enum):
    """What a button means; a setting maps pins to these."""

    KEEP = "keep"
    REROLL = "reroll"
    UNDO = "undo"


class TableStatus(Enum):
    """What the camera sees of the table just now."""

    NOTHING = "nothing"  # no camera is connected, or nothing was seen yet
    MOVING = "moving"  # dice or a hand move
    READING = "reading"  # at rest, being read
    STILL = "still"  # at rest and read
    LOST = "lost"  # the camera has gone


@dataclass(frozen=True, slots=True)
class Proposed:
    """The camera read the table at rest; one `known` from before the start is offered on demand."""

    proposal: Proposal
    known: bool = False


@dataclass(frozen=True, slots=True)
class TableStatusChanged:
    """The camera's state changed; `cause` is the reason, or the result of a photo."""

    status: TableStatus
    cause: Message | None = None


@dataclass(frozen=True, slots=True)
class HealthChanged:
    """The table is seen better or worse than before; None when it is no longer watched."""

    health: Health | None


@dataclass(frozen=True, slots=True)
class TrayCalibrated:
    """The camera sees a calibrated tray alone, or no more: unmoved dice have other pixels now."""

    known: bool


@dataclass(frozen=True, slots=True)
class Pressed:
    """A button was pressed at `at` (aware UTC): it means what was shown 300 ms before.

    A press on the page's own panel also carries the version it saw in `expected`; one by `radio`
    came from a broker, and is told apart only in the log.
    """

    action: Action
    at: datetime
    expected: int | None = None
    radio: bool = False


@dataclass(frozen=True, slots=True)
class Chosen:
    """An offer was chosen on the page, by its key; an open one with its filling in notation."""

    offer: str
    expected: int
    filling: str | None = None


@dataclass(frozen=True, slots=True)
class Corrected:
    """A person enters the whole roll; it replaces the camera's reading."""

    roll: Roll
    expected: int


@dataclass(frozen=True, slots=True)
class DieCorrected:
    """A person corrects one shown die; no `die` adds one that was missed, no `face` deletes."""

    die: int | None
    face: int | None
    expected: int


@dataclass(frozen=True, slots=True)
class PieceCorrected:
    """A person names one of the shown pieces, by its index; no `label` deletes a wrong find."""

    piece: int
    label: str | None
    expected: int


@dataclass(frozen=True, slots=True)
class ReadAgain:
    """A person wants the table read again; the pending reading is dropped."""

    expected: int


@dataclass(frozen=True, slots=True)
class KeepMarked:
    """A tap on a die of the shown last roll: it is kept, or not, when the others are rolled."""

    die: int
    kept: bool
    expected: int


@dataclass(frozen=True, slots=True)
class GameOpened:
    """A new game is set up; without a `game_id` the table names it."""

    game: str
    players: tuple[str, ...]
    options: Mapping[str, str] = field(default_factory=dict)
    game_id: str | None = None


@dataclass(frozen=True, slots=True)
class GameResumed:
    """A stored game is resumed, a closed one too."""

    game_id: str


@dataclass(frozen=True, slots=True)
class GameAbandoned:
    """The game on the table is closed unfinished."""

    expected: int


@dataclass(frozen=True, slots=True)
class PlayerJoined:
    """Somebody joins the game on the table, with an empty sheet."""

    player: str
    expected: int


@dataclass(frozen=True, slots=True)
class StepsUndone:
    """All steps after that one are undone at once."""

    step: int
    expected: int


@dataclass(frozen=True, slots=True)
class GameDeleted:
    """A stored game is put into the bin, or deleted `for_good`, in the bin or not."""

    game_id: str
    for_good: bool = False


@dataclass(frozen=True, slots=True)
class GameTakenBack:
    """A game in the bin is put back into the list."""

    game_id: str


@dataclass(frozen=True, slots=True)
class PlayerDeleted:
    """This person is deleted: their profile, and their names in all games."""

    profile_id: str
    names: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class PlayerNameChanged:
    """This person has another name from now on, also in the game on the table."""

    profile_id: str
    name: str


@dataclass(frozen=True, slots=True)
class Ticked:
    """Time passed; lets a stated policy confirm a reading that stayed the same."""

    at: datetime


@dataclass(frozen=True, slots=True)
class TournamentUpdated:
    """The tournament changed; no view comes along: one from before a signature could be late."""


@dataclass(frozen=True, slots=True)
class TournamentGameBegun:
    """The players of the tournament's next game are there: it begins, if it has this id."""

    game_id: str


@dataclass(frozen=True, slots=True)
class ResultSigned:
    """These entrants agree to the result of a game of the tournament."""

    game_id: str
    entrants: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class ResultDisputed:
    """An entrant disagrees with the result of a game of the tournament."""

    game_id: str
    entrant: int
    why: str


@dataclass(frozen=True, slots=True)
class BothButtonsHeld:
    """KEEP and REROLL were held down together: all players agree to the result shown."""

    at: datetime


@dataclass(frozen=True, slots=True)
class DeviceExpected:
    """KEEP and REROLL were held so long that the next device that asks is let in."""

    at: datetime


@dataclass(frozen=True, slots=True)
class ResultEntered:
    """A tournament game's result, kept elsewhere; `scores` are in seat order."""

    game_id: str
    scores: tuple[SeatScore, ...]


Unasked = (
    Proposed | TableStatusChanged | HealthChanged | TrayCalibrated | Ticked | TournamentUpdated
)
AboutReading = Corrected | DieCorrected | PieceCorrected | ReadAgain | KeepMarked
Played = AboutReading | Chosen | GameAbandoned | StepsUndone
Attended = TournamentGameBegun | ResultSigned | ResultDisputed | ResultEntered
AboutPlayers = PlayerJoined | PlayerNameChanged | PlayerDeleted
Stored = GameOpened | GameResumed | GameDeleted | GameTakenBack | AboutPlayers
ByButton = Pressed | BothButtonsHeld | DeviceExpected
Asked = ByButton | Stored | Attended | Played
TableRequest = Unasked | Asked
NO_TIME: Final = datetime.min.replace(tzinfo=UTC)

Dependence = Literal["view", "last roll", "record"]  # what an act means the same with

Verdict = Literal["done", "unchanged", "stale", "refused"]


@dataclass(frozen=True, slots=True)
class Answer:
    """The result of a message, and the reason.

    "unchanged": nothing to do (an own second tap); "stale": the table had changed since the sender
    looked (409); "refused": by the rulebook or the table.
    """

    verdict: Verdict = "done"
    notice: Message | None = None


def depends_on(request: TableRequest) -> Dependence:
    """The part of the state that an act depends on: if that changed, the act is stale.

    What a person enters replaces a newer reading, and is valid until something is recorded.
    """
    match request:
        case KeepMarked():
            return "last roll"
        case Corrected() | ReadAgain() | GameAbandoned() | PlayerJoined() | StepsUndone():
            return "record"
        case Chosen(key, _, filling) if filling is not None or OfferKind.LEAVE.is_kind_of(key):
            return "record"
        case _:
            return "view"


def without_time(request: TableRequest) -> TableRequest:
    """The message as a second tap repeats it, whenever that comes."""
    return replace(request, at=NO_TIME) if isinstance(request, Pressed) else request


UNCHANGED: Final = Answer("unchanged")
TOO_LATE: Final = Answer(
    "stale", message("That tap came too late; nothing changed. Check and tap again.")
)
DEVICE_EXPECTED: Final = Answer(
    "done", message("The next device that taps “Let me in” within half a minute may play.")
)
TOO_EARLY: Final = Answer(
    "stale",
    message("The table changed just before that press; nothing was done. Check and press again."),
)
