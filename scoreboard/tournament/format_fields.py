"""Every field of a format that may be edited: its words, and what it may hold."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from scoreboard.games import GAMES
from scoreboard.phrase import Phrase, phrase
from scoreboard.tournament.domain import FieldDomain, ListOf, OneOf, WholeNumber, Words, YesNo
from scoreboard.tournament.tiebreaks import TIEBREAKS
from scoreboard.tournament.tournament_format import (
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
    label: Phrase
    domain: FieldDomain


FIELDS: Final[tuple[FormatField, ...]] = (
    FormatField("name", phrase("Format"), Words(60)),
    FormatField("game", phrase("Game"), OneOf(tuple(GAMES))),
    FormatField("system", phrase("System"), OneOf(SYSTEMS)),
    FormatField("rounds", phrase("Rounds in a meeting"), WholeNumber(1, 100)),
    FormatField("meetings", phrase("Meetings"), WholeNumber(1, 60)),
    FormatField("counted", phrase("How many of the best count (0: all)"), WholeNumber(0, 1000)),
    FormatField("games", phrase("Games in a round"), WholeNumber(1, 50)),
    FormatField("table_size", phrase("Players at a table"), WholeNumber(1, 6)),
    FormatField("smallest_table", phrase("Players at a short table"), WholeNumber(1, 6)),
    FormatField(
        "by_standing_from", phrase("Tables by standing from round (0: never)"), WholeNumber(0, 100)
    ),
    FormatField("seating", phrase("How tables are made by standing"), OneOf(SEATINGS)),
    FormatField(
        "accessible_tables",
        phrase("Tables with step-free access"),
        ListOf(WholeNumber(1, 100_000), 0, 1000, once=True),
    ),
    FormatField("mates_apart", phrase("Club mates apart in round 1"), YesNo()),
    FormatField("reckoning", phrase("What counts"), OneOf(RECKONINGS)),
    FormatField("zero_sum", phrase("A table's scores must add up to 0"), YesNo()),
    FormatField("place_points", phrase("Points for the places at a table"), ListOf(AWARD, 2, 6)),
    FormatField("win", phrase("Points for a match won"), AWARD),
    FormatField("draw", phrase("Points for a match drawn"), AWARD),
    FormatField("loss", phrase("Points for a match lost"), AWARD),
    FormatField("winner_bonus", phrase("Bonus for winning a game"), AWARD),
    FormatField("most_lost", phrase("Most that a game can cost (0: no limit)"), PENALTY),
    FormatField("joker_penalty", phrase("Cost of a joker on the rack"), PENALTY),
    FormatField("unmelded_penalty", phrase("Added cost without a first meld"), PENALTY),
    FormatField("bye", phrase("Points for a bye"), AWARD),
    FormatField("no_show", phrase("Points for a game not come to"), AWARD),
    FormatField("forfeit", phrase("Points for a game given up"), AWARD),
    FormatField("missed_round", phrase("Points for a round not there for"), AWARD),
    FormatField("grand_final_twice", phrase("A second grand final where needed"), YesNo()),
    FormatField(
        "tiebreaks",
        phrase("What decides the standing, in order"),
        ListOf(OneOf(tuple(TIEBREAKS)), 1, 12, once=True),
    ),
    FormatField("house_rules", phrase("House rules"), ListOf(Words(80), 0, 20, once=True)),
)
STAGE_FIELDS: Final[tuple[FormatField, ...]] = (
    FormatField("name", phrase("Stage"), Words(40)),
    FormatField("entrants", phrase("How many reach it"), WholeNumber(2, 1000)),
    FormatField("games", phrase("Games in it"), WholeNumber(1, 50)),
    FormatField("seating", phrase("How they are seated"), OneOf(STAGE_SEATINGS)),
    FormatField("carried", phrase("The points so far count on"), YesNo()),
    FormatField("best_of_table", phrase("The best of each table reach it"), YesNo()),
)
