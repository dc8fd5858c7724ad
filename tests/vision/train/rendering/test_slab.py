"""A slab with a painted top."""

from __future__ import annotations

import numpy as np
import pytest

from vision.train.rendering.geometry import Mesh
from vision.train.rendering.slab import PaintAtlas, Slab, slab_mesh, slab_paint

SHAPE = Slab(1.0, 1.4, 0.3, 0.06, 0.08)
CARD = Slab(2.5, 3.5, 0.02, 0.002, 0.14)


def quartered() -> np.ndarray[tuple[int, ...], np.dtype[np.uint8]]:
    """A picture whose four quarters have colours of their own."""
    picture = np.zeros((40, 40, 3), dtype=np.uint8)
    picture[:20, 20:, 0], picture[20:, :20, 1] = 200, 200
    picture[20:, 20:, 2], picture[:20, :20] = 200, 90
    return picture


def colours(mesh: Mesh, paint: np.ndarray[tuple[int, ...], np.dtype[np.uint8]]) -> list[int]:
    """The paint at each of the mesh's points, as one number."""
    height, width = paint.shape[:2]
    columns = (mesh.atlas[:, 0] * width).astype(int).clip(0, width - 1)
    rows = (mesh.atlas[:, 1] * height).astype(int).clip(0, height - 1)
    return [int(each) for each in paint[rows, columns].astype(int) @ [1, 1000, 1000000]]


@pytest.mark.parametrize("shape", [SHAPE, CARD])
def test_a_slab_fills_its_measures_and_no_more(shape: Slab) -> None:
    """It reaches from z = 0 to its thickness, half its width and length to every side."""
    points = slab_mesh(shape).points
    assert points.min(axis=0) == pytest.approx([-shape.width / 2, -shape.length / 2, 0], abs=1e-6)
    upper = [shape.width / 2, shape.length / 2, shape.thickness]
    assert points.max(axis=0) == pytest.approx(upper, abs=1e-6)


@pytest.mark.parametrize("shape", [SHAPE, CARD])
def test_corners_are_rounded_by_their_radius(shape: Slab) -> None:
    """No point lies farther out in a corner than a quarter circle of the radius."""
    radius = shape.corner_radius
    core = np.array([shape.width, shape.length]) / 2 - radius
    over = np.clip(np.abs(slab_mesh(shape).points[:, :2]) - core, 0, None)
    assert np.linalg.norm(over, axis=1).max() == pytest.approx(radius, abs=1e-6)


def test_a_top_reads_upright_from_above() -> None:
    """The picture's upper right quarter lies towards +x and +y, on the top only."""
    paint = slab_paint(quartered(), back=(10, 10, 10))
    mesh = slab_mesh(SHAPE, quartered().shape[1])
    found = np.array(colours(mesh, paint))
    up = mesh.points[:, 2] > SHAPE.thickness - 1e-6
    right, far = mesh.points[:, 0] > 0.1, mesh.points[:, 1] > 0.1
    assert set(found[up & right & far]) == {200}
    assert set(found[up & ~right & (mesh.points[:, 1] < -0.1) & (mesh.points[:, 0] < -0.1)]) == {
        200 * 1000
    }
    assert set(found[mesh.points[:, 2] < 1e-6]) == {10 * 1001001}


def test_a_relief_lifts_and_tilts_the_top() -> None:
    """A slope up to the right raises the right half and turns the normals to the left."""
    relief = np.tile(np.linspace(0, 0.1, 64, dtype=np.float32), (64, 1))
    mesh = slab_mesh(SHAPE, relief=relief, cells=20)
    inner = (mesh.points[:, 2] > 0.25) & (np.abs(mesh.points[:, :2]) < 0.35).all(axis=1)
    points, normals = mesh.points[inner], mesh.normals[inner]
    assert points[:, 2] == pytest.approx(0.3 + 0.1 * (points[:, 0] + 0.5), abs=2e-3)
    assert normals[:, 0] / normals[:, 2] == pytest.approx(np.full(len(points), -0.1), abs=5e-3)


def test_a_sheet_dresses_each_slab_in_its_own_paint() -> None:
    """Cut from one sheet, every slab shows the colour that was painted for it."""
    tops = [np.full((30, 20, 3), 20 * number, dtype=np.uint8) for number in range(1, 6)]
    sheet = PaintAtlas.of([slab_paint(top) for top in tops])
    for number in range(5):
        mesh = sheet.cut(slab_mesh(SHAPE, pixels=20), number)
        assert set(colours(mesh, sheet.paint)) == {20 * (number + 1) * 1001001}


def test_more_edge_than_slab_is_refused() -> None:
    """Chamfers that meet are named as the fault."""
    with pytest.raises(ValueError, match="more edge than slab"):
        Slab(1.0, 1.4, 0.1, 0.07, 0.05)


def test_a_tops_corners_run_clockwise_from_the_upper_left() -> None:
    """From above: left to right along the upper side, back along the lower one."""
    corners = SHAPE.corners()
    assert corners[0] == pytest.approx([-0.5, 0.7, 0.3 - SHAPE.drop])
    assert corners[1] == pytest.approx([0.5, 0.7, 0.3 - SHAPE.drop])
    assert corners[2] == pytest.approx([0.5, -0.7, 0.3 - SHAPE.drop])
    assert SHAPE.local(0.0, 0.0) == pytest.approx((-0.5, 0.7, 0.3))
