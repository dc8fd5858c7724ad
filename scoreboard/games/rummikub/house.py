"""The house rules of Rummikub: the options of a table, and its agreement."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from typing import Final

from scoreboard.games.engine.game import (
    Choice,
    Option,
    OwnValue,
    number_option,
    rounds_option,
    settled,
    whole_number,
)
from scoreboard.message import Message, message

MOST_ROUNDS: Final = 99
_MOST_POINTS: Final = 9999
_points_option: Final = partial(
    number_option, rule="RK-11", most=_MOST_POINTS, hint=message("points")
)


CLOCK: Final = Option(
    "clock",
    message("A turn lasts"),
    "RK-7",
    (
        Choice("60", message("One minute")),
        Choice("90", message("A minute and a half"), message("90 seconds a turn")),
        Choice("120", message("Two minutes"), message("120 seconds a turn")),
        Choice("off", message("As long as it takes: no clock"), message("no clock")),
    ),
    OwnValue(
        message("seconds, from 30 to 300"),
        whole_number(range(30, 301)),
        lambda seconds: message("{seconds} seconds a turn", seconds=seconds),
    ),
)
BANK: Final = number_option(
    "bank",
    message("Time bank of each player"),
    "RK-7",
    Choice("none", message("None: a turn ends when its time is up")),
    60,
    message("minutes for the whole game, from 1 to 60"),
    lambda minutes: message("time bank {minutes} min", minutes=minutes),
)
BEGINS: Final = Option(
    "begins",
    message("Who begins the next round"),
    "RK-15",
    (
        Choice("draw", message("Draw for it, the highest tile begins")),
        Choice("winner", message("The winner of the round"), message("the winner begins")),
        Choice("loser", message("The loser of the round"), message("the loser begins")),
        Choice("next", message("The next player each round"), message("the start goes round")),
    ),
)


BONUS: Final = _points_option(
    "bonus",
    message("Extra points for going out"),
    choice=Choice("none", message("None: the winner gains what the others lose")),
    printed=lambda points: message("going out earns {points} more", points=points),
)
MOST_LOST: Final = _points_option(
    "most_lost",
    message("The most that a player loses in a round"),
    choice=Choice("none", message("No limit")),
    printed=lambda points: message("at most {points} lost in a round", points=points),
)
UNMELDED: Final = _points_option(
    "unmelded",
    message("A rack without a first meld costs more (judged turns)"),
    choice=Choice("none", message("No: only its tiles")),
    printed=lambda points: message("no first meld costs {points} more", points=points),
)
ROUNDS: Final = rounds_option("RK-15", MOST_ROUNDS)
TARGET: Final = number_option(
    "target",
    message("Does a number of points end the game?"),
    "RK-15",
    Choice("none", message("No")),
    _MOST_POINTS,
    message("points to reach"),
    lambda points: message("until {points} points", points=points),
)
TURNS: Final = Option(
    "turns",
    message("Played with"),
    "CS-1",
    (
        Choice("judged", message("The referee: every turn is judged, by camera or by taps")),
        Choice(
            "clock",
            message("Clock and scores: turns are timed, racks are added up"),
            message("clock and scores, turns are not judged"),
        ),
        Choice(
            "scores", message("Scores only: how each round ends"), message("turns are not judged")
        ),
    ),
    proposed="judged",
)
BUILDING: Final = Option(
    "building",
    message("In the turn of your first meld you may"),
    "RK-5",
    (
        Choice("no", message("Only lay your own new sets")),
        Choice(
            "yes",
            message("Also add to the sets on the table"),
            message("building on the table in the first meld's turn"),
        ),
    ),
)
EMPTY_POOL: Final = Option(
    "empty_pool",
    message("When the pool is empty"),
    "RK-12",
    (
        Choice("first", message("The round ends with the first player who plays nothing")),
        Choice(
            "nobody",
            message("The round ends when nobody can play any more"),
            message("an empty pool ends the round only when nobody can lay"),
        ),
    ),
)
BRIDGING: Final = Option(
    "bridging",
    message("A joker taken from a set"),
    "RK-17",
    (
        Choice("no", message("Goes into a new set")),
        Choice(
            "yes",
            message("May also go into a set on the table"),
            message("a freed joker may join old sets"),
        ),
    ),
)
JOKER: Final = Option(
    "joker",
    message("A joker left on a rack costs"),
    "RK-10",
    (
        Choice("30", message("30 points")),
        Choice("25", message("25 points"), message("joker 25")),
        Choice("50", message("50 points"), message("joker 50")),
    ),
)
OPTIONS: Final = (
    *(TURNS, CLOCK, BANK, ROUNDS, TARGET, BEGINS, BUILDING, EMPTY_POOL, BRIDGING),
    *(JOKER, UNMELDED, BONUS, MOST_LOST),
)
EXTENSION: Final = 30  # seconds that a turn takes from the time bank at once


def _number(value: str) -> int:
    """A rule that is a number, 0 if it is none."""
    return int(value) if value.isdecimal() else 0


@dataclass(frozen=True, slots=True)
class HouseRules:
    """The agreed house rules.

    `seconds` is the length of a turn, None without a clock, and `extensions` how often a player may
    have more of the time bank; `begins` is who begins the next round, as the option has it;
    `rounds` how many there are and `target` the points that end the game, None if the players
    decide; `judged` is false if laid tiles are not entered, and `in_turns` if only the ends of
    rounds are entered; `printed` are the rules that are not at their default.
    """

    judged: bool = True
    in_turns: bool = True
    seconds: int | None = 60
    rounds: int | None = None
    target: int | None = None
    extensions: int = 0
    begins: str = "draw"
    unmelded: int = 0
    bonus: int = 0
    most_lost: int | None = None
    may_build: bool = False
    may_bridge: bool = False
    until_nobody_lays: bool = False
    joker: int = 30
    printed: tuple[Message, ...] = ()

    @classmethod
    def of(cls, given: Mapping[str, str]) -> HouseRules:
        """Settle them. Raises RuleViolationError if there is no such option or value."""
        agreed = settled(OPTIONS, given)
        value = {name: choice.value for name, choice in agreed.items()}
        in_turns = value["turns"] != "scores"
        return cls(
            judged=value["turns"] == "judged",
            in_turns=in_turns,
            extensions=_number(value["bank"]) * 60 // EXTENSION,
            begins=value["begins"],
            unmelded=_number(value["unmelded"]),
            bonus=_number(value["bonus"]),
            most_lost=_number(value["most_lost"]) or None,
            seconds=None if value["clock"] == "off" or not in_turns else int(value["clock"]),
            rounds=_number(value["rounds"]) or None,
            target=_number(value["target"]) or None,
            may_build=value["building"] == "yes",
            may_bridge=value["bridging"] == "yes",
            until_nobody_lays=value["empty_pool"] == "nobody",
            joker=int(value["joker"]),
            printed=tuple(choice.printed for choice in agreed.values() if choice.printed),
        )
