"""The slip reader is taught by drawn boxes, and published with its card."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
import torch

from vision.read.networks import READER, load_model
from vision.read.slips import CROP_HEIGHT, CROP_WIDTH, LABELS, MODEL
from vision.train.augmentation import Chance
from vision.train.slips.crops import BoxCrops
from vision.train.slips.hands import Hands, Ink, stroke_ink
from vision.train.slips.reader import Crops, logits_of, publish, trained


class Strokes(Hands):
    """Own strokes only: no fonts, nobody's digits."""

    def __init__(self) -> None:
        self.chosen = ["strokes"]

    def ink(self, label: str, chance: Chance) -> Ink:
        return stroke_ink(label, chance)

    def font_ink(self, _font: str, _text: str) -> Ink:
        return stroke_ink("x", Chance(1))


def crops(count: int, seed: int) -> Crops:
    """A few drawn crops."""
    drawn = BoxCrops(Strokes(), seed)
    pixels, labels = zip(*(drawn.draw() for _ in range(count)), strict=True)
    return Crops(np.stack(pixels), np.array(labels))


def test_the_same_seed_draws_the_same_crops() -> None:
    """And another seed other ones; every label is among enough of them."""
    first, again, other = crops(300, 1), crops(300, 1), crops(300, 2)
    assert np.array_equal(first.pixels, again.pixels)
    assert not np.array_equal(first.pixels, other.pixels)
    assert first.pixels.shape == (300, CROP_HEIGHT, CROP_WIDTH, 1)
    assert set(first.labels) == set(range(len(LABELS)))


@pytest.mark.parametrize("label", "0123456789-")
def test_every_digit_has_strokes(label: str) -> None:
    """Some ink, cut close around it, never twice the same."""
    first, second = stroke_ink(label, Chance(1)), stroke_ink(label, Chance(2))
    assert first.max() > 0.9
    assert first.shape != second.shape or not np.array_equal(first, second)


def test_a_trained_reader_is_published(tmp_path: Path) -> None:
    """The network gives probabilities, and the card a threshold that believes nothing yet."""
    few = crops(256, 1)
    publish(
        trained(few, 1, 1, tmp_path / "reader.pt"), few, tmp_path, "python -m vision.train slips"
    )
    model = load_model(MODEL, folder=tmp_path)
    probabilities = model.networks[READER](few.pixels[:3])
    assert probabilities.shape == (3, len(LABELS))
    assert probabilities.sum(1) == pytest.approx(1, abs=1e-4)
    assert model.card["labels"] == list(LABELS)
    assert model.card["thresholds"]["sure"] == 1


def test_a_training_goes_on_from_where_it_stands(tmp_path: Path) -> None:
    """Epochs that stand in the file are not repeated: the same reader comes back."""
    few, stands = crops(256, 1), tmp_path / "reader.pt"
    whole = trained(few, 2, 1, stands)
    again = trained(few, 2, 1, stands)
    assert torch.equal(logits_of(whole, few), logits_of(again, few))
