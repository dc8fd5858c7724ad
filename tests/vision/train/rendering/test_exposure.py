"""What the camera makes of light."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from numpy.typing import NDArray

from vision.train.rendering.camera import Exposure, any_exposure, encode, expose, without_grain

FAIR = Exposure(
    stops=0.0,
    red=1.0,
    blue=1.0,
    contrast=0.0,
    saturation=1.0,
    vignette=0.0,
    spot=0.0,
    falloff=0.0,
    falloff_degrees=0.0,
    glare=0.0,
    defocus_px=0.0,
    motion_px=0.0,
    motion_degrees=0.0,
    shot=0.0,
    dark=0.0,
    smoothing=0.0,
    sharpening=0.0,
    softness_px=0.0,
    jpeg_quality=90,
)
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
