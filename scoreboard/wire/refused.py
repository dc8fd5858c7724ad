"""How the hub says no."""

from __future__ import annotations

from dataclasses import dataclass

from scoreboard.wire.bounds import Words


@dataclass(frozen=True, slots=True)
class Refused:
    """What stands in an answer that is none: the kind of fault, and a sentence for people."""

    error: str
    message: Words = ""
