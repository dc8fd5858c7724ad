"""Entrants: one entry and its notation."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Final
from unicodedata import normalize

from scoreboard.errors import NotationError
from scoreboard.message import message
from scoreboard.players import JOINERS, LINE_BREAKS, player_name

LONGEST_WORDS: Final = 40
HIGHEST_NUMBER: Final = 999_999
_ENTRANT: Final = re.compile(r"([1-9][0-9]{0,5})\s+(\S.*)")
_FORMULA: Final = ("=", "+", "-", "@")


@dataclass(frozen=True, slots=True)
class Entrant:
    """One entry; notation `7 Anna Berg, club Almere, seed 3, accessible, team Reds, table 5`.

    `number` and `seed_rank` count from 1, the strongest first; `rating` (`rating 1830`) ranks the
    unseeded; `table` is the entrant's fixed one. Raises NotationError.
    """

    number: int
    name: str
    club: str = ""
    seed_rank: int | None = None
    needs_accessible_table: bool = False
    team: str = ""
    rating: int | None = None
    table: int | None = None

    def __post_init__(self) -> None:
        for number in (self.number, self.seed_rank, self.rating, self.table):
            if number is not None and not 1 <= number <= HIGHEST_NUMBER:
                raise NotationError.worded(
                    "{number}: entries, seeds, ratings and tables go from 1 to {most}.",
                    number=number,
                    most=HIGHEST_NUMBER,
                )
        _require_kept(self.name, entrant_name(self.name))
        _require_kept(self.club, short_words(self.club))
        _require_kept(self.team, short_words(self.team))

    @classmethod
    def parse(cls, text: str) -> Entrant:
        """Read the notation. Raises NotationError."""
        found = _ENTRANT.fullmatch(text.strip())
        if found is None:
            raise NotationError.worded(
                "“{text}” is no entry: write it as 7 Anna Berg, club Almere.", text=text
            )
        name, *parts = found[2].split(",")
        return cls(int(found[1]), entrant_name(name), **_members(parts))

    def __str__(self) -> str:
        parts = [
            f"{self.number} {self.name}",
            f"club {self.club}" if self.club else "",
            f"seed {self.seed_rank}" if self.seed_rank else "",
            "accessible" if self.needs_accessible_table else "",
            f"team {self.team}" if self.team else "",
            f"rating {self.rating}" if self.rating else "",
            f"table {self.table}" if self.table else "",
        ]
        return ", ".join(part for part in parts if part)


@dataclass(frozen=True, slots=True)
class Holder:
    """The holder of an entry number from a round on: present spelling and original one."""

    name: str
    entered_as: str
    from_round: int = 1


def entrant_name(text: str) -> str:
    """An entrant's name, stripped. Raises NotationError, also for a spreadsheet's formula."""
    name = player_name(text)
    if name.startswith(_FORMULA):
        raise NotationError.worded(
            "“{name}”: a spreadsheet would take it for a formula; begin it with a letter.",
            name=name,
        )
    return name


@lru_cache(maxsize=20_000)
def spelling_key(name: str) -> str:
    """The common key of names that look the same: older ones are not all composed."""
    return normalize("NFC", " ".join(JOINERS.sub("", name).split())).casefold()


def short_words(text: str) -> str:
    """A club's or a team's name, stripped, which may be empty. Raises NotationError."""
    words = text.strip()
    if len(words) > LONGEST_WORDS or "," in words or LINE_BREAKS & set(words):
        raise NotationError.worded(
            "“{words}”: a club or team has at most {most} characters and no comma.",
            words=words,
            most=LONGEST_WORDS,
        )
    if words.startswith(_FORMULA):
        raise NotationError.worded(
            "“{words}”: begin it with a letter, not with a sign.", words=words
        )
    return words


def _members(parts: list[str]) -> Mapping[str, Any]:
    members: dict[str, Any] = {}
    for part in map(str.strip, parts):
        keyword, _, rest = part.partition(" ")
        value: object = rest.strip()
        match keyword, value:
            case "club" | "team", words if words:
                pass
            case "accessible", "":
                keyword, value = "needs_accessible_table", True
            case "seed" | "rating" | "table", str(digits) if re.fullmatch(
                r"[1-9][0-9]{0,5}", digits
            ):
                keyword, value = "seed_rank" if keyword == "seed" else keyword, int(digits)
            case _:
                raise NotationError.worded(
                    "“{part}” in an entry: write club, seed, accessible, team, rating or table.",
                    part=part,
                )
        if keyword in members:
            raise NotationError(message("“{part}” stands twice in one entry.", part=part))
        members[keyword] = value
    return members


def _require_kept(given: str, stripped: str) -> None:
    if given != stripped:
        raise NotationError(message("“{words}” has blanks at its ends: drop them.", words=given))
