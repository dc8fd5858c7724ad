"""Warnings about tiles: seldom, honest, and in words that a player understands."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from tests.vision.read.tile_readings import LIMITS, MIDDLE, reading
from vision.capture.frame import Image
from vision.read.confidence import TILE_WARNINGS
from vision.read.tile_readings import TileReading

SURE = reading("K7")
TORN = reading("K6/9")
AT_THE_EDGE = reading("K6/9", replace(MIDDLE, x=20.0))
TOO_SMALL = reading("K7", replace(MIDDLE, width=9.0, height=13.0))
FAINT = reading("K7", replace(MIDDLE, score=0.5), present=0.3)
SPECK = reading("K7", replace(MIDDLE, score=0.2), present=0.02)


def noise(level: int = 128, spread: int = 60) -> Image:
    """A sharp picture of random grains, of that lightness."""
    grains = np.random.default_rng(1).integers(-spread, spread + 1, (300, 400, 3))
    return np.clip(level + grains, 0, 255).astype(np.uint8)


def glare(share: float) -> Image:
    """A grainy picture with light on that share of the tile in its middle."""
    image = noise(110, 40)
    bottom = round(MIDDLE.y + MIDDLE.height * (share - 0.5))
    image[round(MIDDLE.y - MIDDLE.height / 2) : bottom, 160:240] = 255
    return image


def ramp() -> Image:
    """A picture without any detail, darker to the left."""
    grey = np.linspace(60, 220, 400)[None, :, None]
    return np.broadcast_to(grey, (300, 400, 3)).astype(np.uint8)


def said(image: Image, *readings: TileReading) -> list[str]:
    """The doubts in English."""
    return [str(doubt) for doubt in TILE_WARNINGS.of(image, readings, LIMITS)]


@pytest.mark.parametrize(
    ("image", "doubtful", "sentence"),
    [
        (noise(), TORN, "A tile may be K6 or K9."),
        (noise(), reading("R/O7"), "A tile may be R7 or O7."),
        (noise(), reading("K6/J"), "A tile may be K6 or J."),
        (noise(), reading("?"), "A tile cannot be read."),
        (noise(20, 15), TORN, "It is too dark to read a tile surely."),
        (noise(), AT_THE_EDGE, "A tile lies at the picture's edge."),
        (
            noise(),
            reading("K6/9", replace(MIDDLE, width=17.0, height=24.0)),
            "A tile is nearly too small to be read: bring the camera nearer.",
        ),
        (noise(), TOO_SMALL, "A tile is too small to be read: bring the camera nearer."),
        (noise(), FAINT, "Something here may be a tile, or may not."),
        (glare(0.2), TORN, "Light glares on a tile: move the lamp or the camera."),
        (ramp(), TORN, "A tile is blurred."),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_each_doubt_has_its_reason(image: Image, doubtful: TileReading, sentence: str) -> None:
    """The likeliest cause is named."""
    assert said(image, SURE, doubtful) == [sentence]


@pytest.mark.parametrize("clear", [SURE, SPECK], ids=["sure", "speck"])
def test_what_is_clear_is_passed_over_in_silence(clear: TileReading) -> None:
    """Neither a sure tile nor a faint resemblance is worth a question."""
    assert said(noise(), clear) == []


@pytest.mark.parametrize("share", [0.02, 0.95])
def test_a_highlight_and_a_white_tile_are_no_glare(share: float) -> None:
    """A glint hides nothing, and what is white all over may well be meant so."""
    assert not any("glares" in each for each in said(glare(share), TORN))


def test_the_same_doubt_is_said_once() -> None:
    """Two tiles at the edge make one sentence; two ambiguities two."""
    assert len(said(noise(), AT_THE_EDGE, AT_THE_EDGE)) == 1
    assert len(said(noise(), TORN, reading("R/O7"))) == 2
