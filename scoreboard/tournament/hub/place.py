"""A place at an event: which table of which tournament, and its one name in the stores."""

from __future__ import annotations

from dataclasses import dataclass

from scoreboard.errors import NotationError
from scoreboard.message import message


@dataclass(frozen=True, slots=True)
class Place:
    """A table of a tournament by its number; notation `winter-open-1f2e/7`.

    Raises:
        NotationError: the number is below 1.
    """

    tournament_id: str
    table: int

    def __post_init__(self) -> None:
        if self.table < 1:
            raise NotationError(message("Tables are numbered from 1."))

    @classmethod
    def parse(cls, text: str) -> Place:
        """Read the notation. Raises NotationError."""
        tournament_id, slash, number = text.rpartition("/")
        if not slash or not number.isascii() or not number.isdecimal():
            raise NotationError(message("“{text}” is no place at an event.", text=text))
        return cls(tournament_id, int(number))

    def __str__(self) -> str:
        return f"{self.tournament_id}/{self.table}"
