"""What a table of Tong Tong agrees on: missions (TT-10, TT-11, TT-16) and house rules."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final, Literal

from scoreboard.errors import NotationError, refused
from scoreboard.games.engine.game import Choice, Option, OwnValue, Setup, settled
from scoreboard.games.tongtong.cards import CARD_COLOURS, CardColour, Piles
from scoreboard.message import Message, message
from scoreboard.typed_numbers import typed_list

Points = tuple[int, ...]
RANK_POINTS: Final[Points] = (10, 7, 4, 1)
_MINUS: Final = frozenset("BG")


@dataclass(frozen=True, slots=True)
class Mission:
    """A mission card: how sums are taken, which of them `bust`, and the points of the others.

    `ranks` is the order of ranked sums, None if the sum itself is earned.
    """

    name: str
    title: Message
    sum_of: Callable[[Piles], int]
    bust: range
    ranks: Literal["high", "low"] | None = None

    def points(self, piles: Sequence[Piles], rank_points: Points = RANK_POINTS) -> Points:
        """The mission points of each player, before the bonus (TT-10, TT-11)."""
        sums = [self.sum_of(each) for each in piles]
        if self.ranks is None:
            return tuple(0 if each in self.bust else each for each in sums)
        return tuple(self._ranked(each, sums, rank_points) for each in sums)

    def _ranked(self, own: int, sums: Sequence[int], rank_points: Points) -> int:
        """Busted players are not ranked; equal sums share the rank, and the next is skipped."""
        if own in self.bust:
            return 0
        others = [each for each in sums if each not in self.bust]
        better = sum(each > own if self.ranks == "high" else each < own for each in others)
        return rank_points[better] if better < len(rank_points) else 0


def _signed(piles: Piles) -> int:
    """TT-10: red, purple and yellow count plus, blue and green minus."""
    return sum(-top.number if top.colour in _MINUS else top.number for top in piles.tops)


MISSIONS: Final[tuple[Mission, ...]] = (
    Mission(
        "high-9", message("Highest sum first, bust from 9 on"), Piles.sum, range(9, 99), "high"
    ),
    Mission(
        "high-12", message("Highest sum first, bust from 12 on"), Piles.sum, range(12, 99), "high"
    ),
    Mission("low-5", message("Lowest sum first, bust up to 5"), Piles.sum, range(-99, 6), "low"),
    Mission("sum-10", message("The sum itself, bust from 10 on"), Piles.sum, range(10, 99)),
    Mission(
        "signed-11",
        message("Red, purple, yellow minus blue, green; bust from 11 on"),
        _signed,
        range(11, 99),
    ),
)
NAMED: Final[Mapping[str, Mission]] = {mission.name: mission for mission in MISSIONS}


def running_total(before: int, mission: int, bonus: int) -> int:
    """TT-12: never below 0 after the mission points; then the bonus is added."""
    return max(0, before + mission) + bonus


SEATS: Final = range(3, 6)
TEAM_SEATS: Final = 4
BASIC_CARDS: Final = 3
_RANK_MISSIONS: Final = tuple(mission.name for mission in MISSIONS if mission.ranks)
_POINTS: Final = re.compile(r"[0-9]{1,2}")


def _read_colours(text: str) -> str:
    letters = [sign for sign in text.upper() if not (sign.isspace() or sign == ",")]
    if not set(letters) <= set(CARD_COLOURS):
        why = message("“{text}”: write R, B, G, P or Y for each colour, as in R P Y.", text=text)
        raise NotationError(why)
    if len(set(letters)) < len(letters):
        why = message("“{text}” has a colour twice: write each once, as in R P Y.", text=text)
        raise NotationError(why)
    if "R" not in letters:
        why = message("“{text}” lacks red, whose 8 leads: add it, as in R P Y.", text=text)
        raise NotationError(why)
    return " ".join(colour for colour in CARD_COLOURS if colour in letters)


def _read_missions(text: str) -> str:
    names = typed_list(text.lower())
    for name in names:
        if name not in NAMED:
            raise NotationError.worded(
                "“{name}” is no mission: write three of {missions}.",
                name=name,
                missions=" ".join(NAMED),
            )
    if not len(names) == len(set(names)) == BASIC_CARDS:
        raise NotationError.worded(
            "Write three different missions, as in high-9 low-5 sum-10, not “{text}”.", text=text
        )
    return " ".join(name for name in NAMED if name in names)


def _read_points(text: str) -> str:
    parts = typed_list(text)
    if len(parts) != len(RANK_POINTS) or not all(map(_POINTS.fullmatch, parts)):
        why = message("“{text}”: write four whole numbers up to 99, as in 10 7 4 1.", text=text)
        raise NotationError(why)
    return " ".join(str(int(part)) for part in parts)


COLOURS: Final = Option(
    "colours",
    message("Colours"),
    "TT-1",
    (
        Choice(
            "first", message("One for each player, in this order: red, blue, green, purple, yellow")
        ),
    ),
    OwnValue(
        message("one letter for each player, with R for red, as in R P Y"),
        _read_colours,
        lambda colours: message("colours {colours}", colours=colours),
    ),
)
PLAY: Final = Option(
    "play",
    message("Missions"),
    "TT-14",
    (
        Choice("basic", message("Basic: the three basic cards")),
        Choice("advanced", message("Advanced: three of all five cards"), message("advanced play")),
    ),
)
BASIC: Final = Option(
    "basic",
    message("The three basic cards"),
    "TT-16",
    (Choice(" ".join(_RANK_MISSIONS), message("The three that rank the players")),),
    OwnValue(
        message("three missions, as in high-9 low-5 sum-10"),
        _read_missions,
        lambda missions: message("basic cards {missions}", missions=missions),
    ),
)
TEAMS: Final = Option(
    "teams",
    message("Team play for four"),
    "TT-15",
    (
        Choice("no", message("Everyone plays alone")),
        Choice("yes", message("Partners sit opposite each other"), message("team play")),
    ),
)
MODE: Final = Option(
    "mode",
    message("What is entered"),
    "TT-8",
    (
        Choice("tricks", message("Every card that is played")),
        Choice(
            "quick", message("Only the piles at the end"), message("only the piles are entered")
        ),
    ),
    proposed="tricks",
)


def _points_option(name: str) -> Option:
    return Option(
        f"points-{name}",
        message("Points on the card “{mission}”", mission=NAMED[name].title),
        "TT-11",
        (
            Choice(
                " ".join(map(str, RANK_POINTS)), message("10 for the first rank, then 7, 4 and 1")
            ),
        ),
        OwnValue(
            message("four numbers, first rank first, as in 10 7 4 1"),
            _read_points,
            lambda points: message("{mission} ranks {points}", mission=name, points=points),
        ),
    )


OPTIONS: Final = (COLOURS, PLAY, BASIC, TEAMS, MODE, *map(_points_option, _RANK_MISSIONS))


@dataclass(frozen=True, slots=True)
class HouseRules:
    """The agreed house rules.

    `colours` are in play, `missions` may be turned up, `rank_points` are those on the owner's
    cards, by mission; `quick`: only the piles are entered; `sides` are the seats that win together;
    `printed` the rules that are not at their default.
    """

    colours: tuple[CardColour, ...]
    missions: tuple[Mission, ...]
    sides: tuple[tuple[int, ...], ...]
    rank_points: Mapping[str, Points] = field(default_factory=dict)
    quick: bool = False
    printed: tuple[Message, ...] = ()

    @classmethod
    def of(cls, setup: Setup) -> HouseRules:
        """Settle them for these players. Raises RuleViolationError for what is not to be had."""
        players = len(setup.players)
        if players not in SEATS:
            raise refused("Tong Tong is for 3 to 5 players.", "TT-1")
        agreed = settled(OPTIONS, setup.options)
        value = {name: choice.value for name, choice in agreed.items()}
        return cls(
            colours=_colours(value["colours"], players),
            missions=tuple(
                mission
                for mission in MISSIONS
                if value["play"] == "advanced" or mission.name in value["basic"].split()
            ),
            sides=_sides(players, teams=value["teams"] == "yes"),
            rank_points={
                name: tuple(map(int, value[f"points-{name}"].split())) for name in _RANK_MISSIONS
            },
            quick=value["mode"] == "quick",
            printed=tuple(
                choice.printed
                for option, choice in zip(OPTIONS, agreed.values(), strict=True)
                if choice.printed and choice.value != option.default
            ),
        )

    @property
    def teams(self) -> bool:
        """Whether partners win together (TT-15)."""
        return any(len(side) > 1 for side in self.sides)

    def points_of(self, mission: Mission) -> Points:
        """What the ranks of this mission earn (TT-11)."""
        return self.rank_points.get(mission.name, RANK_POINTS)


def _colours(value: str, players: int) -> tuple[CardColour, ...]:
    """TT-1: as many as players."""
    if value == COLOURS.default:
        return CARD_COLOURS[:players]
    chosen = tuple(colour for colour in CARD_COLOURS if colour in value.split())
    if len(chosen) != players:
        raise refused(
            "{players} players use {players} colours: choose as many, not {colours}.",
            "TT-1",
            players=players,
            colours=value,
        )
    return chosen


def _sides(players: int, *, teams: bool) -> tuple[tuple[int, ...], ...]:
    """TT-15: partners sit opposite each other."""
    if not teams:
        return tuple((seat,) for seat in range(players))
    if players != TEAM_SEATS:
        raise refused("Team play is for four players: seat four, or play without teams.", "TT-15")
    return ((0, 2), (1, 3))
