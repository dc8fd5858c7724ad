"""What happened in a tournament, in the past tense; points stand as they were awarded."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from scoreboard.tournament.model.attributed import Attributed
from scoreboard.tournament.model.draw import Draw
from scoreboard.tournament.model.entrant import Entrant
from scoreboard.tournament.model.table_result import GameResult


@dataclass(frozen=True, slots=True)
class Entered:
    """An entrant was put on the list."""

    entrant: Entrant


@dataclass(frozen=True, slots=True)
class EnteredLate(Attributed):
    """An entrant was put on the list after the first draw."""

    entrant: Entrant


@dataclass(frozen=True, slots=True)
class Withdrew(Attributed):
    """An entrant dropped out."""

    entrant: int


@dataclass(frozen=True, slots=True)
class Returned(Attributed):
    """An entrant who had dropped out came back."""

    entrant: int


@dataclass(frozen=True, slots=True)
class Replaced(Attributed):
    """The entry is now as `entrant` says: somebody else goes on, where the name is another."""

    was: Entrant
    entrant: Entrant


@dataclass(frozen=True, slots=True)
class EntryCorrected(Attributed):
    """What the list said of somebody was wrong and is as `entrant` says: the same person."""

    was: Entrant
    entrant: Entrant


@dataclass(frozen=True, slots=True)
class RoundsReplanned(Attributed):
    """Another number of rounds was planned."""

    was: int
    rounds: int


@dataclass(frozen=True, slots=True)
class RoundDrawn:
    """The round was drawn from a seed; `stage` counts the cuts before it."""

    round: int
    stage: int
    meeting: int
    games: int
    draw: Draw
    seed: int


@dataclass(frozen=True, slots=True)
class RoundDrawnByHand(Attributed):
    """The round was seated as the director said."""

    round: int
    stage: int
    meeting: int
    games: int
    draw: Draw


@dataclass(frozen=True, slots=True)
class RoundStarted:
    """The round began."""

    round: int


@dataclass(frozen=True, slots=True)
class TablesMerged(Attributed):
    """Those of `table` moved to the end of table `into`."""

    round: int
    table: int
    into: int


@dataclass(frozen=True, slots=True)
class TableSplit(Attributed):
    """Those `leaving` moved from `table` to the new table `to`."""

    round: int
    table: int
    leaving: tuple[int, ...]
    to: int


@dataclass(frozen=True, slots=True)
class RoundClosed:
    """The round ended."""

    round: int


@dataclass(frozen=True, slots=True)
class RoundUndone(Attributed):
    """The round was taken back, and what was decided after it."""

    round: int


@dataclass(frozen=True, slots=True)
class ResultReported:
    """A game ended with these scores, awarded as the format said."""

    round: int
    table: int
    game: int
    result: GameResult


@dataclass(frozen=True, slots=True)
class ResultTakenBack:
    """A result that nobody had signed is none any more: the table went on with its game."""

    round: int
    table: int
    game: int


@dataclass(frozen=True, slots=True)
class Signed:
    """An entrant agreed to a result."""

    round: int
    table: int
    game: int
    entrant: int


@dataclass(frozen=True, slots=True)
class Disputed:
    """An entrant, or the hub, disagreed with a result, which is pending since.

    Hubs of before recorded it of closed rounds too, and those records keep that meaning; today a
    ReviewRequested is recorded there.
    """

    round: int
    table: int
    game: int
    entrant: int
    why: str


@dataclass(frozen=True, slots=True)
class ReviewRequested:
    """Somebody asked the referee to look again at a result of a closed round, which stands."""

    round: int
    table: int
    game: int
    entrant: int
    why: str


@dataclass(frozen=True, slots=True)
class ResultUpheld(Attributed):
    """The referee looked again, as was asked, and the result stands."""

    round: int
    table: int
    game: int


@dataclass(frozen=True, slots=True)
class Settled(Attributed):
    """The referee decided a disputed result."""

    round: int
    table: int
    game: int
    was: GameResult
    result: GameResult


@dataclass(frozen=True, slots=True)
class ResultCorrected(Attributed):
    """Another result took the place of one that stood."""

    round: int
    table: int
    game: int
    was: GameResult
    result: GameResult


@dataclass(frozen=True, slots=True)
class ScoreSubmitted:
    """A score played alone was handed in; `number` counts those of the whole event from 1."""

    number: int
    entrant: int
    score: int


@dataclass(frozen=True, slots=True)
class ScoreCorrected(Attributed):
    """Another score took the place of one handed in."""

    number: int
    was: int
    score: int


@dataclass(frozen=True, slots=True)
class CutMade:
    """These reached the stage, best first, by the standings after a round."""

    stage: int
    entrants: tuple[int, ...]
    after_round: int


@dataclass(frozen=True, slots=True)
class PlayedOff(Attributed):
    """A play-off ended so, best first."""

    order: tuple[int, ...]
    after_round: int


@dataclass(frozen=True, slots=True)
class LotDrawn:
    """The lot fell so, best first, from a seed."""

    order: tuple[int, ...]
    seed: int
    after_round: int


@dataclass(frozen=True, slots=True)
class Finished:
    """The standings became final."""


@dataclass(frozen=True, slots=True)
class Reopened(Attributed):
    """The end was taken back."""


EntryHappening = Entered | EnteredLate | Withdrew | Returned | Replaced | EntryCorrected
RoundHappening = (
    RoundDrawn
    | RoundDrawnByHand
    | RoundStarted
    | TablesMerged
    | TableSplit
    | RoundClosed
    | RoundUndone
    | RoundsReplanned
)
ResultHappening = (
    ResultReported
    | ResultTakenBack
    | Signed
    | Disputed
    | ReviewRequested
    | ResultUpheld
    | Settled
    | ResultCorrected
    | ScoreSubmitted
    | ScoreCorrected
)
StandingHappening = CutMade | PlayedOff | LotDrawn | Finished | Reopened
Event = EntryHappening | RoundHappening | ResultHappening | StandingHappening

KINDS: Final[Mapping[str, type[Event]]] = {
    "entered": Entered,
    "entered-late": EnteredLate,
    "withdrew": Withdrew,
    "returned": Returned,
    "replaced": Replaced,
    "entry-corrected": EntryCorrected,
    "rounds-replanned": RoundsReplanned,
    "round-drawn": RoundDrawn,
    "round-drawn-by-hand": RoundDrawnByHand,
    "round-started": RoundStarted,
    "tables-merged": TablesMerged,
    "table-split": TableSplit,
    "round-closed": RoundClosed,
    "round-undone": RoundUndone,
    "result-reported": ResultReported,
    "result-taken-back": ResultTakenBack,
    "signed": Signed,
    "disputed": Disputed,
    "review-requested": ReviewRequested,
    "result-upheld": ResultUpheld,
    "settled": Settled,
    "result-corrected": ResultCorrected,
    "score-submitted": ScoreSubmitted,
    "score-corrected": ScoreCorrected,
    "cut-made": CutMade,
    "played-off": PlayedOff,
    "lot-drawn": LotDrawn,
    "finished": Finished,
    "reopened": Reopened,
}
