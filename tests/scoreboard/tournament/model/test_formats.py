"""Formats: presets, their text, their faults, and what the sheet prints."""

from __future__ import annotations

from dataclasses import fields, replace
from functools import reduce
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scoreboard.games import GAMES
from scoreboard.games.engine.game import Setup
from scoreboard.tournament.hub.table_updates import game_options
from scoreboard.tournament.model.format_text import (
    FIELDS,
    STAGE_FIELDS,
    FormatError,
    format_faults,
    new_format_faults,
    printed_settings,
    read_format,
    write_format,
)
from scoreboard.tournament.model.formats import FORMATS
from scoreboard.tournament.model.scoring import awarded
from scoreboard.tournament.model.settings import ChangeFormat, FormatChanged
from scoreboard.tournament.model.stages import Cut, Reopen
from scoreboard.tournament.model.tiebreaks import TIEBREAKS
from scoreboard.tournament.model.tournament import describe, evolve, opened
from scoreboard.tournament.model.tournament_format import (
    SETTLED_OTHERWISE,
    Stage,
    TournamentFormat,
    house_options,
    house_rules_printed,
    house_values,
)
from scoreboard.tournament.model.tournament_transcript import read_transcript
from tests.scoreboard.tournament.model.chains import write_transcript
from tests.scoreboard.tournament.model.directing import (
    EVENING,
    KIM,
    Directing,
    Evening,
    one_round,
    refusal,
    some_format,
)
from tests.scoreboard.tournament.model.test_tournament_laws import transcript_of


def test_stored_names_stay() -> None:
    assert list(FORMATS) == [
        "rummikub-national", "club-evening", "yahtzee-evening", "yahtzee-duel-swiss", "round-robin",
        "knockout", "double-knockout", "league", "tong-tong-cup", "blind-high-score",
    ]  # fmt: skip
    assert list(TIEBREAKS) == [
        "points", "wins", "score", "head-to-head", "buchholz", "buchholz-cut-1", "buchholz-median",
        "sonneborn-berger", "best-game", "lasted", "earlier", "play-off", "lot",
    ]  # fmt: skip


def test_every_field_can_be_edited() -> None:
    assert [field.name for field in FIELDS] == [each.name for each in fields(TournamentFormat)][:-1]
    assert [field.name for field in STAGE_FIELDS] == [each.name for each in fields(Stage)]


@pytest.mark.parametrize("name", FORMATS)
def test_every_preset_can_be_played_and_printed(name: str) -> None:
    assert format_faults(FORMATS[name]) == ()
    printed = [str(each) for each in printed_settings(FORMATS[name])]
    assert len(set(printed)) == len(printed) > 2
    assert read_format(write_format(FORMATS[name])) == FORMATS[name]


@given(st.integers(), st.text(min_size=1).filter(lambda t: t.isprintable() and t == t.strip()))
def test_text_is_an_identity(seed: int, name: str) -> None:
    form = replace(some_format(Random(seed)), name=name[:60].strip())
    assert read_format(write_format(form)) == form


def test_what_is_left_out_stands_at_its_default() -> None:
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
    form = TournamentFormat("A", game="free-sheet", house_rules=("winner=lowest",))
    form = replace(form, **fields)
    assert read_format(write_format(form)) == form
    found = [str(each) for each in new_format_faults(form)]
    assert [each.startswith("Where the lowest total wins") for each in found] == [True] * fault


def test_stages_must_narrow_down() -> None:
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


def changed(title: str = "Test", **fields: Any) -> ChangeFormat:
    """The command that changes these fields of the evening."""
    return ChangeFormat(title, replace(EVENING, **fields), **KIM)


def test_everything_may_change_before_the_first_draw() -> None:
    """Another game and another system too: nobody has been drawn yet."""
    event = Directing(EVENING, 8).give(ChangeFormat("Cup", FORMATS["knockout"], **KIM))
    assert (event.state.title, event.state.format) == ("Cup", FORMATS["knockout"])


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({"game": "yahtzee", "zero_sum": False}, "“Game” cannot change any more"),
        ({"system": "swiss", "table_size": 2, "smallest_table": 2}, "“System” cannot change"),
        ({"reckoning": "places"}, "“What counts” cannot change"),
        ({"joker_penalty": 50}, "“Cost of a joker on the rack” cannot change"),
        ({}, "stand so already"),
    ],
)
def test_what_the_draw_rests_on_stays(fields: dict[str, Any], words: str) -> None:
    assert words in refusal(one_round().state, changed(**fields))


def test_the_rounds_that_were_drawn_stay_planned() -> None:
    event = one_round().give(changed(rounds=1), changed(rounds=5))
    assert event.state.format.rounds == 5
    final = Stage("Final", 4, 1, "blocks")
    after_cut = one_round(replace(EVENING, rounds=1, stages=(final,))).give(Cut()).state
    assert "drawn already" in refusal(after_cut, changed(rounds=2, stages=(final,)))
    assert "A stage that was reached" in refusal(after_cut, changed(rounds=1))


def test_settings_that_cannot_be_played_are_refused() -> None:
    with pytest.raises(FormatError):
        changed(rounds=0).decide(one_round().state)


def test_another_bonus_brings_other_places() -> None:
    event = one_round()
    before = event.places
    event.give(changed(winner_bonus=100, most_lost=1))
    assert event.places != before
    first = event.state.rounds[0].results[1, 1].result
    assert [award.points for award in first] == [160, -1, -1, -1]
    assert [award.score.score for award in first] == [60, -10, -20, -30]
    told = next(each for each in event.events if isinstance(each, FormatChanged))
    sentence = str(describe(event.state, told))
    assert "Bonus for winning a game 100, not 0; Most that a game can cost" in sentence


@settings(max_examples=25)
@given(st.integers(0, 2**32), st.integers(0, 9), st.integers(0, 9), st.sampled_from([0, 3, 20]))
def test_results_follow_the_settings_and_come_back(
    seed: int, win: int, bonus: int, most_lost: int
) -> None:
    event = Evening(seed).play_on()
    if event.state.finished:
        event.give(Reopen(**KIM))
    before = event.state
    form = replace(
        before.format, win=win + 1000, winner_bonus=bonus, most_lost=most_lost, bye=4, no_show=-9
    )
    event.give(ChangeFormat("Other", form, **KIM))
    for played in event.state.rounds:
        for (number, _), reported in played.results.items():
            table = played.table(number)
            assert table is not None
            own = form.in_stage(played.stage)
            assert reported.result == awarded(own, table, reported.result.scores)
    event.give(ChangeFormat(before.title, before.format, **KIM))
    assert replace(event.state, amendments=before.amendments) == before
    assert [each.brought for each in event.state.rounds] == [each.brought for each in before.rounds]
    assert reduce(evolve, event.events, event.start) == event.state
    assert read_transcript(write_transcript(transcript_of(event))).state == event.state


CLUB_EVENING = FORMATS["club-evening"]
ACCEPTED = [
    ("rummikub", "clock=90", {"clock": "90"}, "90 seconds a turn"),
    ("rummikub", "clock=45", {"clock": "45"}, "45 seconds a turn"),
    ("rummikub", "turns=scores", {"turns": "scores"}, "turns are not judged"),
    ("rummikub", "clock=60", {}, None),
    ("tongtong", "play=advanced", {"play": "advanced"}, "advanced play"),
    ("chaser", "strict_full_house=yes", {"strict_full_house": "yes"}, "strict full house"),
]
REFUSED = [
    ("rummikub", "clock=5", "from 30 to 300"),
    ("rummikub", "clock", "one of turns, clock"),
    ("rummikub", "joker=25", "one of turns, clock"),
    ("rummikub", "lock=90", "one of turns, clock"),
    ("rummikub", "turns=often", "This game has no option turns: often"),
    ("chaser", "clock=90", "one of strict_full_house"),
    ("tongtong", "teams=yes", "names no house rule"),
]


def settled_for(game: str, *rules: str) -> TournamentFormat:
    """A club evening of a game with some house rules."""
    return replace(CLUB_EVENING, game=game, zero_sum=False, house_rules=rules)


@pytest.mark.parametrize(("game", "rule", "values", "printed"), ACCEPTED)
def test_a_house_rule_holds_at_the_tables(
    game: str, rule: str, values: dict[str, str], printed: str | None
) -> None:
    form = settled_for(game, rule)
    assert format_faults(form) == ()
    assert house_values(form) == values
    assert game_options(form).items() >= values.items()
    assert [str(each) for each in house_rules_printed(form)] == ([printed] if printed else [])
    sentences = [str(each) for each in printed_settings(form)]
    assert (f"House rule: {printed}." in sentences) == (printed is not None)
    assert read_format(write_format(form)) == form


@pytest.mark.parametrize(("game", "rule", "fault"), REFUSED)
def test_a_house_rule_that_cannot_be_is_refused(game: str, rule: str, fault: str) -> None:
    (found,) = format_faults(settled_for(game, rule))
    assert fault in str(found)


def test_a_house_rule_is_settled_once() -> None:
    (found,) = format_faults(settled_for("rummikub", "clock=90", "clock=off"))
    assert str(found) == "house_rules: clock is settled twice: write it once."


@pytest.mark.parametrize("game", GAMES)
def test_every_value_begins_a_game_with_as_many_as_may_sit(game: str) -> None:
    rulebook = GAMES[game]
    for option in house_options(game):
        assert option.name not in SETTLED_OTHERWISE
        for choice in option.choices:
            options = game_options(settled_for(game, f"{option.name}={choice.value}"))
            for seats in rulebook.seats:
                players = tuple(f"Player {seat}" for seat in range(seats))
                assert rulebook.start(Setup(players, options)) is not None
