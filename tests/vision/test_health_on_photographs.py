"""The health of real photographs, and of copies that were made worse."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import cv2
import numpy as np
import pytest

from scoreboard.table.proposal import Light
from vision.capture.frame import Image
from vision.capture.photo import open_photo
from vision.evaluate.labels import read_sources
from vision.quality.health import health

DICE = Path(__file__).parents[3] / "shared" / "data" / "dice"
SOURCES = (
    "Epanemu__GameDiceRecognition",
    "N3VERS4YDIE__dice-recognition",
    "matteop65__Dice_Detection_Recognition",
    "nell-byler__dice_detection",
)
EACH = 24  # photographs a source

pytestmark = pytest.mark.skipif(
    not DICE.is_dir(), reason="the shared photographs are not beside the repository"
)


@pytest.fixture(scope="module")
def photographs() -> list[Image]:
    """Train photographs of every source, evenly spread."""
    paths = []
    for source in SOURCES:
        labelled = read_sources(DICE / source)[0].photographs
        train = [each.path for each in labelled if each.split == "train"]
        paths += train[:: max(1, len(train) // EACH)][:EACH]
    return [open_photo(path) for path in paths]


def lights(photographs: list[Image], change: Callable[[Image], Image]) -> list[Light]:
    """The light of each photograph after the change."""
    return [health(change(image)).light for image in photographs]


def share(found: list[Light], *wanted: Light) -> float:
    """How many of the lights are of the wanted ones."""
    return sum(light in wanted for light in found) / len(found)


def blurred(image: Image) -> Image:
    """By one per cent of the longer side."""
    return np.asarray(cv2.GaussianBlur(image, (0, 0), 0.01 * max(image.shape)), np.uint8)


def glaring(image: Image) -> Image:
    """A lamp's mirror image, a fifth of the picture in radius."""
    height, width = image.shape[:2]
    rows, columns = np.mgrid[:height, :width]
    far = np.hypot(columns - 0.45 * width, rows - 0.55 * height) / (0.2 * max(height, width))
    burnt = np.clip(image + 420 * np.exp(-(far[..., None] ** 2)), 0, 255)
    return np.asarray(burnt, np.uint8)


def test_ordinary_photographs_are_seen_well(photographs: list[Image]) -> None:
    """At least 90 % green, at least 97 % not red."""
    found = lights(photographs, lambda image: image)
    assert share(found, Light.GREEN) >= 0.9
    assert share(found, Light.RED) <= 0.03


@pytest.mark.parametrize(
    ("change", "worst"),
    [
        (lambda image: (image * 0.3).astype(np.uint8), Light.AMBER),
        (lambda image: (image * 0.08).astype(np.uint8), Light.RED),
        (blurred, Light.RED),
        (glaring, Light.AMBER),
    ],
    ids=["dim", "dark", "blurred", "glare"],
)
def test_spoilt_copies_are_not(
    photographs: list[Image], change: Callable[[Image], Image], worst: Light
) -> None:
    """Nine in ten of them are told, and the unreadable ones are red."""
    found = lights(photographs, change)
    assert share(found, Light.AMBER, Light.RED) >= 0.9
    assert share(found, worst, Light.RED) >= 0.8
