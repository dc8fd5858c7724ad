"""Where a die's numbers and pips are, turns in space, solids as triangles, slabs with paint."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from tests.vision.train.rendering.staging import TURNED_UP
from vision.train.rendering.dice_set import paint_die, paint_surface
from vision.train.rendering.geometry import (
    WESTERN,
    DieShape,
    Mesh,
    Pose,
    about,
    any_upright,
    anyhow,
    ball_mesh,
    box_mesh,
    die_mesh,
    disc_mesh,
    edges,
    normal,
    prism_mesh,
    quaternion,
    rod_mesh,
    sheet_mesh,
)
from vision.train.rendering.slab import PaintAtlas, Slab, slab_mesh, slab_paint

FACES = range(1, 7)
UPRIGHT = (0.0, 0.0, 0.0, 1.0)
part = st.floats(-1, 1)


def test_opposite_faces_sum_to_seven() -> None:
    """Every face looks away from the one that makes seven with it."""
    for face in FACES:
        assert np.array_equal(normal(face), -normal(7 - face))


@pytest.mark.parametrize("face", FACES)
def test_a_face_has_as_many_pips_as_its_number(face: int) -> None:
    """The pips are all apart, and symmetric about the middle."""
    spots = set(WESTERN.pips(face))
    assert len(spots) == face
    assert spots == {(-u, -v) for u, v in spots}


@pytest.mark.parametrize("face", FACES)
def test_a_faces_edges_make_its_normal(face: int) -> None:
    """The product u x v looks outward, so that a painted face is never mirrored."""
    across, up = edges(face)
    assert np.array_equal(np.cross(across, up), normal(face))


def test_one_two_three_run_anticlockwise() -> None:
    """The Western die: around the corner of 1, 2 and 3 they run anticlockwise."""
    assert float(np.dot(np.cross(normal(1), normal(2)), normal(3))) == 1.0


@pytest.mark.parametrize(("top", "quaternion"), TURNED_UP.items())
def test_the_top_face_by_hand(top: int, quaternion: tuple[float, float, float, float]) -> None:
    """Six turns worked out by hand bring each number to the top, level."""
    pose = Pose((0.0, 0.0, 0.5), quaternion)
    assert pose.top == top
    assert pose.lean_degrees == pytest.approx(0, abs=1e-4)
    assert pose.top_centre == pytest.approx([0, 0, 1])


def test_a_leaning_die_says_how_far() -> None:
    """Ten degrees about x are ten degrees of lean."""
    half = np.radians(10) / 2
    pose = Pose((0.0, 0.0, 0.5), (float(np.sin(half)), 0.0, 0.0, float(np.cos(half))))
    assert pose.lean_degrees == pytest.approx(10)


@given(st.tuples(part, part, part, part))
def test_a_turn_keeps_lengths(quaternion: tuple[float, float, float, float]) -> None:
    """However it is turned, its corners stay half a space diagonal from its middle."""
    assume(np.linalg.norm(quaternion) > 0.1)
    pose = Pose((1.0, 2.0, 3.0), quaternion)
    reach = np.linalg.norm(pose.corners() - np.array([1.0, 2.0, 3.0]), axis=1)
    assert reach == pytest.approx(np.full(8, 3**0.5 / 2))
    assert np.linalg.det(pose.rotation) == pytest.approx(1)


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


FLAT = DieShape(edge_radius=0.1, pip_radius=0.09, pip_depth=0.0)
DRILLED = DieShape(edge_radius=0.1, pip_radius=0.09, pip_depth=0.03)
SQUARE = np.array([(-1, -1, 0), (1, -1, 0), (1, 1, 0), (-1, 1, 0)], dtype=np.float64)
SOLIDS = {
    "die": die_mesh(DRILLED),
    "ball": ball_mesh(),
    "slab": slab_mesh(Slab(1.0, 1.4, 0.3, 0.06, 0.08)),
    "disc": disc_mesh(0.7, 0.2),
    "prism": prism_mesh(SQUARE[:, :2], 0.5, 0.1),
    "box": box_mesh((1.0, 2.0, 0.5)),
    "rod": rod_mesh(np.zeros(3), np.array([1.0, 2.0, 0.5]), 0.3),
    "sheet": sheet_mesh(SQUARE, 2.0),
}


def test_a_die_is_a_cube_of_side_one_with_rounded_corners() -> None:
    """It reaches half a side everywhere, and its corners are cut back by their radius."""
    mesh = die_mesh(FLAT)
    assert np.abs(mesh.points).max() == pytest.approx(0.5)
    farthest = np.linalg.norm(mesh.points, axis=1).max()
    assert farthest == pytest.approx(3**0.5 * (0.5 - 0.1) + 0.1, abs=1e-3)


@pytest.mark.parametrize("name", SOLIDS)
def test_triangles_look_outward(name: str) -> None:
    """The order of every triangle's corners agrees with its outward normals."""
    mesh = SOLIDS[name]
    a, b, c = (mesh.points[mesh.triangles[:, corner]] for corner in range(3))
    across = np.cross(b - a, c - a)
    outward = mesh.normals[mesh.triangles].mean(axis=1)
    seen = np.linalg.norm(across, axis=1) > 1e-9
    assert seen.any()
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


@pytest.mark.parametrize("kind", ["felt", "leather", "linen", "wood"])
def test_surfaces_are_seeded_and_near_their_colour(kind: str) -> None:
    """The same seed paints the same surface, another seed another one, about the colour asked."""
    colour = (120, 90, 60)
    one = paint_surface(kind, colour, seed=1)
    assert np.array_equal(one, paint_surface(kind, colour, seed=1))
    assert not np.array_equal(one, paint_surface(kind, colour, seed=2))
    assert one.mean(axis=(0, 1)) == pytest.approx(colour, rel=0.1)


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
