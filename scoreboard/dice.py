"""The dice of a roll."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import Final

from scoreboard.errors import NotationError
from scoreboard.message import message
from scoreboard.typed_numbers import plain_digits

FACES: Final = range(1, 7)


@dataclass(frozen=True, slots=True)
class Roll:
    """The faces of rolled dice, in the order entered; notation `33516`, an empty roll is ``.

    Raises:
        NotationError: a face is not 1 to 6.
    """

    faces: tuple[int, ...]

    def __post_init__(self) -> None:
        for face in self.faces:
            if face not in FACES:
                raise NotationError(message("A die shows 1 to 6, not {face}.", face=face))

    @classmethod
    def parse(cls, text: str) -> Roll:
        """Read the notation: one digit a die, 1 to 6, and nothing else. Raises NotationError."""
        digits = plain_digits(text)
        if not (digits.isascii() and (digits.isdigit() or not digits)):
            raise NotationError.worded(
                "“{text}” is no roll: write one digit a die, as in 33516.", text=text
            )
        return cls(tuple(int(digit) for digit in digits))

    def __str__(self) -> str:
        return "".join(map(str, self.faces))

    @property
    def spaced(self) -> str:
        """The faces as people read them, one after the other: 3 3 5 1 6."""
        return " ".join(map(str, self.faces))

    def __len__(self) -> int:
        return len(self.faces)

    @property
    def total(self) -> int:
        return sum(self.faces)

    @property
    def counts(self) -> Counter[int]:
        """How many dice show each face; missing faces are absent."""
        return Counter(self.faces)

    @property
    def ascending(self) -> Roll:
        """The same dice from lowest to highest."""
        return Roll(tuple(sorted(self.faces)))

    def missing_from(self, other: Roll) -> Roll:
        """This roll's dice without those of `other`, ascending, counted one by one."""
        return Roll(tuple(sorted((self.counts - other.counts).elements())))


NO_DICE: Final = Roll(())
