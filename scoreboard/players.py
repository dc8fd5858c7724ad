"""The people at the table, in seat order."""

from __future__ import annotations

import re
from collections.abc import Iterable
from itertools import count
from typing import Final

from scoreboard.errors import NotationError
from scoreboard.message import message

LONGEST_NAME: Final = 30
_GUEST: Final = re.compile(r"Guest [0-9]+")
COMMENT: Final = re.compile(r"(?:^|\s)#")
QUOTED: Final = re.compile(r'(?<![^\s,])"((?:[^"]|"")*)"')
LINE_BREAKS: Final = frozenset("\n\r\v\f\x1c\x1d\x1e\x85\u2028\u2029")


def player_name(text: str) -> str:
    """Check one player's name and return it without surrounding blanks.

    Raises:
        NotationError: the name is empty, longer than 30 characters, or has a comma or
            a line break.
    """
    name = text.strip()
    if not 1 <= len(name) <= LONGEST_NAME:
        raise NotationError(message("A name has 1 to {most} characters.", most=LONGEST_NAME))
    if "," in name or LINE_BREAKS & set(name):
        raise NotationError(message("“{name}”: a name has no comma and no line break.", name=name))
    return name


def player_names(texts: Iterable[str]) -> tuple[str, ...]:
    """Check the names of one table in seat order; all must differ.

    Raises:
        NotationError: there is no name, a name is not allowed, or two are the same.
    """
    names = tuple(player_name(text) for text in texts)
    if not names:
        raise NotationError(message("A game needs at least one player."))
    for name in names:
        if names.count(name) > 1:
            raise NotationError(message("Two players are called “{name}”.", name=name))
    return names


def guests_for(names: Iterable[str], taken: Iterable[str]) -> dict[str, str]:
    """What a game calls these people once they are deleted, unlike all names that it has."""
    known, guests = set(taken), {}
    for name in names:
        guests[name] = next(one for n in count(1) if (one := f"Guest {n}") not in known)
        known.add(guests[name])
    return guests


def is_guest(name: str) -> bool:
    """Whether a name says only that somebody played."""
    return _GUEST.fullmatch(name) is not None


def quoted(name: str) -> str:
    """The name as a line of text has it: in quotation marks where it could be misread."""
    if '"' in name or COMMENT.search(name):
        return '"' + name.replace('"', '""') + '"'
    return name


def unquoted(text: str) -> str:
    """The name that a line of text has."""
    found = QUOTED.fullmatch(text)
    return text if found is None else found[1].replace('""', '"').strip()
