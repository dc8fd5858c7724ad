"""Drawn dice, dice cut out of photographs, and drawn tables that resemble dice."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import cv2
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from vision.capture.frame import Image
from vision.train.augmentation import SCENE_SIDE, UNKNOWN, Chance, PlacedDie, distort
from vision.train.dice.drawn import SIDE, draw_die
from vision.train.dice.photographs import RENDERED, DicePicture, cut_out
from vision.train.dice.scenes import DiceScene, DiceStock, strewn
from vision.train.surfaces import lay_block, print_board, print_piece, surface


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


LEFT = {
    "no value": photograph((replace(DIE, value=UNKNOWN),)),
    "the pips' box": photograph((replace(DIE, sized=False),)),
    "small": photograph((replace(DIE, width=20.0, height=20.0),)),
    "cut off by the edge": photograph((replace(DIE, x=20.0),)),
    "touching": photograph((DIE, replace(DIE, x=DIE.x + 60))),
    "in a loose box": replace(photograph((DIE,)), dice=(replace(DIE, width=100.0, height=100.0),)),
    "rendered": photograph((DIE,), RENDERED),
}


@pytest.mark.parametrize("why", LEFT)
def test_what_cannot_be_cut_well_is_left(why: str) -> None:
    """Only photographed dice whose value and box are known, large, whole and alone are cut out."""
    assert cut_out([LEFT[why]], Chance(2)) == []


def test_a_cut_die_is_laid_no_larger_than_it_can_be() -> None:
    """Instead of an enlarged one a drawn one is laid."""
    (sprite,) = cut_out([photograph((DIE,))], Chance(2))
    stock = DiceStock(Chance(3), [sprite])
    assert any(stock.sprite(sprite.finest) is sprite for _ in range(20))
    assert all(stock.sprite(sprite.finest + 1) is not sprite for _ in range(20))


TABLE_SIDE = 96


def blank() -> np.ndarray:
    """A plain grey table."""
    return np.full((TABLE_SIDE, TABLE_SIDE, 3), 90, np.uint8)


@pytest.mark.parametrize("draw", [lay_block, print_piece])
@given(seed=st.integers(0, 10_000))
def test_what_is_drawn_is_seeded_and_lies_where_it_is_told(
    draw: Callable[[Image, Chance], PlacedDie], seed: int
) -> None:
    """The same seed draws the same, away from its place nothing has changed, and it is no die."""
    one, other = blank(), blank()
    place, again = draw(one, Chance(seed)), draw(other, Chance(seed))
    assert np.array_equal(one, other)
    assert (place.x, place.y, place.size, place.value) == (again.x, again.y, again.size, 0)
    rows, columns = np.nonzero((one != blank()).any(axis=2))
    assert (np.abs(columns - place.x) < 2 * place.size + 3).all()
    assert (np.abs(rows - place.y) < 2 * place.size + 3).all()


@given(st.integers(0, 10_000))
def test_a_board_is_seeded_and_changes_its_table(seed: int) -> None:
    """The same seed prints the same fields, each is told, and none is a die."""
    one, other = blank(), blank()
    places = print_board(one, Chance(seed))
    again = print_board(other, Chance(seed))
    for place, other_place in zip(places, again, strict=True):
        assert (place.x, place.y, place.size) == (other_place.x, other_place.y, other_place.size)
    assert np.array_equal(one, other)
    assert all(place.value == 0 and place.size > 0 for place in places)
    assert not places or not np.array_equal(one, blank())


def test_a_table_tells_the_prints_that_lie_on_it() -> None:
    """Only those whose middle is on the picture, and some tables have none."""
    tables = [surface(TABLE_SIDE, Chance(seed)) for seed in range(30)]
    places = [place for table in tables for place in table.clutter]
    assert places
    assert all(0 <= place.x < TABLE_SIDE and 0 <= place.y < TABLE_SIDE for place in places)
    assert any(not table.clutter for table in tables)
