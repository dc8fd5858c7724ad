"""Everything in one picture of tiles, drawn by chance from its seed and number."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any, Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.capture.frame import Image
from vision.train.rendering.backgrounds import PIXELS, PaintedGround, ground_of
from vision.train.rendering.camera import (
    Exposure,
    Lens,
    Light,
    any_exposure,
    any_room,
    encode,
    expose,
)
from vision.train.rendering.chance import Random, between, by_scale, happens, pick, pick_name
from vision.train.rendering.clutter import thing
from vision.train.rendering.dice_set import any_set, dress, from_hue, greyish, pastel, vivid
from vision.train.rendering.geometry import (
    Material,
    Mesh,
    Picture,
    any_upright,
    box_mesh,
    die_mesh,
    joined,
    moved,
    plain,
    upright,
)
from vision.train.rendering.slab import PaintAtlas, Slab, slab_mesh, slab_paint
from vision.train.rendering.studio import SKINS, Part, Scenery, Studio, hand_parts, table_mesh
from vision.train.rendering.tiles.edition import JOKER, Edition, Top, back_of, top_of
from vision.train.rendering.tiles.editions import some_edition
from vision.train.rendering.tiles.layouts import MANNERS, Laid, TableSpace, places
from vision.train.rendering.tiles.tile_poses import (
    Rack,
    TakenArea,
    TilePose,
    any_view,
    in_sight,
    rectangle,
    spots,
)
from vision.train.rendering.tracing import Hand
from vision.train.rendering.training_photos import Photograph, area_in_picture, pixels_within

DIE: Final = 0.62  # a die's side in widths of a tile: 16 of 26 millimetres
_KINDS: Final = (
    (0.2, "coin"), (0.16, "domino"), (0.16, "card"), (0.12, "pencil"), (0.08, "chip"),
    (0.06, "button"), (0.06, "brick"), (0.05, "tower"), (0.05, "meeple"), (0.06, "bead"),
)  # fmt: skip


def any_clutter(
    count: int, spot: Callable[[], Vector], floor: TakenArea, random: Random
) -> Iterator[Part]:
    """That many things, each where there is room for it; those without room stay away."""
    for _ in range(count):
        kind = pick(random, ((0.62, _thing), (0.18, _die), (0.2, _cup)))
        part = kind(spot(), floor, random)
        if part is not None:
            yield part


def _thing(place: Vector, floor: TakenArea, random: Random) -> Part | None:
    one = thing(pick(random, _KINDS), random, place / DIE, between(random, 0, 2 * np.pi))
    width, length = one.half[0] * 2 * DIE, one.half[1] * 2 * DIE
    if not floor.takes([rectangle(place, one.heading, width, length)]):
        return None
    return one.mesh.sized(DIE), one.material


def _die(place: Vector, floor: TakenArea, random: Random) -> Part | None:
    size, heading = between(random, 0.5, 0.8), between(random, 0, 2 * np.pi)
    if not floor.takes([rectangle(place, heading, size, size)]):
        return None
    dice = any_set(random)
    turn = upright(heading) @ any_upright(random)
    mesh = moved(die_mesh(dice.shape).sized(size), turn, np.array([*place, size / 2]))
    dressed = dress(dice, 64, random)
    return mesh, Material(dressed.paint, dressed.roughness)


def _cup(place: Vector, floor: TakenArea, random: Random) -> Part | None:
    """A cup, a glass's coaster or a plate, with what is in it."""
    radius, height = between(random, 1.1, 1.9), between(random, 0.1, 3.2)
    if not floor.takes([rectangle(place, 0.0, 2 * radius, 2 * radius)]):
        return None
    profile = np.array(
        [(0.75, 0), (1, height), (0.92, height), (0.7, 0.35 * height + 0.1), (0, 0.35 * height)]
    ) * [radius, 1]
    colour = pick(random, ((0.5, greyish(random, 0.3, 0.97)), (0.5, pastel(random))))
    # The surface of a profile (radius, height) that is turned about the upright axis
    around = np.linspace(0, 2 * np.pi, 49)
    rings = [
        np.column_stack([r * np.cos(around), r * np.sin(around), np.full(49, z)])
        for r, z in profile
    ]
    bands = [_band(low, high) for low, high in pairwise(rings)]
    mesh = moved(joined(bands), np.eye(3), np.array([*place, 0.0]))
    return mesh, plain(colour, between(random, 0.1, 0.5))


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
    atlas = np.full((2 * count, 2), 0.5)
    return Mesh.of(points, np.tile(normals, (2, 1)), atlas, np.vstack([first, second]))


def any_hand(place: Vector, lens: Lens, random: Random) -> Iterator[Part]:
    """A hand over a place of the table, from where people sit around it."""
    inward = lens.azimuth_degrees + float(random.normal(0, 50))
    if happens(random, 0.25):
        inward += 180
    height = between(random, 1.2, 3.5)
    reach = Hand((0.0, 0.0, height), inward, between(random, 0.1, 0.9))
    sleeve = pick(random, ((0.5, vivid(random)), (0.5, greyish(random, 0.05, 0.8))))
    skin = pick(random, [(1.0, each) for each in SKINS])
    for mesh, material in hand_parts(reach, skin, sleeve):
        yield moved(mesh.sized(DIE), np.eye(3), np.array([*place, 0.0])), material


def phone(lens: Lens, random: Random) -> Part:
    """The phone that takes the picture: out of its own sight, but not out of the light's."""
    right, down, forward = lens.axes
    half = (between(random, 1.3, 1.6), between(random, 2.6, 3.2), 0.12)
    turn = np.column_stack([down, right, -forward]) if lens.width > lens.height else None
    axes = np.column_stack([right, down, forward]) if turn is None else turn
    aside = right * random.normal(0, 0.6) + down * random.uniform(-1, 2)
    behind = lens.eye - forward * 0.4 + aside
    return moved(box_mesh(half), axes, behind), plain((24, 24, 26), 0.4)


Vector = NDArray[np.float64]
_SAMPLES: Final = 6
_LEAST_SHARE: Final = 0.018
_LARGEST_SHARE: Final = 0.27
_NEAR_SHARES: Final = (0.09, 0.19)  # of the picture's longer side, before a rack seen from near
_FAR: Final = 12.0  # nearer, a hand would hide everything
_ROOM: Final = 0.3  # of the picture that its tiles may fill
_GROUNDS: Final = (
    (0.3, "wood"), (0.13, "lid"), (0.1, "marble"), (0.06, "felt"), (0.07, "linen"),
    (0.07, "woven"), (0.05, "checked"), (0.05, "carpet"), (0.06, "leather"), (0.04, "granite"),
    (0.03, "paper"), (0.02, "news"), (0.02, "mat"),
)  # fmt: skip
_COUNTS: Final = ((0.12, (1, 4)), (0.3, (4, 15)), (0.33, (15, 45)), (0.25, (45, 111)))


@dataclass(frozen=True, slots=True, eq=False)
class TileStage:
    """A table with tiles, its light and the camera over it; `tops` are the tiles' own tops.

    The ground's paint repeats after `repeats_over` widths of a tile.
    """

    lens: Lens
    room: Light
    edition: Edition
    tiles: tuple[TilePose, ...]
    tops: tuple[Top, ...]
    body: tuple[Part, ...]
    ground: PaintedGround
    manner: str


def any_stage(random: Random) -> TileStage:
    """A stage; the same state of chance gives the same one."""
    edition = some_edition(random)
    manner = pick_name(random, MANNERS)
    count, share = _size(random, manner)
    return staged(random, edition, manner, MANNERS[manner][1], count, share)


def staged(  # noqa: PLR0913, PLR0917 -- what is decided before the rest is drawn
    random: Random,
    edition: Edition,
    manner: str,
    lay: Callable[[TableSpace, Random], Laid],
    count: int,
    share: float,
) -> TileStage:
    """A stage of that edition, so laid; `share` is a tile's width for the picture's longer side."""
    racked = manner.startswith("rack")
    lens = any_view(random, share, rack=racked)
    pixels = share * max(lens.width, lens.height)
    floor = TakenArea(in_sight(lens, 0.2 * pixels if happens(random, 0.7) else -0.3 * pixels))
    spot = spots(random, lens, 0.5 * pixels)
    table = TableSpace(edition.shape, lens, spot, floor, count)
    laid = lay(table, random)
    tops, mesh = _dressed(random, edition, laid[0], lens.die_pixels())
    ground, sheet = _ground(random, lens)
    body = [sheet, *mesh, *_racks(random, laid[1], edition), *_beside(random, table)]
    room = any_room(random)
    return TileStage(lens, room, edition, tuple(laid[0]), tops, tuple(body), ground, manner)


def _size(random: Random, manner: str) -> tuple[int, float]:
    """How many tiles, and a tile's width as a share of the picture's longer side."""
    low, high = pick(random, _COUNTS)
    count = int(random.integers(low, high))
    if manner == "rack from aside":
        return 45, between(random, *_NEAR_SHARES)
    if manner in {"rack", "rack of three steps"}:
        count = int(random.integers(3 if manner == "rack" else 24, 40))
        return count, between(random, 0.55, 1.1) / (places(count) + 0.5)
    largest = min(_LARGEST_SHARE, (_ROOM / (1.43 * count)) ** 0.5)
    wanted = by_scale(random, _LEAST_SHARE, _LARGEST_SHARE)
    close = largest * between(random, 0.55, 1.0)
    return count, max(_LEAST_SHARE, close if happens(random, 0.55) else min(wanted, close))


def _ground(random: Random, lens: Lens) -> tuple[PaintedGround, Part]:
    repeats_over = between(random, 0.9, 1.3) * max(lens.width, lens.height) / lens.die_pixels()
    ground = ground_of(pick(random, _GROUNDS), random, PIXELS / repeats_over * DIE)
    return ground, (table_mesh(lens, repeats_over), ground.material)


def _dressed(
    random: Random, edition: Edition, tiles: list[TilePose], tile_pixels: float
) -> tuple[tuple[Top, ...], list[Part]]:
    pixels = int(np.clip(1.3 * tile_pixels, 40, 300))
    cells = int(np.clip(0.5 * tile_pixels, 10, 130))
    tops = tuple(top_of(edition, tile.printed, pixels, random) for tile in tiles)
    if not tiles:
        return tops, []
    backs = [back_of(edition, pixels, random) for _ in tops]
    return tops, [tiles_part(edition, tiles, tops, backs, cells)]


def tiles_part(
    edition: Edition, tiles: Sequence[TilePose], tops: Sequence[Top], backs: Sequence[Picture],
    cells: int,
) -> Part:  # fmt: skip
    """Tiles with these tops and backs as one surface; at least one tile.

    `cells` is how finely a top's relief is cut.
    """
    paints = [slab_paint(top.paint, back) for top, back in zip(tops, backs, strict=True)]
    sheet = PaintAtlas.of(paints)
    pixels = tops[0].paint.shape[1]
    slabs = (slab_mesh(edition.shape, pixels, top.relief, cells) for top in tops)
    meshes = [
        moved(sheet.cut(slab, number), tile.turn, tile.place)
        for number, (tile, slab) in enumerate(zip(tiles, slabs, strict=True))
    ]
    return joined(meshes), Material(sheet.paint, edition.roughness)


def _racks(random: Random, racks: list[Rack], edition: Edition) -> Iterator[Part]:
    """Racks of one box: plastic of one colour, mostly dark, or wood."""
    if not racks:
        return
    mesh = joined([rack.mesh(edition.shape) for rack in racks])
    if happens(random, 0.35):
        wood = ground_of("wood", random, between(random, 60, 160)).material
        yield mesh, wood
        return
    hue, value = between(random, 0.05, 0.12), between(random, 0.3, 0.9)
    earthy, light = from_hue(hue, between(random, 0.2, 0.6), value), greyish(random, 0.5, 0.95)
    dark = greyish(random, 0.02, 0.2)
    colour = pick(random, ((0.4, dark), (0.25, vivid(random)), (0.2, earthy), (0.15, light)))
    yield mesh, plain(colour, between(random, 0.2, 0.6))


def _beside(random: Random, table: TableSpace) -> Iterator[Part]:
    """Clutter in half of the pictures, now and then a hand, often the phone's own shadow."""
    if happens(random, 0.5):
        yield from any_clutter(int(random.integers(1, 7)), table.spot, table.floor, random)
    lens = table.lens
    if happens(random, 0.09) and lens.distance > _FAR:
        # A place of the table near the picture's edge
        side = random.uniform(0, 1, 2)
        side[int(random.integers(2))] = float(random.choice([0.06, 0.94]))
        pixel = side * np.array([lens.width, lens.height])
        yield from any_hand(np.asarray(lens.ground(pixel[None])[0, :2]), lens, random)
    if happens(random, 0.5):
        yield phone(lens, random)


def scenery(stage: TileStage) -> Scenery:
    """A stage as painted surfaces."""
    return Scenery(stage.lens, stage.room, stage.body, samples=_SAMPLES, painted=True)


COLOURS: Final = ("black", "red", "blue", "orange")
_SKIN: Final = 0.012
_LEAST_VISIBLE: Final = 0.04
_CLEARLY_VISIBLE: Final = 0.75
_INK_VISIBLE: Final = 0.85
_WHOLE: Final = 0.97
_LEAST_CONTRAST: Final = 22.0
_LEAST_SIDE: Final = 9.0
_EDGE: Final = 0.05


@dataclass(frozen=True, slots=True, eq=False)
class LabelledTile:
    """A tile's top in a picture.

    `quad` are its four corners in pixels, 4 x 2, clockwise from the left one of the number's
    side; they may lie outside. `inside` is the share of it within the picture, `visible` that of
    the whole top which nothing hides, `ink_visible` the same of the box around the ink;
    `contrast` is how far apart light and dark are in that box, 0 to 255.
    """

    tile: TilePose
    quad: Vector
    inside: float
    visible: float
    ink_visible: float
    contrast: float

    @property
    def difficult(self) -> bool:
        """Whether too much is hidden, too small or too faint to be asked for."""
        return self.illegible or self.visible < _CLEARLY_VISIBLE

    @property
    def _is_faint(self) -> bool:
        sides = np.linalg.norm(self.quad - np.roll(self.quad, 1, axis=0), axis=1)
        return bool(self.contrast < _LEAST_CONTRAST or sides.min() < _LEAST_SIDE)

    @property
    def illegible(self) -> bool:
        """Whether too much of the ink is hidden, too small or too faint to be read."""
        return self._is_faint or self.ink_visible < _INK_VISIBLE

    def as_json(self, *, by_ink: bool = False) -> dict[str, Any]:
        """The label as the photographs' labels are written.

        `by_ink`: a tile whose ink is seen is asked for, also where its foot is hidden.
        """
        (left, top), (right, bottom) = self.quad.min(axis=0), self.quad.max(axis=0)
        printed = self.tile.printed
        label: dict[str, Any] = {
            "x": round(float(left), 1),
            "y": round(float(top), 1),
            "w": round(float(right - left), 1),
            "h": round(float(bottom - top), 1),
            "quad": [[round(float(x), 2), round(float(y), 2)] for x, y in self.quad],
            "colour": COLOURS[printed.colour],
            "visible": round(self.visible, 3),
        }
        label |= {"joker": True} if printed.kind == JOKER else {"number": printed.kind}
        label |= {"truncated": True} if self.inside < _WHOLE else {}
        unasked = self.illegible if by_ink else self.difficult
        return label | ({"difficult": True} if unasked else {})


def label_tiles(stage: TileStage, seen: NDArray[np.float32], image: Image) -> list[LabelledTile]:
    """The face-up tiles of whose tops something can be seen.

    `seen` is the point of the table (H x W x 3) that each pixel of the image shows.
    """
    # Every ink takes away at least one of red, green and blue.
    darkest = np.asarray(image.min(axis=2), np.uint8)
    placed = zip(stage.tiles, stage.tops, strict=True)
    labelled = [_label(stage, tile, top, seen, darkest) for tile, top in placed if not tile.blank]
    return [one for one in labelled if one is not None and one.visible > _LEAST_VISIBLE]


def label_picture(
    stage: TileStage, seen: NDArray[np.float32], image: Image, name: str, *, by_ink: bool = False
) -> dict[str, Any]:
    """All that is known about a picture (blue-green-red), ready to be written as one line."""
    return {
        "file": name,
        "width": stage.lens.width,
        "height": stage.lens.height,
        "split": "train",
        "scene": "rendered",
        "layout": stage.manner,
        "oriented": True,
        "ground": stage.ground.kind,
        "elevation_degrees": round(stage.lens.elevation_degrees, 1),
        "tiles": [one.as_json(by_ink=by_ink) for one in label_tiles(stage, seen, image)],
    }


def _label(
    stage: TileStage, tile: TilePose, top: Top, seen: NDArray[np.float32], grey: NDArray[np.uint8]
) -> LabelledTile | None:
    shape, lens = stage.edition.shape, stage.lens
    corners = tile.points(shape.corners())
    if ((corners - lens.eye) @ tile.turn[:, 2]).max() >= 0:
        return None  # seen from behind
    quad = lens.pixels(corners)
    window = _window(quad, grey.shape)
    if window is None:
        return None
    mine = _on_top(tile, shape, seen[window])
    offset = np.array([window[1].start, window[0].start], dtype=np.float64)
    left, upper, right, lower = top.ink_box
    spots = ((left, upper), (right, upper), (right, lower), (left, lower))
    ink = lens.pixels(tile.points(np.array([shape.local(u, v) for u, v in spots])))
    return LabelledTile(
        tile,
        quad,
        min(1.0, area_in_picture(quad, grey.shape) / _area(quad)),
        _shown(quad - offset, mine),
        _shown(ink - offset, mine),
        _contrast(ink - offset, mine, grey[window]),
    )


def _window(quad: Vector, shape: tuple[int, ...]) -> tuple[slice, slice] | None:
    height, width = shape
    low = np.floor(quad.min(axis=0)).astype(int) - 1
    high = np.ceil(quad.max(axis=0)).astype(int) + 1
    left, right = max(0, int(low[0])), min(width, int(high[0]))
    top, bottom = max(0, int(low[1])), min(height, int(high[1]))
    return (slice(top, bottom), slice(left, right)) if left < right and top < bottom else None


def _on_top(tile: TilePose, shape: Slab, seen: NDArray[np.float32]) -> NDArray[np.bool_]:
    """Which pixels show this tile's top, its chamfer included."""
    x, y, z = np.moveaxis((seen - tile.place) @ tile.turn, -1, 0)
    level = (z > shape.thickness - shape.drop - _EDGE) & (z < shape.thickness + _SKIN)
    within = (np.abs(x) <= shape.width / 2 + 1e-3) & (np.abs(y) <= shape.length / 2 + 1e-3)
    return np.asarray(level & within)


def _area(quad: Vector) -> float:
    return max(float(cv2.contourArea(quad.astype(np.float32))), 1e-9)


def _shown(quad: Vector, mine: NDArray[np.bool_]) -> float:
    """The share of a quadrangle that shows the tile."""
    return float(min(1.0, (mine & pixels_within(quad, mine.shape)).sum() / _area(quad)))


def _contrast(quad: Vector, mine: NDArray[np.bool_], grey: NDArray[np.uint8]) -> float:
    """How far apart light and dark are where the ink is."""
    part = grey[mine & pixels_within(quad, mine.shape)]
    if not part.size:
        return 0.0
    dark, light = np.percentile(part, (4, 96))
    return float(light - dark)


_LEAST_SATURATION: Final = 0.65
_KIND: Final = 7  # keeps these seeds apart from those of other kinds of pictures


def take_tiles(seed: int, number: int, studio: Studio) -> Photograph:
    """The photograph of tiles of that number."""
    random = np.random.default_rng((_KIND, seed, number))
    stage, how = any_stage(random), in_colour(any_exposure(random))
    shot = studio.trace(scenery(stage), number)
    image = expose(shot.without_grain(), how, random)
    labels = label_picture(stage, shot.seen, image, f"{number:05}.jpg")
    return Photograph(encode(image, how), labels)


def in_colour(how: Exposure) -> Exposure:
    """The same in colour: without it tiles cannot be identified."""
    return replace(how, saturation=max(how.saturation, _LEAST_SATURATION))
