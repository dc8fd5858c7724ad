"""How many tiles are on a rack, as far as it is known."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from scoreboard.errors import NotationError
from scoreboard.message import message

_DIGITS: Final = 3


@dataclass(frozen=True, slots=True)
class Count:
    """A number of tiles, None where nobody knows it; notation `9`, `?`."""

    tiles: int | None = None

    @classmethod
    def parse(cls, text: str) -> Count:
        """Read the notation.

        Raises:
            NotationError: the text is neither a small whole number nor `?`.
        """
        told = text.strip()
        if told == "?":
            return cls()
        if not (told.isascii() and told.isdecimal() and len(told) <= _DIGITS):
            raise NotationError(
                message("“{text}” is no number of tiles: write 9, or ? for unknown.", text=text)
            )
        return cls(int(told))

    def __str__(self) -> str:
        return "?" if self.tiles is None else str(self.tiles)

    def changed(self, by: int) -> Count:
        """After so many tiles more."""
        return self if self.tiles is None else Count(self.tiles + by)


UNKNOWN: Final = Count()
