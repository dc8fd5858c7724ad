"""What was drawn last of a part of a page."""

from __future__ import annotations

from dataclasses import dataclass

from web.hub.drawing import Drawing


@dataclass(frozen=True, slots=True, eq=False)
class Newest:
    """What was drawn last and before it, and the event for who was shown that one."""

    drawing: Drawing
    before: Drawing | None
    since: bytes

    @classmethod
    def of(cls, text: str, before: Drawing | None) -> Newest:
        """What a template drew, after this."""
        drawing = Drawing.of(text)
        return cls(drawing, before, drawing.event if before is None else drawing.since(before))
