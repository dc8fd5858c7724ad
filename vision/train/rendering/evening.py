"""The demo evening: turns of three rolls, each with its moving pictures and one at rest."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from pathlib import Path
from typing import Final

import cv2
import numpy as np

from scoreboard.text_files import write_whole
from vision.capture.frame import Image
from vision.train.rendering.arrangement import BOX, GRAVITY, World, physics
from vision.train.rendering.geometry import Pose
from vision.train.rendering.tracing import LOOKS, TRAY, DiceRoll, Hand, Look, Scene, Tray, apart

_RUN_WORTH_KEEPING: Final = 4
_MOST_KEPT: Final = 4


def dice_to_keep(faces: Sequence[int]) -> list[int]:
    """The places of the dice a player keeps: part of a straight, else the most frequent face.

    At least one die is always rolled again.
    """
    run = _longest_run(faces)
    if len(run) >= _RUN_WORTH_KEEPING:
        return sorted(faces.index(face) for face in run[:_MOST_KEPT])
    counts = Counter(faces)
    wanted = max(counts, key=lambda face: (counts[face], face))
    return [place for place, face in enumerate(faces) if face == wanted][:_MOST_KEPT]


def _longest_run(faces: Sequence[int]) -> list[int]:
    best: list[int] = []
    run: list[int] = []
    for face in sorted(set(faces)):
        run = [*run, face] if run and face == run[-1] + 1 else [face]
        best = max(best, run, key=len)
    return best


_STEPS_PER_SECOND: Final = 1000
_STEPS_PER_FRAME: Final = 10
_LONGEST_SECONDS: Final = 2.5
_LEVEL_DEGREES: Final = 0.7
_STACKED: Final = 0.05
_NUDGE: Final = 0.06
_GAP: Final = 0.2
_STILL_SPEED: Final = 1.0
_STILL_FRAMES: Final = 10
_STILL_WAY: Final = 0.004
_RIM_GAP: Final = 0.25
_DIAGONAL: Final = 2**0.5
_DYNAMICS: Final = {
    "restitution": 0.35, "lateralFriction": 0.45, "rollingFriction": 0.004,
    "spinningFriction": 0.004, "linearDamping": 0.02, "angularDamping": 0.05,
}  # fmt: skip


class RollError(RuntimeError):
    """No roll with these wishes came to rest as it should."""


def roll(seed: int, tray: Tray, kept: Sequence[Pose], rolled: int) -> DiceRoll:
    """Roll dice among kept ones until all lie flat, apart from each other, the kept unmoved.

    Raises:
        RollError: a thousand rolls from this seed did not give one.
    """
    random = np.random.default_rng(seed)
    with physics() as world:
        for _ in range(1000):
            attempt = _simulate(world, random, tray, kept, rolled)
            if attempt is not None and _countable(attempt, tray, kept):
                return attempt
    raise RollError(f"seed {seed} gave no clean roll of {rolled} dice beside {len(kept)}")


def _countable(attempt: DiceRoll, tray: Tray, kept: Sequence[Pose]) -> bool:
    rest = attempt.rest
    room = np.array([tray.half_width, tray.half_depth]) - _RIM_GAP
    return bool(
        attempt.lively
        and all(
            pose.lean_degrees < _LEVEL_DEGREES and abs(pose.position[2] - 0.5) < _STACKED
            for pose in rest
        )
        and all((np.abs(pose.corners()[:, :2]).max(axis=0) < room).all() for pose in rest)
        and all(_clear_of(one, other) for one, other in combinations(rest, 2))
        and (not kept or apart(kept, rest[: len(kept)]) < _NUDGE)
    )


def _clear_of(one: Pose, other: Pose) -> bool:
    """Whether a gap is left between two dice that lie flat (separating axes)."""
    offset = np.asarray(other.position[:2]) - np.asarray(one.position[:2])
    if float(np.linalg.norm(offset)) > _DIAGONAL + _GAP:
        return True
    for axis in (*one.rotation.T, *other.rotation.T):
        if abs(axis[2]) < 0.5:  # noqa: PLR2004 - a level side
            side = axis[:2] / np.linalg.norm(axis[:2])
            first, second = (pose.corners()[:, :2] @ side for pose in (one, other))
            if max(second.min() - first.max(), first.min() - second.max()) > _GAP:
                return True
    return False


def _build_tray(world: World, tray: Tray) -> None:
    world.do("resetSimulation")
    world.do("setGravity", 0, 0, -GRAVITY)
    world.do("setTimeStep", 1 / _STEPS_PER_SECOND)
    width, depth = tray.half_width, tray.half_depth
    slabs = [((0.0, 0.0, -1.0), (2 * width, 2 * depth, 1.0))]
    slabs += [((sign * (width + 1), 0.0, 20.0), (1.0, 3 * depth, 20.0)) for sign in (-1, 1)]
    slabs += [((0.0, sign * (depth + 1), 20.0), (3 * width, 1.0, 20.0)) for sign in (-1, 1)]
    for place, half in slabs:
        world.add(
            0, {"shapeType": BOX, "halfExtents": half}, Pose(place, (0, 0, 0, 1)), **_DYNAMICS
        )


def _simulate(
    world: World,
    random: np.random.Generator,
    tray: Tray,
    kept: Sequence[Pose],
    rolled: int,
) -> DiceRoll | None:
    _build_tray(world, tray)
    cube = {"shapeType": BOX, "halfExtents": (0.5, 0.5, 0.5)}
    bodies = [world.add(1, cube, pose, **_DYNAMICS) for pose in kept]
    for pose in _in_the_hand(random, tray, rolled):
        body = world.add(1, cube, pose, **_DYNAMICS)
        velocity = random.normal((0.0, 15.0, -8.0), (9.0, 8.0, 5.0))
        spin = random.normal((-18.0, 0.0, 0.0), (14.0, 14.0, 14.0))
        world.do("resetBaseVelocity", body, velocity.tolist(), spin.tolist())
        bodies.append(body)
    flight = _fly(world, bodies)
    if flight is None:
        return None
    return DiceRoll(tuple(flight), (True,) * len(kept) + (False,) * rolled)


def _in_the_hand(random: np.random.Generator, tray: Tray, rolled: int) -> list[Pose]:
    """The dice as the hand lets go of them: a loose cluster above the player's side."""
    slots = [(x, 0.0, z) for z in (0.0, 1.5) for x in (-1.5, 0.0, 1.5)]
    middle = np.array([random.uniform(-0.5, 0.5) * tray.half_width, -0.6 * tray.half_depth, 2.2])
    poses = []
    for slot in random.permutation(len(slots))[:rolled]:
        place = tuple(middle + slots[slot] + random.uniform(-0.2, 0.2, 3))
        x, y, z, w = (float(each) for each in random.normal(size=4))
        poses.append(Pose(place, (x, y, z, w)))
    return poses


def _fly(world: World, bodies: Sequence[int]) -> list[tuple[Pose, ...]] | None:
    """Let time pass until everything is still; None when that takes too long."""
    flight = [tuple(world.poses(bodies))]
    for _ in range(round(_LONGEST_SECONDS * _STEPS_PER_SECOND / _STEPS_PER_FRAME)):
        for _ in range(_STEPS_PER_FRAME):
            world.do("stepSimulation")
        flight.append(tuple(world.poses(bodies)))
        lately = flight[-_STILL_FRAMES:]
        if world.are_slower(bodies, _STILL_SPEED) and apart(lately[0], lately[-1]) < _STILL_WAY:
            return flight
    return None


TURNS: Final = 18
ROLLS: Final = 3
_DICE: Final = 5
_REST_SAMPLES: Final = 36
_MOVING_SAMPLES: Final = 9
_SEED: Final = 20_000


@dataclass(frozen=True, slots=True)
class FilmedRoll:
    """A roll and its pictures, in order; the last one shows the dice at rest."""

    roll: DiceRoll
    scenes: tuple[Scene, ...]

    @property
    def centres(self) -> list[tuple[float, float]]:
        """Where the middles of the top faces fall in the last picture, pixels from left and top."""
        viewpoint = self.scenes[-1].look.viewpoint
        return [viewpoint.pixel(pose.top_centre) for pose in self.roll.rest]


def empty_table() -> Scene:
    """The first table before anyone has rolled."""
    return Scene(look_of(0), (), None, _REST_SAMPLES, _SEED)


def look_of(turn: int) -> Look:
    """A turn's table: the listed looks in order; the second time round lit from the other side."""
    look = LOOKS[turn % len(LOOKS)]
    if turn // len(LOOKS) % 2 == 0:
        return look
    viewpoint = replace(look.viewpoint, azimuth_degrees=-3 - look.viewpoint.azimuth_degrees)
    light = replace(look.light, azimuth_degrees=-look.light.azimuth_degrees)
    return replace(look, light=light, viewpoint=viewpoint)


def film_turn(turn: int) -> Iterator[FilmedRoll]:
    """The rolls of a turn; what a player keeps stays where it lay.

    A roll that shows what the one before showed is left out, with those after it: the table could
    not tell whether anything was rolled, and would have to ask.

    Raises:
        RollError: physics gave no clean roll.
    """
    on_table: tuple[Pose, ...] = ()
    kept: tuple[Pose, ...] = ()
    faces: list[int] = []
    for number in range(ROLLS):
        seed = _SEED + turn * 10 + number
        rolled = roll(seed, TRAY, kept, _DICE - len(kept))
        if sorted(rolled.faces) == faces:
            return
        yield FilmedRoll(rolled, tuple(_film(look_of(turn), seed, on_table, kept, rolled)))
        on_table, faces = rolled.rest, sorted(rolled.faces)
        kept = tuple(on_table[place] for place in dice_to_keep(rolled.faces))


def _film(
    look: Look, seed: int, on_table: tuple[Pose, ...], kept: tuple[Pose, ...], rolled: DiceRoll
) -> Iterator[Scene]:
    """Reach for the dice, take them up, let go, watch them tumble, and see them at rest."""
    random = np.random.default_rng(seed)
    side, heading = float(random.uniform(-2.0, 2.0)), float(random.uniform(-18, 18))
    reaching, taking, leaving = (
        Hand((side, -5.2, 4.4), heading, 0.3),
        Hand((side * 0.4, -2.4, 3.4), heading * 0.6, 0.75),
        Hand((side * 0.8, -8.2, 4.8), heading, 0.1),
    )
    states = rolled.underway()
    moving: list[tuple[tuple[Pose, ...], Hand | None]] = [(on_table, reaching), (kept, taking)]
    moving += [(states[0], leaving), *((moment, None) for moment in states[1:])]
    for dice, hand in moving:
        yield Scene(look, dice, hand, _MOVING_SAMPLES, seed)
    yield Scene(look, rolled.rest, None, _REST_SAMPLES, seed)


_SHEET_COLUMNS: Final = 9
_SHEET_WIDTH: Final = 208
_SHEET_HEIGHT: Final = 156
_SHEET_QUALITY: Final = 80


@dataclass(frozen=True, slots=True)
class Cache:
    """Pictures by their scene's digest, so that a broken-off run goes on where it stopped."""

    folder: Path
    draw: Callable[[Scene], Image]

    def picture(self, scene: Scene) -> Image:
        """The scene's picture, drawn now when it isn't there yet."""
        return kept(self.folder / f"{scene.digest}.png", lambda: self.draw(scene))


def kept(path: Path, draw: Callable[[], Image]) -> Image:
    """The picture in a file, drawn now when it isn't there yet."""
    if path.exists():
        return read_picture(path)
    image = draw()
    write_whole(path, cv2.imencode(".png", image)[1].tobytes(), 0o644)
    return image


def write_json(path: Path, content: object) -> None:
    """Write the truth of pictures, a value a line."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(content, indent=1) + "\n", encoding="utf-8")


def read_picture(path: Path) -> Image:
    """Decode a picture file.

    Raises:
        ValueError: it is no picture.
    """
    image = cv2.imdecode(np.frombuffer(path.read_bytes(), dtype=np.uint8), cv2.IMREAD_COLOR)
    if image is None:
        raise ValueError(f"{path} is no picture")
    return np.asarray(image, dtype=np.uint8)


def write_webp(path: Path, image: Image, quality: int) -> None:
    """Pack a picture as WebP, quality 1 to 100."""
    path.parent.mkdir(parents=True, exist_ok=True)
    encoded = cv2.imencode(".webp", image, [cv2.IMWRITE_WEBP_QUALITY, quality])[1]
    path.write_bytes(encoded.tobytes())


def write_contact_sheet(path: Path, pictures: list[Path]) -> None:
    """Write a JPEG of many pictures, small, in rows of nine; cut to 4:3 around the middle."""
    small = [_small(read_picture(one)) for one in pictures]
    missing = -len(small) % _SHEET_COLUMNS
    small += [np.full((_SHEET_HEIGHT, _SHEET_WIDTH, 3), 255, dtype=np.uint8)] * missing
    rows = [
        np.hstack(small[at : at + _SHEET_COLUMNS]) for at in range(0, len(small), _SHEET_COLUMNS)
    ]
    encoded = cv2.imencode(".jpg", np.vstack(rows), [cv2.IMWRITE_JPEG_QUALITY, _SHEET_QUALITY])[1]
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(encoded.tobytes())


def _small(image: Image) -> Image:
    height, width = image.shape[:2]
    share = min(width / _SHEET_WIDTH, height / _SHEET_HEIGHT)
    across, down = round(share * _SHEET_WIDTH), round(share * _SHEET_HEIGHT)
    left, top = (width - across) // 2, (height - down) // 2
    middle = image[top : top + down, left : left + across]
    size = (_SHEET_WIDTH, _SHEET_HEIGHT)
    return np.asarray(cv2.resize(middle, size, interpolation=cv2.INTER_AREA), dtype=np.uint8)


def spread(pictures: Sequence[Path], count: int) -> list[Path]:
    """That many of the pictures, evenly from the first to the last; all when there are fewer."""
    places = np.linspace(0, len(pictures) - 1, min(count, len(pictures)))
    return [pictures[round(float(place))] for place in places]


_REST_QUALITY: Final = 86
_MOVING_QUALITY: Final = 66


def write_evening(cache: Cache, out: Path, turns: Iterable[int]) -> Iterator[list[FilmedRoll]]:
    """Write the pictures turn by turn, each turn's rolls as they are done.

    Pictures are named by their place alone: `turn00/throw0/00.webp` and on, the last at rest;
    `empty.webp` is the table before the first roll.
    """
    write_webp(out / "empty.webp", cache.picture(empty_table()), _REST_QUALITY)
    for turn in turns:
        rolls = list(film_turn(turn))
        for number, filmed in enumerate(rolls):
            folder = out / f"turn{turn:02}" / f"throw{number}"
            *moving, rest = [cache.picture(scene) for scene in filmed.scenes]
            for index, image in enumerate(moving):
                write_webp(folder / f"{index:02}.webp", image, _MOVING_QUALITY)
            write_webp(folder / f"{len(moving):02}.webp", rest, _REST_QUALITY)
        yield rolls


def write_truth(path: Path, turns: list[list[FilmedRoll]]) -> None:
    """Write what every roll shows at rest: values, and the middles of the top faces in pixels."""
    truth = [
        [
            {
                "values": list(filmed.roll.faces),
                "centres": [[round(x, 1), round(y, 1)] for x, y in filmed.centres],
            }
            for filmed in rolls
        ]
        for rolls in turns
    ]
    write_json(path, {"turns": truth})
