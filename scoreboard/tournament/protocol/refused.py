"""How the hub says no."""

from __future__ import annotations

from dataclasses import dataclass

from scoreboard.tournament.protocol.bounds import Words
from scoreboard.tournament.protocol.localized_text import LocalizedText


@dataclass(frozen=True, slots=True)
class Refused:
    """What stands in an answer that is none: the kind of fault, and a sentence for people.

    `message` is the sentence in English, or empty, `said` the same in parts.
    """

    error: str
    message: Words = ""
    said: LocalizedText | None = None
