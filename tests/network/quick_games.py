"""Short games of Rummikub whose results follow from where they are played."""

from __future__ import annotations

from random import Random

from scoreboard.table.ports import Clock
from scoreboard.table.requests import Action, Chosen, Pressed, TableRequest
from scoreboard.table.view import TableView

MOST_TURNS = 2
UNDO_SHARE = 0.08
DISPUTE_SHARE = 0.05
UNCOUNTED = "?"  # nobody counts the tiles here: whoever says so has none left
Slot = tuple[int, int, int]  # round, table, and which game of the round


def scores_at(slot: Slot, players: int) -> tuple[int, ...]:
    """What the game at this place brings, in seat order: one gains what the others lose."""
    chance = _chance(slot)
    scores = [-chance.randint(1, 60) for _ in range(players)]
    winner = chance.randrange(players)
    scores[winner] -= sum(scores)
    return tuple(scores)


def is_disputed_at(slot: Slot) -> bool:
    """Whether somebody disagrees with the result there."""
    return _chance(slot, "word").random() < DISPUTE_SHARE


def next_act(
    slot: Slot, players: int, view: TableView, chance: Random, clock: Clock
) -> TableRequest:
    """What is done next in the game that the table shows; now and then an act is taken back."""
    if view.undo is not None and chance.random() < UNDO_SHARE:
        return Pressed(Action.UNDO, clock(), view.version)
    key, filling = _choice(slot, players, view)
    return Chosen(key, view.version, filling)


def _choice(slot: Slot, players: int, view: TableView) -> tuple[str, str | None]:
    scores = scores_at(slot, players)
    keys = {offer.key for offer in view.offers}
    if "begin:0" in keys:
        return "begin:0", None
    if "round" in keys:
        return "round", " ".join(map(str, scores))
    turns = 0 if view.turn is None else view.turn.number
    if turns < _chance(slot, "turns").randint(1, MOST_TURNS):
        return "draw", None
    winner = scores.index(max(scores))
    calls = f"rummikub:{winner}"
    return (calls, None) if calls in keys else (f"count:{winner}", UNCOUNTED)


def _chance(slot: Slot, about: str = "scores") -> Random:
    return Random(f"{about} of {slot}")
