"""A scoresheet for a terminal and for other programs."""

from __future__ import annotations

import json

from scoreboard.games import GAMES
from scoreboard.games.engine.game import Setup
from scoreboard.games.engine.printout import printout, summary
from scoreboard.games.engine.scoresheet import Scores
from scoreboard.games.notation import replay_text
from scoreboard.games.rummikub.acts import RoundScored

TEXT = "game yahtzee\nplayers North, 홍길동\nroll 55521\nscore fives\nroll 11111\nscore yahtzee\n"
PRINTED = """\
                North  홍길동
-----------------------------
Aces                .       .
Twos                .       .
Threes              .       .
Fours               .       .
Fives              15       .
Sixes               .       .
-----------------------------
Upper sum          15       0
Bonus               0       0
Upper total        15       0
-----------------------------
3 of a kind         .       .
4 of a kind         .       .
Full house          .       .
Small straight      .       .
Large straight      .       .
Yahtzee             .      50
Chance              .       .
-----------------------------
Lower sum           0      50
Yahtzee bonus       0       0
Grand total        15      50
"""


def test_columns_are_aligned_whatever_the_script() -> None:
    """A wide sign takes two columns, points stand flush right, an empty box is a dot."""
    replayed = replay_text(TEXT)
    assert printout(replayed.game.scoresheet(replayed.state)) == PRINTED


def test_a_finished_game_ends_with_its_ranking() -> None:
    """The places follow the sheet after a blank line."""
    replayed = replay_text(TEXT + "leave North\nleave 홍길동\n")
    game, state = replayed.game, replayed.state
    printed = printout(game.scoresheet(state), game.outcome(state))
    assert printed == PRINTED + "\n1. 홍길동: 50\n2. North: 15\n"


def test_a_name_cannot_steer_the_terminal() -> None:
    """Control signs are shown as question marks; a combining mark takes no column."""
    replayed = replay_text("game yahtzee\nplayers \x1b[31mRed, e\u0301\n")
    head = printout(replayed.game.scoresheet(replayed.state)).splitlines()[0]
    assert head == " " * 14 + "  ?[31mRed  e\u0301"


def test_house_rules_are_printed_below() -> None:
    """Those that are not at their default, and no line without any."""
    text = "game chaser\nplayers North\noption start first\noption strict_full_house yes\n"
    replayed = replay_text(text)
    printed = printout(replayed.game.scoresheet(replayed.state))
    assert printed.endswith("\n\nHouse rules: strict full house\n")
    assert "House rules" not in printout(replay_text(TEXT).game.scoresheet(replay_text(TEXT).state))


def test_a_plus_is_printed_where_the_paper_has_one() -> None:
    """RK-11: the rounds of Rummikub, plus and minus."""
    game = GAMES["rummikub"]
    state = game.start(Setup(("Ann", "Ben", "Cem"), {"turns": "scores"}))
    for event in game.decide(state, RoundScored(Scores((30, -10, -20)))):
        state = game.evolve(state, event)
    assert printout(game.scoresheet(state)).splitlines()[2].split() == [
        "Round",
        "1",
        "+30",
        "-10",
        "-20",
    ]


PLAYED_TEXT = "game yahtzee\nplayers =1+1, 홍길동\nroll 55521\nscore fives\nroll 11111\n"


def test_a_game_under_way_is_reported_in_figures() -> None:
    """Boxes are null while empty, totals stand from the start, the second turn is open."""
    replayed = replay_text(PLAYED_TEXT)
    figures = json.loads(json.dumps(summary(replayed.game, replayed.state)))
    first, second = figures["players"]
    assert {key: points for key, points in first["boxes"].items() if points is not None} == {
        "fives": 15
    }
    assert len(first["boxes"]) == len(second["boxes"]) == 13
    assert first["totals"] == {
        "upper": 15,
        "bonus": 0,
        "upper-total": 15,
        "lower": 0,
        "yahtzee-bonus": 0,
        "grand": 15,
    }
    assert (first["name"], second["name"]) == ("=1+1", "홍길동")
    assert (figures["game"], figures["turn"], figures["finished"]) == ("yahtzee", 2, False)
    assert figures["ranking"] == []


def test_a_finished_game_has_a_ranking_and_no_turn() -> None:
    """When all have left, the game is over."""
    replayed = replay_text(PLAYED_TEXT + "leave =1+1\nleave 홍길동\n")
    figures = summary(replayed.game, replayed.state)
    assert (figures["turn"], figures["finished"]) == (None, True)
    assert figures["ranking"] == [
        {"place": 1, "player": "=1+1", "points": 15},
        {"place": 2, "player": "홍길동", "points": 0},
    ]
