"""Cameras over the table, what they make of light, and what surrounds the dice."""

from __future__ import annotations

from dataclasses import fields, replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from vision.train.rendering.backgrounds import PIXELS, any_ground
from vision.train.rendering.camera import (
    Exposure,
    Lens,
    any_exposure,
    any_lens,
    any_room,
    encode,
    expose,
    without_grain,
)
from vision.train.rendering.clutter import any_thing, thing

OVERHEAD = Lens(
    640,
    480,
    (0.0, 0.0, 0.0),
    elevation_degrees=90,
    azimuth_degrees=0,
    roll_degrees=0,
    distance=10.0,
    field_degrees=2 * float(np.degrees(np.arctan(0.5))),
    aperture=0.01,
    focus=10.0,
)
SHARES = st.floats(0.02, 0.34)
SEEDS = st.integers(0, 2**32 - 1)


@pytest.mark.parametrize(
    ("point", "pixel"),
    [
        ((0, 0, 0), (320, 240)),
        ((1, 0, 0), (384, 240)),
        ((0, 1, 0), (320, 176)),
        ((5, 3.75, 0), (640, 0)),
        ((1, 0, 5), (448, 240)),
    ],
)
def test_points_by_hand(point: tuple[float, ...], pixel: tuple[float, float]) -> None:
    """Straight from above, ten sides away, 64 pixels a side: right is right, far is up."""
    assert OVERHEAD.pixels(np.array([point]))[0] == pytest.approx(pixel)


def test_a_roll_turns_the_picture() -> None:
    """A camera rolled by a quarter sees what was to its right further down or up."""
    rolled = replace(OVERHEAD, roll_degrees=90)
    across, down = rolled.pixels(np.array([[1.0, 0, 0]]))[0]
    assert across == pytest.approx(320)
    assert abs(down - 240) == pytest.approx(64)


@given(SEEDS, SHARES)
def test_the_ground_under_a_pixel_falls_into_that_pixel(seed: int, share: float) -> None:
    """Looking down and projecting back are each other's opposite, at any height."""
    random = np.random.default_rng(seed)
    lens = any_lens(random, share)
    pixels = random.uniform([0, 0], [lens.width, lens.height], (20, 2))
    for height in (0.0, 0.7):
        points = lens.ground(pixels, height)
        assert points[:, 2] == pytest.approx(np.full(20, height), abs=1e-6)
        assert lens.pixels(points) == pytest.approx(pixels, abs=1e-4)


@given(SEEDS, SHARES)
def test_any_lens_keeps_its_promises(seed: int, share: float) -> None:
    """20 to 90 degrees above, the die as large as asked, the horizon out of the picture."""
    lens = any_lens(np.random.default_rng(seed), share)
    assert 20 <= lens.elevation_degrees <= 90
    assert lens.die_pixels() == pytest.approx(share * max(lens.width, lens.height))
    corners = np.array([(x, y) for x in (0, lens.width) for y in (0, lens.height)], dtype=float)
    ways = lens.ground(corners) - lens.eye
    assert (ways[:, 2] < 0).all()
    assert np.linalg.norm(ways, axis=1).max() < 10 * lens.distance + 50


@given(SEEDS)
def test_its_axes_are_a_camera(seed: int) -> None:
    """Right, down and forward are square to each other, and no mirror."""
    axes = any_lens(np.random.default_rng(seed), 0.1).axes
    assert axes @ axes.T == pytest.approx(np.eye(3), abs=1e-9)
    assert np.linalg.det(axes) == pytest.approx(1)


NOTHING = {field.name: 0.0 for field in fields(Exposure)}
FAIR = Exposure(**NOTHING | {"red": 1.0, "blue": 1.0, "saturation": 1.0, "jpeg_quality": 90})  # type: ignore[arg-type]
GREY = np.full((60, 80, 3), 0.2, dtype=np.float32)


def shown(light: NDArray[np.float32], how: Exposure) -> NDArray[np.uint8]:
    """The picture without any randomness beside the noise's."""
    return expose(light, how, np.random.default_rng(0))


def test_a_fair_picture_of_grey_is_grey() -> None:
    """A fifth of full light is the middle of what a display shows, all over."""
    picture = shown(GREY, FAIR)
    assert picture.shape == (60, 80, 3)
    assert (picture == picture[0, 0]).all()
    assert 115 < picture[0, 0, 0] < 130


def test_stops_darken_and_brighten() -> None:
    """Two stops less are much darker, one more is brighter."""
    dark, bright = (shown(GREY, replace(FAIR, stops=stops)).mean() for stops in (-2, 1))
    assert dark < 0.6 * shown(GREY, FAIR).mean()
    assert bright > 1.2 * shown(GREY, FAIR).mean()


def test_a_warm_picture_is_redder_than_blue() -> None:
    """Pictures are blue-green-red: the red gain raises the last channel."""
    blue, _, red = shown(GREY, replace(FAIR, red=1.3, blue=0.8)).mean(axis=(0, 1))
    assert red > blue + 20


@pytest.mark.parametrize("blurred", [{"defocus_px": 3.0}, {"motion_px": 6.0}, {"softness_px": 1.0}])
def test_blur_softens_an_edge(blurred: dict[str, float]) -> None:
    """The steepest step between black and white is smaller than in the sharp picture."""
    edge = GREY.copy()
    edge[:, 40:] = 0.8
    steps = [
        np.abs(np.diff(shown(edge, how)[30, :, 1].astype(int))).max()
        for how in (FAIR, replace(FAIR, **blurred))  # type: ignore[arg-type]
    ]
    assert steps[1] < 0.7 * steps[0]


def test_noise_is_seeded_and_stronger_with_more_of_it() -> None:
    """The same seed gives the same noise."""
    noisy = replace(FAIR, shot=1e-3, dark=1e-4)
    assert (shown(GREY, noisy) == shown(GREY, noisy)).all()
    assert shown(GREY, replace(noisy, shot=1e-2)).std() > 1.5 * shown(GREY, noisy).std() > 1


def test_sparks_go_and_edges_stay() -> None:
    """A single stray pixel is brought down to its neighbours, a bright area keeps its light."""
    light = GREY.copy()
    light[20, 20] = 50
    light[40:, :] = 2.0
    calm = without_grain(light)
    assert calm[20, 20].max() < 0.6
    assert calm[50, 40] == pytest.approx(np.full(3, 2.0), rel=0.02)
    assert calm[30, 40] == pytest.approx(np.full(3, 0.2), rel=0.02)


def test_any_exposure_stays_within_what_cameras_do() -> None:
    """Two and a half stops under to one and a half over, JPEG 40 to 95; figures for the label."""
    random = np.random.default_rng(0)
    drawn = [any_exposure(random) for _ in range(300)]
    assert all(-2.5 <= one.stops <= 1.5 and 40 <= one.jpeg_quality <= 95 for one in drawn)
    assert sum(one.motion_px > 0 for one in drawn) > 8
    assert drawn[0].as_json()["jpeg_quality"] == drawn[0].jpeg_quality


def test_a_low_quality_makes_a_small_file() -> None:
    """The JPEG's quality is the exposure's."""
    noise = np.random.default_rng(0).integers(0, 255, (60, 80, 3), dtype=np.uint8)
    small, large = (len(encode(noise, replace(FAIR, jpeg_quality=q))) for q in (40, 95))
    assert small < 0.6 * large


KINDS = (
    *("coin", "button", "chip", "domino", "tile", "card", "cube"),
    *("brick", "tower", "bead", "meeple", "pencil", "gem"),
)


@pytest.mark.parametrize("kind", KINDS)
def test_things_lie_on_the_table(kind: str) -> None:
    """Whatever it is stands on z = 0, where it was put, within the box that physics takes."""
    random = np.random.default_rng(3)
    one = thing(kind, random, np.array([2.0, -1.0]), 0.7)
    points = one.mesh.points
    assert points[:, 2].min() == pytest.approx(0, abs=0.03)
    assert points[:, 2].max() == pytest.approx(2 * one.half[2], abs=0.05)
    assert np.linalg.norm(points[:, :2] - [2.0, -1.0], axis=1).max() < one.reach + 0.25


def test_chance_brings_every_thing() -> None:
    """Of 400 things there is every kind."""
    random = np.random.default_rng(0)
    assert {any_thing(random, np.zeros(2)).kind for _ in range(400)} == set(KINDS)


def test_chance_brings_many_grounds_in_any_scale() -> None:
    """Painted whole, seeded, rough somewhere between a mirror and chalk."""
    kinds = set()
    for seed in range(16):
        ground = any_ground(np.random.default_rng(seed), scale=4.0 * 1.3**seed)
        assert ground.material.paint.shape == (PIXELS, PIXELS, 3)
        assert 0 < ground.material.roughness <= 1
        kinds.add(ground.kind)
    assert len(kinds) >= 6
    one, again = (any_ground(np.random.default_rng(5), 30.0) for _ in range(2))
    assert np.array_equal(one.material.paint, again.material.paint)


@pytest.mark.parametrize("seed", range(12))
def test_every_room_lights_a_white_sheet_alike(seed: int) -> None:
    """What a white sheet on the table sends back is about one, in red, green and blue's mean."""
    room = any_room(np.random.default_rng(seed)).astype(np.float64)
    angle = (np.arange(128) + 0.5) * np.pi / 128
    weight = np.clip(np.cos(angle), 0, None) * np.sin(angle) * (np.pi / 128) * (2 * np.pi / 256)
    sheet = (room * weight[:, None, None]).sum(axis=(0, 1)) / np.pi
    assert sheet.mean() == pytest.approx(1, abs=0.01)
    assert room.min() > 0
