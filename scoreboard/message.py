"""Words for players: an English sentence with named gaps, translated only at the page."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import reduce


@dataclass(frozen=True, slots=True)
class Message:
    """A sentence for players, stored as its catalogue key and the values for its gaps.

    `template` is the English sentence and the key of the message catalogue, with its context in
    front if it has one; gaps are written `{name}`. A value may be a message, so that a box's name
    inside a sentence is translated too. `str()` gives the English sentence.
    """

    template: str
    values: tuple[tuple[str, str | int | float | Message], ...] = ()

    def __str__(self) -> str:
        return without_context(self.template).format(**dict(self.values))


def message(template: str, **values: str | float | Message) -> Message:
    """Build a message; the catalogue's extraction looks for calls of this function.

    The template must be one literal string, so that the extraction can read it.
    """
    return Message(template, tuple(sorted(values.items())))


def message_in(context: str, template: str, **values: str | float | Message) -> Message:
    """Build a message whose English has another meaning elsewhere, such as Chaser's Aces.

    The context is in front of the template as in gettext's catalogues; both must be literal.
    """
    return message(f"{context}\x04{template}", **values)


def without_context(text: str) -> str:
    """A catalogue's key or translation without the context of `message_in`."""
    return text.rpartition("\x04")[2]


def listed(parts: Iterable[Message]) -> Message:
    """At least one message, joined by commas."""
    return reduce(lambda one, two: message("{one}, {two}", one=one, two=two), parts)
