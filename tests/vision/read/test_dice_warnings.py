"""Warnings about dice: seldom, honest, and in words that a player understands."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from tests.vision.read.tile_readings import LIMITS as TILE_LIMITS
from vision.capture.frame import Image
from vision.read.confidence import DICE_WARNINGS
from vision.read.detection import Candidate
from vision.read.dice import DieReading

LIMITS = replace(TILE_LIMITS, leaning=0.5, cocked=0.8, smallest_share=0.015)
MIDDLE = Candidate(0.95, 200, 150, 60, 60)


def reading(chances: dict[int, float], peak: Candidate = MIDDLE) -> DieReading:
    """A reading with those probabilities of faces; the rest is "nothing readable"."""
    faces = [chances.get(face, 0.0) for face in range(1, 7)]
    return DieReading(peak, (1 - sum(faces), *faces), 0.0, 0.0, sum(faces))


def noise(level: int = 128, spread: int = 60) -> Image:
    """A sharp picture of random grains, of that lightness."""
    grains = np.random.default_rng(1).integers(-spread, spread + 1, (300, 400, 3))
    return np.clip(level + grains, 0, 255).astype(np.uint8)


def glare() -> Image:
    """A grainy picture with a spot of light on the die."""
    image = noise(110, 40)
    image[140:165, 190:215] = 255
    return image


SURE = reading({3: 0.98, 2: 0.01})
TORN = reading({3: 0.6, 5: 0.35})


def said(image: Image, *readings: DieReading) -> list[str]:
    """The doubts in English."""
    return [str(doubt) for doubt in DICE_WARNINGS.of(image, readings, LIMITS)]


def test_a_sure_reading_raises_no_doubt() -> None:
    """Needless questions spoil an evening."""
    assert said(noise(), SURE) == []


@pytest.mark.parametrize(
    ("image", "doubtful", "sentence"),
    [
        (noise(), TORN, "A die may show 3 or 5."),
        (noise(), reading({3: 0.3, 5: 0.28, 1: 0.2}), "A die's top face cannot be read."),
        (noise(20, 15), TORN, "It is too dark to read a die surely."),
        (
            noise(),
            replace(TORN, candidate=Candidate(0.9, 10, 150, 60, 60)),
            "A die lies at the picture's edge.",
        ),
        (
            noise(),
            replace(TORN, candidate=Candidate(0.9, 200, 150, 17, 17)),
            "A die is nearly too small to be read: bring the camera nearer.",
        ),
        (
            noise(),
            replace(SURE, candidate=Candidate(0.9, 200, 150, 9, 14)),
            "A die is too small to be read: bring the camera nearer.",
        ),
        (
            noise(),
            reading({3: 0.3}, Candidate(0.5, 200, 150, 60, 60)),
            "Something here may be a die, or may not.",
        ),
        (noise(), replace(SURE, leaning=0.6), "A die leans: roll it again (YZ-5)."),
        (glare(), TORN, "Light glares on a die: move the lamp or the camera."),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_each_doubt_has_its_reason(image: Image, doubtful: DieReading, sentence: str) -> None:
    """The likeliest cause is named."""
    assert said(image, SURE, doubtful) == [sentence]


def test_an_even_blot_is_called_blurred() -> None:
    """No detail inside the die's box."""
    ramp = np.linspace(60, 220, 400)[None, :, None]
    image = np.broadcast_to(ramp, (300, 400, 3)).astype(np.uint8)
    assert said(image, TORN) == ["A die is blurred."]


@pytest.mark.parametrize(("leaning", "asked", "told"), [(0.2, 0, 1), (0.6, 1, 1), (0.9, 1, 0)])
def test_a_leaning_die_is_asked_about_and_a_cocked_one_not_read(
    leaning: float, asked: int, told: int
) -> None:
    """However surely its face is told apart, YZ-5 has it rolled again."""
    die = replace(SURE, leaning=leaning)
    assert LIMITS.is_doubtful(die, (300, 400, 3)) == asked
    assert LIMITS.is_readable(die, (300, 400, 3)) == told
