"""Dice thrown by rigid-body physics until a throw is one that a table would count.

One length unit is the side of a die (about 16 mm), one time unit a second.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from itertools import combinations
from typing import Any, Final

import numpy as np

from vision.train.rendering.die import Pose
from vision.train.rendering.flight import Throw, Tray, apart

_STEPS_PER_SECOND: Final = 1000
_STEPS_PER_FRAME: Final = 10
_LONGEST_SECONDS: Final = 2.5
_GRAVITY: Final = 9.81 / 0.016
_LEVEL_DEGREES: Final = 0.7
_STACKED: Final = 0.05
_NUDGE: Final = 0.06
_GAP: Final = 0.2
_STILL_SPEED: Final = 1.0
_STILL_FRAMES: Final = 10
_STILL_WAY: Final = 0.004
_RIM_GAP: Final = 0.25
_BOX: Final = 3  # pybullet.GEOM_BOX, named here because the module may be absent
_DIAGONAL: Final = 2**0.5


class _Engine:
    """One physics world: calls a function of the engine's module by name, in this world."""

    def __init__(self, module: Any, number: int) -> None:
        self._module = module
        self._number = number

    def __call__(self, act: str, *arguments: Any, **named: Any) -> Any:
        return getattr(self._module, act)(*arguments, physicsClientId=self._number, **named)


class ThrowError(RuntimeError):
    """No throw with these wishes came to rest as it should."""


def throw(seed: int, tray: Tray, kept: Sequence[Pose], thrown: int) -> Throw:
    """Throw dice among kept ones until all lie flat, apart from each other, the kept unmoved.

    Raises:
        ThrowError: a thousand throws from this seed did not give one.
    """
    random = np.random.default_rng(seed)
    with _engine() as engine:
        for _ in range(1000):
            attempt = _simulate(engine, random, tray, kept, thrown)
            if attempt is not None and _countable(attempt, tray, kept):
                return attempt
    raise ThrowError(f"seed {seed} gave no clean throw of {thrown} dice beside {len(kept)}")


def _countable(attempt: Throw, tray: Tray, kept: Sequence[Pose]) -> bool:
    rest = attempt.rest
    return (
        attempt.lively
        and all(
            pose.lean_degrees < _LEVEL_DEGREES and abs(pose.position[2] - 0.5) < _STACKED
            for pose in rest
        )
        and all(_clear_of_rim(pose, tray) for pose in rest)
        and all(_clear_of(one, other) for one, other in combinations(rest, 2))
        and (not kept or apart(kept, rest[: len(kept)]) < _NUDGE)
    )


def _clear_of_rim(pose: Pose, tray: Tray) -> bool:
    reach = np.abs(pose.corners()[:, :2]).max(axis=0)
    return bool(reach[0] < tray.half_width - _RIM_GAP and reach[1] < tray.half_depth - _RIM_GAP)


def _clear_of(one: Pose, other: Pose) -> bool:
    """Whether a gap is left between two dice that lie flat (separating axes)."""
    offset = np.asarray(other.position[:2]) - np.asarray(one.position[:2])
    if float(np.linalg.norm(offset)) > _DIAGONAL + _GAP:
        return True
    footprints = [pose.corners()[:, :2] for pose in (one, other)]
    return any(_gap(axis, footprints) > _GAP for axis in (*_sides(one), *_sides(other)))


def _sides(pose: Pose) -> list[Any]:
    flat = [axis[:2] for axis in pose.rotation.T if abs(axis[2]) < 0.5]  # noqa: PLR2004
    return [axis / np.linalg.norm(axis) for axis in flat]


def _gap(axis: Any, footprints: Sequence[Any]) -> float:
    one, other = (footprint @ axis for footprint in footprints)
    return float(max(other.min() - one.max(), one.min() - other.max()))


@contextmanager
def _engine() -> Iterator[_Engine]:
    import pybullet  # noqa: PLC0415  the training extra: everything else here works without it

    number = pybullet.connect(pybullet.DIRECT)
    try:
        yield _Engine(pybullet, number)
    finally:
        pybullet.disconnect(number)


def _build_tray(engine: _Engine, tray: Tray) -> None:
    engine("resetSimulation")
    engine("setGravity", 0, 0, -_GRAVITY)
    engine("setTimeStep", 1 / _STEPS_PER_SECOND)
    width, depth = tray.half_width, tray.half_depth
    slabs = [((0.0, 0.0, -1.0), (2 * width, 2 * depth, 1.0))]
    slabs += [((sign * (width + 1), 0.0, 20.0), (1.0, 3 * depth, 20.0)) for sign in (-1, 1)]
    slabs += [((0.0, sign * (depth + 1), 20.0), (3 * width, 1.0, 20.0)) for sign in (-1, 1)]
    for place, half in slabs:
        _add_box(engine, Pose(place, (0, 0, 0, 1)), half, mass=0)


def _add_box(engine: _Engine, pose: Pose, half: tuple[float, float, float], mass: float) -> int:
    shape = engine("createCollisionShape", _BOX, halfExtents=half)
    body = engine(
        "createMultiBody", mass, shape, basePosition=pose.position, baseOrientation=pose.quaternion
    )
    engine(
        "changeDynamics",
        body,
        -1,
        restitution=0.35,
        lateralFriction=0.45,
        rollingFriction=0.004,
        spinningFriction=0.004,
        linearDamping=0.02,
        angularDamping=0.05,
    )
    return int(body)


def _simulate(
    engine: _Engine,
    random: np.random.Generator,
    tray: Tray,
    kept: Sequence[Pose],
    thrown: int,
) -> Throw | None:
    half = (0.5, 0.5, 0.5)
    _build_tray(engine, tray)
    bodies = [_add_box(engine, pose, half, mass=1) for pose in kept]
    for pose in _in_the_hand(random, tray, thrown):
        body = _add_box(engine, pose, half, mass=1)
        _toss(random, engine, body)
        bodies.append(body)
    flight = _fly(engine, bodies)
    if flight is None:
        return None
    return Throw(tuple(flight), (True,) * len(kept) + (False,) * thrown)


def _in_the_hand(random: np.random.Generator, tray: Tray, thrown: int) -> list[Pose]:
    """The dice as the hand lets go of them: a loose cluster above the player's side."""
    slots = [(x, 0.0, z) for z in (0.0, 1.5) for x in (-1.5, 0.0, 1.5)]
    middle = np.array([random.uniform(-0.5, 0.5) * tray.half_width, -0.6 * tray.half_depth, 2.2])
    chosen = random.permutation(len(slots))[:thrown]
    return [
        Pose(tuple(middle + slots[slot] + random.uniform(-0.2, 0.2, 3)), _any_turn(random))
        for slot in chosen
    ]


def _any_turn(random: np.random.Generator) -> tuple[float, float, float, float]:
    x, y, z, w = random.normal(size=4)
    return float(x), float(y), float(z), float(w)


def _toss(random: np.random.Generator, engine: _Engine, body: int) -> None:
    velocity = random.normal((0.0, 15.0, -8.0), (9.0, 8.0, 5.0))
    spin = random.normal((-18.0, 0.0, 0.0), (14.0, 14.0, 14.0))
    engine("resetBaseVelocity", body, velocity.tolist(), spin.tolist())


def _fly(engine: _Engine, bodies: Sequence[int]) -> list[tuple[Pose, ...]] | None:
    """Let time pass until everything is still; None when that takes too long."""
    flight = [_poses(engine, bodies)]
    for _ in range(round(_LONGEST_SECONDS * _STEPS_PER_SECOND / _STEPS_PER_FRAME)):
        for _ in range(_STEPS_PER_FRAME):
            engine("stepSimulation")
        flight.append(_poses(engine, bodies))
        lately = flight[-_STILL_FRAMES:]
        if _still(engine, bodies) and apart(lately[0], lately[-1]) < _STILL_WAY:
            return flight
    return None


def _poses(engine: _Engine, bodies: Sequence[int]) -> tuple[Pose, ...]:
    states = (engine("getBasePositionAndOrientation", body) for body in bodies)
    return tuple(Pose(tuple(place), tuple(turn)) for place, turn in states)


def _still(engine: _Engine, bodies: Sequence[int]) -> bool:
    return all(
        float(np.linalg.norm(velocity)) < _STILL_SPEED
        for body in bodies
        for velocity in engine("getBaseVelocity", body)
    )
