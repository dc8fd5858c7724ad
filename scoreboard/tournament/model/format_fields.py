"""Every field of a format that may be edited: its words, and what it may hold."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from scoreboard.games import GAMES
from scoreboard.message import Message, message
from scoreboard.tournament.model.domain import FieldDomain, ListOf, OneOf, WholeNumber, Words, YesNo
from scoreboard.tournament.model.tiebreaks import TIEBREAKS
from scoreboard.tournament.model.tournament_format import (
    RECKONINGS,
    SEATINGS,
    STAGE_SEATINGS,
    SYSTEMS,
)

AWARD: Final = WholeNumber(-10_000, 10_000)
PENALTY: Final = WholeNumber(0, 10_000)
MOST_STAGES: Final = 6


@dataclass(frozen=True, slots=True)
class FormatField:
    """A field: its stored name, its words on a form, and the values that it takes."""

    name: str
    label: Message
    domain: FieldDomain


FIELDS: Final[tuple[FormatField, ...]] = (
    FormatField("name", message("Format"), Words(60)),
    FormatField("game", message("Game"), OneOf(tuple(GAMES))),
    FormatField("system", message("System"), OneOf(SYSTEMS)),
    FormatField("rounds", message("Rounds in a meeting"), WholeNumber(1, 100)),
    FormatField("meetings", message("Meetings"), WholeNumber(1, 60)),
    FormatField("counted", message("How many of the best count (0: all)"), WholeNumber(0, 1000)),
    FormatField("games", message("Games in a round"), WholeNumber(1, 50)),
    FormatField("table_size", message("Players at a table"), WholeNumber(1, 6)),
    FormatField("smallest_table", message("Players at a short table"), WholeNumber(1, 6)),
    FormatField(
        "by_standing_from", message("Tables by standing from round (0: never)"), WholeNumber(0, 100)
    ),
    FormatField("seating", message("How tables are made by standing"), OneOf(SEATINGS)),
    FormatField(
        "accessible_tables",
        message("Tables with step-free access"),
        ListOf(WholeNumber(1, 100_000), 0, 1000, once=True),
    ),
    FormatField("mates_apart", message("Club mates apart in round 1"), YesNo()),
    FormatField("reckoning", message("What counts"), OneOf(RECKONINGS)),
    FormatField("zero_sum", message("A table's scores must add up to 0"), YesNo()),
    FormatField("place_points", message("Points for the places at a table"), ListOf(AWARD, 2, 6)),
    FormatField("win", message("Points for a match won"), AWARD),
    FormatField("draw", message("Points for a match drawn"), AWARD),
    FormatField("loss", message("Points for a match lost"), AWARD),
    FormatField("winner_bonus", message("Bonus for winning a game"), AWARD),
    FormatField("most_lost", message("Most that a game can cost (0: no limit)"), PENALTY),
    FormatField("joker_penalty", message("Cost of a joker on the rack"), PENALTY),
    FormatField("unmelded_penalty", message("Added cost without a first meld"), PENALTY),
    FormatField("bye", message("Points for a bye"), AWARD),
    FormatField("no_show", message("Points for a game not come to"), AWARD),
    FormatField("forfeit", message("Points for a game given up"), AWARD),
    FormatField("missed_round", message("Points for a round not there for"), AWARD),
    FormatField("grand_final_twice", message("A second grand final where needed"), YesNo()),
    FormatField(
        "tiebreaks",
        message("What decides the standing, in order"),
        ListOf(OneOf(tuple(TIEBREAKS)), 1, 12, once=True),
    ),
    FormatField("house_rules", message("House rules"), ListOf(Words(80), 0, 20, once=True)),
)
STAGE_FIELDS: Final[tuple[FormatField, ...]] = (
    FormatField("name", message("Stage"), Words(40)),
    FormatField("entrants", message("How many reach it"), WholeNumber(2, 1000)),
    FormatField("games", message("Games in it"), WholeNumber(1, 50)),
    FormatField("seating", message("How they are seated"), OneOf(STAGE_SEATINGS)),
    FormatField("carried", message("The points so far count on"), YesNo()),
    FormatField("best_of_table", message("The best of each table reach it"), YesNo()),
)
