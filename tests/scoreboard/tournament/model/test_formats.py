"""Formats: presets, their text, their faults, and what the sheet prints."""

from __future__ import annotations

import ast
from dataclasses import fields, replace
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoreboard.tournament.model import formats
from scoreboard.tournament.model.format_text import (
    FIELDS,
    STAGE_FIELDS,
    FormatError,
    format_faults,
    new_format_faults,
    read_format,
    write_format,
)
from scoreboard.tournament.model.formats import FORMATS
from scoreboard.tournament.model.printed_settings import printed_settings
from scoreboard.tournament.model.tiebreaks import TIEBREAKS
from scoreboard.tournament.model.tournament import opened
from scoreboard.tournament.model.tournament_format import Stage, TournamentFormat
from tests.scoreboard.tournament.model.directing import some_format


def test_stored_names_stay() -> None:
    """Tournaments are kept with the names of their tie-breaks, and forms begin from a format's."""
    assert list(FORMATS) == [
        "rummikub-national", "club-evening", "yahtzee-evening", "yahtzee-duel-swiss", "round-robin",
        "knockout", "double-knockout", "league", "tong-tong-cup", "blind-high-score",
    ]  # fmt: skip
    assert list(TIEBREAKS) == [
        "points", "wins", "score", "head-to-head", "buchholz", "buchholz-cut-1", "buchholz-median",
        "sonneborn-berger", "best-game", "lasted", "earlier", "play-off", "lot",
    ]  # fmt: skip


def test_every_field_can_be_edited() -> None:
    """Each field of a format and of a stage has its words and its domain."""
    assert [field.name for field in FIELDS] == [each.name for each in fields(TournamentFormat)][:-1]
    assert [field.name for field in STAGE_FIELDS] == [each.name for each in fields(Stage)]


@pytest.mark.parametrize("name", FORMATS)
def test_every_preset_can_be_played_and_printed(name: str) -> None:
    """No preset has a fault, and each says what it uses."""
    assert format_faults(FORMATS[name]) == ()
    printed = [str(each) for each in printed_settings(FORMATS[name])]
    assert len(set(printed)) == len(printed) > 2
    assert read_format(write_format(FORMATS[name])) == FORMATS[name]


@given(st.integers(), st.text(min_size=1).filter(lambda t: t.isprintable() and t == t.strip()))
def test_text_is_an_identity(seed: int, name: str) -> None:
    """A format that is written is read back as it was, whatever it is called."""
    form = replace(some_format(Random(seed)), name=name[:60].strip())
    assert read_format(write_format(form)) == form


def test_what_is_left_out_stands_at_its_default() -> None:
    """A format may be as short as its name, and have notes."""
    assert read_format('name = "Mine" # our own\n') == TournamentFormat("Mine")


@pytest.mark.parametrize(
    ("text", "faults"),
    [
        ("name", ["The format is no TOML"]),
        ("rounds = 3", ['A format needs a name: write name = "Club evening".']),
        ('name = "A"\nturns = 3', ["No field is called turns: there are name, game, "]),
        ('name = "A"\nrounds = 0', ["rounds = 0: write a whole number from 1 to 100."]),
        ('name = "A"\nrounds = true', ["rounds = true: write a whole number"]),
        ('name = ""', ['name = "": write a name of 1 to 60']),
        ('name = "A"\nmates_apart = 1', ["mates_apart = 1: write true or false."]),
        ('name = "A"\nsystem = "monrad"', ['system = "monrad": write one of tables, swiss, ']),
        (
            'name = "A"\ngames = 0\ntiebreaks = ["luck"]',
            ["games = 0: write", 'tiebreaks = "luck": write one of points, wins, '],
        ),
        ('name = "A"\ntiebreaks = []', ["tiebreaks = []: write a list of 1 to 12."]),
        (
            'name = "A"\ntiebreaks = ["points", "points"]',
            ['tiebreaks = ["points", "points"]: name each of them once.'],
        ),
        ('name = "A"\nplace_points = [4, "x"]', ['place_points = "x": write a whole number']),
        ('name = "A"\nstages = 3', ["stages: write each stage under a line [[stages]]."]),
        ('name = "A"\n[[stages]]\nname = "F"', ["A stage needs the field entrants."]),
        (
            'name = "A"\n[[stages]]\nname = "F"\nentrants = 4\nseats = 3',
            ["No field is called stages.seats: there are name, entrants, "],
        ),
        (
            'name = "A"\n[[stages]]\nname = "F"\nentrants = 1',
            ["stages.entrants = 1: write a whole number from 2 to 1000."],
        ),
        ('name = "A"\nsmallest_table = 5', ["smallest_table = 5 is more than table_size = 4"]),
        ('name = "A"\nsystem = "swiss"', ["swiss is played in twos: write table_size = 2"]),
        ('name = "A"\nsmallest_table = 1', ["A table needs two players"]),
        (
            'name = "A"\nreckoning = "places"\nplace_points = [3, 2, 1]',
            ["Write place_points for each place of a table: it has 4 of them, not 3"],
        ),
        ('name = "A"\nmeetings = 3\ncounted = 4', ["counted = 4 is more than the 3 meetings"]),
        ('name = "A"\nby_standing_from = 2', ["Tables by standing need seating"]),
        ('name = "A"\ngame = "yahtzee"\nzero_sum = true', ["Only Rummikub's scores add up to 0"]),
    ],
)
def test_a_format_that_cannot_be_played_is_refused(text: str, faults: list[str]) -> None:
    """Every fault is told, each with its cure."""
    with pytest.raises(FormatError) as refusal:
        read_format(text)
    found = [str(fault) for fault in refusal.value.faults]
    assert all(one.startswith(other) for one, other in zip(found, faults, strict=True)), found


@pytest.mark.parametrize(
    ("fields", "fault"),
    [
        ({"reckoning": "points"}, True),
        ({"reckoning": "points", "house_rules": ()}, False),
        ({"system": "blind", "table_size": 1, "smallest_table": 1}, True),
        ({"reckoning": "places"}, False),
        ({"reckoning": "wins"}, False),
    ],
)
def test_where_the_lowest_total_wins_points_are_not_added_up(
    fields: dict[str, Any], *, fault: bool
) -> None:
    """Who plays less would lead; an event that was made before can still be read."""
    form = TournamentFormat("A", game="free-sheet", house_rules=("winner=lowest",))
    form = replace(form, **fields)
    assert read_format(write_format(form)) == form
    found = [str(each) for each in new_format_faults(form)]
    assert [each.startswith("Where the lowest total wins") for each in found] == [True] * fault


def test_stages_must_narrow_down() -> None:
    """A cut lets fewer through than the one before, by another name, and not in a knockout."""
    final = Stage("Final", 4)
    form = TournamentFormat("A", stages=(final, final))
    assert [str(fault) for fault in format_faults(form)] == [
        "Final is for 4, as many as Final before it: let fewer reach it.",
        "Two stages have the same name: give each its own.",
    ]
    assert "at most 6 stages" in str(format_faults(replace(form, stages=(final,) * 7))[0])
    knockout = replace(FORMATS["knockout"], stages=(final,))
    assert [str(fault) for fault in format_faults(knockout)] == [
        "knockout knows no cut: drop the stages."
    ]
    with pytest.raises(FormatError):
        opened("A", knockout)


def test_a_stage_must_find_seats() -> None:
    """Five cannot sit at tables of four, short ones of three: better told before the event."""
    form = TournamentFormat("A", stages=(Stage("Final", 5),))
    assert [str(fault) for fault in format_faults(form)] == [
        (
            "Final: 5 cannot sit at tables of 3 to 4: let more or fewer reach it, or allow smaller "
            "tables."
        )
    ]


def test_the_sheet_prints_what_was_used() -> None:
    """Bonus, cap, penalties, absences and tie-breaks, where they bear on the standings."""
    form = replace(
        FORMATS["rummikub-national"],
        joker_penalty=25,
        unmelded_penalty=100,
        winner_bonus=10,
        most_lost=80,
        no_show=-100,
        by_standing_from=3,
        seating="snake",
        stages=(Stage("Final", 4, games=2, seating="blocks", carried=True),),
    )
    printed = [str(each) for each in printed_settings(form)]
    for sentence in (
        "A joker left on the rack costs 25.",
        "A rack without a first meld costs 100 more.",
        "Winning a game earns 10 more.",
        "A game costs 80 at most.",
        "A game not come to counts -100.",
        "From round 3 on tables go by standing.",
        "Final: the best 4.",
        "Final: games: 2.",
        "Final: the points so far count on.",
        "Final: the best sit at the first table.",
        "Tie-breaks, in order: Points, Games won, Best game, Play-off, Lot.",
    ):
        assert sentence in printed


def test_presets_are_literal_data() -> None:
    """The formats' file holds values and computes nothing."""
    tree = ast.parse(Path(formats.__file__).read_text(encoding="utf-8"))
    kinds = {type(node).__name__ for node in tree.body}
    assert kinds <= {"Expr", "ImportFrom", "AnnAssign"}
