"""The house rules of an event: what may be settled, what is refused, what is printed."""

from __future__ import annotations

from dataclasses import replace

import pytest

from scoreboard.games import GAMES
from scoreboard.games.engine.game import Setup
from scoreboard.tournament.hub.game_options import game_options
from scoreboard.tournament.model.format_text import format_faults, read_format, write_format
from scoreboard.tournament.model.formats import FORMATS
from scoreboard.tournament.model.printed_settings import printed_settings
from scoreboard.tournament.model.tournament_format import (
    SETTLED_OTHERWISE,
    TournamentFormat,
    house_options,
    house_rules_printed,
    house_values,
)

EVENING = FORMATS["club-evening"]
ACCEPTED = [
    ("rummikub", "clock=90", {"clock": "90"}, "90 seconds a turn"),
    ("rummikub", "clock=45", {"clock": "45"}, "45 seconds a turn"),
    ("rummikub", "turns=scores", {"turns": "scores"}, "turns are not judged"),
    ("rummikub", "clock=60", {}, None),
    ("tongtong", "play=advanced", {"play": "advanced"}, "advanced play"),
    ("chaser", "strict_full_house=yes", {"strict_full_house": "yes"}, "strict full house"),
]
REFUSED = [
    ("rummikub", "clock=5", "30 to 300 seconds"),
    ("rummikub", "clock", "one of turns, clock"),
    ("rummikub", "joker=25", "one of turns, clock"),
    ("rummikub", "lock=90", "one of turns, clock"),
    ("rummikub", "turns=often", "This game has no option turns: often"),
    ("chaser", "clock=90", "one of strict_full_house"),
    ("tongtong", "teams=yes", "names no house rule"),
]


def settled_for(game: str, *rules: str) -> TournamentFormat:
    """A club evening of a game with some house rules."""
    return replace(EVENING, game=game, zero_sum=False, house_rules=rules)


@pytest.mark.parametrize(("game", "rule", "values", "printed"), ACCEPTED)
def test_a_house_rule_holds_at_the_tables(
    game: str, rule: str, values: dict[str, str], printed: str | None
) -> None:
    """It can be played, is told to the tables and stands on the sheet, unless it is the default."""
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
    """The fault names what there is; what the format itself or the seating says is none of it."""
    (found,) = format_faults(settled_for(game, rule))
    assert fault in str(found)


def test_a_house_rule_is_settled_once() -> None:
    """Two values for one rule are one too many."""
    (found,) = format_faults(settled_for("rummikub", "clock=90", "clock=off"))
    assert str(found) == "house_rules: clock is settled twice: write it once."


@pytest.mark.parametrize("game", GAMES)
def test_every_value_begins_a_game_with_as_many_as_may_sit(game: str) -> None:
    """Whatever an event settles, no table of it is refused its game."""
    rulebook = GAMES[game]
    for option in house_options(game):
        assert option.name not in SETTLED_OTHERWISE
        for choice in option.choices:
            options = game_options(settled_for(game, f"{option.name}={choice.value}"))
            for seats in rulebook.seats:
                players = tuple(f"Player {seat}" for seat in range(seats))
                assert rulebook.start(Setup(players, options)) is not None
