"""Values of the protocol as JSON documents and back, and the size limits of their members.

Unknown members are ignored, so that a newer table and an older hub understand each other as long as
nothing is removed.
"""

from __future__ import annotations

from collections.abc import Mapping
from threading import Lock
from typing import Annotated, Any, Final, TypeVar

import msgspec
from msgspec import Meta

from scoreboard.errors import ScoreboardError
from scoreboard.message import Message, message

Document = dict[str, Any]
ValueT = TypeVar("ValueT")
_ONE_AT_A_TIME: Final = Lock()
_DECODERS: Final[dict[type, msgspec.json.Decoder[Any]]] = {}
LARGEST_SEQUENCE: Final = 2**31 - 1  # what every database can count to
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


class WireError(ScoreboardError, ValueError):
    """A message is not in the protocol; `message` names the wrong member."""


def document_of(value: object) -> Document:
    """A value of the protocol as JSON values."""
    document: Document = msgspec.json.decode(msgspec.json.encode(value))  # lists, not tuples
    return document


def value_of(kind: type[ValueT], document: Mapping[str, Any]) -> ValueT:
    """Read back what `document_of` wrote. Raises WireError."""
    try:
        _decoder(kind)
        return msgspec.convert(document, kind)
    except msgspec.ValidationError as error:
        raise WireError(_misread(str(error))) from error


def text_of(value: object) -> str:
    """A value of the protocol as JSON text."""
    return msgspec.json.encode(value).decode()


def value_from_text(kind: type[ValueT], text: str | bytes) -> ValueT:
    """Read back what `text_of` wrote. Raises WireError if it is no JSON, or as `value_of` does."""
    try:
        return _decoder(kind).decode(text)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise WireError(_misread(str(error))) from error


def _decoder(kind: type[ValueT]) -> msgspec.json.Decoder[ValueT]:
    """The decoder of a kind, made by one thread while the others wait.

    msgspec 0.22 keeps what it knows of a dataclass where all threads find it before it knows it
    whole: two that meet a kind for the first time together end the process.
    """
    with _ONE_AT_A_TIME:
        if kind not in _DECODERS:
            _DECODERS[kind] = msgspec.json.Decoder(kind)
        return _DECODERS[kind]


def _misread(fault: str) -> Message:
    return message("This is no message of the hub protocol: {fault}.", fault=fault.rstrip("."))
