"""Turns in space."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from vision.train.rendering.geometry import Pose, about, any_upright, anyhow, quaternion, upright

seeds = st.integers(0, 2**32 - 1)


@given(seeds)
def test_a_quaternion_says_the_same_as_its_matrix(seed: int) -> None:
    """A pose made of a turn's quaternion turns as the matrix did."""
    turn = anyhow(np.random.default_rng(seed))
    assert Pose((0, 0, 0), quaternion(turn)).rotation == pytest.approx(turn, abs=1e-6)


@given(seeds, st.sampled_from([np.pi, np.pi - 1e-7, 3.1]))
def test_half_turns_have_quaternions_too(seed: int, angle: float) -> None:
    """Where the usual formula divides by nothing, another one takes over."""
    axis = np.random.default_rng(seed).normal(size=3)
    turn = about(axis / np.linalg.norm(axis), angle)
    assert Pose((0, 0, 0), quaternion(turn)).rotation == pytest.approx(turn, abs=1e-6)


def test_no_face_comes_up_more_often_than_others() -> None:
    """Of 3,000 turns, each of the six faces is up 500 times, give or take five deviations."""
    random = np.random.default_rng(0)
    tops = [Pose((0, 0, 0), quaternion(anyhow(random))).top for _ in range(3000)]
    counts = np.bincount(tops, minlength=7)[1:]
    assert np.abs(counts - 500).max() < 5 * (3000 * 5 / 36) ** 0.5


def test_there_are_24_upright_turns() -> None:
    """Each is a rotation that keeps a cube in its place."""
    random = np.random.default_rng(0)
    turns = [any_upright(random) for _ in range(600)]
    assert len({turn.tobytes() for turn in np.round(turns) + 0.0}) == 24
    assert all(np.linalg.det(turn) == pytest.approx(1) for turn in turns)


def test_upright_turns_to_the_left() -> None:
    """A quarter of a circle turns the first direction into the second."""
    assert upright(np.pi / 2) @ [1, 0, 0] == pytest.approx([0, 1, 0])
