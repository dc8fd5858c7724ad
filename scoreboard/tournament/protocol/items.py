"""A table's deliveries: numbered items of a game, each stored once, and the hub's answers.

Item 1 of a game is its opening, or its result alone; the others are events, signatures and
disputes. The hub stores and ignores unknown items of a newer table.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Annotated, Any, Final

from msgspec import Meta

from scoreboard.errors import ConflictError, NotationError
from scoreboard.games.engine.transcript import EventCodec, Kinds, RecordedEvent, Source
from scoreboard.message import Message, message
from scoreboard.tournament.model.scores import GameScores, Score
from scoreboard.tournament.protocol.documents import (
    LARGEST_SEQUENCE,
    MOST_ITEMS,
    MOST_SEATS,
    Count,
    GameId,
    Name,
    Number,
    WireError,
    Words,
    document_of,
    value_of,
)

Body = Mapping[str, Any]
SHOWN_CHARACTERS: Final = 120  # as much of a body as a sentence can bear


@dataclass(frozen=True, slots=True)
class Item:
    """One item of a table: `sequence` counts from 1 within its game, `body` is JSON.

    Raises NotationError if the sequence is below 1, or above what databases count to.
    """

    sequence: int
    body: Body

    def __post_init__(self) -> None:
        if not 1 <= self.sequence <= LARGEST_SEQUENCE:
            raise NotationError.worded(
                "Items are counted from 1; {sequence} is none.", sequence=self.sequence
            )


@dataclass(frozen=True, slots=True)
class Gap:
    """Missing items: from `first` to `last`, both included."""

    first: int
    last: int

    def __str__(self) -> str:
        return str(self.first) if self.first == self.last else f"{self.first}-{self.last}"


@dataclass(frozen=True, slots=True)
class StoredItems:
    """The items of a game that the hub has: up to `through` (0: none), and above except `gaps`.

    Without gaps nothing above `through` is held.
    """

    through: int = 0
    gaps: tuple[Gap, ...] = ()

    def __str__(self) -> str:
        missing = " ".join(str(gap) for gap in self.gaps)
        return f"{self.through} without {missing}" if missing else str(self.through)


@dataclass(frozen=True, slots=True)
class ItemDispute:
    """A table delivered `offered` under a sequence that `held` has already."""

    game_id: str
    sequence: int
    table: str
    held: Body
    offered: Body

    def message(self) -> Message:
        """Both bodies in one sentence, shortened."""
        return message(
            "Item {sequence} of game “{game_id}” is held as {held}, and came again as {offered}: "
            "the referee decides.",
            sequence=self.sequence,
            game_id=self.game_id,
            held=_shown(self.held),
            offered=_shown(self.offered),
        )


class DisputedDeliveryError(ConflictError):
    """Items came under sequences that hold others; the rest of their delivery is stored.

    `disputes` are those items, in order; `held` is the hub's new stock.
    """

    def __init__(self, disputes: Sequence[ItemDispute], held: StoredItems) -> None:
        super().__init__(disputes[0].message())
        self.disputes = tuple(disputes)
        self.held = held


def held_from(through: int, above: Iterable[int]) -> StoredItems:
    """The items held: all up to `through`, and the sequences `above` in any order."""
    gaps: list[Gap] = []
    last = through
    for sequence in sorted(one for one in set(above) if one > through):
        if sequence > last + 1:
            gaps.append(Gap(last + 1, sequence - 1))
        elif not gaps:
            through = sequence
        last = sequence
    return StoredItems(through, tuple(gaps))


def _shown(body: Body) -> str:
    text = repr(dict(body))
    return text if len(text) <= SHOWN_CHARACTERS else f"{text[:SHOWN_CHARACTERS]}…"


@dataclass(frozen=True, slots=True)
class Delivery:
    """Items of one game, in any order; the same item may come again."""

    game_id: GameId
    items: Annotated[tuple[Item, ...], Meta(max_length=MOST_ITEMS)]

    def __str__(self) -> str:
        """For example `items 12-14 of game g1`."""
        numbers = [item.sequence for item in self.items]
        span = f"items {min(numbers)}-{max(numbers)}" if numbers else "no items"
        return f"{span} of game {self.game_id}"


@dataclass(frozen=True, slots=True)
class Receipt:
    """The hub's stock of the game now.

    `disputed` are the items of the delivery whose sequences hold something else: sending them again
    changes nothing, the referee decides. A photo of the last roll is welcome every `photo_seconds`,
    none if that is 0.
    """

    held: StoredItems
    disputed: tuple[Number, ...] = ()
    photo_seconds: Count = 0

    def __str__(self) -> str:
        """For example `held 14, disputed: 12, 13`."""
        disputed = ", ".join(map(str, self.disputed))
        return f"held {self.held}{f', disputed: {disputed}' if disputed else ''}"


@dataclass(frozen=True, slots=True)
class PhotoReceipt:
    """The hub has the photo, or ignored it; `photo_seconds` as in a receipt."""

    photo_seconds: Count = 0


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
            raise WireError.worded(
                "A game opens with an entrant for every player, at a time with its zone."
            )


@dataclass(frozen=True, slots=True)
class EventItem:
    """One recorded event; `event` is its document, which `record` reads by the rulebook's kinds.

    `sequence` and `step` are those of the game's transcript.
    """

    sequence: Number
    recorded_at: datetime
    source: Source
    step: Number
    event: Mapping[str, Any]

    @classmethod
    def of(cls, record: RecordedEvent, kinds: Kinds) -> EventItem:
        """The item of a recorded event. Raises TranscriptError if it has no declared kind."""
        event = EventCodec.of(kinds).document(record.event)
        return cls(record.sequence, record.recorded_at, record.source, record.step, event)

    def record(self, game_id: str, kinds: Kinds) -> RecordedEvent:
        """The recorded event. Raises TranscriptError if it is none of this rulebook."""
        read = EventCodec.of(kinds).event(self.event)
        return RecordedEvent(game_id, self.sequence, self.recorded_at, self.source, self.step, read)


@dataclass(frozen=True, slots=True)
class ResultAlone:
    """The result of a game of a round, from a device that sends no moves.

    `number` counts the games of the round at this table, `scores` are in seat order.
    """

    round: Number
    table: Number
    number: Number
    scores: Annotated[tuple[Score, ...], Meta(min_length=1, max_length=MOST_SEATS)]

    def __post_init__(self) -> None:
        _ = self.game_scores  # refused where they are none

    @property
    def game_scores(self) -> GameScores:
        """The scores as a tournament reports them."""
        try:
            return GameScores(self.scores)
        except NotationError as error:
            raise WireError(error.message) from error

    @property
    def entrants(self) -> tuple[int, ...]:
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
    """An unknown item of a newer table: stored, and ignored."""

    kind: str


Known = Opened | EventItem | ResultAlone | SignedBy | DisputedBy
Content = Known | Unknown
KINDS: Final[Mapping[str, type[Known]]] = {
    "opened": Opened,
    "event": EventItem,
    "result": ResultAlone,
    "signed": SignedBy,
    "disputed": DisputedBy,
}
_NAMES: Final = {kind: name for name, kind in KINDS.items()}


def body_of(content: Known) -> Body:
    """The body of an item."""
    return {"kind": _NAMES[type(content)], **document_of(content)}


def item_of(body: Body) -> Content:
    """The value of an item's body. Raises WireError."""
    name = body.get("kind")
    if not isinstance(name, str):
        raise WireError(message("An item without a kind tells nothing."))
    return value_of(KINDS[name], body) if name in KINDS else Unknown(name)
