"""What was drawn last of a part of a page."""

from __future__ import annotations

from dataclasses import dataclass

from web.hub.rendered_part import RenderedPart


@dataclass(frozen=True, slots=True, eq=False)
class Newest:
    """What was drawn last and before it, and the event for who was shown that one."""

    drawing: RenderedPart
    before: RenderedPart | None
    since: bytes

    @classmethod
    def of(cls, text: str, before: RenderedPart | None) -> Newest:
        """What a template drew, after this."""
        drawing = RenderedPart.of(text)
        return cls(drawing, before, drawing.event if before is None else drawing.since(before))
