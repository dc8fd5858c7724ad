"""A little game to keep, for the stores' tests."""

from __future__ import annotations

from datetime import UTC, datetime

from scoreboard.dice import Roll
from scoreboard.games.dice.acts import CategoryScored, DiceKept, DiceRolled
from scoreboard.games.engine.transcript import GameHeader, GameStatus, RecordedEvent, Retraction

STANDING = GameStatus(finished=False, abandoned=False, totals=(24, 0))
EVENING = datetime(2026, 11, 21, 19, 30, tzinfo=UTC)


def header(game_id: str = "evening", players: tuple[str, ...] = ("North", "Süd")) -> GameHeader:
    return GameHeader(game_id, "yahtzee", players, EVENING, {"start": "first"})


def record(sequence: int, event: object, game_id: str = "evening") -> RecordedEvent:
    """One event of a game, an act of its own."""
    return RecordedEvent(game_id, sequence, EVENING, "button", sequence, event)


RECORDS = (
    record(1, DiceRolled(Roll.parse("55521"))),
    record(2, DiceKept(Roll.parse("555"))),
    record(3, DiceRolled(Roll.parse("55536"))),
    record(4, CategoryScored("North", "chance", 24, "YZ-16", 0)),
    record(5, Retraction(4)),
)
