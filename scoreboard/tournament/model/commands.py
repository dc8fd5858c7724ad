"""What may be asked of a tournament, and by whom: orders, in the imperative."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, Literal

from scoreboard.tournament.model.attributed import Attributed
from scoreboard.tournament.model.draw import Draw
from scoreboard.tournament.model.entrant import Entrant
from scoreboard.tournament.model.table_result import GameScores

Role = Literal["director", "referee", "table"]


@dataclass(frozen=True, slots=True)
class Enter:
    """Put an entrant on the list, before the first draw."""

    entrant: Entrant


@dataclass(frozen=True, slots=True)
class EnterLate(Attributed):
    """Put an entrant on the list after the first draw; the next draw seats them."""

    entrant: Entrant


@dataclass(frozen=True, slots=True)
class Withdraw(Attributed):
    """An entrant drops out: the draws to come leave them out, their results stay."""

    entrant: int


@dataclass(frozen=True, slots=True)
class Return(Attributed):
    """Who dropped out comes back into the draws to come."""

    entrant: int


@dataclass(frozen=True, slots=True)
class Replace(Attributed):
    """Somebody else goes on under the entry number of `entrant`."""

    entrant: Entrant


@dataclass(frozen=True, slots=True)
class CorrectEntry(Attributed):
    """What the list says of the one with this number was wrong: it is the same person."""

    entrant: Entrant


@dataclass(frozen=True, slots=True)
class Replan(Attributed):
    """Play another number of rounds in each meeting before the cut."""

    rounds: int


@dataclass(frozen=True, slots=True)
class DrawRound:
    """Draw the next round; the same seed gives the same draw."""

    seed: int


@dataclass(frozen=True, slots=True)
class DrawByHand(Attributed):
    """Seat the next round as the director says."""

    draw: Draw


@dataclass(frozen=True, slots=True)
class StartRound:
    """Begin the round that is drawn."""


@dataclass(frozen=True, slots=True)
class MergeTables(Attributed):
    """Seat those of `table` at the end of table `into`, before either has a result."""

    table: int
    into: int


@dataclass(frozen=True, slots=True)
class SplitTable(Attributed):
    """Seat those `leaving` a table at a new table `to`, before it has a result."""

    table: int
    leaving: tuple[int, ...]
    to: int


@dataclass(frozen=True, slots=True)
class CloseRound:
    """End the round, all of whose results are in."""


@dataclass(frozen=True, slots=True)
class UndoRound(Attributed):
    """Take the last round back, with its draw, its results and what was decided after it."""


@dataclass(frozen=True, slots=True)
class ReportResult:
    """A game at a table is over: the scores of everyone there; games count from 1 a round."""

    round: int
    table: int
    game: int
    scores: GameScores


@dataclass(frozen=True, slots=True)
class TakeResultBack:
    """The table goes on with its last game, which was reported and which nobody has signed."""

    round: int
    table: int
    game: int


@dataclass(frozen=True, slots=True)
class Sign:
    """An entrant agrees to a reported result."""

    round: int
    table: int
    game: int
    entrant: int


@dataclass(frozen=True, slots=True)
class Dispute:
    """An entrant disagrees, or the hub does (THE_HUB).

    While the round is open the result is pending until the referee settles it. Once it is closed
    this asks the referee to look again, and the result stands meanwhile.
    """

    round: int
    table: int
    game: int
    entrant: int
    why: str


@dataclass(frozen=True, slots=True)
class UpholdResult(Attributed):
    """The referee looked again, as was asked: the result stands."""

    round: int
    table: int
    game: int


@dataclass(frozen=True, slots=True)
class Settle(Attributed):
    """The referee decides a disputed result."""

    round: int
    table: int
    game: int
    scores: GameScores


@dataclass(frozen=True, slots=True)
class CorrectResult(Attributed):
    """Put another result in the place of one that stands, of any round."""

    round: int
    table: int
    game: int
    scores: GameScores


@dataclass(frozen=True, slots=True)
class SubmitScore:
    """In a blind event: a score played alone is handed in."""

    entrant: int
    score: int


@dataclass(frozen=True, slots=True)
class CorrectScore(Attributed):
    """Put another score in the place of the one handed in with this number, from 1."""

    number: int
    score: int


@dataclass(frozen=True, slots=True)
class Cut:
    """Let the best through to the next stage."""


@dataclass(frozen=True, slots=True)
class PlayOff(Attributed):
    """Record a play-off: those who took part, best first."""

    order: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class DrawLot:
    """Draw lots among `entrants`, or in every group that shares a place where none are named."""

    seed: int
    entrants: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Finish:
    """End the tournament: the standings are final."""


@dataclass(frozen=True, slots=True)
class Reopen(Attributed):
    """Take the end back."""


EntryOrder = Enter | EnterLate | Withdraw | Return | Replace | CorrectEntry
RoundOrder = (
    DrawRound | DrawByHand | StartRound | MergeTables | SplitTable | CloseRound | UndoRound | Replan
)
ResultOrder = (
    ReportResult
    | TakeResultBack
    | Sign
    | Dispute
    | UpholdResult
    | Settle
    | CorrectResult
    | SubmitScore
    | CorrectScore
)
StandingOrder = Cut | PlayOff | DrawLot | Finish | Reopen
Command = EntryOrder | RoundOrder | ResultOrder | StandingOrder

DIRECTOR: Final[frozenset[Role]] = frozenset({"director"})
OFFICIALS: Final[frozenset[Role]] = frozenset({"director", "referee"})
ANYONE: Final[frozenset[Role]] = frozenset({"director", "referee", "table"})
ROLES: Final[Mapping[type[Command], frozenset[Role]]] = {
    Enter: DIRECTOR,
    EnterLate: DIRECTOR,
    Withdraw: DIRECTOR,
    Return: DIRECTOR,
    Replace: DIRECTOR,
    CorrectEntry: DIRECTOR,
    Replan: DIRECTOR,
    DrawRound: DIRECTOR,
    DrawByHand: DIRECTOR,
    StartRound: DIRECTOR,
    MergeTables: DIRECTOR,
    SplitTable: DIRECTOR,
    CloseRound: DIRECTOR,
    UndoRound: DIRECTOR,
    ReportResult: ANYONE,
    TakeResultBack: ANYONE,
    Sign: ANYONE,
    Dispute: ANYONE,
    UpholdResult: OFFICIALS,
    Settle: OFFICIALS,
    CorrectResult: OFFICIALS,
    SubmitScore: ANYONE,
    CorrectScore: OFFICIALS,
    Cut: DIRECTOR,
    PlayOff: OFFICIALS,
    DrawLot: OFFICIALS,
    Finish: DIRECTOR,
    Reopen: DIRECTOR,
}


def may_command(role: Role, command: Command) -> bool:
    """Whether somebody in this role may give the order; the hub asks before it decides."""
    return role in ROLES[type(command)]
