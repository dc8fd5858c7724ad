"""A field of a form with what stands in it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from scoreboard.message import Message

Widget = Literal["words", "number", "yes-no", "choice", "list"]


@dataclass(frozen=True, slots=True)
class FilledField:
    """A field with what stands in it, sensible or not; kept as it was typed."""

    key: str
    label: Message
    widget: Widget
    value: str
    choices: tuple[tuple[str, Message], ...] = ()
    hint: Message | None = None
