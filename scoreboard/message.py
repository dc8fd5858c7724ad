"""Words for players: an English sentence with named gaps, translated only at the page."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import reduce


@dataclass(frozen=True, slots=True)
class Message:
    """A sentence for players, kept as its catalogue key and the values for its gaps.

    `template` is the English sentence and the key of the message catalogue; gaps are
    written `{name}`. A value may itself be a message, so that a box's name inside a
    sentence is translated too. `str()` gives the English sentence.
    """

    template: str
    values: tuple[tuple[str, str | int | float | Message], ...] = ()

    def __str__(self) -> str:
        return self.template.format(**dict(self.values))


def message(template: str, **values: str | float | Message) -> Message:
    """Build a message; the catalogue's extraction looks for calls of this function.

    The template must be one literal string, so that the extraction can read it.
    """
    return Message(template, tuple(sorted(values.items())))


def listed(parts: Iterable[Message]) -> Message:
    """Messages with commas between them; there must be one at least."""
    return reduce(lambda one, two: message("{one}, {two}", one=one, two=two), parts)
