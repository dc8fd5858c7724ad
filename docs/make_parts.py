"""Make the parts to print, and docs/images/printed-parts.png: `make parts`, or with a lens's name.

The post and the boom are as long as a lens needs to see the tray, the lid's holes lie in the order
of the header's pins, and everything else is measured from a batten, a camera's board and a Pi. Each
part lies as it is printed: flat, without supports, on a bed of 180 x 180 mm.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from math import radians, tan
from pathlib import Path
from typing import Final

import cv2
import numpy as np
from draw_wiring import ASIDE_MM, BUTTONS, IMAGES, LAMPS, LENSES, in_order
from manifold3d import Manifold
from numpy.typing import NDArray

# All lengths are in millimetres.
BED: Final = 180.0
WALL: Final = 3.0
ROUND: Final = 64  # sides of what is round
THROUGH: Final = 1.0  # what is cut away goes so much farther than it must

BATTEN, PLAY = 20.0, 0.4  # a printer lays its walls a little too thick
SOCKET, DEEP = BATTEN + PLAY, 45.0
SCREW: Final = 4.5  # a wood screw of 4 mm
STEADY: Final = 4.0  # walls that hold a batten
CAMERA, CAMERA_HOLES, CAMERA_SCREW = (25.0, 24.0), (21.0, 12.5), 2.2  # Modules 2 and 3
LENS: Final = 14.0  # around which the board's front is bare
STANDOFF: Final = 3.0  # room for what is soldered to a board

TRAY, RIM, EDGE = (320.0, 240.0), 25.0, 8.0  # inside, height, thickness
LEDGE: Final = 12.0  # on which the felt's board lies
TONGUE: Final = (10.0, 4.0, 16.0)  # length, thickness, height
SEEN_BESIDE: Final = 15.0  # of the table around the tray, so that its rim is found

BOX: Final = (150.0, 90.0, 45.0)  # inside
PI, PI_HOLES = (85.0, 56.0), (58.0, 49.0)
BUTTON, LAMP = 24.4, 5.2  # holes for a button of 24 mm and an LED of 5 mm
POST: Final = 8.0  # in the box's corners, for its lid's screws of 3 mm
CABLES: Final = (70.0, 22.0)


PICTURE: Final = IMAGES / "printed-parts.png"


def block(length: float, width: float, height: float) -> Manifold:
    """A block around the middle of the plane, standing on it."""
    return Manifold.cube((length, width, height)).translate((-length / 2, -width / 2, 0))


def pin(diameter: float, height: float, x: float = 0, y: float = 0, z: float = 0) -> Manifold:
    """A round rod that stands there."""
    return Manifold.cylinder(height, diameter / 2, circular_segments=ROUND).translate((x, y, z))


def at_corners(part: Manifold, apart: tuple[float, float]) -> Manifold:
    """The part four times, so far apart."""
    across, along = apart[0] / 2, apart[1] / 2
    sides = [(x, y) for x in (-across, across) for y in (-along, along)]
    return sum((part.translate((x, y, 0)) for x, y in sides), Manifold())


def socket() -> Manifold:
    """A sleeve for a batten, upright and open at both ends, with two holes for screws."""
    outer = SOCKET + 2 * STEADY
    sleeve = block(outer, outer, DEEP) - block(SOCKET, SOCKET, DEEP + THROUGH).translate(
        (0, 0, -THROUGH / 2)
    )
    for height in (DEEP * 0.3, DEEP * 0.7):
        sleeve -= pin(SCREW, outer).rotate((90, 0, 0)).translate((0, 0, height))
    return sleeve


def foot() -> Manifold:
    """Stands the post on a board, or under a clamp: four holes around a sleeve."""
    plate = block(110, 80, 6) - at_corners(pin(SCREW, 8, z=-THROUGH), (90, 60))
    return plate + socket().translate((0, 0, 6))


def elbow() -> Manifold:
    """Joins the boom to the post's end at a right angle; it is printed lying on its side."""
    outer = SOCKET + 2 * STEADY
    boom = socket().rotate((0, 90, 0)).translate((outer / 2, 0, 0))
    post = socket().rotate((0, 180, 0)).translate((0, 0, -outer / 2))
    corner = block(outer, outer, outer).translate((0, 0, -outer / 2))
    return (boom + post + corner).rotate((90, 0, 0)).translate((0, 0, outer / 2))


def head() -> Manifold:
    """Holds a camera's board at the boom's end; the lens looks down through the slot.

    Which pair of screws the lens is between, and which way the ribbon leaves, is as you like.
    """
    outer = SOCKET + 2 * STEADY
    plate = block(CAMERA[0] + 10, CAMERA[1] + 8, WALL)
    plate += at_corners(pin(5, STANDOFF + WALL), CAMERA_HOLES)
    plate -= at_corners(pin(CAMERA_SCREW, 20, z=-THROUGH), CAMERA_HOLES)
    ends = (pin(LENS, 20, y=side * CAMERA_HOLES[1] / 2, z=-THROUGH) for side in (-1, 1))
    plate -= Manifold.batch_hull(list(ends))
    sleeve = socket().rotate((0, 90, 0)).translate((CAMERA[0] / 2 + 4, 0, outer / 2))
    return plate + sleeve


def tray_corner(*, tongues: bool) -> Manifold:
    """A quarter of the tray's rim; two with tongues and two with slots are a tray."""
    across, along = TRAY[0] / 2, TRAY[1] / 2
    low = Manifold.cube((across + EDGE, along + EDGE, RIM))
    inner = Manifold.cube((across + THROUGH, along + THROUGH, RIM)).translate((EDGE, EDGE, WALL))
    ledge = Manifold.cube((across + THROUGH, along + THROUGH, RIM))
    corner = low - inner - ledge.translate((EDGE + LEDGE, EDGE + LEDGE, -THROUGH))
    length, thick, high = (each + (0 if tongues else PLAY) for each in TONGUE)
    foot, middle = (RIM - high) / 2, (EDGE - thick) / 2
    start = 0 if tongues else -length
    ends = Manifold.cube((length, thick, high)).translate((across + EDGE + start, middle, foot))
    ends += Manifold.cube((thick, length, high)).translate((middle, along + EDGE + start, foot))
    return corner + ends if tongues else (corner - ends).mirror((1, 0, 0))


def box_bottom() -> Manifold:
    """The box, with four standoffs for the Pi, a slot for its cables in the back, and air."""
    length, width, height = BOX
    made = block(length + 2 * WALL, width + 2 * WALL, height + WALL)
    made -= block(length, width, height + THROUGH).translate((0, 0, WALL))
    inset = (length - POST, width - POST)
    made += at_corners(pin(POST, height + WALL - 0.1), inset)
    made -= at_corners(pin(2.6, 15, z=height + WALL - 14), inset)
    # The Pi's sockets are along its long side, which is at the back
    pi = (-length / 2 + POST + 2 + PI[0] / 2, width / 2 - 2 - PI[1] / 2)
    standoffs = at_corners(pin(6, STANDOFF + WALL) - pin(2.1, 10, z=WALL - 1), PI_HOLES)
    made += standoffs.translate((pi[0] - (PI[0] - PI_HOLES[0]) / 2 + 3.5, pi[1], 0))
    slot = block(CABLES[0], 4 * WALL, CABLES[1]).translate((pi[0], width / 2, WALL + 4))
    vents = sum(
        (
            block(4 * WALL, 3, height / 2).translate((side * length / 2, 8 * at, height / 4))
            for side in (-1, 1)
            for at in range(-3, 4)
        ),
        Manifold(),
    )
    return made - slot - vents


def places() -> dict[str, tuple[float, float, float]]:
    """Where the lid's holes are, seen from above, and how wide: buttons in front."""
    length, width, _ = BOX
    return {
        name: (length * (at + 1) / (len(row) + 1) - length / 2, along, wide)
        for row, along, wide in (
            (in_order(BUTTONS), 18 - width / 2, BUTTON),
            (in_order(LAMPS), width / 4, LAMP),
        )
        for at, (_, name) in enumerate(row)
    }


def box_lid() -> Manifold:
    """The box's lid, with the holes for buttons and lamps; it is printed face down."""
    length, width, _ = BOX
    lid = block(length + 2 * WALL, width + 2 * WALL, WALL)
    lip = block(length - PLAY - 2 * POST, width - PLAY, 2 * WALL)
    lid += lip - block(length - PLAY - 2 * POST - 4, width - PLAY - 4, 2 * WALL + THROUGH)
    lid -= at_corners(pin(3.2, 3 * WALL, z=-THROUGH), (length - POST, width - POST))
    for x, y, wide in places().values():
        lid -= pin(wide, 4 * WALL, -x, y, -THROUGH)  # seen from inside, as it lies
    return lid


PARTS: Final[Mapping[str, Callable[[], Manifold]]] = {
    "arm-foot": foot,
    "arm-elbow": elbow,
    "arm-head": head,
    "tray-corner-2x-tongues": lambda: tray_corner(tongues=True),
    "tray-corner-2x-slots": lambda: tray_corner(tongues=False),
    "box-bottom": box_bottom,
    "box-lid": box_lid,
}


def battens(lens: str) -> tuple[float, float]:
    """How long the post and the boom are so that this lens sees the tray with what is around it."""
    wide = TRAY[0] + 2 * (EDGE + SEEN_BESIDE)
    height = wide / 2 / tan(radians(LENSES[lens] / 2))
    return height + SOCKET, wide / 2 + ASIDE_MM


def write_stl(part: Manifold, file: Path) -> None:
    """Write a part as a binary STL file, in millimetres."""
    mesh = part.to_mesh()
    corners = np.asarray(mesh.vert_properties, np.float32)[:, :3][mesh.tri_verts]
    facets = np.zeros(
        len(corners), [("normal", "<f4", 3), ("corners", "<f4", (3, 3)), ("spare", "<u2")]
    )
    facets["normal"] = normals(corners)
    facets["corners"] = corners
    header = b"Tablescore, millimetres".ljust(80)
    file.write_bytes(header + np.uint32(len(corners)).tobytes() + facets.tobytes())


def normals(corners: NDArray[np.float32]) -> NDArray[np.float32]:
    """Which way each triangle (n, 3, 3) looks: (n, 3), of length one."""
    across = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    return np.asarray(across / np.linalg.norm(across, axis=1, keepdims=True), np.float32)


VIEW: Final = np.array(  # from above, in front and to the right; rows: right, up, towards the eye
    [[0.866, 0.5, 0.0], [-0.3, 0.52, 0.8], [0.4, -0.693, 0.6]], np.float32
)
LIGHT: Final = np.array([0.2, -0.5, 0.84], np.float32)
THIN: Final = 1e-6  # square pixels, of a triangle that is seen from its edge
PAINT: Final = np.array([150.0, 190.0, 235.0])  # blue, green, red


def drawn(part: Manifold, pixels_a_mm: float) -> NDArray[np.uint8]:
    """The part as it is printed, on white: (height, width, 3)."""
    mesh = part.to_mesh()
    corners = np.asarray(mesh.vert_properties, np.float32)[:, :3][mesh.tri_verts]
    bright = 0.45 + 0.55 * np.clip(normals(corners) @ LIGHT, 0, 1)
    seen = corners @ VIEW.T * (pixels_a_mm, -pixels_a_mm, 1)
    seen[..., :2] -= seen[..., :2].min(axis=(0, 1)) - 4
    width, height = (int(each) + 6 for each in seen[..., :2].max(axis=(0, 1)))
    picture, near = np.full((height, width, 3), 255.0), np.full((height, width), -np.inf)
    for (one, two, three), shade in zip(seen, bright, strict=True):
        across, down = two - one, three - one
        area = across[0] * down[1] - across[1] * down[0]
        if abs(area) < THIN:
            continue
        left, top = np.floor(np.minimum(np.minimum(one, two), three)[:2]).astype(int)
        right, bottom = np.ceil(np.maximum(np.maximum(one, two), three)[:2]).astype(int) + 1
        y, x = np.mgrid[top:bottom, left:right]
        second = ((x - one[0]) * (three[1] - one[1]) - (y - one[1]) * (three[0] - one[0])) / area
        third = ((y - one[1]) * (two[0] - one[0]) - (x - one[0]) * (two[1] - one[1])) / area
        deep = one[2] + second * (two[2] - one[2]) + third * (three[2] - one[2])
        place = np.s_[top:bottom, left:right]
        won = (second >= 0) & (third >= 0) & (second + third <= 1) & (deep > near[place])
        near[place][won] = deep[won]
        picture[place][won] = PAINT * shade
    return picture.astype(np.uint8)


def sheet() -> NDArray[np.uint8]:
    """All parts with their names below them, half as large as they were drawn."""
    width, height = 640, 500
    cells = []
    for name, make in PARTS.items():
        cell = np.full((height, width, 3), 255, np.uint8)
        picture = drawn(make(), 2.6)
        top, left = (height - 60 - picture.shape[0]) // 2, (width - picture.shape[1]) // 2
        cell[top : top + picture.shape[0], left : left + picture.shape[1]] = picture
        words = name.replace("-", " ").replace(" 2x", ", twice,")
        ((long, _), _) = cv2.getTextSize(words, cv2.FONT_HERSHEY_SIMPLEX, 0.9, 2)
        where = ((width - long) // 2, height - 24)
        cv2.putText(cell, words, where, cv2.FONT_HERSHEY_SIMPLEX, 0.9, (36, 31, 28), 2, cv2.LINE_AA)
        cells.append(cell)
    cells += [np.full((height, width, 3), 255, np.uint8)] * (-len(cells) % 4)
    whole = np.vstack([np.hstack(cells[row : row + 4]) for row in range(0, len(cells), 4)])
    small = cv2.resize(whole, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA)
    return np.asarray(small | 0x0F, np.uint8)  # few shades: a small file


def main() -> None:
    """Write the parts into the named folder, and the picture; say how long the battens are."""
    folder = Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    for name, make in PARTS.items():
        write_stl(make(), folder / f"{name}.stl")
        sys.stdout.write(f"{folder / name}.stl\n")
    if not cv2.imwrite(
        str(IMAGES / "printed-parts.png"), sheet(), [cv2.IMWRITE_PNG_COMPRESSION, 9]
    ):
        raise OSError(f"{IMAGES / 'printed-parts.png'} can't be written")
    for lens in LENSES:
        post, boom = battens(lens)
        sys.stdout.write(f"{lens}: a post of {post:.0f} mm and a boom of {boom:.0f} mm\n")


if __name__ == "__main__":
    main()
