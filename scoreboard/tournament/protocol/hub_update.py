"""What a table tells of itself when it comes back, and what the hub has to say to it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Annotated

from msgspec import Meta

from scoreboard.tournament.protocol.bounds import MOST_GAMES, Count, GameId, Number, Words
from scoreboard.tournament.protocol.items import Held
from scoreboard.tournament.protocol.localized_text import LocalizedText
from scoreboard.tournament.protocol.result_update import ResultUpdate
from scoreboard.tournament.protocol.seating_update import SeatingUpdate


@dataclass(frozen=True, slots=True)
class Greeting:
    """A table is there: the games that are not all acknowledged, each with its last sequence.

    `heard` is the version of the last word that it heard, 0 for none.
    """

    games: Annotated[Mapping[GameId, Count], Meta(max_length=MOST_GAMES)]
    heard: Count = 0


@dataclass(frozen=True, slots=True)
class HubUpdate:
    """Everything that a table has to know, as of `version`; a later word replaces an earlier.

    `place` is the table's number and `title` the event's; `sitting` is None while nobody is
    seated there. `results` are those of the table in this round; `wanted` says what the hub has
    of each game that it misses items of. `notice` is a sentence for the players in English, or
    empty, and `said` the same in parts, for a table that speaks another language.
    """

    version: Count
    place: Number
    title: str
    sitting: SeatingUpdate | None = None
    results: tuple[ResultUpdate, ...] = ()
    wanted: Mapping[GameId, Held] = field(default_factory=dict)
    notice: Words = ""
    said: LocalizedText | None = None
