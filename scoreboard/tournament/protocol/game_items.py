"""What the items of a game tell: that it was opened, what happened, who agrees and who does not.

Item 1 of a game tells that it was opened, or its result alone. What a newer table tells beside this
is kept by the hub and passed over.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Annotated, Any, Final

from msgspec import Meta

from scoreboard.errors import NotationError
from scoreboard.games.engine.transcript import (
    GameHeader,
    Kinds,
    RecordedEvent,
    Source,
    event_document,
    event_from_document,
)
from scoreboard.message import message
from scoreboard.tournament.model.table_result import HIGHEST_SCORE, Fate, GameScores, Score
from scoreboard.tournament.protocol.bounds import MOST_SEATS, Name, Number, Words
from scoreboard.tournament.protocol.documents import WireError, document_of, value_of
from scoreboard.tournament.protocol.items import Body


@dataclass(frozen=True, slots=True)
class Opened:
    """A game of a round began: `entrants` are the entry numbers of `players`, in seat order.

    `number` counts the games of the round at this table; `opened_at` is aware.
    """

    game: Name
    players: tuple[Name, ...]
    opened_at: datetime
    round: Number
    table: Number
    number: Number
    entrants: tuple[Number, ...]
    options: Mapping[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if len(self.entrants) != len(self.players) or self.opened_at.tzinfo is None:
            raise WireError(
                message("A game opens with an entrant for every player, at a time with its zone.")
            )

    def header(self, game_id: str) -> GameHeader:
        """The header of the game as every store keeps it."""
        return GameHeader(game_id, self.game, self.players, self.opened_at, self.options)


@dataclass(frozen=True, slots=True)
class Happened:
    """One recorded event; `event` is its document, which `record` reads by the rulebook's kinds.

    `sequence` and `step` are those of the game's transcript.
    """

    sequence: Number
    recorded_at: datetime
    source: Source
    step: Number
    event: Mapping[str, Any]

    @classmethod
    def of(cls, record: RecordedEvent, kinds: Kinds) -> Happened:
        """Tell a recorded event. Raises TranscriptError where it has no declared kind."""
        event = event_document(record.event, kinds)
        return cls(record.sequence, record.recorded_at, record.source, record.step, event)

    def record(self, game_id: str, kinds: Kinds) -> RecordedEvent:
        """The recorded event. Raises TranscriptError where it is none of this rulebook."""
        event = event_from_document(self.event, kinds)
        return RecordedEvent(
            game_id, self.sequence, self.recorded_at, self.source, self.step, event
        )


@dataclass(frozen=True, slots=True)
class EntrantScore:
    """What an entrant's game ended with; `score` is 0 for who did not play it to its end."""

    entrant: Number
    score: Annotated[int, Meta(ge=-HIGHEST_SCORE, le=HIGHEST_SCORE)] = 0
    fate: Fate = "played"


@dataclass(frozen=True, slots=True)
class ResultAlone:
    """A game of a round ended so; a device tells this that does not tell the moves.

    `number` counts the games of the round at this table, `scores` are in seat order.
    """

    round: Number
    table: Number
    number: Number
    scores: Annotated[tuple[EntrantScore, ...], Meta(min_length=1, max_length=MOST_SEATS)]

    def __post_init__(self) -> None:
        _ = self.game_scores  # refused where they are none

    @property
    def game_scores(self) -> GameScores:
        """The scores as an event reports them."""
        try:
            return GameScores(
                tuple(Score(each.entrant, each.score, each.fate) for each in self.scores)
            )
        except NotationError as error:
            raise WireError(error.message) from error

    @property
    def entrants(self) -> tuple[int, ...]:
        """Who they are for, in seat order."""
        return tuple(each.entrant for each in self.scores)


@dataclass(frozen=True, slots=True)
class SignedBy:
    """An entrant agrees to the result of this game."""

    entrant: Number


@dataclass(frozen=True, slots=True)
class DisputedBy:
    """An entrant disagrees with the result of this game."""

    entrant: Number
    why: Words


@dataclass(frozen=True, slots=True)
class Unknown:
    """Something that a newer table tells: kept, and passed over."""

    kind: str


Known = Opened | Happened | ResultAlone | SignedBy | DisputedBy
Told = Known | Unknown
KINDS: Final[Mapping[str, type[Known]]] = {
    "opened": Opened,
    "event": Happened,
    "result": ResultAlone,
    "signed": SignedBy,
    "disputed": DisputedBy,
}
_NAMES: Final = {kind: name for name, kind in KINDS.items()}


def body_of(told: Known) -> Body:
    """What an item tells, as its body."""
    return {"kind": _NAMES[type(told)], **document_of(told)}


def item_of(body: Body) -> Told:
    """What an item's body tells.

    Raises:
        WireError: it has no kind, or a member of a known kind is missing or wrong.
    """
    name = body.get("kind")
    if not isinstance(name, str):
        raise WireError(message("An item without a kind tells nothing."))
    return value_of(KINDS[name], body) if name in KINDS else Unknown(name)
