"""The stand-in for a general detector has the published network's weights and operations."""

from __future__ import annotations

import numpy as np
import pytest

from tests.benchmarks.bytes_only import in_bytes, is_in_bytes
from tests.benchmarks.yolo_shape import (
    PUBLISHED_GIGAFLOPS,
    PUBLISHED_PARAMETERS,
    RESULT_SHAPE,
    build,
    load_yolo_shape,
    prepared,
)


def test_it_is_as_large_as_the_published_one() -> None:
    """Weights within 3 % and work within 5 %, both counted."""
    content, graph = build()
    assert graph.parameters == pytest.approx(PUBLISHED_PARAMETERS, rel=0.03)
    assert graph.operations == pytest.approx(PUBLISHED_GIGAFLOPS * 1e9, rel=0.05)
    assert len(content) == pytest.approx(4 * graph.parameters, rel=0.05)


def test_it_runs_on_a_picture_of_any_shape() -> None:
    """A box and eighty scores for each of 8400 cells, none of them without a value."""
    result = load_yolo_shape(build()[0])(np.full((300, 900, 3), 128, np.uint8))
    assert result.shape == RESULT_SHAPE
    assert np.isfinite(result).all()
    assert result[:, 4:].min() >= 0
    assert result[:, 4:].max() <= 1


def test_it_can_be_had_for_larger_pictures() -> None:
    """Twice the side is four times the work with the same weights, and four times the cells."""
    (content, large), (_, small) = build(320), build(160)
    assert large.parameters == small.parameters
    assert large.operations == 4 * small.operations
    result = load_yolo_shape(content, 320)(np.full((300, 900, 3), 128, np.uint8))
    assert result.shape == (1, 84, RESULT_SHAPE[-1] // 4)


def test_a_picture_is_laid_in_the_middle_of_a_grey_square() -> None:
    """Its colours come in the order red, green, blue, its shape is kept."""
    image = np.zeros((480, 960, 3), np.uint8)
    image[..., 0] = 255
    pixels = prepared(image)
    assert pixels.shape == (1, 3, 640, 640)
    assert pixels[0, :, 320, 320].tolist() == [0, 0, 1]
    assert pixels[0, :, 100, 320] == pytest.approx(114 / 255)


def test_it_can_be_had_in_bytes() -> None:
    """Quantised it is a quarter as large, and its boxes stay near."""
    content, _ = build()
    image = np.random.default_rng(1).integers(0, 255, (640, 640, 3), dtype=np.uint8)
    smaller = in_bytes(content, [prepared(image)])
    assert is_in_bytes(smaller)
    assert not is_in_bytes(content)
    assert len(smaller) < 0.4 * len(content)
    one, other = (load_yolo_shape(each)(image) for each in (content, smaller))
    assert np.corrcoef(one[:, :4].ravel(), other[:, :4].ravel())[0, 1] > 0.99
