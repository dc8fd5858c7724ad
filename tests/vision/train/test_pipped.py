"""Drawn dice: labelled as they are drawn, and as varied as they are seeded."""

from __future__ import annotations

import numpy as np
import pytest

from vision.train.augmentation import SCENE_SIDE, Chance, distort
from vision.train.dice.drawn import SIDE, draw_die
from vision.train.dice.scenes import DiceScene, DiceStock, strewn
from vision.train.surfaces import surface


@pytest.mark.parametrize("seed", range(12))
def test_the_box_holds_what_is_drawn(seed: int) -> None:
    """Nothing of the die lies outside its box, and its top face lies inside."""
    sprite = draw_die(Chance(seed))
    die = sprite.die
    rows, columns = np.nonzero(sprite.picture[:, :, 3] > 150)
    assert columns.min() >= die.x - die.width / 2 - 1
    assert rows.max() <= die.y + die.height / 2 + 1
    assert die.corners is not None
    assert (abs(die.corners - (die.x, die.y)) < SIDE / 2).all()
    assert 1 <= die.value <= 6


def test_the_top_face_is_further_up_when_the_camera_stands_upright() -> None:
    """Sides show below the top face in most pictures, as they do on a table."""
    chance = Chance(5)
    dice = [draw_die(chance).die for _ in range(60)]
    rises = [die.y - die.corners[:, 1].mean() for die in dice if die.corners is not None]
    assert float(np.mean(rises)) > 1


def test_the_same_seed_draws_the_same() -> None:
    """Training can be repeated."""
    one, other = (distort(surface(64, Chance(4)).image, Chance(9)) for _ in range(2))
    assert (one == other).all()
    assert (draw_die(Chance(2)).picture == draw_die(Chance(2)).picture).all()


def test_strewn_dice_do_not_hide_each_other() -> None:
    """Their middles stay apart, and inside the picture."""
    scene = strewn(DiceScene(surface(SCENE_SIDE, Chance(1)).image, []), DiceStock(Chance(3)))
    assert scene.pieces
    for die in scene.pieces:
        assert 0 <= die.x < SCENE_SIDE
        others = [other for other in scene.pieces if other is not die]
        assert all(np.hypot(other.x - die.x, other.y - die.y) > die.size * 0.8 for other in others)
