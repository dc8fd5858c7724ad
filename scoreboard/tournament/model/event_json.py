"""Events as JSON values and back: declared kinds, values in their notation."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from functools import cache
from typing import Any, Final, get_type_hints

from scoreboard.errors import NotationError, ScoreboardError
from scoreboard.message import message
from scoreboard.tournament.model.calls import MatchCalled, MatchTakenBack
from scoreboard.tournament.model.disputes import (
    Disputed,
    ResultUpheld,
    ReviewRequested,
    Settled,
    Signed,
)
from scoreboard.tournament.model.draw import Draw
from scoreboard.tournament.model.entrant import Entrant
from scoreboard.tournament.model.entries import (
    Entered,
    EnteredLate,
    EntryCorrected,
    EntryDeleted,
    Replaced,
    Returned,
    Withdrew,
)
from scoreboard.tournament.model.penalties import PenaltyAwarded, PenaltyUndone
from scoreboard.tournament.model.proposed_draw import (
    ProposedChanged,
    PublishingPlanned,
    RoundProposed,
    RoundPublished,
)
from scoreboard.tournament.model.results import (
    ResultCorrected,
    ResultReported,
    ResultTakenBack,
    ScoreCorrected,
    ScoreSubmitted,
)
from scoreboard.tournament.model.round_clock import ClockSet
from scoreboard.tournament.model.rounds import (
    RoundClosed,
    RoundDrawn,
    RoundDrawnByHand,
    RoundsReplanned,
    RoundStarted,
    RoundUndone,
)
from scoreboard.tournament.model.scores import GameResult
from scoreboard.tournament.model.settings import FormatChanged, ResultAwarded
from scoreboard.tournament.model.sign_up import MovedUp, WaitlistJoined
from scoreboard.tournament.model.stages import Finished, Reopened
from scoreboard.tournament.model.tables import TablesMerged, TableSplit
from scoreboard.tournament.model.tournament import CutMade, Event, LotDrawn, PlayedOff, SignUpSet

Document = dict[str, Any]
LONGEST_SHOWN: Final = 60  # letters of what is wrong
# The stored name of every event; renaming a class loses no old tournament.
KINDS: Final[Mapping[str, type[Event]]] = {
    "entered": Entered,
    "entered-late": EnteredLate,
    "withdrew": Withdrew,
    "returned": Returned,
    "replaced": Replaced,
    "entry-corrected": EntryCorrected,
    "entry-deleted": EntryDeleted,
    "sign-up-set": SignUpSet,
    "waitlist-joined": WaitlistJoined,
    "moved-up": MovedUp,
    "penalty-awarded": PenaltyAwarded,
    "penalty-undone": PenaltyUndone,
    "rounds-replanned": RoundsReplanned,
    "round-drawn": RoundDrawn,
    "round-drawn-by-hand": RoundDrawnByHand,
    "round-proposed": RoundProposed,
    "proposed-changed": ProposedChanged,
    "publishing-planned": PublishingPlanned,
    "round-published": RoundPublished,
    "round-started": RoundStarted,
    "tables-merged": TablesMerged,
    "table-split": TableSplit,
    "match-called": MatchCalled,
    "match-taken-back": MatchTakenBack,
    "round-closed": RoundClosed,
    "round-undone": RoundUndone,
    "clock-set": ClockSet,
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
    "format-changed": FormatChanged,
    "result-awarded": ResultAwarded,
}
_NOTATED = (Draw, Entrant, GameResult)


class TournamentTranscriptError(ScoreboardError, ValueError):
    """A stored tournament that contradicts itself or cannot be read."""


def event_document(event: Event) -> Document:
    """An event as JSON values: its declared `kind` and one member a field.

    Times are in ISO 8601; draws, entries and results in their notation.

    Raises:
        TournamentTranscriptError: the class has no declared kind.
    """
    for kind, event_class in KINDS.items():
        if type(event) is event_class:
            fields = {name: _written(getattr(event, name)) for name in _hints(kind)}
            return {"kind": kind, **fields}
    raise TournamentTranscriptError(
        message("A happening “{kind}” cannot be stored.", kind=type(event).__qualname__)
    )


def event_from_document(document: Mapping[str, Any]) -> Event:
    """Read back what `event_document` wrote.

    Raises:
        TournamentTranscriptError: the kind is unknown, or a field is unknown, missing or of the
            wrong type.
    """
    kind = document.get("kind")
    if not isinstance(kind, str) or kind not in KINDS:
        raise TournamentTranscriptError(
            message("No happening is called “{kind}”.", kind=str(kind)[:LONGEST_SHOWN])
        )
    members = {key: value for key, value in document.items() if key != "kind"}
    if members.keys() != _hints(kind).keys():
        raise _misshapen(kind, ", ".join(sorted(members.keys() ^ _hints(kind).keys())))
    hints = _hints(kind)
    try:
        read: dict[str, Any] = {name: _read(hints[name], value) for name, value in members.items()}
        return KINDS[kind](**read)
    except (NotationError, ValueError, TypeError) as error:
        raise _misshapen(kind, str(error)) from error


@cache
def _hints(kind: str) -> dict[str, Any]:
    return get_type_hints(KINDS[kind])


def _written(value: object) -> object:
    if isinstance(value, datetime):
        return value.isoformat()
    if isinstance(value, tuple):
        return list(value)
    return str(value) if isinstance(value, _NOTATED) else value


def _read(hint: Any, value: object) -> object:
    if hint in _NOTATED and isinstance(value, str):
        return hint.parse(value)
    if hint is datetime and isinstance(value, str):
        return datetime.fromisoformat(value)
    if hint == tuple[int, ...] and isinstance(value, list):
        if all(type(each) is int for each in value):
            return tuple(value)
        raise TypeError("A list holds something else than whole numbers.")
    if hint == datetime | None and (value is None or isinstance(value, str)):
        return None if value is None else datetime.fromisoformat(value)
    if hint in (int, str) and type(value) is hint:
        return value
    raise TypeError(f"{repr(value)[:LONGEST_SHOWN]} is of a wrong type.")


def _misshapen(kind: str, names: str) -> TournamentTranscriptError:
    return TournamentTranscriptError(
        message("A happening “{kind}” has a wrong field: {names}.", kind=kind, names=names)
    )
