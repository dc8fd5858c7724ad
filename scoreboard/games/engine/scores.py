"""Whole numbers side by side, one a player: the scores of a round, say."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from scoreboard.errors import NotationError
from scoreboard.message import message

_NUMBER: Final = re.compile(r"[+-]?[0-9]{1,5}")
_MINUS: Final = str.maketrans("\u2212\u2013", "--")  # what other programs write for a minus


@dataclass(frozen=True, slots=True)
class Scores:
    """Numbers in seat order; notation `24 -6 -13 -5`, `-` for none."""

    numbers: tuple[int, ...] = ()

    @classmethod
    def parse(cls, text: str) -> Scores:
        """Read the notation; a plus before a number is fine.

        Raises:
            NotationError: a part of the text is no whole number of at most five digits.
        """
        parts = [] if text.strip() == "-" else text.translate(_MINUS).split()
        return cls(tuple(map(_number, parts)))

    def __str__(self) -> str:
        return " ".join(map(str, self.numbers)) or "-"

    def __len__(self) -> int:
        return len(self.numbers)

    @property
    def total(self) -> int:
        """All of them added."""
        return sum(self.numbers)


def _number(text: str) -> int:
    if not _NUMBER.fullmatch(text):
        raise NotationError(message("“{text}” is no whole number, as in 24 or -6.", text=text))
    return int(text)
