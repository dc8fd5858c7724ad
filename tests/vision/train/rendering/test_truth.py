"""Labels of rendered dice, worked out by hand."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.vision.train.rendering.staging import (
    FROM_ABOVE,
    TURNED_UP,
    bare_table,
    flat,
    seen_from_above,
    stage,
    white_set,
)
from vision.train.rendering.arrangement import Falling
from vision.train.rendering.camera import any_lens
from vision.train.rendering.clutter import thing
from vision.train.rendering.geometry import LEFT_HANDED, Layout, Pose, about, quaternion
from vision.train.rendering.studio import StagedDie
from vision.train.rendering.training_photos import label_dice, label_picture, top_contrast

PIXELS_A_SIDE = FROM_ABOVE.focal_pixels / 19.5


@pytest.mark.parametrize("place", range(1, 7))
def test_a_level_die_seen_from_above(place: int) -> None:
    """Its box and top face are squares around its place, its value is what is up."""
    staged = stage([flat(place, 2.0, 1.0)])
    (label,) = label_dice(staged, seen_from_above(staged))
    side = FROM_ABOVE.focal_pixels / 19.5
    assert label.value == place
    middle = (160 + 2 * side, 120 - side)
    assert np.mean(label.quad, axis=0) == pytest.approx(middle, abs=0.01)
    width, height = np.ptp(label.quad, axis=0)
    assert (width, height) == pytest.approx((side, side), abs=0.01)
    assert label.box[0] <= middle[0] - side / 2 + 0.5
    assert label.lean_degrees == pytest.approx(0, abs=1e-3)
    assert label.visible > 0.9
    assert label.top_visible > 0.95


@pytest.mark.parametrize("place", [3, 4])
def test_a_left_handed_die_has_three_and_four_the_other_way(place: int) -> None:
    """Where the Western die shows three, a left-handed one shows four."""
    dice_set = white_set(Layout(numbers=LEFT_HANDED))
    staged = stage([flat(place, 0, 0)], dice_set)
    (label,) = label_dice(staged, seen_from_above(staged))
    assert label.value == 7 - place


def test_the_quad_runs_around_the_face() -> None:
    """Neighbouring corners are a side apart, and the corners enclose a full square."""
    staged = stage([flat(5, 0, 0)])
    (label,) = label_dice(staged, seen_from_above(staged))
    corners = np.array(label.quad)
    steps = np.linalg.norm(corners - np.roll(corners, 1, axis=0), axis=1)
    assert steps == pytest.approx(np.full(4, PIXELS_A_SIDE), rel=1e-3)


@pytest.mark.parametrize(("degrees", "leaning"), [(2, False), (12, True), (35, True)])
def test_a_tilted_die_leans(degrees: float, leaning: bool) -> None:  # noqa: FBT001
    """A die on uneven ground doesn't lean, a cocked one does."""
    turned = about(np.array([1.0, 0, 0]), np.radians(degrees))
    die = StagedDie(Falling(Pose((0, 0, 0.6), quaternion(turned))), 0)
    staged = stage([die])
    seen = bare_table(FROM_ABOVE)
    seen[90:150, 130:190] = (0, 0, 0.6)
    (label,) = label_dice(staged, seen)
    assert label.as_json()["leaning"] is leaning
    assert label.lean_degrees == pytest.approx(degrees)


def test_a_die_cut_by_the_edge_is_partly_visible() -> None:
    """Half of its top is in the picture, and its box reaches outside."""
    left_edge = FROM_ABOVE.ground(np.array([[0.0, 120.0]]), 1.0)[0]
    staged = stage([flat(2, float(left_edge[0]), 0.0)])
    (label,) = label_dice(staged, seen_from_above(staged))
    assert label.box[0] < 0
    assert 0.25 < label.visible < 0.6
    assert label.top_visible == pytest.approx(0.5, abs=0.06)


def test_a_hidden_die_has_no_label() -> None:
    """Where all pixels show the table, nothing is told."""
    staged = stage([flat(2, 0, 0)])
    assert label_dice(staged, bare_table(FROM_ABOVE)) == []


def test_a_picture_tells_of_its_clutter() -> None:
    """Coins and all are listed with their boxes, dice or not."""
    coin = thing("coin", np.random.default_rng(1), np.array([0.0, 0.0]), 0.0)
    staged = stage([], things=[coin])
    grey = np.full((240, 320, 3), 128, dtype=np.uint8)
    told = label_picture(staged, bare_table(FROM_ABOVE), grey, 7, {"jpeg_quality": 80})
    assert (told["width"], told["height"], told["seed"]) == (320, 240, 7)
    assert told["dice"] == []
    (clutter,) = told["clutter"]
    assert clutter["kind"] == "coin"
    left, top, right, bottom = clutter["box"]
    assert left < 160 < right
    assert top < 120 < bottom
    assert told["camera"]["jpeg_quality"] == 80


def test_a_faces_contrast_is_that_of_its_pips() -> None:
    """A white face with a black pip has nearly all there is, a blown-out one none."""
    face = np.full((60, 60), 240, dtype=np.uint8)
    quad = [(10.0, 10.0), (50.0, 10.0), (50.0, 50.0), (10.0, 50.0)]
    assert top_contrast(face, quad) == pytest.approx(0)
    face[25:36, 25:36] = 20
    face[:10] = 0
    assert top_contrast(face, quad) == pytest.approx(220, abs=5)


@settings(deadline=None, max_examples=20)
@given(st.integers(0, 2**32 - 1), st.sampled_from(list(TURNED_UP)), st.floats(0.03, 0.3))
def test_the_top_face_lies_in_the_box(seed: int, place: int, share: float) -> None:
    """Whatever the camera, a rounded die's box holds the middle of its top face's edges."""
    lens = any_lens(np.random.default_rng(seed), share)
    staged = stage([flat(place, 0.0, 0.0)], lens=replace(lens, target=(0.0, 0.0, 0.5)))
    seen = np.zeros((lens.height, lens.width, 3), dtype=np.float32)
    seen[:] = (0, 0, 0.5)
    (label,) = label_dice(staged, seen)
    corners = np.array(label.quad)
    edges = (corners + np.roll(corners, 1, axis=0)) / 2
    left, top, right, bottom = label.box
    slack = 0.05 * label.side_pixels
    assert (edges >= np.array([left, top]) - slack).all()
    assert (edges <= np.array([right, bottom]) + slack).all()
