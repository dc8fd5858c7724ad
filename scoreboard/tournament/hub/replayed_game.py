"""A game as the hub follows it: who plays, what happened so far, who agrees."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from scoreboard.games import GAMES
from scoreboard.games.engine.game import Game, Outcome, Turn
from scoreboard.games.engine.transcript import RecordedEvent, is_abandoned
from scoreboard.message import Message
from scoreboard.tournament.protocol.items import DisputedBy, Opened, ResultAlone, SignedBy

Voice = SignedBy | DisputedBy


@dataclass(frozen=True, slots=True)
class ReplayedGame:
    """A game up to its item `through`; made by `carried_on` alone.

    `opened` says which game of the event it is, in the words by which it was begun: those of a
    result alone where its device tells no moves, and then that result is the `outcome` too.
    `state` is the rulebook's, and `outcome` how the game ended, None while it goes on. `voices`
    are those who signed or disputed the game as it stands: taking a move back takes the
    signatures with it, and an end that it undid is among the `retracted`. `fault` says why it is
    followed no further, and what cures that. `violation` is what its rulebook has against the
    game as it ended, None where there is nothing.
    """

    game_id: str
    through: int = 0
    opened: Opened | ResultAlone | None = None
    records: tuple[RecordedEvent, ...] = ()
    state: Any = None
    outcome: Outcome | ResultAlone | None = None
    retracted: tuple[Outcome | ResultAlone, ...] = ()
    voices: tuple[Voice, ...] = ()
    fault: Message | None = None
    violation: Message | None = None

    @property
    def has_ended(self) -> bool:
        """Whether it is over, or was."""
        return self.outcome is not None or bool(self.retracted)

    @property
    def number(self) -> int:
        """Which game of its round it is, from 1; 0 before that is known."""
        return 0 if self.opened is None else self.opened.number

    def is_among(self, entrants: Sequence[int]) -> bool:
        """Whether only these play."""
        return self.opened is not None and set(self.opened.entrants) <= set(entrants)

    @property
    def rulebook(self) -> Game[Any, Any, Any] | None:
        """What is played, None before it is known, and where only the result is told."""
        return GAMES.get(self.opened.game) if isinstance(self.opened, Opened) else None

    @property
    def turn(self) -> Turn | None:
        """Where the game stands, None while that is not known."""
        return None if self.rulebook is None else self.rulebook.turn(self.state)

    @property
    def is_abandoned(self) -> bool:
        """Whether the table put it away."""
        return is_abandoned(self.records)
