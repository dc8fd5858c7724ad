"""What the processes of a hub tell each other: that something is longer than it was."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal, get_args

Topic = Literal["tournament", "game", "dispute"]
TOPICS: Final[tuple[Topic, ...]] = get_args(Topic)


@dataclass(frozen=True, slots=True)
class ChangeEvent:
    """One change, in the order in which all of them were kept.

    `sequence` counts all news of a store from 1 without gaps. `about` is the id of the
    tournament or game; `through` is how far it reaches now: the last record's sequence of a
    tournament, all items without gaps of a game, the disputed item's sequence.
    """

    sequence: int
    topic: Topic
    about: str
    through: int
