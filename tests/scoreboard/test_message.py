"""Sentences for players."""

from __future__ import annotations

from scoreboard.message import message


def test_a_phrase_fills_its_gaps() -> None:
    """The English sentence stands without any catalogue, phrases within it too."""
    box = message("Full house")
    assert str(message("{points} in {box}", points=25, box=box)) == "25 in Full house"


def test_phrases_are_values() -> None:
    """Two phrases with the same words are the same, in whatever order the gaps were told."""
    assert message("{a} {b}", a=1, b=2) == message("{a} {b}", b=2, a=1)
    assert message("{a}", a=1) != message("{a}", a=2)
