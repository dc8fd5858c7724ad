"""The demo evening: turns of three throws, each with its moving pictures and one at rest."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from vision.train.rendering.die import Pose
from vision.train.rendering.flight import Throw
from vision.train.rendering.hand import Hand
from vision.train.rendering.keep_choice import dice_to_keep
from vision.train.rendering.look import LOOKS, Look
from vision.train.rendering.scene import TRAY, Scene
from vision.train.rendering.throws import throw

TURNS: Final = 18
THROWS: Final = 3
_DICE: Final = 5
_REST_SAMPLES: Final = 36
_MOVING_SAMPLES: Final = 9
_SEED: Final = 20_000


@dataclass(frozen=True, slots=True)
class FilmedThrow:
    """A throw and its pictures, in order; the last one shows the dice at rest."""

    throw: Throw
    scenes: tuple[Scene, ...]

    @property
    def centres(self) -> list[tuple[float, float]]:
        """Where the middles of the top faces fall in the last picture, pixels from left and top."""
        viewpoint = self.scenes[-1].look.viewpoint
        return [viewpoint.pixel(pose.top_centre) for pose in self.throw.rest]


def empty_table() -> Scene:
    """The first table before anyone has thrown."""
    return Scene(look_of(0), (), None, _REST_SAMPLES, _SEED)


def look_of(turn: int) -> Look:
    """A turn's table: the listed looks in order; the second time round lit from the other side."""
    look = LOOKS[turn % len(LOOKS)]
    if turn // len(LOOKS) % 2 == 0:
        return look
    viewpoint = replace(look.viewpoint, azimuth_degrees=-3 - look.viewpoint.azimuth_degrees)
    light = replace(look.light, azimuth_degrees=-look.light.azimuth_degrees)
    return replace(look, light=light, viewpoint=viewpoint)


def film_turn(turn: int) -> Iterator[FilmedThrow]:
    """The throws of a turn; what a player keeps stays where it lay.

    A throw that shows what the one before showed is left out, with those after it: the table could
    not tell whether anything was thrown, and would have to ask.

    Raises:
        ThrowError: physics gave no clean throw.
    """
    lying: tuple[Pose, ...] = ()
    kept: tuple[Pose, ...] = ()
    faces: list[int] = []
    for number in range(THROWS):
        seed = _SEED + turn * 10 + number
        thrown = throw(seed, TRAY, kept, _DICE - len(kept))
        if sorted(thrown.faces) == faces:
            return
        yield FilmedThrow(thrown, tuple(_film(look_of(turn), seed, lying, kept, thrown)))
        lying, faces = thrown.rest, sorted(thrown.faces)
        kept = tuple(lying[place] for place in dice_to_keep(thrown.faces))


def _film(
    look: Look, seed: int, lying: tuple[Pose, ...], kept: tuple[Pose, ...], thrown: Throw
) -> Iterator[Scene]:
    """Reach for the dice, take them up, let go, watch them tumble, and see them at rest."""
    random = np.random.default_rng(seed)
    reaching, taking, leaving = _reach(random)
    moments = thrown.underway()
    moving: list[tuple[tuple[Pose, ...], Hand | None]] = [(lying, reaching), (kept, taking)]
    moving += [(moments[0], leaving), *((moment, None) for moment in moments[1:])]
    for dice, hand in moving:
        yield Scene(look, dice, hand, _MOVING_SAMPLES, seed)
    yield Scene(look, thrown.rest, None, _REST_SAMPLES, seed)


def _reach(random: np.random.Generator) -> tuple[Hand, Hand, Hand]:
    side, heading = float(random.uniform(-2.0, 2.0)), float(random.uniform(-18, 18))
    return (
        Hand((side, -5.2, 4.4), heading, 0.3),
        Hand((side * 0.4, -2.4, 3.4), heading * 0.6, 0.75),
        Hand((side * 0.8, -8.2, 4.8), heading, 0.1),
    )
