"""How pieces seen on a photo are drawn and spoken of."""

from __future__ import annotations

from scoreboard.games.engine.game import Pieces
from scoreboard.message import Message, message
from scoreboard.table.proposal import UNREAD
from scoreboard.table.view import ShownPiece, TableView


def corners(piece: ShownPiece) -> str:
    """Its corners as an SVG polygon has them."""
    return " ".join(f"{x:.1f},{y:.1f}" for x, y in piece.quad)


def foot(piece: ShownPiece) -> tuple[float, float, float]:
    """Where its tag begins, left and top, and how wide it may be, in pixels of the picture."""
    left, right = min(x for x, _ in piece.quad), max(x for x, _ in piece.quad)
    return left, max(y for _, y in piece.quad), right - left


def spoken(piece: ShownPiece) -> Message:
    """The piece in words, and why a person should look at it."""
    if piece.label == UNREAD:
        return message("not readable")
    if piece.inferred:
        return message("{piece}, told by the rules", piece=piece.label)
    if piece.doubtful:
        return message("{piece}, doubtful", piece=piece.label)
    return message("{piece}", piece=piece.label)


def kind(view: TableView) -> Pieces:
    """What the pieces that the camera looks for are."""
    return "cards" if view.reader == "cards" else "tiles"


def is_watched(view: TableView) -> bool:
    """Whether the camera sees what this game waits for."""
    awaited = None if view.turn is None else view.turn.awaited
    return awaited is not None and awaited.sight is not None
