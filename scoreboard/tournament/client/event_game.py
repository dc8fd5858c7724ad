"""One game of an event, as the table that plays it has to tell it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from scoreboard.games.engine.transcript import GameHeader, Kinds, RecordedEvent
from scoreboard.tournament.protocol.game_items import (
    DisputedBy,
    Happened,
    Opened,
    SignedBy,
    body_of,
)
from scoreboard.tournament.protocol.items import Body, Item


@dataclass(frozen=True, slots=True)
class Note:
    """What an entrant said of a game when `after` of its events had happened.

    `why` says what is wrong with the result, None from one who agrees.
    """

    after: int
    entrant: int
    why: str | None = None

    @property
    def body(self) -> Body:
        """What the hub is told."""
        return body_of(
            SignedBy(self.entrant) if self.why is None else DisputedBy(self.entrant, self.why)
        )


@dataclass(frozen=True, slots=True)
class EventGame:
    """A game of a round at this table; it is played once the table's store knows its id.

    `number` counts the games of the round; `players` and `entrants` are in seat order. The game's
    events stay in the table's own store: only what was said of it is kept here.
    """

    game_id: str
    game: str
    round: int
    table: int
    number: int
    players: tuple[str, ...]
    entrants: tuple[int, ...]
    options: Mapping[str, str]
    notes: tuple[Note, ...] = ()

    def noted(self, *notes: Note) -> EventGame:
        """The game after more was said of it."""
        return replace(self, notes=(*self.notes, *notes))

    def items(
        self, header: GameHeader, records: Sequence[RecordedEvent], kinds: Kinds
    ) -> tuple[Item, ...]:
        """All that is to be told, numbered: the opening, then events and notes as they came.

        Notes after events that are not among `records` are left out, so that of two looks at a
        game the shorter is always the beginning of the longer.
        """
        bodies = self._bodies(header, records, kinds)
        return tuple(Item(sequence, body) for sequence, body in enumerate(bodies, start=1))

    def _bodies(
        self, header: GameHeader, records: Sequence[RecordedEvent], kinds: Kinds
    ) -> Iterator[Body]:
        yield body_of(self._opened(header))
        yield from self._noted_after(0)
        for happened, record in enumerate(records, start=1):
            yield body_of(Happened.of(record, kinds))
            yield from self._noted_after(happened)

    def _opened(self, header: GameHeader) -> Opened:
        return Opened(
            header.game,
            header.players,
            header.opened_at,
            self.round,
            self.table,
            self.number,
            self.entrants,
            dict(header.options),
        )

    def _noted_after(self, happened: int) -> Iterator[Body]:
        return (note.body for note in self.notes if note.after == happened)
