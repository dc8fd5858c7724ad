"""Colours weighed against those of the other tiles."""

from __future__ import annotations

from dataclasses import replace

import pytest

from scoreboard.games.rummikub.tiles import COLOURS
from tests.vision.read.tiles.readings import INKS, reading
from vision.read.tiles import Ink, TileReading, compared

EVEN = 0.25
WARM: Ink = (-0.4, -0.1, 0.05)  # lamplight takes blue from every ink alike


def tile(colour: str, sure: float = 0.97, light: Ink = (0.0, 0.0, 0.0)) -> TileReading:
    """A seven in that colour, in whose colour the reader trusts so much."""
    place = COLOURS.index(colour)
    inks = tuple(sure if at == place else (1 - sure) / 3 for at in range(4))
    blue, green, red = (ink + shade for ink, shade in zip(INKS[place], light, strict=True))
    return replace(reading("K7"), inks=inks, ink=(blue, green, red))


def colour_of(told: TileReading) -> str:
    """Which colour is likeliest."""
    return COLOURS[told.inks.index(max(told.inks))]


@pytest.mark.parametrize("colour", COLOURS)
@pytest.mark.parametrize("light", [(0.0, 0.0, 0.0), WARM])
def test_a_doubtful_ink_is_told_by_its_likeness_to_the_others(colour: str, light: Ink) -> None:
    """The reader cannot tell; the picture's other tiles can, in any light."""
    others = [tile(each, light=light) for each in COLOURS * 3]
    unsure = replace(tile(colour, light=light), inks=(EVEN,) * 4)
    told = compared([*others, unsure])
    assert colour_of(told[-1]) == colour
    assert max(told[-1].inks) > 0.5
    assert [colour_of(each) for each in told[:-1]] == [*COLOURS * 3]


def test_a_sure_colour_is_not_overruled_by_pixels() -> None:
    """What the reader is sure of stays, even where the ink looks like another's."""
    others = [tile(each) for each in COLOURS * 3]
    odd = replace(tile("R", sure=0.9999), ink=INKS[COLOURS.index("O")])
    assert colour_of(compared([*others, odd])[-1]) == "R"


def test_too_few_tiles_tell_nothing_about_each_other() -> None:
    """On a picture of four tiles each is judged alone."""
    few = [tile(each, sure=0.6) for each in COLOURS]
    assert compared(few) == few


def test_jokers_and_blanks_keep_their_word() -> None:
    """They neither count nor change."""
    others = [tile(each) for each in COLOURS * 2]
    joker = reading("J")
    assert compared([*others, joker])[-1] == joker
