"""How the hub follows a game, item by item."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoreboard.games.notation import replay_text
from scoreboard.tournament.hub.replay import ReplayedGame, replay_items
from scoreboard.tournament.protocol.items import Item
from tests.scoreboard.tournament.hub.halls import items_of, signed_by

PLAYED = Path(__file__).parents[3] / "playthroughs"
GAMES = sorted(path.name for path in PLAYED.glob("*.txt"))


def delivered(name: str) -> tuple[Item, ...]:
    """A game of the collection as a device tells it."""
    text = (PLAYED / name).read_text(encoding="utf-8")
    players = range(1, len(replay_text(text).header.players) + 1)
    return items_of(text, tuple(players), *signed_by(tuple(players)))


@pytest.mark.parametrize("name", GAMES)
def test_a_followed_game_ends_as_it_was_played(name: str) -> None:
    """Every game of the collection: state, outcome, signatures, and nothing against the rules."""
    replayed = replay_text((PLAYED / name).read_text(encoding="utf-8"))
    items = delivered(name)
    whole = replay_items(ReplayedGame("g"), items)
    assert (whole.fault, whole.violation) == (None, None)
    assert whole.state == replayed.state
    assert whole.outcome == replayed.game.outcome(replayed.state)
    assert len(whole.answers) == len(replayed.header.players)
    half = replay_items(ReplayedGame("g"), items[: len(items) // 2])
    assert replay_items(half, items) == whole


@given(st.permutations(range(12)), st.integers(1, 11))
def test_what_comes_too_early_waits(command: list[int], through: int) -> None:
    """Only what follows without a gap is followed; the same items again change nothing."""
    items = delivered("tongtong-basic.txt")[:12]
    known = replay_items(ReplayedGame("g"), items[:through])
    assert replay_items(known, items[:through]) == known
    assert replay_items(known, items[through + 1 :]) == known
    shuffled = sorted((items[place] for place in command), key=lambda item: item.sequence)
    assert replay_items(known, shuffled) == replay_items(ReplayedGame("g"), items)


@pytest.mark.parametrize(
    ("name", "kind", "claimed", "says"),
    [
        ("duel.txt", "category-scored", {"points": 9999}, "9999 in"),
        ("chaser-duel.txt", "category-scored", {"bonus": 100}, "a bonus of 100"),
        ("yams-duel.txt", "category-scored", {"points": -7}, "-7 in"),
        ("rummikub-duel.txt", "rack-summed", {"points": 1}, "1 on"),
        ("rummikub-duel.txt", "round-scored", {"points": "90 -90"}, "90"),
        ("tongtong-basic.txt", "game-scored", {"totals": "40 0 0 0"}, "the points of game"),
    ],
)
def test_points_that_the_rulebook_does_not_give_are_named(
    name: str, kind: str, claimed: dict[str, Any], says: str
) -> None:
    """The box and both points, in every kind of game; the rest of the game stays as it was told."""
    items = list(delivered(name))
    at = [n for n, item in enumerate(items) if item.body.get("event", {}).get("kind") == kind][-1]
    event = {**items[at].body["event"], **claimed}
    items[at] = replace(items[at], body={**items[at].body, "event": event})
    replay = replay_items(ReplayedGame("g"), items)
    assert replay.outcome is not None
    assert "The table tells:" in str(replay.violation)
    assert says in str(replay.violation)


def test_points_beyond_all_counting_are_a_fault() -> None:
    """No event could count them; what was known before stands."""
    items = list(delivered("solo.txt"))
    place, scored = next(
        (place, item)
        for place, item in enumerate(items)
        if item.body.get("event", {}).get("kind") == "category-scored"
    )
    event: dict[str, Any] = {**scored.body["event"], "points": 10**9}
    items[place] = replace(scored, body={**scored.body, "event": event})
    replay = replay_items(ReplayedGame("g"), items)
    assert replay.fault is not None
    assert replay.outcome is None
    assert replay.through == len(items)
