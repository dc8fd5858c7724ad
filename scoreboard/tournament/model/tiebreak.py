"""One thing that may decide a standing: its name, its values, and its reason in words."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from scoreboard.message import Message
from scoreboard.tournament.model.points import Points
from scoreboard.tournament.model.result_table import ResultTable

Values = Callable[[ResultTable, tuple[int, ...]], Mapping[int, Points]]


@dataclass(frozen=True, slots=True)
class Tiebreak:
    """How those who are still level are told apart; the higher value stands above.

    `name` is stored, `label` heads a column; `values` gives one to each of the level entrants
    (some look at these alone); `reason` says why the first value stands above the second, in
    words that end a sentence.
    """

    name: str
    label: Message
    values: Values
    reason: Callable[[Points, Points], Message]


def latest_order(
    commands: tuple[tuple[int, ...], ...], level: tuple[int, ...]
) -> Mapping[int, Points]:
    """The level entrants by the latest order that has them all, last 1; all 0 where none has."""
    for command in reversed(commands):
        if set(level) <= set(command):
            return {each: len(command) - command.index(each) for each in level}
    return dict.fromkeys(level, 0)
