"""The demo evenings follow the table: after each view, the throw or the tiles that belong to it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from scoreboard.table.messages import GameOpened
from scoreboard.table.view import ShownPieces, TableView

OPENING = GameOpened("yahtzee", ("North", "South"), {"start": "first"})
# The games without dice of which the demo camera has pictures, and what the evening is called.
EVENINGS: Final[Mapping[str, str]] = {
    "rummikub": "demo_rummikub",
    "tongtong": "demo_tongtong",
}


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


class DemoTables:
    """Has the demo camera show the tables of a game without dice; an `Announcer` for the session.

    `show` takes the evening's name, that of what is awaited, and which of its tables, counted
    from 0, as `DemoCamera.show_table`. The next table comes once somebody knows of what the
    rulebook has against the one before: KEEP told it, or another look was asked for.
    """

    def __init__(self, show: Callable[[str, str, int], None]) -> None:
        self._show = show
        self._awaited: tuple[str | None, str] | None = None
        self._table = 0
        self._faulty: int | None = None  # the frame of the table that is refused
        self._mended: int | None = None  # the last one of which somebody knows

    def announce(self, view: TableView) -> None:
        """Show the table that belongs to this view."""
        step = step_for(view)
        if view.game is None or step is None:
            return
        if self._awaited != (view.game_id, step):
            self._awaited = (view.game_id, step)
            self._table, self._faulty, self._mended = 0, None, None
        self._mend(view)
        self._show(EVENINGS[view.game], step, self._table)

    def _mend(self, view: TableView) -> None:
        refused = view.pieces is not None and bool(view.pieces.remarks)
        if view.pieces is not None and refused and view.pieces.frame != self._mended:
            self._faulty = view.pieces.frame
        if self._faulty is not None and (view.pieces is None or _is_told(view, view.pieces)):
            self._table, self._mended, self._faulty = self._table + 1, self._faulty, None


def _is_told(view: TableView, pieces: ShownPieces) -> bool:
    return view.notice is not None and view.notice in [each.text for each in pieces.remarks]


def step_for(view: TableView) -> str | None:
    """The name of what is awaited in a game without dice; None where there is no picture of it.

    It is made of the offer that is filled, the seat, and how many tiles lie on the table. Tong
    Tong's is made of the offer and how much of the match was told before.
    """
    awaited = None if view.turn is None else view.turn.awaited
    if view.turn is None or awaited is None or awaited.sight is None or view.game not in EVENINGS:
        return None
    offer = awaited.sight.offer.replace(":", "-")
    if view.game == "tongtong":
        return f"{offer}-{view.turn.number:02}"
    seat = "" if view.turn.player is None else f"-{view.turn.player}"
    return f"{offer}{seat}-{sum(len(heap.pieces) for heap in view.lying):02}"


def demo_reader(view: TableView) -> str:
    """Who reads the demo's pictures: where there are none of a game, dice stay on the table."""
    return view.reader if view.game in EVENINGS else "dice"
