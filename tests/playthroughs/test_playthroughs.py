"""Three whole games, each totalled by hand in the comments of its file."""

from __future__ import annotations

from pathlib import Path

import pytest

from scoreboard.notation import export_text, replay_text
from scoreboard.summary import summary

FOLDER = Path(__file__).parent
# upper, bonus, upper-total, lower, yahtzee-bonus, grand: as the comments add them up
TOTALS = {
    "solo": {"Solo": (74, 35, 109, 217, 300, 626)},
    "duel": {"North": (80, 35, 115, 168, 100, 383), "South": (64, 35, 99, 160, 0, 259)},
    "leaving": {
        "East": (62, 0, 62, 143, 0, 205),
        "South": (63, 35, 98, 107, 0, 205),
        "West": (0, 0, 0, 22, 0, 22),
    },
}
RANKING = {
    "solo": [(1, "Solo")],
    "duel": [(1, "North"), (2, "South")],
    "leaving": [(1, "East"), (1, "South"), (3, "West")],
}


def text_of(name: str) -> str:
    """The playthrough as it was written."""
    return (FOLDER / f"{name}.txt").read_text(encoding="utf-8")


def test_every_playthrough_is_played() -> None:
    """A playthrough without its totals here would prove nothing."""
    assert {path.stem for path in FOLDER.glob("*.txt")} == set(TOTALS) == set(RANKING)


@pytest.mark.parametrize("name", TOTALS)
def test_a_playthrough_comes_to_its_totals(name: str) -> None:
    """YZ-19: every total and the ranking are those worked out by hand."""
    replayed = replay_text(text_of(name))
    figures = summary(replayed.game, replayed.state)
    totals = {player["name"]: tuple(player["totals"].values()) for player in figures["players"]}
    assert totals == TOTALS[name]
    assert figures["finished"]
    assert [(place["place"], place["player"]) for place in figures["ranking"]] == RANKING[name]


@pytest.mark.parametrize("name", TOTALS)
def test_a_playthrough_survives_its_export(name: str) -> None:
    """Written out and played again, it has the same events and stands where it stood."""
    replayed = replay_text(text_of(name))
    again = replay_text(export_text(replayed.header, replayed.records))
    assert again.records == replayed.records
    assert again.state == replayed.state
