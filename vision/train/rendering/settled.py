"""Dice let fall among each other, rims and things, until physics has them at rest.

One length unit is the side of a standard die (about 16 mm), one time unit a second.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from vision.train.rendering.die import Pose

Vector = NDArray[np.float64]
_STEPS_PER_SECOND: Final = 600
_LONGEST_SECONDS: Final = 1.5
_LOOK_EVERY_STEPS: Final = 30
_GRAVITY: Final = 9.81 / 0.016
_STILL_SPEED: Final = 0.6
_BOX: Final = 3  # pybullet.GEOM_BOX, named here because the module may be absent
_CYLINDER: Final = 4  # pybullet.GEOM_CYLINDER


@dataclass(frozen=True, slots=True)
class Block:
    """Something that doesn't move: a box by its half lengths, or a disc of radius half[0]."""

    middle: tuple[float, float, float]
    half: tuple[float, float, float]
    heading: float = 0.0
    round: bool = False


@dataclass(frozen=True, slots=True)
class Falling:
    """A die of some size (its side), where and how it is let go; `fixed` ones stay there."""

    pose: Pose
    size: float = 1.0
    velocity: tuple[float, float, float] = (0.0, 0.0, 0.0)
    spin: tuple[float, float, float] = (0.0, 0.0, 0.0)
    fixed: bool = False


def settle(dice: Sequence[Falling], blocks: Sequence[Block], friction: float) -> list[Falling]:
    """The same dice at rest on the plane z = 0."""
    with _world() as (engine, client):
        _prepare(engine, client, blocks, friction)
        bodies = [_drop(engine, client, die, friction) for die in dice]
        _wait(engine, client, bodies)
        return [
            replace(die, pose=Pose(tuple(place), tuple(turn)))
            for die, (place, turn) in zip(
                dice,
                (engine.getBasePositionAndOrientation(body, client) for body in bodies),
                strict=True,
            )
        ]


@contextmanager
def _world() -> Iterator[tuple[Any, int]]:
    import pybullet  # noqa: PLC0415  the training extra: everything else here works without it

    client = pybullet.connect(pybullet.DIRECT)
    try:
        yield pybullet, client
    finally:
        pybullet.disconnect(client)


def _prepare(engine: Any, client: int, blocks: Sequence[Block], friction: float) -> None:
    engine.setGravity(0, 0, -_GRAVITY, physicsClientId=client)
    engine.setTimeStep(1 / _STEPS_PER_SECOND, physicsClientId=client)
    floor = Block((0.0, 0.0, -5.0), (500.0, 500.0, 5.0))
    for block in (floor, *blocks):
        turn = (0.0, 0.0, float(np.sin(block.heading / 2)), float(np.cos(block.heading / 2)))
        body = engine.createMultiBody(
            0, _shape(engine, client, block), -1, block.middle, turn, physicsClientId=client
        )
        _grip(engine, client, body, friction)


def _shape(engine: Any, client: int, block: Block) -> int:
    if block.round:
        tall = 2 * block.half[2]
        number = engine.createCollisionShape(
            _CYLINDER, radius=block.half[0], height=tall, physicsClientId=client
        )
    else:
        number = engine.createCollisionShape(_BOX, halfExtents=block.half, physicsClientId=client)
    return int(number)


def _grip(engine: Any, client: int, body: int, friction: float) -> None:
    engine.changeDynamics(
        body, -1, lateralFriction=friction, restitution=0.3, rollingFriction=0.002,
        spinningFriction=0.01, physicsClientId=client,
    )  # fmt: skip


def _drop(engine: Any, client: int, die: Falling, friction: float) -> int:
    shape = engine.createCollisionShape(
        _BOX, halfExtents=[die.size / 2] * 3, physicsClientId=client
    )
    mass = 0.0 if die.fixed else die.size**3
    place, turn = die.pose.position, die.pose.quaternion
    body = int(engine.createMultiBody(mass, shape, -1, place, turn, physicsClientId=client))
    _grip(engine, client, body, friction)
    if not die.fixed:
        engine.resetBaseVelocity(body, die.velocity, die.spin, physicsClientId=client)
    return body


def _wait(engine: Any, client: int, bodies: Sequence[int]) -> None:
    rounds = round(_LONGEST_SECONDS * _STEPS_PER_SECOND / _LOOK_EVERY_STEPS)
    for _ in range(rounds):
        for _ in range(_LOOK_EVERY_STEPS):
            engine.stepSimulation(physicsClientId=client)
        if all(_still(engine.getBaseVelocity(body, client)) for body in bodies):
            return


def _still(velocity: tuple[Sequence[float], Sequence[float]]) -> bool:
    return max(float(np.linalg.norm(part)) for part in velocity) < _STILL_SPEED
