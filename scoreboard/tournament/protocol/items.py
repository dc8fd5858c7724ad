"""What a table delivers to the hub, and what the hub answers: numbered items, each kept once."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from scoreboard.errors import ConflictError, NotationError
from scoreboard.message import Message, message

Body = Mapping[str, Any]
LARGEST_SEQUENCE: Final = 2**31 - 1  # what every database can count to
SHOWN_CHARACTERS: Final = 120  # as much of a body as a sentence can bear


@dataclass(frozen=True, slots=True)
class Item:
    """One thing that a table tells: `sequence` counts from 1 within its game, `body` is JSON.

    Raises:
        NotationError: the sequence is below 1, or beyond all counting.
    """

    sequence: int
    body: Body

    def __post_init__(self) -> None:
        if not 1 <= self.sequence <= LARGEST_SEQUENCE:
            raise NotationError(
                message("Items are counted from 1; {sequence} is none.", sequence=self.sequence)
            )


@dataclass(frozen=True, slots=True)
class Gap:
    """Items that are missing: from `first` to `last`, both included."""

    first: int
    last: int

    def __str__(self) -> str:
        return str(self.first) if self.first == self.last else f"{self.first}-{self.last}"


@dataclass(frozen=True, slots=True)
class Held:
    """What the hub has of a game: all up to `through` (0: nothing), and above it, but for `gaps`.

    Without gaps nothing above `through` is held.
    """

    through: int = 0
    gaps: tuple[Gap, ...] = ()

    def __str__(self) -> str:
        missing = " ".join(str(gap) for gap in self.gaps)
        return f"{self.through} without {missing}" if missing else str(self.through)


@dataclass(frozen=True, slots=True)
class Dispute:
    """A table delivered `offered` under a sequence that `held` has already."""

    game_id: str
    sequence: int
    table: str
    held: Body
    offered: Body

    def message(self) -> Message:
        """Both bodies in one sentence, as far as a sentence can bear them."""
        return message(
            "Item {sequence} of game “{game_id}” is held as {held}, and came again as {offered}: "
            "the referee decides.",
            sequence=self.sequence,
            game_id=self.game_id,
            held=_shown(self.held),
            offered=_shown(self.offered),
        )


class DisputedDeliveryError(ConflictError):
    """Items came under sequences that hold others; the rest of their delivery is kept.

    `disputes` are those items, in order; `held` is what the hub has now.
    """

    def __init__(self, disputes: Sequence[Dispute], held: Held) -> None:
        super().__init__(disputes[0].message())
        self.disputes = tuple(disputes)
        self.held = held


def held_from(through: int, above: Iterable[int]) -> Held:
    """What is held when all up to `through` is, and the sequences `above` (any order) too."""
    gaps: list[Gap] = []
    last = through
    for sequence in sorted(one for one in set(above) if one > through):
        if sequence > last + 1:
            gaps.append(Gap(last + 1, sequence - 1))
        elif not gaps:
            through = sequence
        last = sequence
    return Held(through, tuple(gaps))


def _shown(body: Body) -> str:
    text = repr(dict(body))
    return text if len(text) <= SHOWN_CHARACTERS else f"{text[:SHOWN_CHARACTERS]}…"
