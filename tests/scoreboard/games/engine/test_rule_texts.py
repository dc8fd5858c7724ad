"""Every rule that a sheet or an offer cites is told in a sentence, as the digest has it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from scoreboard.games import DICE_GAMES, RULE_TEXTS
from scoreboard.games.dice.form import Box, Total
from tests.scoreboard.games.playing import begun, game_of, thrown

DIGEST = Path(__file__).parents[5] / "shared" / "rules"


def cited(game: str) -> Iterator[str]:
    """The rules of the rows, of what they cite together, of the options, and of offers."""
    form = begun("Solo", game=game).form
    yield from (row.rule for row in form.rows if isinstance(row, Box | Total))
    rules = form.rules
    yield from (rules.start, rules.roll, rules.foul, rules.fill, rules.zero, rules.end)
    yield from (option.rule for option in DICE_GAMES[game].options)
    for filled in ({}, {"yahtzee": 50}, {"yahtzee": 50, "fours": 8}):
        held = filled if "yahtzee" in form.keys else {}
        state = thrown("44444", held, game)
        offers = game_of(state).offers(state)
        yield from (offer.rule for offer in offers if offer.key.startswith("score:"))


@pytest.mark.parametrize("game", DICE_GAMES)
def test_every_rule_that_is_cited_has_its_sentence(game: str) -> None:
    """A tap on a box would otherwise find nothing."""
    assert set(cited(game)) <= set(DICE_GAMES[game].rule_texts)


def test_the_digest_has_every_rule_that_is_told() -> None:
    """Each rule of a game in the digest is one of the digest's."""
    if not DIGEST.is_dir():
        pytest.skip("the digest of the rules lies beside the project on its makers' machines only")
    digest = "".join(page.read_text(encoding="utf-8") for page in DIGEST.glob("*.md"))
    games = {found[1] for found in re.finditer(r"^- ([A-Z]+)-\d+ ", digest, re.MULTILINE)}
    assert {"YZ", "YB", "YM", "CH", "RK", "TT"} <= games
    told = [rule for rule in RULE_TEXTS if rule.partition("-")[0] in games]
    assert not [rule for rule in told if f"- {rule} " not in digest]
