"""Where a photo shows what was read on it: the part that matters, and the places of the tags."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from scoreboard.table.proposal import Point

Quad = Sequence[Point]

_MARGIN: Final = 0.5  # of the largest piece's longer side: its surroundings help to find a piece
_LETTER: Final = 0.34  # of a piece's shorter side
_WIDTH: Final = 0.62  # of a letter
_HEIGHT: Final = 1.25  # of a tag, in letters


def crop(quads: Iterable[Quad], width: float, height: float, margin: float = _MARGIN) -> str:
    """The part of a photo of that size round these pieces, as an SVG view box; all without any."""
    places = [_bounds(quad) for quad in quads if quad]
    if not places:
        return f"0 0 {width} {height}"
    more = margin * max(max(right - left, bottom - top) for left, top, right, bottom in places)
    lefts, tops, rights, bottoms = zip(*places, strict=True)
    left, top = max(0.0, min(lefts) - more), max(0.0, min(tops) - more)
    across, down = min(width, max(rights) + more) - left, min(height, max(bottoms) + more) - top
    return f"{left:.1f} {top:.1f} {across:.1f} {down:.1f}"


def tag_place(
    quad: Quad, letters: int, others: Iterable[Quad], width: float, height: float
) -> tuple[float, float, float, float]:
    """Left, top, width and letters' size of a piece's tag: over no other piece, else in its own."""
    left, top, right, bottom = _bounds(quad)
    wide = 0.5 + _WIDTH * letters
    size = min(_LETTER * min(right - left, bottom - top), (right - left) / wide)
    across, down = wide * size, _HEIGHT * size
    taken = [_bounds(each) for each in others if each and each != quad]
    free = (
        (x, y)
        for x, y in ((left, bottom), (left, top - down), (right, top), (left - across, top))
        if 0 <= x <= width - across
        and 0 <= y <= height - down
        and not any(
            x < other[2] and other[0] < x + across and y < other[3] and other[1] < y + down
            for other in taken
        )
    )
    return (*next(free, (left, bottom - down)), across, size)


def _bounds(quad: Quad) -> tuple[float, float, float, float]:
    across, down = zip(*quad, strict=True)
    return min(across), min(down), max(across), max(down)
