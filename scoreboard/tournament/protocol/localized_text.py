"""A sentence on its way to another device, which says it in the language of who reads it there."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from string import Formatter
from typing import Annotated

from msgspec import Meta

from scoreboard.message import Message, message
from scoreboard.tournament.protocol.bounds import LONGEST_SENTENCE, Name
from scoreboard.tournament.protocol.documents import WireError


@dataclass(frozen=True, slots=True)
class LocalizedText:
    """A phrase: its English with gaps `{name}`, and what fills them; sentences among them.

    Raises:
        WireError: a gap that nothing fills, or one that is more than a name; whoever reads it
            fills the gaps of what a stranger wrote.
    """

    template: Annotated[str, Meta(min_length=1, max_length=LONGEST_SENTENCE)]
    values: Mapping[Name, str | int | float | LocalizedText] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if any(gap not in self.values for gap in _gaps(self.template)):
            raise WireError(
                message("A gap of a sentence is not filled: {sentence}", sentence=self.template)
            )

    @classmethod
    def of(cls, said: Message) -> LocalizedText:
        """The sentence that this phrase is."""
        values = {
            name: cls.of(value) if isinstance(value, Message) else value
            for name, value in said.values
        }
        return cls(said.template, values)

    @property
    def message(self) -> Message:
        """The phrase that this sentence is."""
        values = {
            name: value.message if isinstance(value, LocalizedText) else value
            for name, value in self.values.items()
        }
        return Message(self.template, tuple(sorted(values.items())))


def _gaps(template: str) -> Iterator[str]:
    """The names of the gaps; one that asks for more than its name is no name of a value."""
    try:
        for _, name, wish, turned in Formatter().parse(template):
            if name is not None:
                yield name if not wish and not turned and name.isidentifier() else ""
    except ValueError as error:
        raise WireError(
            message("The gaps of a sentence cannot be read: {sentence}", sentence=template)
        ) from error
