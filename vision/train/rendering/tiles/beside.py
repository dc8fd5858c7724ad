"""What lies or reaches in beside the tiles: clutter, dice, cups, a hand, the phone that shades.

The things of a table with dice, which is measured in sides of a die, at their size beside tiles.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import pairwise
from typing import Final

import numpy as np
from numpy.typing import NDArray

from vision.train.rendering.chance import Random, between, happens, pick
from vision.train.rendering.clutter import thing
from vision.train.rendering.dice_set import any_set, greyish, pastel, vivid
from vision.train.rendering.hand import Hand
from vision.train.rendering.lens import Lens
from vision.train.rendering.material import Colour, Material, plain
from vision.train.rendering.mesh import Mesh, die_mesh
from vision.train.rendering.rotations import any_upright, upright
from vision.train.rendering.solids import box_mesh, joined, moved
from vision.train.rendering.studio import hand_parts
from vision.train.rendering.texturing import dress
from vision.train.rendering.tiles.tile_poses import Floor, rectangle

Vector = NDArray[np.float64]
Part = tuple[Mesh, Material]
DIE: Final = 0.62  # a die's side in widths of a tile: 16 of 26 millimetres
_KINDS: Final = (
    (0.2, "coin"),
    (0.16, "domino"),
    (0.16, "card"),
    (0.12, "pencil"),
    (0.08, "chip"),
    (0.06, "button"),
    (0.06, "brick"),
    (0.05, "tower"),
    (0.05, "meeple"),
    (0.06, "bead"),
)
_SKINS: Final[tuple[tuple[float, Colour], ...]] = (
    (1.0, (214, 164, 134)),
    (1.0, (170, 118, 86)),
    (1.0, (116, 78, 58)),
    (1.0, (232, 192, 168)),
)


def any_clutter(
    count: int, spot: Callable[[], Vector], floor: Floor, random: Random
) -> Iterator[Part]:
    """So many things, each where there is room for it; those without room stay away."""
    for _ in range(count):
        kind = pick(random, ((0.62, _thing), (0.18, _die), (0.2, _cup)))
        part = kind(spot(), floor, random)
        if part is not None:
            yield part


def sized(mesh: Mesh, share: float) -> Mesh:
    """The mesh so many times as large."""
    return Mesh(mesh.points * np.float32(share), mesh.normals, mesh.atlas, mesh.triangles)


def _thing(place: Vector, floor: Floor, random: Random) -> Part | None:
    one = thing(pick(random, _KINDS), random, place / DIE, between(random, 0, 2 * np.pi))
    width, length = one.half[0] * 2 * DIE, one.half[1] * 2 * DIE
    if not floor.takes([rectangle(place, one.heading, width, length)]):
        return None
    return sized(one.mesh, DIE), one.material


def _die(place: Vector, floor: Floor, random: Random) -> Part | None:
    size, heading = between(random, 0.5, 0.8), between(random, 0, 2 * np.pi)
    if not floor.takes([rectangle(place, heading, size, size)]):
        return None
    dice = any_set(random)
    turn = upright(heading) @ any_upright(random)
    mesh = moved(sized(die_mesh(dice.shape), size), turn, np.array([*place, size / 2]))
    dressed = dress(dice, 64, random)
    return mesh, Material(dressed.paint, dressed.roughness)


def _cup(place: Vector, floor: Floor, random: Random) -> Part | None:
    """A cup, a glass's coaster or a plate, with what is in it."""
    radius, height = between(random, 1.1, 1.9), between(random, 0.1, 3.2)
    if not floor.takes([rectangle(place, 0.0, 2 * radius, 2 * radius)]):
        return None
    profile = np.array(
        [(0.75, 0), (1, height), (0.92, height), (0.7, 0.35 * height + 0.1), (0, 0.35 * height)]
    ) * [radius, 1]
    colour = pick(random, ((0.5, greyish(random, 0.3, 0.97)), (0.5, pastel(random))))
    mesh = moved(_turned(profile), np.eye(3), np.array([*place, 0.0]))
    return mesh, plain(colour, between(random, 0.1, 0.5))


def _turned(profile: Vector) -> Mesh:
    """The surface of a profile (radius, height) that is turned about the upright axis."""
    around = np.linspace(0, 2 * np.pi, 49)
    rings = [
        np.column_stack([r * np.cos(around), r * np.sin(around), np.full(49, z)])
        for r, z in profile
    ]
    bands = [_band(low, high) for low, high in pairwise(rings)]
    return joined(bands)


def _band(low: Vector, high: Vector) -> Mesh:
    count = len(low)
    points = np.vstack([low, high])
    along, rise = np.roll(low, -1, axis=0)[:-1] - low[:-1], (high - low)[:-1]
    normals = np.cross(along, rise)
    normals = np.vstack([normals, normals[:1]])
    normals /= np.maximum(np.linalg.norm(normals, axis=1, keepdims=True), 1e-9)
    here = np.arange(count - 1)
    first = np.stack([here, here + 1, count + here + 1], axis=1)
    second = np.stack([here, count + here + 1, count + here], axis=1)
    return Mesh(
        points.astype(np.float32),
        np.tile(normals, (2, 1)).astype(np.float32),
        np.full((2 * count, 2), 0.5, np.float32),
        np.vstack([first, second]).astype(np.int32),
    )


def any_hand(place: Vector, lens: Lens, random: Random) -> Iterator[Part]:
    """A hand over a place of the table, from where people sit around it."""
    inward = lens.azimuth_degrees + float(random.normal(0, 50))
    if happens(random, 0.25):
        inward += 180
    height = between(random, 1.2, 3.5)
    reach = Hand((0.0, 0.0, height), inward, between(random, 0.1, 0.9))
    sleeve = pick(random, ((0.5, vivid(random)), (0.5, greyish(random, 0.05, 0.8))))
    for mesh, material in hand_parts(reach, pick(random, _SKINS), sleeve):
        yield moved(sized(mesh, DIE), np.eye(3), np.array([*place, 0.0])), material


def phone(lens: Lens, random: Random) -> Part:
    """The phone that takes the picture: out of its own sight, but not out of the light's."""
    right, down, forward = lens.axes
    half = (between(random, 1.3, 1.6), between(random, 2.6, 3.2), 0.12)
    turn = np.column_stack([down, right, -forward]) if lens.width > lens.height else None
    axes = np.column_stack([right, down, forward]) if turn is None else turn
    aside = right * random.normal(0, 0.6) + down * random.uniform(-1, 2)
    behind = lens.eye - forward * 0.4 + aside
    return moved(box_mesh(half), axes, behind), plain((24, 24, 26), 0.4)
