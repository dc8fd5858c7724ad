"""A part of a page as it was drawn, and the events that show it."""

from __future__ import annotations

from dataclasses import dataclass

from web.hub.pieces import Part
from web.live import server_sent


@dataclass(frozen=True, slots=True, eq=False)
class RenderedPart:
    """A part of a page, and the event that shows all of it; each drawing is another one."""

    part: Part
    event: bytes

    @classmethod
    def of(cls, text: str) -> RenderedPart:
        """What a template drew."""
        return cls(Part.of(text), server_sent("state", text).encode())

    def since(self, before: RenderedPart) -> bytes:
        """The event for who was shown another drawing: what is new of it, or all."""
        pieces = self.part.since(before.part)
        return self.event if pieces is None else server_sent("pieces", pieces).encode()
