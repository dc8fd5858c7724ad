"""The final scores that a rulebook holds possible: none lies beyond, and both ends are right."""

from __future__ import annotations

from pathlib import Path

import pytest

from scoreboard.games import GAMES
from scoreboard.games.engine.game import Setup
from scoreboard.games.notation import replay_text

PLAYED = Path(__file__).parents[2] / "playthroughs"
FOUR = ("Anna", "Ben", "Chen", "Dora")


@pytest.mark.parametrize(
    ("game", "options", "possible"),
    [
        ("yahtzee", {}, range(1576)),  # thirteen Yahtzees: the best known of all dice games
        ("yahtzee-bga", {}, range(1581)),
        ("yahtzee-bga", {"full_house": "25"}, range(1576)),
        ("yams", {}, range(556)),  # 105 + 75 + 25 + 70 + 60 + 40 + 50 + 80 + 50
        ("yams", {"small_straight": "45"}, range(561)),
        ("chaser", {}, range(316)),  # 50 + 40 + 30 + 30 + 30 + 30 + 105
        ("rummikub", {"rounds": "1"}, range(-788, 789)),  # 728 on tiles, two jokers
        ("rummikub", {"rounds": "2", "joker": "50"}, range(-1656, 1657)),
        ("tongtong", {}, range(43)),  # three games of 10 and four 6s
    ],
)
def test_the_ends_of_what_is_possible(game: str, options: dict[str, str], possible: range) -> None:
    """Worked out by hand from the rules."""
    scores = GAMES[game].scores
    assert scores is not None
    assert scores(Setup(FOUR, options)) == possible


@pytest.mark.parametrize("name", sorted(path.name for path in PLAYED.glob("*.txt")))
def test_no_game_of_the_collection_ends_beyond_it(name: str) -> None:
    """Whoever leaves early stands at 0 or more, too."""
    replayed = replay_text((PLAYED / name).read_text(encoding="utf-8"))
    outcome = replayed.game.outcome(replayed.state)
    assert outcome is not None
    assert replayed.game.scores is not None
    possible = replayed.game.scores(replayed.setup)
    assert all(place.points in possible for place in outcome.ranking)
