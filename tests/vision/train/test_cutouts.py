"""Real dice cut out of photographs: whole, alone, labelled, and not laid larger than they were."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
import pytest

from vision.capture.frame import Image
from vision.train.augmentation import UNKNOWN, Chance, PlacedDie
from vision.train.dice.drawn import SIDE, Sprite
from vision.train.dice.photographs import RENDERED, DicePicture, cut_out
from vision.train.dice.scenes import DiceStock

TABLE, BODY = (60, 110, 60), (225, 230, 235)
DIE = PlacedDie(150.0, 110.0, 60.0, 60.0, 3)


def photograph(dice: tuple[PlacedDie, ...], source: str = "a table") -> DicePicture:
    """A green table with a pale square where each die lies, three dark pips on it."""
    image: Image = np.full((220, 300, 3), TABLE, np.uint8)
    image += np.random.default_rng(1).integers(0, 6, image.shape, np.uint8)
    for die in dice:
        left, top = int(die.x - die.width / 2), int(die.y - die.height / 2)
        cv2.rectangle(image, (left, top), (left + int(die.width), top + int(die.height)), BODY, -1)
        for step in (-0.25, 0.0, 0.25):
            spot = (int(die.x + step * die.width), int(die.y + step * die.height))
            cv2.circle(image, spot, 5, (20, 20, 20), -1)
    return DicePicture(source, "0.png", (image, image[::2, ::2], image[::4, ::4]), dice, steep=True)


def test_a_die_comes_out_whole_with_its_value_and_without_its_table() -> None:
    """What is covered is the die's square, pips and all; none of the table comes along."""
    (sprite,) = cut_out([photograph((DIE,))], Chance(2))
    cover = sprite.picture[:, :, 3]
    assert sprite.picture.shape == (SIDE, SIDE, 4)
    assert sprite.die.value == DIE.value
    assert (cover > 128).mean() == pytest.approx((76 / SIDE) ** 2, rel=0.2)
    left, top, width, height = cv2.boundingRect((cover > 100).astype(np.uint8))
    assert (left + width / 2, top + height / 2) == (sprite.die.x, sprite.die.y)
    assert (width, height) == (sprite.die.width, sprite.die.height)


@pytest.mark.parametrize(
    "die",
    [
        replace(DIE, value=UNKNOWN),
        replace(DIE, sized=False),
        replace(DIE, width=20.0, height=20.0),
        replace(DIE, x=20.0),
    ],
    ids=["no value", "the pips' box", "small", "cut off by the edge"],
)
def test_what_cannot_be_cut_well_is_left(die: PlacedDie) -> None:
    """Only dice whose value and box are known, large enough and whole, are cut out."""
    assert cut_out([photograph((die,))], Chance(2)) == []


def test_dice_that_touch_are_left() -> None:
    """The one would come along with the other."""
    assert cut_out([photograph((DIE, replace(DIE, x=DIE.x + 60)))], Chance(2)) == []


def test_what_does_not_fill_its_box_is_left() -> None:
    """A box drawn far too large holds more than the die."""
    picture = photograph((DIE,))
    loose = replace(DIE, width=100.0, height=100.0)
    assert cut_out([replace(picture, dice=(loose,))], Chance(2)) == []


def test_rendered_dice_are_left() -> None:
    """They are varied without it, and have tables enough."""
    assert cut_out([photograph((DIE,), RENDERED)], Chance(2)) == []


def test_a_cut_die_is_laid_no_larger_than_it_can_be() -> None:
    """Instead of an enlarged one a drawn one is laid."""
    (sprite,) = cut_out([photograph((DIE,))], Chance(2))
    stock = DiceStock(Chance(3), [sprite])
    assert any(_laid(stock, size=sprite.finest) is sprite for _ in range(20))
    assert all(_laid(stock, size=sprite.finest + 1) is not sprite for _ in range(20))


def _laid(stock: DiceStock, size: float) -> Sprite:
    return stock.sprite(size)
