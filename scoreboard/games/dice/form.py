"""A game's card as data: its boxes, the rows that fill themselves, and the rules behind them."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field
from typing import Literal

from scoreboard.dice import Roll
from scoreboard.games.dice.hands import Worth
from scoreboard.message import Message

Section = Literal["upper", "lower", "made", "totals"]
Points = Mapping[str, int | None]


@dataclass(frozen=True, slots=True)
class Box:
    """One box of the card.

    `worth` gives what a roll is worth in it; `rule` decides it; `face` is the number of an
    upper box, None below; `joker` gives what a joker is worth in it, by default as much as
    any roll; `adds_up` is false for a box whose points are only recorded (YM-3).
    """

    key: str
    label: Message
    hint: Message
    section: Section
    rule: str
    worth: Worth
    face: int | None = None
    joker: Worth | None = None
    adds_up: bool = True


@dataclass(frozen=True, slots=True)
class Total:
    """A row that fills itself.

    `sum` gives its points from what the card holds under the keys of all rows above it
    (None: nothing to show yet); `missing` how many points are still missing to it, where the
    card shows that (YB-3); `rule` decides it.
    """

    key: str
    label: Message
    section: Section
    rule: str
    sum: Callable[[Points], int | None]
    hint: Message | None = None
    missing: Callable[[Points], int] | None = None


@dataclass(frozen=True, slots=True)
class Placement:
    """A box that may be filled now, with the points it takes and the rule that decides."""

    box: Box
    points: int
    rule: str


Placing = Callable[[tuple[Box, ...], Roll, Collection[str]], tuple[Placement, ...]]
FurtherBonus = Callable[[Points, Roll], int]


def any_empty_box(
    boxes: tuple[Box, ...], roll: Roll, filled: Collection[str]
) -> tuple[Placement, ...]:
    """Every empty box takes what the roll is worth in it (YZ-6, CH-7, YM-10)."""
    return tuple(
        Placement(box, box.worth(roll), box.rule) for box in boxes if box.key not in filled
    )


def no_bonus(_points: Points, _roll: Roll) -> int:
    """Nothing is earned beside the box (CH-6, YM-10)."""
    return 0


@dataclass(frozen=True, slots=True)
class Citations:
    """The rules that a game gives for what all games of the family share.

    Who may play, who starts, the rolls of a turn, foul dice, filling a box, a box at 0, and
    the end. By default those of Yahtzee's sheet.
    """

    players: str = "YZ-1"
    start: str = "YZ-2"
    roll: str = "YZ-4"
    foul: str = "YZ-5"
    fill: str = "YZ-6"
    zero: str = "YZ-7"
    end: str = "YZ-19"


@dataclass(frozen=True, slots=True)
class Form:
    """One game's card under its house rules.

    `rows` are the card's in the paper's order; `placing` says which boxes a roll may fill;
    `further` what it earns beside its box (YZ-17); `grand` is the key of the row that decides
    the game; `house_rules` are those that are not at their default, to be printed on it.
    Two forms are equal when they are of one game under the same house rules.
    """

    game: str
    rows: tuple[Box | Total, ...] = field(compare=False)
    rules: Citations = field(default=Citations(), compare=False)
    placing: Placing = field(default=any_empty_box, compare=False)
    further: FurtherBonus = field(default=no_bonus, compare=False)
    grand: str = field(default="grand", compare=False)
    dice: int = 5
    rolls_allowed: int = 3
    house_rules: tuple[Message, ...] = ()

    @property
    def boxes(self) -> tuple[Box, ...]:
        """The boxes that players fill, in the card's order."""
        return tuple(row for row in self.rows if isinstance(row, Box))

    @property
    def keys(self) -> tuple[str, ...]:
        """Their keys."""
        return tuple(box.key for box in self.boxes)
