"""What a table of Tong Tong may agree on, and how it shows."""

from __future__ import annotations

import pytest

from scoreboard.errors import RuleViolationError
from scoreboard.games.engine.game import Setup
from scoreboard.games.tongtong.game import GAME
from scoreboard.games.tongtong.house import OPTIONS
from tests.scoreboard.games.tongtong.playing import NAMES, begun, column, entered, keys, quick_game

POINTS = "“{text}”: write four whole numbers up to 99, as in 10 7 4 1."
THREE = "Write three different missions, as in high-9 low-5 sum-10, not “{text}”."
COLOURS = "“{text}”: write R, B, G, P or Y for each colour, as in R P Y."


def printed(players: int = 3, /, **options: str) -> list[str]:
    """The house rules that the sheet prints."""
    return [str(each) for each in GAME.scoresheet(begun(players, **options)).options]


@pytest.mark.parametrize(("players", "colours"), [(3, "RBG"), (4, "RBGP"), (5, "RBGPY")])
def test_as_many_colours_as_players(players: int, colours: str) -> None:
    """TT-1: eight cards each, in order where nothing else was agreed on."""
    state = begun(players)
    assert [card.colour for card in state.deck] == [each for each in colours for _ in range(8)]
    assert printed(players) == []


def test_other_colours_are_printed() -> None:
    """TT-1: read in any order, shown in one."""
    assert printed(colours="y, r P") == printed(colours="RPY") == ["colours R P Y"]
    state = entered(begun(colours="Y P R"), "mission low-5", "leader Ann")
    assert set(keys(state, "play:")) == {f"{colour}{n}" for colour in "RPY" for n in range(1, 9)}


@pytest.mark.parametrize("players", [2, 6])
def test_three_to_five_play(players: int) -> None:
    """TT-1."""
    with pytest.raises(RuleViolationError, match="is for 3 to 5 players") as caught:
        GAME.start(Setup((*NAMES, "Fred")[:players]))
    assert caught.value.rule == "TT-1"
    assert players not in GAME.seats
    assert {3, 4, 5} == set(GAME.seats)


WHICH = "“high-10” is no mission: write three of high-9 high-12 low-5 sum-10 signed-11."
WHY = {"WHICH": WHICH, "POINTS": POINTS, "COLOURS": COLOURS, "THREE": THREE}
REFUSED = """
TT-1 | colours | R K Y | COLOURS
TT-1 | colours | R P P | “{text}” has a colour twice: write each once, as in R P Y.
TT-1 | colours | B P Y | “{text}” lacks red, whose 8 leads: add it, as in R P Y.
TT-1 | colours |  | “{text}” lacks red, whose 8 leads: add it, as in R P Y.
TT-1 | colours | R P | 3 players use 3 colours: choose as many, not {text}.
TT-1 | colours | R B P Y | 3 players use 3 colours: choose as many, not {text}.
TT-14 | play | expert | This game has no option play: {text}.
TT-16 | basic | high-9 high-10 low-5 | WHICH
TT-16 | basic | high-9 low-5 | THREE
TT-16 | basic | high-9 low-5 low-5 | THREE
TT-16 | basic | high-9 low-5 sum-10 signed-11 | THREE
TT-15 | teams | maybe | This game has no option teams: {text}.
TT-15 | teams | yes | Team play is for four players: seat four, or play without teams.
TT-8 | mode | slow | This game has no option mode: {text}.
TT-11 | points-high-9 | 10 7 4 | POINTS
TT-11 | points-high-12 | 10 7 4 1 0 | POINTS
TT-11 | points-low-5 | 10 7 4 -1 | POINTS
TT-11 | points-low-5 | 100 7 4 1 | POINTS
TT-11 | points-low-5 | 10 7 four 1 | POINTS
options | points-sum-10 | 10 7 4 1 | This game has no option points-sum-10: {text}.
"""


@pytest.mark.parametrize(
    ("rule", "name", "value", "why"),
    [[cell.strip() for cell in row.split("|")] for row in REFUSED.strip().splitlines()],
)
def test_what_cannot_be_agreed_on(rule: str, name: str, value: str, why: str) -> None:
    """The sentence names the fault and its cure."""
    with pytest.raises(RuleViolationError) as caught:
        GAME.start(Setup(NAMES[:3], {name: value}))
    assert caught.value.rule == rule
    assert str(caught.value) == WHY.get(why, why).format(text=value)


def test_team_play_is_for_four() -> None:
    """TT-15: and five are refused as well as three."""
    assert printed(4, teams="yes") == ["team play"]
    with pytest.raises(RuleViolationError, match="Team play is for four"):
        begun(5, teams="yes")


@pytest.mark.parametrize(
    ("options", "missions"),
    [
        ({}, ["high-9", "high-12", "low-5"]),
        ({"basic": "signed-11, LOW-5 high-12"}, ["high-12", "low-5", "signed-11"]),
        ({"play": "advanced"}, ["high-9", "high-12", "low-5", "sum-10", "signed-11"]),
    ],
)
def test_which_missions_may_be_turned_up(options: dict[str, str], missions: list[str]) -> None:
    """TT-14, TT-16."""
    assert keys(begun(**options), "mission:") == missions


def test_the_points_of_the_owners_cards_count_and_are_shown() -> None:
    """TT-11: per mission."""
    options = {
        "points_high_9": "12 8 4 0",
        "points_high_12": "06, 3 2 2",
        "points_low_5": "9 0 0 1",
    }
    assert printed(**options) == [
        "high-9 ranks 12 8 4 0",
        "high-12 ranks 6 3 2 2",
        "low-5 ranks 9 0 0 1",
    ]
    state = quick_game(begun(mode="quick", **options), "high-9", "R8", "R7", "-")
    state = quick_game(state, "high-12", "R8", "R7", "-")
    state = quick_game(state, "low-5", "R8", "R7", "B8")
    assert column(state, "game-1-mission") == (12, 8, 4)
    assert column(state, "game-2-mission") == (6, 3, 2)
    assert column(state, "game-3-mission") == (0, 9, 0)
    hints = [str(GAME.scoresheet(state).row(f"game-{game}-mission").hint) for game in (1, 2, 3)]
    assert hints == [
        "Highest sum first, bust from 9 on; ranks: 12 8 4 0",
        "Highest sum first, bust from 12 on; ranks: 6 3 2 2",
        "Lowest sum first, bust up to 5; ranks: 9 0 0 1",
    ]


def test_what_is_not_at_its_default_is_printed() -> None:
    """An invisible house rule looks like a fault; a default told in other words is none."""
    options = {"play": "advanced", "mode": "quick", "basic": "sum-10 low-5 high-9"}
    assert printed(**options) == [
        "advanced play",
        "basic cards high-9 low-5 sum-10",
        "only the piles are entered",
    ]
    assert printed(basic="low-5 high-12 high-9", points_low_5="10, 7, 4, 1") == []
    entered_twice = {option.name: option.default for option in OPTIONS}
    assert GAME.start(Setup(NAMES[:3], entered_twice)) == begun()
