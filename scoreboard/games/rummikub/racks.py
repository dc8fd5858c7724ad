"""The racks after a round that was played without a device: what is counted, and the scores."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from scoreboard.errors import NotationError
from scoreboard.games.engine.game import CountField, HandCount
from scoreboard.games.rummikub.state import after_rummikub, after_stalemate
from scoreboard.games.rummikub.tiles import XP
from scoreboard.message import Message, message

_FIELDS: Final = (
    CountField("numbers", message("Sum of the numbers"), most=9999),
    CountField(
        "jokers",
        message("Jokers"),
        lambda name: message("Jokers on the rack of {name}", name=name),
        XP.jokers,  # of the larger box
    ),
    CountField(
        "unmelded",
        message("No first meld"),
        lambda name: message("{name} made no first meld", name=name),
    ),
)


def _fields(penalties: Mapping[str, int]) -> tuple[CountField, ...]:
    """A missing first meld is asked for only where it costs something."""
    return _FIELDS if penalties["unmelded"] else _FIELDS[:2]


def _hint(penalties: Mapping[str, int]) -> Message:
    return message(
        "Leave both at 0 for the player who went out. A joker costs {penalty}. The player who went "
        "out, or else the one with the least left, gains what the others lose.",
        penalty=penalties["joker"],
    )


def penalties_printed(penalties: Mapping[str, int]) -> tuple[Message, ...]:
    """What a rack costs beside its numbers, in sentences."""
    joker = message("A joker left on the rack costs {penalty}.", penalty=penalties["joker"])
    if not (more := penalties["unmelded"]):
        return (joker,)
    return (joker, message("A rack without a first meld costs {more} more.", more=more))


def scores_from_racks(
    racks: Sequence[Mapping[str, int]], penalties: Mapping[str, int]
) -> tuple[int, ...]:
    """The plus and minus points of a round, in the order of the racks.

    Who is out wins what all others' racks cost (RK-11); with nobody out the lowest rack wins
    what the others hold more than it (RK-13), a remainder going to the first.

    Raises:
        NotationError: two racks are empty.
    """
    out = [seat for seat, rack in enumerate(racks) if not rack["numbers"] and not rack["jokers"]]
    if len(out) > 1:
        raise NotationError(
            message("Count the racks again: two are empty, but only one player can go out.")
        )
    costs = [
        rack["numbers"]
        + rack["jokers"] * penalties["joker"]
        + rack.get("unmelded", 0) * penalties["unmelded"]
        for rack in racks
    ]
    if not out:
        return after_stalemate(costs, to_play=0)
    costs[out[0]] = 0
    return after_rummikub(costs, out[0])


RACKS: Final = HandCount(
    name="racks",
    title=message("Or count what is left on the racks"),
    button=message("Enter the racks"),
    fields=_fields,
    hint=_hint,
    scores=scores_from_racks,
)
