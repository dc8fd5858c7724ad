"""How long and how large the members of a message may be."""

from __future__ import annotations

from typing import Annotated, Final

from msgspec import Meta

from scoreboard.tournament.protocol.items import LARGEST_SEQUENCE

MOST_ITEMS: Final = 1_000  # in one delivery
MOST_GAMES: Final = 1_000  # that a table greets with
MOST_SEATS: Final = 64
LONGEST_SENTENCE: Final = 1_000
LONGEST_NAME: Final = 200

Count = Annotated[int, Meta(ge=0, le=LARGEST_SEQUENCE)]
Number = Annotated[int, Meta(ge=1, le=LARGEST_SEQUENCE)]
Name = Annotated[str, Meta(min_length=1, max_length=LONGEST_NAME)]
Words = Annotated[str, Meta(max_length=LONGEST_SENTENCE)]
GameId = Annotated[str, Meta(pattern=r"^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$")]
Token = Annotated[str, Meta(pattern=r"^[A-Za-z0-9_-]{32,128}$")]
Code = Annotated[str, Meta(min_length=1, max_length=64)]
