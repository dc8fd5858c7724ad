"""The people at the table, in seat order."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterable
from itertools import count
from typing import Any, Final, TypeVar

from scoreboard.errors import NotationError
from scoreboard.message import message

Command = TypeVar("Command")
LONGEST_NAME: Final = 60
_GUEST: Final = re.compile(r"Guest [0-9]+")
COMMENT: Final = re.compile(r"(?:^|\s)#")
QUOTED: Final = re.compile(r'(?<![^\s,])"((?:[^"]|"")*)"')
LINE_BREAKS: Final = frozenset("\n\r\v\f\x1c\x1d\x1e\x85\u2028\u2029")

JOINERS: Final = re.compile("[\u200c\u200d]+")
_JOINED_SCRIPTS: Final = re.compile(
    "ADLAM|ARABIC|BENGALI|DEVANAGARI|GUJARATI|GURMUKHI|KANNADA|KHMER|MALAYALAM|MANDAIC|MONGOLIAN|"
    "MYANMAR|NKO|ORIYA|SINHALA|SYRIAC|TAMIL|TELUGU"
)
_VIRAMA: Final = 9  # the combining class of the signs after which letters join
_FILLERS: Final = frozenset("\u034f\u115f\u1160\u2800\u3164\uffa0")


def plain_text(text: str) -> str:
    """A typed text in Unicode's composed form (NFC), so that texts that look the same are equal.

    Invisible signs that come with a paste are dropped: direction marks, blanks of no width. U+200C
    and U+200D stay if a script or an emoji is spelled with them. Raises NotationError for a control
    character or a filler.
    """
    kept = "".join(one for one in text if unicodedata.category(one) != "Cf" or JOINERS.match(one))
    kept = JOINERS.sub(_spelled, kept)
    for sign in kept:
        if sign in _FILLERS or unicodedata.category(sign) == "Cc":
            raise NotationError.worded(
                "“{text}” has a sign that nobody sees (U+{code}): type it, do not copy it.",
                text="".join(each for each in kept if is_printable(each)),
                code=f"{ord(sign):04X}",
            )
    return unicodedata.normalize("NFC", kept)


def is_printable(text: str) -> bool:
    """Whether every sign has a place on paper; joiners within a word count as printable."""
    return JOINERS.sub("", text).isprintable()


def _spelled(found: re.Match[str]) -> str:
    """The joiner, or empty if it spells nothing between its neighbours."""
    sign, text = found[0][-1], found.string
    before, after = f" {text[: found.start()]}"[-1], f"{text[found.end() :]} "[0]
    scripts = {unicodedata.name(each, "").partition(" ")[0] for each in (before, after)}
    in_word = len(scripts) == 1 and _JOINED_SCRIPTS.fullmatch(scripts.pop())
    in_emoji = (
        sign == "\u200d"
        and unicodedata.category(after) == "So"
        and (before == "\ufe0f" or unicodedata.category(before) in {"So", "Sk"})
    )
    return sign if in_word or in_emoji or unicodedata.combining(before) == _VIRAMA else ""


def player_name(text: str) -> str:
    """Strip a name: 1 to 60 characters, no comma, no line break. Raises NotationError."""
    name = text.strip()
    if not 1 <= len(name) <= LONGEST_NAME:
        raise NotationError(message("A name has 1 to {most} characters.", most=LONGEST_NAME))
    if "," in name or LINE_BREAKS & set(name):
        raise NotationError(message("“{name}”: a name has no comma and no line break.", name=name))
    return name


def player_names(texts: Iterable[str]) -> tuple[str, ...]:
    """The checked names of one table in seat order; all must differ. Raises NotationError."""
    names = tuple(player_name(text) for text in texts)
    if not names:
        raise NotationError(message("A game needs at least one player."))
    for name in names:
        if names.count(name) > 1:
            raise NotationError(message("Two players are called “{name}”.", name=name))
    return names


def guests_for(names: Iterable[str], taken: Iterable[str]) -> dict[str, str]:
    """A game's names for these people once they are deleted, unlike all `taken` names."""
    known, guests = set(taken), {}
    for name in names:
        guests[name] = next(one for n in count(1) if (one := f"Guest {n}") not in known)
        known.add(guests[name])
    return guests


def is_guest(name: str) -> bool:
    """Whether it is the name of a deleted person."""
    return _GUEST.fullmatch(name) is not None


def quoted(name: str) -> str:
    """The name for a line of text: in quotation marks if it could be misread."""
    return '"' + name.replace('"', '""') + '"' if '"' in name or COMMENT.search(name) else name


def unquoted(text: str) -> str:
    """The name from a line of text."""
    found = QUOTED.fullmatch(text)
    return text if found is None else found[1].replace('""', '"').strip()


def of_player(
    make: Callable[[str, Any], Command], parse: Callable[[str], Any], rest: str
) -> Command | None:
    """Read the arguments of an act that names a player, and after a comma says what."""
    name, comma, text = rest.partition(",")
    return make(unquoted(name.strip()), parse(text.strip())) if comma else None


def by_player(make: Callable[[str], Command], rest: str) -> Command | None:
    """Read the argument of an act that only names a player."""
    return make(unquoted(rest)) if rest else None
