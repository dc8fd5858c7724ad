"""What every rulebook promises: house rules, rule texts, possible scores."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from scoreboard.games import DICE_GAMES, GAMES, RULE_TEXTS
from scoreboard.games.dice.form import Box, Total
from scoreboard.games.engine.game import Setup
from scoreboard.games.notation import replay_text
from tests.scoreboard.games.dice.playing import begun, game_of, rolled

DIGEST = Path(__file__).parents[5] / "shared" / "rules"
PLAYED = Path(__file__).parents[3] / "playthroughs"
FOUR = ("Anna", "Ben", "Chen", "Dora")


def test_games_are_listed_under_their_stored_names() -> None:
    """The name in the list is the name in the store."""
    assert {key: game.name for key, game in GAMES.items()} == {key: key for key in GAMES}


def cited(game: str) -> Iterator[str]:
    """The rules of the rows, of what they cite together, of the options, and of offers."""
    form = begun("Solo", game=game).form
    yield from (row.rule for row in form.rows if isinstance(row, Box | Total))
    rules = form.rules
    yield from (rules.start, rules.roll, rules.foul, rules.fill, rules.zero, rules.end)
    yield from (option.rule for option in DICE_GAMES[game].options)
    for filled in ({}, {"yahtzee": 50}, {"yahtzee": 50, "fours": 8}):
        held = filled if "yahtzee" in form.keys else {}
        state = rolled("44444", held, game)
        offers = game_of(state).offers(state)
        yield from (offer.rule for offer in offers if offer.key.startswith("score:"))


@pytest.mark.parametrize("game", DICE_GAMES)
def test_every_rule_that_is_cited_has_its_sentence(game: str) -> None:
    """A tap on a box would otherwise find nothing."""
    assert set(cited(game)) <= set(DICE_GAMES[game].rule_texts)


def test_the_digest_has_every_rule_that_is_explained() -> None:
    """Each rule of a game in the digest is one of the digest's."""
    if not DIGEST.is_dir():
        pytest.skip("the digest of the rules lies beside the project on its makers' machines only")
    digest = "".join(page.read_text(encoding="utf-8") for page in DIGEST.glob("*.md"))
    games = {found[1] for found in re.finditer(r"^- ([A-Z]+)-\d+ ", digest, re.MULTILINE)}
    assert {"YZ", "YB", "YM", "CH", "RK", "TT"} <= games
    given = [rule for rule in RULE_TEXTS if rule.partition("-")[0] in games]
    assert not [rule for rule in given if f"- {rule} " not in digest]


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
