"""What the table page says between two games of an event."""

from __future__ import annotations

from typing import Final

from scoreboard.message import Message, message
from scoreboard.table.event import EventSight
from scoreboard.table.view import TableView

RESTING: Final = frozenset({"no game", "finished", "abandoned"})
PHASES: Final = {
    "": message("Nobody is seated here yet: the director draws the round."),
    "drawn": message("Sit down as named; the director begins the round."),
    "running": message("All games of this round are played here. Wait for the next one."),
    "closed": message("The round is over. Wait for the next one."),
}
SIT_DOWN: Final = message("Sit down as named; KEEP or a tap begins the game.")
SIGN: Final = message("Look at the result, then sign it.")


def is_resting(view: TableView) -> bool:
    """Whether the table is at an event, and no game is under way."""
    return view.event is not None and view.stage in RESTING


def signs(view: TableView) -> bool:
    """Whether the result that is shown waits to be signed."""
    if view.event is None or not is_resting(view):
        return False
    result = view.event.result(view.game_id)
    return result is not None and bool(result.unsigned) and not result.is_disputed


def event_headline(view: TableView) -> Message | None:
    """Where and in which round the table is, between two games; None where it is not."""
    event = view.event
    if event is None or view.stage in {"finished", "abandoned"} or not is_resting(view):
        return None
    if event.round is None:
        return message("Table {number}", number=event.place)
    return message("Table {number}, round {round}", number=event.place, round=event.round)


def event_instruction(view: TableView) -> Message | None:
    """The one thing to do now, between two games; None where it is not."""
    if view.event is None or not is_resting(view):
        return None
    return SIGN if signs(view) else _next(view.event)


def _next(event: EventSight) -> Message:
    if event.obstacle is not None:
        return event.obstacle
    return PHASES[event.phase] if event.due is None else SIT_DOWN


def link_words(event: EventSight) -> Message:
    """How the table stands with its hub."""
    link = event.link
    if link.connected:
        return message("Connected to the hub")
    if link.since is None:
        return message("Calling the hub")
    if not link.waiting:
        return message("Cut off from the hub: play on, nothing is lost.")
    return message(
        "Cut off from the hub: play on, nothing is lost. To be sent later: {count}",
        count=link.waiting,
    )
