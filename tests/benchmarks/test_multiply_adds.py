"""Operations are counted as for the yardstick."""

from __future__ import annotations

import pytest

from tests.benchmarks.multiply_adds import multiply_adds, of_readings
from tests.benchmarks.stages import FIRST_LOOK, READS, Stages
from tests.benchmarks.yolo_shape import build


def test_a_network_is_counted_as_when_it_was_built() -> None:
    """The yardstick counts a multiplication with its addition as two."""
    content, graph = build(64)
    assert 2 * multiply_adds(content, (1, 3, 64, 64)) == graph.operations


def test_readings_are_counted_by_what_their_networks_were_given() -> None:
    """Each look and each batch of crops."""
    content, graph = build(64)
    shape = (1, 3, 64, 64)
    stages = [Stages({}, {FIRST_LOOK: (shape,), READS: (shape, shape)}), Stages({}, {})]
    assert of_readings(stages, lambda _: content) == pytest.approx(1.5 * graph.operations / 2)
