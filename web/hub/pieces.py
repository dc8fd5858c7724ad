"""Parts of pages in pieces: who has one state of a part is sent only what is new in the next.

A template marks a piece as `<!--piece NAME-->…<!--/piece-->`, around one element whose id is NAME.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

_PIECE: Final = re.compile(r"<!--piece ([\w-]+)-->(.*?)<!--/piece-->", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Part:
    """A part of a page: all of it, its pieces by name, and what stands around them."""

    text: str
    pieces: Mapping[str, str]
    frame: str

    @classmethod
    def of(cls, text: str) -> Part:
        """The part that a template drew."""
        return cls(text, dict(_PIECE.findall(text)), _PIECE.sub(r"<!--\1-->", text))

    def since(self, before: Part) -> Mapping[str, str] | None:
        """The pieces that are otherwise than before; None where more than pieces is."""
        if self.frame != before.frame:
            return None
        return {name: text for name, text in self.pieces.items() if before.pieces[name] != text}
