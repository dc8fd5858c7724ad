"""The demo evening follows the table: after each view, the throw that belongs to it."""

from __future__ import annotations

from collections.abc import Callable

from scoreboard.table.messages import GameOpened
from scoreboard.table.view import TableView

OPENING = GameOpened("yahtzee", ("North", "South"), {"start": "first"})


class DemoThrows:
    """Has the demo camera show what the table waits for; an `Announcer` for the session.

    `show` takes the number of a turn and of its throw, both from 0, as `DemoCamera.show`.
    """

    def __init__(self, show: Callable[[int, int], None]) -> None:
        self._show = show

    def announce(self, view: TableView) -> None:
        """Show the throw that belongs to this view."""
        throw = throw_for(view)
        if throw is not None:
            self._show(*throw)


def throw_for(view: TableView) -> tuple[int, int] | None:
    """The turn and the throw to show; None to go on showing what is there.

    Throws for the start come first, each from a turn of its own, so that no two throws in
    a row look alike. While a box is chosen the last throw stays on the table.
    """
    turn = view.turn
    if turn is None:
        return None
    match view.stage:
        case "starting":
            return turn.number, 0
        case "rolling":
            return len(view.start_rolls) + turn.number, turn.rolls_made
        case "choosing":
            return len(view.start_rolls) + turn.number, max(0, turn.rolls_made - 1)
        case _:
            return None
