"""The surface of a die and what is painted on it."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from vision.train.rendering.dice_set import paint_die, paint_surface
from vision.train.rendering.geometry import WESTERN, DieShape, ball_mesh, die_mesh, edges, normal

FLAT = DieShape(edge_radius=0.1, pip_radius=0.09, pip_depth=0.0)
DRILLED = DieShape(edge_radius=0.1, pip_radius=0.09, pip_depth=0.03)


def test_a_die_is_a_cube_of_side_one_with_rounded_corners() -> None:
    """It reaches half a side everywhere, and its corners are cut back by their radius."""
    mesh = die_mesh(FLAT)
    assert np.abs(mesh.points).max() == pytest.approx(0.5)
    farthest = np.linalg.norm(mesh.points, axis=1).max()
    assert farthest == pytest.approx(3**0.5 * (0.5 - 0.1) + 0.1, abs=1e-3)


def test_triangles_look_outward() -> None:
    """The order of every triangle's corners agrees with its outward normals."""
    for mesh in (die_mesh(DRILLED), ball_mesh()):
        a, b, c = (mesh.points[mesh.triangles[:, corner]] for corner in range(3))
        across = np.cross(b - a, c - a)
        outward = mesh.normals[mesh.triangles].mean(axis=1)
        seen = np.linalg.norm(across, axis=1) > 1e-9
        assert (np.einsum("ij,ij->i", across, outward)[seen] > 0).all()


def test_pips_are_drilled_where_they_are_painted() -> None:
    """Drilling moves only points near a pip's place, inward."""
    flat, drilled = die_mesh(FLAT), die_mesh(DRILLED)
    moved = np.linalg.norm(flat.points - drilled.points, axis=1) > 1e-6
    places = np.array(
        [
            normal(face) * 0.5 + u * edges(face)[0] + v * edges(face)[1]
            for face in range(1, 7)
            for u, v in WESTERN.pips(face)
        ]
    )
    distance = np.linalg.norm(flat.points[moved][:, None] - places[None], axis=2)
    assert distance.min(axis=1).max() < DRILLED.pip_radius
    assert len(set(distance.argmin(axis=1))) == 21


@pytest.mark.parametrize("face", range(1, 7))
def test_the_paint_on_a_face_is_its_pips(face: int) -> None:
    """Following the mesh's own atlas, each face is dark at its pips' places and nowhere else."""
    mesh = die_mesh(FLAT)
    picture = paint_die(FLAT, body=(250, 250, 250), pip=(10, 10, 10), lone_pip=(10, 10, 10))
    height, width = picture.shape[:2]
    on_face = mesh.points @ normal(face) > 0.4999
    points, atlas = mesh.points[on_face], mesh.atlas[on_face]
    columns = np.clip((atlas[:, 0] * width).astype(int), 0, width - 1)
    rows = np.clip((atlas[:, 1] * height).astype(int), 0, height - 1)
    dark = picture[rows, columns, 0] < 128
    across, up = edges(face)
    places = np.array([u * across + v * up for u, v in WESTERN.pips(face)]) + normal(face) * 0.5
    distance = np.linalg.norm(points[:, None] - places[None], axis=2)
    assert (distance.min(axis=1)[dark] < 0.14).all()
    assert (distance.min(axis=1)[~dark] > 0.07).all()
    assert len(set(distance[dark].argmin(axis=1))) == face


def test_a_mesh_is_written_whole(tmp_path: Path) -> None:
    """The file's size is its header, eight floats a point and thirteen bytes a triangle."""
    mesh = ball_mesh()
    path = tmp_path / "ball.ply"
    mesh.save_ply(path)
    content = path.read_bytes()
    header = content[: content.index(b"end_header\n") + len(b"end_header\n")]
    assert len(content) == len(header) + 32 * len(mesh.points) + 13 * len(mesh.triangles)


@pytest.mark.parametrize("kind", ["felt", "leather", "linen", "wood"])
def test_surfaces_are_seeded_and_near_their_colour(kind: str) -> None:
    """The same seed paints the same surface, another seed another one, about the colour asked."""
    colour = (120, 90, 60)
    one = paint_surface(kind, colour, seed=1)
    assert np.array_equal(one, paint_surface(kind, colour, seed=1))
    assert not np.array_equal(one, paint_surface(kind, colour, seed=2))
    assert one.mean(axis=(0, 1)) == pytest.approx(colour, rel=0.1)
