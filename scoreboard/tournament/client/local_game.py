"""How far a game of the event is, by the table's own store."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from scoreboard.errors import UnknownGameError
from scoreboard.games.engine.game import Game, Outcome
from scoreboard.games.engine.transcript import is_abandoned, state_after
from scoreboard.table.ports import EventStore
from scoreboard.table.view import TableView

Stage = Literal["open", "finished", "abandoned"]


@dataclass(frozen=True, slots=True)
class LocalGame:
    """Where a game stands, how many events it has, and each player's points once it is over."""

    stage: Stage
    events: int
    points: Mapping[str, int] = field(default_factory=dict)

    @classmethod
    def shown(cls, view: TableView) -> LocalGame:
        """The game that the table shows."""
        stage: Stage = "open"
        if view.stage == "finished":
            stage = "finished"
        elif view.stage == "abandoned":
            stage = "abandoned"
        return cls(stage, view.sequence, _points(view.outcome))

    @classmethod
    def stored(
        cls, store: EventStore, game_id: str, rulebooks: Mapping[str, Game[Any, Any, Any]]
    ) -> LocalGame | None:
        """The game as the store has it, None where it was not begun.

        Raises:
            TranscriptError: it cannot be read.
            SchemaError: its rulebook is not known here.
            StoreError: the store cannot be read.
        """
        try:
            header, records = store.header(game_id), store.events(game_id)
        except UnknownGameError:
            return None
        if is_abandoned(records):
            return cls("abandoned", len(records))
        rulebook = rulebooks[header.game]
        outcome = rulebook.outcome(state_after(rulebook, header, records))
        stage: Stage = "open" if outcome is None else "finished"
        return cls(stage, len(records), _points(outcome))


def _points(outcome: Outcome | None) -> dict[str, int]:
    return {} if outcome is None else {place.player: place.points for place in outcome.ranking}
