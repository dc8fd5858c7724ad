"""Events as JSON values and back: declared kinds, values in their notation."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from functools import cache
from typing import Any, Final, get_type_hints

from scoreboard.errors import NotationError, ScoreboardError
from scoreboard.message import message
from scoreboard.tournament.model import (
    calls,
    disputes,
    entries,
    penalties,
    proposed_draw,
    results,
    round_clock,
    rounds,
    settings,
    sign_up,
    stages,
    tables,
    tournament,
)
from scoreboard.tournament.model.draw import Draw
from scoreboard.tournament.model.entrant import Entrant
from scoreboard.tournament.model.scores import GameResult
from scoreboard.tournament.model.tournament import Event

Document = dict[str, Any]
LONGEST_SHOWN: Final = 60  # letters of what is wrong
# The stored name of every event; renaming a class loses no old tournament.
KINDS: Final[Mapping[str, type[Event]]] = {
    "entered": entries.Entered,
    "entered-late": entries.EnteredLate,
    "withdrew": entries.Withdrew,
    "returned": entries.Returned,
    "replaced": entries.Replaced,
    "entry-corrected": entries.EntryCorrected,
    "entry-deleted": entries.EntryDeleted,
    "sign-up-set": tournament.SignUpSet,
    "waitlist-joined": sign_up.WaitlistJoined,
    "moved-up": sign_up.MovedUp,
    "penalty-awarded": penalties.PenaltyAwarded,
    "penalty-undone": penalties.PenaltyUndone,
    "rounds-replanned": rounds.RoundsReplanned,
    "round-drawn": rounds.RoundDrawn,
    "round-drawn-by-hand": rounds.RoundDrawnByHand,
    "round-proposed": proposed_draw.RoundProposed,
    "proposed-changed": proposed_draw.ProposedChanged,
    "publishing-planned": proposed_draw.PublishingPlanned,
    "round-published": proposed_draw.RoundPublished,
    "round-started": rounds.RoundStarted,
    "tables-merged": tables.TablesMerged,
    "table-split": tables.TableSplit,
    "match-called": calls.MatchCalled,
    "match-taken-back": calls.MatchTakenBack,
    "round-closed": rounds.RoundClosed,
    "round-undone": rounds.RoundUndone,
    "clock-set": round_clock.ClockSet,
    "result-reported": results.ResultReported,
    "result-taken-back": results.ResultTakenBack,
    "signed": disputes.Signed,
    "disputed": disputes.Disputed,
    "review-requested": disputes.ReviewRequested,
    "result-upheld": disputes.ResultUpheld,
    "settled": disputes.Settled,
    "result-corrected": results.ResultCorrected,
    "score-submitted": results.ScoreSubmitted,
    "score-corrected": results.ScoreCorrected,
    "cut-made": tournament.CutMade,
    "played-off": tournament.PlayedOff,
    "lot-drawn": tournament.LotDrawn,
    "finished": stages.Finished,
    "reopened": stages.Reopened,
    "format-changed": settings.FormatChanged,
    "result-awarded": settings.ResultAwarded,
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
