"""What devices at tables deliver: whole games as items, without a device."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from scoreboard.games.notation import replay_text
from scoreboard.tournament.protocol.items import (
    DisputedBy,
    EventItem,
    Item,
    Opened,
    SignedBy,
    body_of,
)
from tests.scoreboard.tournament.hub.halls import MORNING

Voice = SignedBy | DisputedBy
ROUND_ONE = (1, 1, 1)


def names(entrants: Sequence[int]) -> str:
    """The players of a game, as its text has them."""
    return ", ".join(f"Player {entrant}" for entrant in entrants)


def entered_text(entrants: Sequence[int], *rounds: str) -> str:
    """A game of Rummikub of one round, of which only the end is entered.

    Each of `rounds` but the last is taken back again.
    """
    acts = "\nundo\n".join(f"round {points}" for points in rounds)
    head = f"game rummikub\nplayers {names(entrants)}\noption turns scores\noption rounds 1"
    return f"{head}\n{acts}\n"


def items_of(
    text: str, entrants: Sequence[int], *voices: Voice, slot: tuple[int, int, int] = ROUND_ONE
) -> tuple[Item, ...]:
    """All that a device tells of a game; `slot` is the round, the table and the game's number."""
    replayed = replay_text(text)
    header = replayed.header
    opened = Opened(
        header.game, header.players, MORNING, *slot, tuple(entrants), dict(header.options)
    )
    kinds = replayed.game.kinds
    happened = (EventItem.of(record, kinds) for record in replayed.records)
    bodies = [body_of(content) for content in (opened, *happened, *voices)]
    return tuple(Item(sequence, body) for sequence, body in enumerate(bodies, start=1))


def quick_game(
    entrants: Sequence[int], points: str, *voices: Voice, slot: tuple[int, int, int] = ROUND_ONE
) -> tuple[Item, ...]:
    """A game of a handful of items, which ends with these points in seat order."""
    return items_of(entered_text(entrants, points), entrants, *voices, slot=slot)


def signed_by(entrants: Sequence[int]) -> tuple[SignedBy, ...]:
    """Everybody agrees."""
    return tuple(map(SignedBy, entrants))


def some_points(chance: Random, players: int) -> str:
    """Points of a round of Rummikub: one gains what the others lose."""
    lost = [chance.randint(1, 60) for _ in range(players - 1)]
    return " ".join([f"+{sum(lost)}", *(f"-{each}" for each in lost)])
